//! The four criteria that a task must meet (docs/task-authoring.md): a pack that breaks each of
//! them, what its author is told, and the same pack mended.

use crossbar_suites::project::{Output, Project};

const BAD: &str = "tests/fixtures/admission/bad";
const MENDED: &str = "tests/fixtures/admission/mended";

fn controls(folder: &str, criterion: &str) -> Output {
    let project = Project::with_pack_of_the_repository(&format!("{folder}/{criterion}"));
    project.crossbar(&["validate", "--controls", "--pack", criterion])
}

#[track_caller]
fn expect_told(criterion: &str, parts: &[&str]) {
    let said = controls(BAD, criterion);
    assert_eq!(said.code, Some(1), "{said}");
    for part in parts {
        assert!(said.to_string().contains(part), "{part}: {said}");
    }
    expect_held(MENDED, criterion);
}

#[track_caller]
fn expect_held(folder: &str, criterion: &str) {
    let said = controls(folder, criterion);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(!said.to_string().contains("warning"), "{said}");
}

#[test]
fn a_tool_that_no_server_has_makes_the_solution_red() {
    expect_told(
        "solvability",
        &[
            "solvability::charged-twice  0.00           0.75 FAILS     0.00",
            "help: every check holds, so mend its calls: none may fail",
        ],
    );
}

#[test]
fn a_check_that_takes_a_wrong_answer_makes_the_mistake_red() {
    expect_told(
        "checkability",
        &[
            "checkability::count  0.00           1.00           1.00 FAILS",
            "check `it says two` (final_text): holds",
            "warning: `final_text` is the only kind of check that can be gained",
        ],
    );
}

#[test]
fn credit_without_work_makes_doing_nothing_red() {
    expect_told(
        "integrity",
        &[
            "integrity::thanked  0.50 FAILS     1.00           0.50",
            "check `Alder Bank's ticket is open` (mcp_state): holds although nothing was done",
        ],
    );
}

/// The page says so: whether somebody really does such work is for a reader to judge.
#[test]
fn no_control_sees_that_a_task_is_not_realistic() {
    expect_held(BAD, "realism");
    expect_held(MENDED, "realism");
}
