//! Plays a script: one call a turn, then the final text. Mock and scripted models share it.

use super::{ChatReply, ChatRequest, ReplyForm, ToolCallRequest};
use crate::domain::{Arguments, ScriptStep, StepKind, Usage};
use serde_json::json;
use std::collections::VecDeque;

/// Where a pretend model stands in its script.
pub(super) struct Player {
    /// Steps still to be carried out.
    work: VecDeque<ScriptStep>,
    /// Steps to be carried out when a verify turn comes.
    redo: VecDeque<ScriptStep>,
    final_text: String,
    /// The name it answers under.
    model: String,
    calls: u32,
}

impl Player {
    pub(super) fn new(model: &str, work: Vec<ScriptStep>, final_text: &str) -> Self {
        Self {
            work: work.into(),
            redo: VecDeque::new(),
            final_text: final_text.to_owned(),
            model: model.to_owned(),
            calls: 0,
        }
    }

    /// Steps that a verify turn carries out.
    pub(super) fn redoing(mut self, redo: Vec<ScriptStep>) -> Self {
        self.redo = redo.into();
        self
    }

    /// The next reply, in the form that the harness reads.
    pub(super) fn reply(&mut self, request: &ChatRequest) -> ChatReply {
        let mut reply = match self.next_step(request) {
            Some(step) => self.call(step, request.form),
            None => ChatReply::text(&self.last_words(request.form)),
        };
        reply.usage = Some(usage(request, &reply));
        reply.answered_model = Some(self.model.clone());
        reply
    }

    fn next_step(&mut self, request: &ChatRequest) -> Option<ScriptStep> {
        match (request.form, request.turn) {
            (ReplyForm::Text, _) => None,
            (_, StepKind::Verify) => self.redo.pop_front(),
            (_, StepKind::Work | StepKind::Correction) => self.work.pop_front(),
        }
    }

    fn call(&mut self, step: ScriptStep, form: ReplyForm) -> ChatReply {
        if form == ReplyForm::JsonAction {
            return ChatReply::text(&json!({"tool": step.tool, "args": step.args}).to_string());
        }
        self.calls += 1;
        ChatReply {
            text: step.thought.unwrap_or_default(),
            calls: vec![ToolCallRequest {
                id: format!("call_{}", self.calls),
                name: step.tool,
                arguments: Arguments::Json(step.args),
            }],
            ..ChatReply::default()
        }
    }

    fn last_words(&self, form: ReplyForm) -> String {
        match form {
            ReplyForm::JsonAction => json!({"answer": self.final_text}).to_string(),
            ReplyForm::Calls | ReplyForm::Text => self.final_text.clone(),
        }
    }
}

/// Pretend tokens: a token for every four bytes begun, of the request and of the reply.
fn usage(request: &ChatRequest, reply: &ChatReply) -> Usage {
    let written: usize = reply
        .calls
        .iter()
        .map(|call| {
            let arguments = match &call.arguments {
                Arguments::Json(value) => value.to_string().len(),
                Arguments::Malformed(text) => text.len(),
            };
            call.name.len() + arguments
        })
        .sum();
    Usage {
        input_uncached: request.bytes().div_ceil(4),
        output: ((reply.text.len() + written) as u64).div_ceil(4),
        ..Usage::default()
    }
}
