//! A run out of its sweep.json alone: whoever has the file can print every other one again.

use super::conclude::Source;
use super::stored::Asked;
use super::{Concluded, SessionError};
use crate::analysis::{Record, analyze};
use crate::domain::ResultRow;
use crate::report::read_sweep;

/// Reads a run out of the text of a sweep.json; its gate says what it said when it was written.
///
/// # Errors
/// `SessionError` when the text is no sweep.json of this version, or can't be analysed.
pub fn from_sweep(text: &str) -> Result<Concluded, SessionError> {
    let sweep = read_sweep(text).map_err(|error| {
        SessionError::new(error.to_string()).help("give the sweep.json of a run, or a run")
    })?;
    let rows: Vec<_> = sweep.rollouts.iter().map(ResultRow::of).collect();
    let record = Record {
        planned: &sweep.planned,
        rows: &rows,
        unknown: &sweep.unknown,
    };
    let analysis = analyze(&sweep.question, record)
        .map_err(|error| SessionError::new(format!("sweep.json can't be analysed: {error}")))?;
    let records = sweep.rollouts.into_iter();
    let records = records.map(|rollout| (rollout.key.clone(), rollout));
    Ok(Concluded {
        run: sweep.run_id,
        asked: Asked {
            servers: sweep.meta.servers.clone(),
            cache: sweep.meta.cache,
            cells: sweep.meta.cells.clone(),
            seed: sweep.meta.seed,
            gate: sweep.meta.gate.clone(),
            aa: false,
            controls: sweep.controls,
            unmet: sweep.meta.unmet.clone(),
            places: sweep.meta.places.clone(),
            alone: true,
            sentinel: None,
            question: sweep.question,
        },
        analysis,
        gate: sweep.gate,
        aa: sweep.aa,
        rows,
        played: Vec::new(),
        source: Source::File(records.collect()),
        unknown: sweep.unknown,
        watch: None,
        again: None,
        meta: sweep.meta,
        hash: sweep.dataset_hash,
    })
}
