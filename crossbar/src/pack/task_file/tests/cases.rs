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

/// The one warning of these cases, which rest on what an agent says.
const CLAIM: &str = "`final_text` is the only kind of check that can be gained: it tests a claim, not a fact (add a check of what the agent did, such as `mcp_state`)";

/// The same text is refused with exactly these problems. A list of all keys is cut: what a task's
/// keys are is not the point of a case.
#[track_caller]
fn refused(text: &str, want: &[&str]) {
    let (task, problems) = read(text);
    assert!(task.is_none(), "{text}");
    let cut = |line: &String| line.split(" (keys here are").next().unwrap().to_owned();
    let problems: Vec<String> = problems.iter().map(cut).collect();
    assert_eq!(problems, want, "{text}");
}

#[test]
fn d01_texts_are_what_is_written() {
    let each = |line: usize| {
        format!(
            "{line}:5: `final_text` stands as a key, and `type` names a check's kind (write `type: final_text` and beside it its keys: `value`, `match`)"
        )
    };
    let want: Vec<String> = (4..=9).map(each).collect();
    refused(D01, &want.iter().map(String::as_str).collect::<Vec<_>>());
    let (task, problems) = read(&ours(D01));
    assert_eq!(problems, [format!("warning 4:3: {CLAIM}")]);
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
    refused(
        &ours(D02),
        &[
            "3:1: key `prompt` is given twice, first at line 2 (keep one of the two)",
            &format!("warning 5:3: {CLAIM}"),
        ],
    );
    refused(
        &ours(D02B),
        &[
            &format!("warning 4:3: {CLAIM}"),
            "5:1: unknown key `env` in a task (it belongs to a server, an item of `servers` under `environment`)",
            "7:3: key `A` is given twice, first at line 6 (keep one of the two)",
        ],
    );
    refused(
        &with("").replace("command: x", "command: x, env: {A: one, A: two}"),
        &["4:52: key `A` is given twice, first at line 4 (keep one of the two)"],
    );
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
    refused(
        &ours(D07),
        &[
            &format!("warning 4:3: {CLAIM}"),
            "5:1: file holds several documents (a file holds one document: move what follows `---` to a file of its own, or delete the `---`)",
        ],
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
    refused(
        &ours(D10),
        &["4:1: line is indented with a tab (indent with spaces; YAML does not allow tabs there)"],
    );
    let (task, problems) = read(&ours(D10B));
    assert_eq!(problems, [format!("warning 4:3: {CLAIM}")]);
    assert_eq!(task.unwrap().id.task(), "tab2");
}

#[test]
fn d12_an_unset_variable_is_an_error_at_its_place_and_texts_are_left_alone() {
    refused(
        D12,
        &[
            "1:1: unknown key `providers` in a task (each model in crossbar.yaml names its own `provider`)",
            "1:1: key `id` is missing in a task (add `id: ...`)",
            "1:1: key `prompt` is missing in a task (add `prompt: ...`)",
            "1:1: key `checks` is missing in a task (add `checks: ...`)",
            "7:1: unknown key `tasks` in a task (a file holds one task, its keys at the top: make it a file for each)",
        ],
    );
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
    refused(
        D14,
        &[
            "2:73: lists and mappings are nested deeper than 64 levels (no key takes a value that deep: look for a `[` or `{` that is repeated or never closed)",
        ],
    );
}

#[test]
fn d16_keys_of_elsewhere_are_refused_and_numbers_have_a_range() {
    let documents: Vec<&str> = D16.split("---\n").filter(|one| !one.is_empty()).collect();
    let seconds =
        |what: &str| format!("3:12: `timeout_s` is `{what}`, expected a number from 0.1 to 86400");
    let key = |what: &str, place: &str| {
        format!("3:1: unknown key `{what}` in a task (it belongs in crossbar.yaml, {place})")
    };
    let repeats = || key("repeats", "under `run`");
    let want = [
        repeats(),
        repeats(),
        repeats(),
        repeats(),
        seconds(".nan"),
        seconds(".inf"),
        key("budget_usd", "as `usd` under `budget`"),
        key("temperature", "to a model's `params`"),
        repeats(),
        repeats(),
    ];
    assert_eq!(documents.len(), want.len());
    for (document, want) in documents.iter().zip(want) {
        refused(&ours(document), &[&want, &format!("warning 4:9: {CLAIM}")]);
    }
}

#[test]
fn d16_extreme_numbers_are_told_the_range() {
    for (line, want) in [
        (
            "timeout_s: 0",
            "7:12: `timeout_s` is `0`, expected a number from 0.1 to 86400",
        ),
        (
            "timeout_s: 1e400",
            "7:12: `timeout_s` is `1e400`, expected a number from 0.1 to 86400",
        ),
        (
            "max_steps: 0",
            "7:12: `max_steps` is `0`, expected a whole number from 1 to 10000",
        ),
        (
            "max_steps: 1e3",
            "7:12: `max_steps` is `1e3`, expected a whole number from 1 to 10000",
        ),
        (
            "budget_tokens: -1",
            "7:16: `budget_tokens` is `-1`, expected a whole number from 1 to 1000000000000",
        ),
        (
            "budget_tokens: 99999999999999999999",
            "7:16: `budget_tokens` is `99999999999999999999`, expected a whole number from 1 to 1000000000000",
        ),
        (
            "weight: -1",
            "7:9: `weight` is `-1`, expected a number from 0 to 1000000",
        ),
        (
            "weight: .inf",
            "7:9: `weight` is `.inf`, expected a number from 0 to 1000000",
        ),
        (
            "security: {max_tool_calls: -1}",
            "7:28: `max_tool_calls` is `-1`, expected a whole number from 0 to 1000000",
        ),
        (
            "security: {max_tool_calls: 2.5}",
            "7:28: `max_tool_calls` is `2.5`, expected a whole number from 0 to 1000000",
        ),
    ] {
        refused(&with(line), &[want]);
    }
}
