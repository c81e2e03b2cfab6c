//! react: the model and its tools in a loop, until it answers without a call.
//!
//! Native behaviour: tools are offered as functions; whether a reply has calls decides, not what it
//! says about its finish; calls of one reply run in order; each result, and each error, goes back
//! as the result of its call, and the loop goes on, as it does when the provider paused a reply. With `verify`, the first answer of a rollout is
//! followed by exactly one self-check turn, in which the model may use tools again; its answer is
//! then the last one. The prompts are fixed; `instructions` replaces the system prompt.

use super::{DriveError, Harness, Session};
use crate::domain::{CutShort, HarnessKind, HarnessSpec, LocalFuture, StepKind};
use crate::provider::ReplyForm;

pub(super) const KIND: HarnessKind = HarnessKind {
    name: "react",
    doc: "the model and its tools in a loop, until it answers; can force one self-check turn",
    can_verify: true,
    offers_tools: true,
};

const SYSTEM: &str = "You do what the user asks with the tools at hand. Use tools to look things \
    up and to make changes; never claim a change that you did not make. When everything is done, \
    answer without a tool call.";

const SELF_CHECK: &str = "Before this is final: check your work against the request. Look at the \
    state again with the tools where you can, make good what is missing or wrong, and then give \
    your final answer in full.";

struct React {
    system: String,
    verify: bool,
}

pub(super) fn build(spec: &HarnessSpec) -> Box<dyn Harness> {
    Box::new(React {
        system: spec
            .instructions
            .clone()
            .unwrap_or_else(|| SYSTEM.to_owned()),
        verify: spec.verify,
    })
}

impl Harness for React {
    fn drive<'a>(
        &'a self,
        session: &'a mut Session<'_>,
        prompt: &'a str,
    ) -> LocalFuture<'a, Result<(), DriveError>> {
        Box::pin(async move {
            if !session.begin(Some(self.system.clone()), ReplyForm::Calls, prompt) {
                return Ok(());
            }
            until_answered(session, StepKind::Work).await?;
            if self.verify && session.begin_verify(SELF_CHECK) {
                until_answered(session, StepKind::Verify).await?;
            }
            Ok(())
        })
    }
}

async fn until_answered(session: &mut Session<'_>, turn: StepKind) -> Result<(), DriveError> {
    while let Some(reply) = session.ask(turn).await? {
        if reply.calls.is_empty() {
            if reply.cut_short == Some(CutShort::Paused) && !session.has_ended() {
                continue;
            }
            session.answer(reply.text);
            break;
        }
        session.record_calls(&reply.calls);
        for (at, call) in reply.calls.iter().enumerate() {
            let told = session.execute(at).await?;
            session.tell(&call.id, told);
        }
        if session.has_ended() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
