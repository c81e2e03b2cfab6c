//! Single rules of the format.

use super::*;

#[test]
fn t03_missing_keys_are_named() {
    bad(
        "name: x\n",
        &[
            "1:1: key `id` is missing in a task (add `id: ...`)",
            "1:1: key `prompt` is missing in a task (add `prompt: ...`)",
            "1:1: key `checks` is missing in a task (add `checks: ...`)",
        ],
    );
    bad(
        &with("prompt_: x\n").replace("Close T-1.", "' '"),
        &[
            "2:9: `prompt` is empty (write a text or remove the key)",
            "7:1: unknown key `prompt_` in a task (keys here are `id`, `name`, `prompt`, `family`, `anchor`, `tags`, `weight`, `min_pass_rate`, `timeout_s`, `max_steps`, `budget_tokens`, `environment`, `security`, `checks`, `demo`, `broken`, `category`, `difficulty`, `risk`, `repository`, `split`, `adversarial`, `public`, `version`)",
        ],
    );
}

#[test]
fn a_floor_is_a_rate_above_zero_and_no_part_of_the_fingerprint() {
    let task = good(&with("min_pass_rate: 0.8\n"));
    assert_eq!(task.min_pass_rate, Some(0.8));
    assert_eq!(task.canonical, good(&with("")).canonical);
    for bad_one in ["0", "1.1", "80%"] {
        bad(
            &with(&format!("min_pass_rate: {bad_one}\n")),
            &[&format!(
                "7:16: `min_pass_rate` is `{bad_one}`, expected a number from 0.01 to 1"
            )],
        );
    }
}

#[test]
fn what_would_change_a_verdict_is_refused_until_it_is_built() {
    bad(
        &with("expect: refusal\n"),
        &["7:9: `expect` is not built yet (remove it)"],
    );
    let environment = "\
id: t
prompt: p
environment:
  workspace: {fixture: f}
  servers:
    - {name: desk, command: x, ports: [A], exclusive: true, reset: x}
checks: [{type: tool_called, tool: desk.close}]
";
    bad(
        environment,
        &[
            "4:14: `workspace` is not built yet (remove it)",
            "6:39: `ports` is not built yet (remove it)",
            "6:55: `exclusive` is not built yet (remove it)",
            "6:68: `reset` is not built yet (remove it)",
        ],
    );
}

/// A task with this environment.
fn around(environment: &str) -> String {
    format!(
        "id: t\nprompt: p\nenvironment: {environment}\nchecks: [{{type: final_text, value: x}}]\n"
    )
}

#[test]
fn a_container_and_a_server_at_an_address_are_recorded_and_keep_the_task_from_running() {
    use crate::domain::Unmet::{self, Container, RemoteServer};
    // Where the feature is, such a server is reached.
    let far: &[Unmet] = match cfg!(feature = "mcp-http") {
        true => &[],
        false => &[RemoteServer],
    };
    let both = [&[Container], far].concat();
    let good = |text: &str| read(text).0.unwrap();
    let plain = good(&around("{kind: local}"));
    assert!(plain.unmet.is_empty());
    assert_eq!(plain.canonical, good(&around("{}")).canonical);
    let mut seen = vec![plain.canonical];
    let cases: [(&str, &[Unmet]); 7] = [
        ("{kind: docker}", &[Container]),
        ("{image: a}", &[Container]),
        ("{kind: docker, image: a}", &[Container]),
        ("{kind: docker, image: b}", &[Container]),
        ("{servers: [{name: s, url: 'https://a'}]}", far),
        (
            "{servers: [{name: s, url: 'https://a', headers: {A: b}}]}",
            far,
        ),
        (
            "{kind: docker, servers: [{name: s, url: 'https://b'}]}",
            &both,
        ),
    ];
    for (environment, unmet) in cases {
        let task = good(&around(environment));
        assert_eq!(task.unmet, unmet.iter().copied().collect(), "{environment}");
        assert!(!seen.contains(&task.canonical), "{environment}");
        seen.push(task.canonical);
    }
}

