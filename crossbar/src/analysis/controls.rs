//! What the controls of a run show: whether each task proves itself.

use crate::domain::{CellId, CheckOutcome, Control, Outcome, Rollout, RolloutKey, TaskId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Scores are products and quotients of weights: what is nearer than this to a bound is at it.
const NEAR: f64 = 1e-9;

/// One control of one task, and what it showed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ControlLine {
    /// The task.
    pub task: TaskId,
    /// The control, as it stands in a cell's place: `control+noop`.
    pub control: CellId,
    /// What it showed.
    pub finding: ControlFinding,
}

/// What a control showed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ControlFinding {
    /// It ended as it must.
    Holds {
        /// Its score, 0..=1.
        score: f64,
    },
    /// It did not.
    Fails {
        /// Its score, 0..=1.
        score: f64,
        /// The outcome's word.
        outcome: String,
        /// The checks that are to blame: those that hold where nothing or the wrong thing was
        /// done, or those that do not hold for the solution.
        checks: Vec<CheckOutcome>,
    },
    /// It could not be measured, which proves nothing.
    Unmeasured {
        /// Why.
        why: String,
    },
    /// There is no record of it.
    NotRun,
}

impl ControlFinding {
    /// Whether it ended as it must.
    #[must_use]
    pub fn holds(&self) -> bool {
        matches!(self, Self::Holds { .. })
    }

    /// Whether it was run and measured.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        matches!(self, Self::Holds { .. } | Self::Fails { .. })
    }
}

/// The planned controls with what the records say of each, in the order of `planned`.
#[must_use]
pub fn control_lines(planned: &[RolloutKey], rollouts: &[Rollout]) -> Vec<ControlLine> {
    let records: BTreeMap<_, _> = rollouts.iter().map(|one| (&one.key, one)).collect();
    let line = |key: &RolloutKey| ControlLine {
        task: key.task.clone(),
        control: key.cell.clone(),
        finding: records
            .get(key)
            .map_or(ControlFinding::NotRun, |record| finding(record)),
    };
    planned.iter().map(line).collect()
}

/// What the record of one control says; a record of a cell is no control's, and says that it could
/// not be measured.
#[must_use]
pub fn control_line(rollout: &Rollout) -> ControlLine {
    ControlLine {
        task: rollout.key.task.clone(),
        control: rollout.key.cell.clone(),
        finding: finding(rollout),
    }
}

