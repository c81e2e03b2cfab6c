//! The context itself: one rollout's world, its agent, and its assertions.

use super::finished::{Finished, Phase, Trouble};
use super::server::{ServerHandle, Shared};
use super::setup::Setup;
use super::{Result, TaskError, own_observation};
use crate::check::Expectation;
use crate::domain::{
    CheckOutcome, LimitKind, Observation, Observed, Probe, Stage, StageTime, Toolbox,
};
use crate::env::{EnvError, Served, ServerCommand, Tool, World};
use crate::harness::{Conversation, DriveError, Ports, ProgramPorts, Session};
use crate::task::EnvironmentSpec;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

/// What an assertion can do to a score.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Worth {
    /// Earn its share.
    Gain,
    /// Zero it.
    Guard,
}

/// What a task function holds.
pub struct Context {
    setup: Setup,
    world: World,
    conversation: Conversation,
    shared: Rc<Shared>,
    checks: Vec<CheckOutcome>,
    opened: Duration,
    worked: Duration,
    first_act: Option<Duration>,
}

impl Context {
    /// Opens an empty world.
    ///
    /// # Errors
    /// `Trouble` when no workspace can be made.
    pub fn open(setup: Setup) -> std::result::Result<Self, Trouble> {
        let opened = setup.clock.monotonic();
        let world = World::new().map_err(|error| Trouble::from(&error))?;
        Ok(Self::within(setup, world, opened))
    }

    /// Opens the world that a declared task describes, servers started.
    ///
    /// # Errors
    /// `Trouble` when workspace or servers fail.
    pub async fn open_declared(
        setup: Setup,
        spec: &EnvironmentSpec,
    ) -> std::result::Result<Self, Trouble> {
        let opened = setup.clock.monotonic();
        let world = World::open(spec)
            .await
            .map_err(|error| Trouble::from(&error))?;
        Ok(Self::within(setup, world, opened))
    }

    fn within(setup: Setup, world: World, opened: Duration) -> Self {
        Self {
            setup,
            world,
            conversation: Conversation::default(),
            shared: Shared::new(),
            checks: Vec::new(),
            opened,
            worked: Duration::ZERO,
            first_act: None,
        }
    }

    /// Starts an MCP server whose tools the agent gets, under a name of the task's choice.
    ///
    /// # Errors
    /// When it does not start, with the end of its standard error; the rollout then counts as an
    /// infrastructure failure.
    pub async fn server(
        &mut self,
        name: &str,
        command: impl Into<ServerCommand>,
    ) -> Result<ServerHandle> {
        let added = self.world.add(name, &command.into()).await;
        self.admitted(added)
    }

    /// Offers the agent tools that are plain Rust functions, under a name of the task's choice:
    /// they are called, counted and recorded as those of a server.
    ///
    /// # Errors
    /// When the name is taken, or two of the tools have the same.
    pub fn tools(
        &mut self,
        name: &str,
        tools: impl IntoIterator<Item = Tool>,
    ) -> Result<ServerHandle> {
        let added = self.world.add_tools(name, tools.into_iter().collect());
        self.admitted(added)
    }

    fn admitted(&self, added: std::result::Result<Served, EnvError>) -> Result<ServerHandle> {
        match added {
            Ok(server) => Ok(self.held(server)),
            Err(error) => {
                self.shared.trouble(Trouble::from(&error));
                Err(TaskError::from(error))
            }
        }
    }

    fn held(&self, server: Served) -> ServerHandle {
        ServerHandle {
            server,
            shared: Rc::clone(&self.shared),
        }
    }

    /// The server of a name, where the task has one.
    pub(super) fn handle(&self, name: &str) -> Option<ServerHandle> {
        let servers = self.world.servers();
        let found = servers.into_iter().find(|one| one.name() == name)?;
        Some(self.held(found))
    }

