//! Each rule of the loop, with programmed replies and tools in memory.

use crate::domain::{
    Arguments, BudgetError, CallOutcome, Ending, InfrastructureEvidence, LimitKind, LocalFuture,
    Script, StepKind, Usd, Violation,
};
use crate::harness::DriveError;
use crate::harness::bench::{Bench, Driven, calling, failing, replies, saying};
use crate::provider::{
    ChatReply, ChatRequest, Message, Provider, ProviderError, ProviderErrorKind,
};
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
fn one_call_more_than_allowed_is_a_violation_that_ends_the_loop() {
    let mut bench = Bench::of("react");
    bench.limits.max_tool_calls = Some(2);
    let names = ["desk__echo"; 4];
    let driven = bench.drive(&replies([calling(&names), saying("never asked")]));
    assert_eq!(driven.calls.len(), 2);
    assert_eq!(ending(&driven), &Ending::Violation);
    let trajectory = driven.conversation.trajectory();
    assert_eq!(
        trajectory.violations,
        [Violation::TooManyToolCalls { allowed: 2 }]
    );
    assert!(matches!(outcomes(&driven)[2], CallOutcome::Blocked { .. }));
    assert_eq!(outcomes(&driven)[3], CallOutcome::NotRun);
    assert_eq!(trajectory.steps.len(), 1);
    assert_every_call_has_its_result(&driven);
}

#[test]
fn exactly_as_many_calls_as_allowed_are_fine() {
    let mut bench = Bench::of("react");
    bench.limits.max_tool_calls = Some(2);
    let driven = bench.drive(&replies([calling(&["desk__echo"; 2]), saying("ok")]));
    assert_eq!(ending(&driven), &Ending::Answered);
    assert_eq!(driven.conversation.trajectory().violations, []);
}

#[test]
fn steps_tokens_and_seconds_end_it_and_every_call_has_its_result() {
    let endless = || replies((0..50).map(|_| calling(&["desk__echo", "desk__echo"])));
    let ends = |change: fn(&mut Bench)| {
        let mut bench = Bench::of("react");
        change(&mut bench);
        let driven = bench.drive(&endless());
        assert_every_call_has_its_result(&driven);
        (ending(&driven).clone(), driven.calls.len())
    };
    let limit = |limit| Ending::Limit { limit };
    assert_eq!(
        ends(|b| b.limits.max_steps = 3),
        (limit(LimitKind::Steps), 6)
    );
    assert_eq!(
        ends(|b| b.limits.budget_tokens = Some(25)),
        (limit(LimitKind::Tokens), 4)
    );
    assert_eq!(
        ends(|b| b.limits.budget_tokens = Some(20)),
        (limit(LimitKind::Tokens), 4)
    );
    // Each call takes a second: the limit comes between the two calls of the second reply.
    assert_eq!(
        ends(|b| b.limits.timeout_s = 3.0),
        (limit(LimitKind::Seconds), 3)
    );
    // And here before the third request.
    assert_eq!(
        ends(|b| b.limits.timeout_s = 4.0),
        (limit(LimitKind::Seconds), 4)
    );
}

