//! Who waits for which reply, and what ends all waiting, whatever carries the messages.

use super::message::{Message, RpcError};
use super::noise::Noise;
use crate::process::Exit;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Longest message that is read, in bytes. Real servers send whole files in one.
pub(super) const LONGEST: usize = 256 * 1024 * 1024;

/// Why no reply can come any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// The process ended.
    Died(Exit),
    /// It runs, but what leads to it or from it is of no use.
    Lost(String),
}

impl End {
    pub(super) fn lost(why: &str) -> Self {
        Self::Lost(why.to_owned())
    }
}

/// What a request comes to.
pub(super) type Reply = Result<Result<Value, RpcError>, End>;

#[derive(Debug, Default)]
struct State {
    last_id: u64,
    waiting: BTreeMap<u64, oneshot::Sender<Reply>>,
    end: Option<End>,
    noise: Noise,
}

/// The pending requests of one conversation.
#[derive(Debug, Default)]
pub(super) struct Inbox(Mutex<State>);

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to wait for the reply to a new request. Ids are 1, 2, 3 and so on: some servers lose
    /// ids that are no small numbers.
    ///
    /// # Errors
    /// `End` when no reply can come.
    pub(super) fn open(&self) -> Result<(u64, oneshot::Receiver<Reply>), End> {
        let (tell, reply) = oneshot::channel();
        let mut state = self.lock();
        if let Some(end) = &state.end {
            return Err(end.clone());
        }
        state.last_id += 1;
        let id = state.last_id;
        state.waiting.insert(id, tell);
        Ok((id, reply))
    }

    /// Takes a message that was read from `line`; gives what the server is to be answered.
    pub(super) fn take(&self, message: Message, line: &[u8]) -> Option<Value> {
        let mut state = self.lock();
        match message {
            Message::Reply(id, reply) => match state.waiting.remove(&id) {
                Some(waiting) => drop(waiting.send(Ok(reply))),
                None => state.noise.add(line),
            },
            Message::Unaddressed(error) => {
                for (_, waiting) in std::mem::take(&mut state.waiting) {
                    let _ = waiting.send(Ok(Err(error.clone())));
                }
            }
            Message::Question(answer) => return Some(answer),
            Message::Notification | Message::Nothing => {}
            Message::Noise => state.noise.add(line),
        }
        None
    }

    /// Ends all waiting, for good. The first reason stands.
    pub(super) fn finish(&self, end: End) {
        let mut state = self.lock();
        let end = state.end.get_or_insert(end).clone();
        for (_, waiting) in std::mem::take(&mut state.waiting) {
            let _ = waiting.send(Err(end.clone()));
        }
    }

    /// The noise so far.
    pub(super) fn noise(&self) -> Noise {
        self.lock().noise.clone()
    }
}

/// A request as it is sent.
pub(super) fn letter(id: u64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}
