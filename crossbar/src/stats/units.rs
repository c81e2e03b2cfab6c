//! Units of inference: tasks, weighted tasks, or families of tasks, as values in [0, 1] with
//! weights that sum to 1 (formula F1 of the corrections).

use super::arm::Arm;
use super::error::StatsError;
use super::limits::in_range;

/// How families of tasks enter a mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyWeight {
    /// Each family counts as many times as it has tasks: the mean is that of the raw table.
    ByTasks,
    /// Each family counts once.
    Equal,
}

/// Whether every unit sits at one end, decided from counts where there are counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    AllPass,
    AllFail,
    Inside,
}

/// Values of one arm, unit by unit. Build the arms of a comparison the same way.
#[derive(Clone, Debug)]
pub struct Units {
    values: Vec<f64>,
    /// `None`: equal weights
    weights: Option<Vec<f64>>,
    n_weight: f64,
    mean: f64,
    deff_floor: f64,
    edge: Edge,
}

/// Scores this close to 0 or 1 count as at the end: they are sums of rounded fractions.
const EDGE_SLACK: f64 = 1e-12;

impl Units {
    /// Every task counts once. The design effect is at least 1/(largest number of repeats).
    pub fn tasks(arm: Arm<'_>) -> Self {
        let mut units = Self::build(
            arm.rates(),
            None,
            1.0 / f64::from(arm.max_runs()),
            edge_of(arm),
        );
        if units.edge == Edge::Inside {
            units.mean = arm.mean();
        }
        units
    }

    /// Tasks with weights (any positive scale; normalised here). For strata pass W_h/n_h for every
    /// task of stratum h. Errors: another number of weights than tasks, a weight that isn't
    /// positive and finite.
    pub fn weighted(arm: Arm<'_>, weights: &[f64]) -> Result<Self, StatsError> {
        if weights.len() != arm.tasks() {
            return Err(StatsError::LengthMismatch {
                left: arm.tasks(),
                right: weights.len(),
            });
        }
        for &weight in weights {
            in_range("task weight", weight, weight > 0.0 && weight.is_finite())?;
        }
        Ok(Self::build(
            arm.rates(),
            Some(weights),
            1.0 / f64::from(arm.max_runs()),
            edge_of(arm),
        ))
    }

    /// Families as units: `family[i]` is the family number of task i (any numbers; a family's
    /// value is the mean of its task rates). The design effect has no floor here.
    /// Errors: another number of entries than tasks.
    pub fn families(
        arm: Arm<'_>,
        family: &[usize],
        weight: FamilyWeight,
    ) -> Result<Self, StatsError> {
        if family.len() != arm.tasks() {
            return Err(StatsError::LengthMismatch {
                left: arm.tasks(),
                right: family.len(),
            });
        }
        let mut sums = std::collections::BTreeMap::<usize, (f64, f64)>::new();
        for (&family, rate) in family.iter().zip(arm.rates()) {
            let entry = sums.entry(family).or_insert((0.0, 0.0));
            entry.0 += rate;
            entry.1 += 1.0;
        }
        let values = sums.values().map(|(sum, size)| sum / size).collect();
        let sizes: Vec<f64> = sums.values().map(|(_, size)| *size).collect();
        let weights = (weight == FamilyWeight::ByTasks).then_some(sizes.as_slice());
        Ok(Self::build(values, weights, 0.0, edge_of(arm)))
    }

    /// Graded scores in [0, 1] (or pass^k values), every task once; no floor on the design effect.
    /// Errors: no score, a score outside [0, 1].
    pub fn graded(scores: &[f64]) -> Result<Self, StatsError> {
        if scores.is_empty() {
            return Err(StatsError::NoTasks);
        }
        for &score in scores {
            in_range("score", score, (0.0..=1.0).contains(&score))?;
        }
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        let edge = if mean >= 1.0 - EDGE_SLACK {
            Edge::AllPass
        } else if mean <= EDGE_SLACK {
            Edge::AllFail
        } else {
            Edge::Inside
        };
        Ok(Self::build(scores.to_vec(), None, 0.0, edge))
    }

