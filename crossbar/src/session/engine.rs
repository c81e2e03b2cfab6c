//! The command that one crossbar gives another over the variable CROSSBAR_ENGINE.

use super::{RunOptions, SessionError};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What a test binary of a user's package is asked to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EngineCommand {
    /// The version of the crossbar that asks; both must be the same.
    pub crossbar: String,
    /// What to run.
    pub options: RunOptions,
    /// Whether this binary runs the roster's packs too; exactly one of a run does.
    pub with_packs: bool,
    /// What to do with them.
    pub job: EngineJob,
    /// Folders of packs that another binary of the run holds inside.
    #[serde(default)]
    pub held: Vec<PathBuf>,
    /// How many other binaries are asked to do the same.
    #[serde(default)]
    pub others: usize,
}

/// What a test binary does with its tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineJob {
    /// Runs the sweep, controls included.
    Run,
    /// Runs the controls.
    Controls,
    /// Starts nothing, and writes an `Outlook` as JSON to standard output.
    Validate,
}

impl EngineCommand {
    /// A command of this version.
    #[must_use]
    pub fn new(options: RunOptions, packs: super::Packs) -> Self {
        Self {
            crossbar: env!("CARGO_PKG_VERSION").to_owned(),
            options,
            with_packs: packs == super::Packs::Run,
            job: EngineJob::Run,
            held: Vec::new(),
            others: 0,
        }
    }

    /// The same command for another job.
    #[must_use]
    pub fn to(mut self, job: EngineJob) -> Self {
        self.job = job;
        self
    }

    /// Reads a command.
    ///
    /// # Errors
    /// `SessionError` when it is not one, or comes from another version.
    pub fn parse(text: &str) -> Result<Self, SessionError> {
        let command: Self = serde_json::from_str(text).map_err(|error| {
            SessionError::new(format!("CROSSBAR_ENGINE is not a command: {error}"))
                .help("unset it; only `crossbar run` sets it")
        })?;
        let own = env!("CARGO_PKG_VERSION");
        if command.crossbar != own {
            return Err(SessionError::new(format!(
                "crossbar {} asks a test binary that was built with crossbar-test {own}",
                command.crossbar
            ))
            .help(format!(
                "write `crossbar-test = \"={}\"` there",
                command.crossbar
            )));
        }
        Ok(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_is_refused_with_the_line_to_write() {
        let mut command = EngineCommand::new(RunOptions::default(), super::super::Packs::Run);
        let text = serde_json::to_string(&command).unwrap();
        assert_eq!(EngineCommand::parse(&text).unwrap(), command);
        command.crossbar = "9.9.9".to_owned();
        let text = serde_json::to_string(&command).unwrap();
        let error = EngineCommand::parse(&text).unwrap_err().to_string();
        assert!(error.contains("crossbar-test = \"=9.9.9\""), "{error}");
        assert!(EngineCommand::parse("run").is_err());
    }
}
