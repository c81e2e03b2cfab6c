//! Attributes, spans and events as OTLP/JSON writes them.

use crate::domain::Moment;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// A list of attributes, in the order in which they were given.
#[derive(Debug, Clone, Default)]
pub(super) struct Attributes(Vec<Value>);

impl Attributes {
    fn put(&mut self, key: &str, value: Value) -> &mut Self {
        self.0.push(json!({"key": key, "value": value}));
        self
    }

    pub(super) fn text(&mut self, key: &str, value: &str) -> &mut Self {
        self.put(key, json!({"stringValue": value}))
    }

    /// Nothing where it is unknown.
    pub(super) fn text_of(&mut self, key: &str, value: Option<&str>) -> &mut Self {
        match value {
            Some(value) => self.text(key, value),
            None => self,
        }
    }

    /// A whole number, which the encoding wants as text.
    pub(super) fn whole(&mut self, key: &str, value: u64) -> &mut Self {
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        self.put(key, json!({"intValue": value.to_string()}))
    }

    pub(super) fn number(&mut self, key: &str, value: f64) -> &mut Self {
        self.put(key, json!({"doubleValue": value}))
    }

    /// Nothing where it is unknown.
    pub(super) fn number_of(&mut self, key: &str, value: Option<f64>) -> &mut Self {
        match value {
            Some(value) => self.number(key, value),
            None => self,
        }
    }
}

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Who a span is about.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// Work of the process itself.
    Internal,
    /// A request to somebody else.
    Client,
}

impl Kind {
    /// The number of the enum `SpanKind`.
    fn number(self) -> u8 {
        match self {
            Self::Internal => 1,
            Self::Client => 3,
        }
    }
}

/// The number of `STATUS_CODE_ERROR`.
const ERROR: u8 = 2;

/// A span before it is written.
#[derive(Debug)]
pub(super) struct Span {
    pub(super) trace: String,
    pub(super) id: String,
    pub(super) parent: Option<String>,
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) began: Moment,
    pub(super) ended: Moment,
    pub(super) attributes: Attributes,
    pub(super) events: Vec<Value>,
    /// The class of the error that it ended with, and what a person reads of it.
    pub(super) error: Option<(&'static str, String)>,
}

impl Span {
    pub(super) fn json(mut self) -> Value {
        let status = match self.error {
            Some((class, message)) => {
                self.attributes.text("error.type", class);
                json!({"code": ERROR, "message": message})
            }
            None => json!({}),
        };
        let mut span = json!({
            "traceId": self.trace,
            "spanId": self.id,
            "name": self.name,
            "kind": self.kind.number(),
            "startTimeUnixNano": nanos(self.began),
            "endTimeUnixNano": nanos(self.ended.max(self.began)),
            "attributes": self.attributes,
            "events": self.events,
            "status": status,
        });
        if let Some(parent) = self.parent {
            span["parentSpanId"] = json!(parent);
        }
        span
    }
}

/// An event of a span.
pub(super) fn event(name: &str, at: Moment, attributes: &Attributes) -> Value {
    json!({"timeUnixNano": nanos(at), "name": name, "attributes": attributes})
}

/// Nanoseconds since 1970, which the encoding wants as text.
fn nanos(moment: Moment) -> String {
    moment.0.as_nanos().to_string()
}
