//! The results of a rollout apart from what led to them: small, so that a whole run's fit together.

use super::{
    Arguments, Cost, CutShort, FailureMode, ForbiddenCalls, Outcome, Rollout, RolloutKey, Score,
    Step, Usage,
};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// What figures are made of: a record without what was said, called and observed.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultRow {
    /// Cell, task and repeat.
    pub key: RolloutKey,
    /// How it ended.
    pub outcome: Outcome,
    /// The score's parts; `None` where nothing was measured.
    pub score: Option<Score>,
    /// The failure's kind; `None` for an accepted or unmeasured rollout.
    pub failure_mode: Option<FailureMode>,
    /// Tokens; `None` when unknown.
    pub usage: Option<Usage>,
    /// Money.
    pub cost: Cost,
    /// Forbidden calls: proposed, blocked, executed; `None` when nobody counted them.
    pub forbidden: Option<ForbiddenCalls>,
    /// When it began, RFC 3339 UTC with milliseconds; `None` when unknown.
    pub started_at: Option<Box<str>>,
    /// Milliseconds of the task's own time; `None` when unknown.
    pub worked_ms: Option<u64>,
    /// The limit that those had, in milliseconds; a longer rollout would have been stopped there.
    /// `None` when unknown.
    pub timeout_ms: Option<u64>,
    /// Tool calls that the model asked for; `None` when unknown.
    pub tool_calls: Option<u32>,
    /// The models that answered, as the provider named them, each once, sorted.
    pub answered_models: Box<[Box<str>]>,
    /// Whether a reply was refused: the provider, or the model, would not go on.
    pub refused: bool,
    /// Equal for two rollouts of one process in which the model wrote the same texts and calls,
    /// and next to never for others. No value to keep: another build may compute another.
    pub spoken: u64,
}

impl ResultRow {
    /// Whether it never ran, or the sweep's money ended under it.
    #[must_use]
    pub fn is_skipped(&self) -> bool {
        matches!(self.outcome, Outcome::Skipped { .. })
    }

    /// The results of a record.
    #[must_use]
    pub fn of(rollout: &Rollout) -> Self {
        let steps = &rollout.trajectory.steps;
        let mut answered: Vec<&str> = steps
            .iter()
            .filter_map(|step| step.answered_model.as_deref())
            .collect();
        answered.sort_unstable();
        answered.dedup();
        Self {
            key: rollout.key.clone(),
            outcome: rollout.outcome.clone(),
            score: rollout.score,
            failure_mode: rollout.failure_mode,
            usage: rollout.usage,
            cost: rollout.cost,
            forbidden: Some(rollout.forbidden),
            started_at: Some(rollout.started_at.as_str().into()),
            worked_ms: Some(rollout.worked_ms),
            timeout_ms: Some((rollout.limits.timeout_s * 1000.0).round() as u64),
            tool_calls: Some(rollout.trajectory.calls().count() as u32),
            answered_models: answered.into_iter().map(Box::from).collect(),
            refused: steps.iter().any(is_refused),
            spoken: spoken(steps),
        }
    }
}

fn is_refused(step: &Step) -> bool {
    matches!(step.cut_short, Some(CutShort::Refused { .. }))
}

/// All that a model wrote in one rollout: texts and calls, without times and ids.
fn spoken(steps: &[Step]) -> u64 {
    let mut hasher = DefaultHasher::new();
    steps.len().hash(&mut hasher);
    for step in steps {
        step.text.hash(&mut hasher);
        step.calls.len().hash(&mut hasher);
        for call in &step.calls {
            call.tool.hash(&mut hasher);
            match &call.arguments {
                Arguments::Json(value) => (true, value).hash(&mut hasher),
                Arguments::Malformed(text) => (false, text).hash(&mut hasher),
            }
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{CallOutcome, StepKind, ToolCall};
    use serde_json::{Value, json};

    fn step(text: &str, arguments: Value, took_ms: u64) -> Step {
        let call = ToolCall {
            id: format!("call-{took_ms}"),
            server: "tickets".to_owned(),
            tool: "close".to_owned(),
            arguments: Arguments::Json(arguments),
            outcome: CallOutcome::NotRun,
            at_ms: took_ms,
            took_ms,
        };
        Step {
            index: 1,
            kind: StepKind::Work,
            text: text.to_owned(),
            calls: vec![call],
            usage: None,
            cost: None,
            answered_model: None,
            cut_short: None,
            retries: 0,
            at_ms: took_ms,
            took_ms,
        }
    }

    #[test]
    fn times_and_ids_are_not_spoken_and_every_word_is() {
        let of = |text, arguments, ms| spoken(&[step(text, arguments, ms)]);
        let one = of("I close it.", json!({"id": 7, "x": 1}), 3);
        assert_eq!(one, of("I close it.", json!({"x": 1, "id": 7}), 9));
        assert_ne!(one, of("I close it!", json!({"id": 7, "x": 1}), 3));
        assert_ne!(one, of("I close it.", json!({"id": 8, "x": 1}), 3));
        assert_ne!(one, spoken(&[]));
        // The border between two steps counts.
        let two = |a: &str, b: &str| spoken(&[step(a, json!(1), 1), step(b, json!(1), 1)]);
        assert_ne!(two("ab", "c"), two("a", "bc"));
    }
}
