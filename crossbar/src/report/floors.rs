//! Cases that are conclusively under a declared `min_pass_rate`.

use super::Frozen;
use super::figures::points;
use super::page::Page;
use super::styles::Tone;
use crate::analysis::{Floor, TaskCell, TaskSummary};
use crate::domain::CellId;

/// A case that misses its floor.
pub(super) struct Missed<'a> {
    floor: Floor,
    passed: u32,
    finished: u32,
    upper: f64,
    /// Its cell.
    pub(super) cell: &'a CellId,
    /// Its task.
    pub(super) task: &'a TaskSummary,
}

impl Missed<'_> {
    /// `1 of 9 passed: at most 42.9%, under the declared 80.0%`.
    pub(super) fn text(&self) -> String {
        miss(&self.floor, (self.passed, self.finished), self.upper)
    }
}

/// What a miss is, for a person.
fn miss(floor: &Floor, (passed, finished): (u32, u32), upper: f64) -> String {
    // An upper limit is never rounded down.
    let upper = (upper * 1000.0).ceil() / 10.0;
    format!(
        "{passed} of {finished} passed: at most {upper:.1}% [exact upper limit], under min_pass_rate {}%",
        points(floor.rate())
    )
}

/// Why a case with this floor is red; `None` where it is not.
#[must_use]
pub fn floor_trouble(floor: &Floor, passed: u32, finished: u32) -> Option<String> {
    let upper = floor.missed(passed.into(), finished.into()).ok()??;
    Some(miss(floor, (passed, finished), upper))
}

/// Whether one case misses its floor.
pub(super) fn of_case<'a>(
    frozen: &Frozen<'a>,
    task: &'a TaskSummary,
    counts: &'a TaskCell,
) -> Option<Missed<'a>> {
    let info = frozen.question.tasks.iter().find(|t| t.id == task.task)?;
    let floor = Floor::of(frozen.question, info)?;
    let measured = counts.finished.saturating_sub(counts.infrastructure);
    let (passed, finished) = (counts.accepted, measured);
    let upper = floor.missed(passed.into(), finished.into()).ok()??;
    Some(Missed {
        floor,
        passed,
        finished,
        upper,
        cell: &counts.cell,
        task,
    })
}

/// The line of the card; nothing where no floor is missed.
pub(super) fn warn(page: &mut Page, frozen: &Frozen<'_>) {
    for task in &frozen.analysis.task_table {
        for counts in &task.cells {
            if let Some(missed) = of_case(frozen, task, counts) {
                let (cell, task) = (missed.cell, &missed.task.task);
                let text = format!("FLOOR: {cell} on {task}: {}.", missed.text());
                page.paragraph("", 0, &[(Tone::Bad, &text)]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::RunId;
    use crate::report::fixture;

    #[test]
    fn a_missed_floor_is_on_the_card_and_a_failure_in_junit() {
        let mut sweep = fixture::Sweep::of(9, &[("m+h", 10, &[0, 9]), ("n+h", 10, &[9, 8])]);
        assert!(!sweep.output("text").contains("FLOOR"));
        for task in &mut sweep.question.tasks {
            task.min_pass_rate = Some(0.6);
        }
        let card = sweep.output("text");
        assert_eq!(card.matches("FLOOR").count(), 1, "{card}");
        assert!(
            card.contains("FLOOR: m+h on desk::close: 0 of 9 passed: at most"),
            "{card}"
        );
        let junit = sweep.output("junit");
        assert_eq!(junit.matches("<failure").count(), 1, "{junit}");
    }

    #[test]
    fn a_replay_misses_no_floor() {
        let mut sweep = fixture::Sweep::of(9, &[("m+h", 10, &[0, 9]), ("n+h", 10, &[9, 8])]);
        for task in &mut sweep.question.tasks {
            task.min_pass_rate = Some(0.6);
        }
        sweep.question.replay_of = Some(RunId::new("recorded").unwrap());
        assert!(!sweep.output("text").contains("FLOOR"));
        assert!(!sweep.output("junit").contains("<failure"));
    }
}
