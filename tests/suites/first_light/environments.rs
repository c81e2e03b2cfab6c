//! Environments: several servers in one rollout, a fresh world for each rollout, and the same
//! limits for every cell.

use crossbar_suites::counting_server::{CountingServer, Reply, Request};
use crossbar_suites::project::Project;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Two desks that differ in their names alone.
const DESKS: &str = "
    - {name: front, command: \"${CROSSBAR_BIN}\", args: [__serve, tickets]}
    - {name: back, command: \"${CROSSBAR_BIN}\", args: [__serve, tickets]}
checks:
  - type: mcp_state
    server: front
    tool: get_ticket
    args: {id: T-1001}
    expect: {ticket: {priority: urgent, team: null}}
  - type: mcp_state
    server: back
    tool: get_ticket
    args: {id: T-1001}
    expect: {ticket: {priority: low, team: billing}}
  - {type: tool_called, tool: front.set_priority, max_times: 1}
  - {type: tool_called, tool: back.set_priority, max_times: 1}
  - {type: tool_called, tool: front.assign, min_times: 0, max_times: 0}
demo:
  script:
    - {tool: front.set_priority, args: {id: T-1001, priority: urgent}}
    - {tool: back.set_priority, args: {id: T-1001, priority: low}}
    - {tool: back.assign, args: {id: T-1001, team: billing}}
  final: Urgent in front, low in the back.
";

/// What the live agent of the two desks does, turn by turn.
fn at_two_desks(request: &Request) -> Reply {
    let at = |name: &str, args: Value| Reply::call(name, &args);
    match request.turn() {
        1 => at(
            "front__set_priority",
            json!({"id": "T-1001", "priority": "urgent"}),
        ),
        2 => at(
            "back__set_priority",
            json!({"id": "T-1001", "priority": "low"}),
        ),
        3 => at("back__assign", json!({"id": "T-1001", "team": "billing"})),
        4 => at("get_ticket", json!({"id": "T-1001"})),
        5 => at("front__get_ticket", json!({"id": "T-1001"})),
        6 => at("back__get_ticket", json!({"id": "T-1001"})),
        _ => Reply::text("Urgent in front, low in the back."),
    }
}

/// The results of the calls so far, as the model was told them.
fn results(request: &Request) -> Vec<&str> {
    let messages = request.body["messages"].as_array().unwrap().iter();
    messages
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap())
        .collect()
}

#[test]
fn two_servers_of_one_rollout_keep_their_calls_and_their_state_apart() {
    let server = CountingServer::start(at_two_desks);
    let project = Project::empty();
    project.write(
        "crossbar.yaml",
        &format!(
            "models:\n  - {{id: far, provider: openai, base_url: \"{}\", price: free}}\n  \
             - {{id: near, provider: mock, price: free}}\n\
             harnesses: [{{id: react, kind: react}}, {{id: text, kind: text-json}}]\n\
             agents: [{{model: far, harness: react}}, {{model: near, harness: react}}, \
             {{model: near, harness: text}}]\nrun: {{repeats: 2}}\n",
            server.base_url()
        ),
    );
    let begin = "id: desks\nprompt: Urgent in front, low in the back.\nenvironment:\n  servers:";
    project.write("pack/desks.task.yaml", &format!("{begin}{DESKS}"));
    let said = project.crossbar(&["run", "--live", "--budget", "unlimited"]);
    assert_eq!(said.code, Some(0), "{said}");
    let lines = project.rollouts("runs/latest").lines;
    assert_eq!(lines.len(), 6);
    assert!(
        lines.iter().all(|line| line["outcome"] == "accepted"),
        "{lines:?}"
    );

    both_are_offered_and_told_apart(&server.requests());
    calls_stand_under_their_server(&project);
}

/// Every tool of both is offered once, under the name of its server.
fn both_are_offered_and_told_apart(requests: &[Request]) {
    let offered = requests[0].body["tools"].as_array().unwrap();
    let names: Vec<_> = offered
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .collect();
    for name in [
        "front__get_ticket",
        "back__get_ticket",
        "front__assign",
        "back__assign",
    ] {
        assert_eq!(
            names.iter().filter(|one| **one == name).count(),
            1,
            "{names:?}"
        );
    }
    // A tool that both have means neither, and each desk tells its own state.
    let last = requests.iter().find(|request| request.turn() == 7).unwrap();
    let results = results(last);
    assert!(results[3].contains("front__get_ticket"), "{}", results[3]);
    assert!(results[4].contains(r#""priority":"urgent""#) && results[4].contains(r#""team":null"#));
    assert!(
        results[5].contains(r#""priority":"low""#) && results[5].contains(r#""team":"billing""#)
    );
}

fn calls_stand_under_their_server(project: &Project) {
    let trace = project.read("runs/latest/traces/far+react/desks-r1.json");
    let trace: Value = serde_json::from_str(&trace).unwrap();
    let steps = trace["rollout"]["trajectory"]["steps"].as_array().unwrap();
    let called: Vec<_> = steps
        .iter()
        .flat_map(|step| step["calls"].as_array().unwrap())
        .map(|call| {
            format!(
                "{}.{}",
                call["server"].as_str().unwrap(),
                call["tool"].as_str().unwrap()
            )
        })
        .collect();
    let want = ["front.set_priority", "back.set_priority", "back.assign"];
    assert_eq!(called[..3], want, "{called:?}");
    assert_eq!(
        called[4..],
        ["front.get_ticket", "back.get_ticket"],
        "{called:?}"
    );
}

#[test]
fn no_rollout_sees_what_another_one_wrote() {
    for concurrency in ["1", "3"] {
        let mut project = Project::pack();
        project
            .replace("crossbar.yaml", "repeats: 3", "repeats: 4")
            .replace(
                "crossbar.yaml",
                "concurrency: 2",
                &format!("concurrency: {concurrency}"),
            )
            .replace("crossbar.yaml", "skill: 0.5", "skill: 1")
            .serve(
                "{name: tickets, command: sh, args: [-c, \"ls -A >> $SEEN; echo x > left; \
                 exec $BIN __serve tickets\"], env: {SEEN: \"${SEEN}\", BIN: \"${CROSSBAR_BIN}\"}}",
            );
        for name in project.names("desk") {
            project.replace(
                &format!("desk/{name}"),
                "  script:\n",
                "  script:\n    - {tool: tickets.delete_all}\n",
            );
            let text = project.read(&format!("desk/{name}"));
            let (before, rest) = text.split_once("checks:\n").unwrap();
            let (_, demo) = rest.split_once("demo:\n").unwrap();
            let empty = "checks:\n  - {type: mcp_state, server: tickets, tool: list_tickets, \
                         expect: {tickets: []}, match: exact}\n";
            project.write(
                &format!("desk/{name}"),
                &format!("{before}{empty}demo:\n{demo}"),
            );
        }
        let seen = project.path().join("seen.txt");
        std::fs::write(&seen, "").unwrap();
        project.env("SEEN", &seen.to_string_lossy());
        let said = project.crossbar(&["run"]);
        assert_eq!(said.code, Some(0), "{said}");
        // Each began in an empty folder, and with all six tickets.
        assert_eq!(project.read("seen.txt"), "");
        let sweep = project.sweep("runs/latest");
        let rollouts = sweep["rollouts"].as_array().unwrap();
        assert_eq!(rollouts.len(), 2 * 2 * 4);
        for rollout in rollouts {
            assert_eq!(rollout["outcome"]["kind"], "accepted", "{rollout}");
            let first = &rollout["trajectory"]["steps"][0]["calls"][0];
            assert_eq!(first["tool"], "delete_all");
            assert_eq!(first["outcome"]["structured"], json!({"deleted": 6}));
        }
    }
}

#[test]
fn every_cell_of_a_task_has_the_same_limits_and_is_held_to_them() {
    let project = Project::pack();
    project
        .write(
            "crossbar.yaml",
            "models:\n  - {id: a, provider: mock, price: free}\n  \
             - {id: b, provider: scripted, price: free}\n\
             harnesses:\n  - {id: react, kind: react}\n  - {id: text, kind: text-json}\n  \
             - {id: careful, kind: react, verify: true}\nrun: {repeats: 2}\n",
        )
        .replace(
            "desk/one.task.yaml",
            "environment:",
            "max_steps: 2\ntimeout_s: 33\nbudget_tokens: 77777\n\
             security: {max_tool_calls: 5}\nenvironment:",
        );
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    let sweep = project.sweep("runs/latest");
    let mut limits: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut rules = BTreeSet::new();
    let rollouts = sweep["rollouts"].as_array().unwrap();
    assert_eq!(rollouts.len(), 6 * 2 * 2);
    for rollout in rollouts {
        let task = rollout["key"]["task"].as_str().unwrap();
        limits
            .entry(task)
            .or_default()
            .insert(rollout["limits"].to_string());
        rules.insert(rollout["evaluator"].to_string());
        // Two steps are too few for anybody, whatever its loop; the other task has enough.
        let (kind, steps) = match task {
            "desk::one" => ("limit_reached", 2),
            _ => ("accepted", 0),
        };
        assert_eq!(rollout["outcome"]["kind"], kind, "{rollout}");
        let taken = rollout["trajectory"]["steps"].as_array().unwrap().len();
        assert!(kind == "accepted" || taken == steps, "{taken}");
    }
    assert_eq!(rules.len(), 1);
    assert!(limits.values().all(|set| set.len() == 1), "{limits:?}");
    let one: Value = serde_json::from_str(limits["desk::one"].first().unwrap()).unwrap();
    let said = [
        &one["max_steps"],
        &one["timeout_s"],
        &one["budget_tokens"],
        &one["max_tool_calls"],
    ];
    assert_eq!(said, [&json!(2), &json!(33.0), &json!(77777), &json!(5)]);
    assert_ne!(limits["desk::one"], limits["desk::two"]);
}

#[test]
fn an_agent_that_claims_the_work_without_a_call_commits_to_no_artifact() {
    let server = CountingServer::start(|_| {
        Reply::text("Done: T-1001 is urgent and with oncall.").usage(20, 9)
    });
    let project = Project::pack();
    project.remove("desk/two.task.yaml").write(
        "crossbar.yaml",
        &format!(
            "models:\n  - {{id: claims, provider: openai, base_url: \"{}\", price: free}}\n  \
             - {{id: does, provider: scripted, price: free}}\n\
             harnesses: [{{id: react, kind: react}}]\nrun: {{repeats: 2}}\n",
            server.base_url()
        ),
    );
    let said = project.crossbar(&["run", "--live", "--budget", "unlimited"]);
    assert_eq!(said.code, Some(0), "{said}");
    let rollouts = project.rollouts("runs/latest");
    for line in rollouts.of_cell("claims+react") {
        assert_eq!(line["outcome"], "task_failure", "{line:?}");
        assert_eq!(line["failure_mode"], "artifact_commitment", "{line:?}");
        assert_eq!((&*line["completion"], &*line["tool_calls"]), ("0", "0"));
    }
    for line in rollouts.of_cell("does+react") {
        assert_eq!(
            (&*line["outcome"], &*line["failure_mode"]),
            ("accepted", "")
        );
    }
    let section = said.stdout.split("FAILURE TAXONOMY").nth(1).unwrap();
    assert!(
        section.contains("Artifact commitment       2  (100.0% ["),
        "{section}"
    );
    assert!(section.contains("typical fix: add a verify turn, and insist on tool use"));
}
