//! Both verdicts, which of them leads the card, and the cell that the card is about.

use super::comparison::Cheaper;
use super::settle::Settling;
use super::standing::{Standing, alone, bar, challenger};
use super::{AnalysisError, Question, Scope, Undecided, Verdict, decide};
use crate::domain::CellId;

/// Below this many tasks \[these tasks\] leads the card.
const MANY_TASKS: usize = 30;

/// A cell's position in the plan.
pub(super) fn position(question: &Question, id: Option<&CellId>) -> Option<usize> {
    question.cells.iter().position(|cell| Some(&cell.id) == id)
}

/// The verdicts, which of them leads, and the cell that the card is about.
pub(super) struct Judged {
    pub(super) these: Option<Verdict>,
    pub(super) like: Verdict,
    pub(super) headline: Scope,
    pub(super) subject: Option<usize>,
}

/// Decides in both scopes.
pub(super) fn judge(settling: &Settling<'_, '_>) -> Result<Judged, AnalysisError> {
    let question = settling.question;
    if question.replay_of.is_some() {
        return Ok(Judged {
            these: None,
            like: Verdict::CannotTell {
                why: Undecided::Replayed,
                open: Vec::new(),
                closed: Vec::new(),
            },
            headline: Scope::TasksLikeThese,
            subject: None,
        });
    }
    if question.baseline.is_none() {
        let standings = alone_standings(settling)?;
        let like = decide::without_baseline(&standings, settling)?;
        let subject = match like.winner() {
            Some(cell) => position(question, Some(cell)),
            None => highest(settling),
        };
        return Ok(Judged {
            these: None,
            like,
            headline: Scope::TasksLikeThese,
            subject,
        });
    }
    let scoped = |scope| challenger_standings(settling, scope);
    let like = scoped(Scope::TasksLikeThese)?;
    let verdict = decide::against_baseline(&like, Scope::TasksLikeThese, settling)?;
    // The pack line counts each task once, so it can't speak where tasks weigh differently.
    let even = question
        .tasks
        .windows(2)
        .all(|two| two[0].weight == two[1].weight);
    // Looks spend the error for tasks like these alone.
    let fixed = question.looks.is_none();
    let there = fixed && even && !settling.comparisons.is_empty() && settling.table.is_repeated();
    let these = scoped(Scope::TheseTasks)?;
    let verdict_these = if there {
        Some(decide::against_baseline(
            &these,
            Scope::TheseTasks,
            settling,
        )?)
    } else {
        None
    };
    let (headline, leading, standings) = match &verdict_these {
        Some(leading) if question.tasks.len() < MANY_TASKS => (Scope::TheseTasks, leading, these),
        _ => (Scope::TasksLikeThese, &verdict, like),
    };
    let subject = match leading.winner() {
        Some(cell) => position(question, Some(cell)),
        None => contender(&standings, settling),
    };
    Ok(Judged {
        these: verdict_these,
        like: verdict,
        headline,
        subject,
    })
}

fn alone_standings(settling: &Settling<'_, '_>) -> Result<Vec<Standing>, AnalysisError> {
    let family = settling.cells.len();
    let rows = settling.table.rows.iter().zip(settling.cells).enumerate();
    rows.map(|(index, (row, summary))| {
        let bar = bar(settling.question, settling.grouping, row, family)?;
        Ok(alone((index, summary), bar, settling.status))
    })
    .collect()
}

fn challenger_standings(
    settling: &Settling<'_, '_>,
    scope: Scope,
) -> Result<Vec<Standing>, AnalysisError> {
    let family = settling.comparisons.len();
    let mut standings = Vec::new();
    for comparison in settling.comparisons {
        let Some(index) = position(settling.question, Some(&comparison.cell)) else {
            continue;
        };
        let (row, summary) = (&settling.table.rows[index], &settling.cells[index]);
        let bar = bar(settling.question, settling.grouping, row, family)?;
        standings.push(challenger(
            (index, summary),
            comparison,
            bar,
            (scope, settling.status),
        ));
    }
    Ok(standings)
}

/// The cell to look at while nothing is decided: of the open challengers (of all, when none is
/// open) those that look cheaper (all, when none does), the one with the highest pass rate, then
/// the lowest cost per success, then the first in plan order.
fn contender(standings: &[Standing], settling: &Settling<'_, '_>) -> Option<usize> {
    let all: Vec<&Standing> = standings.iter().collect();
    let open = narrow(all, |s| s.closed.is_none());
    let cheaper = narrow(open, |s| {
        let id = &settling.question.cells[s.index].id;
        let comparison = settling.comparisons.iter().find(|c| &c.cell == id);
        comparison.is_some_and(|c| {
            c.cost.cheaper == Cheaper::Shown || c.cost.ratio.is_some_and(|r| r.value() < 1.0)
        })
    });
    let key = |s: &Standing| rate(settling, s.index);
    let best = cheaper.into_iter().min_by(|a, b| {
        let by_rate = key(b).total_cmp(&key(a));
        by_rate.then(a.cost.total_cmp(&b.cost))
    });
    best.map(|standing| standing.index)
}

fn narrow(all: Vec<&Standing>, keep: impl Fn(&Standing) -> bool) -> Vec<&Standing> {
    let kept: Vec<&Standing> = all.iter().copied().filter(|s| keep(s)).collect();
    if kept.is_empty() { all } else { kept }
}

fn rate(settling: &Settling<'_, '_>, index: usize) -> f64 {
    let rate = settling.cells[index].pass_rate;
    rate.map_or(f64::NEG_INFINITY, |rate| rate.value())
}

/// The cell with the highest pass rate; the first in plan order among equals.
fn highest(settling: &Settling<'_, '_>) -> Option<usize> {
    let rates = (0..settling.cells.len()).map(|index| (index, rate(settling, index)));
    let best = rates.min_by(|a, b| b.1.total_cmp(&a.1));
    best.map(|(index, _)| index)
}
