//! Which cells nothing beats on both pass rate and cost: the front of the observed points, how often
//! each cell is on it when tasks are drawn anew, and who is beaten for certain (section 3.10).

use super::bootstrap::{Resampling, resample};
use super::error::StatsError;
use super::limits::{Limits, OpenLimits, in_range};

/// One cell's task values, task by task in the same order as every other cell's.
#[derive(Clone, Copy, Debug)]
pub struct ParetoCell<'a> {
    /// pass rate of each task, more is better
    pub pass_rates: &'a [f64],
    /// mean cost of a rollout of each task (or its time), less is better
    pub costs: &'a [f64],
}

/// One cell's intervals, both at the level that allows for all comparisons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParetoLimits {
    /// of the pass rate
    pub pass_rate: Limits,
    /// of the mean cost
    pub cost: OpenLimits,
}

/// The positions of the points that no other point beats: at least as good everywhere and better
/// somewhere. `quality` is to be large, each of `burdens` (cost, time) small. Equal points all stay.
/// Errors: no point, lists of different lengths, a value that isn't a number.
pub fn pareto_front(quality: &[f64], burdens: &[&[f64]]) -> Result<Vec<usize>, StatsError> {
    if quality.is_empty() {
        return Err(StatsError::NoTasks);
    }
    for list in burdens.iter().chain(std::iter::once(&quality)) {
        if list.len() != quality.len() {
            return Err(StatsError::LengthMismatch {
                left: quality.len(),
                right: list.len(),
            });
        }
        for &value in *list {
            in_range("value", value, !value.is_nan())?;
        }
    }
    let beats = |i: usize, j: usize| {
        let worse = quality[i] < quality[j] || burdens.iter().any(|b| b[i] > b[j]);
        let better = quality[i] > quality[j] || burdens.iter().any(|b| b[i] < b[j]);
        better && !worse
    };
    let cells = 0..quality.len();
    let stays = |j: &usize| !cells.clone().any(|i| beats(i, *j));
    Ok(cells.clone().filter(stays).collect())
}

/// For each cell the share of `resampling.resamples` draws of tasks, the same tasks for all cells,
/// in which it is on the front of mean pass rate and mean cost, in [0, 1].
/// Errors: no cell or task, cells over different tasks, no resample, a value that isn't a number.
pub fn pareto_shares(
    cells: &[ParetoCell<'_>],
    resampling: Resampling,
) -> Result<Vec<f64>, StatsError> {
    let columns: Vec<&[f64]> = cells
        .iter()
        .map(|cell| cell.pass_rates)
        .chain(cells.iter().map(|cell| cell.costs))
        .collect();
    for value in columns.iter().flat_map(|column| column.iter()) {
        in_range("value", *value, !value.is_nan())?;
    }
    let means = resample(&columns, resampling)?;
    let (pass_rates, costs) = means.split_at(cells.len());
    let mut on_front = vec![0_u32; cells.len()];
    let mut order: Vec<usize> = (0..cells.len()).collect();
    for draw in 0..resampling.resamples {
        let (pass, cost) = (|j: usize| pass_rates[j][draw], |j: usize| costs[j][draw]);
        order.sort_by(|&i, &j| {
            let by_cost = cost(i).total_cmp(&cost(j));
            by_cost.then(pass(j).total_cmp(&pass(i)))
        });
        let mut best = f64::NEG_INFINITY;
        let mut last = None;
        for &j in &order {
            // an equal twin of the last one on the front stays too
            if pass(j) > best || last == Some((pass(j), cost(j))) {
                on_front[j] += 1;
                best = pass(j);
                last = Some((pass(j), cost(j)));
            }
        }
    }
    let count = resampling.resamples as f64;
    Ok(on_front.into_iter().map(|n| f64::from(n) / count).collect())
}

/// For each cell the first other one that beats it for certain: its pass rate's lower limit is above
/// this one's upper limit, and its cost's upper limit below this one's lower limit.
pub fn dominated(cells: &[ParetoLimits]) -> Vec<Option<usize>> {
    let beats = |other: &ParetoLimits, cell: &ParetoLimits| {
        other.pass_rate.lower > cell.pass_rate.upper
            && other
                .cost
                .upper
                .is_some_and(|upper| upper < cell.cost.lower)
    };
    cells
        .iter()
        .map(|cell| cells.iter().position(|other| beats(other, cell)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: Resampling = Resampling {
        resamples: 2000,
        seed: 9,
    };

    #[test]
    fn a_clear_front_is_certain_and_twins_share_it() {
        let good = ParetoCell {
            pass_rates: &[1.0, 0.9, 1.0],
            costs: &[2.0, 2.0, 2.1],
        };
        let cheap = ParetoCell {
            pass_rates: &[0.5, 0.4, 0.5],
            costs: &[1.0, 1.0, 1.1],
        };
        let beaten = ParetoCell {
            pass_rates: &[0.4, 0.3, 0.4],
            costs: &[3.0, 3.0, 3.1],
        };
        let shares = pareto_shares(&[good, beaten, cheap, good], DRAWS).unwrap();
        assert_eq!(shares, [1.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn two_even_cells_are_on_the_front_about_as_often() {
        let even = |pass_rates| ParetoCell {
            pass_rates,
            costs: &[1.0; 6],
        };
        let (a, b) = (
            [1.0, 0.0, 1.0, 0.0, 1.0, 0.0],
            [0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
        );
        let shares = pareto_shares(&[even(&a), even(&b)], DRAWS).unwrap();
        assert!(shares.iter().all(|s| (0.6..0.72).contains(s)), "{shares:?}");
        assert!(pareto_shares(&[even(&a), even(&b[1..])], DRAWS).is_err());
        assert!(pareto_shares(&[], DRAWS).is_err());
    }

    #[test]
    fn only_both_limits_together_dominate() {
        let cell = |pass: [f64; 2], cost: [f64; 2]| ParetoLimits {
            pass_rate: Limits {
                lower: pass[0],
                upper: pass[1],
            },
            cost: OpenLimits {
                lower: cost[0],
                upper: Some(cost[1]),
            },
        };
        let best = cell([0.8, 0.9], [1.0, 2.0]);
        let worse = cell([0.5, 0.7], [2.5, 3.0]);
        let cheap = cell([0.5, 0.7], [1.5, 3.0]);
        assert_eq!(dominated(&[worse, best, cheap]), [Some(1), None, None]);
    }
}
