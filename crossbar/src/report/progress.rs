//! One line per finished rollout while a sweep runs.

use super::money;
use super::visible::{fit, one_line};
use crate::domain::{BudgetStatus, Outcome, Rollout};

/// `  17/54 mock-weak+react desk::close r2 task_failure`: how many are done, of how many, which
/// one, how it ended. At most 100 columns, no line break.
#[must_use]
pub fn progress_line(done: u32, total: u32, rollout: &Rollout) -> String {
    let digits = total.to_string().len();
    let counter = format!("  {done:>digits$}/{total}");
    let ending = format!("r{} {}", rollout.key.repeat, ending(&rollout.outcome));
    let room = 97_usize.saturating_sub(counter.len() + ending.len());
    let cell = fit(&rollout.key.cell.to_string(), room / 2);
    let task = fit(
        &rollout.key.task.to_string(),
        room.saturating_sub(cell.chars().count()),
    );
    format!("{counter} {cell} {task} {ending}")
}

/// Said below the line of a rollout that could not be measured: why. One line, however long.
#[must_use]
pub fn reason_line(message: &str) -> String {
    format!("        why: {}", one_line(message))
}

/// Said once a sweep, when its budget refuses a call: how much is used, and what follows.
#[must_use]
pub fn budget_line(status: &BudgetStatus) -> String {
    let used = money::used(status);
    format!("  the budget refuses calls ({used}): rollouts that need more are skipped")
}

fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::LimitReached { limit } => format!("{} ({})", outcome.word(), limit.word()),
        _ => outcome.word().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn one_line_names_the_place_and_the_ending() {
        let sweep = fixture::sweep();
        let failed = sweep
            .rollouts
            .iter()
            .find(|r| r.outcome == Outcome::TaskFailure)
            .unwrap();
        let line = progress_line(7, 54, failed);
        assert_eq!(
            line,
            format!(
                "   7/54 {} {} r{} task_failure",
                failed.key.cell, failed.key.task, failed.key.repeat
            )
        );
    }

    #[test]
    fn long_names_are_cut_visibly() {
        let sweep = fixture::sweep();
        let mut rollout = sweep.rollouts[0].clone();
        rollout.key.cell = crate::domain::CellId::new(&"m".repeat(300), "h").unwrap();
        rollout.key.task = crate::domain::TaskId::new("p", &"t".repeat(300)).unwrap();
        let line = progress_line(1, 2, &rollout);
        assert!(
            line.chars().count() <= 100 && line.matches('…').count() == 2,
            "{line}"
        );
    }
}
