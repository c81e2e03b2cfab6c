//! junit.xml against a schema: tests/fixtures/junit.xsd has the layout that Jenkins and GitLab
//! read, and a library judges by it.

use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Project, SERVER, junit, task};
use crossbar_suites::tree;
use uppsala::{XsdValidator, parse};

/// What is wrong with a JUnit file; nothing where it is valid.
fn problems(text: &str) -> Vec<String> {
    let schema = std::fs::read_to_string(tree::root().join("tests/fixtures/junit.xsd")).unwrap();
    let schema = parse(&schema).unwrap();
    let validator = XsdValidator::from_schema(&schema).unwrap();
    let document = parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let found = validator.validate(&document);
    found.iter().map(ToString::to_string).collect()
}

/// A run with a case of each kind: accepted, lost, not measured for want of a server, skipped for
/// want of money; with an agent that would rather write XML.
fn of_all_kinds() -> Project {
    let server = CountingServer::start(|request| {
        let hostile =
            "]]></system-out></testcase><testcase name=\"x\" classname=\"y\"/>\u{1}\u{fffe}";
        Reply::text(hostile).usage(1, request.max_tokens())
    });
    let mut project = Project::pack();
    let roster = project.read("crossbar.yaml").replace(
        "models:\n",
        &format!(
            "models:\n  - {{id: paid, provider: openai, base_url: \"{}\", api_key_env: SCHEMA_KEY, \
             price: {{input_per_mtok: 0, output_per_mtok: 10}}, params: {{max_output_tokens: 100}}}}\n",
            server.base_url()
        ),
    );
    let roster = roster.replace("agents:\n", "agents:\n  - {model: paid, harness: react}\n");
    project.write("crossbar.yaml", &roster).write(
        "desk/three.task.yaml",
        &task("three").replace(SERVER, "{name: tickets, command: no-such-server-anywhere}"),
    );
    project.env("SCHEMA_KEY", "k");
    let said = project.crossbar(&["run", "--live", "--budget", "0.004"]);
    assert_eq!(said.code, Some(4), "{said}");
    project
}

#[test]
fn the_junit_file_of_a_run_with_every_kind_of_case_fits_the_schema() {
    let project = of_all_kinds();
    let text = project.read("runs/latest/junit.xml");
    assert_eq!(problems(&text), Vec::<String>::new(), "{text}");
    let cases = junit(&text);
    // Three cells, three tasks, and the verdict.
    let of_cells = cases.iter().filter(|case| case.class != "control");
    assert_eq!(of_cells.count(), 3 * 3 + 1, "{cases:?}");
    for status in ["pass", "error"] {
        assert!(
            cases.iter().any(|case| case.status == status),
            "{status}: {cases:?}"
        );
    }
    let measured = cases.iter().filter(|case| case.name.starts_with("desk::"));
    let measured = measured.filter(|case| case.class != "control");
    for case in measured {
        assert!(
            case.time
                .as_ref()
                .is_some_and(|time| time.parse::<f64>().is_ok()),
            "{case:?}"
        );
        for part in ["passed", "cost"] {
            assert!(case.properties.contains_key(part), "{part}: {case:?}");
        }
        assert!(
            case.status == "pass" || !case.message.is_empty(),
            "{case:?}"
        );
    }
    for property in [
        "pass_rate [tasks like these]",
        "pass_rate [these tasks]",
        "cost",
    ] {
        assert!(
            text.contains(&format!("<property name=\"{property}\" value=")),
            "{property}"
        );
    }
    let verdict: Vec<_> = cases
        .iter()
        .filter(|case| !case.name.starts_with("desk::"))
        .collect();
    assert_eq!(verdict.len(), 1);
    assert_ne!(
        verdict[0].status, "pass",
        "an unfinished sweep is no success"
    );
}

#[test]
fn the_schema_refuses_what_readers_would_not_understand() {
    let project = Project::pack();
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    let text = project.read("runs/latest/junit.xml");
    assert_eq!(problems(&text), Vec::<String>::new());
    for (old, new) in [
        (
            "<testsuite name=\"good+react\" tests=\"2\"",
            "<testsuite name=\"good+react\" tests=\"two\"",
        ),
        (
            "<testsuite name=\"good+react\"",
            "<testsuite title=\"good+react\"",
        ),
        (
            "name=\"desk::one\" classname=\"good+react\"",
            "name=\"desk::one\"",
        ),
        (
            "name=\"desk::one\" classname=\"good+react\" time=\"",
            "name=\"desk::one\" classname=\"good+react\" time=\"-",
        ),
        ("<system-out>", "<systemout>"),
        ("<testcase name=\"desk::two\"", "<testcase name=\"\""),
    ] {
        assert!(text.contains(old), "{old}: {text}");
        let spoiled = text.replacen(old, new, 1);
        let spoiled = match old {
            "<system-out>" => spoiled.replacen("</system-out>", "</systemout>", 1),
            _ => spoiled,
        };
        assert_ne!(problems(&spoiled), Vec::<String>::new(), "{new}");
    }
    // A case within a case, and text of an agent that became elements.
    let inner = text.replacen(
        "<system-out>",
        "<testcase name=\"a\" classname=\"b\"/><system-out>",
        1,
    );
    assert_ne!(problems(&inner), Vec::<String>::new());
}
