//! From the record to the verdict: read, analyse, render, write. A function of the record alone,
//! so it says the same whoever asks, and as often as it is asked.

use super::parts::Parts;
use super::stored::{self, Asked};
use super::{RecordedRuns, SessionError, is_control};
use crate::analysis::{Analysis, GateAnswer, Record, SelfTest, UnknownAttempt, analyze};
use crate::domain::{ResultRow, Rollout, RolloutKey, RunEvent, RunId, Usd};
use crate::fingerprint::{of_list, suite_fingerprint};
use crate::report::{
    Frozen, Made, Meta, Records, ReportError, Styles, controls_summary, format, narrow_row,
    transcript,
};
use crate::store::RunHead;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;

/// A run with everything that its outputs are made of. Of each rollout it holds the results; the
/// whole records stay where they are until somebody asks for one.
pub struct Concluded {
    pub(super) run: RunId,
    pub(super) source: Source,
    pub(super) asked: Asked,
    pub(super) analysis: Analysis,
    pub(super) gate: Option<GateAnswer>,
    pub(super) aa: Option<SelfTest>,
    pub(super) rows: Vec<ResultRow>,
    /// The records that no figure of a cell is made of: those of the controls and of a sentinel.
    pub(super) played: Vec<RolloutKey>,
    pub(super) unknown: Vec<UnknownAttempt>,
    /// The sentinel of the gate; `None` where there is none.
    pub(super) watch: Option<super::sentinel::Watch>,
    /// The second look at it, where one was begun.
    pub(super) again: Option<Box<Concluded>>,
    pub(super) meta: Meta,
    pub(super) hash: String,
}

/// Reads a run from the record of a results folder and analyses it. `run` is `latest`, an id or
/// the unique beginning of one, a results folder, a run's folder or a record's file; or a run that
/// was merged from parts, which only its sweep.json holds.
///
/// # Errors
/// `SessionError` when there is no such run, or it can't be analysed.
pub fn conclude(results_dir: &Path, run: &str, k: Option<u32>) -> Result<Concluded, SessionError> {
    if let Some(merged) = super::merged::find(results_dir, run)?.filter(|_| k.is_none()) {
        return Ok(merged);
    }
    RecordedRuns::find(results_dir, &[run.to_owned()])?.conclude(k)
}

/// Analyses a run out of all its parts.
pub(super) fn over(parts: Parts, k: Option<u32>) -> Result<Concluded, SessionError> {
    let run = parts.head().id.clone();
    let asked = stored::asked(&parts, k)?;
    if asked.question.cells.is_empty() {
        let held = controls_summary(&asked.controls).unwrap_or_else(|| "none ran".to_owned());
        return Err(
            SessionError::new(format!("run {run} holds controls alone: {held}"))
                .help("name a model in crossbar.yaml, and run it"),
        );
    }
    let meta = meta(&parts, &asked)?;
    let (mut played, keys): (Vec<_>, Vec<_>) = parts.keys()?.into_iter().partition(is_control);
    let (watched, keys) = keys.into_iter().partition(|key| asked.watches(key));
    let (of_sentinel, unknown) = (rows(&parts, watched)?, unknown(parts.head()));
    let (unknown_of_sentinel, unknown): (Vec<_>, Vec<_>) =
        unknown.into_iter().partition(|one| asked.watches(&one.key));
    let rows = rows(&parts, keys)?;
    played.extend(of_sentinel.iter().map(|row| row.key.clone()));
    let watch = asked
        .sentinel
        .clone()
        .map(|question| super::sentinel::Watch::over(question, of_sentinel, &unknown_of_sentinel));
    let watch = watch.transpose()?;
    let course = super::adaptive::course_of(&asked.question, &rows, &unknown)?;
    let planned = match course {
        Some(course) => course.planned(&asked.question, &rows),
        None => stored::matrix(&asked.question),
    };
    let seen = Record {
        planned: &planned,
        rows: &rows,
        unknown: &unknown,
    };
    let analysis = analyze(&asked.question, seen)
        .map_err(|error| SessionError::new(format!("run {run} can't be analysed: {error}")))?;
    let of_sentinel = watch.iter().flat_map(|watch| &watch.rows);
    let hash = of_list(rows.iter().chain(of_sentinel).map(narrow_row));
    Ok(Concluded {
        run,
        source: Source::Record(Box::new(parts)),
        asked,
        analysis,
        gate: None,
        aa: None,
        rows,
        played,
        unknown,
        watch,
        again: None,
        meta,
        hash,
    })
}

/// The results of every cell's rollouts, and the attempts whose end nobody knows.
pub(super) fn results(
    parts: &Parts,
) -> Result<(Vec<ResultRow>, Vec<UnknownAttempt>), SessionError> {
    let keys = parts.keys()?.into_iter().filter(|key| !is_control(key));
    Ok((rows(parts, keys.collect())?, unknown(parts.head())))
}

