//! What the harnesses have in common that are programs with a loop of their own: the start in the
//! rollout's world, the output followed until the end, what it did written into the one trajectory,
//! and the rules of ending that hold for all.
//!
//! A program is a file or a small folder beside this one: its command line, a reader of what it
//! writes, and its own rules of how it ended. Everything about it that is a word or a number stands
//! in the table of `programs`.

pub(super) mod brought;
pub(super) mod ending;
pub(super) mod event;
mod recording;
pub(super) mod stream_json;
pub(super) mod tools;

use super::programs::{AgentProgram, VersionIs};
use super::{DriveError, Harness, Ports, ProgramPorts, Session, limits};
use crate::domain::{
    Ending, Exchange, Exec, Leash, LocalFuture, OwnFigures, Program, ProgramEnded, Relay,
    RelayStop, Running, ServerLaunch, Usd, VersionSource, Violation,
};
use brought::Brought;
use event::Event;
use recording::Recording;
use std::time::Duration;
use tools::{Spelling, Tools};

/// What a program that is ended has left, to write what it has done already.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// What a start depends on.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) ports: Ports<'a>,
    pub(super) tools: &'a Tools,
    pub(super) servers: &'a [ServerLaunch],
    /// The program's home folder.
    pub(super) home: &'a str,
    pub(super) relay: &'a dyn Relay,
    pub(super) prompt: &'a str,
}

/// What is a program's own.
pub(super) trait Own {
    /// Its row.
    fn row(&self) -> &'static AgentProgram;

    /// How it spells the names of tools.
    fn spelling(&self) -> Spelling;

    /// The program with all that it is given.
    ///
    /// # Errors
    /// `DriveError::Unfit` when the task can't be told to it.
    fn program(&self, start: &Start<'_>) -> Result<Program, DriveError>;

    /// What it is given on top of the task; `None` for a program that can be given nothing.
    fn brought(&self) -> Option<Brought<'_>> {
        None
    }

    /// What the relay holds it to, where it has no means of its own.
    fn leash(&self, _tools: &Tools) -> Leash {
        Leash::default()
    }

    /// How what it writes is told apart by answers.
    fn told(&self) -> Told;

    /// Whoever understands what it writes, from one start on.
    fn reader(&self, start: &Start<'_>) -> Box<dyn Reader>;
}

/// How a program tells of the answers of its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Every part with the provider's id of its answer.
    ById,
    /// Every part with an id of the program's own for its answer, in the order of the answers.
    ByItsOwnId,
    /// Without ids, in the order of the answers, each message whole.
    InOrder,
    /// The same, but a message comes in pieces.
    InPieces,
}

/// Understands what one run of a program writes.
pub(super) trait Reader {
    /// What a line says.
    ///
    /// # Errors
    /// `DriveError` when the line shows that every further request would be paid in vain.
    fn read(&mut self, line: &str) -> Result<Vec<Event>, DriveError>;

    /// Holds the tools that its first request offers to what it was told, where its output does not
    /// say it. The request is not passed on before.
    ///
    /// # Errors
    /// `DriveError` when it does not run as it is meant to.
    fn asked(&self, _offered: &[String]) -> Result<(), DriveError> {
        Ok(())
    }

    /// The version that it has named so far.
    fn version(&self) -> Option<&str> {
        None
    }

    /// The skills that it has named so far; `None` where it names none.
    fn skills(&self) -> Option<&[String]> {
        None
    }

    /// What it has said of its own run.
    fn figures(&self) -> Option<&OwnFigures> {
        None
    }

    /// How it ended, given how its process did and what the relay saw.
    ///
    /// # Errors
    /// `DriveError` for all that is not the agent's own doing.
    fn judge(
        &self,
        process: &ProgramEnded,
        exchanges: &[Exchange],
    ) -> Result<Judgement, DriveError>;
}

/// How a program ended by itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judgement {
    pub(super) ending: Ending,
    /// Its answer, where it gave one.
    pub(super) text: Option<String>,
    /// Its own figure for the cost, where it knows the price.
    pub(super) cost: Option<Usd>,
}

/// A harness that is a program.
pub(super) struct ProgramHarness<P>(pub(super) P);

impl<P: Own> Harness for ProgramHarness<P> {
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
            let row = self.0.row();
            if trajectory.agent.is_some() {
                return Err(DriveError::Unfit(format!(
                    "harness `{}` takes one prompt in a rollout: ask everything in one, or leave \
                     this cell out",
                    row.kind
                )));
            }
            let Some(ports) = session.ports.program else {
                return Err(DriveError::Unfit(format!(
                    "harness `{}` needs a model of provider `{}`",
                    row.kind, row.provider
                )));
            };
            run(&self.0, session, ports, prompt).await
        })
    }
}

