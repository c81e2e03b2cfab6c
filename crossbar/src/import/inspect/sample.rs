//! One sample to one rollout.

use super::super::error::ImportError;
use super::super::found::{Found, Given, Place, money};
use super::super::time;
use super::log::{Log, ModelUsage, Sample};
use super::task_id;
use crate::domain::{
    CellId, InfrastructureEvidence, LimitKind, Outcome, ResultRow, RolloutKey, Score, TaskId, Usage,
};
use serde_json::Value;

/// What the samples of a log have in common.
pub(super) struct Reader<'r> {
    pub(super) given: &'r Given,
    pub(super) log: &'r Log,
    pub(super) cell: &'r CellId,
    /// The scorer whose word counts; `None` where nothing was scored.
    pub(super) scorer: Option<&'r str>,
}

impl Reader<'_> {
    pub(super) fn found(&self, sample: &Sample) -> Result<Found, ImportError> {
        let (outcome, score) = self.outcome(sample)?;
        let dollars = dollars(sample);
        let started = sample.started_at.as_deref().and_then(time::utc);
        let seconds = sample.working_time.filter(|time| *time >= 0.0);
        let key = RolloutKey {
            cell: self.cell.clone(),
            task: self.task(&sample.id)?,
            repeat: sample.epoch,
        };
        let family = sample.metadata.get("family").and_then(Value::as_str);
        let found = Found::ended(key, outcome, self.place(sample));
        Ok(Found {
            row: ResultRow {
                score,
                usage: tokens(sample),
                cost: money(dollars),
                started_at: started.map(String::into_boxed_str),
                worked_ms: seconds.map(|seconds| (seconds * 1e3).round() as u64),
                ..found.row
            },
            family: family.map(str::to_owned),
            dollars,
            ..found
        })
    }

    pub(super) fn task(&self, id: &Value) -> Result<TaskId, ImportError> {
        let name = task_id(&self.log.eval.task, id);
        TaskId::imported(&name).map_err(|error| ImportError::Wrong {
            what: error.to_string(),
            place: self.given.path.clone(),
            help: "give the samples short ids without control characters",
        })
    }

    fn place(&self, sample: &Sample) -> Place {
        let id = task_id(&self.log.eval.task, &sample.id);
        Place {
            path: self.given.path.clone(),
            at: format!(" sample {id}, epoch {}", sample.epoch),
        }
    }

    /// How it ended, and its score where that is a number. What has an error or no score says
    /// nothing about the model.
    fn outcome(&self, sample: &Sample) -> Result<(Outcome, Option<Score>), ImportError> {
        let unknown = |message: &str| Outcome::InfrastructureFailure {
            evidence: InfrastructureEvidence::Reported,
            message: message.to_owned(),
        };
        if !sample.error.is_null() {
            return Ok((unknown("Inspect has an error instead of a score"), None));
        }
        let scores = sample.scores.as_ref();
        let score = self.scorer.and_then(|scorer| scores?.get(scorer));
        let Some(score) = score.filter(|score| !score.value.is_null()) else {
            return Ok((unknown("Inspect has no score"), None));
        };
        let passed = passed(&score.value).ok_or_else(|| ImportError::Wrong {
            what: format!(
                "the score is {}, which neither passed nor failed",
                score.value
            ),
            place: self.place(sample).to_string(),
            help: "have the scorer answer correct or incorrect, or name another one with --scorer",
        })?;
        let graded = score.value.as_f64().map(|completion| Score {
            security: 1.0,
            completion,
            process: 1.0,
        });
        let outcome = match (passed, sample.limit().and_then(limit)) {
            (true, _) => Outcome::Accepted,
            (false, Some(limit)) => Outcome::LimitReached { limit },
            (false, None) => Outcome::TaskFailure,
        };
        Ok((outcome, graded))
    }
}

/// Yes or no; `None` for what is in between. N is a sample that was not answered.
fn passed(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(passed) => Some(*passed),
        Value::String(word) if word == "C" => Some(true),
        Value::String(word) if word == "I" || word == "N" => Some(false),
        Value::Number(number) => match number.as_f64()? {
            1.0 => Some(true),
            0.0 => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Those limits that we have a word for.
fn limit(word: &str) -> Option<LimitKind> {
    match word {
        "message" | "turn" => Some(LimitKind::Steps),
        "token" | "context" => Some(LimitKind::Tokens),
        "time" | "working" => Some(LimitKind::Seconds),
        _ => None,
    }
}

/// The tokens of all models, a grader's among them; `None` unless those of each are known.
fn tokens(sample: &Sample) -> Option<Usage> {
    let total = Usage::total(sample.model_usage.values().map(usage));
    total.filter(|_| !sample.model_usage.is_empty())
}

/// The tokens of a model. A count of the cache that isn't there is 0 only where the total leaves
/// nothing for it. For how long a cache write lasts the log doesn't say.
fn usage(used: &ModelUsage) -> Option<Usage> {
    let (input, output) = (used.input_tokens?, used.output_tokens?);
    let (read, written) = (used.input_tokens_cache_read, used.input_tokens_cache_write);
    let told = [Some(input), Some(output), read, written];
    let sum = told.into_iter().flatten().try_fold(0, u64::checked_add);
    let is_all = sum.is_some() && sum == used.total_tokens;
    let count = |told: Option<u64>| told.or(is_all.then_some(0));
    Some(Usage {
        input_uncached: input,
        cache_read: count(read)?,
        cache_write_5m: count(written)?,
        cache_write_1h: 0,
        output,
    })
}

/// The dollars of all models; `None` unless each is known.
fn dollars(sample: &Sample) -> Option<f64> {
    let costs = sample.model_usage.values().map(|usage| usage.total_cost);
    let total = costs.sum::<Option<f64>>()?;
    let is_sound = total.is_finite() && total >= 0.0 && !sample.model_usage.is_empty();
    is_sound.then_some(total)
}
