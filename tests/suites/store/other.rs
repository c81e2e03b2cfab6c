//! Other processes: this binary again, talked to in lines, killed when asked.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const CHILD: &str = "CROSSBAR_STORE_CHILD";

/// A child that speaks in lines which begin with `child `.
pub(crate) struct Other {
    process: Child,
    stdin: ChildStdin,
    lines: BufReader<ChildStdout>,
}

impl Other {
    pub(crate) fn start(test: &str, path: &Path) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture", "--test-threads=1"])
            .env(CHILD, path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = process.stdin.take().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap());
        Self {
            process,
            stdin,
            lines,
        }
    }

    pub(crate) fn tell(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").unwrap();
        self.stdin.flush().unwrap();
    }

    /// Its next whole line; `None` once it is gone.
    pub(crate) fn hear(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap() == 0 || !line.ends_with('\n') {
                return None;
            }
            // libtest's own words may stand before ours on the line.
            if let Some((_, said)) = line.trim_end().split_once("child ") {
                return Some(said.to_owned());
            }
        }
    }

    /// Ends it the hard way, and returns what it had still said.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        std::iter::from_fn(|| self.hear()).collect()
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        // Already gone after `kill`; a failed test must not leave it behind.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) fn as_child() -> Option<PathBuf> {
    std::env::var_os(CHILD).map(PathBuf::from)
}

pub(crate) fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "child {line}").unwrap();
    out.flush().unwrap();
}

pub(crate) fn told() -> Option<String> {
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line).unwrap() {
        0 => None,
        _ => Some(line.trim_end().to_owned()),
    }
}
