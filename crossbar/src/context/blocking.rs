//! The twins for task functions that are not async: each runs on a thread of its own, and what it
//! asks for is done where the rollout's world lives.

use super::{Context as Twin, Result, ServerHandle as ServerTwin, TaskError};
use crate::check::Expectation;
use crate::domain::LocalFuture;
use crate::env::{ServerCommand, Tool};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::thread;
use tokio::sync::{mpsc, oneshot};

/// Something that is done with the rollout's context, on its own thread.
type Act = Box<dyn for<'a> FnOnce(&'a mut Twin) -> LocalFuture<'a, ()> + Send>;

/// Runs a function that blocks on a thread of its own, and serves what it asks for until it ends.
///
/// When this future is dropped the rollout's world goes, and all further calls of the function fail;
/// the thread itself ends when the function returns.
///
/// # Errors
/// The function's own error, or that of a thread that could not begin. A panic goes on here.
pub async fn on_a_thread<F>(context: &mut Twin, name: &str, function: F) -> Result
where
    F: FnOnce(&mut Context) -> Result + Send + 'static,
{
    let (acts, mut asked) = mpsc::unbounded_channel::<Act>();
    let (tell, mut told) = oneshot::channel();
    let mut own = Context {
        desk: Desk(acts),
        workspace: context.workspace().to_owned(),
    };
    let work = move || {
        let ended = catch_unwind(AssertUnwindSafe(|| function(&mut own)));
        // Nobody listens any more when the rollout was cut off.
        let _ = tell.send(ended);
    };
    thread::Builder::new().name(name.to_owned()).spawn(work)?;
    loop {
        tokio::select! {
            // What was asked before the function ended comes first.
            biased;
            Some(act) = asked.recv() => act(context).await,
            ended = &mut told => return match ended {
                Ok(Ok(returned)) => returned,
                Ok(Err(panic)) => resume_unwind(panic),
                Err(_) => Err(TaskError::from("the task's thread was lost")),
            },
        }
    }
}

/// The way from the function's thread to the rollout's.
#[derive(Clone)]
struct Desk(mpsc::UnboundedSender<Act>);

impl Desk {
    /// Has something done and waits for what it brings; an error when the rollout is over.
    fn ask<T, F>(&self, act: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Twin) -> LocalFuture<'a, T> + Send + 'static,
    {
        let (tell, told) = sync_channel(1);
        let act: Act = Box::new(move |context| {
            Box::pin(async move {
                let _ = tell.send(act(context).await);
            })
        });
        let over = || TaskError::from("the rollout is over: it was stopped, or ran out of time");
        self.0.send(act).map_err(|_| over())?;
        told.recv().map_err(|_| over())
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Desk")
    }
}

/// What a task function that is not async holds; [`crate::Context`] says what each method does.
#[derive(Debug)]
pub struct Context {
    desk: Desk,
    workspace: PathBuf,
}

impl Context {
    /// Starts an MCP server whose tools the agent gets.
    ///
    /// # Errors
    /// When it does not start.
    pub fn server(
        &mut self,
        name: &str,
        command: impl Into<ServerCommand>,
    ) -> Result<ServerHandle> {
        let (own, command) = (name.to_owned(), command.into());
        self.desk
            .ask(move |cx| Box::pin(async move { cx.server(&own, command).await.map(drop) }))??;
        Ok(self.handle(name))
    }

    /// Offers the agent tools that are plain functions. `make` runs where the world lives, so what
    /// the functions share need not be `Send`.
    ///
    /// # Errors
    /// When the name is taken, or two of the tools have the same.
    pub fn tools<F>(&mut self, name: &str, make: F) -> Result<ServerHandle>
    where
        F: FnOnce() -> Vec<Tool> + Send + 'static,
    {
        let own = name.to_owned();
        self.desk
            .ask(move |cx| Box::pin(async move { cx.tools(&own, make()).map(drop) }))??;
        Ok(self.handle(name))
    }

    fn handle(&self, name: &str) -> ServerHandle {
        ServerHandle {
            name: name.to_owned(),
            desk: self.desk.clone(),
        }
    }

    /// Lets the agent work on a prompt, and comes back with its answer.
    ///
    /// # Errors
    /// When the machine or the money failed under the agent.
    pub fn agent(&mut self, prompt: &str) -> Result<String> {
        let prompt = prompt.to_owned();
        self.desk
            .ask(move |cx| Box::pin(async move { cx.agent(&prompt).await }))?
    }

    /// Asserts that a value is as expected.
    pub fn expect(&mut self, name: &str, actual: &Value, expected: Expectation) {
        let (name, actual) = (name.to_owned(), actual.clone());
        // An assertion of a rollout that is over is nobody's.
        let _ = self.desk.ask(move |cx| {
            cx.expect(&name, &actual, expected);
            Box::pin(async {})
        });
    }

    /// Asserts that something holds.
    pub fn check(&mut self, name: &str, holds: bool) {
        let name = name.to_owned();
        let _ = self.desk.ask(move |cx| {
            cx.check(&name, holds);
            Box::pin(async {})
        });
    }

    /// As [`check`](Self::check), but a guard: it can zero the score and never adds to it.
    pub fn guard(&mut self, name: &str, holds: bool) {
        let name = name.to_owned();
        let _ = self.desk.ask(move |cx| {
            cx.guard(&name, holds);
            Box::pin(async {})
        });
    }

    /// Records what the task itself reads of the world, by a function that runs here.
    ///
    /// # Errors
    /// The function's own error.
    pub fn observe<T, E, F>(&mut self, name: &str, read: F) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        E: fmt::Display,
        F: FnOnce() -> std::result::Result<T, E>,
    {
        let (seen, result) = super::own_observation(read());
        let name = name.to_owned();
        self.desk.ask(move |cx| {
            cx.record(&name, seen);
            Box::pin(async {})
        })?;
        result
    }

    /// The rollout's own folder.
    #[must_use]
    pub fn workspace(&self) -> &Path {
        &self.workspace
    }
}

/// A server, or a set of tools, in the hands of a task function that is not async.
#[derive(Debug, Clone)]
pub struct ServerHandle {
    name: String,
    desk: Desk,
}

impl ServerHandle {
    /// Calls a tool on the task's own behalf.
    ///
    /// # Errors
    /// The tool's own refusal, or the loss of the server.
    pub fn call(&self, tool: &str, args: Value) -> Result<Value> {
        let (name, tool) = (self.name.clone(), tool.to_owned());
        self.desk.ask(move |cx| {
            let server = cx.handle(&name);
            Box::pin(async move { found(server, &name)?.call(&tool, args).await })
        })?
    }

    /// How often the agent's calls of a tool reached it.
    #[must_use]
    pub fn calls(&self, tool: &str) -> usize {
        let (name, tool) = (self.name.clone(), tool.to_owned());
        let counted = self.desk.ask(move |cx| {
            let count = cx.handle(&name).map_or(0, |server| server.calls(&tool));
            Box::pin(async move { count })
        });
        counted.unwrap_or(0)
    }
}

fn found(server: Option<ServerTwin>, name: &str) -> Result<ServerTwin> {
    server.ok_or_else(|| TaskError::from(format!("there is no server `{name}`")))
}
