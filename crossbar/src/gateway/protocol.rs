//! The table of protocols that a gateway speaks: one line for each kind of provider that has one.

use super::{chat, messages, responses};
use crate::domain::Usage;

/// A protocol between a program and its model.
#[derive(Clone, Copy)]
pub struct Protocol {
    /// The provider kind whose programs speak it.
    pub provider: &'static str,
    /// Paths whose requests are model calls: metered, held to the limits.
    pub(super) metered: &'static [&'static str],
    /// Paths that are passed on and cost nothing.
    pub(super) free: &'static [&'static str],
    /// The key that bounds an answer, where the programs leave it out; `None` where they name it.
    pub(super) ceiling: Option<&'static str>,
    /// Reads what a request asks for.
    pub(super) asked: fn(&[u8]) -> Asked,
    /// A reader of one answer.
    pub(super) answer: fn(&str) -> Box<dyn Answer>,
    /// The body of an error, in the protocol's own form.
    pub(super) error: fn(&str) -> String,
}

/// What a request asks for, as far as it says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Asked {
    pub(super) model: Option<String>,
    pub(super) max_output: Option<u64>,
    /// The tools that it offers, by the names that calls have.
    pub(super) tools: Vec<String>,
    /// What has to stand behind it so that its answer tells its tokens: a key, and the value as JSON.
    pub(super) lacks: Option<(&'static str, &'static str)>,
}

/// What an answer has told so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Told {
    pub(super) message: Option<String>,
    pub(super) model: Option<String>,
    /// The tokens that it has named; a lower bound until it is complete.
    pub(super) usage: Option<Usage>,
    /// The tool calls that it has begun, in order.
    pub(super) calls: Vec<String>,
    pub(super) is_complete: bool,
}

/// Reads one answer of success as it passes.
pub(super) trait Answer: Send {
    /// Takes the next piece of the body.
    fn feed(&mut self, piece: &[u8]);

    /// Takes the end of the body, which came in good order.
    fn end(&mut self);

    /// What it has told so far.
    fn told(&self) -> &Told;
}

const ROWS: &[Protocol] = &[
    messages::PROTOCOL,
    responses::PROTOCOL,
    chat::PROTOCOL,
    Protocol {
        provider: "qwen-cli",
        ..chat::PROTOCOL
    },
];

/// The protocol of a provider kind; `None` where crossbar asks the model itself.
#[must_use]
pub fn protocol(provider: &str) -> Option<Protocol> {
    ROWS.iter().find(|row| row.provider == provider).copied()
}
