//! Task files, good and bad, each problem with its exact place.

mod cases;
mod rules;

use super::*;
use crate::domain::{OnBlocked, ScriptStep};
use crate::source::{Severity, one_line};
use crate::task::{ServerSpec, WORKSPACE_MARK};
use serde_json::json;

/// Reads a task of the pack `p` in `/packs/p`: the variables `BIN` and `DIR` are set.
fn read_with(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> (Option<Task>, Vec<String>) {
    let file = File::new("t", text);
    let problems = Problems::new(file.path());
    let context = TaskContext {
        pack: "p",
        folder: "/packs/p",
        lookup,
    };
    let task = read_task(&file, &context, &problems);
    let found = problems.into_vec();
    let line = |one: &crate::source::Diagnostic| {
        let mark = match one.severity {
            Severity::Error => "",
            Severity::Warning => "warning ",
        };
        format!("{mark}{}", &one_line(one)["t:".len()..])
    };
    (task, found.iter().map(line).collect())
}

fn read(text: &str) -> (Option<Task>, Vec<String>) {
    read_with(text, &|name| match name {
        "BIN" => Some("/opt/crossbar".to_owned()),
        "DIR" => Some("data ${BIN}".to_owned()),
        _ => None,
    })
}

#[track_caller]
fn good(text: &str) -> Task {
    let (task, problems) = read(text);
    assert_eq!(problems, Vec::<String>::new());
    task.unwrap()
}

#[track_caller]
fn bad(text: &str, want: &[&str]) {
    let (task, problems) = read(text);
    assert_eq!(problems, want);
    assert!(task.is_none());
}

/// A sound task in six lines with one server `desk`; what follows begins at line 7.
fn with(rest: &str) -> String {
    format!(
        "id: t\nprompt: Close T-1.\nenvironment:\n  servers: [{{name: desk, command: x}}]\nchecks:\n  - {{type: tool_called, tool: desk.close}}\n{rest}"
    )
}

/// A task with the servers `desk` and `mail` whose checks are these lines, from line 5 on.
fn checks(lines: &str) -> String {
    format!(
        "id: t\nprompt: Close T-1.\nenvironment: {{servers: [{{name: desk, command: x}}, {{name: mail, command: x}}]}}\nchecks:\n{lines}"
    )
}

const FULL: &str = "\
id: close-one
name: Close one ticket
prompt: |
  Close ticket T-1 for ${HOME}: it costs $5.
family: closing
tags: [tickets, no]
weight: 2.5
category: mcp-workflow
split: development
anchor: true
version: 3
timeout_s: 60
max_steps: 12
budget_tokens: 50000
environment:
  kind: local
  servers:
    - name: tickets
      command: ${BIN}
      args: [__serve, tickets, '${CROSSBAR_WORKSPACE}/state.json', $$5, 012]
      env: {DIR: '${DIR}', MODE: '${MODE:-slow}'}
      start_timeout_s: 5
    - {name: mail.er, command: ./bin/mail, cwd: data}
security:
  forbidden_tools: [tickets.delete_all, mail.er.*, drop]
  max_tool_calls: 10
  on_blocked: record
checks:
  - type: mcp_state
    description: the ticket is closed
    server: tickets
    tool: get
    args: {id: T-1}
    expect: {status: closed, tags: [1.10, no], by: null}
    match: exact
    weight: 2
    severity: high
  - {type: tool_called, tool: mail.er.send, min_times: 1, max_times: 2, required: false}
  - {type: tool_called, server: tickets, tool: delete_all, max_times: 0}
  - {type: final_text, value: 1.10, guard: true}
  - {type: no_tool_errors}
demo:
  script:
    - {tool: tickets__get, args: {id: T-1}, thought: look}
    - {tool: mail.er.send}
    - {tool: mail.er__send, args: {n: 1e2}}
  final: 012
";

#[test]
fn t01_a_full_task_is_read_whole() {
    let task = good(FULL);
    assert_eq!(task.id.to_string(), "p::close-one");
    assert_eq!(task.name, "Close one ticket");
    assert_eq!(task.family.as_deref(), Some("closing"));
    assert_eq!(task.tags, ["tickets", "no"]);
    assert_eq!(task.weight, 2.5);
    assert_eq!(
        task.limits,
        Limits {
            max_steps: 12,
            timeout_s: 60.0,
            budget_tokens: Some(50_000),
            max_tool_calls: Some(10),
        }
    );
    let forbidden: Vec<&str> = task
        .security
        .forbidden
        .iter()
        .map(|one| one.as_str())
        .collect();
    assert_eq!(forbidden, ["tickets.delete_all", "mail.er.*", "drop"]);
    assert_eq!(task.security.on_blocked, OnBlocked::Record);
    assert_eq!(task.place.to_string(), "t:1");
    assert_eq!(task.declared.as_ref().unwrap().prompt_line, 3);
    assert!(task.anchor);
    assert_eq!(task.unbuilt, ["checks.severity", "category", "split"]);
}

#[test]
fn t01_the_work_of_a_full_task_is_read_whole() {
    let declared = good(FULL).declared.unwrap();
    assert_eq!(
        declared.prompt,
        "Close ticket T-1 for ${HOME}: it costs $5.\n"
    );
    let checks: Vec<_> = declared
        .checks
        .iter()
        .map(|check| {
            (
                check.name.as_str(),
                check.weight,
                check.required,
                check.guard,
            )
        })
        .collect();
    assert_eq!(
        checks,
        [
            ("the ticket is closed", 2.0, true, false),
            ("tool_called #2", 1.0, false, false),
            ("tool_called #3", 1.0, true, true),
            ("final_text #4", 1.0, true, true),
            ("no_tool_errors #5", 1.0, true, true),
        ]
    );
    let step = |tool: &str, args: Value, thought: Option<&str>| ScriptStep {
        tool: tool.to_owned(),
        args,
        thought: thought.map(ToOwned::to_owned),
    };
    let demo = declared.demo.unwrap();
    assert_eq!(
        demo.steps,
        [
            step("tickets.get", json!({"id": "T-1"}), Some("look")),
            step("mail.er.send", json!({}), None),
            step("mail.er.send", json!({"n": 100.0}), None),
        ]
    );
    assert_eq!(demo.final_text.as_deref(), Some("012"));
}

#[test]
fn t08_variables_expand_where_servers_are_and_the_mark_stands_for_the_workspace() {
    let servers = good(FULL).declared.unwrap().environment.servers;
    let text = |text: &str| text.to_owned();
    assert_eq!(
        servers[0],
        ServerSpec {
            name: text("tickets"),
            command: text("/opt/crossbar"),
            args: vec![
                text("__serve"),
                text("tickets"),
                format!("{WORKSPACE_MARK}/state.json"),
                text("$5"),
                text("012"),
            ],
            env: vec![
                (text("DIR"), text("data ${BIN}")),
                (text("MODE"), text("slow"))
            ],
            cwd: None,
            start_timeout_s: 5.0,
            error_pattern: None,
            address: None,
        }
    );
    assert_eq!(servers[1].command, "/packs/p/./bin/mail");
    assert_eq!(servers[1].cwd.as_deref(), Some("/packs/p/data"));
    assert_eq!(servers[1].start_timeout_s, ServerSpec::START_TIMEOUT_S);
}

#[test]
fn the_canonical_form_is_what_is_written_on_every_machine() {
    let canonical = good(FULL).canonical;
    let elsewhere = |name: &str| Some(format!("elsewhere/{name}"));
    assert_eq!(read_with(FULL, &elsewhere).0.unwrap().canonical, canonical);
    assert_eq!(
        canonical["environment"]["servers"][0]["args"],
        json!([
            "__serve",
            "tickets",
            "${CROSSBAR_WORKSPACE}/state.json",
            "$$5",
            "012"
        ])
    );
    assert_eq!(
        canonical["environment"]["servers"][1]["command"],
        "./bin/mail"
    );
    assert_eq!(canonical["limits"]["max_steps"], 12);
    assert_eq!(canonical["weight"], 2.5);
    for (key, value) in [("category", json!("mcp-workflow")), ("version", json!(3))] {
        assert_eq!(canonical[key], value);
    }
    assert_eq!(canonical["checks"][0]["severity"], "high");
    // a name is no behaviour; a text that only looks like the same number is another text
    assert_eq!(
        good(&FULL.replace("Close one ticket", "X")).canonical,
        canonical
    );
    for (old, new) in [
        ("value: 1.10", "value: 1.1"),
        ("costs $5", "costs $6"),
        ("final: 012", "final: 12"),
        ("category: mcp-workflow", "category: other"),
        ("${MODE:-slow}", "${MODE:-fast}"),
        ("severity: high", "severity: low"),
        ("family: closing", "family: opening"),
    ] {
        assert!(FULL.contains(old));
        assert_ne!(good(&FULL.replace(old, new)).canonical, canonical, "{old}");
    }
}

#[test]
fn t01_what_is_not_said_is_a_default() {
    let task = good(&with(""));
    assert_eq!((task.name.as_str(), task.weight), ("t", 1.0));
    assert_eq!(task.limits, Limits::default());
    assert_eq!((task.limits.timeout_s, task.limits.max_steps), (120.0, 20));
    assert_eq!(task.limits.budget_tokens, None);
    assert_eq!(task.security.on_blocked, OnBlocked::Zero);
    assert!(task.unbuilt.is_empty() && task.tags.is_empty());
    assert!(task.declared.unwrap().demo.is_none());
}

#[test]
fn all_problems_of_a_file_come_at_once() {
    bad(
        "\
id: a/b
promt: Close T-1.
weight: 0
timeout_s: .nan
environment:
  kind: locla
  servers:
    - {name: desk, command: '${NOPE}', args: ['${ALSO}', [x]], comand: x}
security: {forbidden_tools: [dsk.*], on_blocked: never}
checks:
  - {type: mcp_stat}
  - {type: tool_called, tool: mail.send, min_times: -1}
  - {value: x}
demo: {script: [{tool: desk__close, arg: {}}]}
",
        &[
            "1:5: `id` cannot be `a/b` (use one or more of A-Z a-z 0-9 _ . -, not dots alone)",
            "2:1: unknown key `promt` in a task (did you mean `prompt`?)",
            "3:9: `weight` is 0 (write a number above 0, or remove the task)",
            "4:12: `timeout_s` is `.nan`, expected a number from 0.1 to 86400",
            "6:9: `kind` cannot be `locla` (did you mean `local`?)",
            "8:29: variable `NOPE` is not set (set it, give a default with `${NOPE:-...}`, or write `$${NOPE}` for the literal text)",
            "8:47: variable `ALSO` is not set (set it, give a default with `${ALSO:-...}`, or write `$${ALSO}` for the literal text)",
            "8:58: item 2 of `args` is a list, expected a text",
            "8:64: unknown key `comand` in a server (keys here are `name`, `command`, `url`, `headers`, `args`, `env`, `cwd`, `start_timeout_s`, `error_pattern`)",
            "9:30: item 1 of `forbidden_tools` names the server `dsk`, which this task does not have (did you mean `desk`?)",
            "9:50: `on_blocked` cannot be `never` (write one of `zero`, `record`)",
            "11:12: `type` cannot be `mcp_stat` (did you mean `mcp_state`?)",
            "12:31: `tool` names the server `mail`, which this task does not have (the servers are `desk`)",
            "12:53: `min_times` is `-1`, expected a whole number from 0 to 4294967295",
            "13:6: key `type` is missing in a check (add `type: ...`, one of `mcp_state`, `tool_called`, `final_text`, `no_tool_errors`)",
            "14:37: unknown key `arg` in a step (did you mean `args`?)",
        ],
    );
}

#[test]
fn broken_scripts_are_read_as_the_demo_is_and_change_no_fingerprint() {
    let plain = good(&with(""));
    let text = with(
        "broken:\n  - name: late\n    script: [{tool: desk__close, args: {id: T-2}}]\n    final: x\n  - {final: y}\n",
    );
    let task = good(&text);
    assert_eq!(task.canonical, plain.canonical);
    let broken = task.declared.unwrap().broken;
    assert_eq!(broken[0].name.as_deref(), Some("late"));
    assert_eq!(broken[0].script.steps[0].tool, "desk.close");
    assert_eq!(broken[1].name, None);
    assert_eq!(broken[1].script.final_text.as_deref(), Some("y"));
}

#[test]
fn a_broken_script_has_a_name_of_its_own_and_does_or_says_something() {
    bad(
        &with(
            "broken:\n  - {name: a b, final: x}\n  - {name: one, final: x}\n  - {name: ONE, final: y}\n  - {name: 2, final: x}\n  - {name: empty}\n  - {final: x, scrip: []}\n",
        ),
        &[
            "8:12: `name` cannot be `a b` (use one or more of A-Z a-z 0-9 _ . -, not dots alone)",
            "10:12: broken script id `ONE` is taken by line 9 (case makes no difference) (choose another id)",
            "11:12: the name `2` is a number (numbers are for scripts without a name; say what the mistake is)",
            "12:5: item 5 of `broken` holds neither `script` nor `final` (write one of them, or remove it)",
            "13:16: unknown key `scrip` in a broken script (did you mean `script`?)",
        ],
    );
}
