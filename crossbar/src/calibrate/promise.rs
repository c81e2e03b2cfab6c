//! The promises: the one table that docs/statistics.md shows and that `crossbar calibrate` holds
//! the shipped code to.

use crate::domain::in_steps;
use std::fmt;

/// What a figure must not cross.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// The figure, a fraction, is at most this.
    AtMost(f64),
    /// The figure, a fraction, is at least this.
    AtLeast(f64),
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, value) = match self {
            Self::AtMost(value) => ("at most", value),
            Self::AtLeast(value) => ("at least", value),
        };
        let percent = in_steps(*value, 1e3) / 10.0;
        write!(f, "{word} {percent}%")
    }
}

/// A promise about a share of sweeps (or, where it says so, a mean).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Promise {
    /// Its name in the table.
    pub id: &'static str,
    /// What is counted.
    pub says: &'static str,
    /// What the count must not cross.
    pub bound: Bound,
    /// A limit that goes with it, for the reader; empty without one.
    pub limit: &'static str,
}

const fn at_most(id: &'static str, says: &'static str, bound: f64) -> Promise {
    Promise {
        id,
        says,
        bound: Bound::AtMost(bound),
        limit: "",
    }
}

const fn at_least(id: &'static str, says: &'static str, bound: f64) -> Promise {
    Promise {
        bound: Bound::AtLeast(bound),
        ..at_most(id, says, bound)
    }
}

const fn limited(promise: Promise, limit: &'static str) -> Promise {
    Promise { limit, ..promise }
}

/// What stands below the promises about tasks that are dead for both cells.
const DEAD: &str = "a stated limit: tasks that no cell ever solves carry no information and \
                    weaken the interval; remove or mend them, or set stats.padding: strict";

/// Every promise, in the order of the table.
pub const PROMISES: &[Promise] = &[
    at_least(
        "cell",
        "the interval of a pass rate covers the true rate",
        0.945,
    ),
    at_most(
        "difference",
        "the interval of a difference lies wholly on one given side of the true difference",
        0.035,
    ),
    at_most(
        "direction",
        "a cell is called better or worse, wrongly",
        0.05,
    ),
    at_most(
        "these-direction",
        "a cell is called better or worse on these tasks, wrongly",
        0.05,
    ),
    at_most(
        "family-wise",
        "any of 39 challengers is called better or worse, wrongly",
        0.05,
    ),
    at_most(
        "non-inferior",
        "a cell exactly at the margin is called within it",
        0.055,
    ),
    at_most(
        "these-non-inferior",
        "a cell exactly at the margin on these tasks is called within it",
        0.06,
    ),
    at_most(
        "switch",
        "SWITCH to a cell that is not good enough, 15 challengers at the margin",
        0.05,
    ),
    limited(
        at_most(
            "dead-family-wise",
            "as family-wise, where half the tasks are dead for every cell",
            0.085,
        ),
        DEAD,
    ),
    limited(
        at_most(
            "dead-non-inferior",
            "as non-inferior, where half the tasks are dead for both cells",
            0.07,
        ),
        DEAD,
    ),
    at_most(
        "strict-family-wise",
        "as dead-family-wise, with stats.padding: strict",
        0.055,
    ),
    at_most(
        "strict-non-inferior",
        "as dead-non-inferior, with stats.padding: strict",
        0.07,
    ),
    at_most(
        "winner",
        "the best of 40 equal cells: its lower limit lies above its true rate",
        0.025,
    ),
    at_least(
        "families",
        "as cell, where tasks come in families that are declared",
        0.945,
    ),
    at_least(
        "weights",
        "as cell, where some tasks weigh more than others",
        0.945,
    ),
    at_least(
        "strata",
        "as cell, where tasks were drawn from parts of the work, not in proportion to their shares",
        0.945,
    ),
    at_least(
        "uneven",
        "as cell, where some tasks or cells have fewer repeats than others",
        0.945,
    ),
    at_most(
        "missing",
        "a direction is claimed, wrongly, where every tenth rollout is lost and failing ones more often",
        0.01,
    ),
    at_least(
        "capped-cost",
        "the interval of cost per success covers the true one, with a hard cap per rollout",
        0.945,
    ),
    at_least(
        "pass-k",
        "the intervals of pass@k and pass^k cover the true ones",
        0.945,
    ),
    at_least("graded", "as cell, for scores between 0 and 1", 0.945),
    at_most(
        "graded-difference",
        "as difference, for scores between 0 and 1",
        0.035,
    ),
    at_most(
        "open-these",
        "equal cells, 20 tasks, margin 10: within the margin or not stays open [these tasks]",
        0.3,
    ),
    at_most(
        "open-like",
        "equal cells, 20 tasks, margin 10: within the margin or not stays open [tasks like these]",
        0.75,
    ),
    at_most(
        "adaptive",
        "a direction is claimed, wrongly, at any look of a design that stops early",
        0.05,
    ),
    at_most(
        "adaptive-non-inferior",
        "a cell exactly at the margin is called within it, at any look of such a design",
        0.055,
    ),
    at_most(
        "adaptive-cheaper",
        "a cell of the same cost per success is called cheaper, at any look of such a design",
        0.05,
    ),
    at_least(
        "adaptive-saving",
        "rollouts that looks save, on average, where a fixed design has 75% power or more",
        0.3,
    ),
    at_least(
        "advice",
        "equal cells, 20 tasks, margin 10: settled at once, or by doing what CAN'T TELL advises",
        0.8,
    ),
];

/// The promise of a name.
#[must_use]
pub fn promise(id: &str) -> Option<&'static Promise> {
    PROMISES.iter().find(|promise| promise.id == id)
}
