//! The cases that other tools' users met: each file as it is, and its point in this format.

use super::*;

const D01: &str = include_str!("../../../../../tests/cases/D01.yaml");
const D02: &str = include_str!("../../../../../tests/cases/D02.yaml");
const D02B: &str = include_str!("../../../../../tests/cases/D02b.yaml");
const D04: &str = include_str!("../../../../../tests/cases/D04.yaml");
const D05: &str = include_str!("../../../../../tests/cases/D05.yaml");
const D07: &str = include_str!("../../../../../tests/cases/D07.yaml");
const D09: &str = include_str!("../../../../../tests/cases/D09.yaml");
const D10: &str = include_str!("../../../../../tests/cases/D10.yaml");
const D10B: &str = include_str!("../../../../../tests/cases/D10b.yaml");
const D12: &str = include_str!("../../../../../tests/cases/D12.yaml");
const D14: &str = include_str!("../../../../../tests/cases/D14.yaml");
const D16: &str = include_str!("../../../../../tests/cases/D16.yaml");

/// The cases write a check as `final_text: { contains: x }`; here it is the same in this format.
fn ours(text: &str) -> String {
    text.replace(
        "{ final_text: { contains: x } }",
        "{ type: final_text, value: x }",
    )
    .replace("final_text: { contains: ", "{ type: final_text, value: ")
}

/// The problems without their text: `line:column`.
fn places(problems: &[String]) -> Vec<String> {
    let place = |line: &String| line.splitn(3, ':').take(2).collect::<Vec<_>>().join(":");
    problems.iter().map(place).collect()
}

#[test]
fn d01_texts_are_what_is_written() {
    let (task, problems) = read(D01);
    assert!(task.is_none());
    assert_eq!(
        places(&problems),
        ["4:5", "5:5", "6:5", "7:5", "8:5", "9:5"]
    );
    assert_eq!(
        problems[0],
        "4:5: `final_text` stands as a key, and `type` names a check's kind (write `type: final_text` with its keys beside it)"
    );
    let (task, problems) = read(&ours(D01));
    assert_eq!(problems.len(), 1, "{problems:?}");
    let task = task.unwrap();
    assert_eq!(task.id.task(), "5319E7");
    let values: Vec<&Value> = (0..6)
        .map(|at| &task.canonical["checks"][at]["fields"]["value"])
        .collect();
    assert_eq!(
        json!(values),
        json!(["1.10", "no", "012", "12:30", "~", "true"])
    );
}

#[test]
fn d02_a_key_given_twice_is_an_error_at_every_level() {
    let (task, problems) = read(&ours(D02));
    assert!(task.is_none());
    assert!(
        problems
            .iter()
            .any(|one| one.starts_with("3:1: ") && one.contains("prompt")),
        "{problems:?}"
    );
    let (task, problems) = read(&ours(D02B));
    assert!(task.is_none());
    assert!(
        problems
            .iter()
            .any(|one| one.starts_with("5:1: unknown key `env`")),
        "{problems:?}"
    );
    assert!(
        problems
            .iter()
            .any(|one| one.starts_with("7:3: ") && one.contains('A')),
        "{problems:?}"
    );
    let (task, problems) =
        read(&with("").replace("command: x", "command: x, env: {A: one, A: two}"));
    assert!(task.is_none());
    assert_eq!(places(&problems), ["4:52"], "{problems:?}");
}

#[test]
fn d04_a_misspelt_key_is_an_error_with_the_right_one() {
    bad(
        D04,
        &[
            "3:1: unknown key `timout_s` in a task (did you mean `timeout_s`?)",
            "4:1: unknown key `check` in a task (did you mean `checks`?)",
        ],
    );
    bad(
        &checks("  - {type: final_text, vale: hello, mach: exact}\n"),
        &[
            "5:24: unknown key `vale` in check `final_text` (did you mean `value`?)",
            "5:37: unknown key `mach` in check `final_text` (did you mean `match`?)",
        ],
    );
}

