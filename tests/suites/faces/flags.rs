//! The flags of `crossbar run`, and the environment's twins of them.

use crossbar_suites::project::{Output, Project, task};
use serde_json::Value;
use std::path::Path;

/// Runs and expects success.
fn run(project: &Project, args: &[&str]) -> Output {
    let said = project.crossbar(&[&["run"], args].concat());
    assert_eq!(said.code, Some(0), "{args:?} {said}");
    said
}

#[test]
fn run_sweeps_and_prints_and_writes() {
    let project = Project::pack();
    let said = run(&project, &[]);
    assert!(said.stdout.contains("CROSSBAR VERDICT"), "{said}");
    let id = project.sweep("runs/latest")["run_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let expected = [".gitignore", id.as_str(), "latest", "store.db"];
    for name in expected {
        assert!(project.names("runs").contains(&name.to_owned()), "{name}");
    }
    assert_eq!(project.read("runs/.gitignore"), "*\n");
    assert!(said.stderr.contains(&format!("runs/{id}")), "{said}");
    assert_eq!(
        project.bytes(&format!("runs/{id}")),
        project.bytes("runs/latest")
    );
}

#[test]
fn a_line_of_progress_for_each_rollout_that_ended() {
    let project = Project::pack();
    let said = run(&project, &[]);
    let lines: Vec<_> = said
        .stderr
        .lines()
        .filter(|line| line.contains("/12 "))
        .collect();
    assert_eq!(lines.len(), 12, "{said}");
    for (at, line) in lines.iter().enumerate() {
        let words: Vec<_> = line.split_whitespace().collect();
        assert_eq!(words[0], format!("{}/12", at + 1));
        assert!(["good+react", "poor+react"].contains(&words[1]), "{line}");
        assert!(["desk::one", "desk::two"].contains(&words[2]), "{line}");
        assert!(["accepted", "task_failure"].contains(&words[4]), "{line}");
    }
    assert!(!said.stdout.contains("/12 "), "{said}");
}

#[test]
fn one_pack_alone() {
    let project = Project::pack();
    project.write("other/three.task.yaml", &task("three"));
    run(&project, &["--pack", "other"]);
    let tasks = project.rollouts("runs/latest").lines;
    assert_eq!(tasks.len(), 6);
    assert!(tasks.iter().all(|line| line["task"] == "other::three"));
    run(&project, &[]);
    assert_eq!(project.rollouts("runs/latest").lines.len(), 18);
    let absent = project.crossbar(&["run", "--pack", "nowhere"]);
    assert_eq!(absent.code, Some(2), "{absent}");
    assert!(absent.stderr.contains("nowhere"), "{absent}");
}

#[test]
fn repeats_stand_over_the_roster_and_are_above_zero() {
    let mut project = Project::pack();
    run(&project, &["--repeats", "2"]);
    assert_eq!(project.rollouts("runs/latest").lines.len(), 8);
    project.env("CROSSBAR_REPEATS", "4");
    run(&project, &[]);
    assert_eq!(project.rollouts("runs/latest").lines.len(), 16);
    run(&project, &["--repeats", "1"]);
    assert_eq!(project.rollouts("runs/latest").lines.len(), 4);
    project.unset("CROSSBAR_REPEATS");
    let before = project.names("runs");
    for number in ["0", "-1", "many", "1.5"] {
        let said = project.crossbar(&["run", &format!("--repeats={number}")]);
        assert_eq!(said.code, Some(2), "{number} {said}");
        assert!(
            said.stderr.contains(number) && said.stdout.is_empty(),
            "{said}"
        );
    }
    for args in [
        ["--repeats", "-1"],
        ["--trials", "0"],
        ["--k", "-3"],
        ["--repeats", "1001"],
    ] {
        let said = project.crossbar(&[&["run"], &args[..]].concat());
        assert_eq!(said.code, Some(2), "{said}");
        assert!(
            said.stderr.contains(args[1])
                && said.stderr.contains("give a whole number from 1 to 1000"),
            "{said}"
        );
    }
    assert_eq!(project.names("runs"), before);
}

#[test]
fn a_ceiling_that_is_none_is_refused_in_one_sentence() {
    let project = Project::pack();
    for ceiling in ["0", "-1", "nan", "five"] {
        for command in ["run", "plan"] {
            let said = project.crossbar(&[command, "--budget", ceiling]);
            assert_eq!(said.code, Some(2), "{said}");
            let line =
                format!("for '--budget <USD>': `{ceiling}` is not a budget\nhelp: give dollars");
            assert!(said.stderr.contains(&line), "{said}");
        }
    }
    assert!(!project.has("runs"));
}

#[test]
fn a_reader_of_both_streams_that_goes_away_changes_no_exit_code() {
    let project = Project::pack();
    let line = "crossbar run 2>&1 | head -n 1";
    let said = project
        .start(Path::new("bash"), &["-o", "pipefail", "-c", line])
        .end();
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(project.rollouts("runs/latest").lines.len(), 12);
}

#[test]
fn cells_by_name_and_no_others() {
    let mut project = Project::pack();
    run(&project, &["--agent", "poor+react"]);
    let cells = project.rollouts("runs/latest").lines;
    assert!(cells.len() == 6 && cells.iter().all(|line| line["cell"] == "poor+react"));
    run(
        &project,
        &["--agent", "poor+react", "--agent", "good+react"],
    );
    assert_eq!(project.rollouts("runs/latest").lines.len(), 12);
    project.env("CROSSBAR_CELLS", "good+react");
    run(&project, &[]);
    assert_eq!(
        project.rollouts("runs/latest").of_cell("good+react").len(),
        6
    );
    assert_eq!(project.rollouts("runs/latest").lines.len(), 6);
    let said = project.crossbar(&["run", "--agent", "best+react"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stderr.contains("`best+react`"), "{said}");
    assert!(
        said.stderr
            .contains("help: its cells are: good+react, poor+react"),
        "{said}"
    );
}

#[test]
fn trials_and_k_add_two_columns() {
    let project = Project::pack();
    let said = run(&project, &["--trials", "4", "--k", "2"]);
    assert_eq!(project.rollouts("runs/latest").lines.len(), 16);
    assert!(
        said.stdout.contains("PASS@2") || said.stdout.contains("pass@2"),
        "{said}"
    );
    assert!(
        said.stdout.contains("PASS^2") || said.stdout.contains("pass^2"),
        "{said}"
    );
    let plain = run(&project, &["--trials", "4"]);
    assert!(!plain.stdout.to_lowercase().contains("pass@"), "{plain}");
    let said = project.crossbar(&["run", "--trials", "2", "--k", "3"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr.contains("k is 3 and there are 2 repeats"),
        "{said}"
    );
}

#[test]
fn json_is_one_document_and_everything_else_is_on_the_other_stream() {
    let project = Project::pack();
    let said = run(&project, &["--json"]);
    let document: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(document, project.sweep("runs/latest"));
    for part in ["verdict", "analysis", "rollouts", "question"] {
        assert!(!document[part].is_null(), "{part}");
    }
    for part in ["cells", "comparisons"] {
        assert!(document["analysis"][part].is_array(), "{part}");
    }
    assert!(said.stderr.contains("12/12"), "{said}");
    let again = project.crossbar(&["verdict", "--json"]);
    assert_eq!(again.stdout, said.stdout);
}

#[test]
fn files_go_where_somebody_wants_them_too() {
    let project = Project::pack();
    run(&project, &["--out", "build/report"]);
    assert_eq!(project.bytes("build/report"), project.bytes("runs/latest"));
    for file in [
        "sweep.json",
        "report.md",
        "junit.xml",
        "rollouts.csv",
        "traces/good+react/one-r1.json",
    ] {
        assert!(project.has(&format!("build/report/{file}")), "{file}");
    }
}

#[test]
fn the_roster_and_the_results_can_be_elsewhere() {
    let mut project = Project::pack();
    project.write(
        "ci/other.yaml",
        &format!("{}packs: [../desk]\n", project.read("crossbar.yaml")),
    );
    run(&project, &["--config", "ci/other.yaml"]);
    assert!(project.has("ci/runs/latest/sweep.json") && !project.has("runs"));
    let kept = project.path().join("kept").to_string_lossy().into_owned();
    project.env("CROSSBAR_RESULTS_DIR", &kept);
    project.env("CROSSBAR_RUN_ID", "nightly-7");
    run(&project, &[]);
    assert!(project.has("kept/nightly-7/sweep.json") && !project.has("runs"));
    let shown = project.crossbar(&["show", "good+react", "one", "--run", "nightly"]);
    assert_eq!(shown.code, Some(0), "{shown}");
}

#[test]
fn colour_where_somebody_reads_it_or_asks_and_in_no_file() {
    let mut project = Project::pack();
    let escape = '\u{1b}';
    assert!(!run(&project, &[]).stdout.contains(escape));
    for when in ["always", "never", "auto"] {
        let said = run(&project, &["--color", when]);
        assert_eq!(
            said.stdout.contains(escape),
            when == "always",
            "{when} {said}"
        );
        assert!(!said.stderr.contains(escape), "{said}");
        for (path, bytes) in project.bytes("runs/latest") {
            assert!(!bytes.contains(&0x1b), "{when} {path}");
        }
    }
    project.env("CLICOLOR_FORCE", "1");
    assert!(project.crossbar(&["verdict"]).stdout.contains(escape));
    project.env("NO_COLOR", "1");
    assert!(!project.crossbar(&["verdict"]).stdout.contains(escape));
}
