//! What models do to the loop: they fail, they may not be paid, and they can be anybody's.

use crate::domain::{BudgetError, InfrastructureEvidence, LocalFuture, Script, Usd};
use crate::harness::DriveError;
use crate::harness::test_bench::{Bench, calling, failing, replies, saying};
use crate::provider::{
    ChatReply, ChatRequest, Message, Provider, ProviderError, ProviderErrorKind,
};
use serde_json::json;

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
fn a_script_is_never_part_of_a_request() {
    let mut script = Script::default();
    script
        .call("desk.echo", json!({"secret-of-the-demo": 1}))
        .say("secret-of-the-demo");
    // A program, and an executable of one's own, is told the prompt alone.
    let is_program = |name| {
        let mut programs = crate::harness::PROGRAMS.iter();
        name == "command" || programs.any(|one| one.kind == name)
    };
    let loops = crate::harness::KINDS.iter();
    for kind in loops.filter(|kind| !is_program(kind.name)) {
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
