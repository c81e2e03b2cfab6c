//! codex-cli: a model that the command line of Codex asks by itself, through the gateway.

use super::by_program::{self, ByProgram};
use super::http::{Auth, Vendor};
use super::{Provider, ProviderError, Setup};
use crate::domain::{Model, ProviderKind};

pub(super) const KIND: ProviderKind = ProviderKind {
    name: "codex-cli",
    doc: "the Responses API, asked by the command line of Codex",
    live: true,
    pretend: false,
    needs: &[],
    takes: &["base_url", "api_key_env"],
    harnesses: &["codex"],
};

pub(super) const BY: ByProgram = ByProgram {
    provider: KIND.name,
    program: "Codex",
    params: &["max_output_tokens"],
    vendor: VENDOR,
    endpoint: |model, setup| VENDOR.endpoint(model, setup),
};

/// The API.
const VENDOR: Vendor = Vendor {
    host: "https://api.openai.com",
    chat: "responses",
    auth: Auth::Bearer,
};

pub(super) fn build(model: &Model, setup: &Setup<'_>) -> Result<Box<dyn Provider>, ProviderError> {
    by_program::build(&BY, model, setup)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::mock::tests::model;
    use serde_json::json;

    fn codex() -> Model {
        let mut model = model(1.0, 1.0);
        model.provider = KIND.name.to_owned();
        model.base_url = Some("http://127.0.0.1:9/v1/".to_owned());
        model
    }

    fn refusal(model: &Model) -> String {
        let built = build(model, &Setup::default());
        built.err().map(|error| error.message).unwrap_or_default()
    }

    #[test]
    fn paths_begin_before_the_version_however_the_roster_writes_it() {
        let mut model = codex();
        assert_eq!(VENDOR.base(&model), "http://127.0.0.1:9");
        model.base_url = Some("http://127.0.0.1:9".to_owned());
        assert_eq!(VENDOR.base(&model), "http://127.0.0.1:9");
        assert_eq!(refusal(&model), "");
    }

    #[test]
    fn what_the_program_can_not_be_told_and_a_key_that_is_not_named_are_refused() {
        let mut model = codex();
        model.params.insert("temperature".to_owned(), json!(0));
        assert!(refusal(&model).contains("`temperature` can't be passed on to Codex"));
        model.params.clear();
        model.base_url = None;
        assert!(refusal(&model).contains("https://api.openai.com wants a key"));
    }
}
