//! junit.xml: one test case per case and one for the verdict. A case is measured, not judged: it
//! is an error only when it could not be measured, and skipped when nothing of it ran; a model
//! that loses is data.

use super::clip::clip;
use super::figures::{money, rate};
use super::xml::{clean, escaped_len};
use super::{Frozen, ReportError, Styles, floors, gate};
use crate::analysis::{
    CellSummary, ControlFinding, ControlLine, GateState, MissingReason, Status, TaskCell,
    TaskSummary,
};
use crate::domain::{CaseId, Estimate, Outcome, Rollout, Usd};
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// The most that one case keeps of what agents wrote, in bytes of XML.
const CASE_OUTPUT: usize = 32 * 1024;
/// The most that all cases keep together, so that the file stays below what CI servers take.
const ALL_OUTPUT: usize = 16 * 1024 * 1024;
/// The most of one message.
const MESSAGE: usize = 4 * 1024;

/// Writes junit.xml.
///
/// # Errors
/// When the XML can't be made, or the writer refuses.
pub(super) fn render(
    frozen: &Frozen<'_>,
    _: Styles,
    out: &mut dyn Write,
) -> Result<(), ReportError> {
    let mut report = Report::new("crossbar");
    report.timestamp = frozen.meta.made.created_at.parse().ok();
    let records = by_case(frozen.rollouts);
    let cases = frozen.analysis.cells.len() * frozen.analysis.task_table.len();
    let room = (ALL_OUTPUT / cases.max(1)).min(CASE_OUTPUT);
    let mut total = Duration::ZERO;
    for (index, cell) in frozen.analysis.cells.iter().enumerate() {
        let mut suite = TestSuite::new(cell.id.to_string());
        suite.add_properties(cell_properties(frozen, cell));
        let mut time = Duration::ZERO;
        for task in &frozen.analysis.task_table {
            if let Some(counts) = task.cells.get(index) {
                let case = case(frozen, (task, counts), &records, room);
                time += case.time.unwrap_or_default();
                suite.add_test_case(case);
            }
        }
        suite.set_time(time);
        total += time;
        report.add_test_suite(suite);
    }
    if !frozen.controls.is_empty() {
        report.add_test_suite(control_suite(frozen.controls));
    }
    report.add_test_suite(verdict_suite(frozen));
    report.set_time(total);
    Ok(out.write_str(&report.to_string()?)?)
}

type Records<'a> = BTreeMap<CaseId, Vec<&'a Rollout>>;

fn by_case(rollouts: &[Rollout]) -> Records<'_> {
    let mut records = Records::new();
    for rollout in rollouts {
        records.entry(rollout.key.case()).or_default().push(rollout);
    }
    records
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
    place: (&TaskSummary, &TaskCell),
    records: &Records<'_>,
    room: usize,
) -> TestCase {
    let (task, counts_of) = place;
    let id = CaseId {
        task: task.task.clone(),
        cell: counts_of.cell.clone(),
    };
    let rollouts = records.get(&id).map(Vec::as_slice).unwrap_or_default();
    let mut status = status(frozen, &id, rollouts);
    if let Some(missed) = floors::of_case(frozen, task, counts_of)
        && matches!(status, TestCaseStatus::Success { .. })
    {
        status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type("min_pass_rate").set_message(missed.text());
    }
    let mut case = TestCase::new(id.task.to_string(), status);
    case.set_classname(id.cell.to_string());
    case.set_time(Duration::from_millis(
        rollouts.iter().map(|r| r.worked_ms).sum(),
    ));
    let mut outcomes = BTreeMap::new();
    for rollout in rollouts {
        *outcomes
            .entry(rollout.outcome.word().to_owned())
            .or_insert(0) += 1;
    }
    let unfinished = counts_of.scheduled.saturating_sub(rollouts.len() as u32);
    if unfinished > 0 {
        outcomes.insert("not_finished".to_owned(), unfinished);
    }
    case.add_property(property(
        "passed",
        &format!("{} of {}", counts_of.accepted, counts_of.finished),
    ));
    let spent = rollouts
        .iter()
        .map(|r| r.cost.amount())
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
    case.add_properties(counts(&outcomes));
    if let Some(text) = output(rollouts, room) {
        case.set_system_out(text);
    }
    case
}

fn status(frozen: &Frozen<'_>, id: &CaseId, rollouts: &[&Rollout]) -> TestCaseStatus {
    let broken: Vec<_> = rollouts
        .iter()
        .filter_map(|rollout| Some((rollout, unmeasured(&rollout.outcome)?)))
        .collect();
    if let Some((rollout, message)) = broken.first() {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        let head = format!(
            "{} of {} rollouts could not be measured",
            broken.len(),
            rollouts.len()
        );
        let detail = format!(
            "{message}\n\ncrossbar show {} {} -r {}",
            id.cell, id.task, rollout.key.repeat
        );
        status
            .set_message(head)
            .set_type(rollout.outcome.word())
            .set_description(detail);
        return status;
    }
    if rollouts.iter().any(|rollout| rollout.outcome.is_measured()) {
        return TestCaseStatus::success();
    }
    let missing = &frozen.analysis.completeness.missing;
    let why = missing
        .iter()
        .find(|missing| missing.key.case() == *id)
        .map(|missing| &missing.why);
    let mut status = TestCaseStatus::skipped();
    status.set_message(match why {
        Some(MissingReason::Skipped { why }) => super::notices::skip_reason(*why),
        Some(MissingReason::AttemptUnknown) => {
            "an earlier attempt may have been paid, its end is unknown"
        }
        _ => "not run",
    });
    status
}

