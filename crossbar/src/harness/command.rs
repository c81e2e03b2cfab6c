//! command: a loop of one's own, in any language: an executable that speaks JSON lines.
//!
//! crossbar starts it, hands it the prompt and the tools, and stays between it and everything that
//! counts: the executable asks for a model call or a tool call by a line on its standard output and
//! reads the outcome from its standard input. So each of its model calls is metered and each tool
//! call held to the task's rules as in every other harness, and it works with every model that
//! crossbar asks itself, pretend ones too. The messages are in `protocol`.

mod protocol;

use super::limits;
use super::{DriveError, Harness, Session};
use crate::domain::{
    AgentRun, CallOutcome, Ending, Executable, HarnessKind, HarnessSpec, InfrastructureEvidence,
    LimitKind, LocalFuture, Program, ProgramEnd, Running, StepKind, ToolCall,
};
use crate::provider::{ReplyForm, ToolCallRequest, ToolSpec};
use protocol::{Said, Tools, VERSION};
use serde_json::Value;

pub(super) const KIND: HarnessKind = HarnessKind {
    name: "command",
    doc: "an executable of your own, which speaks JSON lines (docs/command-harness.md)",
    can_verify: false,
    offers_tools: true,
};

struct Command {
    instructions: Option<String>,
    command: Option<Executable>,
}

pub(super) fn build(spec: &HarnessSpec) -> Box<dyn Harness> {
    Box::new(Command {
        instructions: spec.instructions.clone(),
        command: spec.command.clone(),
    })
}

impl Harness for Command {
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
                let why = "harness `command` takes one prompt in a rollout: ask everything in one, \
                           or leave this cell out";
                return Err(DriveError::Unfit(why.to_owned()));
            }
            let (Some(command), Some(exec)) = (&self.command, session.ports.exec) else {
                let why = "harness `command` has no command, or nothing to run it on";
                return Err(DriveError::Unfit(why.to_owned()));
            };
            let program = program(command);
            let started = exec.converse(&program);
            let running = started.map_err(|error| not_started(command, &error.0))?;
            session.begin(self.instructions.clone(), ReplyForm::Calls, prompt);
            let mut talk = Talk {
                run: AgentRun {
                    argv: std::iter::once(&program.program)
                        .chain(&program.args)
                        .cloned()
                        .collect(),
                    environment: running.environment(),
                    prompt: prompt.to_owned(),
                    pinned: command.version.clone().unwrap_or_default(),
                    ..AgentRun::default()
                },
                running: Some(running),
                session,
                command,
            };
            let ended = talk.through(prompt, self.instructions.as_deref()).await;
            talk.finish(ended).await
        })
    }
}

fn program(command: &Executable) -> Program {
    Program {
        program: command.here(&command.program).to_owned(),
        args: command
            .args
            .iter()
            .map(|arg| command.here(arg).to_owned())
            .collect(),
        env: command.env.clone(),
        ..Program::default()
    }
}

fn not_started(command: &Executable, why: &str) -> DriveError {
    DriveError::Infrastructure {
        evidence: InfrastructureEvidence::AgentStart,
        message: format!("harness command `{}`: {why}", command.program),
    }
}

/// A conversation with the executable. It writes itself into the session when it is dropped, so that
/// a drive which is cut off leaves what had happened until then.
struct Talk<'s, 'a> {
    run: AgentRun,
    running: Option<Box<dyn Running>>,
    session: &'s mut Session<'a>,
    command: &'s Executable,
}

/// Why a conversation is over.
enum Over {
    /// The loop has ended, by an answer or by a rule.
    Ended,
    /// The executable said nothing more.
    Silent,
    /// It said something that is no message.
    Wrong(String),
}

impl Drop for Talk<'_, '_> {
    fn drop(&mut self) {
        let run = std::mem::take(&mut self.run);
        self.session.conversation.trajectory.agent = Some(Box::new(run));
    }
}

impl Talk<'_, '_> {
    async fn through(
        &mut self,
        prompt: &str,
        instructions: Option<&str>,
    ) -> Result<Over, DriveError> {
        let tools = self.session.conversation.request.tools.clone();
        let limits = self.session.ports.limits;
        let start = protocol::start(prompt, instructions, &tools, limits);
        self.tell(&start).await;
        if let Some(over) = self.greeted().await? {
            return Ok(over);
        }
        loop {
            let Some(line) = self.line().await else {
                return Ok(Over::Silent);
            };
            let said = match protocol::read(&line) {
                Ok(said) => said,
                Err(why) => return Ok(Over::Wrong(why)),
            };
            let told = match said {
                Said::Ask(asked) => {
                    if let Some(why) = asked.lacks(&tools) {
                        return Ok(Over::Wrong(why));
                    }
                    let offered = asked.tools;
                    let request = &mut self.session.conversation.request;
                    request.system = asked.system;
                    request.messages = asked.messages;
                    request.tools = offer(&tools, &offered);
                    self.ask().await?
                }
                Said::Call(call) => match self.call(call).await? {
                    Ok(told) => Some(told),
                    Err(why) => return Ok(Over::Wrong(why)),
                },
                // What no model was asked for says nothing about a model.
                Said::Answer(_) if !self.has_asked() => {
                    let why = "it answers before it has asked its model";
                    return Ok(Over::Wrong(why.to_owned()));
                }
                Said::Answer(text) => {
                    self.session.answer(text);
                    return Ok(Over::Ended);
                }
                Said::Hello { .. } => return Ok(Over::Wrong("it greets twice".to_owned())),
            };
            if let Some(told) = told {
                self.tell(&told).await;
            }
            if self.session.has_ended() {
                self.tell(&protocol::stop()).await;
                return Ok(Over::Ended);
            }
        }
    }

