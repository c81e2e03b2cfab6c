//! The decision: SWITCH, STAY, CAN'T TELL or PICK from where the cells stand.

use super::settle::{Settling, leaning, needs};
use super::standing::Standing;
use super::{AnalysisError, ClosedCell, OpenCell, Question, Scope, Status, Undecided, Verdict};
use crate::domain::CellId;

/// The verdict against a baseline.
pub(super) fn against_baseline(
    standings: &[Standing],
    scope: Scope,
    settling: &Settling<'_, '_>,
) -> Result<Verdict, AnalysisError> {
    let question = settling.question;
    if standings.is_empty() {
        return Ok(Verdict::NothingToCompare);
    }
    let complete = settling.status == Status::Complete;
    // nobody qualifies in an unfinished sweep: every cell lacks rollouts
    if let Some((cell, qualified)) = cheapest(question, standings) {
        return Ok(Verdict::Switch { cell, qualified });
    }
    let closed = closed(question, standings);
    if complete && closed.len() == standings.len() {
        return Ok(Verdict::Stay { closed });
    }
    let undetermined = standings
        .iter()
        .any(|s| s.closed.is_none() && s.undetermined);
    let why = match (complete, undetermined) {
        (false, _) => Undecided::MissingRollouts,
        (true, true) => Undecided::UnmeasuredRollouts,
        (true, false) => Undecided::OpenCells,
    };
    let open = open(standings, scope, settling)?;
    Ok(Verdict::CannotTell { why, open, closed })
}

/// The verdict without a baseline.
pub(super) fn without_baseline(
    standings: &[Standing],
    settling: &Settling<'_, '_>,
) -> Result<Verdict, AnalysisError> {
    let question = settling.question;
    if question.quality_bar.is_none() && standings.len() == 1 {
        return Ok(Verdict::NothingToCompare);
    }
    let complete = settling.status == Status::Complete;
    let open_ones = || standings.iter().filter(|s| s.closed.is_none());
    let unmeasured = open_ones().count() > 0 && open_ones().all(|s| s.undetermined);
    if question.quality_bar.is_none() {
        let why = match (complete, unmeasured) {
            (false, _) => Undecided::MissingRollouts,
            (true, true) => Undecided::UnmeasuredRollouts,
            (true, false) => Undecided::NoBaselineNoBar,
        };
        let (open, closed) = (Vec::new(), Vec::new());
        return Ok(Verdict::CannotTell { why, open, closed });
    }
    if let Some((cell, qualified)) = cheapest(question, standings) {
        return Ok(Verdict::Pick { cell, qualified });
    }
    Ok(Verdict::CannotTell {
        why: match (complete, unmeasured) {
            (false, _) => Undecided::MissingRollouts,
            (true, true) => Undecided::UnmeasuredRollouts,
            (true, false) => Undecided::NoneClearsBar,
        },
        open: open(standings, Scope::TasksLikeThese, settling)?,
        closed: closed(question, standings),
    })
}

/// The cell of least cost per success among those that qualify (the first in plan order among
/// equals), and all that qualify.
fn cheapest(question: &Question, standings: &[Standing]) -> Option<(CellId, Vec<CellId>)> {
    let qualified: Vec<&Standing> = standings.iter().filter(|s| s.qualifies()).collect();
    let best = qualified.iter().min_by(|a, b| a.cost.total_cmp(&b.cost))?;
    let id = |standing: &Standing| question.cells[standing.index].id.clone();
    Some((id(best), qualified.iter().map(|s| id(s)).collect()))
}

fn closed(question: &Question, standings: &[Standing]) -> Vec<ClosedCell> {
    let closed = standings.iter().filter_map(|s| {
        Some(ClosedCell {
            cell: question.cells[s.index].id.clone(),
            why: s.closed?,
        })
    });
    closed.collect()
}

fn open(
    standings: &[Standing],
    scope: Scope,
    settling: &Settling<'_, '_>,
) -> Result<Vec<OpenCell>, AnalysisError> {
    let open = standings.iter().filter(|s| s.closed.is_none());
    open.map(|standing| {
        Ok(OpenCell {
            cell: settling.question.cells[standing.index].id.clone(),
            lacks: standing.lacks.clone(),
            needs: needs(standing, scope, settling)?,
            leaning: match scope {
                Scope::TasksLikeThese => leaning(standing.index, settling)?,
                Scope::TheseTasks => None,
            },
        })
    })
    .collect()
}