    fn build(values: Vec<f64>, weights: Option<&[f64]>, deff_floor: f64, edge: Edge) -> Self {
        let n = values.len() as f64;
        let weights = weights.filter(|w| w.iter().any(|v| *v != w[0])).map(|w| {
            let total: f64 = w.iter().sum();
            w.iter().map(|v| v / total).collect::<Vec<f64>>()
        });
        let n_weight = weights
            .as_ref()
            .map_or(n, |w| 1.0 / w.iter().map(|v| v * v).sum::<f64>());
        let mut units = Self {
            values,
            weights,
            n_weight,
            mean: 0.0,
            deff_floor,
            edge,
        };
        units.mean = match edge {
            Edge::AllPass => 1.0,
            Edge::AllFail => 0.0,
            Edge::Inside => units.average(|x| x),
        };
        units
    }

    /// Number of units, at least 1.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Never true: there is always a unit.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The weighted mean, in [0, 1].
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// How many equally weighted units these weights are worth: 1 / (sum of squared weights).
    pub fn n_weight(&self) -> f64 {
        self.n_weight
    }

    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    pub(crate) fn deff_floor(&self) -> f64 {
        self.deff_floor
    }

    pub(crate) fn edge(&self) -> Edge {
        self.edge
    }

    /// The weight of each unit over the mean weight: 1 everywhere without weights.
    pub(crate) fn shares(&self) -> impl Iterator<Item = f64> + '_ {
        let n = self.values.len();
        let share = move |at: usize| self.weights.as_ref().map_or(1.0, |w| w[at] * n as f64);
        (0..n).map(share)
    }

    /// Weighted average of `f` over the values.
    pub(crate) fn average(&self, f: impl Fn(f64) -> f64) -> f64 {
        match &self.weights {
            None => self.values.iter().map(|&x| f(x)).sum::<f64>() / self.values.len() as f64,
            Some(w) => self.values.iter().zip(w).map(|(&x, w)| w * f(x)).sum(),
        }
    }

    /// Weighted average of the products of two arms over the same units.
    pub(crate) fn average_product(&self, other: &Self) -> f64 {
        let products = self.values.iter().zip(&other.values).map(|(x, y)| x * y);
        match &self.weights {
            None => products.sum::<f64>() / self.values.len() as f64,
            Some(w) => products.zip(w).map(|(xy, w)| w * xy).sum(),
        }
    }

    /// Rejects a partner with another number of units or other weights.
    pub(crate) fn check_pairs_with(&self, other: &Self) -> Result<(), StatsError> {
        if self.len() != other.len() {
            return Err(StatsError::LengthMismatch {
                left: self.len(),
                right: other.len(),
            });
        }
        if self.weights == other.weights {
            Ok(())
        } else {
            Err(StatsError::WeightsDiffer)
        }
    }
}

fn edge_of(arm: Arm<'_>) -> Edge {
    if arm.all_pass() {
        Edge::AllPass
    } else if arm.all_fail() {
        Edge::AllFail
    } else {
        Edge::Inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_of_any_scale_are_no_weights() {
        let arm = Arm::new(&[1, 2, 3], &[5, 5, 5]).unwrap();
        assert_eq!(Units::weighted(arm, &[7.0; 3]).unwrap().n_weight(), 3.0);
        assert!(Units::weighted(arm, &[1.0, 0.0, 1.0]).is_err());
        assert!(Units::weighted(arm, &[1.0, f64::NAN, 1.0]).is_err());
    }

    #[test]
    fn families_by_tasks_keep_the_mean_of_the_raw_table() {
        let arm = Arm::new(&[5, 0, 0, 0], &[5, 5, 5, 5]).unwrap();
        let by_tasks = Units::families(arm, &[9, 2, 2, 2], FamilyWeight::ByTasks).unwrap();
        let equal = Units::families(arm, &[9, 2, 2, 2], FamilyWeight::Equal).unwrap();
        assert!((by_tasks.mean() - 0.25).abs() < 1e-15);
        assert!((equal.mean() - 0.5).abs() < 1e-15);
    }
}
