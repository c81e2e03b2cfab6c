//! Every challenger against the baseline in all respects, and the ones that can't be asked about: a
//! side of which not one rollout was measured. That is decided here, once, for whoever prints.

use super::cells::Rules;
use super::compare_like::Arms;
use super::comparison::{Cheaper, Comparison, CostComparison, Unmeasured};
use super::judge::position;
use super::table::{Row, Table};
use super::{
    AnalysisError, CellCourse, Course, Question, Slice, compare_cost, compare_like, compare_these,
    signal, slices, times,
};
use crate::domain::CellId;
use std::borrow::Cow;

/// Every challenger against the baseline: all at once, or as each one's last look said.
pub(super) fn compared(
    adaptive: Option<&Course>,
    rules: &Rules<'_>,
    table: &Table<'_>,
) -> Result<(Vec<Comparison>, Vec<Slice>), AnalysisError> {
    match adaptive {
        Some(course) => Ok((of_course(course, rules.question, table), Vec::new())),
        None => comparisons(rules, table),
    }
}

/// What each challenger's last look said; nothing of one that was never looked at.
fn of_course(course: &Course, question: &Question, table: &Table<'_>) -> Vec<Comparison> {
    let baseline = position(question, question.baseline.as_ref());
    let of = |cell: &CellCourse| {
        let at = position(question, Some(&cell.cell)).zip(baseline);
        let side = at.and_then(|(at, base)| unmeasured(&table.rows[at], &table.rows[base]));
        match (&cell.comparison, side) {
            (Some(found), None) => found.clone(),
            (_, side) => absent(&cell.cell, side),
        }
    };
    course.cells.iter().map(of).collect()
}

/// Which side has no measured rollout.
pub(super) fn unmeasured(challenger: &Row<'_>, baseline: &Row<'_>) -> Option<Unmeasured> {
    match (challenger.is_measured(), baseline.is_measured()) {
        (true, true) => None,
        (false, true) => Some(Unmeasured::Challenger),
        (true, false) => Some(Unmeasured::Baseline),
        (false, false) => Some(Unmeasured::Both),
    }
}

/// A comparison that says nothing, and why.
fn absent(cell: &CellId, side: Option<Unmeasured>) -> Comparison {
    Comparison {
        cell: cell.clone(),
        unmeasured: side,
        like: None,
        these: None,
        cost: CostComparison {
            cheaper: match side {
                Some(_) => Cheaper::UnknownCost,
                None => Cheaper::Open,
            },
            ratio: None,
            saving: None,
            distinguishable: false,
        },
        time: None,
        influence: None,
    }
}

/// Challengers are compared with all in mind that were planned (Holm). One that was not measured
/// makes no claim and keeps its place: a run that broke off claims nothing that the whole one would not.
fn comparisons(
    rules: &Rules<'_>,
    table: &Table<'_>,
) -> Result<(Vec<Comparison>, Vec<Slice>), AnalysisError> {
    let question = rules.question;
    let Some(baseline) = position(question, question.baseline.as_ref()) else {
        return Ok((Vec::new(), Vec::new()));
    };
    let side = |index: usize| unmeasured(&table.rows[index], &table.rows[baseline]);
    let others = || (0..table.rows.len()).filter(|index| *index != baseline);
    let there: Vec<usize> = others().filter(|index| side(*index).is_none()).collect();
    let arms = Arms {
        baseline: &table.rows[baseline],
        challengers: there.iter().map(|index| &table.rows[*index]).collect(),
        absent: others().count() - there.len(),
    };
    let (found, slices) = measured(&asked(question, baseline, &there), rules, &arms)?;
    let mut found = found.into_iter();
    let all = others().map(|index| match side(index) {
        None => found.next(),
        side => Some(absent(&question.cells[index].id, side)),
    });
    Ok((all.flatten().collect(), slices))
}

/// The question of the baseline and these challengers alone.
fn asked<'q>(question: &'q Question, baseline: usize, there: &[usize]) -> Cow<'q, Question> {
    if there.len() + 1 == question.cells.len() {
        return Cow::Borrowed(question);
    }
    let cells = question.cells.iter().enumerate();
    let kept = cells.filter(|(at, _)| *at == baseline || there.contains(at));
    Cow::Owned(Question {
        cells: kept.map(|(_, cell)| cell.clone()).collect(),
        ..question.clone()
    })
}

/// The comparisons of challengers that were measured, in the order of the arms.
fn measured(
    question: &Question,
    rules: &Rules<'_>,
    arms: &Arms<'_, '_>,
) -> Result<(Vec<Comparison>, Vec<Slice>), AnalysisError> {
    let grouping = rules.grouping;
    let like = compare_like::compare(question, grouping, arms)?;
    let these = compare_these::compare(question, arms)?;
    let cost = compare_cost::compare(question, grouping, arms)?;
    let time = times::compare(question, grouping, (arms, rules.limit_ms))?;
    let influence = signal::influences(question, grouping, arms)?;
    let ids = question.cells.iter().map(|cell| &cell.id);
    let ids: Vec<&CellId> = ids
        .filter(|id| question.baseline.as_ref() != Some(id))
        .collect();
    let slices = slices::of(question, arms, &ids)?;
    let further = time.into_iter().zip(influence);
    let parts = ids.iter().zip(like).zip(these).zip(cost).zip(further);
    let comparison = parts.map(
        |((((id, like), these), cost), (time, influence))| Comparison {
            cell: (*id).clone(),
            unmeasured: None,
            like,
            these,
            cost,
            time,
            influence,
        },
    );
    Ok((comparison.collect(), slices))
}
