//! The nouns of crossbar, money arithmetic, the facts a run emits, and the ports.
//!
//! This room is the ground floor: it uses no other room, and it knows no clock,
//! file, process or display choice. Everything that crosses from one room to
//! another is made of these types; the stored record is made of them too, so a
//! report is a function of the record.

mod additions;
mod agent_run;
mod budget;
mod check_outcome;
mod conditions;
mod control;
mod estimate;
mod evidence;
mod failure_mode;
mod gate;
mod harness;
mod ids;
mod limits;
mod look_plan;
mod model;
mod moment;
mod money;
mod on_blocked;
mod outcome;
mod ports;
mod price;
mod program;
mod recording;
mod reference;
mod relay;
mod result_row;
mod rollout;
mod rounding;
mod run_event;
mod score;
mod script;
mod trajectory;
mod unmet;
mod usage;

pub use additions::{AddedFile, Additions, Isolation, Places, SKILL_FILE, Skill};
pub use agent_run::{AgentRun, Given, GivenAs, OwnFigures, VersionSource};
pub use budget::{BudgetLimit, BudgetStatus};
pub use check_outcome::CheckOutcome;
pub use conditions::{CachePolicy, ServerPlace};
pub use control::{Broken, Control};
pub use estimate::{Estimate, EstimateError, Interval};
pub use evidence::{Evidence, Observation, Observed, Probe};
pub use failure_mode::FailureMode;
pub use gate::{GateMode, GateReference, GateRules, GateScope, Sentinel};
pub use harness::{Executable, HarnessKind, HarnessSpec};
pub use ids::{CaseId, CellId, IdError, RolloutKey, RunId, TaskId, is_id};
pub use limits::{LimitKind, Limits};
pub use look_plan::{LookPlan, LookPlanError, TaskLooks};
pub use model::{Model, ModelLimits, ProviderKind};
pub use moment::Moment;
pub use money::Usd;
pub use on_blocked::OnBlocked;
pub use outcome::{InfrastructureEvidence, Outcome, SkipReason};
pub use ports::{
    Budget, BudgetError, Clock, LocalFuture, Reservation, Sink, SinkError, ToolDef, ToolFailure,
    ToolReply, Toolbox,
};
pub use price::{Price, PricePerMtok};
pub use program::{Exec, ExecError, Program, ProgramEnd, ProgramEnded, Running, ServerLaunch};
pub use recording::{
    BodyEnd, RecordedAnswer, RecordedExchange, Recording, RecordingError, Recordings,
};
pub use reference::Reference;
pub use relay::{Exchange, ExchangeEnd, FirstRequest, Leash, Relay, RelayStop};
pub use result_row::ResultRow;
pub use rollout::{Cost, CostSource, ForbiddenCalls, Rollout, Schedule, Stage, StageTime};
pub use rounding::in_steps;
pub use run_event::{Machine, RunEvent};
pub use score::Score;
pub use script::{Script, ScriptStep};
pub use trajectory::{
    Arguments, CallOutcome, CutShort, Ending, Step, StepKind, ToolCall, Trajectory, Violation,
};
pub use unmet::{Unmet, UnmetTasks, unmet_lines};
pub use usage::Usage;
