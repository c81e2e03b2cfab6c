//! `crossbar review`: a decision on each change, in a terminal and by flags; and a run of something
//! that has changed since, which nobody accepts by mistake.

use super::project;
use crossbar_suites::project::{Output, Project};
use std::path::Path;

const STORED: &str = "{mode: regression, cell: good+react, allow_mock: true}";
const GOOD: &str = "references/desk/good+react.jsonl";

/// Types its arguments, one line each, into a command in a terminal of its own, each after a
/// question, and prints what the terminal showed.
const TERMINAL: &str = r#"
import os, pty, sys
answers = sys.argv[1].split(",")
pid, terminal = pty.fork()
if pid == 0:
    os.execvp("crossbar", ["crossbar"] + sys.argv[2:])
seen, asked = b"", 0
while True:
    try:
        more = os.read(terminal, 4096)
    except OSError:
        break
    if not more:
        break
    seen += more
    while seen.count(b"? ") > asked and asked < len(answers):
        os.write(terminal, answers[asked].encode() + b"\n")
        asked += 1
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"#;

fn in_terminal(project: &Project, answers: &str, args: &[&str]) -> Output {
    let all = [&["-c", TERMINAL, answers][..], args].concat();
    project.start(Path::new("python3"), &all).end()
}

/// The tasks that have a reference.
fn accepted(project: &Project) -> Vec<String> {
    let text = project.has(GOOD).then(|| project.read(GOOD));
    let lines = text.unwrap_or_default();
    let lines = lines.lines().filter(|line| !line.is_empty());
    let task = |line: &str| {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        record["task"].as_str().unwrap().to_owned()
    };
    lines.map(task).collect()
}

fn ran(tasks: u32) -> Project {
    let project = project(tasks, STORED);
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    project
}

