//! single-shot: one request without tools; its text is the answer.
//!
//! Native behaviour: no tools are offered, no second request is ever made, and tool calls that a
//! model asks for all the same are not read. `instructions` replaces the system prompt.

use super::{DriveError, Harness, Session};
use crate::domain::{HarnessKind, HarnessSpec, LocalFuture, StepKind};
use crate::provider::ReplyForm;

pub(super) const KIND: HarnessKind = HarnessKind {
    name: "single-shot",
    doc: "one request without tools; its text is the answer",
    can_verify: false,
    offers_tools: false,
};

const SYSTEM: &str = "Answer the user in one reply. You have no tools.";

struct SingleShot {
    system: String,
}

pub(super) fn build(spec: &HarnessSpec) -> Box<dyn Harness> {
    Box::new(SingleShot {
        system: spec
            .instructions
            .clone()
            .unwrap_or_else(|| SYSTEM.to_owned()),
    })
}

impl Harness for SingleShot {
    fn drive<'a>(
        &'a self,
        session: &'a mut Session<'_>,
        prompt: &'a str,
    ) -> LocalFuture<'a, Result<(), DriveError>> {
        Box::pin(async move {
            if !session.begin(Some(self.system.clone()), ReplyForm::Text, prompt) {
                return Ok(());
            }
            session.withhold_tools();
            if let Some(reply) = session.ask(StepKind::Work).await? {
                session.answer(reply.text);
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::{Ending, Script};
    use crate::harness::test_bench::{Bench, calling, replies};
    use serde_json::json;

    #[test]
    fn one_request_no_tools_and_no_tool_events() {
        let provider = replies([calling(&["desk__echo"])]);
        let driven = Bench::of("single-shot").drive(&provider);
        assert_eq!(provider.requests().len(), 1);
        assert_eq!(provider.requests()[0].tools, []);
        assert_eq!((driven.result, driven.calls.len()), (Ok(()), 0));
        let trajectory = driven.conversation.trajectory();
        assert_eq!(trajectory.ending, Some(Ending::Answered));
        assert_eq!(trajectory.calls().count(), 0);
    }

    #[test]
    fn a_pretend_model_claims_the_work_without_doing_it() {
        let mut script = Script::default();
        script.call("desk.echo", json!({})).say("echoed");
        for provider in ["mock", "scripted"] {
            let driven = Bench::of("single-shot").play(provider, &script);
            let trajectory = driven.conversation.trajectory();
            assert_eq!(trajectory.final_text.as_deref(), Some("echoed"));
            assert_eq!(driven.calls.len(), 0);
        }
    }
}
