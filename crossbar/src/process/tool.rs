//! Running a developer's own tool: cargo, or a test binary that cargo built.
//!
//! Unlike a child of a rollout, a tool is the user's own program under the user's own
//! environment, and it shares our process group, so that Ctrl-C reaches it as it reaches us.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::Duration;

/// How often a running tool is looked at.
const POLL: Duration = Duration::from_millis(20);

/// How long a tool may take to say its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// A tool with its arguments.
#[derive(Debug, Clone)]
pub struct Tool<'a> {
    /// The program.
    pub program: &'a OsStr,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Where it runs.
    pub cwd: &'a Path,
    /// Variables on top of ours.
    pub env: Vec<(OsString, OsString)>,
}

impl Tool<'_> {
    fn command(&self) -> Command {
        let mut command = Command::new(self.program);
        command
            .args(&self.args)
            .current_dir(self.cwd)
            .envs(self.env.iter().cloned())
            .stdin(Stdio::null());
        command
    }

    /// Runs it to its end with its standard output captured and its standard error passed through.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn output(&self) -> io::Result<Output> {
        self.command()
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?
            .wait_with_output()
    }

    /// The first line that it prints, its standard error left out; `None` when it can't be started,
    /// fails, prints nothing, or takes more than ten seconds.
    #[must_use]
    pub fn first_line(&self) -> Option<String> {
        let mut command = self.command();
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().ok()?;
        let mut out = child.stdout.take()?;
        let (send, receive) = std::sync::mpsc::channel();
        // Its own thread: a program that never closes its output must not hold us up.
        std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = io::Read::read_to_end(&mut out, &mut text);
            let _ = send.send(text);
        });
        let Ok(text) = receive.recv_timeout(PATIENCE) else {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        };
        let ended = child.wait().ok()?.success();
        let text = String::from_utf8_lossy(&text);
        let line = text
            .lines()
            .next()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        line.filter(|_| ended).map(str::to_owned)
    }

    /// Runs it to its end with both output streams passed through. Its standard input stays open
    /// for as long as this process lives and `go_on` says yes; its end is how it is told to stop.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn status_while(&self, go_on: &dyn Fn() -> bool) -> io::Result<ExitStatus> {
        let mut child = self.command().stdin(Stdio::piped()).spawn()?;
        let mut lifeline = child.stdin.take();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if !go_on() {
                lifeline = None;
            }
            std::thread::sleep(if lifeline.is_some() { POLL } else { POLL / 4 });
        }
    }
}
