//! Exit codes: one place that maps what happened to what the shell sees.

/// What a run ends with. docs/exit-codes.md explains each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// Something that must hold does not: a gate, or a control that was asked for by itself.
    Failed,
    /// Wrong usage or configuration, or it can't run at all.
    CannotRun,
    /// The gate demands a conclusion, and the rollouts don't give one.
    GateOpen,
    /// Rollouts are missing: infrastructure, budget, or never run.
    Incomplete,
    /// A person or a signal stopped it; finished work is kept.
    Interrupted,
    /// Done, and the runner of the cases (nextest) ended with this code.
    Runner(u8),
}

impl Exit {
    /// The number.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::CannotRun => 2,
            Self::GateOpen => 3,
            Self::Incomplete => 4,
            Self::Interrupted => 130,
            Self::Runner(code) => code,
        }
    }
}
