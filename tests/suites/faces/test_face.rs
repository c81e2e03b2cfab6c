//! The test binary takes every flag that libtest takes, docs/test-face.md says what becomes of each,
//! and a retry of nextest's runs only what could not be measured.

use crossbar::libtest::flags;
use crossbar_suites::project::{Output, Project, task};
use crossbar_suites::tree;
use std::fs;
use std::path::Path;

/// The example with its test binary, started as cargo would start it.
fn built() -> (Project, std::path::PathBuf) {
    let mut project = Project::first_test();
    let agents = project.agents();
    let folder = project.path().to_string_lossy().into_owned();
    project.env("CARGO_MANIFEST_DIR", &folder);
    (project, agents)
}

/// The cases of cells that ran, sorted.
fn names(said: &Output) -> Vec<&str> {
    let lines = said.stdout.lines();
    let mut names: Vec<_> = lines
        .filter_map(|line| line.strip_prefix("test ")?.split_once(" ... "))
        .map(|(name, _)| name.trim())
        .filter(|name| !name.contains("::control+"))
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn the_page_has_a_line_for_every_flag_and_no_more() {
    let page = fs::read_to_string(tree::root().join("docs/test-face.md")).unwrap();
    for (flag, doc) in flags() {
        let spelt = flag.replace(", ", "`, `");
        let line = format!("| `{spelt}` | {doc} |");
        assert!(page.contains(&line), "docs/test-face.md lacks: {line}");
    }
    let (_, section) = page.split_once("## Flags of libtest\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let lines = section.lines().filter(|line| line.starts_with("| `-"));
    assert_eq!(lines.count(), flags().len());
}

#[test]
fn a_flag_that_changes_nothing_changes_nothing() {
    let (project, agents) = built();
    let plain = project.start(&agents, &[]).end();
    assert_eq!((plain.code, names(&plain).len()), (Some(0), 6), "{plain}");
    let csv = project.read("runs/latest/rollouts.csv");
    let same: [&[&str]; 4] = [
        &[
            "--force-run-in-process",
            "--exclude-should-panic",
            "--test",
            "--fail-fast",
        ],
        &[
            "--no-capture",
            "--nocapture",
            "--show-output",
            "-Z",
            "unstable-options",
        ],
        &[
            "--report-time",
            "--ensure-time",
            "--shuffle",
            "--shuffle-seed",
            "7",
        ],
        &["--format=junit", "--color", "never", "--include-ignored"],
    ];
    for flags in same {
        let said = project.start(&agents, flags).end();
        assert_eq!(said.code, Some(0), "{flags:?} {said}");
        assert_eq!(names(&said), names(&plain), "{flags:?}");
        assert_eq!(project.read("runs/latest/rollouts.csv"), csv, "{flags:?}");
    }
    let unknown = project.start(&agents, &["--models=x"]).end();
    assert_eq!(unknown.code, Some(2), "{unknown}");
}

#[test]
fn a_flag_that_changes_something_does() {
    let (project, agents) = built();
    let run = |args: &[&str]| project.start(&agents, args).end();
    assert_eq!(names(&run(&["outage", "verify"])).len(), 4, "two filters");
    let two = [
        "--exact",
        "tasks::route-billing::mock-weak+react",
        "outage",
        "--skip",
        "outage",
    ];
    assert_eq!(names(&run(&two)), ["tasks::route-billing::mock-weak+react"]);
    for nothing in [&["--bench"][..], &["--ignored"]] {
        let said = run(nothing);
        assert_eq!(
            (said.code, names(&said).len()),
            (Some(0), 0),
            "{nothing:?} {said}"
        );
    }
    let dots = run(&["-q", "weak"]);
    assert!(dots.stdout.contains("...."), "{dots}");
    let json = run(&["--format", "json", "weak+react"]);
    let finished = json
        .stdout
        .lines()
        .filter(|line| line.contains("\"test\"") && line.contains("\"event\": \"ok\""));
    assert_eq!(finished.count(), 4, "{json}");
    let log = project.path().join("cases.log");
    let logged = run(&["--logfile", log.to_str().unwrap(), "strong"]);
    assert_eq!(
        (logged.code, names(&logged).len()),
        (Some(0), 0),
        "{logged}"
    );
    assert_eq!(project.read("cases.log").matches("... ok").count(), 2);
    let help = run(&["--help"]);
    assert!(
        help.code == Some(0) && help.stdout.contains("--skip"),
        "{help}"
    );
}

#[test]
fn lists_can_be_json_and_threads_come_from_the_environment() {
    let (mut project, agents) = built();
    let said = project
        .start(
            &agents,
            &[
                "--list",
                "--format",
                "json",
                "-Z",
                "unstable-options",
                "strong",
            ],
        )
        .end();
    let events: Vec<serde_json::Value> = said
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((events.len(), said.code), (4, Some(0)), "{said}");
    assert_eq!(
        events[1]["name"],
        "first-test::outage_is_escalated::mock-strong+react"
    );
    assert_eq!(
        (&events[3]["total"], &events[3]["ignored"]),
        (&2.into(), &0.into())
    );
    assert!(!project.has("runs"), "a list starts nothing");

    project.env("RUST_TEST_THREADS", "0");
    let said = project.start(&agents, &[]).end();
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr.contains("error: RUST_TEST_THREADS is `0`"),
        "{said}"
    );
    project.env("RUST_TEST_THREADS", "1");
    let said = project.start(&agents, &["strong"]).end();
    assert_eq!(said.code, Some(0), "{said}");
}

#[test]
fn a_reader_that_goes_away_ends_no_sweep() {
    let (project, agents) = built();
    let quoted = format!("{} | head -n 2; echo ${{PIPESTATUS[0]}}", agents.display());
    let said = project.start(Path::new("bash"), &["-c", &quoted]).end();
    assert!(!said.stderr.contains("panicked"), "{said}");
    let verdict = project.crossbar(&["verdict"]);
    assert_eq!(verdict.code, Some(0), "all of it was recorded: {verdict}");
    assert_eq!(project.rollouts("runs/latest").lines.len(), 18);
    let list = format!("{} --list | head -n 1", agents.display());
    let said = project.start(Path::new("bash"), &["-c", &list]).end();
    assert!(said.stderr.is_empty(), "{said}");
}

#[test]
fn a_task_that_ends_the_process_is_no_success() {
    let project = Project::first_test();
    project.replace(
        "tests/agents.rs",
        "    cx.check(\"one assignment only\"",
        "    std::process::exit(0);\n    #[expect(unreachable_code)]\n    cx.check(\"one assignment only\"",
    );
    let said = project.cargo(&["test", "--test", "agents"]);
    assert_ne!(said.code, Some(0), "{said}");
    assert!(
        said.stderr
            .contains("error: something called process::exit in the middle of the sweep"),
        "{said}"
    );
}

#[test]
fn a_retry_of_nextest_runs_only_what_could_not_be_measured() {
    let project = Project::first_test();
    let (mark, log) = (project.path().join("mark"), project.path().join("log"));
    let script = format!(
        "echo start >> {log:?}; [ -e {mark:?} ] || {{ touch {mark:?}; exit 1; }}; exec \"$0\" \"$@\""
    );
    let argument = serde_json::to_string(&script.replace('$', "$$")).unwrap();
    project.replace(
        "tasks/route-billing.task.yaml",
        "command: ${CROSSBAR_BIN}\n      args: [\"__serve\", \"tickets\"]",
        &format!("command: sh\n      args: [\"-c\", {argument}, \"${{CROSSBAR_BIN}}\", \"__serve\", \"tickets\"]"),
    );
    project.replace("crossbar.yaml", "run:\n", "run:\n  concurrency: 1\n");
    let one = "test(=tasks::route-billing::mock-strong+react)";
    let said = project.nextest(&["run", "--retries", "1", "-E", one]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stderr.contains("1 flaky"), "{said}");
    assert_eq!(project.read("log").lines().count(), 3 + 1, "{said}");
    let verdict = project.crossbar(&["verdict", "--json"]);
    assert_eq!(
        verdict.code,
        Some(4),
        "the other cases did not run: {verdict}"
    );
    let lines = project.rollouts("runs/latest").lines;
    assert!(
        lines
            .iter()
            .all(|line| line["outcome"] != "infrastructure_failure")
    );
    assert_eq!(lines.len(), 3);
}

#[test]
fn a_list_may_pass_over_a_mistake_in_a_large_pack_and_no_run_does() {
    let mut project = Project::first_test();
    for number in 1..=101 {
        let id = format!("t{number}");
        project.write(&format!("bulk/{id}.task.yaml"), &task(&id));
    }
    project.replace("bulk/t7.task.yaml", "type: mcp_state", "type: mcp_stat");
    let roster = project.read("crossbar.yaml");
    project.write("crossbar.yaml", &format!("{roster}packs: [bulk]\n"));
    let agents = project.agents();
    let list = project.start(&agents, &["--list"]).end();
    assert_eq!(list.code, Some(0), "{list}");
    assert!(
        list.stdout.contains("bulk::t7::control+noop: test"),
        "{list}"
    );
    let place = "bulk/t7.task.yaml:7:";
    let whole = project.start(&agents, &["bulk::t1::control+noop"]).end();
    assert_eq!(whole.code, Some(2), "{whole}");
    assert!(whole.stderr.contains(place), "{whole}");
    // As nextest runs it: another task's case, in a process of its own.
    project
        .env("NEXTEST_EXECUTION_MODE", "process-per-test")
        .env("NEXTEST_RUN_ID", "once");
    let args = ["--exact", "bulk::t1::control+noop", "--nocapture"];
    let one = project.start(&agents, &args).end();
    assert_eq!(one.code, Some(2), "{one}");
    assert!(one.stderr.contains(place), "{one}");
}
