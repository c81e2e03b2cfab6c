//! The controls in junit.xml.

use super::shortened;
use crate::analysis::{ControlFinding, ControlLine};
use crate::report::control_trouble;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The controls, apart from every cell: a failure is one that ended otherwise than it must.
pub(super) fn suite(lines: &[ControlLine]) -> TestSuite {
    let mut suite = TestSuite::new("control");
    suite.set_time(Duration::ZERO);
    for line in lines {
        let name = format!("{}::{}", line.task, line.control);
        let mut case = TestCase::new(name, status(line));
        case.set_classname("control").set_time(Duration::ZERO);
        suite.add_test_case(case);
    }
    suite
}

fn status(line: &ControlLine) -> TestCaseStatus {
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
    let text = shortened(&control_trouble(line).unwrap_or_default());
    let mut status = TestCaseStatus::non_success(kind);
    status
        .set_type(word)
        .set_message(text.lines().next().unwrap_or_default())
        .set_description(text.as_str());
    status
}
