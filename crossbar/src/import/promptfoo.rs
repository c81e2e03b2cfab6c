//! Results of promptfoo (`promptfoo eval -o out.json`). Written against what version 0.121.20
//! writes.
//!
//! A cell is a provider, and where there are several prompts a provider with a prompt. A task is
//! a test case; promptfoo does not number its repeats, so test cases that are the same in every
//! word are repeats of one.

mod names;
mod output;

use super::error::ImportError;
use super::found::{Found, Given, Numbering, Place, Read, money};
use super::json;
use crate::domain::{
    CellId, InfrastructureEvidence, Outcome, ResultRow, RolloutKey, Score, TaskId, Usage,
};
use names::Names;
use output::{Outcomes, Output, ResultItem};
use std::collections::BTreeMap;

/// Whether it is a file of results.
pub(super) fn is_one(given: &Given) -> bool {
    json::has_keys(&given.bytes, &["results", "config"])
}

/// Reads a file of results.
///
/// # Errors
/// `ImportError` when it is none, when repeats were served from a cache, a name is none, or a result
/// does not say why it did not pass.
pub(super) fn read(given: &Given) -> Result<Read, ImportError> {
    let output: Output = json::parse(&given.path, "promptfoo", &given.bytes)?;
    let Outcomes { results } = output.results;
    let names = Names::of(&results);
    let mut repeats: BTreeMap<(String, String), Vec<&ResultItem>> = BTreeMap::new();
    for item in &results {
        let case = (names.cell(item), names.task(item));
        repeats.entry(case).or_default().push(item);
    }
    let mut found = Vec::new();
    for ((cell, task), mut items) in repeats {
        items.sort_by_key(|item| item.test_idx);
        for (item, repeat) in items.iter().zip(1..) {
            if items.len() > 1 && item.is_cached() {
                return Err(cached(given, item));
            }
            found.push((item.test_idx, row(given, (&cell, &task), (item, repeat))?));
        }
    }
    found.sort_by_key(|(place, _)| *place);
    Ok(Read {
        path: given.path.clone(),
        format: "promptfoo",
        numbering: Numbering::Written,
        found: found.into_iter().map(|(_, found)| found).collect(),
        expected: Vec::new(),
        notes: Vec::new(),
    })
}

fn place(given: &Given, item: &ResultItem) -> Place {
    Place {
        path: given.path.clone(),
        at: format!(
            " result of test {}, prompt {}",
            item.test_idx, item.prompt_idx
        ),
    }
}

/// An answer from the cache is a copy of an earlier one, and no repeat.
fn cached(given: &Given, item: &ResultItem) -> ImportError {
    ImportError::Wrong {
        what: "a repeat was answered from promptfoo's cache, so it measured nothing".to_owned(),
        place: place(given, item).to_string(),
        help: "run again with --no-cache",
    }
}

fn row(
    given: &Given,
    (cell, task): (&str, &str),
    (item, repeat): (&ResultItem, u32),
) -> Result<Found, ImportError> {
    let wrong = |error: crate::domain::IdError| ImportError::Wrong {
        what: error.to_string(),
        place: place(given, item).to_string(),
        help: "give the provider a label, and the test a description",
    };
    // For a price that it doesn't know it writes 0.
    let dollars = item.cost.filter(|cost| cost.is_finite() && *cost > 0.0);
    let key = RolloutKey {
        cell: CellId::imported(cell).map_err(wrong)?,
        task: TaskId::imported(task).map_err(wrong)?,
        repeat,
    };
    let outcome = outcome(item).ok_or_else(|| ImportError::Wrong {
        what:
            "a result that did not pass has no failureReason: a wrong answer and a lost one look \
               the same"
                .to_owned(),
        place: place(given, item).to_string(),
        help: "give the file as promptfoo wrote it; versions that don't write failureReason can't \
               be read",
    })?;
    let score = score(item).filter(|_| outcome.is_measured());
    let found = Found::ended(key, outcome, place(given, item));
    Ok(Found {
        row: ResultRow {
            score,
            usage: usage(item),
            cost: money(dollars),
            worked_ms: item.latency_ms,
            ..found.row
        },
        family: item.family().map(str::to_owned),
        dollars,
        ..found
    })
}

/// How it ended; `None` where the file says that it did not pass, and not why.
fn outcome(item: &ResultItem) -> Option<Outcome> {
    if item.success {
        return Some(Outcome::Accepted);
    }
    Some(if item.failed_by_error()? {
        Outcome::InfrastructureFailure {
            evidence: InfrastructureEvidence::Reported,
            message: "promptfoo has an error instead of an answer".to_owned(),
        }
    } else {
        Outcome::TaskFailure
    })
}

fn score(item: &ResultItem) -> Option<Score> {
    let total = item.score.filter(|score| (0.0..=1.0).contains(score))?;
    Some(Score {
        security: 1.0,
        completion: total,
        process: 1.0,
    })
}

fn usage(item: &ResultItem) -> Option<Usage> {
    let tokens = item.tokens()?;
    Some(Usage {
        input_uncached: tokens.prompt?,
        output: tokens.completion?,
        ..Usage::default()
    })
}

#[cfg(test)]
mod tests;
