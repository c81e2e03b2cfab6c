//! One challenger at one look: what may be claimed with the error that is spent by then, and whether
//! more rollouts of it are idle. Both arms are taken up to the same repeat.

use super::compare_like::Arms;
use super::grouping::Grouping;
use super::rates::between;
use super::table::{Table, View};
use super::{
    AnalysisError, Cheaper, Comparison, Question, Record, Shown, compare, compare_cost,
    compare_like,
};
use crate::domain::{CellId, LookPlan, ResultRow, RolloutKey};
use crate::stats::{
    FlipDraws, Looks, Pair, Prospect, SequentialFlip, Spending, mover, sequential_flip,
};

/// Sign vectors beyond 14 tasks, with a seed of their own: the claim depends on nothing else.
const DRAWS: FlipDraws = FlipDraws {
    drawn: 9_999,
    seed: 0x6c6f_6f6b_0000_0001,
};

/// What a look says about one challenger.
pub(super) struct Glance {
    /// At the error that is spent by this look.
    pub(super) comparison: Comparison,
    /// For the rules of futility, at the usual level; `None` where rollouts were not measured.
    pub(super) prospect: Option<Prospect>,
    /// The error that is spent by this look, two-sided.
    pub(super) spent: f64,
    /// Dollars per success of the challenger and of the baseline, where they are known.
    pub(super) costs: [Option<f64>; 2],
}

impl Glance {
    /// Shown to be good enough or better, and nothing left to learn about its price.
    pub(super) fn is_settled(&self) -> bool {
        let good =
            self.comparison.like.as_ref().is_some_and(|like| {
                like.non_inferior.shown || like.direction == Some(Shown::Better)
            });
        good && self.comparison.cost.cheaper != Cheaper::Open
    }

    /// Shown to be worse.
    pub(super) fn is_worse(&self) -> bool {
        let like = self.comparison.like.as_ref();
        like.is_some_and(|like| like.direction == Some(Shown::Worse))
    }
}

/// What is looked at.
pub(super) struct Seen<'s, 'a> {
    pub(super) question: &'s Question,
    pub(super) record: Record<'a>,
    pub(super) looks: &'s LookPlan,
    /// Challengers at the start: the error is shared among them.
    pub(super) family: u32,
    /// The baseline's position in the plan.
    pub(super) base: usize,
}

impl Seen<'_, '_> {
    /// The error of one challenger that is spent up to each look.
    fn spent(&self) -> Result<Looks, AnalysisError> {
        let amounts: Vec<u64> = self.looks.repeats().iter().map(|r| u64::from(*r)).collect();
        let alpha = self.question.alpha / f64::from(self.family.max(1));
        Ok(Looks::new(Spending::Pocock, alpha, &amounts)?)
    }

    /// Looks at a challenger (its position in the plan) at a look, counted from 0.
    pub(super) fn glance(&self, challenger: usize, look: usize) -> Result<Glance, AnalysisError> {
        let repeats = self.looks.repeats()[look];
        let spent = self.spent()?;
        let question = self.pair(challenger, repeats, spent.spent()[look]);
        let within = |key: &RolloutKey| {
            key.repeat <= repeats && question.cells.iter().any(|cell| cell.id == key.cell)
        };
        let rows: Vec<ResultRow> = self
            .record
            .rows
            .iter()
            .filter(|r| within(&r.key))
            .cloned()
            .collect();
        let planned = planned(&question);
        let record = Record {
            planned: &planned,
            rows: &rows,
            unknown: self.record.unknown,
        };
        let table = Table::new(&question, record)?;
        let arms = Arms {
            baseline: &table.rows[0],
            challengers: vec![&table.rows[1]],
            // the error of a look is one challenger's part already
            absent: 0,
        };
        let grouping = Grouping::of(&question);
        let like = compare_like::compare(&question, &grouping, &arms)?
            .pop()
            .flatten();
        let cost = compare_cost::compare(&question, &grouping, &arms)?.pop();
        let cost = cost.ok_or(AnalysisError::EmptyMatrix)?;
        let flip = match arms.undetermined() || like.is_none() {
            true => None,
            false => Some(self.flip(challenger, look, &grouping, &spent)?),
        };
        let pattern = flip.is_some_and(|flip| flip.stop.is_some());
        let comparison = Comparison {
            cell: self.question.cells[challenger].id.clone(),
            unmeasured: compare::unmeasured(arms.challengers[0], arms.baseline),
            like: like.map(|like| joint(like, pattern)),
            these: None,
            cost,
            // times are no part of what is looked at, and what one task carries is told of whole runs
            time: None,
            influence: None,
        };
        let usual = self.question.alpha;
        Ok(Glance {
            spent: question.alpha,
            prospect: match arms.undetermined() {
                true => None,
                false => Some(self.prospect(&arms, &grouping)?),
            },
            costs: [
                cost_of(&table, 1, &grouping, usual)?,
                cost_of(&table, 0, &grouping, usual)?,
            ],
            comparison,
        })
    }

