//! The conversation with a running server over its standard input and output.
//!
//! Two jobs run beside the rollout: one writes, one reads. They are apart so that neither side can
//! block the other with a full pipe, and so that a call that is cancelled half way leaves no half
//! line behind.

use super::inbox::{End, Inbox, LONGEST, Reply, letter};
use super::line::{Line, Lines};
use super::message;
use super::noise::Noise;
use crate::process::{Child, ExitWatch};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::mpsc;
use tokio::time::timeout;

/// How long the output of a dead server is still read, and how long a server that closed a stream
/// may take to die: what comes in time makes a better message, and a reply is a reply.
const AFTERMATH: Duration = Duration::from_millis(400);

/// Our side of the conversation. When it is dropped, the server's standard input is closed.
#[derive(Debug)]
pub(super) struct Session {
    inbox: Arc<Inbox>,
    outbox: mpsc::UnboundedSender<Value>,
}

impl Session {
    /// Takes the child's streams over and starts both jobs on the current runtime.
    pub(super) fn new(child: &mut Child) -> Self {
        let inbox = Arc::new(Inbox::default());
        let (outbox, letters) = mpsc::unbounded_channel();
        let (Some(stdin), Some(stdout)) = (child.take_stdin(), child.take_stdout()) else {
            inbox.finish(End::lost("its streams are taken"));
            return Self { inbox, outbox };
        };
        let reader = Reader {
            lines: Lines::new(BufReader::with_capacity(16 * 1024, stdout), LONGEST),
            inbox: Arc::clone(&inbox),
            outbox: outbox.downgrade(),
        };
        tokio::spawn(reader.run(child.exit_watch()));
        let writer = write(stdin, letters, Arc::clone(&inbox), child.exit_watch());
        tokio::spawn(writer);
        Self { inbox, outbox }
    }

    /// Asks and waits.
    ///
    /// # Errors
    /// `End` as soon as no reply can come.
    pub(super) async fn request(&self, method: &str, params: Value) -> Reply {
        let (id, reply) = self.inbox.open()?;
        self.send(letter(id, method, params));
        reply
            .await
            .unwrap_or_else(|_| Err(End::lost("its jobs were stopped")))
    }

    /// Tells without asking.
    pub(super) fn notify(&self, method: &str) {
        self.send(json!({"jsonrpc": "2.0", "method": method}));
    }

    /// The noise so far.
    pub(super) fn noise(&self) -> Noise {
        self.inbox.noise()
    }

    fn send(&self, letter: Value) {
        // Fails only when the writer is gone; it or the reader has ended or will end the waiting.
        let _ = self.outbox.send(letter);
    }
}

/// Waits a moment for the death that explains a broken stream.
async fn explained(mut exit: ExitWatch, otherwise: &'static str) -> End {
    timeout(AFTERMATH, exit.exited())
        .await
        .map_or_else(|_| End::lost(otherwise), End::Died)
}

async fn write(
    mut stdin: ChildStdin,
    mut letters: mpsc::UnboundedReceiver<Value>,
    inbox: Arc<Inbox>,
    exit: ExitWatch,
) {
    while let Some(letter) = letters.recv().await {
        let line = format!("{letter}\n");
        if stdin.write_all(line.as_bytes()).await.is_err() {
            inbox.finish(explained(exit, "it closed its standard input").await);
            return;
        }
    }
}

struct Reader {
    lines: Lines<BufReader<ChildStdout>>,
    inbox: Arc<Inbox>,
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
        self.inbox.finish(end);
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
        let answer = self.inbox.take(message::read(line), line);
        if let (Some(answer), Some(outbox)) = (answer, self.outbox.upgrade()) {
            let _ = outbox.send(answer);
        }
    }
}