#[test]
fn an_answer_past_the_token_budget_is_kept_and_the_limit_stands() {
    let mut bench = Bench::of("react");
    bench.limits.budget_tokens = Some(9);
    let driven = bench.drive(&replies([saying("done")]));
    assert_eq!(
        ending(&driven),
        &Ending::Limit {
            limit: LimitKind::Tokens
        }
    );
    assert_eq!(
        driven.conversation.trajectory().final_text.as_deref(),
        Some("done")
    );
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
fn a_dead_server_and_a_failing_provider_are_the_machines_fault() {
    let driven = Bench::of("react").drive(&replies([calling(&["desk__die"])]));
    let Err(DriveError::Infrastructure { evidence, message }) = &driven.result else {
        panic!("{:?}", driven.result)
    };
    assert_eq!(*evidence, InfrastructureEvidence::ServerDied);
    assert!(message.contains("code 3"));
    let sent = ProviderError::new(ProviderErrorKind::Status(500), "HTTP status 500");
    let driven = Bench::of("react").drive(&failing(sent));
    let Err(DriveError::Infrastructure { evidence, .. }) = driven.result else {
        panic!()
    };
    assert_eq!(evidence, InfrastructureEvidence::Provider);
    // The request went out, so its tokens are unknown, not none.
    assert_eq!(driven.conversation.trajectory().usage(), None);
}

#[test]
fn a_refused_budget_is_its_own_error_and_leaves_no_step() {
    let refused = BudgetError::Refused {
        asked: Usd::from_micros(5),
    };
    let driven = Bench::of("react").drive(&failing(refused.clone().into()));
    assert_eq!(driven.result, Err(DriveError::Budget(refused)));
    assert_eq!(driven.conversation.trajectory().steps.len(), 0);
}

#[test]
fn what_happened_before_a_timeout_is_kept() {
    let driven = Bench::of("react").drive(&replies([calling(&[
        "desk__echo",
        "desk__hang",
        "desk__echo",
    ])]));
    let mut conversation = driven.conversation;
    conversation.cut(LimitKind::Seconds);
    let trajectory = conversation.into_trajectory();
    assert_eq!(
        trajectory.ending,
        Some(Ending::Limit {
            limit: LimitKind::Seconds
        })
    );
    let calls: Vec<bool> = trajectory
        .calls()
        .map(crate::domain::ToolCall::executed)
        .collect();
    assert_eq!(calls, [true, true, false]);
}

#[test]
fn a_script_is_never_part_of_a_request() {
    let mut script = Script::default();
    script
        .call("desk.echo", json!({"secret-of-the-demo": 1}))
        .say("secret-of-the-demo");
    for kind in crate::harness::KINDS {
        let provider = replies([saying("{\"answer\": \"x\"}")]);
        let bench = Bench::of(kind.name);
        bench.play("mock", &script);
        bench.drive(&provider);
        let sent = serde_json::to_string(&provider.requests()[0]).unwrap();
        assert!(
            !sent.contains("secret-of-the-demo"),
            "{}: {sent}",
            kind.name
        );
    }
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

#[test]
fn time_between_prompts_is_not_the_agents() {
    let mut bench = Bench::of("react");
    bench.limits.timeout_s = 2.5;
    bench.prompts = vec!["a", "b", "c", "d"];
    bench.pause_s = 60;
    let calling = || calling(&["desk__echo"]);
    let answer = || saying("ok");
    let provider = replies([
        calling(),
        answer(),
        calling(),
        answer(),
        calling(),
        answer(),
        answer(),
    ]);
    let driven = bench.drive(&provider);
    assert_eq!(
        ending(&driven),
        &Ending::Limit {
            limit: LimitKind::Seconds
        }
    );
    // The third call passes the limit; nothing is asked after it.
    assert_eq!((driven.calls.len(), provider.requests().len()), (3, 5));
    let last = driven.conversation.trajectory().calls().last().unwrap();
    assert_eq!(last.at_ms, 122_000);
}

/// The whole of a model of one's own: it answers with what it was asked.
struct Parrot;

impl Provider for Parrot {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        Box::pin(async move {
            let asked = request.messages.iter().find_map(|message| match message {
                Message::User(text) => Some(text.as_str()),
                _ => None,
            });
            Ok(ChatReply::text(asked.unwrap_or_default()))
        })
    }
}

#[test]
fn a_provider_of_one_method_is_a_model_like_any_other() {
    for kind in ["react", "single-shot"] {
        let driven = Bench::of(kind).drive(&Parrot);
        let trajectory = driven.conversation.trajectory();
        assert_eq!(trajectory.final_text.as_deref(), Some("do it"), "{kind}");
        assert_eq!(trajectory.steps.len(), 1, "{kind}");
        assert_eq!(
            trajectory.steps[0].usage, None,
            "what it does not say is unknown"
        );
    }
}
