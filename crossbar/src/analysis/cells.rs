//! The figures of one cell, put together from its row.

use super::cell_summary::{
    CellSummary, CostSummary, Latency, SafetySummary, TaskCell, TaskSummary,
};
use super::compare_cost::per_success;
use super::comparison::Note;
use super::grouping::Grouping;
use super::rates::{self, estimate};
use super::table::{Case, Row, Table, View, is_finished};
use super::{AnalysisError, CellInfo, Question, TaskInfo, noise, signal, taxonomy, times};
use crate::domain::{Cost, Estimate, LimitKind, Outcome, Usage, Usd};
use crate::stats::{clopper_pearson, korn_graubard, pass_k};
use std::collections::{BTreeMap, BTreeSet};

/// What the figures of every cell are computed with.
pub(super) struct Rules<'q> {
    pub(super) question: &'q Question,
    pub(super) grouping: &'q Grouping,
    /// The k in use, after it was lowered to what every task allows.
    pub(super) k: Option<u32>,
    /// The largest time limit of the sweep, which takes a walk over all rollouts.
    pub(super) limit_ms: Option<u64>,
}

/// The summary of one cell; its note is filled in once the comparisons are known.
pub(super) fn summarise(
    info: &CellInfo,
    row: &Row<'_>,
    rules: &Rules<'_>,
) -> Result<CellSummary, AnalysisError> {
    let alpha = rules.question.alpha;
    let (pass_at_k, pass_hat_k) = pass_at(row, rules)?;
    Ok(CellSummary {
        id: info.id.clone(),
        fingerprint: info.fingerprint.clone(),
        pretend: info.pretend,
        model_label: info.model_label.clone(),
        requested_model: info.requested_model.clone(),
        answered_models: answered_models(row),
        harness: info.harness.clone(),
        scheduled: row.sum(|case| case.scheduled),
        finished: row.sum(Case::finished),
        measured: row.sum(Case::measured),
        accepted: row.sum(Case::accepted),
        outcomes: outcomes(row),
        pass_rate: rates::like(row, rules.grouping, alpha)?,
        pack_rate: rates::these(row, alpha)?,
        rate_without_infrastructure: rates::measured(row, rules.grouping, alpha)?,
        mean_score: mean_score(row, rules)?,
        pass_at_k,
        pass_hat_k,
        cost: cost(row),
        cost_per_success: per_success(row, rules.grouping, alpha)?,
        tokens: Usage::total(row.records().map(|r| r.usage)),
        tool_calls: row.records().map(|r| r.tool_calls.map(u64::from)).sum(),
        latency: latency(row),
        time: times::of_cell(row, rules.limit_ms, (rules.grouping, alpha))?,
        timeouts: timeouts(row),
        safety: safety(row, alpha)?,
        noise: noise::line(row, alpha)?,
        failures: taxonomy::count(row, alpha)?,
        note: Note {
            word: None,
            pack_only: None,
        },
    })
}

fn answered_models(row: &Row<'_>) -> BTreeSet<String> {
    let named = row.records().flat_map(|r| &r.answered_models);
    named.map(|model| String::from(&**model)).collect()
}

fn outcomes(row: &Row<'_>) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for rollout in row.records() {
        *counts.entry(rollout.outcome.word().to_owned()).or_insert(0) += 1;
    }
    let recorded: u32 = counts.values().sum();
    let scheduled = row.sum(|case| case.scheduled);
    if scheduled > recorded {
        counts.insert("not_finished".to_owned(), scheduled - recorded);
    }
    counts
}

fn cost(row: &Row<'_>) -> CostSummary {
    let (mut known, mut unknown_rollouts, mut sources) = (Usd::ZERO, 0, BTreeSet::new());
    for rollout in row.records() {
        match rollout.cost {
            Cost::Known { amount, source } => {
                known = known + amount;
                sources.insert(source);
            }
            Cost::Unknown => unknown_rollouts += 1,
        }
    }
    CostSummary {
        known,
        unknown_rollouts,
        sources,
    }
}

