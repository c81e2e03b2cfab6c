//! From the record to the verdict: read, analyse, render, write. A function of the record alone,
//! so it says the same whoever asks, and as often as it is asked.

use super::stored::{self, Asked};
use super::{Exit, SessionError};
use crate::analysis::{Analysis, Record, Status, UnknownAttempt, analyze};
use crate::domain::{Rollout, RunEvent, RunId, Usd};
use crate::fingerprint::{of_value, suite_fingerprint};
use crate::report::{Frozen, Made, Meta, Styles, format, narrow_rows, transcript};
use crate::store::{RunRecord, Store};
use std::collections::BTreeSet;
use std::path::Path;

/// A run with everything that its outputs are made of.
pub struct Concluded {
    run: RunId,
    asked: Asked,
    analysis: Analysis,
    rollouts: Vec<Rollout>,
    unknown: Vec<UnknownAttempt>,
    meta: Meta,
    hash: String,
}

/// Reads a run from the record of a results folder and analyses it. `run` is `latest`, an id or
/// the unique beginning of one.
///
/// # Errors
/// `SessionError` when there is no such run, or it can't be analysed.
pub fn conclude(results_dir: &Path, run: &str, k: Option<u32>) -> Result<Concluded, SessionError> {
    let store = Store::open_existing(&stored::path(results_dir))?.ok_or_else(|| {
        SessionError::new(format!("there is no run in {}", results_dir.display()))
            .help("run `cargo test`, `cargo nextest run` or `crossbar run` first")
    })?;
    let run = stored::resolve(&store, run)?;
    let record = store.read(&run)?;
    let asked = stored::asked(&record, k)?;
    let unknown: Vec<_> = record
        .unknown
        .iter()
        .map(|key| UnknownAttempt {
            key: key.clone(),
            // A hold of nothing is that of a model without a price.
            held: record
                .held
                .get(key)
                .copied()
                .filter(|held| *held > Usd::ZERO),
        })
        .collect();
    let seen = Record {
        planned: &asked.planned,
        rollouts: &record.rollouts,
        unknown: &unknown,
    };
    let analysis = analyze(&asked.question, seen)
        .map_err(|error| SessionError::new(format!("run {run} can't be analysed: {error}")))?;
    let hash = of_value(&narrow_rows(&record.rollouts).into());
    let meta = meta(&record, &asked);
    Ok(Concluded {
        run,
        asked,
        analysis,
        rollouts: record.rollouts,
        unknown,
        meta,
        hash,
    })
}

impl Concluded {
    /// The run.
    #[must_use]
    pub fn run(&self) -> &RunId {
        &self.run
    }

    /// The analysis.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Every terminal record, sorted by key.
    #[must_use]
    pub fn rollouts(&self) -> &[Rollout] {
        &self.rollouts
    }

    /// The one data set that all outputs are made of.
    pub fn frozen(&self) -> Frozen<'_> {
        Frozen {
            run_id: self.run.clone(),
            dataset_hash: self.hash.clone(),
            question: &self.asked.question,
            analysis: &self.analysis,
            rollouts: &self.rollouts,
            unknown: &self.unknown,
            meta: self.meta.clone(),
        }
    }

    /// One output, by the name of its format.
    ///
    /// # Errors
    /// `SessionError` for an unknown format, or one that can't be rendered.
    pub fn render(&self, name: &str, styles: Styles) -> Result<String, SessionError> {
        let format = format(name)
            .ok_or_else(|| SessionError::new(format!("there is no format `{name}`")))?;
        let mut text = String::new();
        (format.render)(&self.frozen(), styles, &mut text)
            .map_err(|error| SessionError::new(format!("failed to render {name}: {error}")))?;
        Ok(text)
    }

    /// The transcript of one rollout; `task` is `pack::task`, or the task's own id where only one
    /// pack has it.
    ///
    /// # Errors
    /// `SessionError` names what there is instead.
    pub fn transcript(
        &self,
        cell: &str,
        task: &str,
        repeat: u32,
        styles: Styles,
    ) -> Result<String, SessionError> {
        let matches = |rollout: &&Rollout| {
            let id = &rollout.key.task;
            rollout.key.cell.to_string() == cell
                && (id.to_string() == task || id.task() == task)
                && rollout.key.repeat == repeat
        };
        let mut found = self.rollouts.iter().filter(matches);
        match (found.next(), found.next()) {
            (Some(rollout), None) => self.told(rollout, styles),
            (Some(one), Some(two)) => Err(SessionError::new(format!("`{task}` is in two packs"))
                .help(format!("say {} or {}", one.key.task, two.key.task))),
            (None, _) => Err(self.absent(cell, task, repeat)),
        }
    }

    fn told(&self, rollout: &Rollout, styles: Styles) -> Result<String, SessionError> {
        let mut text = String::new();
        let prompt = self
            .asked
            .prompts
            .get(&rollout.key.task)
            .map(String::as_str);
        transcript(rollout, prompt, styles, &mut text).map_err(|error| {
            SessionError::new(format!("failed to print {}: {error}", rollout.key))
        })?;
        Ok(text)
    }

    fn absent(&self, cell: &str, task: &str, repeat: u32) -> SessionError {
        let list = |texts: BTreeSet<String>| texts.into_iter().collect::<Vec<_>>().join(", ");
        let cells = self
            .rollouts
            .iter()
            .map(|r| r.key.cell.to_string())
            .collect();
        let tasks = self
            .rollouts
            .iter()
            .map(|r| r.key.task.to_string())
            .collect();
        SessionError::new(format!(
            "run {} has no rollout {cell} {task} r{repeat}",
            self.run
        ))
        .help(format!(
            "its cells are {}; its tasks are {}",
            list(cells),
            list(tasks)
        ))
    }

    /// What the shell sees.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let completeness = &self.analysis.completeness;
        if completeness.status == Status::Complete && completeness.infrastructure == 0 {
            Exit::Done
        } else {
            Exit::Incomplete
        }
    }
}

fn meta(record: &RunRecord, asked: &Asked) -> Meta {
    let tasks = record
        .tasks
        .iter()
        .map(|task| (&task.id, task.fingerprint.as_str()));
    let version = record
        .settings
        .get("crossbar")
        .and_then(serde_json::Value::as_str);
    let machines = record.events.iter().filter_map(|event| match event {
        RunEvent::RunStarted { machine, .. } => Some(machine),
        _ => None,
    });
    Meta {
        crossbar: version.unwrap_or(env!("CARGO_PKG_VERSION")).to_owned(),
        made: Made {
            created_at: record.created_at.clone(),
            machines: machines.cloned().collect(),
        },
        suite_fingerprint: suite_fingerprint(tasks),
        seed: asked.seed,
        budget: record.budget,
        cells: asked.cells.clone(),
    }
}
