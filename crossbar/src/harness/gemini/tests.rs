//! The rules by which a run is understood, without a program.

use super::SPELLING;
use super::ending::{Facts, as_intended, judge};
use super::event::{Ended, Event, read};
use super::reader::Stream;
use crate::check::ToolPattern;
use crate::domain::{
    CallOutcome, Ending, Exchange, ExchangeEnd, InfrastructureEvidence, LimitKind, ProgramEnd,
    ProgramEnded, ToolDef,
};
use crate::harness::DriveError;
use crate::harness::program::Reader;
use crate::harness::program::tools::Tools;
use crate::task::SecurityPolicy;
use serde_json::{Value, json};

fn ended(is_success: bool, kind: Option<&str>) -> Ended {
    let kind = kind.map(str::to_owned);
    let message = None;
    Ended {
        is_success,
        kind,
        message,
    }
}

/// The judgement of a run that wrote its first line.
fn judged(
    ended: Option<&Ended>,
    last: Option<ExchangeEnd>,
    end: ProgramEnd,
) -> Result<Ending, DriveError> {
    let exchanges: Vec<Exchange> = last.map(Exchange::that_ended).into_iter().collect();
    let stderr = String::new();
    judge(&Facts {
        has_begun: true,
        ended,
        complaint: Some("a complaint"),
        process: &ProgramEnded { end, stderr },
        exchanges: &exchanges,
    })
}

fn evidence(judged: Result<Ending, DriveError>) -> InfrastructureEvidence {
    match judged {
        Err(DriveError::Infrastructure { evidence, .. }) => evidence,
        other => panic!("{other:?}"),
    }
}

const NOT_WHOLE: [Option<ExchangeEnd>; 3] =
    [None, Some(ExchangeEnd::Cut), Some(ExchangeEnd::Refused)];

#[test]
fn success_counts_only_with_an_answer_that_came_whole() {
    let success = ended(true, None);
    let of = |last| judged(Some(&success), last, ProgramEnd::Code(0));
    assert_eq!(of(Some(ExchangeEnd::Complete)), Ok(Ending::Answered));
    for last in NOT_WHOLE {
        let judgement = of(last);
        assert_eq!(
            evidence(judgement),
            InfrastructureEvidence::Provider,
            "{last:?}"
        );
    }
}

#[test]
fn an_error_is_the_models_unless_it_had_answered_or_the_turns_were_up() {
    let error = ended(false, Some("unknown"));
    let of = |ended, last| judged(Some(ended), last, ProgramEnd::Code(145));
    for last in NOT_WHOLE {
        let judgement = of(&error, last);
        assert_eq!(
            evidence(judgement),
            InfrastructureEvidence::Provider,
            "{last:?}"
        );
    }
    let complete = Some(ExchangeEnd::Complete);
    let own = of(&error, complete).unwrap();
    assert!(
        matches!(&own, Ending::Crashed { message } if message.contains("a complaint")),
        "{own:?}"
    );
    let turns = ended(false, Some("FatalTurnLimitedError"));
    let limit = LimitKind::Steps;
    assert_eq!(of(&turns, complete), Ok(Ending::Limit { limit }));
}

#[test]
fn without_a_result_a_signal_from_outside_ended_it_or_it_crashed() {
    let of = |end| judged(None, Some(ExchangeEnd::Complete), end);
    for end in [
        ProgramEnd::Signal(9),
        ProgramEnd::Code(143),
        ProgramEnd::Code(0),
    ] {
        assert_eq!(evidence(of(end)), InfrastructureEvidence::AgentKilled);
    }
    let crashed = of(ProgramEnd::Code(1)).unwrap();
    assert!(matches!(crashed, Ending::Crashed { .. }), "{crashed:?}");
    let never = judge(&Facts {
        has_begun: false,
        ended: None,
        complaint: None,
        process: &ProgramEnded {
            end: ProgramEnd::Code(41),
            stderr: "no auth".to_owned(),
        },
        exchanges: &[],
    });
    assert_eq!(evidence(never), InfrastructureEvidence::AgentStart);
}