#[test]
fn a_server_has_a_command_or_an_address() {
    for (server, wanted) in [
        (
            "{name: s}",
            "key `command` is missing in a server (add `command: ...`)",
        ),
        (
            "{name: s, command: x, url: 'http://y'}",
            "`url` stands beside `command` (a server is started by its `command` or runs already at its `url`: keep one)",
        ),
        (
            "{name: s, command: x, headers: {A: b}}",
            "`headers` are for a server with a `url` (remove them)",
        ),
        (
            "{name: s, url: 'http://y', cwd: z}",
            "`cwd` is for a server with a `command` (remove it)",
        ),
        (
            "{name: s, url: 'http://y?key=sk-0123'}",
            "`url` holds a secret (put it into the environment, and write `${NAME}` in its place or in `headers`)",
        ),
        (
            "{name: s, url: 'http://y', headers: {X-Token: abc}}",
            "`X-Token` holds a secret (put it into the environment, and write `${NAME}` in its place)",
        ),
        (
            "{name: s, url: 'http://y', headers: {'A B': c}}",
            "`A B` has a name that no header has (write `Name: value`)",
        ),
        (
            "{name: s, url: 'http://y', headers: {Host: c}}",
            "`Host` is set by the protocol (remove it)",
        ),
        (
            "{name: s, url: 'http://y', headers: {A: \"b\\nc\"}}",
            "`A` has a line break or another control character in its value (remove it, there or from the variable)",
        ),
    ] {
        let (_, mut problems) = read(&around(&format!("{{servers: [{server}]}}")));
        problems.retain(|one| !one.starts_with("warning"));
        let [one] = problems.as_slice() else {
            panic!("{server}: {problems:?}");
        };
        assert!(one.ends_with(wanted), "{one}");
    }
}

#[test]
#[cfg(feature = "mcp-http")]
fn an_address_is_expanded_written_as_it_stands_and_its_variables_are_secrets() {
    let lookup = |name: &str| match name {
        "HOST" => Some("desk.example".to_owned()),
        "URL" => Some("https://me:pw-3456@desk.example/mcp?key=k-1234".to_owned()),
        "TENANT" => Some("t-5678".to_owned()),
        "KEY" => Some("k-9012".to_owned()),
        _ => None,
    };
    let of = |url: &str| {
        let server =
            format!("{{name: s, url: '{url}', headers: {{Authorization: 'Bearer ${{KEY}}'}}}}");
        let task = read_with(&around(&format!("{{servers: [{server}]}}")), &lookup).0;
        let task = task.unwrap();
        let servers = task.declared.unwrap().environment.servers;
        (servers[0].address.clone().unwrap(), task.canonical)
    };
    let (address, canonical) = of("https://${HOST}/${TENANT}/mcp");
    assert_eq!(address.url, "https://desk.example/t-5678/mcp");
    let header = ("Authorization".to_owned(), "Bearer k-9012".to_owned());
    assert_eq!(address.headers, [header]);
    let secret = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        address.secrets,
        [secret("TENANT", "t-5678"), secret("KEY", "k-9012")]
    );
    let written = &canonical["environment"]["servers"][0]["address"];
    assert_eq!(
        *written,
        serde_json::json!({"url": "https://${HOST}/${TENANT}/mcp",
               "headers": [["Authorization", "Bearer ${KEY}"]]})
    );
    let (address, _) = of("${URL}");
    assert_eq!(
        address.secrets,
        [
            secret("URL", "me"),
            secret("URL", "pw-3456"),
            secret("URL", "k-1234"),
            secret("KEY", "k-9012")
        ]
    );
}

#[test]
fn what_is_only_recorded_is_said_and_has_its_shape() {
    let task = good(&with(
        "category: a\ndifficulty: b\nrisk: c\nrepository: d\nsplit: e\nanchor: true\nadversarial: false\npublic: true\nbroken: [{final: x}]\nversion: 2\n",
    ));
    assert_eq!(
        task.unbuilt,
        [
            "category",
            "difficulty",
            "risk",
            "repository",
            "split",
            "adversarial",
            "public",
        ]
    );
    assert_eq!(task.canonical.get("broken"), None);
    bad(
        &with("anchor: maybe\nversion: 0\nbroken: x\ncategory: [x]\n"),
        &[
            "7:9: `anchor` is `maybe`, expected `true` or `false`",
            "8:10: `version` is `0`, expected a whole number from 1 to 4294967295",
            "9:9: `broken` is `x`, expected a list",
            "10:11: `category` is a list, expected a text",
        ],
    );
}