    /// Hears the greeting, which tells the version of the protocol and the executable's own.
    async fn greeted(&mut self) -> Result<Option<Over>, DriveError> {
        let Some(line) = self.line().await else {
            return Ok(Some(Over::Silent));
        };
        let (protocol, version) = match protocol::read(&line) {
            Ok(Said::Hello { protocol, version }) => (protocol, version),
            Ok(_) => return Ok(Some(Over::Wrong("it does not greet first".to_owned()))),
            Err(why) => return Ok(Some(Over::Wrong(why))),
        };
        self.run.version.clone_from(&version);
        if protocol != VERSION {
            let why = format!("it speaks protocol {protocol}, and this crossbar speaks {VERSION}");
            return Err(not_started(self.command, &why));
        }
        match &self.command.version {
            Some(wanted) if version.as_ref() != Some(wanted) => {
                let is =
                    version.map_or_else(|| "says no version".to_owned(), |is| format!("is {is}"));
                let why = format!("it {is}, and the roster says {wanted}");
                Err(not_started(self.command, &why))
            }
            _ => Ok(None),
        }
    }

    /// One model call over what the executable has put together. `None` when a ceiling forbids it.
    async fn ask(&mut self) -> Result<Option<Value>, DriveError> {
        let Some(reply) = self.session.ask(StepKind::Work).await? else {
            return Ok(None);
        };
        self.session.record_calls(&reply.calls);
        Ok(Some(protocol::reply(&reply)))
    }

    fn has_asked(&self) -> bool {
        !self.session.conversation.trajectory.steps.is_empty()
    }

    /// Carries out a call of the last reply, or one of the executable's own. A call of a reply that is
    /// wanted once more is one more call: each that runs is in the record.
    async fn call(&mut self, call: protocol::Call) -> Result<Result<Value, String>, DriveError> {
        let steps = &self.session.conversation.trajectory.steps;
        let Some(step) = steps.last() else {
            return Ok(Err(
                "it calls a tool before it has asked its model".to_owned()
            ));
        };
        let mut asked = step.calls.iter().enumerate();
        let (at, own) = match call {
            protocol::Call::Asked { id } => match asked.find(|(_, one)| one.id == id) {
                Some((at, one)) if one.outcome == CallOutcome::NotRun => (at, None),
                Some((_, one)) => (step.calls.len(), Some(again(one))),
                None => return Ok(Err(format!("its model has not asked for the call `{id}`"))),
            },
            protocol::Call::Own { name, arguments } => {
                let id = String::new();
                let own = ToolCallRequest {
                    id,
                    name,
                    arguments,
                };
                (step.calls.len(), Some(own))
            }
        };
        if let Some(own) = own {
            let mut own = [own];
            self.session.make_ids_unique(&mut own);
            self.session.record_calls(&own);
        }
        let steps = &self.session.conversation.trajectory.steps;
        let call = steps.last().and_then(|step| step.calls.get(at));
        let id = call.map_or_else(String::new, |call| call.id.clone());
        let told = self.session.execute(at).await?;
        Ok(Ok(protocol::result(&id, &told.text, told.is_error)))
    }

    async fn line(&mut self) -> Option<String> {
        let line = self.running.as_mut()?.line().await?;
        self.run.hear(&line);
        Some(line)
    }

    /// Tells it something. One that does not read any more is heard until it ends.
    async fn tell(&mut self, message: &Value) {
        if let Some(running) = &mut self.running {
            running.tell(&message.to_string()).await;
        }
    }

    /// Ends the process, and the loop where the executable did not.
    async fn finish(mut self, ended: Result<Over, DriveError>) -> Result<(), DriveError> {
        let Some(running) = self.running.take() else {
            return Ok(());
        };
        let over = ended.inspect_err(|_| self.session.touch())?;
        let process = running.end().await;
        self.run.exit = Some(exit(process.end));
        self.run.stderr.clone_from(&process.stderr);
        self.session.touch();
        let why = match over {
            Over::Ended => return Ok(()),
            Over::Silent => format!("it ended without an answer ({})", exit(process.end)),
            Over::Wrong(why) => why,
        };
        if limits::is_late(self.session.ports.limits, self.session.worked()) {
            self.session.conversation.cut(LimitKind::Seconds);
        }
        let stderr = process.stderr.trim();
        let tail = stderr.lines().last().unwrap_or_default();
        let message = match tail {
            "" => format!("harness command: {why}"),
            tail => format!("harness command: {why}: {tail}"),
        };
        self.session.end(Ending::Crashed { message });
        Ok(())
    }
}

fn exit(end: ProgramEnd) -> String {
    match end {
        ProgramEnd::Code(code) => format!("exit code {code}"),
        ProgramEnd::Signal(signal) => format!("signal {signal}"),
        ProgramEnd::Unseen => "unknown exit status".to_owned(),
    }
}

/// The same call once more, under an id of its own.
fn again(call: &ToolCall) -> ToolCallRequest {
    ToolCallRequest {
        id: String::new(),
        name: call.full_name(),
        arguments: call.arguments.clone(),
    }
}

/// The tools that a request offers, in the task's order.
fn offer(all: &[ToolSpec], offered: &Tools) -> Vec<ToolSpec> {
    let is_offered = |tool: &&ToolSpec| match offered {
        Tools::All => true,
        Tools::These(names) => names.contains(&tool.name),
    };
    all.iter().filter(is_offered).cloned().collect()
}

#[cfg(test)]
mod tests;
