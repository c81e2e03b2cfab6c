//! From events and metered requests to the one trajectory format.

use super::ending::words;
use super::event::{Event, Heard, Said};
use super::tools::Tools;
use super::{Own, Reader, Start, Told};
use crate::domain::{
    AgentRun, Arguments, CallOutcome, Ending, Exchange, ExchangeEnd, LimitKind, Program,
    ProgramEnded, Relay, RelayStop, Step, StepKind, ToolCall, Violation,
};
use crate::harness::{DriveError, Session};
use serde_json::Value;
use std::time::Duration;

/// What the program has done so far. It writes itself into the session when it is dropped, so that
/// a drive which is cut off leaves what had happened until then.
pub(super) struct Recording<'s, 'a> {
    session: &'s mut Session<'a>,
    relay: &'s dyn Relay,
    tools: &'s Tools,
    told: Told,
    run: AgentRun,
    /// Answers, each with the calls that it asked for.
    answers: Vec<Answer>,
    violations: Vec<Violation>,
}

/// An answer, or where the program does not say which one, a part of one.
#[derive(Default)]
struct Answer {
    id: Option<String>,
    text: String,
    calls: Vec<ToolCall>,
}

impl Answer {
    fn take(&mut self, part: Self) {
        // Parts without an id are messages of their own.
        if part.id.is_none() && !self.text.is_empty() && !part.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&part.text);
        self.calls.extend(part.calls);
    }
}

impl<'s, 'a> Recording<'s, 'a> {
    pub(super) fn begin(
        session: &'s mut Session<'a>,
        start: &Start<'s>,
        own: &dyn Own,
        program: &Program,
    ) -> Self {
        let argv = std::iter::once(&program.program).chain(&program.args);
        let run = AgentRun {
            argv: argv.cloned().collect(),
            prompt: program.input.clone(),
            pinned: own.row().version.to_owned(),
            ..AgentRun::default()
        };
        Self {
            session,
            relay: start.relay,
            tools: start.tools,
            told: own.told(),
            run,
            answers: Vec::new(),
            violations: Vec::new(),
        }
    }

    pub(super) fn tools(&self) -> &Tools {
        self.tools
    }

    pub(super) fn exchanges(&self) -> Vec<Exchange> {
        self.relay.exchanges()
    }

    pub(super) fn run(&mut self) -> &mut AgentRun {
        &mut self.run
    }

