//! What each part of a file comes to. Files that runners wrote are read by the suite `import`.

use super::*;
use crate::domain::{CellId, CostSource, Outcome};
use crate::import::{Imported, gather};

fn given(path: &str, text: &str) -> Given {
    Given {
        cell: Some(CellId::imported("m").unwrap()),
        path: path.to_owned(),
        scorer: None,
        bytes: text.as_bytes().to_vec(),
        members: Vec::new(),
    }
}

/// A file with these test cases in one suite.
fn suite(cases: &str) -> String {
    format!("<testsuite name=\"s\" timestamp=\"2026-11-30T10:00:00\">\n{cases}\n</testsuite>")
}

fn read_all(cases: &str) -> Read {
    read(&given("a.xml", &suite(cases))).unwrap()
}

fn error(text: &str) -> String {
    read(&given("a.xml", text)).unwrap_err().to_string()
}

fn outcome(inside: &str) -> Outcome {
    let mut read = read_all(&format!("<testcase name=\"t\">{inside}</testcase>"));
    read.found.remove(0).row.outcome
}

fn together(texts: &[&str]) -> Result<Imported, ImportError> {
    let named = texts.iter().enumerate();
    let files = named.map(|(at, text)| read(&given(&format!("{at}.xml"), text)));
    gather(files.collect::<Result<Vec<_>, _>>()?)
}

fn keys(imported: &Imported) -> Vec<String> {
    let rows = imported.rows.iter();
    rows.map(|row| row.key.to_string()).collect()
}

#[test]
fn a_failure_is_the_cells_and_an_error_measured_nothing() {
    assert_eq!(outcome(""), Outcome::Accepted);
    assert_eq!(
        outcome("<system-out>failure</system-out>"),
        Outcome::Accepted
    );
    assert_eq!(outcome("<failure/>"), Outcome::TaskFailure);
    assert_eq!(outcome("<error/><failure/>"), Outcome::TaskFailure);
    assert_eq!(
        outcome("<error message=\"no server\"/>").word(),
        "infrastructure_failure"
    );
    assert_eq!(outcome("<skipped/>").word(), "skipped");
}

#[test]
fn of_a_retried_test_the_first_attempt_counts() {
    let flaky = "<flakyFailure time=\"2.5\" timestamp=\"2026-11-30T11:00:00Z\"/><flakyError/>";
    assert_eq!(outcome(flaky), Outcome::TaskFailure);
    assert_eq!(outcome("<flakyError/>").word(), "infrastructure_failure");
    let failed = "<failure/><rerunFailure/><rerunError/>";
    assert_eq!(outcome(failed), Outcome::TaskFailure);
    let read = read_all(&format!(
        "<testcase name=\"t\" time=\"9\">{flaky}</testcase><testcase name=\"u\">{failed}</testcase>"
    ));
    let first = &read.found[0].row;
    assert_eq!(first.worked_ms, Some(2500));
    assert_eq!(
        first.started_at.as_deref(),
        Some("2026-11-30T11:00:00.000Z")
    );
    assert!(
        read.notes[0].contains("after a failure: 2; the first attempt"),
        "{:?}",
        read.notes
    );
}

#[test]
fn a_task_is_called_by_its_class_and_name_or_as_a_property_says() {
    let task = |attributes: &str, inside: &str| {
        let read = read_all(&format!("<testcase {attributes}>{inside}</testcase>"));
        read.found[0].row.key.task.to_string()
    };
    assert_eq!(task("name=\"t\"", ""), "t");
    assert_eq!(
        task("classname=\"tests.desk\" name=\"t[1 a]\"", ""),
        "tests.desk::t[1 a]"
    );
    let named = "<properties><property name=\"task\" value=\"refund\"/></properties>";
    assert_eq!(task("classname=\"c\" name=\"t\"", named), "refund");
    let nameless = error(&suite("<testcase/>"));
    assert!(
        nameless.contains("a.xml:2:1") && nameless.contains("help: "),
        "{nameless}"
    );
}

#[test]
fn properties_of_a_case_stand_before_those_of_the_suites_around_it() {
    let text = "<testsuites><testsuite>
        <properties><property name=\"family\" value=\"f\"/><property name=\"cost_usd\">0.5</property>
        <property name=\"cell\" value=\"own\"/></properties>
        <testcase name=\"a\"><properties><property name=\"family\" value=\"g\"/>
        <property name=\"input_tokens\" value=\"7\"/><property name=\"output_tokens\" value=\"3\"/>
        <property name=\"weight\" value=\"2\"/></properties></testcase>
        <testcase name=\"b\"/></testsuite></testsuites>";
    let found = read(&given("a.xml", text)).unwrap().found;
    assert_eq!(found[0].family.as_deref(), Some("g"));
    assert_eq!((found[0].weight, found[1].weight), (Some(2.0), None));
    assert_eq!(found[1].family.as_deref(), Some("f"));
    assert_eq!(found[1].row.cost.amount().unwrap().dollars(), 0.5);
    let usage = found[0].row.usage.unwrap();
    assert_eq!(
        (usage.input_uncached, usage.output, found[1].row.usage),
        (7, 3, None)
    );
    assert_eq!(found[0].row.key.cell.to_string(), "own");
    assert_eq!(found[1].place.to_string(), "a.xml:7 (test case b)");
}

