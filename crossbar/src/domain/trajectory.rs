//! The recording of a rollout: steps, tool calls, results, tokens, times, endings.

use super::{AgentRun, LimitKind, Usage, Usd};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Everything an agent did in one rollout.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Trajectory {
    /// The model calls, in order.
    pub steps: Vec<Step>,
    /// The agent's last answer, as checks see it.
    pub final_text: Option<String>,
    /// How the loop ended; `None` while it has not.
    pub ending: Option<Ending>,
    /// Rules that were broken, in order.
    pub violations: Vec<Violation>,
    /// Lines on a server's standard output that were no messages, by server.
    pub server_noise: Vec<(String, u64)>,
    /// The program that drove the model, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Box<AgentRun>>,
}

/// How the loop ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// The agent gave an answer without a further tool call.
    Answered,
    /// A ceiling ended it.
    Limit {
        /// Which.
        limit: LimitKind,
    },
    /// A rule was broken that ends the run.
    Violation,
    /// The harness or the model's output broke in a way that is the agent's own fault.
    Crashed {
        /// What happened.
        message: String,
    },
}

/// One model call and what followed from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Counted from 1.
    pub index: u32,
    /// Whether this call was the loop's own or the forced self-check.
    pub kind: StepKind,
    /// The text that the model wrote, raw.
    pub text: String,
    /// The calls it asked for, in order.
    pub calls: Vec<ToolCall>,
    /// Its tokens; `None` when the provider did not say.
    pub usage: Option<Usage>,
    /// Its cost; `None` when tokens or price are unknown.
    pub cost: Option<Usd>,
    /// The model that answered, as the provider named it.
    pub answered_model: Option<String>,
    /// Why the reply ends where it does, where the model did not choose to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_short: Option<CutShort>,
    /// Requests beyond the first that this call needed.
    pub retries: u32,
    /// Milliseconds from the rollout's start to the request.
    pub at_ms: u64,
    /// Milliseconds until the reply was complete.
    pub took_ms: u64,
}

/// What ended a reply before the model had said all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CutShort {
    /// The ceiling on its output.
    OutputCeiling,
    /// The end of the model's context.
    ContextFull,
    /// The provider, or the model, would not go on.
    Refused {
        /// Why, in the provider's word for it.
        category: Option<String>,
    },
    /// The provider paused it, and goes on when the conversation is sent again.
    Paused,
}

/// Whose call a step was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// The loop's own.
    Work,
    /// The forced self-check turn.
    Verify,
    /// A request to correct the form of the last reply.
    Correction,
}

/// One tool call that the model asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The id that pairs the call with its result.
    pub id: String,
    /// The server's name; empty when the model named a tool that does not exist.
    pub server: String,
    /// The tool's own name.
    pub tool: String,
    /// What the model passed.
    pub arguments: Arguments,
    /// What became of it.
    pub outcome: CallOutcome,
    /// Milliseconds from the rollout's start to the call.
    pub at_ms: u64,
    /// Milliseconds until its result.
    pub took_ms: u64,
}

/// What a model passed to a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arguments {
    /// A JSON value.
    Json(Value),
    /// Something that is not JSON, kept as it was written.
    Malformed(String),
}

/// What became of a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallOutcome {
    /// The tool answered.
    Result {
        /// What the model was shown.
        text: String,
        /// The structured part of the answer, where there is one.
        structured: Option<Value>,
    },
    /// The tool answered that it failed, or the protocol did.
    Error {
        /// What the model was shown.
        text: String,
        /// True when the server's protocol, not the tool, reported it.
        protocol: bool,
    },
    /// The call was forbidden and never reached the tool.
    Blocked {
        /// The rule that it broke.
        rule: String,
    },
    /// The arguments were no JSON object, so it was not executed.
    Malformed {
        /// Why.
        why: String,
    },
    /// No such tool.
    Unknown,
    /// A limit ended the rollout before it ran.
    NotRun,
}

/// A rule that was broken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Violation {
    /// A forbidden tool was called.
    ForbiddenTool {
        /// `server.tool`.
        tool: String,
        /// Whether it was stopped before it ran.
        blocked: bool,
    },
    /// More tool calls than `max_tool_calls`.
    TooManyToolCalls {
        /// The number allowed.
        allowed: u32,
    },
}

impl ToolCall {
    /// `server.tool`, as tasks, checks and reports write it.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.server, self.tool)
    }

    /// Whether it reached the tool.
    #[must_use]
    pub fn executed(&self) -> bool {
        matches!(
            self.outcome,
            CallOutcome::Result { .. } | CallOutcome::Error { .. }
        )
    }
}

impl Trajectory {
    /// Every tool call, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.steps.iter().flat_map(|step| step.calls.iter())
    }

    /// The tokens of all steps; `None` as soon as one is unknown.
    #[must_use]
    pub fn usage(&self) -> Option<Usage> {
        Usage::total(self.steps.iter().map(|step| step.usage))
    }

    /// The cost of all steps; `None` as soon as one is unknown.
    #[must_use]
    pub fn cost(&self) -> Option<Usd> {
        self.steps.iter().map(|step| step.cost).sum()
    }
}
