//! A world as the machine of a program that drives a model by itself: its home, the servers as it
//! starts them, and the program itself.

use super::World;
use super::origin::Origin;
use super::served::Served;
use crate::domain::{
    AddedFile, Exec, ExecError, LocalFuture, Program, ProgramEnd, ProgramEnded, Running,
    ServerLaunch,
};
use crate::process::{Child, CommandSpec, Exit, Grace, MARKER, inherited, spawn};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};

/// The longest line that is kept of a program's output, in bytes. What is more is dropped: no
/// event comes near it.
const LONGEST_LINE: usize = 64 << 20;

/// A program that has said all may take this long to end by itself.
const GRACE: Grace = Grace {
    after_close: Duration::from_secs(2),
    after_term: Duration::from_millis(500),
};

impl Exec for World {
    fn home(&self) -> String {
        self.agent_home().to_string_lossy().into_owned()
    }

    fn servers(&self) -> Result<Vec<ServerLaunch>, ExecError> {
        self.servers().iter().map(launch).collect()
    }

    fn add_files(&self, files: &[AddedFile]) -> Result<(), ExecError> {
        let added = self.added.add(self.workspace(), files);
        added.map_err(|error| ExecError(error.to_string()))
    }

    fn start(&self, program: &Program) -> Result<Box<dyn Running>, ExecError> {
        let mut started = self.launched(program)?;
        feed(&mut started.child, program.input.clone());
        Ok(Box::new(started))
    }

    fn converse(&self, program: &Program) -> Result<Box<dyn Running>, ExecError> {
        let mut started = self.launched(program)?;
        started.input = started.child.take_stdin();
        Ok(Box::new(started))
    }
}

impl World {
    fn launched(&self, program: &Program) -> Result<Started, ExecError> {
        let home = self.agent_home();
        let temporary = home.join("tmp");
        prepare(&home, &temporary, program).map_err(|error| {
            ExecError(format!(
                "failed to prepare the home of `{}`: {error}",
                program.program
            ))
        })?;
        let mut env = program.env.clone();
        for (name, folder) in [("HOME", &home), ("TMPDIR", &temporary)] {
            env.insert(name.to_owned(), folder.to_string_lossy().into_owned());
        }
        let spec = CommandSpec {
            program: program.program.clone(),
            args: program.args.clone(),
            env,
            cwd: Some(self.workspace().to_owned()),
            rollout: self.rollout(),
        };
        let mut child = spawn(&spec).map_err(|error| ExecError(error.to_string()))?;
        Ok(Started {
            lines: child.take_stdout().map(BufReader::new),
            input: None,
            child,
            names: names(&spec.env),
        })
    }
}

fn launch(served: &Served) -> Result<ServerLaunch, ExecError> {
    let Served::Process(server) = served else {
        return Err(ExecError(format!(
            "the tools of `{}` are Rust functions of the test, which a program can't call: make \
             them a server, or leave this cell out",
            served.name()
        )));
    };
    let Origin::Program(spec) = &server.origin else {
        return Err(ExecError(format!(
            "server `{}` is at an address, to which a program is given no way, since its headers \
             may hold keys: start the server by a `command`, or leave this cell out",
            served.name()
        )));
    };
    let folder = spec.cwd.as_deref().unwrap_or(Path::new("."));
    let mut env = inherited();
    env.extend(spec.env.clone());
    let assigned = env.iter().map(|(name, value)| format!("{name}={value}"));
    let command = std::iter::once(&spec.command).chain(&spec.args).cloned();
    Ok(ServerLaunch {
        name: spec.name.clone(),
        command: "sh".to_owned(),
        args: ["-c".to_owned(), in_a_shell(), "sh".to_owned()]
            .into_iter()
            .chain([folder.to_string_lossy().into_owned()])
            .chain(assigned)
            .chain(command)
            .collect(),
        start_ms: u64::try_from(spec.start_timeout.as_millis()).unwrap_or(u64::MAX),
        needs: vec![MARKER.to_owned()],
    })
}

/// What a shell does to start a server: into its folder, and with nothing of the environment but
/// the mark by which its processes are found and what follows on the command line.
fn in_a_shell() -> String {
    format!(r#"cd "$1" || exit 127; shift; exec env -i {MARKER}="${MARKER}" "$@""#)
}

fn prepare(home: &Path, temporary: &Path, program: &Program) -> std::io::Result<()> {
    fs::create_dir_all(temporary)?;
    for (name, text) in &program.files {
        let path = home.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// Writes a program's input, and closes it. A program that does not read it is not waited for.
fn feed(child: &mut Child, input: String) {
    if let Some(mut pipe) = child.take_stdin() {
        tokio::spawn(async move {
            let _ = pipe.write_all(input.as_bytes()).await;
            let _ = pipe.shutdown().await;
        });
    }
}

/// What a child is given: the allowed part of ours, its own, and the mark.
fn names(declared: &BTreeMap<String, String>) -> Vec<String> {
    let mut all = inherited();
    all.extend(declared.clone());
    all.insert(MARKER.to_owned(), String::new());
    all.into_keys().collect()
}

struct Started {
    // Before `child`: nothing reads on once it is killed.
    lines: Option<BufReader<ChildStdout>>,
    input: Option<ChildStdin>,
    child: Child,
    names: Vec<String>,
}

impl Running for Started {
    fn environment(&self) -> Vec<String> {
        self.names.clone()
    }

    fn tell<'a>(&'a mut self, line: &'a str) -> LocalFuture<'a, ()> {
        Box::pin(async move {
            if let Some(input) = &mut self.input {
                let line = format!("{line}\n");
                let _ = input.write_all(line.as_bytes()).await;
                let _ = input.flush().await;
            }
        })
    }

    fn line(&mut self) -> LocalFuture<'_, Option<String>> {
        Box::pin(async move { line_of(self.lines.as_mut()?).await })
    }

    fn end(self: Box<Self>) -> LocalFuture<'static, ProgramEnded> {
        Box::pin(async move {
            let Self {
                lines,
                input,
                child,
                ..
            } = *self;
            drop((lines, input));
            let mut watch = child.exit_watch();
            let seen = tokio::time::timeout(GRACE.after_close, watch.exited()).await;
            let stderr = child.stderr_tail();
            let exit = match seen {
                Ok(exit) => exit,
                Err(_) => child.stop(GRACE).await,
            };
            let end = match exit {
                Exit::Code(code) => ProgramEnd::Code(code),
                Exit::Signal(signal) => ProgramEnd::Signal(signal),
                Exit::Unseen => ProgramEnd::Unseen,
            };
            ProgramEnded { end, stderr }
        })
    }
}

async fn line_of(lines: &mut BufReader<ChildStdout>) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let there = lines.fill_buf().await.ok()?;
        if there.is_empty() {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            return (!text.is_empty()).then_some(text);
        }
        let end = there.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(there.len());
        let room = LONGEST_LINE.saturating_sub(bytes.len());
        bytes.extend_from_slice(&there[..taken.min(room)]);
        lines.consume(end.map_or(taken, |end| end + 1));
        if end.is_some() {
            return Some(
                String::from_utf8_lossy(&bytes)
                    .trim_end_matches('\r')
                    .to_owned(),
            );
        }
    }
}
