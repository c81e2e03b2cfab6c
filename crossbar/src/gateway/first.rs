//! The first request of a program, held until somebody has looked at what it offers.

use crate::domain::FirstRequest;
use tokio::sync::watch;

/// How far the first request has come.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stage {
    /// Nobody wants to look at it: requests pass.
    Passing,
    /// It has not come yet.
    Awaited,
    /// It waits.
    Here(FirstRequest),
}

/// The door of a gateway for the first request.
pub(super) struct First(watch::Sender<Stage>);

impl Default for First {
    fn default() -> Self {
        Self(watch::Sender::new(Stage::Passing))
    }
}

impl First {
    pub(super) fn hold(&self) {
        self.0.send_replace(Stage::Awaited);
    }

    pub(super) fn let_pass(&self) {
        self.0.send_replace(Stage::Passing);
    }

    /// What a request goes through before it is written down; it comes back when it may pass.
    pub(super) async fn meet(&self, tools: &[String], body: &[u8]) {
        self.0.send_if_modified(|stage| {
            let is_first = *stage == Stage::Awaited;
            if is_first {
                *stage = Stage::Here(FirstRequest {
                    offered: tools.to_vec(),
                    body: String::from_utf8_lossy(body).into_owned(),
                });
            }
            is_first
        });
        let mut watch = self.0.subscribe();
        // The sender lives as long as this door.
        let _ = watch.wait_for(|stage| *stage == Stage::Passing).await;
    }

    /// Comes back with the first request once it waits.
    pub(super) async fn here(&self) -> FirstRequest {
        let mut watch = self.0.subscribe();
        let here = |stage: &Stage| matches!(stage, Stage::Here(_));
        match watch.wait_for(here).await.as_deref() {
            Ok(Stage::Here(request)) => request.clone(),
            _ => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::{Future, poll_fn};
    use std::pin::pin;
    use std::task::Poll;

    /// Whether a future is ready when it is asked once.
    async fn is_ready(future: impl Future) -> bool {
        let mut future = pin!(future);
        poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx).is_ready())).await
    }

    #[tokio::test]
    async fn the_first_request_waits_and_shows_itself_until_it_is_let_pass() {
        let first = First::default();
        assert!(
            is_ready(first.meet(&[], b"{}")).await,
            "nobody wants to look"
        );
        first.hold();
        assert!(!is_ready(first.here()).await);
        let tools = ["a".to_owned(), "b".to_owned()];
        let mut waits = pin!(first.meet(&tools, b"{\"a\":1}"));
        assert!(!is_ready(waits.as_mut()).await);
        // The second one waits too, and what the first one offers stays.
        assert!(!is_ready(first.meet(&[], b"{}")).await);
        let held = first.here().await;
        assert_eq!(
            (held.offered.as_slice(), held.body.as_str()),
            (&tools[..], "{\"a\":1}")
        );
        first.let_pass();
        waits.await;
        assert!(is_ready(first.meet(&[], b"{}")).await);
        assert!(!is_ready(first.here()).await);
    }
}
