//! Results of tau2-bench (results.json of `tau2 run`), in one piece or as the index of a folder.
//! Written against what version 1.0.1 writes.
//!
//! A file is one cell, the agent's model. A task is a task of the domain, a trial is a repeat. What
//! passed is what tau2 itself calls a success.

mod output;

use super::error::ImportError;
use super::found::{Found, Given, Numbering, Place, Read, money};
use super::{json, time};
use crate::domain::{
    CellId, InfrastructureEvidence, LimitKind, Outcome, ResultRow, RolloutKey, Score, TaskId,
};
use output::{Output, Simulation};
use serde_json::Value;

/// How far from 1 a reward may be and still be a success.
const SLACK: f64 = 1e-6;

/// Whether it is a file of results.
pub(super) fn is_one(given: &Given) -> bool {
    ["simulations", "simulation_index"]
        .iter()
        .any(|list| json::has_keys(&given.bytes, &["info", "tasks", list]))
}

/// Reads a file of results.
///
/// # Errors
/// `ImportError` when it is none, when it names no model, or a simulation has no trial.
pub(super) fn read(given: &Given) -> Result<Read, ImportError> {
    let output: Output = json::parse(&given.path, "tau2", &given.bytes)?;
    let reader = Reader {
        given,
        output: &output,
        cell: cell(given, &output)?,
    };
    let simulations = output.all();
    let found = simulations.iter().map(|one| reader.found(one));
    Ok(Read {
        path: given.path.clone(),
        format: "tau2",
        numbering: Numbering::Written,
        found: found.collect::<Result<Vec<_>, _>>()?,
        expected: reader.expected()?,
        notes: reader.notes(simulations),
    })
}

/// The agent's model; agents that talk have none that is called so.
fn cell(given: &Given, output: &Output) -> Result<CellId, ImportError> {
    if let Some(cell) = &given.cell {
        return Ok(cell.clone());
    }
    let wrong = |what: String| ImportError::Wrong {
        what,
        place: given.path.clone(),
        help: "give it as NAME=FILE",
    };
    let Some(model) = &output.info.agent_info.llm else {
        return Err(wrong("the file names no model of the agent".to_owned()));
    };
    CellId::imported(model).map_err(|error| wrong(error.to_string()))
}

/// What the simulations of a file have in common.
struct Reader<'r> {
    given: &'r Given,
    output: &'r Output,
    cell: CellId,
}

impl Reader<'_> {
    fn found(&self, simulation: &Simulation) -> Result<Found, ImportError> {
        let place = self.place(simulation);
        let trial = simulation.trial.and_then(|trial| trial.checked_add(1));
        let repeat = trial.ok_or_else(|| ImportError::Wrong {
            what: "a simulation has no trial".to_owned(),
            place: place.to_string(),
            help: "give the file that `tau2 run` wrote",
        })?;
        // For a price that it doesn't know it writes 0.
        let dollars = simulation.agent_cost.filter(|cost| *cost > 0.0);
        let started = simulation.start_time.as_deref().and_then(time::utc);
        let seconds = simulation.duration.filter(|seconds| *seconds >= 0.0);
        let outcome = outcome(simulation);
        let key = RolloutKey {
            cell: self.cell.clone(),
            task: self.task(&simulation.task_id)?,
            repeat,
        };
        let score = score(simulation).filter(|_| outcome.is_measured());
        let found = Found::ended(key, outcome, place);
        Ok(Found {
            row: ResultRow {
                score,
                cost: money(dollars),
                started_at: started.map(String::into_boxed_str),
                worked_ms: seconds.map(|seconds| (seconds * 1e3).round() as u64),
                ..found.row
            },
            dollars,
            ..found
        })
    }

    fn name(&self, id: &Value) -> String {
        let domain = &self.output.info.environment_info.domain_name;
        match id {
            Value::String(id) => format!("{domain}/{id}"),
            other => format!("{domain}/{other}"),
        }
    }

    fn task(&self, id: &Value) -> Result<TaskId, ImportError> {
        TaskId::imported(&self.name(id)).map_err(|error| ImportError::Wrong {
            what: error.to_string(),
            place: self.given.path.clone(),
            help: "give the tasks short ids without control characters",
        })
    }

    fn place(&self, simulation: &Simulation) -> Place {
        let trial = simulation.trial.map_or_else(
            || "without a trial".to_owned(),
            |trial| format!("trial {trial}"),
        );
        Place {
            path: self.given.path.clone(),
            at: format!(" simulation of {}, {trial}", self.name(&simulation.task_id)),
        }
    }

    /// Every task in every trial: a run that ended early has not all of them.
    fn expected(&self) -> Result<Vec<RolloutKey>, ImportError> {
        let trials = self.output.info.num_trials.get();
        let mut keys = Vec::new();
        for task in &self.output.tasks {
            let task = self.task(&task.id)?;
            keys.extend((1..=trials).map(|repeat| RolloutKey {
                cell: self.cell.clone(),
                task: task.clone(),
                repeat,
            }));
        }
        Ok(keys)
    }

    fn notes(&self, simulations: &[Simulation]) -> Vec<String> {
        let by_user = simulations.iter().filter(|one| one.ended_by("user_error"));
        match by_user.count() {
            0 => Vec::new(),
            count => vec![format!(
                "{}: simulations that ended by an error of the simulated user: {count}; tau2 counts \
                 them as failures of the agent, so they are counted so here",
                self.given.path
            )],
        }
    }
}

/// How it ended. Only what tau2 leaves out of its own rates measured nothing.
fn outcome(simulation: &Simulation) -> Outcome {
    let unknown = |message: &str| Outcome::InfrastructureFailure {
        evidence: InfrastructureEvidence::Reported,
        message: message.to_owned(),
    };
    let reason = simulation.termination_reason.as_deref().unwrap_or_default();
    let Some(reward) = simulation.reward() else {
        return unknown("tau2 has no reward");
    };
    match reason {
        "infrastructure_error" => unknown("tau2 has an error instead of a result"),
        _ if (reward - 1.0).abs() <= SLACK => Outcome::Accepted,
        "max_steps" => Outcome::LimitReached {
            limit: LimitKind::Steps,
        },
        "timeout" => Outcome::LimitReached {
            limit: LimitKind::Seconds,
        },
        "context_window_exceeded" => Outcome::LimitReached {
            limit: LimitKind::Tokens,
        },
        "agent_error" => Outcome::AgentCrash {
            message: "tau2 has an error of the agent".to_owned(),
        },
        _ => Outcome::TaskFailure,
    }
}

fn score(simulation: &Simulation) -> Option<Score> {
    let reward = simulation.reward()?;
    (0.0..=1.0).contains(&reward).then_some(Score {
        security: 1.0,
        completion: reward,
        process: 1.0,
    })
}

#[cfg(test)]
mod tests;