#[test]
fn servers_have_distinct_names_and_sound_keys() {
    bad(
        "\
id: t
prompt: p
environment:
  servers:
    - {name: desk, command: ''}
    - {name: DESK, command: x, start_timeout_s: 0}
    - {name: 'a b', command: x, env: {'A=B': c, OK: [x]}}
    - {command: x}
checks: [{type: tool_called, tool: close}]
",
        &[
            "5:29: `command` is empty (write it, or remove the key)",
            "6:14: server id `DESK` is taken by line 5 (case makes no difference) (choose another id)",
            "6:49: `start_timeout_s` is `0`, expected a number from 0.1 to 3600",
            "7:14: `name` cannot be `a b` (use one or more of A-Z a-z 0-9 _ . -, not dots alone)",
            "7:39: a variable's name is empty or has a `=` in it (write `NAME: value`)",
            "7:53: `OK` is a list, expected a text",
            "8:8: key `name` is missing in a server (add `name: ...`)",
        ],
    );
}

#[test]
fn a_path_begins_at_the_tasks_folder_and_a_bare_command_does_not() {
    let server = |keys: &str| {
        let text = format!(
            "id: t\nprompt: p\nenvironment: {{servers: [{{name: s, {keys}}}]}}\nchecks: [{{type: tool_called, tool: x}}]\n"
        );
        let declared = good(&text).declared.unwrap();
        let server = declared.environment.servers[0].clone();
        (server.command, server.cwd)
    };
    for (keys, command, cwd) in [
        ("command: python3", "python3".to_owned(), None),
        ("command: bin/x", "/packs/p/bin/x".to_owned(), None),
        ("command: /bin/x", "/bin/x".to_owned(), None),
        ("command: '${BIN}'", "/opt/crossbar".to_owned(), None),
        (
            "command: '${CROSSBAR_WORKSPACE}/x', cwd: '${CROSSBAR_WORKSPACE}'",
            format!("{WORKSPACE_MARK}/x"),
            Some(WORKSPACE_MARK.to_owned()),
        ),
        (
            "command: x, cwd: /srv",
            "x".to_owned(),
            Some("/srv".to_owned()),
        ),
    ] {
        assert_eq!(server(keys), (command, cwd), "{keys}");
    }
}

#[test]
fn a_check_that_asks_a_server_which_is_not_there_is_an_error() {
    bad(
        &checks(
            "  - {type: mcp_state, server: dek, tool: get, expect: 1}\n  - {type: tool_called, server: post, tool: send}\n  - {type: tool_called, tool: deskk.get}\n  - {type: tool_called, tool: mail.send}\n  - {type: tool_called, tool: send}\n",
        ),
        &[
            "5:31: `server` names the server `dek`, which this task does not have (did you mean `desk`?)",
            "6:33: `server` names the server `post`, which this task does not have (the servers are `desk`, `mail`)",
            "7:31: `tool` names the server `deskk`, which this task does not have (did you mean `desk`?)",
        ],
    );
    bad(
        "id: t\nprompt: p\nchecks: [{type: mcp_state, server: desk, tool: get, expect: 1}]\n",
        &[
            "3:36: `server` names the server `desk`, which this task does not have (add it to `environment.servers`)",
        ],
    );
}