    /// Lets the agent work on a prompt, and comes back with its answer (empty when it gave none).
    /// A second call goes on with the same conversation.
    ///
    /// An agent that ran into a limit or broke a rule is no error here: assert as usual, the
    /// rollout is judged by how it ended.
    ///
    /// # Errors
    /// When the machine or the money failed under the agent; return it with `?`.
    pub async fn agent(&mut self, prompt: &str) -> Result<String> {
        if self.setup.relay.is_some() {
            // A program starts the servers by itself; two of one must not share the workspace.
            self.world.hand_over().await;
        }
        let began = self.setup.clock.monotonic();
        self.first_act.get_or_insert(began);
        self.shared.phase.set(Phase::Act);
        let ended = self.drive(prompt).await;
        self.worked += self.setup.clock.monotonic().saturating_sub(began);
        self.count_calls();
        if let Err(error) = ended {
            let message = error.to_string();
            self.shared.trouble(Trouble::from(error));
            return Err(TaskError::from(message));
        }
        if self.setup.relay.is_some() {
            // The program and its servers are gone: fresh ones tell what state it left.
            let again = self.world.take_back().await;
            again.map_err(|error| {
                self.shared.trouble(Trouble::from(&error));
                TaskError::from(error)
            })?;
        }
        self.shared.phase.set(Phase::Assert);
        Ok(self
            .conversation
            .trajectory()
            .final_text
            .clone()
            .unwrap_or_default())
    }

    async fn drive(&mut self, prompt: &str) -> std::result::Result<(), DriveError> {
        let clock = self.setup.clock.as_ref();
        let began = clock.monotonic();
        let limit = Duration::from_secs_f64(self.setup.limits.timeout_s);
        let left = limit.saturating_sub(self.worked);
        let ports = Ports {
            model: &self.setup.model,
            provider: self.setup.provider.as_ref(),
            toolbox: &self.world,
            clock,
            limits: &self.setup.limits,
            policy: &self.setup.policy,
            exec: Some(&self.world),
            program: self.setup.relay.as_deref().map(|relay| ProgramPorts {
                exec: &self.world,
                relay,
            }),
        };
        let mut session = Session::new(ports, &mut self.conversation);
        let drive = self.setup.harness.drive(&mut session, prompt);
        let own = || left.saturating_sub(clock.monotonic().saturating_sub(began));
        if let Some(ended) = within(drive, own).await {
            return ended;
        }
        self.conversation.cut(LimitKind::Seconds);
        Ok(())
    }

    fn count_calls(&self) {
        let mut executed = self.shared.executed.borrow_mut();
        executed.clear();
        for call in self
            .conversation
            .trajectory()
            .calls()
            .filter(|call| call.executed())
        {
            *executed
                .entry((call.server.clone(), call.tool.clone()))
                .or_default() += 1;
        }
    }

    /// Asserts that a value is as expected; a mismatch names the path, what was expected and what
    /// is there. The task goes on either way.
    pub fn expect(&mut self, name: &str, actual: &Value, expected: Expectation) {
        let message = expected
            .test(actual)
            .err()
            .map(|mismatch| mismatch.to_string());
        let worth = if expected.guard {
            Worth::Guard
        } else {
            Worth::Gain
        };
        self.assert(name, "expect", worth, message);
    }

    /// Asserts that something holds. The task goes on either way.
    pub fn check(&mut self, name: &str, holds: bool) {
        let message = (!holds).then(|| "does not hold".to_owned());
        self.assert(name, "check", Worth::Gain, message);
    }

    /// Asserts that something has stayed as it must: a guard, which holds when nothing was done,
    /// and so can zero a score and never adds to it. The task goes on either way.
    pub fn guard(&mut self, name: &str, holds: bool) {
        let message = (!holds).then(|| "does not hold".to_owned());
        self.assert(name, "check", Worth::Guard, message);
    }

    fn assert(&mut self, name: &str, kind: &str, worth: Worth, message: Option<String>) {
        if self.shared.phase.get() == Phase::Arrange {
            // A fact about the fixture, not about the agent: broken, it makes the rollout invalid.
            if let Some(message) = message {
                self.shared
                    .trouble(Trouble::Fixture(format!("{name}: {message}")));
            }
            return;
        }
        self.checks.push(CheckOutcome {
            name: name.to_owned(),
            kind: kind.to_owned(),
            passed: message.is_none(),
            message,
            guard: worth == Worth::Guard,
            weight: 1.0,
            required: true,
            about_state: kind == "expect",
        });
    }

    /// The rollout's own folder.
    #[must_use]
    pub fn workspace(&self) -> &Path {
        self.world.workspace()
    }

