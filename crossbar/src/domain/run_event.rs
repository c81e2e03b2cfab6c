//! The facts that a run emits. No colours, no verbosity, no display choice.

use super::{BudgetStatus, Rollout, RolloutKey};
use serde::{Deserialize, Serialize};

/// Where a part of a run happens, and how many rollouts at a time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Machine {
    /// The operating system and the processor, for example `linux x86_64`.
    pub system: String,
    /// Processors that are at hand, from 1.
    pub processors: u32,
    /// Rollouts of free cells at a time, from 1.
    pub free_at_a_time: u32,
    /// Rollouts of live cells at a time, from 1.
    pub live_at_a_time: u32,
}

/// A fact about a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunEvent {
    /// The sweep begins.
    RunStarted {
        /// Rollouts that the plan holds.
        planned: u32,
        /// Rollouts that an earlier part of the same run has finished already.
        finished: u32,
        /// Where this part of the run happens.
        machine: Machine,
    },
    /// A rollout begins.
    RolloutStarted {
        /// Which.
        key: RolloutKey,
        /// Its attempt, from 1.
        attempt: u32,
        /// Where it stands in the plan's order, from 0.
        position: u32,
    },
    /// A rollout ended; its record is final.
    RolloutFinished {
        /// The record.
        rollout: Box<Rollout>,
    },
    /// A rollout that an earlier part of the same run has finished; its record stands.
    RolloutKept {
        /// The record.
        rollout: Box<Rollout>,
    },
    /// The budget refused a call; later paid rollouts are skipped.
    BudgetExhausted {
        /// Its state at that moment.
        status: BudgetStatus,
    },
    /// The sweep ended.
    RunFinished {
        /// Whether it was cut short by a person or a signal.
        interrupted: bool,
    },
}
