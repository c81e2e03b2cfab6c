//! The one way to stop a sweep from outside: every rollout under way is dropped, and its
//! processes with it; what has finished stays.

use tokio::sync::watch;

/// Stops a sweep.
#[derive(Debug, Clone)]
pub struct StopHandle(watch::Sender<bool>);

/// Tells whether a sweep should stop.
#[derive(Debug, Clone)]
pub struct StopWatch(watch::Receiver<bool>);

impl StopHandle {
    /// A handle and its watch.
    #[must_use]
    pub fn new() -> (Self, StopWatch) {
        let (send, receive) = watch::channel(false);
        (Self(send), StopWatch(receive))
    }

    /// A further watch of the same sweep.
    #[must_use]
    pub fn watch(&self) -> StopWatch {
        StopWatch(self.0.subscribe())
    }

    /// Stops it.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl StopWatch {
    /// Whether it was stopped.
    #[must_use]
    pub fn stopped(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for the stop, for ever if it never comes.
    pub async fn wait(&mut self) {
        if self.0.wait_for(|stopped| *stopped).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
