//! sweep.json: the question, the answer and every rollout, in one versioned file that reads back
//! into what any report needs.

use super::{Frozen, Meta, ReportError, Styles};
use crate::analysis::{
    Analysis, ControlLine, GateAnswer, Question, Scope, SelfTest, UnknownAttempt,
};
use crate::domain::{CellId, Rollout, RolloutKey, RunId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The version of the file's layout.
const SCHEMA_VERSION: u64 = 1;

/// Everything but the rollouts.
#[derive(Serialize)]
struct Summary<'a> {
    schema_version: u64,
    run_id: &'a RunId,
    dataset_hash: &'a str,
    verdict: Headline<'a>,
    gate: Option<&'a GateAnswer>,
    aa: Option<&'a SelfTest>,
    meta: &'a Meta,
    question: &'a Question,
    unknown_attempts: &'a [UnknownAttempt],
    controls: &'a [ControlLine],
    analysis: &'a Analysis,
}

/// The headline verdict, for readers who want nothing else.
#[derive(Serialize)]
struct Headline<'a> {
    word: &'static str,
    scope: Scope,
    winner: Option<&'a CellId>,
    demo: bool,
    exploratory: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay_of: Option<&'a RunId>,
}

/// sweep.json without its rollouts, as `run --json` prints it: one JSON document with the verdict,
/// the cells, the comparisons and the failures. Ends with a line break.
///
/// # Errors
/// When a value can't be JSON.
pub fn summary(frozen: &Frozen<'_>) -> Result<String, ReportError> {
    Ok(serde_json::to_string_pretty(&document(frozen))? + "\n")
}

fn document<'a>(frozen: &'a Frozen<'_>) -> Summary<'a> {
    let analysis = frozen.analysis;
    let verdict = analysis.verdict();
    Summary {
        schema_version: SCHEMA_VERSION,
        run_id: &frozen.run_id,
        dataset_hash: &frozen.dataset_hash,
        verdict: Headline {
            word: verdict.word(),
            scope: analysis.headline,
            winner: verdict.winner(),
            demo: analysis.demo,
            exploratory: analysis.exploratory,
            replay_of: analysis.replay_of.as_ref(),
        },
        gate: frozen.gate,
        aa: frozen.aa,
        meta: &frozen.meta,
        question: frozen.question,
        unknown_attempts: frozen.unknown,
        controls: frozen.controls,
        analysis,
    }
}

/// Writes sweep.json: the summary with `rollouts` as its last key, one record a line.
///
/// # Errors
/// When a value can't be JSON, a record can't be read, or the writer refuses.
pub(super) fn render(
    frozen: &Frozen<'_>,
    _: Styles,
    out: &mut dyn Write,
) -> Result<(), ReportError> {
    let unclosed = Unclosed {
        out,
        held: Vec::new(),
    };
    serde_json::to_writer_pretty(unclosed, &document(frozen))?;
    write!(out, ",\n  \"rollouts\": [")?;
    for (index, row) in frozen.rows.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(out, "{comma}\n    ")?;
        serde_json::to_writer(&mut *out, &frozen.records.record(&row.key)?)?;
    }
    Ok(write!(out, "\n  ]\n}}\n")?)
}

/// The line break and the brace that end a pretty object.
const CLOSE: usize = "\n}".len();

/// Passes on all that is written but the end of the object, so that it can have one key more.
struct Unclosed<'a> {
    out: &'a mut dyn Write,
    held: Vec<u8>,
}

impl Write for Unclosed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        let sure = self.held.len().saturating_sub(CLOSE);
        self.out.write_all(&self.held[..sure])?;
        self.held.drain(..sure);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What a sweep.json holds: analyse `question` over `planned`, `rollouts` and `unknown` again, and
/// every report is the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The run.
    pub run_id: RunId,
    /// The hash of the data set as it was written.
    pub dataset_hash: String,
    /// What the gate said when it was written.
    pub gate: Option<GateAnswer>,
    /// What its one cell showed against itself.
    pub aa: Option<SelfTest>,
    /// What surrounds the figures.
    pub meta: Meta,
    /// What was asked.
    pub question: Question,
    /// Every key that the plan scheduled, sorted.
    pub planned: Vec<RolloutKey>,
    /// Every terminal record, sorted by key.
    pub rollouts: Vec<Rollout>,
    /// Attempts that may have been paid for and whose end nobody knows.
    pub unknown: Vec<UnknownAttempt>,
    /// The controls.
    pub controls: Vec<ControlLine>,
}

#[derive(Deserialize)]
struct Version {
    schema_version: u64,
}

#[derive(Deserialize)]
struct File {
    run_id: RunId,
    dataset_hash: String,
    #[serde(default)]
    gate: Option<GateAnswer>,
    #[serde(default)]
    aa: Option<SelfTest>,
    meta: Meta,
    question: Question,
    unknown_attempts: Vec<UnknownAttempt>,
    #[serde(default)]
    controls: Vec<ControlLine>,
    analysis: Answer,
    rollouts: Vec<Rollout>,
}

/// The part of the answer that the record alone does not hold: what was planned and is missing.
#[derive(Deserialize)]
struct Answer {
    completeness: Incomplete,
}

#[derive(Deserialize)]
struct Incomplete {
    missing: Vec<Missing>,
}

#[derive(Deserialize)]
struct Missing {
    key: RolloutKey,
}

/// Reads a sweep.json back.
///
/// # Errors
/// `ReportError::Schema` for another schema version, `ReportError::Json` for anything that is not
/// a whole sweep.json.
pub fn read_sweep(text: &str) -> Result<Sweep, ReportError> {
    let Version {
        schema_version: found,
    } = serde_json::from_str(text)?;
    if found != SCHEMA_VERSION {
        return Err(ReportError::Schema {
            found,
            known: SCHEMA_VERSION,
        });
    }
    let file: File = serde_json::from_str(text)?;
    let missing = file
        .analysis
        .completeness
        .missing
        .into_iter()
        .map(|missing| missing.key);
    let recorded = file.rollouts.iter().map(|rollout| rollout.key.clone());
    let planned: BTreeSet<_> = missing.chain(recorded).collect();
    Ok(Sweep {
        run_id: file.run_id,
        dataset_hash: file.dataset_hash,
        gate: file.gate,
        aa: file.aa,
        meta: file.meta,
        question: file.question,
        planned: planned.into_iter().collect(),
        rollouts: file.rollouts,
        unknown: file.unknown_attempts,
        controls: file.controls,
    })
}
