//! The parts of a trial's result that are read; whatever else is in it is passed over.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Exceptions after which the reward still says something about the agent, for files of versions
/// that don't say so themselves: the agent did its part, or ended by its own doing.
const OF_THE_AGENT: [&str; 8] = [
    "AgentTimeoutError",
    "NonZeroAgentExitCodeError",
    "ContextWindowExceededError",
    "ContextLengthExceededError",
    "OutputTokenExceededError",
    "OutputLengthExceededError",
    "AgentSafetyRefusalError",
    "ContentPolicyViolationError",
];

/// No reward.
static NONE: BTreeMap<String, f64> = BTreeMap::new();

/// A job's own result.
#[derive(Deserialize)]
pub(super) struct Job {
    pub(super) n_total_trials: usize,
}

#[derive(Deserialize)]
pub(super) struct Trial {
    pub(super) id: String,
    pub(super) task_name: String,
    pub(super) trial_name: String,
    #[serde(default)]
    pub(super) task_checksum: String,
    #[serde(default)]
    config: Value,
    agent_info: AgentInfo,
    #[serde(default)]
    agent_result: Option<AgentResult>,
    #[serde(default)]
    verifier_result: Option<VerifierResult>,
    #[serde(default)]
    exception_info: Option<Exception>,
    #[serde(default)]
    pub(super) started_at: Option<String>,
    #[serde(default)]
    pub(super) agent_execution: Option<Timing>,
    #[serde(default)]
    step_results: Option<Vec<Step>>,
    #[serde(default)]
    reward_valid: Option<bool>,
}

impl Trial {
    /// The order of attempts.
    pub(super) fn order(&self) -> (Option<&str>, &str) {
        (self.started_at.as_deref(), &self.trial_name)
    }

    /// `model+agent`, with the model's provider where one is named; an agent without a model is
    /// called by its own name.
    pub(super) fn cell(&self) -> String {
        let agent = &self.agent_info.name;
        let Some(model) = &self.agent_info.model_info else {
            return agent.clone();
        };
        match &model.provider {
            Some(provider) => format!("{provider}/{}+{agent}", model.name),
            None => format!("{}+{agent}", model.name),
        }
    }

    /// How the agent was set up, and its version.
    pub(super) fn agent(&self) -> (&Value, &str) {
        let agent = self.config.get("agent").unwrap_or(&Value::Null);
        (agent, &self.agent_info.version)
    }

    pub(super) fn rewards(&self) -> &BTreeMap<String, f64> {
        let verified = self.verifier_result.as_ref();
        verified
            .and_then(|result| result.rewards.as_ref())
            .unwrap_or(&NONE)
    }

    /// The first exception, of the trial or of one of its steps.
    pub(super) fn exception(&self) -> Option<&Exception> {
        let steps = self.step_results.iter().flatten();
        let of_steps = steps.filter_map(|step| step.exception_info.as_ref());
        self.exception_info.iter().chain(of_steps).next()
    }

    /// Whether its reward says something about the agent.
    pub(super) fn is_valid(&self) -> bool {
        let told = self.reward_valid.unwrap_or_else(|| {
            self.exception()
                .is_none_or(|one| OF_THE_AGENT.contains(&one.exception_type.as_str()))
        });
        told && !self.rewards().is_empty()
    }

    /// What the agent used, in one piece or step by step, a step that doesn't say it as `None`;
    /// empty where nothing is told.
    pub(super) fn used(&self) -> Vec<Option<&AgentResult>> {
        if let Some(one) = &self.agent_result {
            return vec![Some(one)];
        }
        let steps = self.step_results.iter().flatten();
        steps.map(|step| step.agent_result.as_ref()).collect()
    }
}

#[derive(Deserialize)]
struct AgentInfo {
    name: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    model_info: Option<ModelInfo>,
}

#[derive(Deserialize)]
struct ModelInfo {
    name: String,
    #[serde(default)]
    provider: Option<String>,
}

/// Tokens and dollars; input tokens are with those of the cache.
#[derive(Deserialize)]
pub(super) struct AgentResult {
    #[serde(default)]
    pub(super) n_input_tokens: Option<u64>,
    #[serde(default)]
    pub(super) n_cache_tokens: Option<u64>,
    #[serde(default)]
    pub(super) n_output_tokens: Option<u64>,
    #[serde(default)]
    pub(super) cost_usd: Option<f64>,
}

#[derive(Deserialize)]
struct VerifierResult {
    #[serde(default)]
    rewards: Option<BTreeMap<String, f64>>,
}

#[derive(Deserialize)]
pub(super) struct Exception {
    pub(super) exception_type: String,
}

#[derive(Deserialize)]
pub(super) struct Timing {
    #[serde(default)]
    pub(super) started_at: Option<String>,
    #[serde(default)]
    pub(super) finished_at: Option<String>,
}

#[derive(Deserialize)]
struct Step {
    #[serde(default)]
    agent_result: Option<AgentResult>,
    #[serde(default)]
    exception_info: Option<Exception>,
}
