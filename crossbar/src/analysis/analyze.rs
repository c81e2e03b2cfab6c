//! The one way in: a question and a record make an analysis.

use super::cells::{Rules, summarise, task_table};
use super::compare::compared;
use super::comparison::{Comparison, annotate};
use super::grouping::Grouping;
use super::judge::{judge, position};
use super::settle::Settling;
use super::table::{Table, View};
use super::watch::Scene;
use super::{
    Analysis, AnalysisError, BestCell, CellSummary, Notice, Question, Record, Settings, Status,
    Window, completeness, confidence, course, cross_check, front, prune, times, watch,
};
use crate::stats::winner;
use std::collections::BTreeSet;

/// Answers a question from a record. The order of the rollouts makes no difference.
///
/// # Errors
/// `AnalysisError` when the question contradicts itself (an absent baseline, a setting out of
/// range, k above the repeats) or the record is not of this plan (a rollout twice, or of another
/// sweep). Missing rollouts are no error.
pub fn analyze(question: &Question, record: Record<'_>) -> Result<Analysis, AnalysisError> {
    check(question)?;
    let table = Table::new(question, record)?;
    let grouping = Grouping::of(question);
    let completeness = completeness::of(&table, &record);
    let (k, mut notices) = usable_k(question, &table);
    let rules = Rules {
        question,
        grouping: &grouping,
        k,
        limit_ms: times::limit(&table),
    };
    let looks = question.looks.as_ref();
    let adaptive = looks
        .map(|looks| course(question, looks, record))
        .transpose()?;
    let (comparisons, slices) = compared(adaptive.as_ref(), &rules, &table)?;
    let cells = cells(&table, &rules, &comparisons)?;
    let settling = Settling {
        question,
        grouping: &grouping,
        table: &table,
        cells: &cells,
        comparisons: &comparisons,
        status: completeness.status,
    };
    let judged = judge(&settling)?;
    notices.extend(of_design(question, &grouping, &table));
    Ok(Analysis {
        pack_title: question.pack_title.clone(),
        tasks: question.tasks.len() as u32,
        settings: settings(question, &grouping, &table, k)?,
        baseline: question.baseline.clone(),
        demo: question.cells.iter().any(|cell| cell.pretend),
        replay_of: question.replay_of.clone(),
        exploratory: question.baseline.is_some() && !question.margin.declared,
        prices_as_of: oldest_price(question),
        window: window(record),
        task_table: task_table(question, &table)?,
        headline: judged.headline,
        verdict_these: judged.these,
        verdict_like: judged.like,
        confidence: confidence::judge(judged.subject, &settling)?,
        best: best(question, &grouping, &table, completeness.status)?,
        front: front::of(question, &grouping, &table)?,
        slices,
        cross_check: cross_check::of(question, &grouping, &table)?,
        prune: prune::advise(question, &table),
        watch: watch::lines(&Scene {
            question,
            table: &table,
            cells: &cells,
            baseline: position(question, question.baseline.as_ref()),
            subject: judged.subject,
        })?,
        notices,
        adaptive,
        completeness,
        comparisons,
        cells,
    })
}

/// What there is to say of the design, whatever came of it.
fn of_design(question: &Question, grouping: &Grouping, table: &Table<'_>) -> Vec<Notice> {
    let mut notices: Vec<Notice> = grouping.notices(question).into_iter().collect();
    notices.extend((!table.is_repeated()).then_some(Notice::OneRepeat));
    notices.extend(question.task_look.clone().map(Notice::TaskLook));
    notices
}

fn cells(
    table: &Table<'_>,
    rules: &Rules<'_>,
    comparisons: &[Comparison],
) -> Result<Vec<CellSummary>, AnalysisError> {
    let infos = rules.question.cells.iter().zip(&table.rows);
    let mut cells = infos
        .map(|(info, row)| summarise(info, row, rules))
        .collect::<Result<Vec<_>, _>>()?;
    annotate(rules.question, comparisons, &mut cells);
    Ok(cells)
}

