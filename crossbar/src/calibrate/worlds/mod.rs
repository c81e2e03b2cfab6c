//! The worlds: one file per family of them, one line each in the table.

mod adaptive;
mod advice;
mod batches;
mod beta;
mod costs;
mod course;
mod dead;
mod drift;
mod equal;
mod families;
mod graded;
mod margin;
mod missing;
mod mixture;
mod pass_k;
mod specialist;
mod strata;
mod uneven;
mod weights;
mod winner;

use super::{Effort, Setting};

/// A family of worlds.
pub struct World {
    /// Its name.
    pub name: &'static str,
    /// What it is like, for a reader.
    pub doc: &'static str,
    settings: fn(Effort) -> Vec<Setting>,
}

/// Every world, in the order of the table.
pub const WORLDS: &[World] = &[
    World {
        name: "beta",
        doc: "tasks of every difficulty; both cells equally good, 70% of difficulties shared",
        settings: beta::settings,
    },
    World {
        name: "mixture",
        doc: "tasks of few kinds: all alike, always or never solved, hardly ever solved",
        settings: mixture::settings,
    },
    World {
        name: "specialist",
        doc: "one cell passes all tasks nearly always, the other always but for some that it never can",
        settings: specialist::settings,
    },
    World {
        name: "margin",
        doc: "cheaper challengers that are worse by exactly the margin",
        settings: margin::settings,
    },
    World {
        name: "dead",
        doc: "half the tasks are dead for every cell, and challengers are specialists on the rest",
        settings: dead::settings,
    },
    World {
        name: "winner",
        doc: "forty equally good cells, of which the luckiest is looked at",
        settings: winner::settings,
    },
    World {
        name: "families",
        doc: "families of tasks that are alike, declared and hidden",
        settings: families::settings,
    },
    World {
        name: "weights",
        doc: "tasks that count for more than others, as hard as the rest or harder",
        settings: weights::settings,
    },
    World {
        name: "strata",
        doc: "parts of the work from which tasks were drawn apart, not in proportion to their shares",
        settings: strata::settings,
    },
    World {
        name: "uneven",
        doc: "repeats that differ from task to task, or from cell to cell",
        settings: uneven::settings,
    },
    World {
        name: "drift",
        doc: "days on which everything goes better or worse, for all cells or for one",
        settings: drift::settings,
    },
    World {
        name: "missing",
        doc: "one rollout in ten is lost, failing ones six times as often",
        settings: missing::settings,
    },
    World {
        name: "costs",
        doc: "a few tasks or rollouts are many times as dear as the rest",
        settings: costs::settings,
    },
    World {
        name: "graded",
        doc: "scores between 0 and 1 instead of passes",
        settings: graded::settings,
    },
    World {
        name: "pass-k",
        doc: "one of k rollouts passes, or all of them do",
        settings: pass_k::settings,
    },
    World {
        name: "equal",
        doc: "a challenger truly as good, or 5 or 20 points worse, asked about with several margins",
        settings: equal::settings,
    },
    World {
        name: "advice",
        doc: "what CAN'T TELL says would settle it, done",
        settings: advice::settings,
    },
    World {
        name: "adaptive",
        doc: "designs that look several times and stop early",
        settings: adaptive::settings,
    },
    World {
        name: "course",
        doc: "whole adaptive runs: one challenger or several, until each is settled",
        settings: course::settings,
    },
    World {
        name: "batches",
        doc: "tasks that are added in declared batches, with a verdict after each",
        settings: batches::settings,
    },
];

/// The settings of one world, or of all.
#[must_use]
pub fn settings(effort: Effort, world: Option<&str>) -> Vec<Setting> {
    let chosen = WORLDS
        .iter()
        .filter(|one| world.is_none_or(|name| name == one.name));
    chosen.flat_map(|one| (one.settings)(effort)).collect()
}

#[cfg(test)]
mod tests;
