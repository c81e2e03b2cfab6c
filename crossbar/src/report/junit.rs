//! junit.xml: one test case per case and one for the verdict. A case is measured, not judged: it
//! is an error only when it could not be measured, and skipped when nothing of it ran; a model
//! that loses is data.

mod controls;
mod exact;
mod pieces;
#[cfg(test)]
mod tests;
mod verdict;

use super::clip::clip;
use super::figures::{money, rate};
use super::xml::{clean, escaped_len};
use super::{Frozen, ReportError, Styles, floors};
use crate::analysis::{CellSummary, MissingReason, TaskCell, TaskSummary};
use crate::domain::{CaseId, CellId, Estimate, Outcome, ResultRow, Rollout, TaskId, Usd};
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

/// The most that one case keeps of what agents wrote, in bytes of XML.
const CASE_OUTPUT: usize = 32 * 1024;
/// The most that all cases keep together, so that the file stays below what CI servers take.
const ALL_OUTPUT: usize = 16 * 1024 * 1024;
/// The most of one message.
const MESSAGE: usize = 4 * 1024;

/// Writes junit.xml, one case at a time.
///
/// # Errors
/// When the XML can't be made, a record can't be read, or the writer refuses.
pub(super) fn render(
    frozen: &Frozen<'_>,
    _: Styles,
    out: &mut dyn Write,
) -> Result<(), ReportError> {
    let (cells, tasks) = (&frozen.analysis.cells, &frozen.analysis.task_table);
    let room = room(cells.len() * tasks.len());
    let tallies: Vec<Tally> = cells
        .iter()
        .enumerate()
        .map(|(index, cell)| tally(frozen, index, cell))
        .collect();
    let (played, verdict) = (controls::suite(frozen.controls), verdict::suite(frozen));
    let (head, end) = pieces::report(&whole(frozen, &tallies, &[&played, &verdict]))?;
    out.write_all(head.as_bytes())?;
    for ((index, cell), tally) in cells.iter().enumerate().zip(&tallies) {
        let (head, end) = pieces::suite(suite(frozen, cell, tally))?;
        out.write_all(head.as_bytes())?;
        for task in tasks {
            if let Some(counts) = task.cells.get(index) {
                let case = case(frozen, (task, counts), room)?;
                out.write_all(pieces::case(case)?.as_bytes())?;
            }
        }
        out.write_all(end.as_bytes())?;
    }
    if !frozen.controls.is_empty() {
        let (head, last) = pieces::suite(played)?;
        out.write_all((head + &last).as_bytes())?;
    }
    let (head, last) = pieces::suite(verdict)?;
    out.write_all((head + &last).as_bytes())?;
    Ok(out.write_all(end.as_bytes())?)
}

/// The bytes of output that each of so many cases keeps.
fn room(cases: usize) -> usize {
    (ALL_OUTPUT / cases.max(1)).min(CASE_OUTPUT)
}

/// What the heads of the file and of its suites say about the cases below them.
#[derive(Default)]
struct Tally {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    time: Duration,
}

fn tally(frozen: &Frozen<'_>, index: usize, cell: &CellSummary) -> Tally {
    let mut tally = Tally::default();
    for task in &frozen.analysis.task_table {
        let rows = rows_of(frozen, &cell.id, &task.task);
        tally.tests += 1;
        tally.time += time(rows);
        match ending(rows) {
            Ending::Broken => tally.errors += 1,
            Ending::Measured => {
                let counts = task.cells.get(index);
                let missed = counts.and_then(|counts| floors::of_case(frozen, task, counts));
                tally.failures += usize::from(missed.is_some());
            }
            Ending::NotRun => tally.skipped += 1,
        }
    }
    tally
}

/// The head of the file: a report without its suites.
fn whole(frozen: &Frozen<'_>, tallies: &[Tally], others: &[&TestSuite]) -> Report {
    let sum = |part: fn(&Tally) -> usize| tallies.iter().map(part).sum::<usize>();
    let mut report = Report::new("crossbar");
    report.timestamp = frozen.meta.made.created_at.parse().ok();
    let other = |part: fn(&TestSuite) -> usize| others.iter().map(|one| part(one)).sum::<usize>();
    report.tests = sum(|tally| tally.tests) + other(|suite| suite.tests);
    report.failures = sum(|tally| tally.failures) + other(|suite| suite.failures);
    report.errors = sum(|tally| tally.errors) + other(|suite| suite.errors);
    report.skipped = sum(|tally| tally.skipped) + other(|suite| suite.skipped);
    report.set_time(tallies.iter().map(|tally| tally.time).sum());
    report
}

