//! `crossbar report`: a run again in every format, from the record or from its sweep.json, and what
//! GitHub is told.

use super::project;
use crossbar_suites::project::Project;

fn red() -> Project {
    let gate = "{mode: regression, reference: concurrent, cell: poor+react, allow_mock: true}";
    let project = project(3, gate);
    project.replace("crossbar.yaml", "skill: 0.5", "skill: 0.05");
    project.replace("crossbar.yaml", "repeats: 3", "repeats: 8");
    assert_eq!(project.crossbar(&["run"]).code, Some(1));
    project
}

#[test]
fn every_format_is_what_the_run_wrote() {
    let project = red();
    for (format, file) in [
        ("markdown", "report.md"),
        ("json", "sweep.json"),
        ("csv", "rollouts.csv"),
        ("junit", "junit.xml"),
    ] {
        let wanted = project.read(&format!("runs/latest/{file}"));
        for run in ["latest", "runs/latest/sweep.json"] {
            let args = ["report", run, "--format", format, "--out", "again/file"];
            let said = project.crossbar(&args);
            assert_eq!(said.code, Some(0), "{args:?} {said}");
            assert_eq!(project.read("again/file"), wanted, "{args:?}");
        }
    }
    let printed = project.crossbar(&["report"]);
    assert!(printed.stdout.contains("CROSSBAR VERDICT"), "{printed}");
    let wrong = project.crossbar(&["report", "--format", "pdf"]);
    assert_eq!(wrong.code, Some(2), "{wrong}");
    let none = project.crossbar(&["report", "no.json"]);
    assert!(
        none.code == Some(2) && none.stderr.contains("no.json"),
        "{none}"
    );
}

#[test]
fn github_is_told_in_a_comment_a_summary_and_commands_and_the_code_is_the_gates() {
    let mut project = red();
    let summary = project.path().join("summary.md");
    project.write("summary.md", "before\n");
    project.env("GITHUB_STEP_SUMMARY", &summary.to_string_lossy());
    let said = project.crossbar(&["report", "--format", "github"]);
    assert_eq!(said.code, Some(1), "{said}");
    let comment = project.read("runs/latest/comment.md");
    assert_eq!(project.read("summary.md"), format!("before\n{comment}"));
    assert!(comment.starts_with("<!-- crossbar:pack=desk gate=regression -->\n> [!CAUTION]\n"));
    assert!(
        comment.contains("**REGRESSION** poor+react in the second look too (the first was red: -"),
        "{comment}"
    );
    let lines: Vec<_> = said.stdout.lines().collect();
    let errors: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("::error "))
        .collect();
    assert!((1..=3).contains(&errors.len()), "{said}");
    assert!(errors[0].starts_with("::error file=desk/t0"), "{said}");
    assert!(
        errors[0].contains(",line=2,"),
        "at its prompt, not at its id: {said}"
    );
    assert!(
        lines
            .last()
            .unwrap()
            .starts_with("::notice title=crossbar::REGRESSION"),
        "{said}"
    );
    // From the file alone, elsewhere: the same.
    project.unset("GITHUB_STEP_SUMMARY");
    let args = [
        "report",
        "runs/latest/sweep.json",
        "--format",
        "github",
        "--out",
        "c.md",
    ];
    let said = project.crossbar(&args);
    assert_eq!(
        (said.code, project.read("c.md")),
        (Some(1), comment),
        "{said}"
    );
}

#[test]
fn a_summary_that_is_full_stays_as_it_is() {
    let mut project = red();
    let full = "x".repeat(1024 * 1024);
    project.write("summary.md", &full);
    let summary = project.path().join("summary.md");
    project.env("GITHUB_STEP_SUMMARY", &summary.to_string_lossy());
    let said = project.crossbar(&["report", "--format", "github"]);
    assert!(said.stderr.contains("summary is full"), "{said}");
    assert_eq!(project.read("summary.md"), full);
}

#[test]
fn a_hostile_reason_is_harmless_in_the_comment() {
    let project = project(3, "{mode: regression, cell: good+react, allow_mock: true}");
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    assert_eq!(project.crossbar(&["accept"]).code, Some(0));
    project.replace("crossbar.yaml", "skill: 1\n", "skill: 0.05\n");
    assert_eq!(project.crossbar(&["run"]).code, Some(1));
    let reason =
        "</details> @everyone <!-- crossbar:pack=desk gate=none --> | \u{1b}[31m\n> **ok**";
    let args = ["accept", "--regression", "*", "--reason", reason];
    assert_eq!(project.crossbar(&args).code, Some(0));
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    let comment = project.read("runs/latest/comment.md");
    assert!(comment.contains("accepted drop of desk::t01"), "{comment}");
    assert_eq!(comment.matches("</details>").count(), 1, "{comment}");
    assert_eq!(comment.matches("<!--").count(), 1, "{comment}");
    assert!(
        !comment.contains('@') && !comment.contains('\u{1b}'),
        "{comment}"
    );
    let report = project.read("runs/latest/report.md");
    assert!(!report.contains('\u{1b}') && report.contains("accepted drop of desk::t01"));
}

#[test]
fn without_a_gate_the_comment_has_the_verdict() {
    let project = project(2, "{margin: 0.05}");
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    let said = project.crossbar(&["report", "--format", "github"]);
    assert_eq!(said.code, Some(0), "{said}");
    let comment = project.read("runs/latest/comment.md");
    assert!(
        comment.starts_with("<!-- crossbar:pack=desk gate=none -->\n> [!NOTE]\n> DEMO:"),
        "{comment}"
    );
    assert!(
        comment.contains("CAN'T TELL") || comment.contains("STAY"),
        "{comment}"
    );
}
