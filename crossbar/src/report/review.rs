//! The text of a review: each task then and now, how sure the difference is, what it cost, and
//! what accepting the run would do.

use super::figures::{difference, dollars};
use super::page::Page;
use super::styles::Tone;
use super::visible::{fit, left};
use super::{Styles, gate};
use crate::analysis::GateAnswer;
use crate::domain::{Estimate, Reference, TaskId};

/// The widest task name.
const NAME: usize = 40;

/// One task of a review.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewLine {
    /// The task.
    pub task: TaskId,
    /// What was accepted before; `None` for a new task.
    pub then: Option<Reference>,
    /// What the run measured; `None` for a task that is gone.
    pub now: Option<Reference>,
    /// The run minus the record, of this task alone; `None` without both.
    pub difference: Option<Estimate>,
    /// What accepting would do.
    pub accepting: &'static str,
}

/// The review of one cell: its word against the records, then the tasks.
#[must_use]
pub fn review(answer: &GateAnswer, lines: &[ReviewLine], styles: Styles) -> String {
    let mut page = Page::new(styles);
    for cell in &answer.cells {
        page.paragraph("", 0, &[(Tone::Heading, &gate::sentence(answer, cell))]);
        for line in gate::details(answer, cell) {
            page.item("", 2, &line);
        }
    }
    page.blank();
    lines.iter().for_each(|line| write_task(&mut page, line));
    page.finish()
}

/// One task of a review, by itself.
#[must_use]
pub fn review_task(line: &ReviewLine, styles: Styles) -> String {
    let mut page = Page::new(styles);
    write_task(&mut page, line);
    page.finish()
}

fn write_task(page: &mut Page, line: &ReviewLine) {
    let name = left(&fit(&line.task.to_string(), NAME), NAME);
    let (then, now) = (counts(line.then.as_ref()), counts(line.now.as_ref()));
    let figure = line.difference.as_ref().map(difference);
    let text = format!(
        "{name} {then:>7} -> {now:<7} {}",
        figure.unwrap_or_default()
    );
    page.line(&[(Tone::Text, text.trim_end())]);
    let (before, after) = (cost(line.then.as_ref()), cost(line.now.as_ref()));
    page.item(
        "",
        4,
        &format!("{before} -> {after} a rollout; {}", line.accepting),
    );
}

fn counts(record: Option<&Reference>) -> String {
    record.map_or_else(|| "-".to_owned(), |one| format!("{}/{}", one.pass, one.n))
}

/// Mean dollars of a rollout.
fn cost(record: Option<&Reference>) -> String {
    let Some(record) = record else {
        return "-".to_owned();
    };
    match record.usd_e6 {
        Some(micros) => dollars(micros as f64 / 1e6 / f64::from(record.n.max(1))),
        None => "an unknown cost".to_owned(),
    }
}