fn unknown(head: &RunHead) -> Vec<UnknownAttempt> {
    // A hold of nothing is that of a model without a price.
    let held = |key| head.held.get(key).copied().filter(|held| *held > Usd::ZERO);
    let attempts = head.unknown.iter().map(|key| UnknownAttempt {
        key: key.clone(),
        held: held(key),
    });
    attempts.collect()
}

/// Every record, read and reduced to its results, one after the other.
fn rows(parts: &Parts, keys: Vec<RolloutKey>) -> Result<Vec<ResultRow>, SessionError> {
    let keys = keys.into_iter();
    keys.map(|key| Ok(ResultRow::of(&Records::record(parts, &key)?)))
        .collect::<Result<_, ReportError>>()
        .map_err(|error| SessionError::new(error.to_string()))
}

/// Where the whole records of a run come from.
pub(super) enum Source {
    /// The records of results folders.
    Record(Box<Parts>),
    /// A sweep.json, which holds them all.
    File(BTreeMap<RolloutKey, Rollout>),
}

impl Records for Source {
    fn record(&self, key: &RolloutKey) -> Result<Rollout, ReportError> {
        match self {
            Self::Record(parts) => Records::record(parts.as_ref(), key),
            Self::File(records) => records
                .get(key)
                .cloned()
                .ok_or_else(|| ReportError::Record {
                    key: Box::new(key.clone()),
                    why: "there is none".to_owned(),
                }),
        }
    }
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

    /// The results of every terminal record of a cell, sorted by key.
    #[must_use]
    pub fn rows(&self) -> &[ResultRow] {
        &self.rows
    }

    /// The one data set that all outputs are made of.
    pub fn frozen(&self) -> Frozen<'_> {
        Frozen {
            run_id: self.run.clone(),
            dataset_hash: self.hash.clone(),
            question: &self.asked.question,
            analysis: &self.analysis,
            gate: self.gate.as_ref(),
            aa: self.aa.as_ref(),
            rows: &self.rows,
            records: &self.source,
            unknown: &self.unknown,
            controls: &self.asked.controls,
            meta: self.meta.clone(),
        }
    }

    /// Writes one output, by the name of its format.
    ///
    /// # Errors
    /// `SessionError` for an unknown format, or one that can't be rendered or written.
    pub fn render(
        &self,
        name: &str,
        styles: Styles,
        out: &mut dyn Write,
    ) -> Result<(), SessionError> {
        let format = format(name)
            .ok_or_else(|| SessionError::new(format!("there is no format `{name}`")))?;
        (format.render)(&self.frozen(), styles, out)
            .map_err(|error| SessionError::new(format!("failed to render {name}: {error}")))
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
        let matches = |key: &&RolloutKey| {
            key.cell.to_string() == cell
                && (key.task.to_string() == task || key.task.task() == task)
                && key.repeat == repeat
        };
        let mut found = self.keys().chain(&self.played).filter(matches);
        match (found.next(), found.next()) {
            (Some(key), None) => self.told(key, styles),
            (Some(one), Some(two)) => Err(SessionError::new(format!("`{task}` is in two packs"))
                .help(format!("say {} or {}", one.task, two.task))),
            (None, _) => Err(self.absent(cell, task, repeat)),
        }
    }

    fn keys(&self) -> impl Iterator<Item = &RolloutKey> {
        self.rows.iter().map(|row| &row.key)
    }

    fn told(&self, key: &RolloutKey, styles: Styles) -> Result<String, SessionError> {
        let rollout = self
            .source
            .record(key)
            .map_err(|error| SessionError::new(error.to_string()))?;
        let prompt = match &self.source {
            Source::Record(parts) => stored::prompt(parts, &key.task)?,
            Source::File(_) => None,
        };
        Ok(transcript(&rollout, prompt.as_deref(), styles))
    }

    fn absent(&self, cell: &str, task: &str, repeat: u32) -> SessionError {
        let list = |texts: BTreeSet<String>| texts.into_iter().collect::<Vec<_>>().join(", ");
        let cells = self.keys().map(|key| key.cell.to_string()).collect();
        let tasks = self.keys().map(|key| key.task.to_string()).collect();
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
}

fn meta(parts: &Parts, asked: &Asked) -> Result<Meta, SessionError> {
    let head = parts.head();
    let tasks = asked.question.tasks.iter();
    let tasks = tasks.map(|task| (&task.id, task.fingerprint.as_str()));
    let version = head
        .settings
        .get("crossbar")
        .and_then(serde_json::Value::as_str);
    let machines = parts.events()?.into_iter().filter_map(|event| match event {
        RunEvent::RunStarted { machine, .. } => Some(machine),
        _ => None,
    });
    Ok(Meta {
        crossbar: version.unwrap_or(env!("CARGO_PKG_VERSION")).to_owned(),
        made: Made {
            created_at: head.created_at.clone(),
            machines: machines.collect(),
        },
        suite_fingerprint: suite_fingerprint(tasks),
        seed: asked.seed,
        budget: head.budget,
        cells: asked.cells.clone(),
        servers: asked.servers.clone(),
        cache: asked.cache,
        unmet: asked.unmet.clone(),
        places: asked.places.clone(),
        gate: asked.gate.clone(),
    })
}
