//! The parts of a junit.xml, so that it can be written case by case: quick-junit writes whole
//! reports only, so each part is written as a small report of its own and cut out of it.
//!
//! The cuts can't fall into foreign text: there every `<` is escaped.

use super::super::ReportError;
use quick_junit::{Report, TestCase, TestSuite};

const CASE: &str = "\n        <testcase ";
const SUITE: &str = "\n    <testsuite ";
const SUITE_END: &str = "\n    </testsuite>";
const END: &str = "\n</testsuites>";

/// What stands before and after the suites of a report that has none.
pub(super) fn report(report: &Report) -> Result<(String, String), ReportError> {
    Ok(halves(report.to_string()?, END))
}

/// What stands before the cases that are still to come, and after them. The cases that the suite
/// has already stand in the first part.
pub(super) fn suite(suite: TestSuite) -> Result<(String, String), ReportError> {
    Ok(halves(cut(suite, SUITE, END)?, SUITE_END))
}

/// One case.
pub(super) fn case(case: TestCase) -> Result<String, ReportError> {
    let mut suite = TestSuite::new("");
    suite.add_test_case(case);
    cut(suite, CASE, SUITE_END)
}

/// A report of one suite, from the first `from` to before the last `to`.
fn cut(suite: TestSuite, from: &str, to: &str) -> Result<String, ReportError> {
    let mut report = Report::new("");
    report.add_test_suite(suite);
    let text = report.to_string()?;
    let from = text.find(from).unwrap_or(0);
    let to = text.rfind(to).unwrap_or(text.len());
    Ok(text[from..to].to_owned())
}

fn halves(mut text: String, at: &str) -> (String, String) {
    let at = text.rfind(at).unwrap_or(text.len());
    let end = text.split_off(at);
    (text, end)
}