    pub(super) fn hear(&mut self, event: Event) {
        match event {
            Event::Said(said) => self.said(said),
            Event::Heard(heard) => self.heard(heard),
            Event::Denied(id) => self.denied(&id),
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
        let part = Answer {
            id: said.id,
            text: said.text,
            calls,
        };
        if self.told == Told::InPieces
            && part.calls.is_empty()
            && let Some(last) = self.answers.last_mut().filter(|one| one.calls.is_empty())
        {
            last.text.push_str(&part.text);
            return;
        }
        let mut known = self.answers.iter_mut().filter(|one| one.id.is_some());
        match known.find(|one| one.id == part.id) {
            Some(answer) => answer.take(part),
            None => self.answers.push(part),
        }
    }

    fn heard(&mut self, heard: Heard) {
        let now = self.session.now_ms();
        let Some(call) = self.call(&heard.id) else {
            return;
        };
        call.took_ms = now.saturating_sub(call.at_ms);
        if matches!(call.outcome, CallOutcome::Blocked { .. }) {
            return;
        }
        if heard.outcome == CallOutcome::Unknown {
            call.server.clear();
        }
        call.outcome = heard.outcome;
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

    /// Whether the program has yet to tell what became of calls that it has carried out: those of all
    /// answers after which it has asked again. Only where it tells of each.
    pub(super) fn owes(&self, stop: &RelayStop) -> bool {
        if self.told != Told::ByItsOwnId {
            return false;
        }
        let exchanges = self.relay.exchanges();
        // A program that is stopped for its steps has asked again after the last of its answers.
        let last = usize::from(*stop != RelayStop::Limit(LimitKind::Steps));
        let before = exchanges.len().saturating_sub(last);
        let whole = exchanges[..before].iter();
        let whole = whole.filter(|one| one.end == ExchangeEnd::Complete);
        let asked: usize = whole.map(|one| one.calls.len()).sum();
        let calls = self.answers.iter().flat_map(|one| &one.calls);
        let told = calls.filter(|call| call.outcome != CallOutcome::NotRun);
        told.count() < asked
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
    pub(super) fn ended(
        mut self,
        reader: &dyn Reader,
        process: &ProgramEnded,
    ) -> Result<(), DriveError> {
        self.run.stderr.clone_from(&process.stderr);
        self.run.exit = Some(words(process.end));
        let exchanges = self.relay.exchanges();
        self.run.own = reader.figures().cloned();
        let judgement = reader.judge(process, &exchanges)?;
        if exchanges.iter().all(|one| one.cost.is_some()) {
            self.run.cost = judgement.cost;
        }
        match judgement.ending {
            Ending::Answered => self.session.answer(judgement.text.unwrap_or_default()),
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
            let answer = self.answer_of(exchange, &mut answers);
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
            let is_of_a_known_one = self.told != Told::ById || answer.id.is_none();
            match steps.last_mut().filter(|_| is_of_a_known_one) {
                // It is a part of some answer, and none is known that it could be of but the last.
                Some(last) => {
                    last.text.push_str(&answer.text);
                    last.calls.extend(answer.calls);
                }
                None => steps.push(step(steps.len(), Some(answer))),
            }
        }
        steps
    }

    /// What the program told of the answer to a request.
    fn answer_of(&self, exchange: &Exchange, answers: &mut Vec<Answer>) -> Option<Answer> {
        match self.told {
            Told::ById => {
                let mut all = answers.iter();
                let at = all.position(|one| one.id.is_some() && one.id == exchange.message)?;
                Some(answers.remove(at))
            }
            // An answer that was cut is asked for again, and has no id of its own.
            Told::ByItsOwnId => (exchange.end == ExchangeEnd::Complete).then(|| {
                let told = (!answers.is_empty()).then(|| answers.remove(0));
                self.with_untold(exchange, told.unwrap_or_default())
            }),
            // An answer that was cut may never have reached the program.
            Told::InOrder | Told::InPieces => {
                (exchange.end == ExchangeEnd::Complete).then(|| self.next_answer(exchange, answers))
            }
        }
    }

    /// The parts up to the last call of an answer; of an answer without calls, those before the next
    /// call. A call that the program does not tell of stands there all the same.
    fn next_answer(&self, exchange: &Exchange, parts: &mut Vec<Answer>) -> Answer {
        let mut answer = Answer::default();
        for name in &exchange.calls {
            let calls_it = |part: &Answer| {
                let mut calls = part.calls.iter();
                calls.any(|call| self.tools.name(&call.server, &call.tool) == name)
            };
            match parts.iter().position(calls_it) {
                Some(at) => parts.drain(..=at).for_each(|part| answer.take(part)),
                None => answer
                    .calls
                    .push(self.untold(exchange, (name, answer.calls.len()))),
            }
        }
        if exchange.calls.is_empty() {
            let end = parts.iter().position(|part| !part.calls.is_empty());
            let end = end.unwrap_or(parts.len());
            parts.drain(..end).for_each(|part| answer.take(part));
        }
        answer
    }

    /// An answer with the calls that the program does not tell of.
    fn with_untold(&self, exchange: &Exchange, mut answer: Answer) -> Answer {
        let calls = answer.calls.iter();
        let told = calls.map(|call| self.tools.name(&call.server, &call.tool).to_owned());
        let mut told: Vec<String> = told.collect();
        for (at, name) in exchange.calls.iter().enumerate() {
            match told.iter().position(|one| one == name) {
                Some(found) => drop(told.remove(found)),
                None => answer.calls.push(self.untold(exchange, (name, at))),
            }
        }
        answer
    }

    /// A call that stood in an answer, and that the program has not told of: it came to an end
    /// before it, or it has no such tool.
    fn untold(&self, exchange: &Exchange, (name, at): (&str, usize)) -> ToolCall {
        let (server, tool) = self.tools.resolve(name);
        let (server, outcome) = match self.tools.has(name) {
            true => (server, CallOutcome::NotRun),
            false => ("", CallOutcome::Unknown),
        };
        let message = exchange.message.as_deref().unwrap_or("call");
        self.unread_call(format!("{message}-{at}"), (server, tool), outcome)
    }

    /// The call that the relay took out of an answer, so that the program never saw it.
    fn stopped_call(&self, exchange: &Exchange) -> Option<ToolCall> {
        let name = exchange.stopped_call.as_deref()?;
        let (server, tool) = self.tools.resolve(name);
        let allowed = self.session.ports.limits.max_tool_calls.unwrap_or_default();
        let rule = format!("max_tool_calls {allowed}");
        let message = exchange.message.as_deref().unwrap_or("call");
        let outcome = CallOutcome::Blocked { rule };
        Some(self.unread_call(format!("{message}-stopped"), (server, tool), outcome))
    }

    /// A call whose arguments nobody has read.
    fn unread_call(
        &self,
        id: String,
        (server, tool): (&str, &str),
        outcome: CallOutcome,
    ) -> ToolCall {
        ToolCall {
            id,
            server: server.to_owned(),
            tool: tool.to_owned(),
            arguments: Arguments::Json(Value::Null),
            outcome,
            at_ms: self.session.now_ms(),
            took_ms: 0,
        }
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
