//! WHICH TASKS DECIDE: how many tasks tell cells apart, those that tell most, and the one that each
//! difference owes most to.

use super::figures::{counted, difference};
use super::page::Page;
use crate::analysis::{Analysis, Comparison, Scope, TaskSignal, TaskSummary};

/// The tasks that are listed, and the cells in one line; sweep.json has all.
const TASKS: usize = 20;
const CELLS: usize = 6;

/// Writes the section; nothing with one cell or one task.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    let told: Vec<_> = analysis
        .task_table
        .iter()
        .filter_map(|task| Some((task, task.signal?)))
        .collect();
    if told.is_empty() || analysis.tasks < 2 {
        return;
    }
    page.heading("WHICH TASKS DECIDE");
    let count = |wanted: TaskSignal| told.iter().filter(|(_, signal)| *signal == wanted).count();
    let (passed, failed) = (count(TaskSignal::AllPassed), count(TaskSignal::AllFailed));
    let mixed = told.len() - passed - failed;
    let text = format!(
        "of {}, {passed} passed in every rollout of every cell, {failed} in none; {mixed} differed",
        counted(told.len() as u64, "measured task"),
    );
    page.item("", 2, &text);
    for task in most_telling(&told) {
        page.item("", 4, &format!("{}: {}", task.task, passes(task)));
    }
    if mixed > TASKS {
        let rest = mixed - TASKS;
        page.item(
            "",
            4,
            &format!("and {rest} more that differed; sweep.json has them all"),
        );
    }
    for comparison in &analysis.comparisons {
        if let Some(text) = influence(comparison) {
            page.item("", 2, &text);
        }
    }
}

/// The tasks on which cells differ most, by the variance between their rates.
fn most_telling<'a>(told: &[(&'a TaskSummary, TaskSignal)]) -> Vec<&'a TaskSummary> {
    let spread = |signal: &TaskSignal| match signal {
        TaskSignal::Mixed { between, .. } => Some(between.unwrap_or(0.0)),
        TaskSignal::AllPassed | TaskSignal::AllFailed => None,
    };
    let mixed = told
        .iter()
        .filter_map(|(task, signal)| Some((*task, spread(signal)?)));
    let mut mixed: Vec<_> = mixed.collect();
    mixed.sort_by(|a, b| b.1.total_cmp(&a.1));
    mixed
        .into_iter()
        .take(TASKS)
        .map(|(task, _)| task)
        .collect()
}

/// `a+x 5 of 5, b+x 0 of 5`.
fn passes(task: &TaskSummary) -> String {
    let shown = task.cells.iter().take(CELLS);
    let mut parts: Vec<_> = shown
        .map(|cell| {
            let measured = cell.finished - cell.infrastructure;
            format!("{} {} of {measured}", cell.cell, cell.accepted)
        })
        .collect();
    if task.cells.len() > CELLS {
        parts.push(format!("and {} more cells", task.cells.len() - CELLS));
    }
    parts.join(", ")
}

fn influence(comparison: &Comparison) -> Option<String> {
    let found = comparison.influence.as_ref()?;
    let lead = if found.carries {
        "hangs on"
    } else {
        "owes most to"
    };
    Some(format!(
        "{} vs baseline: the difference {lead} {}; without it {} {}",
        comparison.cell,
        found.unit,
        difference(&found.without),
        Scope::TasksLikeThese.tag()
    ))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, flat};

    #[test]
    fn the_tasks_that_tell_most_stand_first_and_a_lone_one_is_named() {
        let sweep = Sweep::of(
            5,
            &[("a+h", 10, &[5, 5, 5, 4, 0]), ("b+h", 10, &[0, 5, 5, 5, 0])],
        );
        let text = flat(&sweep.output("markdown"));
        assert!(
            text.contains(
                "of 5 measured tasks, 2 passed in every rollout of every cell, 1 in none; 2 differed"
            ),
            "{text}"
        );
        let telling = text.find("close: a+h 5 of 5, b+h 0 of 5").unwrap();
        assert!(telling < text.find("route: a+h 4 of 5, b+h 5 of 5").unwrap());
        assert!(
            text.contains("b+h vs baseline: the difference hangs on"),
            "{text}"
        );
        assert!(text.contains("close; without it +5.0pp ["), "{text}");
    }

    #[test]
    fn many_tasks_are_counted_and_twenty_are_shown() {
        let (a, b) = (vec![2; 30], vec![1; 30]);
        let text = flat(&Sweep::of(2, &[("a+h", 1, &a), ("b+h", 1, &b)]).output("markdown"));
        assert!(text.contains("and 10 more that differed"), "{text}");
    }
}