    /// The question of one pair with some repeats, at an error of its own.
    fn pair(&self, challenger: usize, repeats: u32, alpha: f64) -> Question {
        let cells = [self.base, challenger].map(|at| self.question.cells[at].clone());
        Question {
            cells: cells.to_vec(),
            repeats,
            alpha,
            k: None,
            looks: None,
            task_look: None,
            ..self.question.clone()
        }
    }

    /// The joint test over all looks up to this one.
    fn flip(
        &self,
        challenger: usize,
        look: usize,
        grouping: &Grouping,
        spent: &Looks,
    ) -> Result<SequentialFlip, AnalysisError> {
        let cells = &self.question.cells;
        let (plus, minus) = (&cells[challenger].id, &cells[self.base].id);
        let upto = self.looks.repeats().iter().take(look + 1);
        let paths: Vec<Vec<i64>> = upto
            .map(|repeats| self.differences((plus, minus), *repeats, grouping))
            .collect();
        let paths: Vec<&[i64]> = paths.iter().map(Vec::as_slice).collect();
        Ok(sequential_flip(&paths, spent, DRAWS)?)
    }

    /// Passes of one cell less those of the other over the same repeats, unit by unit.
    fn differences(
        &self,
        (plus, minus): (&CellId, &CellId),
        repeats: u32,
        grouping: &Grouping,
    ) -> Vec<i64> {
        let tasks = self.question.tasks.iter().map(|task| &task.id).zip(0..);
        let places: std::collections::BTreeMap<_, usize> = tasks.collect();
        let mut sums = vec![0; grouping.count(places.len())];
        let rows = self.record.rows.iter();
        for row in rows.filter(|row| row.key.repeat <= repeats && row.outcome.is_accepted()) {
            let Some(task) = places.get(&row.key.task) else {
                continue;
            };
            let unit = match grouping {
                Grouping::Families(numbers) => numbers[*task],
                Grouping::Tasks | Grouping::Weighted(_) => *task,
            };
            sums[unit] += i64::from(row.key.cell == *plus) - i64::from(row.key.cell == *minus);
        }
        sums
    }

    fn prospect(
        &self,
        arms: &Arms<'_, '_>,
        grouping: &Grouping,
    ) -> Result<Prospect, AnalysisError> {
        let (alpha, row) = (self.question.alpha, arms.challengers[0]);
        let rate = between(row, grouping, (View::Worst, View::Best), alpha)?;
        let (a, b) = (row.counts(View::Worst), arms.baseline.counts(View::Worst));
        let (a, b) = (grouping.units(a.arm()?)?, grouping.units(b.arm()?)?);
        let upper_difference = match a.len() {
            0 | 1 => 1.0,
            _ => mover(Pair { a: &a, b: &b }, alpha, self.question.padding.into())?.upper,
        };
        let cost = compare_cost::per_success(row, grouping, alpha)?.estimate;
        Ok(Prospect {
            upper_rate: rate.and_then(|rate| rate.interval().hi).unwrap_or(1.0),
            upper_difference,
            lower_cost: cost.map(|cost| cost.interval().lo),
        })
    }
}

/// Every rollout of the question.
fn planned(question: &Question) -> Vec<RolloutKey> {
    let cells = question.cells.iter();
    let cases = cells.flat_map(|cell| question.tasks.iter().map(move |task| (cell, task)));
    let of_case = |(cell, task): (&super::CellInfo, &super::TaskInfo)| {
        let (cell, task) = (cell.id.clone(), task.id.clone());
        (1..=question.repeats).map(move |repeat| RolloutKey {
            cell: cell.clone(),
            task: task.clone(),
            repeat,
        })
    };
    cases.flat_map(of_case).collect()
}

fn cost_of(
    table: &Table<'_>,
    row: usize,
    grouping: &Grouping,
    alpha: f64,
) -> Result<Option<f64>, AnalysisError> {
    let line = compare_cost::per_success(&table.rows[row], grouping, alpha)?;
    Ok(line.estimate.map(|estimate| estimate.value()))
}

/// A direction needs the joint test too; the joint test without a direction is BORDERLINE. The p of
/// a test that knows nothing of the looks before is left out.
fn joint(mut like: super::LikeComparison, pattern: bool) -> super::LikeComparison {
    if !pattern {
        like.direction = None;
        like.difference.shown = false;
    }
    like.borderline = pattern && like.direction.is_none();
    (like.pattern_p, like.pattern_adjusted_p) = (None, None);
    like.pattern_screen_p = None;
    like
}
