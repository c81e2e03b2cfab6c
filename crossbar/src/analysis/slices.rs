//! Slices that nobody announced: each challenger against the baseline within each family of tasks.
//! Exploratory: corrected by Benjamini and Hochberg, and no verdict rests on them.

use super::compare_like::Arms;
use super::rates::estimate;
use super::table::{Counts, View};
use super::{AnalysisError, Question};
use crate::domain::{CellId, Estimate};
use crate::stats::{benjamini_hochberg, pack_line, stratified_exact};
use serde::Serialize;
use std::collections::BTreeMap;

/// One challenger against the baseline on one family of tasks \[these tasks\].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slice {
    /// The family.
    pub family: String,
    /// The challenger.
    pub cell: CellId,
    /// The difference of pass rates on its tasks with the pack line's interval at the plain level;
    /// `n` counts those tasks.
    pub difference: Estimate,
    /// The exact stratified p on those tasks, two-sided, unadjusted.
    pub p: f64,
    /// The same after Benjamini and Hochberg over all slices: among the slices at or below q, the
    /// expected share of false ones is at most q.
    pub adjusted_p: f64,
}

/// Every slice, families in the order of their names; empty with fewer than two families, with one
/// repeat, or where rollouts say nothing.
pub(super) fn of(
    question: &Question,
    arms: &Arms<'_, '_>,
    challengers: &[&CellId],
) -> Result<Vec<Slice>, AnalysisError> {
    let families = families(question);
    let rows = || {
        arms.challengers
            .iter()
            .chain(std::iter::once(&arms.baseline))
    };
    let told = rows().all(|row| row.is_repeated()) && !arms.undetermined();
    if families.len() < 2 || !told {
        return Ok(Vec::new());
    }
    let count = families.len();
    let (all, baseline) = arms.counts(View::Worst, View::Worst);
    let mut slices = Vec::new();
    for (family, tasks) in families {
        for (cell, counts) in challengers.iter().zip(&all) {
            let (a, b) = (part(counts, &tasks), part(&baseline, &tasks));
            let (a, b) = (a.arm()?, b.arm()?);
            let line = pack_line(a, b)?;
            let limits = line.limits(question.alpha);
            let (lower, upper) = (limits.lower.max(-1.0), limits.upper.min(1.0));
            slices.push(Slice {
                family: family.to_owned(),
                cell: (*cell).clone(),
                difference: estimate(line.diff, lower, Some(upper), tasks.len())?,
                p: stratified_exact(a, b)?.p_two_sided,
                adjusted_p: 1.0,
            });
        }
    }
    let p: Vec<f64> = slices.iter().map(|slice| slice.p).collect();
    let adjusted = benjamini_hochberg(&p, arms.absent * count);
    for (slice, adjusted) in slices.iter_mut().zip(adjusted) {
        slice.adjusted_p = adjusted;
    }
    Ok(slices)
}

fn families(question: &Question) -> BTreeMap<&str, Vec<usize>> {
    let mut families: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, task) in question.tasks.iter().enumerate() {
        if let Some(family) = &task.family {
            families.entry(family).or_default().push(at);
        }
    }
    families
}

fn part(counts: &Counts, tasks: &[usize]) -> Counts {
    let pairs = tasks.iter().map(|t| (counts.passes[*t], counts.runs[*t]));
    Counts::of(pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Sweep;

    fn sweep(repeats: u32) -> Sweep {
        let mut sweep = Sweep::new(6, repeats)
            .cell("a+x", 10, &[repeats, repeats, repeats, 0, 0, 0])
            .flat("b+x", 10, repeats)
            .baseline("b+x");
        for (at, task) in sweep.question.tasks.iter_mut().enumerate() {
            task.family = Some(["easy", "hard"][at / 3].to_owned());
        }
        sweep
    }

    #[test]
    fn a_family_in_which_a_cell_fails_is_found_with_its_interval() {
        let slices = sweep(5).analyze().slices;
        let told: Vec<_> = slices
            .iter()
            .map(|s| (s.family.as_str(), s.difference.value()))
            .collect();
        assert_eq!(told, [("easy", 0.0), ("hard", -1.0)]);
        assert!(slices[1].p < 1e-5 && (slices[1].adjusted_p - 2.0 * slices[1].p).abs() < 1e-15);
        assert_eq!((slices[0].adjusted_p, slices[0].difference.n()), (1.0, 3));
        assert!(slices[0].difference.interval().lo < -0.1);
    }

    #[test]
    fn one_family_or_one_repeat_makes_no_slice() {
        assert!(sweep(1).analyze().slices.is_empty());
        let mut one = sweep(5);
        one.question.tasks[0].family = None;
        assert_eq!(
            one.analyze().slices.len(),
            2,
            "tasks without a family are in none"
        );
        for task in &mut one.question.tasks {
            task.family = Some("all".to_owned());
        }
        assert!(one.analyze().slices.is_empty());
    }
}
