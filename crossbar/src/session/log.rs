//! CROSSBAR_LOG: what happens in each rollout, as lines on standard error and in the run's folder.
//! It listens to the same events as the record, whose secrets are masked already.

use super::SessionError;
use crate::domain::{
    Arguments, CallOutcome, CheckOutcome, Clock, Moment, Outcome, Rollout, RolloutKey, RunEvent,
    RunId, Sink, SinkError, Step, ToolCall,
};
use crate::report::budget_line;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The file in a run's folder.
const FILE: &str = "crossbar.log";

/// A text that is longer is cut: the record has it whole.
const LONGEST: usize = 2000;

/// How much is told; each level tells what those above it tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// Rollouts that could not be measured.
    Error,
    /// Rollouts that were skipped, and a sweep that was stopped.
    Warn,
    /// The begin and the end of the run and of each rollout.
    Info,
    /// Checks and the times of the stages.
    Debug,
    /// What the agent said and called, and the answers.
    Trace,
}

/// The words of the levels, as the variable and the lines have them.
const LEVELS: [(&str, LogLevel); 5] = [
    ("error", LogLevel::Error),
    ("warn", LogLevel::Warn),
    ("info", LogLevel::Info),
    ("debug", LogLevel::Debug),
    ("trace", LogLevel::Trace),
];

impl LogLevel {
    /// Reads the variable; `off` is no level.
    pub(super) fn parse(text: &str) -> Result<Option<Self>, SessionError> {
        let found = LEVELS.iter().find(|(word, _)| *word == text);
        match (found, text) {
            (Some((_, level)), _) => Ok(Some(*level)),
            (None, "off") => Ok(None),
            (None, _) => Err(SessionError::new(format!("CROSSBAR_LOG is `{text}`"))
                .help("set it to error, warn, info, debug, trace or off")),
        }
    }

    fn word(self) -> &'static str {
        let found = LEVELS.iter().find(|(_, level)| *level == self);
        found.map_or("", |(word, _)| word)
    }
}

/// Writes lines as the sweep goes on.
pub(super) struct Log {
    level: LogLevel,
    clock: Arc<dyn Clock>,
    out: Mutex<(File, Box<dyn Write + Send>)>,
}

impl Log {
    /// Appends to the file in a run's folder, which is made, and writes to `out`.
    pub(super) fn open(
        level: LogLevel,
        (results_dir, run): (&Path, &RunId),
        clock: Arc<dyn Clock>,
        out: Box<dyn Write + Send>,
    ) -> Result<Self, SessionError> {
        let folder = results_dir.join(run.as_str());
        let path = folder.join(FILE);
        let opened = std::fs::create_dir_all(&folder)
            .and_then(|()| OpenOptions::new().create(true).append(true).open(&path));
        let file = opened.map_err(|error| {
            SessionError::new(format!("failed to write {}: {error}", path.display()))
                .help("unset CROSSBAR_LOG, or check the folder")
        })?;
        Ok(Self {
            level,
            clock,
            out: Mutex::new((file, out)),
        })
    }
}

impl Sink for Log {
    fn on(&self, event: &RunEvent) -> Result<(), SinkError> {
        let now = Moment(self.clock.since_epoch()).rfc3339();
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        for (level, text) in lines(event) {
            if level > self.level {
                continue;
            }
            let line = format!("{now} {:<5} {}\n", level.word(), one_line(&text));
            // In one piece: other processes write to the same file.
            let (file, errors) = &mut *out;
            file.write_all(line.as_bytes())
                .and_then(|()| errors.write_all(line.as_bytes()))
                .map_err(|error| SinkError(error.to_string()))?;
        }
        Ok(())
    }
}

/// All that there is to say of an event, whoever wants to know.
fn lines(event: &RunEvent) -> Vec<(LogLevel, String)> {
    match event {
        RunEvent::RunStarted {
            planned, finished, ..
        } => vec![(
            LogLevel::Info,
            format!("the sweep begins: {planned} rollouts of cells, {finished} finished before"),
        )],
        RunEvent::RolloutStarted { key, attempt, .. } => vec![(
            LogLevel::Info,
            format!("{} begins, attempt {attempt}", name(key)),
        )],
        RunEvent::RolloutFinished { rollout } => of_rollout(rollout),
        RunEvent::RolloutKept { rollout } => {
            let text = format!("{} was finished before", name(&rollout.key));
            vec![(LogLevel::Info, text)]
        }
        RunEvent::BudgetExhausted { status } => {
            vec![(LogLevel::Warn, budget_line(status).trim().to_owned())]
        }
        RunEvent::RunFinished { interrupted: true } => {
            vec![(LogLevel::Warn, "the sweep was stopped".to_owned())]
        }
        RunEvent::RunFinished { .. } => vec![(LogLevel::Info, "the sweep ends".to_owned())],
    }
}