/// The head of a cell's suite: a suite without its cases.
fn suite(frozen: &Frozen<'_>, cell: &CellSummary, tally: &Tally) -> TestSuite {
    let mut suite = TestSuite::new(cell.id.to_string());
    suite.add_properties(cell_properties(frozen, cell));
    suite.tests = tally.tests;
    suite.failures = tally.failures;
    suite.errors = tally.errors;
    suite.skipped = tally.skipped;
    suite.set_time(tally.time);
    suite
}

/// The rows of one case, by repeat.
fn rows_of<'a>(frozen: &Frozen<'a>, cell: &CellId, task: &TaskId) -> &'a [ResultRow] {
    let rows = frozen.rows;
    let place = |row: &ResultRow| (&row.key.cell, &row.key.task).cmp(&(cell, task));
    let from = rows.partition_point(|row| place(row).is_lt());
    let to = rows.partition_point(|row| place(row).is_le());
    &rows[from..to]
}

fn time(rows: &[ResultRow]) -> Duration {
    Duration::from_millis(rows.iter().filter_map(|row| row.worked_ms).sum())
}

/// How a case is counted.
enum Ending {
    /// A rollout of it could not be measured.
    Broken,
    /// It was measured.
    Measured,
    /// Nothing of it ran.
    NotRun,
}

fn ending(rows: &[ResultRow]) -> Ending {
    if rows.iter().any(|row| breakage(&row.outcome).is_some()) {
        Ending::Broken
    } else if rows.iter().any(|row| row.outcome.is_measured()) {
        Ending::Measured
    } else {
        Ending::NotRun
    }
}

fn property(name: &str, value: &str) -> Property {
    Property::new(clean(name), clean(value))
}

fn cell_properties(frozen: &Frozen<'_>, cell: &CellSummary) -> Vec<Property> {
    let figure =
        |estimate: &Option<Estimate>| estimate.as_ref().map_or_else(|| "n/a".to_owned(), rate);
    let n = cell
        .pass_rate
        .map_or_else(|| "0".to_owned(), |rate| rate.n().to_string());
    let per_success = match &cell.cost_per_success.estimate {
        Some(estimate) => money(estimate),
        None => "n/a".to_owned(),
    };
    let mut properties = vec![
        property("pass_rate [tasks like these]", &figure(&cell.pass_rate)),
        property("pass_rate [these tasks]", &figure(&cell.pack_rate)),
        property("n", &n),
        property("cost", &super::money::spent(&cell.cost)),
        property("cost_per_success", &per_success),
        property("note", &cell.note.to_string()),
        property("fingerprint", &cell.fingerprint),
        property("dataset_hash", &frozen.dataset_hash),
    ];
    properties.extend(counts(&cell.outcomes));
    properties
}

fn counts(outcomes: &BTreeMap<String, u32>) -> impl Iterator<Item = Property> + '_ {
    outcomes
        .iter()
        .map(|(word, count)| property(&format!("outcome.{word}"), &count.to_string()))
}

fn case(
    frozen: &Frozen<'_>,
    (task, counts_of): (&TaskSummary, &TaskCell),
    room: usize,
) -> Result<TestCase, ReportError> {
    let id = CaseId {
        task: task.task.clone(),
        cell: counts_of.cell.clone(),
    };
    let rows = rows_of(frozen, &id.cell, &id.task);
    let mut status = status(frozen, &id, rows);
    if let Some(missed) = floors::of_case(frozen, task, counts_of)
        && matches!(status, TestCaseStatus::Success { .. })
    {
        status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type("min_pass_rate").set_message(missed.text());
    }
    let mut case = TestCase::new(id.task.to_string(), status);
    case.set_classname(id.cell.to_string());
    case.set_time(time(rows));
    case.add_property(property(
        "passed",
        &format!("{} of {}", counts_of.accepted, measured(counts_of)),
    ));
    let spent = rows
        .iter()
        .map(|row| row.cost.amount())
        .sum::<Option<Usd>>();
    case.add_property(property(
        "cost",
        &spent.map_or_else(|| "unknown".to_owned(), |usd| usd.to_string()),
    ));
    if let Some(cell) = frozen.analysis.cell(&id.cell)
        && let Some(estimate) = &cell.pass_rate
    {
        case.add_property(property(
            "cell_pass_rate [tasks like these]",
            &rate(estimate),
        ));
    }
    case.add_properties(counts(&outcomes(rows, counts_of.scheduled)));
    case.add_properties(exact::properties(frozen, task, rows));
    if let Some(text) = output(frozen, rows, room)? {
        case.set_system_out(text);
    }
    Ok(case)
}

