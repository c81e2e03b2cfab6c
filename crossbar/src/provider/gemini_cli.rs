//! gemini-cli: a model that the command line of Gemini asks by itself, through the gateway.

use super::by_program::{self, ByProgram};
use super::http::{Auth, Vendor};
use super::{Provider, ProviderError, Setup};
use crate::domain::{Model, ProviderKind};

pub(super) const KIND: ProviderKind = ProviderKind {
    name: "gemini-cli",
    doc: "the Gemini API, asked by the command line of Gemini",
    live: true,
    pretend: false,
    needs: &[],
    takes: &["base_url", "api_key_env"],
    harnesses: &["gemini"],
};

pub(super) const BY: ByProgram = ByProgram {
    provider: KIND.name,
    program: "Gemini CLI",
    params: &["max_output_tokens"],
    vendor: VENDOR,
    endpoint: |model, setup| VENDOR.endpoint(model, setup),
};

/// The API. Its models are asked below `/v1beta`, by a path that the program writes.
const VENDOR: Vendor = Vendor {
    host: "https://generativelanguage.googleapis.com",
    chat: "models",
    auth: Auth::GoogApiKey,
};

/// What names begin with under which the program asks one model which other to take.
const CHOOSES: &str = "auto";

pub(super) fn build(model: &Model, setup: &Setup<'_>) -> Result<Box<dyn Provider>, ProviderError> {
    if model.model.starts_with(CHOOSES) {
        return Err(ProviderError::configuration(format!(
            "model `{}`: under the name `{}` {} chooses the model by itself, and asks another one \
             for it: name one model",
            model.id, model.model, BY.program
        )));
    }
    by_program::build(&BY, model, setup)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::mock::tests::model;

    #[test]
    fn paths_begin_before_the_version_a_key_has_its_own_header_and_the_name_is_that_of_one_model() {
        let mut model = model(1.0, 1.0);
        model.provider = KIND.name.to_owned();
        for written in ["http://127.0.0.1:9/v1beta/", "http://127.0.0.1:9"] {
            model.base_url = Some(written.to_owned());
            assert_eq!(VENDOR.base(&model), "http://127.0.0.1:9");
        }
        assert!(build(&model, &Setup::default()).is_ok());
        let (name, value) = VENDOR.auth.header("secret").unwrap();
        assert_eq!(
            (name.as_str(), value.as_bytes()),
            ("x-goog-api-key", &b"secret"[..])
        );
        model.model = "auto-gemini-2.5".to_owned();
        let refused = build(&model, &Setup::default()).err().unwrap();
        assert!(refused.message.contains("name one model"), "{refused}");
        model.model = "gemini-2.5-flash".to_owned();
        model.base_url = None;
        let refused = build(&model, &Setup::default()).err().unwrap();
        assert!(
            refused
                .message
                .contains("https://generativelanguage.googleapis.com wants a key"),
            "{refused}"
        );
    }
}