#[test]
fn a_person_decides_on_each_change_in_a_terminal() {
    let project = ran(4);
    // Another word than a letter asks again.
    let said = in_terminal(&project, "a,r,what,k,q", &["review"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stdout.contains("[1/4] good+react"), "{said}");
    assert!(
        said.stdout.contains("good+react desk::t01: 3/3, new"),
        "{said}"
    );
    assert!(said.stdout.contains("desk::t02: rejected"), "{said}");
    assert!(said.stdout.contains("2 kept for later"), "{said}");
    assert_eq!(accepted(&project), ["desk::t01"]);
    let run = project.sweep("runs/latest")["run_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let pending = project.read(&format!("runs/{run}/pending/desk/good+react.jsonl"));
    assert!(
        !pending.contains("t02") && pending.contains("t03"),
        "{pending}"
    );
    // What was decided is not asked again; what was kept is.
    let said = in_terminal(&project, "a,q", &["review"]);
    assert!(said.stdout.contains("[1/2] good+react"), "{said}");
    assert_eq!(accepted(&project), ["desk::t01", "desk::t03"]);
    // A later acceptance of all leaves out what was rejected, unless somebody names it.
    let said = project.crossbar(&["accept"]);
    assert!(said.stdout.contains("t02: rejected in a review"), "{said}");
    assert_eq!(accepted(&project), ["desk::t01", "desk::t03", "desk::t04"]);
    assert_eq!(project.crossbar(&["accept", "--task", "t02"]).code, Some(0));
    assert_eq!(accepted(&project).len(), 4);
}

#[test]
fn a_drop_is_accepted_in_a_terminal_with_a_reason_alone() {
    let project = ran(6);
    assert_eq!(project.crossbar(&["accept"]).code, Some(0));
    project.replace("crossbar.yaml", "skill: 1\n", "skill: 0\n");
    assert_eq!(project.crossbar(&["run"]).code, Some(1));
    let before = project.bytes("references");
    let said = in_terminal(&project, "a,,q", &["review"]);
    assert!(said.stdout.contains("why is it meant"), "{said}");
    assert_eq!(
        project.bytes("references"),
        before,
        "no reason, no reference: {said}"
    );
    let said = in_terminal(&project, "a,the tool is gone,q", &["review"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(project.read(GOOD).contains("the tool is gone"), "{said}");
}

#[test]
fn without_a_terminal_it_lists_and_the_flags_decide() {
    let mut project = ran(3);
    let said = project.crossbar(&["review"]);
    assert_eq!(said.code, Some(0), "{said}");
    for text in [
        "pending:\n  good+react desk::t01",
        "--accept GLOB and --reject GLOB",
    ] {
        assert!(said.stdout.contains(text), "{text}: {said}");
    }
    assert!(!project.has("references"), "a list decides nothing");
    for (args, why) in [
        (
            &["review", "--accept", "nothing"][..],
            "no pending task is named",
        ),
        (
            &["review", "--accept", "*", "--reject", "t01"],
            "accepted and rejected at once",
        ),
        (&["review", "--reason", "so"], "--accept"),
    ] {
        let said = project.crossbar(args);
        assert!(
            said.code == Some(2) && said.stderr.contains(why),
            "{args:?} {said}"
        );
    }
    project.env("CI", "true");
    let said = project.crossbar(&["review", "--accept", "t01"]);
    assert!(
        said.code == Some(2) && said.stderr.contains("variable CI"),
        "{said}"
    );
    project.unset("CI");
    let said = project.crossbar(&["review", "--accept", "t01", "--reject", "t02"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(accepted(&project), ["desk::t01"]);
    let said = project.crossbar(&["review"]);
    assert!(said.stdout.contains("rejected in a review"), "{said}");
    assert!(
        said.stdout.contains("pending:\n  good+react desk::t03\n"),
        "{said}"
    );
    assert_eq!(project.crossbar(&["review", "--reject", "*"]).code, Some(0));
    let said = project.crossbar(&["review"]);
    assert!(said.stdout.contains("nothing is pending"), "{said}");
}

#[test]
fn a_run_of_something_that_changed_since_is_accepted_only_when_somebody_says_so() {
    let project = ran(3);
    project.replace("desk/t01.task.yaml", "is urgent.", "is very urgent.");
    for args in [&["accept"][..], &["review", "--accept", "*"]] {
        let said = project.crossbar(args);
        assert_eq!(said.code, Some(2), "{said}");
        for why in ["what is here now: desk::t01 changed", "--outdated"] {
            assert!(said.stderr.contains(why), "{why}: {said}");
        }
        assert!(!project.has("references"), "{said}");
    }
    let said = project.crossbar(&["accept", "--task", "t02"]);
    assert_eq!(said.code, Some(0), "what did not change may be: {said}");
    project.remove("desk/t01.task.yaml");
    let said = project.crossbar(&["accept"]);
    assert!(said.stderr.contains("desk::t01 is gone"), "{said}");
    project.replace("crossbar.yaml", "skill: 1\n", "skill: 0.9\n");
    let said = project.crossbar(&["accept", "--task", "t02"]);
    assert!(
        said.stderr
            .contains("the configuration of good+react changed"),
        "{said}"
    );
    assert_eq!(project.crossbar(&["accept", "--outdated"]).code, Some(0));
    assert_eq!(accepted(&project).len(), 3);
}

#[test]
fn a_drop_is_not_accepted_one_task_at_a_time_either() {
    let project = project(8, STORED);
    let args = ["run", "--agent", "good+react", "--repeats", "2"];
    assert_eq!(project.crossbar(&args).code, Some(0));
    assert_eq!(project.crossbar(&["accept"]).code, Some(0));
    project.replace("crossbar.yaml", "skill: 1\n", "skill: 0\n");
    assert_eq!(project.crossbar(&args).code, Some(1));
    // Two rollouts of one task show nothing by themselves: 2/2 -> 0/2 has a p of 1/6.
    let said = project.crossbar(&["accept", "--task", "t01"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr
            .contains("shows a drop against its reference: desk::t01 2/2 -> 0/2\n"),
        "{said}"
    );
}

#[test]
fn a_run_of_tasks_in_rust_is_asked_about_in_their_binary() {
    let project = Project::first_test();
    let run = project.crossbar(&["run"]);
    assert_eq!(run.code, Some(0), "{run}");
    let accept = ["accept", "--cell", "mock-strong+react"];
    let said = project.crossbar(&accept);
    assert_eq!(said.code, Some(0), "{said}");
    project.replace("tests/agents.rs", "(\"assign\") == 1", "(\"assign\") <= 1");
    let said = project.crossbar(&accept);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr.contains("what is here now: first-test::"),
        "{said}"
    );
}
