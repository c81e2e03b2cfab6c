//! The protocol, turn by turn.

use super::MAX_CORRECTIONS;
use crate::domain::{Arguments, CallOutcome, Ending, Script, StepKind};
use crate::harness::test_bench::{Bench, replies, saying};
use crate::provider::{Message, ReplyForm};
use serde_json::json;

const CALL: &str = r#"{"tool": "desk.echo", "args": {"n": 1}}"#;
const ANSWER: &str = r#"{"answer": "done"}"#;

#[test]
fn actions_are_read_and_results_come_back_as_messages() {
    let provider = replies([CALL, ANSWER].map(saying));
    let driven = Bench::of("text-json").drive(&provider);
    assert_eq!(driven.calls, [r#"desk.echo {"n":1}"#]);
    let trajectory = driven.conversation.trajectory();
    assert_eq!(trajectory.final_text.as_deref(), Some("done"));
    assert_eq!(trajectory.ending, Some(Ending::Answered));
    let requests = provider.requests();
    assert!(requests.iter().all(|request| request.tools.is_empty()));
    assert_eq!(requests[0].form, ReplyForm::JsonAction);
    assert!(requests[0].system.as_ref().unwrap().contains("desk__echo"));
    let Some(Message::User(told)) = requests[1].messages.last() else {
        panic!()
    };
    assert!(
        told.starts_with(r#"{"tool":"desk.echo","result":"#),
        "{told}"
    );
}

#[test]
fn anything_but_one_action_is_a_contract_failure() {
    for text in [
        "",
        "done",
        "```json\n{\"answer\": \"x\"}\n```",
        "{\"answer\": \"x\"} {\"answer\": \"y\"}",
        "[{\"answer\": \"x\"}]",
        "{}",
        "{\"tool\": \"desk.echo\"}",
        "{\"tool\": \"desk.echo\", \"args\": 5}",
        "{\"tool\": 5, \"args\": {}}",
        "{\"tool\": \"desk.echo\", \"args\": {}, \"answer\": \"x\"}",
        "{\"answer\": \"x\", \"thought\": \"y\"}",
    ] {
        let driven = Bench::of("text-json").drive(&replies([text, ANSWER].map(saying)));
        assert_eq!(driven.calls.len(), 0, "{text}");
        let steps = &driven.conversation.trajectory().steps;
        let call = &steps[0].calls[0];
        assert!(
            matches!(call.outcome, CallOutcome::Malformed { .. }),
            "{text}"
        );
        assert_eq!(call.arguments, Arguments::Malformed(text.to_owned()));
        assert_eq!(steps[1].kind, StepKind::Correction);
        assert_eq!(
            driven.conversation.trajectory().ending,
            Some(Ending::Answered)
        );
    }
}

#[test]
fn corrections_are_bounded() {
    let provider = replies((0..9).map(|_| saying("no JSON")));
    let driven = Bench::of("text-json").drive(&provider);
    assert_eq!(provider.requests().len() as u32, 1 + MAX_CORRECTIONS);
    let trajectory = driven.conversation.trajectory();
    assert!(matches!(trajectory.ending, Some(Ending::Crashed { .. })));
    assert_eq!(trajectory.calls().count() as u32, 1 + MAX_CORRECTIONS);
}

#[test]
fn a_malformed_turn_is_no_tool_call() {
    let mut bench = Bench::of("text-json");
    bench.limits.max_tool_calls = Some(1);
    let driven = bench.drive(&replies(["no JSON", CALL, ANSWER].map(saying)));
    let trajectory = driven.conversation.trajectory();
    assert_eq!(
        (trajectory.ending.as_ref(), driven.calls.len()),
        (Some(&Ending::Answered), 1)
    );
}

#[test]
fn the_forced_form_is_passed_on() {
    let mut bench = Bench::of("text-json");
    let format = json!({"type": "json_schema"});
    bench
        .model
        .params
        .insert("response_format".to_owned(), format.clone());
    bench
        .model
        .params
        .insert("temperature".to_owned(), json!(0));
    let provider = replies([saying(ANSWER)]);
    bench.drive(&provider);
    let request = provider.requests().remove(0);
    assert_eq!(request.response_format, Some(format));
    assert_eq!(
        request.params.into_iter().collect::<Vec<_>>(),
        [("temperature".to_owned(), json!(0))]
    );
}

#[test]
fn pretend_models_speak_the_protocol() {
    let mut script = Script::default();
    script.call("desk.echo", json!({"n": 1})).say("done");
    for provider in ["mock", "scripted"] {
        let driven = Bench::of("text-json").play(provider, &script);
        assert_eq!(driven.calls, [r#"desk.echo {"n":1}"#]);
        assert_eq!(
            driven.conversation.trajectory().final_text.as_deref(),
            Some("done")
        );
    }
}
