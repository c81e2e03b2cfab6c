//! What a result speaks of and where it comes from: the sentence that bounds the claim, and the
//! environment block.

use super::Frozen;
use super::figures::counted;
use super::page::{HANG, Page};
use crate::analysis::CellSummary;
use crate::domain::{CachePolicy, CellId, RunId, ServerPlace};
use std::collections::{BTreeMap, BTreeSet};

/// What must be known of a replay before anything else.
pub(super) fn replay(run: &RunId) -> String {
    format!(
        "REPLAY: answers recorded in run {run} were played, so this says nothing about the models; \
         costs are those of the recording, and nothing was spent."
    )
}

/// The sentence that bounds the claim: these tasks, these cells, this time, these versions.
pub(super) fn claim(page: &mut Page, frozen: &Frozen<'_>) {
    let (analysis, meta) = (frozen.analysis, &frozen.meta);
    let tasks = counted(u64::from(analysis.tasks), "task");
    let cells = counted(analysis.cells.len() as u64, "cell");
    let when = match &analysis.window {
        Some(window) if day(&window.first_started_at) == day(&window.last_started_at) => {
            format!("on {}", day(&window.first_started_at))
        }
        Some(window) => {
            format!(
                "from {} to {}",
                day(&window.first_started_at),
                day(&window.last_started_at)
            )
        }
        None => "with no rollout begun".to_owned(),
    };
    let prices = match &analysis.prices_as_of {
        Some(date) => format!("prices as of {date}"),
        None => "prices without a date".to_owned(),
    };
    let text = format!(
        "This holds for this suite ({}, {tasks}), for {cells} with the models and agent versions that ENVIRONMENT names, {when}, measured by crossbar {}, with {prices}.",
        meta.suite_fingerprint, meta.crossbar,
    );
    let text = match &analysis.replay_of {
        None => text,
        Some(_) => text.replacen("This holds", "This holds for no model. It is", 1),
    };
    page.item("SCOPE", HANG, &text);
    page.item("DATA SET", HANG, &frozen.dataset_hash);
}

fn day(time: &str) -> &str {
    time.get(..10).unwrap_or(time)
}

/// What a seed promises, and what it does not.
const SEED: &str = "it fixes the order of the rollouts and what a mock does; a live model draws anew each time, \
     whatever the seed.";

/// ENVIRONMENT: run, versions, fingerprints, and per cell the model asked for, the models that
/// answered, and the agent.
pub(super) fn environment(page: &mut Page, frozen: &Frozen<'_>) {
    let meta = &frozen.meta;
    page.heading("ENVIRONMENT");
    page.item(
        "run",
        HANG,
        &format!(
            "{}, seed {}, made {}",
            frozen.run_id, meta.seed, meta.made.created_at
        ),
    );
    page.item("seed", HANG, SEED);
    page.item("crossbar", HANG, &meta.crossbar);
    for machine in &meta.made.machines {
        let text = format!(
            "{}, {}; rollouts at a time: {} free, {} live",
            machine.system,
            counted(u64::from(machine.processors), "processor"),
            machine.free_at_a_time,
            machine.live_at_a_time
        );
        page.item("machine", HANG, &text);
    }
    if !meta.servers.is_empty() {
        page.item("servers", HANG, &servers(&meta.servers));
    }
    if let Some(policy) = meta.cache {
        page.item("cache", HANG, &cache(policy, &frozen.analysis.cells));
    }
    page.item("suite", HANG, &meta.suite_fingerprint);
    for cell in &frozen.analysis.cells {
        let answered = if cell.answered_models.is_empty() {
            "no model name in the answers".to_owned()
        } else {
            let names: Vec<_> = cell.answered_models.iter().map(String::as_str).collect();
            format!("answered by {}", names.join(", "))
        };
        let text = format!(
            "{}: fingerprint {}; asked for {}{}, {answered}; agent {}",
            cell.id,
            cell.fingerprint,
            cell.requested_model,
            moving(cell),
            agent(frozen, &cell.id).unwrap_or("unknown"),
        );
        page.item("cell", HANG, &text);
    }
    page.item("data set", HANG, &frozen.dataset_hash);
}

