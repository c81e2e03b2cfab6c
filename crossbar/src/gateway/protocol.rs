//! The table of protocols that a gateway speaks: one line for each kind of provider that has one.

use super::{chat, gemini, messages, responses};
use crate::domain::Usage;

/// A protocol between a program and its model.
#[derive(Clone, Copy)]
pub struct Protocol {
    /// The provider kind whose programs speak it.
    pub provider: &'static str,
    /// Paths whose requests are model calls: metered, held to the limits. A `*` stands for the
    /// name of the model, where a path has it.
    pub(super) metered: &'static [&'static str],
    /// Paths that are passed on and cost nothing, in the same form.
    pub(super) free: &'static [&'static str],
    /// The key that bounds an answer, where the programs leave it out, `object.key` for one inside
    /// an object; `None` where they name it.
    pub(super) ceiling: Option<&'static str>,
    /// Reads what a request asks for.
    pub(super) asked: fn(&[u8]) -> Asked,
    /// A reader of one answer.
    pub(super) answer: fn(&str) -> Box<dyn Answer>,
    /// The body of an error, in the protocol's own form.
    pub(super) error: fn(&str) -> String,
}

impl Protocol {
    /// Whether requests to a path are model calls.
    pub(super) fn meters(&self, path: &str) -> bool {
        self.metered.iter().any(|pattern| fits(pattern, path))
    }

    /// Whether requests to a path are passed on without being counted.
    pub(super) fn frees(&self, path: &str) -> bool {
        self.free.iter().any(|pattern| fits(pattern, path))
    }

    /// The model that a path of model calls names.
    pub(super) fn model_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let mut patterns = self.metered.iter();
        patterns.find_map(|pattern| at_star(pattern, path))
    }
}

fn fits(pattern: &str, path: &str) -> bool {
    pattern == path || at_star(pattern, path).is_some()
}

/// What a path has where its pattern has the star: one part of it.
fn at_star<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    let (before, after) = pattern.split_once('*')?;
    let name = path.strip_prefix(before)?.strip_suffix(after)?;
    (!name.is_empty() && !name.contains('/')).then_some(name)
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
    gemini::PROTOCOL,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_its_model_where_the_pattern_has_the_star() {
        let gemini = protocol("gemini-cli").unwrap();
        let stream = "/v1beta/models/m-1:streamGenerateContent";
        assert!(gemini.meters(stream) && !gemini.frees(stream));
        assert_eq!(gemini.model_of(stream), Some("m-1"));
        let count = "/v1beta/models/m-1:countTokens";
        assert!(gemini.frees(count) && !gemini.meters(count));
        for other in [
            "/v1beta/models/:streamGenerateContent",
            "/v1beta/models/a/b:generateContent",
            "/v1beta/models/m-1:embedContent",
            "/v1beta/models",
        ] {
            assert!(!gemini.meters(other) && !gemini.frees(other), "{other}");
        }
        let messages = protocol("claude-cli").unwrap();
        assert!(messages.meters("/v1/messages") && !messages.meters("/v1/messages/x"));
        assert_eq!(messages.model_of("/v1/messages"), None);
    }
}