#[test]
fn what_a_check_kind_refuses_has_the_place_of_its_field() {
    bad(
        &checks(
            "  - {type: final_text, match: regex, value: '('}\n  - {type: tool_called, tool: desk.*x, weight: 0}\n  - {type: tool_called, tool: desk.x, min_times: 3, max_times: 2}\n  - {type: no_tool_errors, guard: false}\n  - {type: tool_called, tool: x, description: ''}\n",
        ),
        &[
            "5:45: `value`: is `(`, which is no regular expression: unclosed group",
            "6:48: `weight`: must be above 0 and at most 1000000; a check that should add nothing is a guard",
            "7:64: `max_times`: 2 is below min_times 3: nothing can satisfy both",
            "8:35: `guard`: this check holds for an agent that does nothing, so it is a guard: leave the key out",
            "9:47: `description`: is empty: leave it out",
        ],
    );
    bad(
        &checks(
            "  - {type: mcp_state, server: desk, tool: get}\n  - {type: mcp_state, server: desk, tool: get, args: [x], expect: null, match: subsett}\n  - {type: final_text, value: x, match: subset}\n  - {type: tool_called, tool: x, severity: [high], weight: '2', required: yes}\n",
        ),
        &[
            "5:6: key `expect` is missing in check `mcp_state` (add `expect: ...`)",
            "6:54: `args` is a list, expected a mapping (`key: value`)",
            "6:80: `match` cannot be `subsett` (did you mean `subset`?)",
            "7:41: `match` cannot be `subset` (write one of `contains`, `regex`, `exact`)",
            "8:44: `severity` is a list, expected a text",
            "8:60: `weight` is the text `2`, expected a finite number (write it without quotes)",
            "8:75: `required` is `yes`, expected `true` or `false`",
        ],
    );
}

#[test]
fn guards_alone_are_no_task_and_claims_alone_are_warned_of() {
    bad(
        &checks("  - {type: no_tool_errors}\n  - {type: final_text, value: x, guard: true}\n"),
        &[
            "5:3: `checks` holds guards alone: a task must be able to fail and to succeed (add a check that an agent must work for, such as `mcp_state`)",
        ],
    );
    let (task, problems) = read(&checks(
        "  - {type: final_text, value: x}\n  - {type: no_tool_errors}\n",
    ));
    assert!(task.is_some(), "a warning leaves the task usable");
    assert_eq!(
        problems,
        [
            "warning 5:3: `final_text` is the only kind of check that can be gained: it tests a claim, not a fact (add a check of what the agent did, such as `mcp_state`)"
        ]
    );
}

#[test]
fn t06_the_script_names_tools_that_can_be_there() {
    let scripts = "demo:\n  script:\n    - {tool: dek__close}\n    - {tool: mail.send}\n    - {tool: close}\n    - {tool: ''}\n    - {tool: desk.close, args: [x]}\n    - {}\n";
    bad(
        &with(scripts),
        &[
            "9:14: `tool` names the server `dek`, which this task does not have (did you mean `desk`?)",
            "10:14: `tool` names the server `mail`, which this task does not have (the servers are `desk`)",
            "12:14: `tool` is empty (write `server.tool`)",
            "13:32: `args` is a list, expected a mapping (`key: value`)",
            "14:7: key `tool` is missing in a step (add `tool: ...`)",
        ],
    );
    bad(
        &with("demo: {}\n"),
        &["7:7: `demo` holds neither `script` nor `final` (write one of them, or remove it)"],
    );
    bad(
        "id: t\nprompt: p\nchecks: [{type: tool_called, tool: x}]\ndemo: {script: [{tool: close}]}\n",
        &[
            "4:24: `tool` is `close`, and this task has no server (add the server to `environment.servers`)",
        ],
    );
    let demo = good(&with("demo: {script: [{tool: close}]}\n"))
        .declared
        .unwrap()
        .demo;
    assert_eq!(demo.unwrap().steps[0].tool, "desk.close");
    let two = checks("  - {type: tool_called, tool: x}\ndemo: {script: [{tool: close}]}\n");
    assert_eq!(
        good(&two).declared.unwrap().demo.unwrap().steps[0].tool,
        "close"
    );
}

#[test]
fn t04_a_rule_that_would_forbid_nothing_is_an_error() {
    bad(
        &with("security: {forbidden_tools: ['*', desk.del*, other.x, '', drop]}\n"),
        &[
            "7:30: `*`: `*` stands only for all tools of one server: write `server.*`, or name the tools one by one",
            "7:35: `desk.del*`: `*` stands only for all tools of one server: write `server.*`, or name the tools one by one",
            "7:46: item 3 of `forbidden_tools` names the server `other`, which this task does not have (the servers are `desk`)",
            "7:55: a tool's name is empty: write `server.tool`, `server.*` or `tool`",
        ],
    );
}
