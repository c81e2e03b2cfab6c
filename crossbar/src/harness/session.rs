//! What a harness drives with: the model, the tools, the rules, and what was said so far.
//!
//! The session keeps the rules that hold for every harness: limits before and after each model
//! call, every step recorded the moment it begins. What holds for tool calls is in `calls`.

use super::{Conversation, DriveError, limits};
use crate::domain::{
    Clock, Ending, Exec, Limits, Model, Price, Relay, Step, StepKind, Toolbox, Usage, Usd,
};
use crate::provider::{
    ChatReply, Message, NameMap, Provider, ReplyForm, ToolCallRequest, ToolSpec,
};
use crate::task::SecurityPolicy;
use std::collections::BTreeSet;
use std::time::Duration;

/// What a session is made of; the same for every cell of a task, but for model and provider.
#[derive(Clone, Copy)]
pub struct Ports<'a> {
    /// The model's settings and price.
    pub model: &'a Model,
    /// The model itself.
    pub provider: &'a dyn Provider,
    /// The tools.
    pub toolbox: &'a dyn Toolbox,
    /// The time.
    pub clock: &'a dyn Clock,
    /// The ceilings.
    pub limits: &'a Limits,
    /// What is forbidden.
    pub policy: &'a SecurityPolicy,
    /// The machine, for a harness that is an executable; `None` where there is none.
    pub exec: Option<&'a dyn Exec>,
    /// For a program that drives the model by itself; `None` where crossbar asks it.
    pub program: Option<ProgramPorts<'a>>,
}

/// What a program that drives a model by itself needs of the world.
#[derive(Clone, Copy)]
pub struct ProgramPorts<'a> {
    /// The machine that it runs on.
    pub exec: &'a dyn Exec,
    /// Its model.
    pub relay: &'a dyn Relay,
}

/// One or more drives over a conversation.
pub struct Session<'a> {
    pub(super) ports: Ports<'a>,
    pub(super) names: NameMap,
    pub(super) conversation: &'a mut Conversation,
    /// The clock's reading when this session began.
    began: Duration,
    /// Time that earlier sessions of the conversation took.
    before: Duration,
}

impl<'a> Session<'a> {
    /// Begins, or goes on with, a conversation. The tools are those that the toolbox lists now;
    /// step times count from the first session of a conversation, and the limit of seconds holds
    /// the time of all its sessions, not what the task did between them.
    #[must_use]
    pub fn new(ports: Ports<'a>, conversation: &'a mut Conversation) -> Self {
        let tools = ports.toolbox.tools();
        let names = NameMap::new(&tools);
        let began = ports.clock.monotonic();
        conversation.started.get_or_insert(began);
        let request = &mut conversation.request;
        request.tools = names.offer(&tools);
        request.params = ports.model.params.clone();
        request.response_format = request.params.remove("response_format");
        Self {
            ports,
            names,
            began,
            before: conversation.worked,
            conversation,
        }
    }

    /// The conversation so far.
    #[must_use]
    pub fn conversation(&self) -> &Conversation {
        self.conversation
    }

    /// Takes the prompt. False when something has ended the conversation for good.
    pub(super) fn begin(&mut self, system: Option<String>, form: ReplyForm, prompt: &str) -> bool {
        let ending = &mut self.conversation.trajectory.ending;
        if !matches!(ending, None | Some(Ending::Answered)) {
            return false;
        }
        *ending = None;
        self.conversation.request.system = system;
        self.conversation.request.form = form;
        self.say(prompt);
        true
    }

    /// Takes the tools off the request, for a loop that doesn't offer them as functions. Returns
    /// their descriptions.
    pub(super) fn withhold_tools(&mut self) -> Vec<ToolSpec> {
        std::mem::take(&mut self.conversation.request.tools)
    }

    /// Says something in the user's place.
    pub(super) fn say(&mut self, text: &str) {
        self.conversation
            .request
            .messages
            .push(Message::User(text.to_owned()));
    }

    /// Opens the one self-check turn of a rollout. False when it is over already, or when the loop
    /// did not end with an answer.
    pub(super) fn begin_verify(&mut self, text: &str) -> bool {
        let conversation = &mut *self.conversation;
        if conversation.verified || conversation.trajectory.ending != Some(Ending::Answered) {
            return false;
        }
        conversation.verified = true;
        conversation.trajectory.ending = None;
        self.say(text);
        true
    }

    /// Whether something has ended the loop.
    pub(super) fn has_ended(&self) -> bool {
        self.conversation.trajectory.ending.is_some()
    }

