//! The table of providers: one line for each, and the one place that builds them.

use super::{Provider, ProviderError, Tape, mock, scripted};
#[cfg(feature = "http")]
use super::{anthropic, claude_cli, codex_cli, gemini_cli, openai, opencode_cli, qwen_cli};
use crate::domain::{Model, ProviderKind, Script};

/// What a provider is built from beside its model.
#[derive(Default)]
pub struct Setup<'a> {
    /// The rollout's own seed; mock models draw from it.
    pub seed: u64,
    /// The script of the task. Mock and scripted models play it; no other kind looks at it.
    pub script: Option<&'a Script>,
    /// The key that the model's `api_key_env` names: its value, read by the caller.
    pub secret: Option<String>,
    /// What writes down what passes, or plays what was; it plays without a key.
    pub tape: Tape,
}

type Build = fn(&Model, &Setup<'_>) -> Result<Box<dyn Provider>, ProviderError>;

const ROWS: &[(ProviderKind, Build)] = &[
    (mock::KIND, mock::build),
    (scripted::KIND, scripted::build),
    #[cfg(feature = "http")]
    (openai::KIND, openai::build),
    #[cfg(feature = "http")]
    (anthropic::KIND, anthropic::build),
    #[cfg(feature = "http")]
    (claude_cli::KIND, claude_cli::build),
    #[cfg(feature = "http")]
    (codex_cli::KIND, codex_cli::build),
    #[cfg(feature = "http")]
    (gemini_cli::KIND, gemini_cli::build),
    #[cfg(feature = "http")]
    (opencode_cli::KIND, opencode_cli::build),
    #[cfg(feature = "http")]
    (qwen_cli::KIND, qwen_cli::build),
];

/// Kinds that a feature adds, with the feature.
const FEATURES: &[(&str, &str)] = &[
    ("openai", "http"),
    ("anthropic", "http"),
    ("claude-cli", "http"),
    ("codex-cli", "http"),
    ("gemini-cli", "http"),
    ("opencode-cli", "http"),
    ("qwen-cli", "http"),
];

const ALL: [ProviderKind; ROWS.len()] = {
    let mut all = [mock::KIND; ROWS.len()];
    let mut at = 0;
    while at < ROWS.len() {
        all[at] = ROWS[at].0;
        at += 1;
    }
    all
};

/// Every provider kind that this build has.
pub const KINDS: &[ProviderKind] = &ALL;

/// The row of a name, if this build has it.
#[must_use]
pub fn kind(name: &str) -> Option<&'static ProviderKind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// The feature that would add a kind that this build lacks; `None` when the kind is here, or when
/// no feature adds it.
#[must_use]
pub fn behind_feature(name: &str) -> Option<&'static str> {
    if kind(name).is_some() {
        return None;
    }
    FEATURES
        .iter()
        .find(|(kind, _)| *kind == name)
        .map(|(_, feature)| *feature)
}

/// Builds the provider of a model, for one rollout.
///
/// # Errors
/// `ProviderErrorKind::Configuration` when the kind is unknown, or when the model lacks something
/// that its kind needs. Nothing is sent.
pub fn build(model: &Model, setup: &Setup<'_>) -> Result<Box<dyn Provider>, ProviderError> {
    match ROWS.iter().find(|(kind, _)| kind.name == model.provider) {
        Some((_, build)) => build(model, setup),
        None => Err(ProviderError::configuration(absent(model))),
    }
}

fn absent(model: &Model) -> String {
    let (id, name) = (&model.id, &model.provider);
    match behind_feature(name) {
        Some(feature) => format!("model `{id}`: provider `{name}` needs the feature `{feature}`"),
        None => {
            let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
            format!(
                "model `{id}`: no provider is named `{name}`; there are {}",
                known.join(", ")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::mock::tests::model;

    #[test]
    fn a_kind_of_another_build_names_its_feature() {
        let expected = if cfg!(feature = "http") {
            None
        } else {
            Some("http")
        };
        for name in [
            "openai",
            "anthropic",
            "claude-cli",
            "codex-cli",
            "gemini-cli",
        ] {
            assert_eq!(behind_feature(name), expected);
            assert_eq!(kind(name).is_some(), cfg!(feature = "http"));
        }
        assert_eq!(behind_feature("mock"), None);
        assert_eq!(behind_feature("nonsense"), None);
    }

    #[test]
    fn an_unknown_kind_is_an_error_that_lists_the_known_ones() {
        let mut model = model(1.0, 1.0);
        model.provider = "nonsense".to_owned();
        let error = build(&model, &Setup::default()).err().unwrap();
        assert!(error.message.contains("mock, scripted"), "{error}");
    }

    #[test]
    fn no_kind_is_both_live_and_pretend() {
        assert!(KINDS.iter().all(|kind| kind.live != kind.pretend));
    }
}