fn unmeasured(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::InfrastructureFailure { message, .. } | Outcome::InvalidFixture { message } => {
            let message = clean(message);
            let mark = |bytes: usize| format!("\n[{bytes} bytes left out]\n");
            Some(clip(&message, MESSAGE, mark).unwrap_or(message))
        }
        _ => None,
    }
}

/// What the agents said and which checks did not hold, cut to `room` bytes of XML.
fn output(rollouts: &[&Rollout], room: usize) -> Option<String> {
    let mut text = String::new();
    for rollout in rollouts {
        // Writing to a text can't fail.
        let _ = writeln!(
            text,
            "repeat {}: {}",
            rollout.key.repeat,
            rollout.outcome.word()
        );
        for check in rollout.checks.iter().filter(|check| !check.passed) {
            let message = check.message.as_deref().unwrap_or("does not hold");
            let _ = writeln!(text, "check {}: {message}", check.name);
        }
        if let Some(said) = &rollout.trajectory.final_text {
            let _ = writeln!(text, "the agent said: {said}");
        }
    }
    let text = clean(&text);
    (!text.is_empty()).then(|| bounded(text, room))
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

/// The controls, apart from every cell: a failure is one that ended otherwise than it must.
fn control_suite(lines: &[ControlLine]) -> TestSuite {
    let mut suite = TestSuite::new("control");
    suite.set_time(Duration::ZERO);
    for line in lines {
        let name = format!("{}::{}", line.task, line.control);
        let mut case = TestCase::new(name, control_status(line));
        case.set_classname("control").set_time(Duration::ZERO);
        suite.add_test_case(case);
    }
    suite
}

fn control_status(line: &ControlLine) -> TestCaseStatus {
    let (kind, word) = match &line.finding {
        ControlFinding::Holds { .. } => return TestCaseStatus::success(),
        ControlFinding::NotRun => {
            let mut status = TestCaseStatus::skipped();
            status.set_message("not run");
            return status;
        }
        ControlFinding::Fails { outcome, .. } => (NonSuccessKind::Failure, outcome.as_str()),
        ControlFinding::Unmeasured { .. } => (NonSuccessKind::Error, "unmeasured"),
    };
    let text = clean(&super::control_trouble(line).unwrap_or_default());
    let mark = |bytes: usize| format!("\n[{bytes} bytes left out]\n");
    let text = clip(&text, MESSAGE, mark).unwrap_or(text);
    let mut status = TestCaseStatus::non_success(kind);
    status
        .set_type(word)
        .set_message(text.lines().next().unwrap_or_default())
        .set_description(text.as_str());
    status
}

fn verdict_suite(frozen: &Frozen<'_>) -> TestSuite {
    let analysis = frozen.analysis;
    let status = verdict_status(frozen);
    let mut case = TestCase::new("verdict", status);
    case.set_classname("crossbar").set_time(Duration::ZERO);
    let verdict = analysis.verdict();
    case.add_property(property("word", verdict.word()));
    case.add_property(property("scope", analysis.headline.tag()));
    case.add_property(property(
        "word [tasks like these]",
        analysis.verdict_like.word(),
    ));
    if let Some(these) = &analysis.verdict_these {
        case.add_property(property("word [these tasks]", these.word()));
    }
    if let Some(winner) = verdict.winner() {
        case.add_property(property("winner", &winner.to_string()));
    }
    if let Some(gate) = frozen.gate {
        case.add_property(property("gate", &gate.word.to_string()));
    }
    case.add_property(property(
        "demo",
        if analysis.demo { "true" } else { "false" },
    ));
    case.add_property(property("run", frozen.run_id.as_str()));
    case.add_property(property("dataset_hash", &frozen.dataset_hash));
    let mut suite = TestSuite::new("crossbar");
    suite.set_time(Duration::ZERO).add_test_case(case);
    suite
}

/// What CI sees of the verdict: an outage or a refusal is an error, a gate that fails or can't
/// tell is a failure.
fn verdict_status(frozen: &Frozen<'_>) -> TestCaseStatus {
    let seen = &frozen.analysis.completeness;
    let lacking = match seen.infrastructure {
        _ if seen.status != Status::Complete => Some((seen.missing.len(), "have no result")),
        0 => None,
        failed => Some((failed as usize, "ended as infrastructure failure")),
    };
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    if let Some((count, what)) = lacking {
        status.set_type("incomplete").set_message(format!(
            "incomplete: {count} of {} planned rollouts {what}",
            seen.planned
        ));
        return status;
    }
    let Some((answer, state)) = frozen.gate.map(|gate| (gate, gate.state())) else {
        return TestCaseStatus::success();
    };
    match state {
        GateState::Held => return TestCaseStatus::success(),
        GateState::Failed | GateState::Open => {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        }
        GateState::Refused | GateState::Incomplete => {}
    }
    let cells = answer.cells.iter().filter(|cell| cell.word == answer.word);
    let why: Vec<String> = cells.map(|cell| gate::sentence(answer, cell)).collect();
    let message = format!(
        "{} ({}): {}",
        answer.word,
        gate::asked(answer),
        why.join("; ")
    );
    let mark = |bytes: usize| format!("[{bytes} bytes left out]");
    let message = clean(&message);
    status
        .set_type("gate")
        .set_message(clip(&message, MESSAGE, mark).unwrap_or(message));
    status
}

#[cfg(test)]
mod tests;
