//! The case of the verdict: what CI sees of it.

use super::super::clip::clip;
use super::super::xml::clean;
use super::super::{Frozen, gate, origin};
use super::{MESSAGE, property};
use crate::analysis::{GateState, Status};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The suite of that one case.
pub(super) fn suite(frozen: &Frozen<'_>) -> TestSuite {
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
    if let Some(run) = &analysis.replay_of {
        case.add_property(property("replay_of", run.as_str()));
    }
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
        let Some(run) = &frozen.analysis.replay_of else {
            return TestCaseStatus::success();
        };
        // Green would be read as a verdict, and there is none.
        status = TestCaseStatus::skipped();
        status.set_message(origin::replay(run));
        return status;
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
