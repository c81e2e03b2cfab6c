//! claude-code: the command line of Claude Code, with its own loop around the model.
//!
//! Native behaviour: its system prompt (or `instructions` in its place), its way of offering tools,
//! its retries (two for a request) and its resuming of an answer that was cut are its own. It gets a
//! home that is new for each rollout, only the tools of the task, none that is forbidden allowed,
//! and the task's `max_steps` as its turns. It starts the task's servers by itself and reaches its
//! model through the gateway, whose token is all that it has for a key.
//!
//! How it ended is taken from what it wrote and from what the gateway saw, never from its exit code
//! alone: it reports success where a server is missing and where an answer was cut.

mod command;
mod ending;
mod event;
mod recording;
mod tools;

use super::programs::CLAUDE_CODE;
use super::{DriveError, Harness, Session, limits};
use crate::domain::{
    Ending, Exec, HarnessKind, HarnessSpec, InfrastructureEvidence, LocalFuture, Relay, RelayStop,
    Running, Violation,
};
use event::Event;
use recording::Recording;
use tools::Tools;

pub(super) const KIND: HarnessKind = HarnessKind {
    name: CLAUDE_CODE.kind,
    doc: "the command line of Claude Code, with its own loop; speaks to its model through the gateway",
    can_verify: false,
    offers_tools: true,
};

struct ClaudeCode {
    instructions: Option<String>,
}

pub(super) fn build(spec: &HarnessSpec) -> Box<dyn Harness> {
    Box::new(ClaudeCode {
        instructions: spec.instructions.clone(),
    })
}

impl Harness for ClaudeCode {
    fn drive<'a>(
        &'a self,
        session: &'a mut Session<'_>,
        prompt: &'a str,
    ) -> LocalFuture<'a, Result<(), DriveError>> {
        Box::pin(async move {
            let worked = session.worked();
            let trajectory = &session.conversation.trajectory;
            if let Some(limit) = limits::before_a_call(session.ports.limits, trajectory, worked) {
                session.conversation.cut(limit);
                return Ok(());
            }
            if trajectory.agent.is_some() {
                return Err(DriveError::Unfit(
                    "harness `claude-code` takes one prompt in a rollout: ask everything in one, \
                     or leave this cell out"
                        .to_owned(),
                ));
            }
            let Some(program) = session.ports.program else {
                return Err(DriveError::Unfit(
                    "harness `claude-code` needs a model of provider `claude-cli`".to_owned(),
                ));
            };
            self.run(session, (program.exec, program.relay), prompt)
                .await
        })
    }
}

impl ClaudeCode {
    async fn run(
        &self,
        session: &mut Session<'_>,
        (exec, relay): (&dyn Exec, &dyn Relay),
        prompt: &str,
    ) -> Result<(), DriveError> {
        let tools = Tools::of(session);
        let servers = exec
            .servers()
            .map_err(|error| DriveError::Unfit(error.to_string()))?;
        let settings = command::Settings {
            session,
            tools: &tools,
            servers: &servers,
            home: &exec.home(),
            instructions: self.instructions.as_deref(),
        };
        let program = command::program(&settings, relay, prompt);
        let mut recording = Recording::begin(session, relay, &tools, &program);
        let mut running = exec
            .start(&program)
            .map_err(|error| not_started(&error.0))?;
        recording.run().environment = running.environment();
        let names: Vec<&str> = servers.iter().map(|server| server.name.as_str()).collect();
        let stopped = follow(&mut *running, relay, &mut recording, &names).await?;
        if let Some(stop) = stopped {
            // Dropping it kills the whole tree, before the servers of the checks are started.
            drop(running);
            return recording.stopped(stop);
        }
        let ended = running.end().await;
        recording.ended(&ended)
    }
}

/// Reads what the program writes until it has ended, or the relay says that it has to.
async fn follow(
    running: &mut dyn Running,
    relay: &dyn Relay,
    recording: &mut Recording<'_, '_>,
    servers: &[&str],
) -> Result<Option<RelayStop>, DriveError> {
    loop {
        let line = tokio::select! {
            biased;
            stop = relay.stopped() => return Ok(Some(stop)),
            line = running.line() => line,
        };
        let Some(line) = line else {
            return Ok(None);
        };
        let event = event::read(&line);
        if let Some(Event::Began(began)) = &event {
            // Without its servers every further request is paid in vain.
            recording.hear(&line, None);
            recording.run().version.clone_from(&began.version);
            ending::as_intended(began, servers, recording.tools())?;
            recording.began();
            continue;
        }
        recording.hear(&line, event);
    }
}

impl Recording<'_, '_> {
    /// The relay passes nothing more on, and the program was killed for it.
    fn stopped(mut self, stop: RelayStop) -> Result<(), DriveError> {
        match stop {
            RelayStop::Limit(limit) => self.end(Ending::Limit { limit }),
            RelayStop::ToolCalls { allowed } => {
                self.violate(Violation::TooManyToolCalls { allowed });
                self.end(Ending::Violation);
            }
            RelayStop::Budget(error) => return Err(DriveError::Budget(error)),
        }
        Ok(())
    }
}

fn not_started(why: &str) -> DriveError {
    DriveError::Infrastructure {
        evidence: InfrastructureEvidence::AgentStart,
        message: format!(
            "{why}; harness `{}` needs the program `{}`: {}",
            CLAUDE_CODE.kind,
            CLAUDE_CODE.program,
            CLAUDE_CODE.install()
        ),
    }
}

#[cfg(test)]
mod tests;
