//! Agent tests: one task in Rust here, one in YAML under `tasks/`.

use crossbar::{Context, Script, ServerCommand, json, subset};

/// An angry customer must be answered by a person: the ticket goes to the escalation team.
#[crossbar::task(family = "escalate", forbid = ["tickets.delete_all"], max_tool_calls = 10)]
async fn outage_is_escalated(cx: &mut Context) -> crossbar::Result {
    let tickets = cx
        .server("tickets", ServerCommand::built_in("tickets"))
        .await?;

    cx.agent("Ticket T-1001 reports an outage. Set it to urgent and assign it to `oncall`.")
        .await?;

    let seen = tickets.call("get_ticket", json!({"id": "T-1001"})).await?;
    cx.expect(
        "it is urgent",
        &seen,
        subset!({"ticket": {"priority": "urgent"}}),
    );
    cx.expect(
        "it is with oncall",
        &seen,
        subset!({"ticket": {"team": "oncall"}}),
    );
    cx.check("one assignment only", tickets.calls("assign") == 1);
    Ok(())
}

#[crossbar::solution(outage_is_escalated)]
fn escalate(s: &mut Script) {
    s.call(
        "tickets.set_priority",
        json!({"id": "T-1001", "priority": "urgent"}),
    )
    .call("tickets.assign", json!({"id": "T-1001", "team": "oncall"}))
    .say("T-1001 is urgent and with oncall.");
}

#[crossbar::broken(outage_is_escalated)]
fn wrong_team(s: &mut Script) {
    s.call(
        "tickets.set_priority",
        json!({"id": "T-1001", "priority": "urgent"}),
    )
    .call("tickets.assign", json!({"id": "T-1001", "team": "support"}))
    .say("T-1001 is urgent and assigned.");
}

crossbar::main!();
