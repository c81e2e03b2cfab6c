//! Nothing that judges asks a model: the endpoint hears the agents' turns and not one request more.

use super::{KEY, PRICE, paid, project};
use crossbar_suites::counting_server::{CountingServer, Reply};
use serde_json::json;

#[test]
fn judging_and_reporting_send_nothing_and_need_no_key() {
    let server = CountingServer::start(|request| {
        let reply = match request.turn() {
            1 => Reply::call(
                "tickets__set_priority",
                &json!({"id": "T-1001", "priority": "low"}),
            ),
            _ => Reply::text("It is 4."),
        };
        reply.usage(20, 9)
    });
    let models = paid("paid", &server, PRICE);
    let mut project = project(&models, "{repeats: 3}", &["one"]);
    project
        .replace("crossbar.yaml", "single-shot", "react")
        .replace(
            "pack/one.task.yaml",
            "checks:\n",
            "environment:\n  servers:\n    - {name: tickets, command: \"${CROSSBAR_BIN}\", \
         args: [\"__serve\", tickets]}\nchecks:\n  \
         - {type: mcp_state, server: tickets, tool: get_ticket, args: {id: T-1001}, \
         expect: {ticket: {priority: low}}}\n  \
         - {type: mcp_state, server: tickets, tool: get_ticket, args: {id: T-1001}, \
         expect: {ticket: {subject: [Outage]}}, match: contains, required: false}\n  \
         - {type: tool_called, tool: tickets.set_priority}\n  - {type: no_tool_errors}\n  \
         - {type: final_text, value: \"is [0-9]\", match: regex}\n",
        );
    let output = project.crossbar(&["run", "--live", "--budget", "5"]);
    assert_eq!(output.code, Some(0), "{output}");
    // Two turns for each rollout are the agent's own.
    assert_eq!(server.requests().len(), 2 * 3);
    let connections = server.connections();
    let judged = project.rollouts("runs/latest").lines;
    assert!(
        judged
            .iter()
            .all(|line| line["outcome"] == "accepted" && !line["score"].is_empty())
    );

    project.unset(KEY.0);
    for args in [
        &["verdict"][..],
        &["verdict", "--json"],
        &["show", "paid+ask", "one"],
    ] {
        let said = project.crossbar(args);
        assert_eq!(said.code, Some(0), "{said}");
    }
    let verdict = project.crossbar(&["verdict"]);
    assert_eq!(verdict.stdout, output.stdout);
    assert_eq!(
        (server.requests().len(), server.connections()),
        (6, connections)
    );
}
