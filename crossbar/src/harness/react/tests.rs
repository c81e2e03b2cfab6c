//! Each rule of the loop, with programmed replies and tools in memory.

mod limits;
mod models;

use crate::domain::{Arguments, CallOutcome, Ending, LimitKind, StepKind, Violation};
use crate::harness::test_bench::{Bench, Driven, calling, replies, saying};
use crate::provider::{ChatReply, Message};
use crate::task::{SecurityPolicy, ToolPattern};
use serde_json::json;

fn ending(driven: &Driven) -> &Ending {
    driven.conversation.trajectory().ending.as_ref().unwrap()
}

fn outcomes(driven: &Driven) -> Vec<CallOutcome> {
    driven
        .conversation
        .trajectory()
        .calls()
        .map(|call| call.outcome.clone())
        .collect()
}

/// Ids of calls and of results in the conversation: they must pair.
fn assert_every_call_has_its_result(driven: &Driven) {
    let (mut asked, mut answered) = (Vec::new(), Vec::new());
    for message in driven.conversation.messages() {
        match message {
            Message::Assistant { calls, .. } => {
                asked.extend(calls.iter().map(|call| call.id.clone()))
            }
            Message::ToolResult { call_id, .. } => answered.push(call_id.clone()),
            Message::User(_) => {}
        }
    }
    assert_eq!(asked, answered);
}

fn last_result(driven: &Driven) -> (String, bool) {
    let result = driven
        .conversation
        .messages()
        .iter()
        .rev()
        .find_map(|message| match message {
            Message::ToolResult { text, is_error, .. } => Some((text.clone(), *is_error)),
            _ => None,
        });
    result.unwrap()
}

#[test]
fn results_are_fed_back_until_the_model_answers() {
    let provider = replies([calling(&["desk__echo", "desk__fail"]), saying("done")]);
    let driven = Bench::of("react").drive(&provider);
    assert_eq!(driven.result, Ok(()));
    assert_eq!(driven.calls, ["desk.echo {}", "desk.fail {}"]);
    assert_eq!(ending(&driven), &Ending::Answered);
    let trajectory = driven.conversation.trajectory();
    assert_eq!(trajectory.final_text.as_deref(), Some("done"));
    assert!(matches!(
        outcomes(&driven)[1],
        CallOutcome::Error {
            protocol: false,
            ..
        }
    ));
    let second = &provider.requests()[1];
    assert_eq!(second.messages.len(), 4);
    assert_eq!(second.tools.len(), 5);
    assert!(second.system.is_some());
    let call = trajectory.calls().nth(1).unwrap();
    assert_eq!((call.at_ms, call.took_ms), (1000, 1000));
    assert_every_call_has_its_result(&driven);
}

#[test]
fn unknown_tools_and_malformed_arguments_are_answered_and_the_loop_goes_on() {
    let mut first = calling(&["desk__echo", "desk__nothing", "desk__echo"]);
    first.calls[0].arguments = Arguments::Malformed("{\"text\":\"un".to_owned());
    first.calls[2].arguments = Arguments::Json(json!([1]));
    let driven = Bench::of("react").drive(&replies([first, saying("sorry")]));
    assert_eq!(driven.calls, [""; 0]);
    assert_eq!(ending(&driven), &Ending::Answered);
    let outcomes = outcomes(&driven);
    assert!(matches!(&outcomes[0], CallOutcome::Malformed { why } if why.contains("\"un")));
    assert_eq!(outcomes[1], CallOutcome::Unknown);
    assert!(matches!(&outcomes[2], CallOutcome::Malformed { why } if why.contains("a list")));
    assert_every_call_has_its_result(&driven);
}

#[test]
fn null_arguments_mean_none() {
    let mut first = calling(&["desk__echo"]);
    first.calls[0].arguments = Arguments::Json(json!(null));
    let driven = Bench::of("react").drive(&replies([first, saying("ok")]));
    assert_eq!(driven.calls, ["desk.echo {}"]);
}

