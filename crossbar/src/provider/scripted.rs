//! The scripted model: plays what it is given, exactly.
//!
//! In a roster it plays the task's script without a miss. In tests it replays programmed replies,
//! records every request, and fails when it is asked once too often.

use super::player::Player;
use super::{ChatReply, ChatRequest, Provider, ProviderError, ProviderErrorKind, Setup};
use crate::domain::{LocalFuture, Model, ProviderKind};
use std::cell::RefCell;
use std::collections::VecDeque;

pub(super) const KIND: ProviderKind = ProviderKind {
    name: "scripted",
    doc: "plays the task's script exactly; free, no evidence about a model",
    live: false,
    pretend: true,
    needs: &[],
    takes: &[],
    harnesses: &["react", "single-shot", "text-json", "command"],
};

struct FromScript(RefCell<Player>);

pub(super) fn build(model: &Model, setup: &Setup<'_>) -> Result<Box<dyn Provider>, ProviderError> {
    let Some(script) = setup.script else {
        return Err(ProviderError::configuration(format!(
            "model `{}`: a scripted model needs a task with a script (`demo`, or a solution)",
            model.id
        )));
    };
    let last_words = script.final_text.as_deref().unwrap_or_default();
    let player = Player::new(&model.model, script.steps.clone(), last_words);
    Ok(Box::new(FromScript(RefCell::new(player))))
}

impl Provider for FromScript {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        Box::pin(async move { Ok(self.0.borrow_mut().reply(request)) })
    }
}

/// Programmed replies, in order; keeps every request that it got.
#[derive(Debug, Default)]
pub struct Scripted {
    replies: RefCell<VecDeque<Result<ChatReply, ProviderError>>>,
    requests: RefCell<Vec<ChatRequest>>,
}

impl Scripted {
    /// Answers with these replies, one a request.
    #[must_use]
    pub fn new(replies: impl IntoIterator<Item = ChatReply>) -> Self {
        Self::with_errors(replies.into_iter().map(Ok))
    }

    /// Answers with these replies and errors, one a request.
    #[must_use]
    pub fn with_errors(
        replies: impl IntoIterator<Item = Result<ChatReply, ProviderError>>,
    ) -> Self {
        Self {
            replies: RefCell::new(replies.into_iter().collect()),
            requests: RefCell::default(),
        }
    }

    /// The requests so far, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<ChatRequest> {
        self.requests.borrow().clone()
    }
}

impl Provider for Scripted {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        Box::pin(async move {
            self.requests.borrow_mut().push(request.clone());
            let next = self.replies.borrow_mut().pop_front();
            next.unwrap_or_else(|| {
                Err(ProviderError::new(
                    ProviderErrorKind::OffTheEnd,
                    format!(
                        "request {} has no programmed reply",
                        self.requests.borrow().len()
                    ),
                ))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::mock::tests::{block_on, model};

    #[test]
    fn replies_are_replayed_requests_kept_and_the_end_is_an_error() {
        let provider = Scripted::new([ChatReply::text("one")]);
        let request = ChatRequest {
            system: Some("be brief".to_owned()),
            ..ChatRequest::default()
        };
        assert_eq!(block_on(provider.chat(&request)).unwrap().text, "one");
        let error = block_on(provider.chat(&request)).unwrap_err();
        assert_eq!(error.kind, ProviderErrorKind::OffTheEnd);
        assert_eq!(provider.requests(), [request.clone(), request]);
    }

    #[test]
    fn a_scripted_model_without_a_script_is_refused() {
        let mut model = model(1.0, 1.0);
        model.provider = "scripted".to_owned();
        let error = crate::provider::build(&model, &Setup::default())
            .err()
            .unwrap();
        assert_eq!(error.kind, ProviderErrorKind::Configuration);
    }
}
