//! From events and metered requests to the one trajectory format.

use super::super::programs::CLAUDE_CODE;
use super::ending::{self, Facts};
use super::event::{Ended, Event, Heard, Said};
use super::tools::Tools;
use crate::domain::{
    AgentRun, Arguments, CallOutcome, Ending, Exchange, ExchangeEnd, Program, ProgramEnded, Relay,
    Step, StepKind, ToolCall, Violation,
};
use crate::harness::{DriveError, Session};
use serde_json::Value;
use std::time::Duration;

/// How the program answers a call of a tool that does not exist.
const NO_SUCH_TOOL: &str = "No such tool available";

/// What the program has done so far. It writes itself into the session when it is dropped, so that
/// a drive which is cut off leaves what had happened until then.
pub(super) struct Recording<'s, 'a> {
    session: &'s mut Session<'a>,
    relay: &'s dyn Relay,
    tools: &'s Tools,
    run: AgentRun,
    /// Answers, each with the calls that it asked for.
    answers: Vec<Answer>,
    violations: Vec<Violation>,
    has_begun: bool,
    ended: Option<Box<Ended>>,
}

struct Answer {
    id: String,
    text: String,
    calls: Vec<ToolCall>,
}

impl<'s, 'a> Recording<'s, 'a> {
    pub(super) fn begin(
        session: &'s mut Session<'a>,
        relay: &'s dyn Relay,
        tools: &'s Tools,
        program: &Program,
    ) -> Self {
        let argv = std::iter::once(&program.program).chain(&program.args);
        let run = AgentRun {
            argv: argv.cloned().collect(),
            prompt: program.input.clone(),
            pinned: CLAUDE_CODE.version.to_owned(),
            ..AgentRun::default()
        };
        Self {
            session,
            relay,
            tools,
            run,
            answers: Vec::new(),
            violations: Vec::new(),
            has_begun: false,
            ended: None,
        }
    }

    pub(super) fn run(&mut self) -> &mut AgentRun {
        &mut self.run
    }

    pub(super) fn tools(&self) -> &'s Tools {
        self.tools
    }

    /// It runs as it was meant to.
    pub(super) fn began(&mut self) {
        self.has_begun = true;
    }

    /// Takes a line of its output, and the event that it is.
    pub(super) fn hear(&mut self, line: &str, event: Option<Event>) {
        self.run.hear(line);
        match event {
            Some(Event::Said(said)) => self.said(said),
            Some(Event::Heard(results)) => results.into_iter().for_each(|one| self.heard(one)),
            Some(Event::Denied(id)) => self.denied(&id),
            Some(Event::Ended(ended)) => {
                ended.denied.iter().for_each(|id| self.denied(id));
                self.ended = Some(ended);
            }
            Some(Event::Began(_)) | None => {}
        }
    }

    fn said(&mut self, said: Said) {
        let at_ms = self.session.now_ms();
        let calls = said.calls.into_iter().map(|asked| {
            let (server, tool) = self.tools.resolve(&asked.name);
            ToolCall {
                id: asked.id,
                server: server.to_owned(),
                tool: tool.to_owned(),
                arguments: Arguments::Json(asked.input),
                outcome: CallOutcome::NotRun,
                at_ms,
                took_ms: 0,
            }
        });
        let calls: Vec<ToolCall> = calls.collect();
        match self.answers.iter_mut().find(|one| one.id == said.id) {
            Some(answer) => {
                answer.text.push_str(&said.text);
                answer.calls.extend(calls);
            }
            None => self.answers.push(Answer {
                id: said.id,
                text: said.text,
                calls,
            }),
        }
    }

    fn heard(&mut self, result: Heard) {
        let now = self.session.now_ms();
        let Some(call) = self.call(&result.id) else {
            return;
        };
        call.took_ms = now.saturating_sub(call.at_ms);
        if matches!(call.outcome, CallOutcome::Blocked { .. }) {
            return;
        }
        if result.is_error && result.text.contains(NO_SUCH_TOOL) {
            call.server.clear();
            call.outcome = CallOutcome::Unknown;
        } else if result.is_error {
            call.outcome = CallOutcome::Error {
                text: result.text,
                protocol: false,
            };
        } else {
            call.outcome = CallOutcome::Result {
                text: result.text,
                structured: result.structured,
            };
        }
    }

    fn denied(&mut self, id: &str) {
        let tools = self.tools;
        if let Some(call) = self.call(id) {
            let name = tools.name(&call.server, &call.tool);
            call.outcome = CallOutcome::Blocked {
                rule: tools.rule(name),
            };
        }
    }

    fn call(&mut self, id: &str) -> Option<&mut ToolCall> {
        let mut calls = self.answers.iter_mut().flat_map(|one| &mut one.calls);
        calls.find(|call| call.id == id)
    }

    pub(super) fn violate(&mut self, violation: Violation) {
        self.violations.push(violation);
    }

    pub(super) fn end(&mut self, ending: Ending) {
        self.session.end(ending);
    }

    /// The program has ended by itself.
    pub(super) fn ended(mut self, process: &ProgramEnded) -> Result<(), DriveError> {
        self.run.stderr.clone_from(&process.stderr);
        self.run.exit = Some(ending::words(process.end));
        let exchanges = self.relay.exchanges();
        let ending = ending::judge(&Facts {
            has_begun: self.has_begun,
            ended: self.ended.as_deref(),
            process,
            exchanges: &exchanges,
        })?;
        let ended = self.ended.take().unwrap_or_default();
        if exchanges.iter().all(|one| one.cost.is_some()) {
            self.run.cost = ended.cost;
        }
        match ending {
            Ending::Answered => self.session.answer(ended.text.unwrap_or_default()),
            other => self.end(other),
        }
        Ok(())
    }
}