    /// Adds a failed required check, for a task function that ended with an error. The first line
    /// of its message is its name, since nobody gave it another.
    pub fn fail(&mut self, message: &str) {
        let name = message.lines().next().unwrap_or("the task function");
        self.assert(name, "error", Worth::Gain, Some(message.to_owned()));
    }

    /// Adds a check that holds, for a task function that returned and that asserts with `assert!`
    /// and its like alone: those leave no other trace when they hold. That a function asserts
    /// nothing at all is seen by the no-op control, for which this check holds too.
    pub fn returned(&mut self) {
        if self.checks.is_empty() {
            self.assert("the task function returns", "error", Worth::Gain, None);
        }
    }

    /// How far the rollout is.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.shared.phase.get()
    }

    /// Whether what a declared task's checks ask for can be observed at all.
    ///
    /// # Errors
    /// `Trouble::Fixture` names what no server has.
    pub fn can_observe(&self, probes: &[Probe]) -> std::result::Result<(), Trouble> {
        self.world
            .can_observe(probes)
            .map_err(|error| Trouble::from(&error))
    }

    /// Reads something of the world that no server answers for: a file, a database. What `read`
    /// brings after the agent has ended is recorded under `name`, so that the rollout can be judged
    /// again without it. Comes back with the value as it is recorded.
    ///
    /// # Errors
    /// The error of `read`, or of a value that is no JSON.
    pub async fn observe<T, E>(
        &mut self,
        name: &str,
        read: impl Future<Output = std::result::Result<T, E>>,
    ) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        E: fmt::Display,
    {
        let (seen, result) = own_observation(read.await);
        self.record(name, seen);
        result
    }

    /// Keeps an observation of the task's own, once the agent has ended.
    pub(super) fn record(&self, name: &str, observation: Observation) {
        if self.phase() == Phase::Assert {
            let probe = Probe::Own {
                name: name.to_owned(),
            };
            let seen = Observed { probe, observation };
            self.shared.evidence.borrow_mut().0.push(seen);
        }
    }

    /// Observes what a declared task's checks ask for.
    pub async fn observe_probes(&mut self, probes: &[Probe]) {
        match self.world.observe(probes).await {
            Ok(evidence) => self.shared.evidence.borrow_mut().0.extend(evidence.0),
            Err(error) => self.shared.trouble(Trouble::from(&error)),
        }
    }

    /// Ends the rollout: servers stopped, workspace deleted, facts handed over.
    pub async fn finish(self) -> Finished {
        let now = self.setup.clock.monotonic();
        let stages = self.stages(now);
        let tools_offered = self.setup.offers_tools && !self.world.tools().is_empty();
        let mut trajectory = self.conversation.into_trajectory();
        trajectory.server_noise = self.world.close().await;
        Finished {
            phase: self.shared.phase.get(),
            trajectory,
            checks: self.checks,
            evidence: self.shared.evidence.take(),
            trouble: self.shared.trouble.take(),
            tools_offered,
            worked_ms: millis(self.worked),
            stages,
        }
    }

    fn stages(&self, now: Duration) -> Vec<StageTime> {
        let acted = self.first_act.unwrap_or(now);
        let provision = acted.saturating_sub(self.opened);
        let collect = now.saturating_sub(acted).saturating_sub(self.worked);
        [
            (Stage::Provision, provision),
            (Stage::Execute, self.worked),
            (Stage::Collect, collect),
        ]
        .into_iter()
        .map(|(stage, time)| StageTime {
            stage,
            ms: millis(time),
        })
        .collect()
    }
}

/// What counts as no time left: two clocks are compared that tick apart.
const A_MOMENT: Duration = Duration::from_millis(1);

/// Waits for an agent until `left` is nothing; `None` then. The agent's own time can stand still
/// while the machine's goes on, so what is left is asked for again whenever it should be over.
async fn within<F: Future>(agent: F, left: impl Fn() -> Duration) -> Option<F::Output> {
    let mut agent = std::pin::pin!(agent);
    loop {
        if let Ok(output) = tokio::time::timeout(left(), &mut agent).await {
            return Some(output);
        }
        if left() <= A_MOMENT {
            return None;
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
