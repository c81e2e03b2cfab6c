//! FAILURE TAXONOMY: what kind of failures a cell has, counted over its measured rollouts.

use super::AnalysisError;
use super::rates::share;
use super::table::{Case, Row};
use crate::domain::{Estimate, FailureMode};
use serde::Serialize;
use std::collections::BTreeMap;

/// How often a cell failed in one way.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FailureCount {
    /// The mode; `None` for a failed rollout whose record names none (foreign results).
    pub mode: Option<FailureMode>,
    /// Failed rollouts of that mode.
    pub count: u32,
    /// The share of measured rollouts (Wilson over rollouts; `n` counts rollouts).
    pub share: Estimate,
}

/// The failed measured rollouts of a cell by mode, most frequent first, then by precedence; those
/// without a mode come last among equals.
pub(super) fn count(row: &Row<'_>, alpha: f64) -> Result<Vec<FailureCount>, AnalysisError> {
    let mut counts: BTreeMap<(bool, Option<FailureMode>), u32> = BTreeMap::new();
    let failed = row
        .records()
        .filter(|r| r.outcome.is_measured() && !r.outcome.is_accepted());
    for rollout in failed {
        let key = (rollout.failure_mode.is_none(), rollout.failure_mode);
        *counts.entry(key).or_default() += 1;
    }
    let measured = row.sum(Case::measured);
    let mut lines = Vec::new();
    for ((_, mode), count) in counts {
        if let Some(share) = share(count, measured, alpha)? {
            lines.push(FailureCount { mode, count, share });
        }
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.count));
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, infrastructure};
    use super::*;

    #[test]
    fn counts_sum_to_the_failed_measured_rollouts() {
        let sweep = Sweep::new(4, 5)
            .cell("a+x", 10, &[5, 1, 0, 0])
            .edit("a+x", |i, r| match i {
                19 => r.outcome = infrastructure(),
                15 => r.failure_mode = Some(FailureMode::Security),
                16 => r.failure_mode = None,
                _ => {}
            });
        let cell = &sweep.analyze().cells[0];
        let modes: Vec<_> = cell.failures.iter().map(|f| (f.mode, f.count)).collect();
        let expected = [
            (Some(FailureMode::ContractFormat), 11),
            (Some(FailureMode::Security), 1),
            (None, 1),
        ];
        assert_eq!(modes, expected);
        let sum: u32 = cell.failures.iter().map(|f| f.count).sum();
        assert_eq!(sum, cell.measured - cell.accepted);
        let share = cell.failures[0].share;
        assert!((share.value() - 11.0 / 19.0).abs() < 1e-12 && share.n() == 19);
        assert!(share.interval().lo > 0.3 && share.interval().hi < Some(0.8));
    }
}
