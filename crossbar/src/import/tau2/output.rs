//! The parts of a file of results that are read; whatever else is in it is passed over.

use serde::Deserialize;
use serde_json::Value;
use std::num::NonZeroU32;

#[derive(Deserialize)]
pub(super) struct Output {
    pub(super) info: Info,
    #[serde(default)]
    pub(super) tasks: Vec<Task>,
    #[serde(default)]
    simulations: Vec<Simulation>,
    /// Where each simulation has a file of its own, this says how they ended.
    #[serde(default)]
    simulation_index: Option<Vec<Simulation>>,
}

impl Output {
    pub(super) fn all(&self) -> &[Simulation] {
        let index = self.simulation_index.as_deref().unwrap_or_default();
        if self.simulations.is_empty() {
            index
        } else {
            &self.simulations
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Info {
    /// How often each task was to run. Without it nobody could tell a run that broke off from a
    /// whole one, so a file must have it.
    pub(super) num_trials: NonZeroU32,
    pub(super) agent_info: AgentInfo,
    pub(super) environment_info: EnvironmentInfo,
}

#[derive(Deserialize)]
pub(super) struct AgentInfo {
    #[serde(default)]
    pub(super) llm: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct EnvironmentInfo {
    pub(super) domain_name: String,
}

#[derive(Deserialize)]
pub(super) struct Task {
    pub(super) id: Value,
}

/// A simulation, or its entry in the index.
#[derive(Deserialize)]
pub(super) struct Simulation {
    pub(super) task_id: Value,
    /// From 0.
    #[serde(default)]
    pub(super) trial: Option<u32>,
    #[serde(default)]
    pub(super) start_time: Option<String>,
    /// In seconds.
    #[serde(default)]
    pub(super) duration: Option<f64>,
    #[serde(default)]
    pub(super) termination_reason: Option<String>,
    /// In dollars, without the simulated user's.
    #[serde(default)]
    pub(super) agent_cost: Option<f64>,
    #[serde(default)]
    reward_info: Option<RewardInfo>,
    /// In the index.
    #[serde(default)]
    reward: Option<f64>,
}

impl Simulation {
    pub(super) fn reward(&self) -> Option<f64> {
        let told = self.reward_info.as_ref().map(|info| info.reward);
        told.or(self.reward)
    }

    pub(super) fn ended_by(&self, reason: &str) -> bool {
        self.termination_reason.as_deref() == Some(reason)
    }
}

#[derive(Deserialize)]
struct RewardInfo {
    reward: f64,
}
