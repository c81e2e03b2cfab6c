//! A program that runs: its lines as they come, its end, and ways to end it early.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Output;

/// Past this a program counts as hung: far longer than a cold build of the library.
const LIMIT: Duration = Duration::from_secs(900);

/// A program in a process group of its own; what is left of the group is killed with this value.
#[derive(Debug)]
pub struct Running {
    child: Child,
    started: Instant,
    lines: Receiver<String>,
    seen: String,
    stdout: Option<JoinHandle<String>>,
}

impl Running {
    pub(super) fn start(mut command: Command) -> Self {
        let mut child = command
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{:?}: {error}", command.get_program()));
        let mut out = child.stdout.take().unwrap();
        let stdout = thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = out.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut line = Vec::new();
            while errors.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                let _ = sender.send(String::from_utf8_lossy(&line).into_owned());
                line.clear();
            }
        });
        Self {
            child,
            started: Instant::now(),
            lines,
            seen: String::new(),
            stdout: Some(stdout),
        }
    }

    /// The process's id, which is that of its group too.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until standard error held `count` lines that `is_wanted`; false when it ended before.
    pub fn wait_for(&mut self, count: usize, is_wanted: impl Fn(&str) -> bool) -> bool {
        let mut found = 0;
        while found < count {
            let Some(line) = self.line() else {
                return false;
            };
            found += usize::from(is_wanted(line.trim_end()));
        }
        true
    }

    /// The next line of standard error; `None` at its end.
    fn line(&mut self) -> Option<String> {
        let left = LIMIT.saturating_sub(self.started.elapsed());
        match self.lines.recv_timeout(left) {
            Ok(line) => {
                self.seen.push_str(&line);
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                self.kill();
                panic!("it hung; so far: {}", self.seen);
            }
        }
    }

    /// Sends a signal (`TERM`, `INT`, ..) to the process alone.
    pub fn signal(&self, name: &str) {
        signal(name, &self.id().to_string());
    }

    /// Kills the whole group with SIGKILL.
    pub fn kill(&self) {
        signal("KILL", &format!("-{}", self.id()));
    }

    /// Waits for the end.
    pub fn end(mut self) -> Output {
        while self.line().is_some() {}
        let status = self.child.wait().unwrap();
        Output {
            code: status.code(),
            signal: status.signal(),
            stdout: self.stdout.take().unwrap().join().unwrap(),
            stderr: std::mem::take(&mut self.seen),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

fn signal(name: &str, to: &str) {
    let _ = Command::new("kill")
        .args(["-s", name, "--", to])
        .stderr(Stdio::null())
        .status()
        .expect("kill");
}
