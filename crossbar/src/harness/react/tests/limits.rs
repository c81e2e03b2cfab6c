//! What ends the loop early: limits of steps, tokens, seconds and calls.

use super::{assert_every_call_has_its_result, ending, outcomes};
use crate::domain::{CallOutcome, Ending, LimitKind, Violation};
use crate::harness::test_bench::{Bench, calling, replies, saying};

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