#[test]
fn d05_a_task_that_cannot_fail_is_refused() {
    bad(
        D05,
        &[
            "3:9: `checks` is empty: a task must be able to fail and to succeed (add a check that an agent must work for, such as `mcp_state`)",
        ],
    );
    bad(
        &D05.replace("[]", "null"),
        &["3:9: `checks` is `null`, expected a list"],
    );
    bad(
        &D05.replace("checks: []\n", ""),
        &["1:1: key `checks` is missing in a task (add `checks: ...`)"],
    );
}

#[test]
fn d07_several_documents_are_an_error() {
    let (task, problems) = read(&ours(D07));
    assert!(task.is_none());
    assert!(
        problems.iter().any(|one| one.starts_with("5:1: ")),
        "{problems:?}"
    );
}

#[test]
fn d09_line_ends_change_nothing() {
    let crlf = read(&ours(D09)).0.unwrap();
    let unix = read(&ours(D09).replace('\r', "")).0.unwrap();
    assert!(D09.contains("\r\n"));
    assert_eq!(crlf.canonical, unix.canonical);
    assert_eq!(crlf.declared.unwrap().prompt, "line one\nline two\n");
}

#[test]
fn d10_a_tab_is_named_where_it_hurts_and_accepted_where_not() {
    let (task, problems) = read(&ours(D10));
    assert!(task.is_none());
    assert!(
        problems[0].starts_with("4:1: ") && problems[0].contains("tab"),
        "{problems:?}"
    );
    assert!(read(&ours(D10B)).0.is_some());
}

#[test]
fn d12_an_unset_variable_is_an_error_at_its_place_and_texts_are_left_alone() {
    let (task, problems) = read(D12);
    assert!(task.is_none());
    assert!(problems[0].starts_with("1:1: "), "{problems:?}");
    let text = with("").replace(
        "command: x",
        "command: x, args: ['${NOPE}', '${NOPE:-none}', '$${LITERAL}']",
    );
    bad(
        &text,
        &[
            "4:45: variable `NOPE` is not set (set it, give a default with `${NOPE:-...}`, or write `$${NOPE}` for the literal text)",
        ],
    );
    let task = good(
        &text
            .replace("'${NOPE}', ", "")
            .replace("Close T-1.", "Print ${HOME}, it costs $5."),
    );
    let declared = task.declared.unwrap();
    assert_eq!(declared.environment.servers[0].args, ["none", "${LITERAL}"]);
    assert_eq!(declared.prompt, "Print ${HOME}, it costs $5.");
}

#[test]
fn d14_deep_nesting_is_an_error_and_no_abort() {
    let (task, problems) = read(D14);
    assert!(task.is_none());
    assert_eq!(problems.len(), 1, "{problems:?}");
}

#[test]
fn d16_extreme_numbers_and_keys_of_elsewhere_are_refused() {
    let documents: Vec<&str> = D16.split("---\n").filter(|one| !one.is_empty()).collect();
    assert_eq!(documents.len(), 10);
    for document in documents {
        let (task, problems) = read(&ours(document));
        assert!(task.is_none(), "{document}");
        let errors: Vec<&String> = problems
            .iter()
            .filter(|one| !one.starts_with("warning"))
            .collect();
        assert!(
            matches!(errors[..], [only] if only.starts_with("3:")),
            "{problems:?}"
        );
    }
    for line in [
        "timeout_s: 0",
        "timeout_s: 1e400",
        "max_steps: 0",
        "max_steps: 1e3",
        "budget_tokens: -1",
        "budget_tokens: 99999999999999999999",
        "weight: -1",
        "weight: .inf",
        "security: {max_tool_calls: -1}",
        "security: {max_tool_calls: 2.5}",
    ] {
        let (task, problems) = read(&with(line));
        assert!(task.is_none(), "{line}");
        assert!(
            matches!(&problems[..], [only] if only.starts_with("7:")),
            "{problems:?}"
        );
    }
}