#[test]
fn a_forbidden_call_is_stopped_before_the_tool_and_the_loop_goes_on() {
    let mut bench = Bench::of("react");
    bench.policy = forbidding("desk.wipe");
    let driven = bench.drive(&replies([
        calling(&["desk__wipe", "desk.wipe", "desk__echo"]),
        saying("ok"),
    ]));
    assert_eq!(driven.calls, ["desk.echo {}"]);
    assert_eq!(
        outcomes(&driven)[0],
        CallOutcome::Blocked {
            rule: "desk.wipe".to_owned()
        }
    );
    let violation = Violation::ForbiddenTool {
        tool: "desk.wipe".to_owned(),
        blocked: true,
    };
    let trajectory = driven.conversation.trajectory();
    assert_eq!(trajectory.violations, [violation.clone(), violation]);
    assert_eq!(ending(&driven), &Ending::Answered);
    assert_every_call_has_its_result(&driven);
}

#[test]
fn verify_adds_exactly_one_turn_once_a_rollout() {
    let provider = replies([
        saying("first"),
        calling(&["desk__echo"]),
        saying("checked"),
        saying("second prompt"),
    ]);
    let mut bench = Bench::of("react");
    bench.verify = true;
    bench.prompts = vec!["one", "two"];
    let driven = bench.drive(&provider);
    assert_eq!(driven.result, Ok(()));
    let steps = &driven.conversation.trajectory().steps;
    let kinds: Vec<StepKind> = steps.iter().map(|step| step.kind).collect();
    use StepKind::{Verify, Work};
    assert_eq!(kinds, [Work, Verify, Verify, Work]);
    let said = |message: &&Message| matches!(message, Message::User(_));
    assert_eq!(
        driven.conversation.messages().iter().filter(said).count(),
        3
    );
    assert_eq!(
        driven.conversation.trajectory().final_text.as_deref(),
        Some("second prompt")
    );
}

#[test]
fn a_second_prompt_goes_on_with_the_conversation_and_its_limits() {
    let provider = replies([saying("one"), saying("two"), saying("three")]);
    let mut bench = Bench::of("react");
    bench.prompts = vec!["a", "b", "c"];
    bench.limits.max_steps = 2;
    let driven = bench.drive(&provider);
    assert_eq!(provider.requests()[1].messages.len(), 3);
    assert_eq!(provider.requests().len(), 2);
    assert_eq!(
        ending(&driven),
        &Ending::Limit {
            limit: LimitKind::Steps
        }
    );
}

#[test]
fn ids_are_made_unique_over_the_whole_conversation() {
    let mut first = calling(&["desk__echo"; 4]);
    for (call, id) in first.calls.iter_mut().zip(["", "", "echo", "echo"]) {
        call.id = id.to_owned();
    }
    let mut second = first.clone();
    second.calls.truncate(3);
    let driven = Bench::of("react").drive(&replies([first, second, saying("ok")]));
    let mut ids: Vec<&str> = driven
        .conversation
        .trajectory()
        .calls()
        .map(|call| call.id.as_str())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 7);
    assert_eq!(driven.calls.len(), 7);
    assert_every_call_has_its_result(&driven);
}

#[test]
fn the_trace_keeps_the_raw_text_and_the_answer_has_no_thoughts() {
    let reply = ChatReply {
        raw_text: Some("<think>17</think>42".to_owned()),
        ..saying("42")
    };
    let driven = Bench::of("react").drive(&replies([reply]));
    let trajectory = driven.conversation.trajectory();
    assert_eq!(trajectory.steps[0].text, "<think>17</think>42");
    assert_eq!(trajectory.final_text.as_deref(), Some("42"));
}

#[test]
fn the_error_for_the_model_names_the_tools_that_exist() {
    let driven = Bench::of("react").drive(&replies([calling(&["nothing"]), saying("ok")]));
    let (text, is_error) = last_result(&driven);
    assert!(is_error && text.contains("desk__echo"), "{text}");
}

fn forbidding(pattern: &str) -> SecurityPolicy {
    SecurityPolicy {
        forbidden: vec![ToolPattern::parse(pattern).unwrap()],
        ..SecurityPolicy::default()
    }
}
