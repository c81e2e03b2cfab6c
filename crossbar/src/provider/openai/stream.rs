//! A streamed answer of the chat completions protocol, put together again.
//!
//! The pieces are read as servers send them, not as they should. Calls are told apart by index;
//! where a server gives each call the same one, or none, a new id begins a new call. Usage may come
//! in a piece of its own, with the last words, or again and again (the last one counts). The answer
//! has come to its end with `[DONE]`, or once a reason for finishing was given: each is left out by
//! some server, and a stream that has neither was cut.

use crate::provider::http::{DONE, Stream};
use serde_json::{Value, json};

/// What has come so far.
#[derive(Default)]
pub(super) struct Chunks {
    model: Value,
    usage: Value,
    content: String,
    refusal: String,
    calls: Vec<Call>,
    finish: Value,
    has_begun: bool,
    is_done: bool,
}

/// A tool call under way.
#[derive(Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    text: String,
    /// Arguments that came as an object, not as the text of one.
    object: Option<Value>,
}

impl Stream for Chunks {
    fn take(&mut self, event: &Value) -> Result<(), String> {
        if event == DONE {
            self.is_done = true;
            return Ok(());
        }
        if !event.is_object() {
            return Err(format!("a part of the answer is no object: {event}"));
        }
        self.has_begun = true;
        keep(&mut self.model, &event["model"]);
        keep(&mut self.usage, &event["usage"]);
        let choices = event["choices"].as_array();
        for choice in choices.into_iter().flatten() {
            if choice["index"].as_u64().unwrap_or(0) == 0 {
                self.choice(choice);
            }
        }
        Ok(())
    }

    fn has_begun(&self) -> bool {
        self.has_begun
    }

    fn is_over(&self) -> bool {
        self.is_done
    }

    fn whole(&self) -> Option<Value> {
        if !self.is_done && self.finish.is_null() {
            return None;
        }
        let is_empty = self.content.is_empty() && self.calls.is_empty();
        if is_empty && self.refusal.is_empty() && self.finish.is_null() {
            // Nothing but an end mark: nobody has answered.
            return None;
        }
        let text = |text: &String| (!text.is_empty()).then(|| text.clone());
        let calls: Vec<Value> = self.calls.iter().map(Call::whole).collect();
        let message = json!({
            "content": text(&self.content),
            "refusal": text(&self.refusal),
            "tool_calls": calls,
        });
        Some(json!({
            "model": self.model,
            "usage": self.usage,
            "choices": [{"message": message, "finish_reason": self.finish}],
        }))
    }
}

/// Takes what is said over what was said before; silence changes nothing.
fn keep(old: &mut Value, new: &Value) {
    if !new.is_null() {
        old.clone_from(new);
    }
}

impl Chunks {
    fn choice(&mut self, choice: &Value) {
        keep(&mut self.finish, &choice["finish_reason"]);
        // Some servers send the last piece as a whole message.
        let delta = match &choice["delta"] {
            Value::Null => &choice["message"],
            delta => delta,
        };
        match &delta["content"] {
            Value::String(text) => self.content.push_str(text),
            Value::Array(parts) => {
                let texts = parts.iter().filter_map(|part| part["text"].as_str());
                self.content.extend(texts);
            }
            _ => {}
        }
        self.refusal
            .push_str(delta["refusal"].as_str().unwrap_or_default());
        for piece in delta["tool_calls"].as_array().into_iter().flatten() {
            self.call(piece);
        }
    }

    fn call(&mut self, piece: &Value) {
        let at = self.place(piece);
        let call = &mut self.calls[at];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (id, name) = (text(&piece["id"]), text(&piece["function"]["name"]));
        if call.id.is_empty() {
            call.id = id;
        }
        // Some servers repeat the name in every piece, some cut it into several.
        if call.name != name {
            call.name.push_str(&name);
        }
        match &piece["function"]["arguments"] {
            Value::String(text) => call.text.push_str(text),
            Value::Null => {}
            object => call.object = Some(object.clone()),
        }
    }

    /// The call that a piece goes on with, or a new one.
    fn place(&mut self, piece: &Value) -> usize {
        let index = piece["index"].as_u64();
        let id = piece["id"].as_str().unwrap_or_default();
        let goes_on = |call: &Call| {
            let same_id = id.is_empty() || call.id.is_empty() || call.id == id;
            same_id && (index.is_none() || call.index == index)
        };
        // Without an index only the last call can go on.
        let found = match index {
            Some(_) => self.calls.iter().rposition(goes_on),
            None => self
                .calls
                .len()
                .checked_sub(1)
                .filter(|at| goes_on(&self.calls[*at])),
        };
        found.unwrap_or_else(|| {
            self.calls.push(Call {
                index,
                ..Call::default()
            });
            self.calls.len() - 1
        })
    }
}

impl Call {
    fn whole(&self) -> Value {
        let arguments = match &self.object {
            Some(object) => object.clone(),
            None => Value::String(self.text.clone()),
        };
        json!({"id": self.id, "function": {"name": self.name, "arguments": arguments}})
    }
}

#[cfg(test)]
mod tests;
