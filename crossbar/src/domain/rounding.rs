//! The one rounding of everything that is printed.

/// What the arithmetic adds to or takes from a ratio of counts, in steps: far more than it does,
/// and far less than what lies between two ratios of counts below 10^8.
const DUST: f64 = 1e-9;

/// A value in whole steps of `1 / steps`, half away from zero: 0.1625 in thousandths is 163. What
/// the arithmetic left beside a half counts as that half, so that 39 of 240 reads the same however
/// it was computed: as one ratio, or as a mean of the tasks' rates.
#[must_use]
pub fn in_steps(value: f64, steps: f64) -> f64 {
    let exact = value * steps;
    (exact.abs() + 0.5 + DUST).floor().copysign(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_goes_away_from_zero_whatever_the_arithmetic_left_beside_it() {
        // 39 of 240, as one ratio and as the mean of 24 tasks' rates.
        let mean = (0..24).map(|task| f64::from(1 + u32::from(task < 15)) / 10.0);
        let mean = mean.sum::<f64>() / 24.0;
        for ratio in [39.0 / 240.0, mean, 0.1625 - 1e-15, 0.1625 + 1e-15] {
            assert_eq!(
                (in_steps(ratio, 1e3), in_steps(-ratio, 1e3)),
                (163.0, -163.0)
            );
        }
        assert_eq!(in_steps(0.162_499, 1e3), 162.0);
        assert_eq!(in_steps(0.025, 1e2), 3.0);
        assert_eq!(in_steps(0.0, 1e3), 0.0);
    }

    #[test]
    fn a_ratio_of_counts_rounds_as_its_decimal_does() {
        for n in 1..400_u64 {
            for k in 0..=n {
                // By whole numbers: half away from zero is (2000 k + n) / 2n.
                let exact = (2_000 * k + n) / (2 * n);
                assert_eq!(
                    in_steps(k as f64 / n as f64, 1e3),
                    exact as f64,
                    "{k} of {n}"
                );
            }
        }
    }
}
