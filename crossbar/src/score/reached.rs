//! Checks that a rollout did not come to. A task in code may return early; what its solution
//! asserted and this rollout did not is a check that failed, so leaving early gains nothing.

use super::parts::completion;
use super::taxonomy::{ToolsOffered, failure_mode};
use crate::domain::{CheckOutcome, Outcome, Rollout};

/// What stands in the place of an explanation.
const NOT_REACHED: &str = "not reached: the task's solution comes to this check";

/// Adds to a measured rollout, as failed, every check of `asserted` (those of the task's solution)
/// that it lacks, by name and as often as it stands there, and judges it again: its completion
/// counts them, and it can't be accepted without the required ones. One that was not measured
/// stays as it is. Doing it twice changes nothing.
pub fn hold_to_all_checks(rollout: &mut Rollout, asserted: &[CheckOutcome], tools: ToolsOffered) {
    let Some(score) = rollout.score.as_mut() else {
        return;
    };
    let missing = missing(&rollout.checks, asserted);
    if missing.is_empty() {
        return;
    }
    let required = missing.iter().any(|check| check.required);
    rollout.checks.extend(missing);
    score.completion = completion(&rollout.checks);
    if required && rollout.outcome.is_accepted() {
        rollout.outcome = Outcome::TaskFailure;
        rollout.failure_mode = failure_mode(
            &rollout.trajectory,
            &rollout.checks,
            &rollout.outcome,
            tools,
        );
    }
}

fn missing(seen: &[CheckOutcome], asserted: &[CheckOutcome]) -> Vec<CheckOutcome> {
    let mut seen: Vec<&str> = seen.iter().map(|check| check.name.as_str()).collect();
    let mut missing = Vec::new();
    for check in asserted {
        match seen.iter().position(|name| *name == check.name) {
            Some(at) => drop(seen.swap_remove(at)),
            None => missing.push(CheckOutcome {
                passed: false,
                message: Some(NOT_REACHED.to_owned()),
                ..check.clone()
            }),
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::check;
    use super::*;

    #[test]
    fn a_check_is_missing_as_often_as_the_solution_has_it_more() {
        let asserted = [check("a", true), check("a", true), check("b", true)];
        let names = |seen: &[CheckOutcome]| -> Vec<String> {
            let missing = missing(seen, &asserted);
            assert!(missing.iter().all(|one| !one.passed && one.required));
            missing.into_iter().map(|one| one.name).collect()
        };
        assert_eq!(names(&[]), ["a", "a", "b"]);
        assert_eq!(names(&[check("a", false)]), ["a", "b"]);
        assert_eq!(names(&[check("c", true), check("b", true)]), ["a", "a"]);
        assert!(names(&asserted).is_empty());
    }
}