fn finding(rollout: &Rollout) -> ControlFinding {
    let unmeasured = |why: &str| ControlFinding::Unmeasured {
        why: why.to_owned(),
    };
    let score = match (&rollout.outcome, rollout.score) {
        (Outcome::InfrastructureFailure { message, .. }, _)
        | (Outcome::InvalidFixture { message }, _) => return unmeasured(message),
        (_, None) => return unmeasured("it has no score"),
        (_, Some(score)) => score.total(),
    };
    let Some(control) = Control::of(&rollout.key.cell) else {
        return unmeasured("it is no control");
    };
    let accepted = rollout.outcome.is_accepted();
    let demands = |check: &&CheckOutcome| check.required && !check.guard;
    let unearned = || rollout.checks.iter().filter(demands).any(|c| c.passed);
    let holds = match control {
        // Even where a guard zeroes the score, what holds untouched would be given to everybody.
        Control::Noop => !accepted && score < NEAR && !unearned(),
        Control::Solution => accepted && score > 1.0 - NEAR,
        Control::Broken { .. } => !accepted && score < 1.0 - NEAR,
    };
    if holds {
        return ControlFinding::Holds { score };
    }
    let blamed = |check: &&CheckOutcome| match control {
        Control::Solution => !check.passed,
        Control::Noop | Control::Broken { .. } => check.passed && !check.guard,
    };
    ControlFinding::Fails {
        score,
        outcome: rollout.outcome.word().to_owned(),
        checks: rollout.checks.iter().filter(blamed).cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture::Sweep;
    use crate::domain::{InfrastructureEvidence, Score};

    /// A record of a control, with the checks `(passed, guard)` and a completion.
    fn record(
        control: &str,
        outcome: Outcome,
        completion: f64,
        checks: &[(bool, bool)],
    ) -> Rollout {
        let mut rollout = Sweep::new(1, 1).cell("m+h", 0, &[1]).rollouts.remove(0);
        rollout.key.cell = CellId::parse(control).unwrap();
        rollout.score = outcome.is_measured().then_some(Score {
            security: 1.0,
            completion,
            process: 1.0,
        });
        rollout.outcome = outcome;
        let check = |(at, (passed, guard)): (usize, &(bool, bool))| CheckOutcome {
            name: format!("check {at}"),
            kind: "mcp_state".to_owned(),
            passed: *passed,
            message: None,
            guard: *guard,
            weight: 1.0,
            required: true,
            about_state: true,
        };
        rollout.checks = checks.iter().enumerate().map(check).collect();
        rollout
    }

    fn blamed(rollout: &Rollout) -> Vec<String> {
        match control_line(rollout).finding {
            ControlFinding::Fails { checks, .. } => checks.into_iter().map(|c| c.name).collect(),
            other => panic!("{other:?}"),
        }
    }

    const FAILED: Outcome = Outcome::TaskFailure;

    #[test]
    fn doing_nothing_must_earn_nothing() {
        let sound = record("control+noop", FAILED, 0.0, &[(false, false), (true, true)]);
        assert!(control_line(&sound).finding.holds());
        let half = record(
            "control+noop",
            FAILED,
            0.5,
            &[(false, false), (true, false)],
        );
        assert_eq!(blamed(&half), ["check 1"]);
        let all = record("control+noop", Outcome::Accepted, 1.0, &[(true, false)]);
        assert_eq!(blamed(&all), ["check 0"]);
    }

    #[test]
    fn a_guard_does_not_hide_a_check_that_holds_untouched() {
        let hidden = record("control+noop", FAILED, 0.0, &[(true, false), (false, true)]);
        assert_eq!(blamed(&hidden), ["check 0"]);
    }

    #[test]
    fn the_solution_must_be_accepted_with_everything() {
        let all = record("control+solution", Outcome::Accepted, 1.0, &[(true, false)]);
        assert!(control_line(&all).finding.holds());
        let part = record(
            "control+solution",
            Outcome::Accepted,
            0.9,
            &[(false, false)],
        );
        assert_eq!(blamed(&part), ["check 0"]);
        let refused = record("control+solution", FAILED, 1.0, &[(true, false)]);
        assert!(blamed(&refused).is_empty());
    }

    #[test]
    fn a_mistake_must_be_neither_accepted_nor_whole() {
        let name = "control+broken.late";
        assert!(
            control_line(&record(name, FAILED, 0.9, &[(false, false)]))
                .finding
                .holds()
        );
        let accepted = record(name, Outcome::Accepted, 0.9, &[(true, false)]);
        assert_eq!(blamed(&accepted), ["check 0"]);
        let whole = record(name, FAILED, 1.0, &[(true, false), (true, true)]);
        assert_eq!(blamed(&whole), ["check 0"]);
    }

    #[test]
    fn what_could_not_be_measured_proves_nothing() {
        let lost = Outcome::InfrastructureFailure {
            evidence: InfrastructureEvidence::ServerStart,
            message: "no server".to_owned(),
        };
        let lost = record("control+noop", lost, 0.0, &[]);
        let why = "no server".to_owned();
        assert_eq!(
            control_line(&lost).finding,
            ControlFinding::Unmeasured { why }
        );
        let planned = [lost.key.clone()];
        let lines = control_lines(&planned, &[]);
        assert_eq!(lines[0].finding, ControlFinding::NotRun);
        assert!(!lines[0].finding.is_measured());
    }
}
