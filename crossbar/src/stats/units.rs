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
        check_weights(arm.tasks(), weights)?;
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
        let (values, sizes) = family_means(&arm.rates(), family)?;
        let weights = (weight == FamilyWeight::ByTasks).then_some(sizes.as_slice());
        Ok(Self::build(values, weights, 0.0, edge_of(arm)))
    }

    /// Graded scores in [0, 1] (or pass^k values), every task once; no floor on the design effect.
    /// Errors: no score, a score outside [0, 1].
    pub fn graded(scores: &[f64]) -> Result<Self, StatsError> {
        check_scores(scores)?;
        Ok(Self::scored(scores.to_vec(), None))
    }

    /// Graded scores of tasks with weights, as in [`weighted`](Self::weighted).
    /// Errors: those of `graded` and `weighted`.
    pub fn graded_weighted(scores: &[f64], weights: &[f64]) -> Result<Self, StatsError> {
        check_scores(scores)?;
        check_weights(scores.len(), weights)?;
        Ok(Self::scored(scores.to_vec(), Some(weights)))
    }

    /// Graded scores with families as units, as in [`families`](Self::families).
    /// Errors: those of `graded` and `families`.
    pub fn graded_families(
        scores: &[f64],
        family: &[usize],
        weight: FamilyWeight,
    ) -> Result<Self, StatsError> {
        check_scores(scores)?;
        let (values, sizes) = family_means(scores, family)?;
        let weights = (weight == FamilyWeight::ByTasks).then_some(sizes.as_slice());
        Ok(Self::scored(values, weights))
    }

    /// Other graded values of the same units, with the same weights.
    /// Errors: another number of values than units, a value outside [0, 1].
    pub(crate) fn revalued(&self, values: &[f64]) -> Result<Self, StatsError> {
        if values.len() != self.len() {
            return Err(StatsError::LengthMismatch {
                left: self.len(),
                right: values.len(),
            });
        }
        check_scores(values)?;
        Ok(Self::scored(values.to_vec(), self.weights.as_deref()))
    }

    fn scored(values: Vec<f64>, weights: Option<&[f64]>) -> Self {
        let mut units = Self::build(values, weights, 0.0, Edge::Inside);
        if units.mean >= 1.0 - EDGE_SLACK {
            (units.edge, units.mean) = (Edge::AllPass, 1.0);
        } else if units.mean <= EDGE_SLACK {
            (units.edge, units.mean) = (Edge::AllFail, 0.0);
        }
        units
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

    /// Weighted average of one number a unit.
    pub(crate) fn mean_of(&self, numbers: &[f64]) -> f64 {
        match &self.weights {
            None => numbers.iter().sum::<f64>() / numbers.len() as f64,
            Some(w) => numbers.iter().zip(w).map(|(x, w)| w * x).sum(),
        }
    }

    /// Variance of one number a unit with n - 1 below the line, n what the weights are worth;
    /// 0 where they are worth one unit.
    pub(crate) fn variance_of(&self, numbers: &[f64]) -> f64 {
        let mean = self.mean_of(numbers);
        let squares: f64 = numbers
            .iter()
            .zip(self.shares())
            .map(|(x, share)| share * (x - mean).powi(2))
            .sum();
        let n = self.n_weight;
        if n > 1.0 {
            squares * (n / self.len() as f64) / (n - 1.0)
        } else {
            0.0
        }
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

fn check_weights(tasks: usize, weights: &[f64]) -> Result<(), StatsError> {
    if weights.len() != tasks {
        return Err(StatsError::LengthMismatch {
            left: tasks,
            right: weights.len(),
        });
    }
    for &weight in weights {
        in_range("task weight", weight, weight > 0.0 && weight.is_finite())?;
    }
    Ok(())
}

fn check_scores(scores: &[f64]) -> Result<(), StatsError> {
    if scores.is_empty() {
        return Err(StatsError::NoTasks);
    }
    for &score in scores {
        in_range("score", score, (0.0..=1.0).contains(&score))?;
    }
    Ok(())
}

/// The mean of each family's values and its size, by family number.
pub(crate) fn family_means(
    values: &[f64],
    family: &[usize],
) -> Result<(Vec<f64>, Vec<f64>), StatsError> {
    if family.len() != values.len() {
        return Err(StatsError::LengthMismatch {
            left: values.len(),
            right: family.len(),
        });
    }
    let mut sums = std::collections::BTreeMap::<usize, (f64, f64)>::new();
    for (&family, value) in family.iter().zip(values) {
        let entry = sums.entry(family).or_insert((0.0, 0.0));
        entry.0 += value;
        entry.1 += 1.0;
    }
    Ok(sums.values().map(|(sum, size)| (sum / size, *size)).unzip())
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
    fn equal_weights_pair_with_none() {
        let arm = Arm::new(&[1, 2, 3], &[5, 5, 5]).unwrap();
        let (plain, even) = (Units::tasks(arm), Units::weighted(arm, &[7.0; 3]).unwrap());
        assert_eq!(plain.check_pairs_with(&even), Ok(()));
        assert!(!plain.is_empty());
    }

    #[test]
    fn a_mean_of_counts_is_that_of_the_counts() {
        // 0.1 + 0.2 + 0.3 is not 0.6 in binary fractions, and 6 of 30 is 0.2.
        let arm = Arm::new(&[1, 2, 3], &[10, 10, 10]).unwrap();
        assert_eq!(Units::tasks(arm).mean(), 0.2);
    }

    #[test]
    fn scores_at_an_end_but_for_rounding_are_at_the_end() {
        for near in [1.0 - 1e-13, 1.0 - 9e-13] {
            let units = Units::graded(&[near; 3]).unwrap();
            assert_eq!((units.edge(), units.mean()), (Edge::AllPass, 1.0));
            let units = Units::graded(&[1.0 - near; 3]).unwrap();
            assert_eq!((units.edge(), units.mean()), (Edge::AllFail, 0.0));
        }
        for inside in [1.0 - 1e-11, 1e-11] {
            assert_eq!(Units::graded(&[inside; 3]).unwrap().edge(), Edge::Inside);
        }
    }

    #[test]
    fn scores_are_grouped_as_passes_are() {
        let arm = Arm::new(&[5, 3, 0, 4], &[5; 4]).unwrap();
        let (family, weights) = ([4, 1, 4, 4], [1.0, 2.0, 3.0, 1.0]);
        let scores = arm.rates();
        let by = FamilyWeight::ByTasks;
        let families = Units::families(arm, &family, by).unwrap();
        let graded = Units::graded_families(&scores, &family, by).unwrap();
        assert_eq!(
            (families.mean(), families.n_weight(), families.values()),
            (graded.mean(), graded.n_weight(), graded.values())
        );
        let weighted = Units::weighted(arm, &weights).unwrap();
        let graded = Units::graded_weighted(&scores, &weights).unwrap();
        assert!((weighted.mean() - 3.0 / 7.0).abs() < 1e-15);
        assert_eq!(weighted.mean(), graded.mean());
        assert_eq!(graded.revalued(&[1.0; 4]).unwrap().mean(), 1.0);
        assert!(graded.revalued(&[1.0; 3]).is_err());
        // one weight apart from 0 is no variance at all
        let plain = Units::graded(&scores).unwrap();
        let numbers = [1.0, 2.0, 3.0, 6.0];
        assert!((plain.variance_of(&numbers) - 14.0 / 3.0).abs() < 1e-12);
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