fn name(key: &RolloutKey) -> String {
    format!("{} r{}", key.case(), key.repeat)
}

/// Step by step, check by check, and the end last.
fn of_rollout(rollout: &Rollout) -> Vec<(LogLevel, String)> {
    let name = name(&rollout.key);
    let mut all = Vec::new();
    for step in &rollout.trajectory.steps {
        all.extend(of_step(step).map(|text| (LogLevel::Trace, format!("{name} {text}"))));
    }
    for check in &rollout.checks {
        all.push((LogLevel::Debug, format!("{name} {}", of_check(check))));
    }
    let stages = rollout.stages.iter();
    let stages: Vec<_> = stages
        .map(|stage| format!("{:?} {} ms", stage.stage, stage.ms).to_lowercase())
        .collect();
    all.push((
        LogLevel::Debug,
        format!("{name} took {}", stages.join(", ")),
    ));
    let (level, why) = match &rollout.outcome {
        Outcome::InfrastructureFailure { message, .. } | Outcome::InvalidFixture { message } => {
            (LogLevel::Error, format!(": {message}"))
        }
        Outcome::AgentCrash { message } => (LogLevel::Info, format!(": {message}")),
        Outcome::LimitReached { limit } => (LogLevel::Info, format!(": {}", limit.word())),
        Outcome::Skipped { .. } => (LogLevel::Warn, String::new()),
        _ => (LogLevel::Info, String::new()),
    };
    let word = rollout.outcome.word();
    all.push((level, format!("{name} ends: {word}{why}")));
    all
}

fn of_step(step: &Step) -> impl Iterator<Item = String> {
    let said = (!step.text.is_empty()).then(|| format!("says: {}", step.text));
    said.into_iter().chain(step.calls.iter().map(of_call))
}

fn of_call(call: &ToolCall) -> String {
    let arguments = match &call.arguments {
        Arguments::Json(value) => value.to_string(),
        Arguments::Malformed(text) => text.clone(),
    };
    let answer = match &call.outcome {
        CallOutcome::Result { text, .. } => format!("answers: {text}"),
        CallOutcome::Error { text, .. } => format!("fails: {text}"),
        CallOutcome::Blocked { rule } => format!("is blocked by {rule}"),
        CallOutcome::Malformed { why } => format!("is not executed: {why}"),
        CallOutcome::Unknown => "is no tool".to_owned(),
        CallOutcome::NotRun => "was not run any more".to_owned(),
    };
    format!("calls {} {arguments}, which {answer}", call.full_name())
}

fn of_check(check: &CheckOutcome) -> String {
    let holds = if check.passed { "holds" } else { "fails" };
    let why = check.message.as_deref().unwrap_or_default();
    format!("check {holds}: {} {why}", check.name)
}

/// The text with its control characters written out, cut where it is long.
fn one_line(text: &str) -> String {
    let text = text.trim_end();
    let mut line = String::new();
    for character in text.chars().take(LONGEST) {
        match character {
            control if control.is_control() => line.extend(control.escape_default()),
            other => line.push(other),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        line.push_str(" [cut]");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_word_and_off_is_none() {
        assert_eq!(LogLevel::parse("debug").unwrap(), Some(LogLevel::Debug));
        assert_eq!(LogLevel::parse("off").unwrap(), None);
        let error = LogLevel::parse("loud").unwrap_err().to_string();
        assert!(error.contains("CROSSBAR_LOG is `loud`"), "{error}");
        assert!(LogLevel::Error < LogLevel::Trace);
    }

    #[test]
    fn a_line_stays_one_and_forges_no_other() {
        assert_eq!(one_line("a\nb\u{1b}[31m\n"), "a\\nb\\u{1b}[31m");
        assert!(one_line(&"x".repeat(LONGEST + 1)).ends_with("x [cut]"));
    }
}