/// Where the servers of the tasks ran: what an agent's tools can do is bounded by that.
fn servers(places: &BTreeMap<String, BTreeSet<ServerPlace>>) -> String {
    let at = |place: ServerPlace| {
        let here = places.iter().filter(|(_, places)| places.contains(&place));
        here.map(|(name, _)| name.as_str()).collect::<Vec<_>>()
    };
    let words = [
        (
            ServerPlace::Process,
            "processes on this machine, in no sandbox",
        ),
        (ServerPlace::Address, "somebody else's, at their addresses"),
    ];
    let parts = words.map(|(place, words)| (at(place), words));
    let parts = parts.iter().filter(|(names, _)| !names.is_empty());
    let parts = parts.map(|(names, words)| format!("{}: {words}", names.join(", ")));
    parts.collect::<Vec<_>>().join("; ")
}

/// What was declared of prompt caches beside what was read from them.
fn cache(policy: CachePolicy, cells: &[CellSummary]) -> String {
    let counts = cells.iter().map(|cell| match cell.tokens {
        Some(tokens) => format!(
            "{} {} of {} input tokens",
            cell.id,
            tokens.cache_read,
            tokens.input()
        ),
        None => format!("{} unknown", cell.id),
    });
    let is_read = |cell: &CellSummary| cell.tokens.is_some_and(|tokens| tokens.cache_read > 0);
    let broken = match policy {
        CachePolicy::Cold if cells.iter().any(is_read) => ", which is not cold",
        _ => "",
    };
    format!(
        "declared {}; read from a cache: {}{broken}",
        policy.word(),
        counts.collect::<Vec<_>>().join(", ")
    )
}

/// What is said of a name that stands for whatever is newest: each answer named more than was asked.
fn moving(cell: &CellSummary) -> &'static str {
    let asked = cell.requested_model.as_str();
    let mut answered = cell.answered_models.iter();
    let moves = !cell.answered_models.is_empty()
        && answered.all(|name| name != asked && name.contains(asked));
    if moves {
        " (an alias, which moves)"
    } else {
        ""
    }
}

fn agent<'a>(frozen: &'a Frozen<'_>, cell: &CellId) -> Option<&'a str> {
    let meta = frozen.meta.cells.iter().find(|meta| &meta.cell == cell)?;
    Some(&meta.agent)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{flat, sweep};
    use super::*;
    use crate::domain::Usage;

    #[test]
    fn a_name_that_moves_is_told_from_one_that_stands() {
        let mut asked = sweep();
        for (cell, name) in asked
            .question
            .cells
            .iter_mut()
            .zip(["model-1", "model-1-2026"])
        {
            name.clone_into(&mut cell.requested_model);
        }
        let text = flat(&asked.again().output("text"));
        let moving = "asked for model-1 (an alias, which moves), answered by model-1-2026; agent";
        assert!(text.contains(moving), "{text}");
        let still = "asked for model-1-2026, answered by model-1-2026; agent";
        assert!(text.contains(still), "{text}");
    }

    #[test]
    fn where_servers_ran_and_what_was_read_from_caches_is_said_where_it_is_known() {
        let mut asked = sweep();
        let text = flat(&sweep().again().output("text"));
        assert!(!text.contains("in no sandbox") && !text.contains("read from a cache"));
        let place = |places: &[ServerPlace]| places.iter().copied().collect();
        asked.meta.servers = BTreeMap::from([
            ("desk".to_owned(), place(&[ServerPlace::Process])),
            (
                "mail".to_owned(),
                place(&[ServerPlace::Process, ServerPlace::Address]),
            ),
        ]);
        asked.meta.cache = Some(CachePolicy::Warm);
        let text = flat(&asked.output("text"));
        let ran = "servers desk, mail: processes on this machine, in no sandbox; mail: somebody \
                   else's, at their addresses";
        assert!(text.contains(ran), "{text}");
        assert!(
            text.contains("cache declared warm; read from a cache: "),
            "{text}"
        );
        assert!(!text.contains("which is not cold"), "{text}");
        let [first, ..] = asked.analysis.cells.as_mut_slice() else {
            panic!("no cell")
        };
        first.tokens = Some(Usage {
            input_uncached: 60,
            cache_read: 40,
            ..Usage::default()
        });
        asked.meta.cache = Some(CachePolicy::Cold);
        let text = flat(&asked.output("text"));
        assert!(text.contains(" 40 of 100 input tokens"), "{text}");
        assert!(text.contains(", which is not cold"), "{text}");
    }
}