fn tools() -> Tools {
    let tool = |server: &str, tool: &str| ToolDef {
        server: server.to_owned(),
        tool: tool.to_owned(),
        description: String::new(),
        input_schema: json!({}),
    };
    let all = [
        tool("desk", "get it"),
        tool("desk", "drop"),
        tool("shop", "buy"),
    ];
    let policy = SecurityPolicy {
        forbidden: vec![ToolPattern::parse("desk.drop").unwrap()],
        ..SecurityPolicy::default()
    };
    Tools::new(SPELLING, &all, &policy)
}

#[test]
fn its_first_request_offers_the_tasks_tools_and_no_other_or_it_does_not_run() {
    let servers = ["desk".to_owned(), "shop".to_owned()];
    let held = |offered: &[&str]| {
        let offered: Vec<String> = offered.iter().map(|name| (*name).to_owned()).collect();
        as_intended(&offered, &servers, &tools()).map(|()| Ending::Answered)
    };
    let all = ["mcp_desk_get_it", "mcp_desk_drop", "mcp_shop_buy"];
    assert_eq!(held(&all), Ok(Ending::Answered));
    let own = [&all[..], &["run_shell_command"]].concat();
    for (offered, why) in [
        (&own[..], InfrastructureEvidence::AgentStart),
        (&all[1..], InfrastructureEvidence::AgentStart),
        (&all[..2], InfrastructureEvidence::ServerStart),
        (&[], InfrastructureEvidence::ServerStart),
    ] {
        assert_eq!(evidence(held(offered)), why, "{offered:?}");
    }
}

fn result(status: &str, error: &Value) -> Option<CallOutcome> {
    let line = json!({
        "type": "tool_result", "tool_id": "c", "status": status, "output": "5", "error": error,
    });
    match read(&line.to_string()) {
        Some(Event::Over(id, outcome)) if id == "c" => outcome,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_kind_of_an_error_says_what_became_of_a_call() {
    let text = || "5".to_owned();
    let structured = None;
    let good = CallOutcome::Result {
        text: text(),
        structured,
    };
    assert_eq!(result("success", &json!(null)), Some(good));
    let of =
        |kind: &str, message: &str| result("error", &json!({"type": kind, "message": message}));
    assert_eq!(of("policy_violation", "denied by policy"), None);
    let unknown = of("tool_not_registered", "not found");
    assert_eq!(unknown, Some(CallOutcome::Unknown));
    let parts = r#"[{"functionResponse":{"response":{"content":[{"type":"text","text":"no"}]}}}]"#;
    let told = format!("MCP tool 't' reported tool error with response: {parts}");
    let error = |text: &str, protocol| {
        let text = text.to_owned();
        Some(CallOutcome::Error { text, protocol })
    };
    assert_eq!(of("mcp_tool_error", &told), error("no", false));
    assert_eq!(of("mcp_tool_error", "it says"), error("it says", false));
    assert_eq!(of("unhandled_exception", "gone"), error("gone", true));
}

#[test]
fn pieces_after_the_last_call_are_the_answer_and_other_lines_say_nothing() {
    let mut stream = Stream::new(&tools(), &[]);
    let said = |text: &str| json!({"type": "message", "role": "assistant", "content": text});
    let call = json!({"type": "tool_use", "tool_id": "c", "tool_name": "mcp_shop_buy"});
    let user = json!({"type": "message", "role": "user", "content": "the prompt"});
    let warning = json!({"type": "error", "severity": "warning", "message": "w"});
    for (line, told) in [
        (json!({"type": "init"}), 0),
        (user, 0),
        (said("I call."), 1),
        (call, 1),
        (warning, 0),
        (said("It is "), 1),
        (said("bought."), 1),
        (json!({"type": "result", "status": "success"}), 0),
    ] {
        assert_eq!(
            stream.read(&line.to_string()).unwrap().len(),
            told,
            "{line}"
        );
    }
    assert_eq!(stream.read("no json").unwrap(), Vec::new());
    let exchanges = [Exchange::that_ended(ExchangeEnd::Complete)];
    let stderr = String::new();
    let end = ProgramEnd::Code(0);
    let judgement = stream.judge(&ProgramEnded { end, stderr }, &exchanges);
    assert_eq!(judgement.unwrap().text.as_deref(), Some("It is bought."));
}