impl Drop for Recording<'_, '_> {
    fn drop(&mut self) {
        let exchanges = self.relay.exchanges();
        let steps = self.steps(&exchanges);
        let policy = self.session.ports.policy;
        let forbidden = steps
            .iter()
            .flat_map(|step| &step.calls)
            .filter(|call| !call.server.is_empty() && policy.forbids(&call.server, &call.tool));
        let forbidden = forbidden.map(|call| Violation::ForbiddenTool {
            tool: call.full_name(),
            blocked: !call.executed(),
        });
        let violations = forbidden.chain(self.violations.drain(..)).collect();
        self.run.exchanges = exchanges;
        self.session.touch();
        let trajectory = &mut self.session.conversation.trajectory;
        trajectory.violations = violations;
        trajectory.steps = steps;
        trajectory.agent = Some(Box::new(std::mem::take(&mut self.run)));
    }
}

impl Recording<'_, '_> {
    /// One step for each request that may have taken tokens, with what the program told of its
    /// answer; then the answers that no request is known of.
    fn steps(&mut self, exchanges: &[Exchange]) -> Vec<Step> {
        let started = self.session.conversation.started.unwrap_or_default();
        let mut answers = std::mem::take(&mut self.answers);
        let mut steps: Vec<Step> = Vec::new();
        let mut retries = 0;
        for exchange in exchanges {
            if exchange.end == ExchangeEnd::Refused {
                retries += 1;
                continue;
            }
            let found = answers
                .iter()
                .position(|one| Some(&one.id) == exchange.message.as_ref());
            let answer = found.map(|at| answers.remove(at));
            let mut step = step(steps.len(), answer);
            step.usage = exchange.usage;
            step.cost = exchange.cost;
            step.answered_model.clone_from(&exchange.answered);
            step.retries = std::mem::take(&mut retries);
            step.at_ms = millis(exchange.began.saturating_sub(started));
            step.took_ms = exchange.took_ms;
            step.calls.extend(self.stopped_call(exchange));
            steps.push(step);
        }
        for answer in answers {
            steps.push(step(steps.len(), Some(answer)));
        }
        steps
    }

    /// The call that the relay took out of an answer, so that the program never saw it.
    fn stopped_call(&self, exchange: &Exchange) -> Option<ToolCall> {
        let name = exchange.stopped_call.as_deref()?;
        let (server, tool) = self.tools.resolve(name);
        let allowed = self.session.ports.limits.max_tool_calls.unwrap_or_default();
        Some(ToolCall {
            id: format!("{}-stopped", exchange.message.as_deref().unwrap_or("call")),
            server: server.to_owned(),
            tool: tool.to_owned(),
            // They were never waited for.
            arguments: Arguments::Json(Value::Null),
            outcome: CallOutcome::Blocked {
                rule: format!("max_tool_calls {allowed}"),
            },
            at_ms: self.session.now_ms(),
            took_ms: 0,
        })
    }
}

fn step(before: usize, answer: Option<Answer>) -> Step {
    let (text, calls) = answer.map_or_else(Default::default, |one| (one.text, one.calls));
    Step {
        index: u32::try_from(before + 1).unwrap_or(u32::MAX),
        kind: StepKind::Work,
        text,
        calls,
        usage: None,
        cost: None,
        answered_model: None,
        cut_short: None,
        retries: 0,
        at_ms: 0,
        took_ms: 0,
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
