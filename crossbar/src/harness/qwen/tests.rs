//! The rules by which a run is understood, without a program.

use super::DIALECT;
use super::command::fits;
use super::ending::judge;
use crate::domain::{
    CallOutcome, Ending, Exchange, ExchangeEnd, InfrastructureEvidence, LimitKind, ProgramEnd,
    ProgramEnded,
};
use crate::harness::DriveError;
use crate::harness::program::stream_json::{Ended, Event, Facts, read};
use serde_json::{Value, json};

fn ended(subtype: &str, text: &str) -> Ended {
    Ended {
        subtype: subtype.to_owned(),
        is_error: subtype != "success",
        text: Some(text.to_owned()),
        ..Ended::default()
    }
}

/// The judgement of a program that began.
fn judged(
    ended: Option<&Ended>,
    end: ProgramEnd,
    last: Option<ExchangeEnd>,
) -> Result<Ending, DriveError> {
    let exchanges: Vec<Exchange> = last.map(Exchange::that_ended).into_iter().collect();
    judge(&Facts {
        has_begun: true,
        ended,
        process: &ProgramEnded {
            end,
            stderr: String::new(),
        },
        exchanges: &exchanges,
    })
}

fn evidence(judged: Result<Ending, DriveError>) -> InfrastructureEvidence {
    match judged {
        Err(DriveError::Infrastructure { evidence, .. }) => evidence,
        other => panic!("{other:?}"),
    }
}

const GOOD: ProgramEnd = ProgramEnd::Code(0);
const COMPLETE: Option<ExchangeEnd> = Some(ExchangeEnd::Complete);

#[test]
fn an_error_of_its_model_is_one_although_it_is_told_as_an_answer() {
    let answer = ended("success", "[API Error: 401 no]");
    for last in [None, Some(ExchangeEnd::Refused), Some(ExchangeEnd::Cut)] {
        let judgement = judged(Some(&answer), GOOD, last);
        assert_eq!(
            evidence(judgement),
            InfrastructureEvidence::Provider,
            "{last:?}"
        );
    }
    // A model may say so too.
    let said = judged(Some(&answer), GOOD, COMPLETE);
    assert_eq!(said, Ok(Ending::Answered));
}

#[test]
fn its_own_error_is_a_crash_and_its_turns_are_the_steps_of_the_task() {
    let own = ended("error_during_execution", "why");
    let crashed = judged(Some(&own), ProgramEnd::Code(1), COMPLETE).unwrap();
    assert!(
        matches!(&crashed, Ending::Crashed { message } if message.contains("why")),
        "{crashed:?}"
    );
    let limit = LimitKind::Steps;
    let turns = judged(None, ProgramEnd::Code(53), COMPLETE);
    assert_eq!(turns, Ok(Ending::Limit { limit }));
    let killed = judged(None, ProgramEnd::Code(130), Some(ExchangeEnd::Cut));
    assert_eq!(evidence(killed), InfrastructureEvidence::AgentKilled);
    let crashed = judged(None, ProgramEnd::Code(1), COMPLETE).unwrap();
    assert!(matches!(crashed, Ending::Crashed { .. }), "{crashed:?}");
}

fn assistant(usage: &Value) -> String {
    let content = json!([{"type": "text", "text": "[API Error: 401 no]"}]);
    let message = json!({"id": "m", "model": "m-1", "content": content, "usage": usage});
    json!({"type": "assistant", "message": message}).to_string()
}

#[test]
fn what_took_no_tokens_is_not_its_models() {
    let own = assistant(&json!({"input_tokens": 0, "output_tokens": 0}));
    assert_eq!(read(&own, &DIALECT), None);
    let answer = assistant(&json!({"input_tokens": 5, "output_tokens": 0}));
    assert!(matches!(read(&answer, &DIALECT), Some(Event::Said(_))));
}

#[test]
fn a_tool_that_it_does_not_know_is_told_from_one_that_failed() {
    let of = |text: &str| {
        let block = json!({
            "type": "tool_result", "tool_use_id": "t", "is_error": true, "content": text,
        });
        let event = json!({"type": "user", "message": {"content": [block]}});
        match read(&event.to_string(), &DIALECT) {
            Some(Event::Heard(mut heard)) => heard.remove(0).told(&DIALECT).outcome,
            other => panic!("{other:?}"),
        }
    };
    let unknown = of("Tool \"x\" not found in registry. Tools must use the exact names.");
    assert_eq!(unknown, CallOutcome::Unknown);
    assert!(matches!(of("no such ticket"), CallOutcome::Error { .. }));
}

#[test]
fn a_prompt_that_it_takes_for_a_command_is_not_given_to_it() {
    for prompt in ["", "Say /stats", " /stats", "// a comment"] {
        assert_eq!(fits(prompt), Ok(()), "{prompt}");
    }
    match fits("/stats of T-1001") {
        Err(DriveError::Unfit(why)) => assert!(why.contains("leave this cell out"), "{why}"),
        other => panic!("{other:?}"),
    }
}
