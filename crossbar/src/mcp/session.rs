//! The conversation with a running server: who waits for which reply, and what ends all waiting.
//!
//! Two jobs run beside the rollout: one writes, one reads. They are apart so that neither side can
//! block the other with a full pipe, and so that a call that is cancelled half way leaves no half
//! line behind.

use super::line::{Line, Lines};
use super::message::{self, Message, RpcError};
use super::noise::Noise;
use crate::process::{Child, Exit, ExitWatch};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// Longest line that is read, in bytes. Real servers send whole files in one line.
const LONGEST_LINE: usize = 256 * 1024 * 1024;

/// How long the output of a dead server is still read, and how long a server that closed a stream
/// may take to die: what comes in time makes a better message, and a reply is a reply.
const AFTERMATH: Duration = Duration::from_millis(400);

/// Why no reply can come any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// The process ended.
    Died(Exit),
    /// It runs, but a stream to or from it is of no use.
    Lost(&'static str),
}

type Reply = Result<Result<Value, RpcError>, End>;

#[derive(Debug, Default)]
struct State {
    last_id: u64,
    waiting: BTreeMap<u64, oneshot::Sender<Reply>>,
    end: Option<End>,
    noise: Noise,
}

/// Our side of the conversation. When it is dropped, the server's standard input is closed.
#[derive(Debug)]
pub(super) struct Session {
    state: Arc<Mutex<State>>,
    outbox: mpsc::UnboundedSender<Value>,
}

impl Session {
    /// Takes the child's streams over and starts both jobs on the current runtime.
    pub(super) fn new(child: &mut Child) -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let (outbox, letters) = mpsc::unbounded_channel();
        let (Some(stdin), Some(stdout)) = (child.take_stdin(), child.take_stdout()) else {
            finish(&state, End::Lost("its streams are taken"));
            return Self { state, outbox };
        };
        let reader = Reader {
            lines: Lines::new(BufReader::with_capacity(16 * 1024, stdout), LONGEST_LINE),
            state: Arc::clone(&state),
            outbox: outbox.downgrade(),
        };
        tokio::spawn(reader.run(child.exit_watch()));
        tokio::spawn(write(
            stdin,
            letters,
            Arc::clone(&state),
            child.exit_watch(),
        ));
        Self { state, outbox }
    }

    /// Asks and waits. Ids are 1, 2, 3 and so on: some servers lose ids that are no small numbers.
    ///
    /// # Errors
    /// `End` as soon as no reply can come.
    pub(super) async fn request(&self, method: &str, params: Value) -> Reply {
        let (tell, reply) = oneshot::channel();
        let id = {
            let mut state = lock(&self.state);
            if let Some(end) = &state.end {
                return Err(end.clone());
            }
            state.last_id += 1;
            let id = state.last_id;
            state.waiting.insert(id, tell);
            id
        };
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        reply
            .await
            .unwrap_or(Err(End::Lost("its jobs were stopped")))
    }

    /// Tells without asking.
    pub(super) fn notify(&self, method: &str) {
        self.send(json!({"jsonrpc": "2.0", "method": method}));
    }

    /// The noise so far.
    pub(super) fn noise(&self) -> Noise {
        lock(&self.state).noise.clone()
    }

    fn send(&self, letter: Value) {
        // Fails only when the writer is gone; it or the reader has ended or will end the waiting.
        let _ = self.outbox.send(letter);
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all waiting, for good. The first reason stands.
fn finish(state: &Mutex<State>, end: End) {
    let mut state = lock(state);
    let end = state.end.get_or_insert(end).clone();
    for (_, waiting) in std::mem::take(&mut state.waiting) {
        let _ = waiting.send(Err(end.clone()));
    }
}

/// Waits a moment for the death that explains a broken stream.
async fn explained(mut exit: ExitWatch, otherwise: &'static str) -> End {
    timeout(AFTERMATH, exit.exited())
        .await
        .map_or(End::Lost(otherwise), End::Died)
}

async fn write(
    mut stdin: ChildStdin,
    mut letters: mpsc::UnboundedReceiver<Value>,
    state: Arc<Mutex<State>>,
    exit: ExitWatch,
) {
    while let Some(letter) = letters.recv().await {
        let line = format!("{letter}\n");
        if stdin.write_all(line.as_bytes()).await.is_err() {
            finish(
                &state,
                explained(exit, "it closed its standard input").await,
            );
            return;
        }
    }
}

struct Reader {
    lines: Lines<BufReader<ChildStdout>>,
    state: Arc<Mutex<State>>,
    outbox: mpsc::WeakUnboundedSender<Value>,
}

impl Reader {
    async fn run(mut self, mut exit: ExitWatch) {
        let seen = tokio::select! {
            biased;
            why = self.read_all() => Err(why),
            exit = exit.exited() => Ok(exit),
        };
        let end = match seen {
            Ok(exit) => {
                // What it wrote before it died is in the pipe; a survivor may hold the pipe open.
                let _ = timeout(AFTERMATH, self.read_all()).await;
                End::Died(exit)
            }
            Err(why) => explained(exit, why).await,
        };
        finish(&self.state, end);
    }

    /// Reads until nothing more can come, and says why.
    async fn read_all(&mut self) -> &'static str {
        loop {
            match self.lines.next().await {
                Line::Text(line) => self.take(&line),
                Line::TooLong => return "it sent a line of more than 256 MiB",
                Line::End => return "it closed its standard output",
            }
        }
    }

    fn take(&self, line: &[u8]) {
        let mut state = lock(&self.state);
        match message::read(line) {
            Message::Reply(id, reply) => match state.waiting.remove(&id) {
                Some(waiting) => drop(waiting.send(Ok(reply))),
                None => state.noise.add(line),
            },
            Message::Unaddressed(error) => {
                for (_, waiting) in std::mem::take(&mut state.waiting) {
                    let _ = waiting.send(Ok(Err(error.clone())));
                }
            }
            Message::Question(answer) => {
                if let Some(outbox) = self.outbox.upgrade() {
                    let _ = outbox.send(answer);
                }
            }
            Message::Notification | Message::Nothing => {}
            Message::Noise => state.noise.add(line),
        }
    }
}
