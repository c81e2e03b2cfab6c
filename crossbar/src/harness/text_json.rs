//! text-json: a loop for models without tool calling. Each turn is exactly one JSON action, written
//! as the whole text: `{"tool": .., "args": {..}}` or `{"answer": ..}`.
//!
//! Native behaviour: tools are described in the system prompt, results come back as user messages,
//! and keeping the form is part of the job. A turn of any other form is recorded as a malformed
//! call and answered with a request to correct it, at most [`MAX_CORRECTIONS`] times a prompt; one
//! more ends the run as the agent's own failure. A roster that sets `params.response_format` has it
//! passed on, for servers that can force the form. `instructions` replaces the first paragraph of
//! the system prompt; the protocol and the tools always follow it.

use super::calls::Told;
use super::{DriveError, Harness, Session};
use crate::domain::{Arguments, Ending, HarnessKind, HarnessSpec, LocalFuture, StepKind};
use crate::provider::{ReplyForm, ToolCallRequest, ToolSpec};
use serde_json::{Map, Value, json};

pub(super) const KIND: HarnessKind = HarnessKind {
    name: "text-json",
    doc: "one JSON action a turn, written as text; for models without tool calling",
    can_verify: false,
    offers_tools: true,
};

/// How often a prompt's form is asked to be corrected before the run ends.
const MAX_CORRECTIONS: u32 = 2;

const SYSTEM: &str = "You do what the user asks with the tools at hand.";

const PROTOCOL: &str = "Each of your replies is exactly one JSON object and nothing else: no text \
    around it, no code fence. To use a tool, reply {\"tool\": \"NAME\", \"args\": {...}}. When \
    everything is done, reply {\"answer\": \"TEXT\"}.";

struct TextJson {
    preamble: String,
}

/// What one turn asks for.
enum Action {
    Call { tool: String, args: Value },
    Answer(String),
}

pub(super) fn build(spec: &HarnessSpec) -> Box<dyn Harness> {
    Box::new(TextJson {
        preamble: spec
            .instructions
            .clone()
            .unwrap_or_else(|| SYSTEM.to_owned()),
    })
}

impl Harness for TextJson {
    fn drive<'a>(
        &'a self,
        session: &'a mut Session<'_>,
        prompt: &'a str,
    ) -> LocalFuture<'a, Result<(), DriveError>> {
        Box::pin(async move {
            let tools = session.withhold_tools();
            let system = self.system(&tools);
            if !session.begin(Some(system), ReplyForm::JsonAction, prompt) {
                return Ok(());
            }
            until_answered(session).await
        })
    }
}

impl TextJson {
    fn system(&self, tools: &[ToolSpec]) -> String {
        let mut text = format!("{}\n\n{PROTOCOL}\n\nTools, one a line:\n", self.preamble);
        for tool in tools {
            let line = json!({
                "name": tool.name,
                "description": tool.description,
                "args": tool.input_schema,
            });
            text.push_str(&line.to_string());
            text.push('\n');
        }
        text
    }
}

async fn until_answered(session: &mut Session<'_>) -> Result<(), DriveError> {
    let mut corrections = 0;
    let mut turn = StepKind::Work;
    while let Some(reply) = session.ask(turn).await? {
        turn = StepKind::Work;
        match action(&reply.text) {
            Ok(Action::Answer(text)) => session.answer(text),
            Ok(Action::Call { tool, args }) => call(session, &tool, args).await?,
            Err(why) => {
                session.record_malformed(reply.raw(), &why);
                if corrections == MAX_CORRECTIONS {
                    session.end(Ending::Crashed {
                        message: format!(
                            "no JSON action after {MAX_CORRECTIONS} corrections: {why}"
                        ),
                    });
                }
                corrections += 1;
                turn = StepKind::Correction;
                session.say(&format!("That was no valid action: {why}. {PROTOCOL}"));
            }
        }
        if session.has_ended() {
            break;
        }
    }
    Ok(())
}

async fn call(session: &mut Session<'_>, tool: &str, args: Value) -> Result<(), DriveError> {
    let mut asked = [ToolCallRequest {
        id: String::new(),
        name: tool.to_owned(),
        arguments: Arguments::Json(args),
    }];
    session.make_ids_unique(&mut asked);
    session.record_calls(&asked);
    let Told { text, is_error } = session.execute(0).await?;
    let key = if is_error { "error" } else { "result" };
    session.say(&json!({"tool": tool, key: text}).to_string());
    Ok(())
}

/// Reads a turn: the whole text is one JSON object with just the keys of an action.
fn action(text: &str) -> Result<Action, String> {
    let value: Value = serde_json::from_str(text.trim())
        .map_err(|error| format!("it is not one JSON object ({error})"))?;
    let Value::Object(mut fields) = value else {
        return Err("it is JSON, but no object".to_owned());
    };
    let action = match (fields.remove("tool"), fields.remove("answer")) {
        (Some(Value::String(tool)), None) => call_of(tool, &mut fields)?,
        (None, Some(Value::String(text))) => Action::Answer(text),
        (None, Some(other)) => Action::Answer(other.to_string()),
        (Some(_), None) => return Err("`tool` is not a string".to_owned()),
        (Some(_), Some(_)) => return Err("it has both `tool` and `answer`".to_owned()),
        (None, None) => return Err("it has neither `tool` nor `answer`".to_owned()),
    };
    match fields.keys().next() {
        None => Ok(action),
        Some(key) => Err(format!("`{key}` is not part of an action")),
    }
}

fn call_of(tool: String, fields: &mut Map<String, Value>) -> Result<Action, String> {
    match fields.remove("args") {
        Some(args @ Value::Object(_)) => Ok(Action::Call { tool, args }),
        Some(_) => Err("`args` is not an object".to_owned()),
        None => Err("`args` is missing".to_owned()),
    }
}

#[cfg(test)]
mod tests;