    /// Takes the reply as the agent's answer. A limit that was passed meanwhile stays the ending.
    pub(super) fn answer(&mut self, text: String) {
        self.conversation.trajectory.final_text = Some(text);
        self.end(Ending::Answered);
    }

    /// Ends the loop, if nothing has.
    pub(super) fn end(&mut self, ending: Ending) {
        self.conversation.trajectory.ending.get_or_insert(ending);
    }

    /// Makes one model call. `None` when a ceiling forbids it; the ending says which.
    pub(super) async fn ask(&mut self, turn: StepKind) -> Result<Option<ChatReply>, DriveError> {
        let worked = self.worked();
        let trajectory = &self.conversation.trajectory;
        if let Some(limit) = limits::before_a_call(self.ports.limits, trajectory, worked) {
            self.conversation.cut(limit);
            return Ok(None);
        }
        self.open_step(turn);
        let began = self.now_ms();
        let provider = self.ports.provider;
        let answered = provider.chat(&self.conversation.request).await;
        let mut reply = match answered {
            Ok(reply) => reply,
            Err(error) => {
                if !error.kind.may_cost() {
                    self.conversation.trajectory.steps.pop();
                }
                return Err(error.into());
            }
        };
        self.make_ids_unique(&mut reply.calls);
        let took_ms = self.now_ms().saturating_sub(began);
        self.close_step(&reply, took_ms);
        self.remember(&reply);
        self.touch();
        if let Some(limit) = limits::after_a_reply(self.ports.limits, &self.conversation.trajectory)
        {
            self.conversation.cut(limit);
        }
        Ok(Some(reply))
    }

    /// Records a step before its request is sent, so that a drive which is dropped meanwhile
    /// leaves a step whose tokens and cost are unknown.
    fn open_step(&mut self, turn: StepKind) {
        let at_ms = self.now_ms();
        self.conversation.request.turn = turn;
        let steps = &mut self.conversation.trajectory.steps;
        steps.push(Step {
            index: u32::try_from(steps.len() + 1).unwrap_or(u32::MAX),
            kind: turn,
            text: String::new(),
            calls: Vec::new(),
            usage: None,
            cost: None,
            answered_model: None,
            cut_short: None,
            retries: 0,
            at_ms,
            took_ms: 0,
        });
    }

    fn close_step(&mut self, reply: &ChatReply, took_ms: u64) {
        let cost = self.cost(reply.usage);
        if let Some(step) = self.conversation.trajectory.steps.last_mut() {
            reply.raw().clone_into(&mut step.text);
            step.usage = reply.usage;
            step.cost = cost;
            step.answered_model.clone_from(&reply.answered_model);
            step.cut_short.clone_from(&reply.cut_short);
            step.retries = reply.retries;
            step.took_ms = took_ms;
        }
    }

    fn cost(&self, usage: Option<Usage>) -> Option<Usd> {
        match (usage, &self.ports.model.price) {
            (_, Price::Free) => Some(Usd::ZERO),
            (Some(usage), price) => price.cost(&usage),
            (None, _) => None,
        }
    }

    /// Adds the reply to what the model sees next. Calls are part of it only where the harness
    /// answers calls: a call without a result makes the next request invalid.
    fn remember(&mut self, reply: &ChatReply) {
        let request = &mut self.conversation.request;
        let calls = match request.form {
            ReplyForm::Calls => reply.calls.clone(),
            ReplyForm::Text | ReplyForm::JsonAction => Vec::new(),
        };
        request.messages.push(Message::Assistant {
            text: reply.text.clone(),
            calls,
            own: reply.own.clone(),
        });
    }

    /// Some servers repeat ids or leave them out; a result must pair with one call.
    pub(super) fn make_ids_unique(&self, calls: &mut [ToolCallRequest]) {
        let earlier = self.conversation.trajectory.calls().map(|call| &call.id);
        let mut taken: BTreeSet<String> = earlier.cloned().collect();
        let mut number = taken.len();
        for call in calls {
            while call.id.is_empty() || taken.contains(&call.id) {
                number += 1;
                call.id = format!("call_{number}");
            }
            taken.insert(call.id.clone());
        }
    }

    /// The time that counts against the limit.
    pub(super) fn worked(&self) -> Duration {
        let now = self.ports.clock.monotonic();
        self.before + now.saturating_sub(self.began)
    }

    /// Keeps the time for the next session. A drive that is dropped on the way has ended the
    /// conversation, so nothing asks for its time any more.
    pub(super) fn touch(&mut self) {
        self.conversation.worked = self.worked();
    }

    pub(super) fn now_ms(&self) -> u64 {
        let now = self.ports.clock.monotonic();
        let elapsed = now.saturating_sub(self.conversation.started.unwrap_or(now));
        u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
    }
}
