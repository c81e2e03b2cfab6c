//! `run --aa`: one cell, twice as often.

use super::{RunOptions, SessionError};
use crate::pack::Roster;
use crate::sweep::CellEntry;

/// The repeats of both halves together.
pub(super) fn doubled(repeats: u32) -> Result<u32, SessionError> {
    if repeats < 2 {
        return Err(
            SessionError::new("--aa needs two repeats or more in each half")
                .help("give --repeats 2, or more"),
        );
    }
    Ok(repeats.saturating_mul(2))
}

/// Leaves the one cell that is held against itself: the named one, else the baseline.
pub(super) fn alone(
    roster: &Roster,
    options: &RunOptions,
    chosen: &mut Vec<CellEntry>,
) -> Result<(), SessionError> {
    if options.cells.is_empty() {
        chosen.retain(|cell| roster.run.baseline.as_ref() == Some(&cell.id));
    }
    match chosen.len() {
        1 => Ok(()),
        _ => Err(SessionError::new("--aa holds one cell against itself")
            .help("name it with --agent, or name run.baseline in the roster")),
    }
}
