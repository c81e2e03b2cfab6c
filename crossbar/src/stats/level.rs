//! The smallest error level at which a limit has passed a threshold: turns an interval into a p.

use super::normal::normal_cdf;

/// Normal quantile of the smallest level that is told apart (about 1e-16).
const Z_MAX: f64 = 8.2;

/// The smallest two-sided level in (0, 1] at which `excess(level)` is above 0 (the limit has
/// cleared the threshold), `None` if it isn't even at level 1. `excess` grows with the level.
///
/// The search runs over z, where limits are nearly straight, by false position with the Illinois
/// weighting inside a bracket; the returned level is on the side where the excess is positive.
pub(crate) fn smallest_level(excess: impl Fn(f64) -> f64) -> Option<f64> {
    let level = |z: f64| 2.0 * normal_cdf(-z);
    let mut low = (0.0, excess(1.0));
    if low.1 <= 0.0 {
        return None;
    }
    let mut high = (Z_MAX, excess(level(Z_MAX)));
    if high.1 > 0.0 {
        return Some(level(Z_MAX));
    }
    let mut kept_high = 0;
    for round in 0..200 {
        if high.0 - low.0 < 1e-10 {
            break;
        }
        let straight = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let margin = 0.25e-10;
        let z = if round % 8 == 7 || !straight.is_finite() {
            0.5 * (low.0 + high.0)
        } else {
            straight.clamp(low.0 + margin, high.0 - margin)
        };
        let value = excess(level(z));
        if value > 0.0 {
            if kept_high > 0 {
                high.1 *= 0.5;
            }
            (low, kept_high) = ((z, value), 1);
        } else {
            if kept_high < 0 {
                low.1 *= 0.5;
            }
            (high, kept_high) = ((z, value), -1);
        }
    }
    Some(level(low.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_crossing() {
        for target in [0.9, 0.3, 0.05, 1e-4, 1e-9] {
            let p = smallest_level(|level| level.ln() - f64::ln(target)).unwrap();
            assert!((p / target - 1.0).abs() < 1e-7, "{target}: {p}");
        }
        assert_eq!(smallest_level(|_| 0.0), None);
        assert_eq!(smallest_level(|_| -1.0), None);
        assert!(smallest_level(|_| 1.0).unwrap() < 1e-15);
    }

    /// The level that is found, and how many were tried.
    fn search(excess: impl Fn(f64) -> f64) -> (f64, u32) {
        let tried = std::cell::Cell::new(0);
        let found = smallest_level(|level| {
            tried.set(tried.get() + 1);
            excess(level)
        });
        (found.unwrap(), tried.get())
    }

    #[test]
    fn few_levels_are_tried_where_the_excess_bends_little_and_steps_are_found_all_the_same() {
        for target in [0.9, 0.3, 0.05, 1e-4, 1e-9] {
            let z = |level: f64| -super::super::normal::normal_quantile(level / 2.0);
            for ((found, tried), most) in [
                (search(|level| z(target) - z(level)), 4),
                (search(|level| level.ln() - f64::ln(target)), 13),
                (search(|level| level - target), 31),
                (search(|level| (level / target).powi(9) - 1.0), 68),
                (
                    search(|level| if level > target { 1.0 } else { -1e-6 }),
                    202,
                ),
                (
                    search(|level| if level > target { 1e-6 } else { -1.0 }),
                    202,
                ),
            ] {
                assert!((found / target - 1.0).abs() < 1e-7, "{target}: {found}");
                assert!(tried <= most, "{target}: {tried} levels, of {most}");
            }
        }
    }

    #[test]
    fn the_level_is_one_whose_excess_is_above_0() {
        let least = 2.0 * normal_cdf(-Z_MAX);
        assert_eq!(smallest_level(|_| 1.0), Some(least));
        let (found, _) = search(|level| level - least);
        assert!(found > least);
        let (found, _) = search(|level| if level > 0.05 { 1.0 } else { 0.0 });
        assert!((found / 0.05 - 1.0).abs() < 1e-6, "{found}");
    }
}