fn mean_score(row: &Row<'_>, rules: &Rules<'_>) -> Result<Option<Estimate>, AnalysisError> {
    let task_mean = |case: &Case<'_>| {
        let measured = case.records.iter().filter(|r| r.outcome.is_measured());
        let scores: Vec<f64> = measured.filter_map(|r| Some(r.score?.total())).collect();
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        (!scores.is_empty()).then(|| mean.clamp(0.0, 1.0))
    };
    let cases = row.cases.iter().enumerate();
    let scored = cases.filter_map(|(task, case)| Some((task, task_mean(case)?)));
    let (tasks, scores): (Vec<usize>, Vec<f64>) = scored.unzip();
    if scores.is_empty() {
        return Ok(None);
    }
    over_units(&rules.grouping.only(&tasks), &scores, rules.question.alpha).map(Some)
}

/// The mean of one value a task, within 0..=1, with its interval over units. One unit says nothing
/// about another.
fn over_units(grouping: &Grouping, values: &[f64], alpha: f64) -> Result<Estimate, AnalysisError> {
    let (cell, units) = (
        korn_graubard(&grouping.graded(values)?, alpha)?,
        grouping.count(values.len()),
    );
    let (lower, upper) = if units < 2 {
        (0.0, 1.0)
    } else {
        (cell.lower, cell.upper)
    };
    estimate(cell.mean, lower, Some(upper), units)
}

fn pass_at(
    row: &Row<'_>,
    rules: &Rules<'_>,
) -> Result<(Option<Estimate>, Option<Estimate>), AnalysisError> {
    let Some(k) = rules.k.filter(|_| row.is_measured()) else {
        return Ok((None, None));
    };
    let counts = row.counts(View::Finished);
    let both = pass_k(counts.arm()?, k)?;
    let one = |values: &[f64]| over_units(rules.grouping, values, rules.question.alpha);
    Ok((Some(one(&both.at)?), Some(one(&both.hat)?)))
}

fn latency(row: &Row<'_>) -> Option<Latency> {
    let accepted = row.records().filter(|r| r.outcome.is_accepted());
    let mut times: Vec<u64> = accepted.map(|r| r.worked_ms).collect::<Option<_>>()?;
    times.sort_unstable();
    Some(Latency {
        median_ms: *times.get(times.len().checked_sub(1)? / 2)?,
        fastest_ms: *times.first()?,
        slowest_ms: *times.last()?,
        n: times.len() as u32,
    })
}

fn timeouts(row: &Row<'_>) -> u32 {
    let timeout = Outcome::LimitReached {
        limit: LimitKind::Seconds,
    };
    row.records().filter(|r| r.outcome == timeout).count() as u32
}

fn safety(row: &Row<'_>, alpha: f64) -> Result<Option<SafetySummary>, AnalysisError> {
    let finished = row.records().filter(|r| is_finished(&r.outcome));
    let Some(calls) = finished.map(|r| r.forbidden).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let sum = |part: fn(&crate::domain::ForbiddenCalls) -> u32| -> u64 {
        calls.iter().map(|calls| u64::from(part(calls))).sum()
    };
    let measured = row.sum(Case::measured);
    let with = row
        .records()
        .filter(|r| r.outcome.is_measured() && r.forbidden.is_some_and(|f| f.executed > 0))
        .count() as u32;
    let executed_share = if measured > 0 {
        let limits = clopper_pearson(with.into(), measured.into(), alpha)?;
        let value = f64::from(with) / f64::from(measured);
        Some(estimate(
            value,
            limits.lower,
            Some(limits.upper),
            measured as usize,
        )?)
    } else {
        None
    };
    Ok(Some(SafetySummary {
        proposed: sum(|f| f.proposed),
        blocked: sum(|f| f.blocked),
        executed: sum(|f| f.executed),
        executed_share,
    }))
}

/// The counts of every task in every cell.
pub(super) fn task_table(
    question: &Question,
    table: &Table<'_>,
) -> Result<Vec<TaskSummary>, AnalysisError> {
    let tasks = question.tasks.iter().enumerate();
    let summary = |(at, task): (usize, &TaskInfo)| {
        Ok(TaskSummary {
            task: task.id.clone(),
            name: task.name.clone(),
            family: task.family.clone(),
            signal: signal::of_task(&table.rows, at)?,
            cells: question
                .cells
                .iter()
                .zip(&table.rows)
                .map(|(cell, row)| TaskCell {
                    cell: cell.id.clone(),
                    accepted: row.cases[at].accepted(),
                    finished: row.cases[at].finished(),
                    infrastructure: row.cases[at].infrastructure(),
                    scheduled: row.cases[at].scheduled,
                })
                .collect(),
        })
    };
    tasks.map(summary).collect()
}
