//! From rollouts to a verdict.
//!
//! What is for here: estimates, comparisons, standings, planning figures and the verdict of one
//! sweep, all in one value, `Analysis`, which every report is made from. Pure: the same rollouts
//! in any order give the same bytes.
//!
//! What it must not know: how anything is printed, where rollouts are stored, how they were run,
//! clocks, files, money limits. No number leaves without its interval, and what is not known is
//! `None` or a case of an enum, never 0.

mod error;
mod question;

mod grouping;
mod table;
mod task_looks;

mod rates;

mod completeness;

mod noise;
mod taxonomy;

mod cell_summary;
mod cells;

mod comparison;

mod compare;
mod compare_cost;
mod compare_like;
mod compare_these;

mod cross_check;
mod front;
mod named_interval;
mod signal;
mod slices;
mod times;

mod verdict;

mod settle;
mod standing;

mod decide;
mod judge;

mod confidence;

mod prune;

mod apart;
mod blocks;
mod watch;

mod answer;

mod analyze;

mod design;
mod forecast_chance;
mod forecast_reach;
mod forecast_worth;
mod outlay;
mod pilot;

mod adaptive;
mod adaptive_look;

mod aa;
mod accept;
mod controls;
mod floor;
mod gate;
mod gate_answer;
mod gate_judge;
mod gate_looks;
mod gate_pairs;
mod gate_sentinel;
mod records;

#[cfg(test)]
pub(crate) mod fixture;

pub use aa::{SelfTest, against_itself};
pub use accept::{ChangeKind, Proposal, Replaced, TaskChange, changes, task_difference};
pub use adaptive::{Batch, CellCourse, Course, Stop, course};
pub use analyze::analyze;
pub use answer::{Analysis, BestCell, Notice, Scope, Settings, Unit, Window};
pub use cell_summary::{
    CellSummary, CostPerSuccessLine, CostSummary, Latency, NoCostPerSuccess, SafetySummary,
    TaskCell, TaskSummary,
};
pub use comparison::{
    Bounds, Cheaper, Comparison, CostComparison, LikeComparison, Note, NoteWord, Shown,
    TheseComparison, Unmeasured,
};
pub use completeness::{Completeness, MissingReason, MissingRollout, Status};
pub use confidence::{Confidence, ConfidenceLevel, ConfidenceReason, NeededBasis, TasksNeeded};
pub use controls::{ControlFinding, ControlLine, control_line, control_lines};
pub use cross_check::{CheckedDifference, CheckedRate, CrossCheck, Majorities};
pub use design::{Bill, Design, Forecast};
pub use error::AnalysisError;
pub use floor::Floor;
pub use forecast_chance::{Assumed, AssumedBasis, Chance, Needed, NeededTasks};
pub use forecast_reach::{BarReach, Reach, ScopeReach};
pub use forecast_worth::{NotWorth, Worth};
pub use front::{Front, FrontCell};
pub use gate::{Held, StoredReferences, hold};
pub use gate_answer::{
    AcceptedDrop, Against, ChangedPart, GateAnswer, GateState, GateWord, HeldCell, MovedTask,
    NotComparable, PairedTasks, SecondLook,
};
pub use gate_sentinel::Watched;
pub use named_interval::{NAMED_INTERVALS, NamedInterval, NamedMethod};
pub use noise::NoiseLine;
pub use outlay::{Ceiling, CellOutlay, NotExpected, Outlay};
pub use pilot::{Pilot, PilotSilence};
pub use prune::{PruneReason, PrunedTask};
pub use question::{
    CellInfo, CorrelationPadding, Margin, Question, Record, TaskInfo, UnknownAttempt,
};
pub use records::{RecordOf, records};
pub use signal::{Influence, TaskSignal};
pub use slices::Slice;
pub use task_looks::TaskLook;
pub use taxonomy::FailureCount;
pub use times::{TimeComparison, TimeLine};
pub use verdict::{
    Claim, ClosedBy, ClosedCell, Lack, LeaningLine, Need, NeedKind, OpenCell, Undecided, Verdict,
};
pub use watch::WatchOut;
