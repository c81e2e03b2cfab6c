//! What a result speaks of and where it comes from: the sentence that bounds the claim, and the
//! environment block.

use super::Frozen;
use super::figures::counted;
use super::page::{HANG, Page};
use crate::analysis::CellSummary;
use crate::domain::{CellId, RunId};

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
}