#[test]
fn what_can_not_be_read_is_named_at_its_place_with_the_cure() {
    let with = |name: &str, value: &str| {
        let case = format!(
            "<testcase name=\"t\"><properties>\n <property name=\"{name}\" value=\"{value}\"/>\
             </properties></testcase>"
        );
        error(&suite(&case))
    };
    for (name, value) in [
        ("cost_usd", "-1"),
        ("repeat", "0"),
        ("weight", "0"),
        ("input_tokens", "x"),
    ] {
        let said = with(name, value);
        assert!(said.starts_with(&format!("property {name}: ")), "{said}");
        assert!(said.contains("--> a.xml:3:2\nhelp: "), "{said}");
    }
    for (text, wanted) in [
        ("<testsuite><testcase></testsuite>", "this is no XML: "),
        ("<html/>", "its first element is `html`"),
        ("<testsuites><testsuite>", "this is no XML: "),
    ] {
        let said = error(text);
        assert!(
            said.contains(wanted) && said.contains("--> a.xml:1:"),
            "{said}"
        );
        assert!(said.contains("help: "), "{said}");
    }
    let mut nameless = given("a.xml", &suite("<testcase name=\"t\"/>"));
    nameless.cell = None;
    let said = read(&nameless).unwrap_err().to_string();
    assert!(
        said.contains("does not say which cell") && said.contains("NAME=FILE"),
        "{said}"
    );
}

#[test]
fn several_files_are_repeats_and_stress_runs_are_too() {
    let file = |time: u32| suite(&format!("<testcase name=\"t\" time=\"{time}\"/>"));
    let three = together(&[&file(1), &file(2), &file(3)]).unwrap();
    assert_eq!(keys(&three), ["t::m r1", "t::m r2", "t::m r3"]);
    let stress = "<testsuites><testsuite name=\"d@stress-0\"><testcase name=\"t\"/></testsuite>
        <testsuite name=\"d@stress-1\"><testcase name=\"t\"/></testsuite></testsuites>";
    assert_eq!(keys(&together(&[stress]).unwrap()), ["t::m r1", "t::m r2"]);
    let numbered = suite(
        "<testcase name=\"t\"><properties><property name=\"repeat\" value=\"5\"/></properties></testcase>",
    );
    assert_eq!(keys(&together(&[&numbered]).unwrap()), ["t::m r5"]);
}

#[test]
fn a_measurement_that_was_given_twice_is_refused() {
    let file = suite("<testcase name=\"t\" time=\"1\"/>");
    let said = together(&[&file, &file]).unwrap_err().to_string();
    assert!(
        said.contains("the same rollouts\n  --> 1.xml\n  and 0.xml\nhelp: "),
        "{said}"
    );
    let twice = suite("<testcase name=\"t\"/>\n<testcase name=\"t\"/>");
    let said = together(&[&twice]).unwrap_err().to_string();
    assert!(said.contains("task `t`, repeat 1 stands twice"), "{said}");
    assert!(
        said.contains("0.xml:3 (test case t)\n  and 0.xml:2 (test case t)"),
        "{said}"
    );
}

/// A file as crossbar writes it, with one case of these properties.
fn own(properties: &[(&str, &str)]) -> String {
    let one =
        |(name, value): &(&str, &str)| format!("<property name=\"{name}\" value=\"{value}\"/>");
    let properties: String = properties.iter().map(one).collect();
    format!(
        "<testsuites name=\"crossbar\"><testsuite name=\"m+h\">
        <testcase name=\"p::t\" classname=\"m+h\"><properties>{properties}</properties></testcase>
        </testsuite><testsuite name=\"crossbar\"><testcase name=\"verdict\" classname=\"crossbar\"/>
        </testsuite></testsuites>"
    )
}

#[test]
fn a_case_of_crossbar_counts_its_rollouts() {
    let text = own(&[
        ("passed", "2 of 4"),
        ("outcome.accepted", "2"),
        ("outcome.limit_reached", "1"),
        ("outcome.infrastructure_failure", "1"),
        ("outcome.not_finished", "1"),
        ("cost_usd", "0.000010"),
        ("cost_source", "free"),
        ("family", "f"),
    ]);
    let mut given = given("junit.xml", &text);
    given.cell = None;
    let read = read(&given).unwrap();
    let words: Vec<_> = read
        .found
        .iter()
        .map(|one| one.row.outcome.word())
        .collect();
    assert_eq!(
        words,
        [
            "accepted",
            "accepted",
            "task_failure",
            "infrastructure_failure"
        ]
    );
    assert_eq!(read.expected.len(), 5);
    assert_eq!(read.expected[4].to_string(), "p::t::m+h r5");
    let micros: Vec<_> = read
        .found
        .iter()
        .map(|one| one.row.cost.amount().unwrap().micros())
        .collect();
    assert_eq!(micros, [3, 3, 2, 2]);
    assert!(matches!(
        read.found[0].row.cost,
        crate::domain::Cost::Known {
            source: CostSource::Free,
            ..
        }
    ));
    assert_eq!(read.found[3].family.as_deref(), Some("f"));
}

#[test]
fn a_case_of_crossbar_that_contradicts_itself_is_refused() {
    for (properties, wanted) in [
        (
            vec![("passed", "2 of 2"), ("outcome.accepted", "1")],
            "passed is 2 of 2, and the outcomes come to 1 of 1",
        ),
        (
            vec![("passed", "1 of 1"), ("outcome.accepted", "one")],
            "property outcome.accepted is `one`",
        ),
        (
            vec![("passed", "1 of 1"), ("outcome.won", "1")],
            "property outcome.won is `1`",
        ),
        (
            vec![
                ("passed", "1 of 1"),
                ("outcome.accepted", "1"),
                ("replay_of", "r-1"),
            ],
            "run r-1 was replayed here, which says nothing about the models",
        ),
    ] {
        let said = error(&own(&properties));
        assert!(
            said.contains(wanted) && said.contains("--> a.xml:2:9\nhelp: "),
            "{said}"
        );
    }
}
