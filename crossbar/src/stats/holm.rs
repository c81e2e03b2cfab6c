//! Holm's step-down correction (1979): family-wise error over several p-values.

/// The comparisons that share one error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family {
    /// the error of the whole family: any false claim among all of them
    pub alpha: f64,
    /// comparisons that were planned and have no p-value. They take the last places, as if their p
    /// were 1, so that nothing is easier to claim for their absence
    pub absent: usize,
}

/// A family whose every comparison has its p-value.
impl From<f64> for Family {
    fn from(alpha: f64) -> Self {
        Self { alpha, absent: 0 }
    }
}

/// What Holm's procedure says about one of J comparisons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HolmStep {
    /// place in the order of the p-values, from 0; ties keep the input order
    pub step: usize,
    /// the error level of this step, alpha / (J - step), J with the absent ones
    pub threshold: f64,
    /// adjusted p, in [0, 1]
    pub adjusted_p: f64,
    /// whether this and every earlier step is at or below its threshold
    pub rejected: bool,
}

/// Adjusted p-values in the order of the input: monotone along the sorted p, at most 1.
pub fn holm(p: &[f64]) -> Vec<f64> {
    holm_adjusted(p, 0)
}

/// The same in a family with `absent` further comparisons that have no p-value.
pub fn holm_adjusted(p: &[f64], absent: usize) -> Vec<f64> {
    holm_steps(p, Family { alpha: 1.0, absent })
        .into_iter()
        .map(|step| step.adjusted_p)
        .collect()
}

/// The whole procedure at the family's error, in the order of the input.
pub fn holm_steps(p: &[f64], family: impl Into<Family>) -> Vec<HolmStep> {
    let family = family.into();
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let none = HolmStep {
        step: 0,
        threshold: 0.0,
        adjusted_p: 1.0,
        rejected: false,
    };
    let mut steps = vec![none; p.len()];
    let (mut running, mut going) = (0.0_f64, true);
    for (step, &j) in order.iter().enumerate() {
        let left = (p.len() + family.absent - step) as f64;
        let threshold = family.alpha / left;
        running = running.max((left * p[j]).min(1.0));
        going = going && p[j] <= threshold;
        steps[j] = HolmStep {
            step,
            threshold,
            adjusted_p: running,
            rejected: going,
        };
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pinned_values() {
        let adjusted = holm(&[0.01, 0.04, 0.03]);
        for (got, want) in adjusted.iter().zip([0.03, 0.06, 0.06]) {
            assert!((got - want).abs() < 1e-15, "{adjusted:?}");
        }
        assert_eq!(holm(&[0.9, 0.8]), vec![1.0, 1.0]);
        assert_eq!(holm(&[]), Vec::<f64>::new());
    }

    #[test]
    fn an_absent_comparison_counts_as_one_whose_p_is_1() {
        let p = [0.04, 0.001, 0.02, 0.3];
        for absent in [1, 3] {
            let with = [&p[..], &vec![1.0; absent]].concat();
            let family = Family {
                alpha: 0.05,
                absent,
            };
            assert_eq!(holm_steps(&p, family), holm_steps(&with, 0.05)[..4]);
            assert_eq!(holm_adjusted(&p, absent), holm(&with)[..4]);
        }
        assert!(holm_adjusted(&p, 1)[1] > holm(&p)[1]);
    }

    #[test]
    fn a_failed_step_stops_the_later_ones() {
        let steps = holm_steps(&[0.04, 0.001, 0.045], 0.05);
        assert_eq!(
            steps.iter().map(|s| s.rejected).collect::<Vec<_>>(),
            [false, true, false]
        );
        assert_eq!(steps.iter().map(|s| s.step).collect::<Vec<_>>(), [1, 0, 2]);
    }
}
