//! Starting a child, watching it, and ending it with everything that it started.

use super::environment::environment;
use super::live;
use super::spec::{CommandSpec, MARKER};
use super::tail::Tail;
use super::tree::{Tell, Tree};
use std::fmt;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::timeout;

/// How long the rest of a dead child's standard error is waited for: only a descendant that could
/// not be reached can hold it open.
const STDERR_DRAIN: Duration = Duration::from_millis(200);

/// How long a SIGKILL may take. Only a process in an uninterruptible sleep needs longer.
const KILL_LIMIT: Duration = Duration::from_secs(5);

static COUNT: AtomicU64 = AtomicU64::new(0);

/// Why a program could not be started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The system refused: no such program, no permission, no such working directory.
    #[error("failed to start `{program}`{place}: {source}; check the command, PATH and cwd")]
    System {
        /// As it was asked for.
        program: String,
        /// ` in <cwd>`, or nothing.
        place: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Children are watched by a runtime, and there is none.
    #[error("failed to start `{0}` outside a tokio runtime")]
    NoRuntime(String),
    /// `kill_everything` was called.
    #[error("`{0}` was not started: the run is being stopped")]
    Stopping(String),
}

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Somebody else collected its status, or the runtime that watched it is gone.
    Unseen,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
            Self::Unseen => f.write_str("unknown exit status"),
        }
    }
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Signal(signal);
        }
        status.code().map_or(Self::Unseen, Self::Code)
    }
}

/// How patiently a child is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grace {
    /// From closing its standard input to SIGTERM.
    pub after_close: Duration,
    /// From SIGTERM to SIGKILL.
    pub after_term: Duration,
}

impl Default for Grace {
    /// 200 ms and 300 ms: a well-behaved server is gone in a few.
    fn default() -> Self {
        Self {
            after_close: Duration::from_millis(200),
            after_term: Duration::from_millis(300),
        }
    }
}

/// Tells when a child has ended; can be cloned and outlive the `Child`.
#[derive(Debug, Clone)]
pub struct ExitWatch(watch::Receiver<Option<Exit>>);

impl ExitWatch {
    /// Waits for the end. By then the rest of the tree is dead and standard error is complete.
    pub async fn exited(&mut self) -> Exit {
        match self.0.wait_for(Option::is_some).await {
            Ok(exit) => exit.unwrap_or(Exit::Unseen),
            Err(_) => Exit::Unseen,
        }
    }
}

/// A running child. Dropping it kills its whole tree before `drop` returns.
#[derive(Debug)]
pub struct Child {
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Arc<Tail>,
    tree: Arc<Tree>,
    exit: ExitWatch,
}

/// Starts `spec` with piped streams, in a process group of its own. Must be called within a tokio
/// runtime with I/O and time enabled; a current-thread one will do.
///
/// # Errors
/// `SpawnError` when the program can't be started; nothing is left running then.
pub fn spawn(spec: &CommandSpec) -> Result<Child, SpawnError> {
    let runtime = Handle::try_current().map_err(|_| SpawnError::NoRuntime(spec.program.clone()))?;
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let marker = format!("{}/{}-{number}", spec.rollout, std::process::id());
    let mut inner = command(spec, &marker)
        .spawn()
        .map_err(|source| SpawnError::System {
            program: spec.program.clone(),
            place: spec
                .cwd
                .as_ref()
                .map_or_else(String::new, |cwd| format!(" in {}", cwd.display())),
            source,
        })?;
    // A child that has not been waited for has an id.
    let tree = Arc::new(Tree::new(inner.id().unwrap_or_default(), marker));
    if !live::admit(&tree) {
        tree.end();
        return Err(SpawnError::Stopping(spec.program.clone()));
    }
    let stderr = Arc::new(Tail::default());
    let (tell, exit) = watch::channel(None);
    let (stdin, stdout) = (inner.stdin.take(), inner.stdout.take());
    let reader = inner
        .stderr
        .take()
        .map(|pipe| runtime.spawn(keep(pipe, Arc::clone(&stderr))));
    let watched = Arc::clone(&tree);
    runtime.spawn(async move {
        let status = inner.wait().await;
        watched.end();
        if let Some(reader) = reader {
            let _ = timeout(STDERR_DRAIN, reader).await;
        }
        tell.send_replace(Some(status.map_or(Exit::Unseen, Exit::from)));
    });
    Ok(Child {
        stdin,
        stdout,
        stderr,
        tree,
        exit: ExitWatch(exit),
    })
}

fn command(spec: &CommandSpec, marker: &str) -> tokio::process::Command {
    let mut command = tokio::process::Command::new(&spec.program);
    command
        .args(&spec.args)
        .env_clear()
        .envs(environment(std::env::vars_os(), &spec.env))
        .env(MARKER, marker)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(cwd) = &spec.cwd {
        command.current_dir(cwd);
    }
    #[cfg(unix)]
    command.process_group(0);
    command
}

async fn keep(mut pipe: ChildStderr, tail: Arc<Tail>) {
    let mut chunk = vec![0; 4096];
    while let Ok(read @ 1..) = pipe.read(&mut chunk).await {
        tail.push(&chunk[..read]);
    }
}

impl Child {
    /// Its standard input, once.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.stdin.take()
    }

    /// Its standard output, once. Unread output stops a child that writes much.
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.stdout.take()
    }

    /// The last 64 KiB of its standard error, so far.
    #[must_use]
    pub fn stderr_tail(&self) -> String {
        self.stderr.text()
    }

    /// A watch on its end.
    #[must_use]
    pub fn exit_watch(&self) -> ExitWatch {
        self.exit.clone()
    }

    /// Ends it: closes standard input (which must not be held elsewhere to have an effect), then
    /// SIGTERM, then SIGKILL, each when the child outlives the grace before. When this returns, no
    /// process of the tree runs, and the child is reaped.
    pub async fn stop(mut self, grace: Grace) -> Exit {
        drop(self.stdin.take());
        for (limit, next) in [
            (grace.after_close, Tell::End),
            (grace.after_term, Tell::Die),
        ] {
            if let Ok(exit) = timeout(limit, self.exit.exited()).await {
                return exit;
            }
            self.tree.tell(next);
        }
        timeout(KILL_LIMIT, self.exit.exited())
            .await
            .unwrap_or(Exit::Unseen)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.tree.end();
    }
}
