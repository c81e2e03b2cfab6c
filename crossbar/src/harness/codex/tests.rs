//! The rules by which a run is understood, without a program.

use super::SPELLING;
use super::ending::{Facts, as_intended, judge};
use super::event::{Event, read};
use super::reader::Stream;
use crate::domain::{
    CallOutcome, Ending, Exchange, ExchangeEnd, InfrastructureEvidence, ProgramEnd, ProgramEnded,
    ToolDef,
};
use crate::harness::DriveError;
use crate::harness::program::Reader;
use crate::harness::program::event::Event as Told;
use crate::harness::program::tools::Tools;
use crate::task::SecurityPolicy;
use serde_json::{Value, json};

fn process(end: ProgramEnd, stderr: &str) -> ProgramEnded {
    let stderr = stderr.to_owned();
    ProgramEnded { end, stderr }
}

/// The judgement of a run that wrote its first line.
fn judged(
    has_completed: bool,
    failed: Option<&str>,
    last: Option<ExchangeEnd>,
) -> Result<Ending, DriveError> {
    let exchanges: Vec<Exchange> = last.map(Exchange::that_ended).into_iter().collect();
    judge(&Facts {
        has_begun: true,
        has_completed,
        failed,
        process: &process(ProgramEnd::Code(0), ""),
        exchanges: &exchanges,
    })
}

fn evidence(judged: Result<Ending, DriveError>) -> InfrastructureEvidence {
    match judged {
        Err(DriveError::Infrastructure { evidence, .. }) => evidence,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_turn_counts_only_with_an_answer_that_came_whole() {
    let complete = Some(ExchangeEnd::Complete);
    assert_eq!(judged(true, None, complete), Ok(Ending::Answered));
    for last in [None, Some(ExchangeEnd::Cut), Some(ExchangeEnd::Refused)] {
        let judgement = judged(true, None, last);
        assert_eq!(
            evidence(judgement),
            InfrastructureEvidence::Provider,
            "{last:?}"
        );
    }
}

#[test]
fn a_failure_is_the_models_unless_it_had_answered() {
    for last in [None, Some(ExchangeEnd::Cut), Some(ExchangeEnd::Refused)] {
        let judgement = judged(false, Some("401"), last);
        assert_eq!(
            evidence(judgement),
            InfrastructureEvidence::Provider,
            "{last:?}"
        );
    }
    let own = judged(false, Some("its own"), Some(ExchangeEnd::Complete)).unwrap();
    assert!(
        matches!(&own, Ending::Crashed { message } if message.contains("its own")),
        "{own:?}"
    );
}

#[test]
fn before_its_first_line_a_server_is_missing_or_it_never_began() {
    let never = |stderr: &str| {
        let judgement = judge(&Facts {
            has_begun: false,
            has_completed: false,
            failed: None,
            process: &process(ProgramEnd::Code(1), stderr),
            exchanges: &[],
        });
        evidence(judgement)
    };
    let missing = "Error: required MCP servers failed to initialize: desk: connection closed";
    assert_eq!(never(missing), InfrastructureEvidence::ServerStart);
    assert_eq!(never("unknown field"), InfrastructureEvidence::AgentStart);
}

#[test]
fn without_an_end_of_its_turn_the_signal_decides() {
    let ended = |end| {
        judge(&Facts {
            has_begun: true,
            has_completed: false,
            failed: None,
            process: &process(end, ""),
            exchanges: &[Exchange::that_ended(ExchangeEnd::Cut)],
        })
    };
    let killed = InfrastructureEvidence::AgentKilled;
    assert_eq!(evidence(ended(ProgramEnd::Code(143))), killed);
    let crashed = ended(ProgramEnd::Code(1)).unwrap();
    assert!(matches!(crashed, Ending::Crashed { .. }), "{crashed:?}");
}

fn tools() -> Tools {
    let tool = ToolDef {
        server: "desk".to_owned(),
        tool: "get it".to_owned(),
        description: String::new(),
        input_schema: json!({}),
    };
    Tools::new(SPELLING, &[tool], &SecurityPolicy::default())
}

#[test]
fn it_offers_the_tasks_tools_and_those_without_a_switch_or_does_not_run() {
    let held = |offered: &[&str]| {
        let offered: Vec<String> = offered.iter().map(|name| (*name).to_owned()).collect();
        as_intended(&offered, &tools())
    };
    assert_eq!(held(&["request_user_input", "mcp__desk__get_it"]), Ok(()));
    for other in [
        &["mcp__desk__get_it", "exec"][..],
        &["request_user_input"],
        &[],
    ] {
        let started = held(other).map(|()| Ending::Answered);
        assert_eq!(
            evidence(started),
            InfrastructureEvidence::AgentStart,
            "{other:?}"
        );
    }
}

fn item(kind: &str, item: &Value) -> String {
    json!({"type": kind, "item": item}).to_string()
}

fn call(status: &str, result: &Value, error: &Value) -> Value {
    json!({
        "id": "item_1", "type": "mcp_tool_call", "server": "desk", "tool": "get it",
        "arguments": {"id": 7}, "result": result, "error": error, "status": status,
    })
}

#[test]
fn a_call_failed_by_its_status_or_was_denied_by_its_error() {
    let of = |call: &Value| match read(&item("item.completed", call)) {
        Some(Event::Over(_, outcome)) => outcome,
        other => panic!("{other:?}"),
    };
    let nothing = json!(null);
    let result =
        json!({"content": [{"type": "text", "text": "5"}], "structured_content": {"n": 5}});
    let text = "5".to_owned();
    let structured = Some(json!({"n": 5}));
    let good = CallOutcome::Result { text, structured };
    assert_eq!(of(&call("completed", &result, &nothing)), Some(good));
    let text = "5".to_owned();
    let protocol = false;
    let failed = CallOutcome::Error { text, protocol };
    assert_eq!(of(&call("failed", &result, &nothing)), Some(failed));
    let denied = "MCP tool call requires approval, but approval policy is never";
    assert_eq!(
        of(&call("failed", &nothing, &json!({"message": denied}))),
        None
    );
    let broken = of(&call("failed", &nothing, &json!({"message": "gone"})));
    assert!(
        matches!(broken, Some(CallOutcome::Error { protocol: true, .. })),
        "{broken:?}"
    );
}

#[test]
fn warnings_say_nothing_and_a_call_is_told_of_once() {
    let warning = json!({"type": "error", "message": "no metadata"});
    for line in [
        "",
        "no json",
        &item("item.completed", &warning),
        "{\"type\":\"turn.started\"}",
    ] {
        assert_eq!(read(line), None, "{line}");
    }
    let tools = tools();
    let mut stream = Stream::new(&tools);
    let nothing = json!(null);
    let begun = item("item.started", &call("in_progress", &nothing, &nothing));
    let over = item(
        "item.completed",
        &call("completed", &json!({"content": []}), &nothing),
    );
    let told = stream.read(&begun).unwrap();
    let names: Vec<&str> = match &told[..] {
        [Told::Said(said)] => said.calls.iter().map(|call| &*call.name).collect(),
        other => panic!("{other:?}"),
    };
    assert_eq!(names, ["mcp__desk__get_it"]);
    let told = stream.read(&over).unwrap();
    assert!(matches!(&told[..], [Told::Heard(_)]), "{told:?}");
}
