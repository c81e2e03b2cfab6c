//! The rules by which a run is understood, without a program.

use super::SPELLING;
use super::ending::{Facts, judge};
use super::event::read;
use super::reader::Stream;
use crate::check::ToolPattern;
use crate::domain::{
    CallOutcome, Ending, Exchange, ExchangeEnd, InfrastructureEvidence, ProgramEnd, ProgramEnded,
    ToolDef,
};
use crate::harness::DriveError;
use crate::harness::program::Reader;
use crate::harness::program::ending::{failed_each_time, offers_other_tools};
use crate::harness::program::event::Event as Told;
use crate::harness::program::tools::Tools;
use crate::harness::programs::OPENCODE;
use crate::task::SecurityPolicy;
use serde_json::{Value, json};

/// The judgement of a run with these last words.
fn judged(
    (finished, failed): (Option<&str>, Option<&str>),
    end: ProgramEnd,
    last: Option<ExchangeEnd>,
) -> Result<Ending, DriveError> {
    let exchanges: Vec<Exchange> = last.map(Exchange::that_ended).into_iter().collect();
    let stderr = "it says why".to_owned();
    judge(&Facts {
        finished,
        failed,
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

const COMPLETE: Option<ExchangeEnd> = Some(ExchangeEnd::Complete);
const GOOD: ProgramEnd = ProgramEnd::Code(0);

#[test]
fn it_has_answered_when_its_last_answer_came_whole_and_called_nothing() {
    let stop = (Some("stop"), None);
    assert_eq!(judged(stop, GOOD, COMPLETE), Ok(Ending::Answered));
    let cut = judged(stop, GOOD, Some(ExchangeEnd::Cut));
    assert_eq!(evidence(cut), InfrastructureEvidence::Provider);
    for (finished, end) in [
        (Some("tool-calls"), GOOD),
        (None, GOOD),
        (Some("stop"), ProgramEnd::Code(1)),
    ] {
        let crashed = judged((finished, None), end, COMPLETE).unwrap();
        assert!(matches!(crashed, Ending::Crashed { .. }), "{finished:?}");
    }
    let killed = judged((None, None), ProgramEnd::Signal(15), Some(ExchangeEnd::Cut));
    assert_eq!(evidence(killed), InfrastructureEvidence::AgentKilled);
}

#[test]
fn an_error_is_the_models_unless_it_had_answered_or_was_never_asked() {
    let failed = (None, Some("no"));
    let end = ProgramEnd::Code(1);
    for last in [ExchangeEnd::Refused, ExchangeEnd::Cut] {
        let judgement = judged(failed, end, Some(last));
        assert_eq!(evidence(judgement), InfrastructureEvidence::Provider);
    }
    let own = judged(failed, end, COMPLETE).unwrap();
    assert!(matches!(own, Ending::Crashed { .. }), "{own:?}");
    for words in [failed, (None, None)] {
        let never = judged(words, end, None);
        assert_eq!(evidence(never), InfrastructureEvidence::AgentStart);
    }
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
        tool("post", "send"),
    ];
    let policy = SecurityPolicy {
        forbidden: vec![ToolPattern::parse("desk.drop").unwrap()],
        ..SecurityPolicy::default()
    };
    Tools::new(SPELLING, &all, &policy)
}

#[test]
fn a_server_that_did_not_start_is_told_from_other_tools_than_the_tasks() {
    let of = |offered: &[&str]| {
        let offered: Vec<String> = offered.iter().map(|name| (*name).to_owned()).collect();
        evidence(Err(offers_other_tools(&OPENCODE, &tools(), &offered)))
    };
    let gone = InfrastructureEvidence::ServerStart;
    assert_eq!(of(&["desk_get_it", "desk_drop"]), gone);
    assert_eq!(of(&[]), gone);
    let otherwise = InfrastructureEvidence::AgentStart;
    assert_eq!(of(&["desk_get_it", "post_send"]), otherwise);
    assert_eq!(
        of(&["desk_get_it", "desk_drop", "post_send", "bash"]),
        otherwise
    );
}

#[test]
fn who_failed_each_time_is_the_provider_and_the_last_time_is_told() {
    let last = Exchange {
        status: Some(529),
        ..Exchange::that_ended(ExchangeEnd::Refused)
    };
    match failed_each_time(&OPENCODE, 3, Some(&last)) {
        DriveError::Infrastructure { evidence, message } => {
            assert_eq!(evidence, InfrastructureEvidence::Provider);
            assert!(message.contains("3 times in a row"), "{message}");
            assert!(message.contains("HTTP status 529"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

fn used(tool: &str, state: &Value) -> String {
    let part = json!({"messageID": "m", "callID": "c", "tool": tool, "state": state});
    json!({"type": "tool_use", "part": part}).to_string()
}

/// What became of the only call of a line; `None` where it was denied.
fn outcome(line: &str) -> (String, Option<CallOutcome>) {
    match &Stream::new(&tools()).read(line).unwrap()[..] {
        [Told::Said(said), Told::Heard(heard)] => {
            (said.calls[0].name.clone(), Some(heard.outcome.clone()))
        }
        [Told::Said(said), Told::Denied(id)] if *id == said.calls[0].id => {
            (said.calls[0].name.clone(), None)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_call_has_a_result_an_error_or_nobody_to_allow_it() {
    let error = |text: &str| json!({"status": "error", "input": {}, "error": text});
    let denied = "The user rejected permission to use this specific tool call.";
    assert_eq!(outcome(&used("desk_drop", &error(denied))).1, None);
    let failed = |text: &str, protocol| {
        let text = text.to_owned();
        Some(CallOutcome::Error { text, protocol })
    };
    // A tool may say the same words.
    let said = outcome(&used("desk_get_it", &error(denied))).1;
    assert_eq!(said, failed(denied, false));
    let good = json!({"status": "completed", "input": {"id": 7}, "output": "5"});
    let text = "5".to_owned();
    let structured = None;
    let result = Some(CallOutcome::Result { text, structured });
    assert_eq!(outcome(&used("desk_get_it", &good)).1, result);
    let invalid = |tool: &str| {
        let input = json!({"tool": tool, "error": "no"});
        used(
            "invalid",
            &json!({"status": "completed", "input": input, "output": "no"}),
        )
    };
    let unknown = ("nobody".to_owned(), Some(CallOutcome::Unknown));
    assert_eq!(outcome(&invalid("nobody")), unknown);
    assert_eq!(outcome(&invalid("desk_get_it")).1, failed("no", true));
}

#[test]
fn lines_that_say_nothing_are_passed_over() {
    for line in [
        "",
        "no json",
        "[1]",
        "{\"type\":\"reasoning\"}",
        "{\"type\":7}",
    ] {
        assert_eq!(read(line), None, "{line}");
    }
}

#[test]
fn its_answer_is_the_text_of_the_last_one() {
    let mut stream = Stream::new(&tools());
    let line = |kind: &str, id: &str, text: &str| {
        json!({"type": kind, "part": {"messageID": id, "text": text}}).to_string()
    };
    for line in [
        line("text", "m1", "First"),
        line("step_start", "m2", ""),
        line("text", "m2", "a"),
        line("text", "m2", "b"),
        json!({"type": "step_finish", "part": {"messageID": "m2", "reason": "stop"}}).to_string(),
    ] {
        stream.read(&line).unwrap();
    }
    let process = ProgramEnded {
        end: GOOD,
        stderr: String::new(),
    };
    let exchanges = [Exchange::that_ended(ExchangeEnd::Complete)];
    let judgement = stream.judge(&process, &exchanges).unwrap();
    assert_eq!(judgement.text.as_deref(), Some("ab"));
}
