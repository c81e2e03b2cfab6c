//! One trial to one rollout.

use super::super::error::ImportError;
use super::super::found::{Found, Given, Member, Place, money};
use super::super::time;
use super::result::{AgentResult, Trial};
use crate::domain::{
    CellId, InfrastructureEvidence, LimitKind, Outcome, ResultRow, RolloutKey, Score, TaskId, Usage,
};

/// What the trials of a job have in common.
pub(super) struct Reader<'r> {
    pub(super) given: &'r Given,
    /// The reward whose word counts; `None` where no trial has one.
    pub(super) reward: Option<String>,
}

impl Reader<'_> {
    /// The rollout, as the first repeat.
    pub(super) fn found(&self, member: &Member, trial: &Trial) -> Result<Found, ImportError> {
        let wrong = |what: String, help: &'static str| ImportError::Wrong {
            what,
            place: member.path.clone(),
            help,
        };
        let cell = match &self.given.cell {
            Some(cell) => cell.clone(),
            None => CellId::imported(&trial.cell())
                .map_err(|error| wrong(error.to_string(), "give it as NAME=FOLDER"))?,
        };
        let task = TaskId::imported(&trial.task_name).map_err(|error| {
            let help = "give the task a short name without control characters";
            wrong(error.to_string(), help)
        })?;
        let (outcome, score) = self.outcome(trial).map_err(|reward| {
            let what = format!("the reward is {reward}, which neither passed nor failed");
            wrong(
                what,
                "have the verifier write 1 or 0, or name another reward with --scorer",
            )
        })?;
        let used = trial.used();
        let dollars = dollars(&used);
        let started = trial.started_at.as_deref().and_then(time::utc);
        let work = trial.agent_execution.as_ref();
        let worked_ms = work.and_then(|work| {
            time::millis_between(work.started_at.as_deref()?, work.finished_at.as_deref()?)
        });
        let key = RolloutKey {
            cell,
            task,
            repeat: 1,
        };
        let place = Place {
            path: member.path.clone(),
            at: "1".to_owned(),
        };
        let found = Found::ended(key, outcome, place);
        Ok(Found {
            row: ResultRow {
                score,
                usage: tokens(&used),
                cost: money(dollars),
                started_at: started.map(String::into_boxed_str),
                worked_ms,
                ..found.row
            },
            dollars,
            ..found
        })
    }

    /// How it ended, with its score; an error is the reward that is neither yes nor no.
    fn outcome(&self, trial: &Trial) -> Result<(Outcome, Option<Score>), f64> {
        let kind = trial.exception().map(|one| one.exception_type.as_str());
        let name = self.reward.as_deref().unwrap_or_default();
        let reward = trial.rewards().get(name).filter(|_| trial.is_valid());
        let Some(&reward) = reward else {
            let message = kind.unwrap_or("Harbor has no reward").to_owned();
            let evidence = InfrastructureEvidence::Reported;
            return Ok((Outcome::InfrastructureFailure { evidence, message }, None));
        };
        let outcome = match reward {
            1.0 => Outcome::Accepted,
            0.0 => failure(kind),
            _ => return Err(reward),
        };
        let score = Score {
            security: 1.0,
            completion: reward,
            process: 1.0,
        };
        Ok((outcome, Some(score)))
    }
}

/// A failure by the exception that ended it, where one did.
fn failure(kind: Option<&str>) -> Outcome {
    let limit = match kind {
        Some("AgentTimeoutError") => LimitKind::Seconds,
        Some(
            "ContextWindowExceededError"
            | "ContextLengthExceededError"
            | "OutputTokenExceededError"
            | "OutputLengthExceededError",
        ) => LimitKind::Tokens,
        Some("NonZeroAgentExitCodeError") => {
            return Outcome::AgentCrash {
                message: "the agent ended with an exit code other than 0".to_owned(),
            };
        }
        _ => return Outcome::TaskFailure,
    };
    Outcome::LimitReached { limit }
}

/// The tokens of all steps; `None` unless each is known.
fn tokens(used: &[Option<&AgentResult>]) -> Option<Usage> {
    let total = Usage::total(used.iter().map(|one| one.and_then(usage)));
    total.filter(|_| !used.is_empty())
}

/// Tokens, where input, its part from the cache and output are told: with one of them unknown, how
/// the input divides is.
fn usage(used: &AgentResult) -> Option<Usage> {
    let cached = used.n_cache_tokens?;
    Some(Usage {
        input_uncached: used.n_input_tokens?.checked_sub(cached)?,
        cache_read: cached,
        output: used.n_output_tokens?,
        ..Usage::default()
    })
}

/// The dollars of all steps; `None` unless each is known. Agents write 0 for a price that they
/// don't know.
fn dollars(used: &[Option<&AgentResult>]) -> Option<f64> {
    let costs = used.iter().map(|one| one.and_then(|one| one.cost_usd));
    let total = costs.sum::<Option<f64>>()?;
    (total.is_finite() && total > 0.0).then_some(total)
}