/// The rollouts of a case that say something about its cell.
fn measured(counts: &TaskCell) -> u32 {
    counts.finished.saturating_sub(counts.infrastructure)
}

fn outcomes(rows: &[ResultRow], scheduled: u32) -> BTreeMap<String, u32> {
    let mut outcomes = BTreeMap::new();
    for row in rows {
        *outcomes.entry(row.outcome.word().to_owned()).or_insert(0) += 1;
    }
    let unfinished = scheduled.saturating_sub(rows.len() as u32);
    if unfinished > 0 {
        outcomes.insert("not_finished".to_owned(), unfinished);
    }
    outcomes
}

fn status(frozen: &Frozen<'_>, id: &CaseId, rows: &[ResultRow]) -> TestCaseStatus {
    match ending(rows) {
        Ending::Broken => broken(id, rows),
        Ending::Measured => TestCaseStatus::success(),
        Ending::NotRun => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(why_not_run(frozen, id));
            status
        }
    }
}

fn broken(id: &CaseId, rows: &[ResultRow]) -> TestCaseStatus {
    let broken: Vec<_> = rows
        .iter()
        .filter_map(|row| Some((row, breakage(&row.outcome)?)))
        .collect();
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    let head = format!(
        "{} of {} rollouts could not be measured",
        broken.len(),
        rows.len()
    );
    status.set_message(head);
    if let Some((row, message)) = broken.first() {
        let detail = format!(
            "{}\n\ncrossbar show {} {} -r {}",
            shortened(message),
            id.cell,
            id.task,
            row.key.repeat
        );
        status.set_type(row.outcome.word()).set_description(detail);
    }
    status
}

fn why_not_run(frozen: &Frozen<'_>, id: &CaseId) -> &'static str {
    let missing = &frozen.analysis.completeness.missing;
    let why = missing
        .iter()
        .find(|missing| missing.key.case() == *id)
        .map(|missing| &missing.why);
    match why {
        Some(MissingReason::Skipped { why }) => super::notices::skip_reason(*why),
        Some(MissingReason::AttemptUnknown) => {
            "an earlier attempt may have been paid, its end is unknown"
        }
        _ => "not run",
    }
}

/// Why a rollout says nothing about its cell, where that is an error.
fn breakage(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::InfrastructureFailure { message, .. } | Outcome::InvalidFixture { message } => {
            Some(message)
        }
        _ => None,
    }
}

fn shortened(message: &str) -> String {
    let message = clean(message);
    let mark = |bytes: usize| format!("\n[{bytes} bytes left out]\n");
    clip(&message, MESSAGE, mark).unwrap_or(message)
}

/// What the agents said and which checks did not hold, cut to `room` bytes of XML.
fn output(
    frozen: &Frozen<'_>,
    rows: &[ResultRow],
    room: usize,
) -> Result<Option<String>, ReportError> {
    let mut text = String::new();
    for row in rows {
        told(&frozen.records.record(&row.key)?, &mut text);
    }
    let text = clean(&text);
    Ok((!text.is_empty()).then(|| bounded(text, room)))
}

fn told(rollout: &Rollout, text: &mut String) {
    let (repeat, outcome) = (rollout.key.repeat, rollout.outcome.word());
    // Writing to a text can't fail.
    let _ = writeln!(text, "repeat {repeat}: {outcome}");
    for check in rollout.checks.iter().filter(|check| !check.passed) {
        let message = check.message.as_deref().unwrap_or("does not hold");
        let _ = writeln!(text, "check {}: {message}", check.name);
    }
    if let Some(said) = &rollout.trajectory.final_text {
        let _ = writeln!(text, "the agent said: {said}");
    }
}

/// Cuts until the escaped text fits: markup characters take six bytes each in the file.
fn bounded(text: String, room: usize) -> String {
    let mark = |bytes: usize| format!("\n[{bytes} bytes left out; the whole is in traces/]\n");
    let mut limit = room;
    let mut shown = clip(&text, limit, mark).unwrap_or_else(|| text.clone());
    while escaped_len(&shown) > room + 64 && limit > 64 {
        limit = limit * 3 / 4;
        shown = clip(&text, limit, mark).unwrap_or(shown);
    }
    shown
}
