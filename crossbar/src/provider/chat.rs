//! The nouns of a conversation with a model, and the trait that every provider implements.

use super::ProviderError;
use crate::domain::{Arguments, CutShort, LocalFuture, StepKind, Usage};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A model that can be asked. One method has to be written; see the room's page for an example.
pub trait Provider {
    /// Sends one request and brings back the whole reply.
    ///
    /// # Errors
    /// `ProviderError` when there is no reply. Whatever a model wrote is a reply, also when it is
    /// nonsense.
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>>;

    /// How many bytes the request has when it is sent: no tokeniser makes more tokens of it than
    /// it has bytes, so this bounds what its input can cost.
    fn wire_bytes(&self, request: &ChatRequest) -> u64 {
        request.bytes()
    }

    /// Sees whether the model can be asked at all, with a request that costs nothing. A provider
    /// that knows no such request says yes.
    ///
    /// # Errors
    /// `ProviderError` when nobody is there, or the key is refused.
    fn preflight(&self) -> LocalFuture<'_, Result<(), ProviderError>> {
        Box::pin(async { Ok(()) })
    }
}

/// Everything that a model is told.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChatRequest {
    /// The system prompt.
    pub system: Option<String>,
    /// The conversation so far, oldest first.
    pub messages: Vec<Message>,
    /// The tools on offer; empty where the harness offers none.
    pub tools: Vec<ToolSpec>,
    /// Generation settings of the roster, as they stand there.
    pub params: BTreeMap<String, Value>,
    /// The shape that the reply is forced into, in the provider's own words.
    pub response_format: Option<Value>,
    /// Whose turn this is. Pretend models read it; it is never sent.
    #[serde(skip)]
    pub turn: StepKind,
    /// The form in which the harness reads the reply. Pretend models read it; it is never sent.
    #[serde(skip)]
    pub form: ReplyForm,
}

/// The form in which a harness reads a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReplyForm {
    /// Tool calls beside the text.
    #[default]
    Calls,
    /// Text alone; there are no tools.
    Text,
    /// One JSON action written as the text: `{"tool", "args"}` or `{"answer"}`.
    JsonAction,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "role", content = "content", rename_all = "snake_case")]
pub enum Message {
    /// What the user, or the harness in the user's place, said.
    User(String),
    /// What the model said.
    Assistant {
        /// Its text, thoughts removed.
        text: String,
        /// The calls that it asked for.
        calls: Vec<ToolCallRequest>,
        /// The message as the provider wrote it, where it has to go back unchanged.
        #[serde(skip_serializing_if = "Option::is_none")]
        own: Option<Value>,
    },
    /// What became of one call.
    ToolResult {
        /// The id of the call.
        call_id: String,
        /// What the model is shown.
        text: String,
        /// Whether it is a failure.
        is_error: bool,
    },
}

/// A tool as it is offered to a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolSpec {
    /// The name for the model: `[A-Za-z0-9_-]`, 1 to 64 characters.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its arguments; always has `type: object` and `properties`.
    pub input_schema: Value,
}

/// A tool call as a model asked for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolCallRequest {
    /// The id that pairs it with its result; the harness replaces empty and repeated ones.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// What it passes.
    pub arguments: Arguments,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChatReply {
    /// The text, thoughts removed: what checks see when it is the last answer.
    pub text: String,
    /// The text as the model wrote it, where that differs.
    pub raw_text: Option<String>,
    /// The tool calls that it asks for, in order.
    pub calls: Vec<ToolCallRequest>,
    /// Its tokens; `None` when the provider did not say.
    pub usage: Option<Usage>,
    /// The model that answered, as the provider names it.
    pub answered_model: Option<String>,
    /// Why it ends where it does, where the model did not choose to.
    pub cut_short: Option<CutShort>,
    /// The message as the provider wrote it, where it has to go back unchanged with the next
    /// request (thoughts with their signatures).
    pub own: Option<Value>,
    /// Requests beyond the first that it took.
    pub retries: u32,
}

impl Default for ChatRequest {
    fn default() -> Self {
        Self {
            system: None,
            messages: Vec::new(),
            tools: Vec::new(),
            params: BTreeMap::new(),
            response_format: None,
            turn: StepKind::Work,
            form: ReplyForm::Calls,
        }
    }
}

impl ChatRequest {
    /// The bytes of the request written as JSON.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let mut counter = Counter(0);
        match serde_json::to_writer(&mut counter, self) {
            Ok(()) => counter.0,
            // A request is made of texts and JSON values, which can always be written; were it
            // otherwise, nothing could be sent either.
            Err(_) => u64::MAX,
        }
    }
}

impl ChatReply {
    /// A reply that is this text and nothing else, its tokens unknown.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }

    /// What the model wrote, thoughts included.
    #[must_use]
    pub fn raw(&self) -> &str {
        self.raw_text.as_deref().unwrap_or(&self.text)
    }
}

/// Counts what is written to it.
struct Counter(u64);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_for_pretend_models_are_not_part_of_the_request() {
        let plain = ChatRequest::default();
        let hinted = ChatRequest {
            turn: StepKind::Verify,
            form: ReplyForm::JsonAction,
            ..ChatRequest::default()
        };
        assert_eq!(
            serde_json::to_string(&plain).unwrap(),
            serde_json::to_string(&hinted).unwrap()
        );
        assert_eq!(
            plain.bytes(),
            serde_json::to_string(&plain).unwrap().len() as u64
        );
    }
}
