//! Logs of Inspect (inspect-ai): `.eval`, an archive of JSON, and `.json`. Written against what
//! version 0.3.285 writes.
//!
//! A log is one cell, its model. A sample is a task, an epoch a repeat. From an archive only the
//! header and the summaries are read: they hold all that a figure is made of.

mod log;
mod sample;

use super::archive;
use super::error::ImportError;
use super::found::{Given, Numbering, Read};
use super::json;
use crate::domain::{CellId, RolloutKey};
use log::{Log, Sample};
use serde_json::Value;

/// Whose files these are.
const WHO: &str = "Inspect";

/// The status of a log that has all that was planned.
const WHOLE: &str = "success";

/// Whether it is a log.
pub(super) fn is_one(given: &Given) -> bool {
    if archive::is_one(&given.bytes) {
        return given.path.ends_with(".eval");
    }
    json::has_keys(&given.bytes, &["version", "status", "eval"])
}

/// Reads a log.
///
/// # Errors
/// `ImportError` when it is no log, has no samples in it, broke off without saying what was planned,
/// or a sample has no yes or no.
pub(super) fn read(given: &Given) -> Result<Read, ImportError> {
    let (log, samples) = if archive::is_one(&given.bytes) {
        from_archive(given)?
    } else {
        let mut log: Log = json::parse(&given.path, WHO, &given.bytes)?;
        let samples = log.samples.take();
        (log, samples)
    };
    let Some(samples) = samples else {
        return Err(wrong(
            given,
            "the log holds no samples",
            "run with log_samples on, or give the log with its samples",
        ));
    };
    let cell = match &given.cell {
        Some(cell) => cell.clone(),
        None => CellId::imported(&log.eval.model)
            .map_err(|error| wrong(given, error.to_string(), "give it as NAME=FILE"))?,
    };
    let scorer = scorer(given, &samples)?;
    let reader = sample::Reader {
        given,
        log: &log,
        cell: &cell,
        scorer: scorer.as_deref(),
    };
    let found = samples.iter().map(|sample| reader.found(sample));
    let found = found.collect::<Result<Vec<_>, _>>()?;
    Ok(Read {
        path: given.path.clone(),
        format: "inspect",
        numbering: Numbering::Written,
        expected: expected(&reader)?,
        notes: notes(given, &log, &samples),
        found,
    })
}

fn from_archive(given: &Given) -> Result<(Log, Option<Vec<Sample>>), ImportError> {
    let member = |name: &str| {
        archive::member(&given.bytes, name).map_err(|what| {
            wrong(
                given,
                what,
                "copy the log again, or have Inspect rewrite it",
            )
        })
    };
    let unfinished = || {
        wrong(
            given,
            "the log was never finished",
            "`inspect log recover` finishes it",
        )
    };
    let header = member("header.json")?.ok_or_else(unfinished)?;
    let log = json::parse(&given.path, WHO, &header)?;
    let samples = match member("summaries.json")? {
        Some(summaries) => Some(json::parse(&given.path, WHO, &summaries)?),
        None => None,
    };
    Ok((log, samples))
}

/// The one scorer whose word counts, or the one that was asked for; `None` where no sample was
/// scored.
fn scorer(given: &Given, samples: &[Sample]) -> Result<Option<String>, ImportError> {
    let mut names: Vec<&String> = samples
        .iter()
        .flat_map(|sample| sample.scores.iter().flatten().map(|(name, _)| name))
        .collect();
    names.sort_unstable();
    names.dedup();
    let list = || {
        names
            .iter()
            .map(|name| name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    match (&given.scorer, names.as_slice()) {
        (Some(wanted), _) if names.contains(&wanted) => Ok(Some(wanted.clone())),
        (Some(wanted), _) => Err(wrong(
            given,
            format!("there is no scorer `{wanted}`: the log has {}", list()),
            "name one of them with --scorer",
        )),
        (None, []) => Ok(None),
        (None, [one]) => Ok(Some((*one).clone())),
        (None, _) => Err(wrong(
            given,
            format!("there are several scorers: {}", list()),
            "name the one that decides with --scorer",
        )),
    }
}

/// Every sample of the dataset in every epoch: a log that ended early has not all of them. A whole
/// one need not say what was planned, for it is all there.
fn expected(reader: &sample::Reader<'_>) -> Result<Vec<RolloutKey>, ImportError> {
    let eval = &reader.log.eval;
    let (ids, epochs) = (&eval.dataset.sample_ids, eval.config.epochs);
    if reader.log.status != WHOLE && (ids.is_none() || epochs.is_none()) {
        let status = &reader.log.status;
        return Err(wrong(
            reader.given,
            format!("the log ended with status {status}, and does not say what was planned"),
            "finish it with `inspect eval-retry`, or give a log with eval.dataset.sample_ids and \
             eval.config.epochs",
        ));
    }
    let epochs = epochs.unwrap_or(1);
    let mut keys = Vec::new();
    for id in ids.iter().flatten() {
        let task = reader.task(id)?;
        keys.extend((1..=epochs).map(|repeat| RolloutKey {
            cell: reader.cell.clone(),
            task: task.clone(),
            repeat,
        }));
    }
    Ok(keys)
}

fn notes(given: &Given, log: &Log, samples: &[Sample]) -> Vec<String> {
    let mut notes = Vec::new();
    let path = &given.path;
    if log.status != WHOLE {
        notes.push(format!("{path}: Inspect ended with status {}", log.status));
    }
    if log.invalidated {
        notes.push(format!("{path}: somebody marked the log as invalid"));
    }
    let limited = samples
        .iter()
        .filter(|sample| sample.limit().is_some())
        .count();
    if limited > 0 {
        notes.push(format!(
            "{path}: samples that met a limit: {limited}; each counts as its score says"
        ));
    }
    notes
}

fn wrong(given: &Given, what: impl Into<String>, help: &'static str) -> ImportError {
    ImportError::Wrong {
        what: what.into(),
        place: given.path.clone(),
        help,
    }
}

/// The name of a sample among those of all tasks.
fn task_id(task: &str, id: &Value) -> String {
    match id {
        Value::String(id) => format!("{task}/{id}"),
        other => format!("{task}/{other}"),
    }
}

#[cfg(test)]
mod tests;