async fn run(
    own: &dyn Own,
    session: &mut Session<'_>,
    ProgramPorts { exec, relay }: ProgramPorts<'_>,
    prompt: &str,
) -> Result<(), DriveError> {
    let row = own.row();
    let tools = Tools::of(own.spelling(), session);
    let servers = exec
        .servers()
        .map_err(|error| DriveError::Unfit(error.to_string()))?;
    let start = Start {
        ports: session.ports,
        tools: &tools,
        servers: &servers,
        home: &exec.home(),
        relay,
        prompt,
    };
    let program = own.program(&start)?;
    let brought = own.brought();
    if let Some(brought) = &brought {
        let added = exec.add_files(&brought.files(row));
        added.map_err(|error| DriveError::Unfit(error.to_string()))?;
    }
    let mut reader = own.reader(&start);
    relay.hold_to(own.leash(&tools));
    let mut recording = Recording::begin(session, &start, own, &program);
    let given = brought.as_ref().map(|brought| brought.given(row));
    recording.run().given = given.unwrap_or_default();
    if row.version_is == VersionIs::Asked {
        recording.run().version_source = VersionSource::Asked;
        recording.run().version = asked_version(row, exec, &program).await?;
    }
    relay.hold_first();
    let mut running = exec
        .start(&program)
        .map_err(|error| ending::not_started(row, &error.0))?;
    recording.run().environment = running.environment();
    let first = |request: &str| match &brought {
        Some(brought) => brought.hold(row, request),
        None => Ok(()),
    };
    let followed = Followed {
        relay,
        first: &first,
    };
    let stopped = follow(&mut *running, followed, &mut recording, &mut *reader).await?;
    if let Some(stop) = stopped {
        let words = hear_out(&mut *running, (&mut recording, &mut *reader), &stop);
        // It may have nothing more to say.
        let _ = tokio::time::timeout(LAST_WORDS, words).await;
        // Dropping it kills the whole tree, before the servers of the checks are started.
        drop(running);
        return recording.stopped(row, stop);
    }
    let ended = running.end().await;
    recording.ended(&*reader, &ended)
}

/// What is followed beside what the program writes.
struct Followed<'a> {
    relay: &'a dyn Relay,
    /// Holds the body of its first request to what it was given.
    first: &'a dyn Fn(&str) -> Result<(), DriveError>,
}

/// Reads what the program writes until it has ended, or the relay says that it has to.
async fn follow(
    running: &mut dyn Running,
    Followed { relay, first }: Followed<'_>,
    recording: &mut Recording<'_, '_>,
    reader: &mut dyn Reader,
) -> Result<Option<RelayStop>, DriveError> {
    loop {
        // A line of which a part has been read is not let go when a request comes.
        let mut line = running.line();
        let line = loop {
            tokio::select! {
                biased;
                stop = relay.stopped() => return Ok(Some(stop)),
                line = &mut line => break line,
                request = relay.first() => {
                    reader.asked(&request.offered)?;
                    first(&request.body)?;
                    relay.let_pass();
                }
            }
        };
        let Some(line) = line else {
            return Ok(None);
        };
        recording.run().hear(&line);
        let told = reader.read(&line);
        if let Some(version) = reader.version() {
            recording.run().version = Some(version.to_owned());
        }
        if recording.run().skills.is_none() {
            recording.run().skills = reader.skills().map(<[String]>::to_vec);
        }
        told?.into_iter().for_each(|event| recording.hear(event));
    }
}

/// Reads on until the program has told of the calls that it must have carried out before it was
/// stopped: it may ask its model again before it writes what became of them.
async fn hear_out(
    running: &mut dyn Running,
    (recording, reader): (&mut Recording<'_, '_>, &mut dyn Reader),
    stop: &RelayStop,
) {
    while recording.owes(stop) {
        let Some(line) = running.line().await else {
            return;
        };
        recording.run().hear(&line);
        let told = reader.read(&line).unwrap_or_default();
        told.into_iter().for_each(|event| recording.hear(event));
    }
}

/// What the program answers to `--version`, with the variables that it will have: the word that
/// begins with a digit.
async fn asked_version(
    row: &AgentProgram,
    exec: &dyn Exec,
    program: &Program,
) -> Result<Option<String>, DriveError> {
    let question = Program {
        program: row.program.to_owned(),
        args: vec!["--version".to_owned()],
        env: program.env.clone(),
        ..Program::default()
    };
    let mut running = exec
        .start(&question)
        .map_err(|error| ending::not_started(row, &error.0))?;
    let line = running.line().await.unwrap_or_default();
    running.end().await;
    let mut words = line.split_whitespace();
    let version = words.find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    Ok(version.map(str::to_owned))
}

impl Recording<'_, '_> {
    /// The relay passes nothing more on, and the program was killed for it.
    fn stopped(mut self, row: &AgentProgram, stop: RelayStop) -> Result<(), DriveError> {
        match stop {
            RelayStop::Limit(limit) => self.end(Ending::Limit { limit }),
            RelayStop::ToolCalls { allowed } => {
                self.violate(Violation::TooManyToolCalls { allowed });
                self.end(Ending::Violation);
            }
            RelayStop::Budget(error) => return Err(DriveError::Budget(error)),
            RelayStop::Offered(offered) => {
                return Err(ending::offers_other_tools(row, self.tools(), &offered));
            }
            RelayStop::Failed { tries } => {
                let exchanges = self.exchanges();
                return Err(ending::failed_each_time(row, tries, exchanges.last()));
            }
        }
        Ok(())
    }
}
