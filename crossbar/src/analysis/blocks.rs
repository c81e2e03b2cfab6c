//! Repeats are blocks in time: did a cell's results move from one to the next?

use super::table::{Case, Row};
use crate::stats::beta_cdf;

/// The p of "no repeat differs from another" for one cell: the two-way (task x repeat) F test
/// MS(repeat)/MS(residual). `None` unless every task has the same two or more measured repeats
/// and there are two tasks or more, or where nothing ever varied.
pub(super) fn moved(row: &Row<'_>) -> Option<f64> {
    let tasks = row.cases.len();
    let repeats = row.cases.first()?.records.len();
    let whole =
        |case: &Case<'_>| case.records.len() == repeats && case.measured() == case.scheduled;
    if tasks < 2 || repeats < 2 || !row.cases.iter().all(whole) {
        return None;
    }
    let pass = |task: usize, repeat: usize| {
        let outcome = &row.cases[task].records[repeat].outcome;
        if outcome.is_accepted() { 1.0 } else { 0.0 }
    };
    let (n, r) = (tasks as f64, repeats as f64);
    let task_means: Vec<f64> = (0..tasks)
        .map(|t| (0..repeats).map(|b| pass(t, b)).sum::<f64>() / r)
        .collect();
    let block_means: Vec<f64> = (0..repeats)
        .map(|b| (0..tasks).map(|t| pass(t, b)).sum::<f64>() / n)
        .collect();
    let grand = task_means.iter().sum::<f64>() / n;
    let between: f64 = block_means.iter().map(|m| (m - grand).powi(2)).sum::<f64>() * n;
    let mut residual = 0.0;
    for (t, task_mean) in task_means.iter().enumerate() {
        for (b, block_mean) in block_means.iter().enumerate() {
            residual += (pass(t, b) - task_mean - block_mean + grand).powi(2);
        }
    }
    let (df_blocks, df_residual) = (r - 1.0, (r - 1.0) * (n - 1.0));
    (between + residual > 1e-12).then(|| f_tail(between, residual, (df_blocks, df_residual)))
}

/// P(F > (s1/d1)/(s2/d2)) from the two sums of squares: the beta function's tail at
/// s2/(s1 + s2).
fn f_tail(between: f64, residual: f64, (d1, d2): (f64, f64)) -> f64 {
    beta_cdf(residual / (between + residual), d2 / 2.0, d1 / 2.0)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Sweep;
    use super::super::{Analysis, WatchOut};
    use crate::domain::Outcome;

    fn warned(analysis: &Analysis) -> bool {
        analysis
            .watch
            .iter()
            .any(|w| matches!(w, WatchOut::ResultsMoved { .. }))
    }

    #[test]
    fn the_tail_is_that_of_f() {
        // the 5% point of F with 2 and 10 degrees of freedom is 4.102821
        let p = super::f_tail(2.0 * 4.102_821, 10.0, (2.0, 10.0));
        assert!((p - 0.05).abs() < 1e-7, "{p}");
    }

    #[test]
    fn results_that_move_between_repeats_are_noticed() {
        let steady = Sweep::new(30, 5).flat("a+x", 10, 3);
        assert!(!warned(&steady.analyze()));
        let drifting = steady.edit("a+x", |_, r| {
            let passed = r.key.repeat <= 3;
            r.outcome = if passed {
                Outcome::Accepted
            } else {
                Outcome::TaskFailure
            };
        });
        assert!(warned(&drifting.analyze()));
    }
}