fn check(question: &Question) -> Result<(), AnalysisError> {
    if question.cells.is_empty() || question.tasks.is_empty() {
        return Err(AnalysisError::EmptyMatrix);
    }
    let mut cells = BTreeSet::new();
    if let Some(twice) = question.cells.iter().find(|cell| !cells.insert(&cell.id)) {
        return Err(AnalysisError::DuplicateCell(twice.id.clone()));
    }
    let mut tasks = BTreeSet::new();
    if let Some(twice) = question.tasks.iter().find(|task| !tasks.insert(&task.id)) {
        return Err(AnalysisError::DuplicateTask(twice.id.clone()));
    }
    if let Some(absent) = question.baseline.as_ref().filter(|id| !cells.contains(id)) {
        return Err(AnalysisError::BaselineAbsent(absent.clone()));
    }
    let ranged = |name, value: f64, holds: bool, range| {
        let error = AnalysisError::OutOfRange { name, value, range };
        if holds { Ok(()) } else { Err(error) }
    };
    let (margin, alpha) = (question.margin.value, question.alpha);
    ranged(
        "margin",
        margin,
        (0.0..1.0).contains(&margin),
        "within 0..1",
    )?;
    ranged(
        "alpha",
        alpha,
        alpha > 0.0 && alpha <= 0.5,
        "above 0 and at most 0.5",
    )?;
    let bar = question.quality_bar.unwrap_or(0.0);
    ranged(
        "quality_bar",
        bar,
        (0.0..=1.0).contains(&bar),
        "within 0..=1",
    )?;
    match question.k {
        Some(0) => ranged("k", 0.0, false, "at least 1"),
        Some(k) if k > question.repeats => Err(AnalysisError::KAboveRepeats {
            k,
            repeats: question.repeats,
        }),
        _ => Ok(()),
    }
}

/// The largest k that every task of every cell allows, and what a reader must be told about it.
fn usable_k(question: &Question, table: &Table<'_>) -> (Option<u32>, Vec<Notice>) {
    let Some(asked) = question.k else {
        return (None, Vec::new());
    };
    let cases = table.rows.iter().flat_map(|row| &row.cases);
    let fewest = cases.map(|case| case.finished()).min().unwrap_or(0);
    if fewest == 0 {
        (None, vec![Notice::KNotComputable { asked }])
    } else if fewest < asked {
        let used = fewest;
        (Some(used), vec![Notice::KLowered { asked, used }])
    } else {
        (Some(asked), Vec::new())
    }
}

fn settings(
    question: &Question,
    grouping: &Grouping,
    table: &Table<'_>,
    k: Option<u32>,
) -> Result<Settings, AnalysisError> {
    Ok(Settings {
        margin: question.margin,
        alpha: question.alpha,
        quality_bar: question.quality_bar,
        padding: question.padding,
        repeats: question.repeats,
        k,
        unit: grouping.unit(&table.rows[0].counts(View::Worst))?,
    })
}

fn oldest_price(question: &Question) -> Option<String> {
    let dates = question.cells.iter().filter_map(|cell| cell.price.as_of());
    dates.min().map(str::to_owned)
}

fn window(record: Record<'_>) -> Option<Window> {
    // Where one is not known, the first and the last are not known either.
    let starts: Option<Vec<&str>> = record
        .rows
        .iter()
        .map(|row| row.started_at.as_deref())
        .collect();
    let starts = starts?;
    let starts = || starts.iter().copied();
    Some(Window {
        first_started_at: starts().min()?.to_owned(),
        last_started_at: starts().max()?.to_owned(),
    })
}

/// The highest of the rates that were measured, its interval allowing for all that were planned;
/// `None` with one of them, or while rollouts are missing.
fn best(
    question: &Question,
    grouping: &Grouping,
    table: &Table<'_>,
    status: Status,
) -> Result<Option<BestCell>, AnalysisError> {
    let rows = question.cells.iter().zip(&table.rows);
    let rows: Vec<_> = rows.filter(|(_, row)| row.is_measured()).collect();
    if rows.len() < 2 || status == Status::Incomplete || question.replay_of.is_some() {
        return Ok(None);
    }
    let counts: Vec<_> = rows
        .iter()
        .map(|(_, row)| row.counts(View::Worst))
        .collect();
    let units = counts
        .iter()
        .map(|counts| grouping.units(counts.arm()?))
        .collect::<Result<Vec<_>, _>>()?;
    let best = winner(&units, question.alpha)?;
    let (cell, row) = rows[best.index];
    let rate = super::rates::like(row, grouping, question.alpha / question.cells.len() as f64)?;
    Ok(rate.map(|rate| BestCell {
        cell: cell.id.clone(),
        of: rows.len() as u32,
        rate,
        shrunk: best.shrunk_rate,
    }))
}

#[cfg(test)]
mod broken_off_tests;
#[cfg(test)]
mod record_tests;
#[cfg(test)]
mod refusal_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod unfinished_tests;
#[cfg(test)]
mod unmeasured_tests;
