//! The best of M cells: being picked for its rate makes the plain interval too hopeful, so it is
//! shown at level 1 - alpha/M with a rate shrunk towards the cells' mean (formula F4).

use super::error::StatsError;
use super::korn_graubard::{CellEstimate, korn_graubard};
use super::limits::check_alpha;
use super::units::Units;

/// The cell with the highest pass rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Winner {
    /// its position; the first of equal rates
    pub index: usize,
    /// its rate, with the interval that allows for the choice among M cells
    pub simultaneous: CellEstimate,
    /// mean of the M cells' rates
    pub grand_mean: f64,
    /// cell x unit residual mean square; `None` with one cell, or units worth one
    pub ms_interaction: Option<f64>,
    /// variance of the cell rates
    pub var_means: f64,
    /// how much of the lead over the grand mean is kept, in [0, 1]
    pub shrink_factor: f64,
    /// grand mean + shrink factor x lead
    pub shrunk_rate: f64,
}

/// Rates this close are equal: with unequal repeats they are sums of rounded fractions.
const SAME: f64 = 1e-12;

/// The winner among the cells (same units and weights in each) at simultaneous two-sided error
/// `alpha`. Weights enter as in F1: averages are theirs, and n is what they are worth.
/// Errors: no cell, cells over different units, alpha out of range.
pub fn winner(cells: &[Units], alpha: f64) -> Result<Winner, StatsError> {
    check_alpha(alpha)?;
    let first = cells.first().ok_or(StatsError::NoTasks)?;
    for cell in cells {
        first.check_pairs_with(cell)?;
    }
    let means: Vec<f64> = cells.iter().map(Units::mean).collect();
    let count = means.len() as f64;
    let grand_mean = means.iter().sum::<f64>() / count;
    let index = (0..means.len()).fold(0, |best, i| {
        if means[i] > means[best] + SAME {
            i
        } else {
            best
        }
    });
    let squares: f64 = means.iter().map(|m| (m - grand_mean).powi(2)).sum();
    let var_means = if cells.len() > 1 {
        squares / (count - 1.0)
    } else {
        0.0
    };
    let ms_interaction = interaction(cells, &means, grand_mean);
    let equal = means.iter().all(|m| (m - means[0]).abs() <= SAME);
    let shrink_factor = match ms_interaction {
        Some(ms) if cells.len() >= 4 && !equal => {
            let noise = ms / first.n_weight() / var_means;
            (1.0 - (count - 3.0) / (count - 1.0) * noise).clamp(0.0, 1.0)
        }
        Some(_) if cells.len() >= 4 => 0.0,
        _ => 1.0,
    };
    Ok(Winner {
        index,
        simultaneous: korn_graubard(&cells[index], alpha / count)?,
        grand_mean,
        ms_interaction,
        var_means,
        shrink_factor,
        shrunk_rate: grand_mean + shrink_factor * (means[index] - grand_mean),
    })
}

/// Residual mean square of the two-way (cell x unit) layout of rates.
fn interaction(cells: &[Units], means: &[f64], grand_mean: f64) -> Option<f64> {
    let (first, count) = (&cells[0], cells.len() as f64);
    if cells.len() < 2 || first.len() < 2 {
        return None;
    }
    let residuals = (0..first.len()).map(|unit| {
        let here = || cells.iter().map(|cell| cell.values()[unit]);
        let unit_mean = here().sum::<f64>() / count;
        let apart = here().zip(means);
        apart
            .map(|(rate, mean)| (rate - mean - unit_mean + grand_mean).powi(2))
            .sum()
    });
    let squares = first.n_weight() * first.mean_of(&residuals.collect::<Vec<f64>>());
    Some(squares / ((count - 1.0) * (first.n_weight() - 1.0)))
}

#[cfg(test)]
mod tests {
    use super::super::Arm;
    use super::*;

    #[test]
    fn the_best_is_the_best_by_weight() {
        let units = |passes: &[u32]| {
            let arm = Arm::new(passes, &[5; 3]).unwrap();
            Units::weighted(arm, &[8.0, 1.0, 1.0]).unwrap()
        };
        let got = winner(&[units(&[2, 5, 5]), units(&[5, 2, 2])], 0.05).unwrap();
        assert_eq!(got.index, 1);
        assert!((got.simultaneous.mean - 0.88).abs() < 1e-12);
        assert_eq!(got.simultaneous.n_weight, units(&[0; 3]).n_weight());
    }

    #[test]
    fn two_units_show_how_cells_differ_from_task_to_task_and_one_does_not() {
        let of = |passes: &[u32]| Units::tasks(Arm::new(passes, &vec![5; passes.len()]).unwrap());
        let interaction =
            |a: &[u32], b: &[u32]| winner(&[of(a), of(b)], 0.05).unwrap().ms_interaction;
        // residuals of +-1/4 in four places, over one degree of freedom
        let crossed = interaction(&[5, 0], &[0, 0]).unwrap();
        assert!((crossed - 0.25).abs() < 1e-12, "{crossed}");
        assert_eq!(interaction(&[5], &[0]), None);
    }

    #[test]
    fn a_lone_cell_keeps_its_rate_and_its_plain_interval() {
        let units = Units::tasks(Arm::new(&[5, 3, 4], &[5; 3]).unwrap());
        let got = winner(std::slice::from_ref(&units), 0.05).unwrap();
        assert_eq!((got.index, got.shrink_factor), (0, 1.0));
        assert_eq!(got.simultaneous, korn_graubard(&units, 0.05).unwrap());
        assert_eq!(got.ms_interaction, None);
        assert!(winner(&[], 0.05).is_err());
    }
}
