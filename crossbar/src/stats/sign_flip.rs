//! "Do the two patterns of passes differ?": the exact sign-flip test of task differences by
//! integer convolution (formula 3.2, unequal repeats by rule A8). Exact for exchangeable cells;
//! it is no claim about which mean is higher (up to 32% false claims against a specialist).

use std::collections::BTreeMap;

use super::arm::Arm;
use super::error::StatsError;
use super::units::Units;

/// The test over all 2^n sign vectors of the differences.
#[derive(Clone, Debug, PartialEq)]
pub struct SignFlip {
    /// difference of each unit (task or family) in integer steps, a minus b
    pub units: Vec<i64>,
    /// integer steps of one whole pass rate: the difference of rates is units / scale
    pub scale: u64,
    /// units whose difference isn't 0
    pub differing: usize,
    /// P(|S| >= |s|)
    pub p_two_sided: f64,
    /// two-sided p less half the mass at |s|
    pub mid_p: f64,
    /// P(S >= s)
    pub p_greater: f64,
}

/// Largest least common multiple of the repeats that is used as the scale.
const MAX_SCALE: u64 = 2520;
/// The grid for repeats whose multiple is larger.
const GRID: u64 = 1000;

/// Sign-flip test of a against b, task by task; repeats may differ, all rollouts are used.
/// Errors: other tasks in the two arms.
pub fn sign_flip(a: Arm<'_>, b: Arm<'_>) -> Result<SignFlip, StatsError> {
    a.check_same_tasks(&b)?;
    let (scale, differences) = scaled_differences(a, b);
    Ok(test(differences, scale))
}

/// The same with families as units: `family[i]` is the family number of task i, and differences
/// are summed within a family (units in order of first appearance).
/// Errors: other tasks in the two arms, another number of family entries.
pub fn sign_flip_families(
    a: Arm<'_>,
    b: Arm<'_>,
    family: &[usize],
) -> Result<SignFlip, StatsError> {
    a.check_same_tasks(&b)?;
    if family.len() != a.tasks() {
        return Err(StatsError::LengthMismatch {
            left: a.tasks(),
            right: family.len(),
        });
    }
    let (scale, differences) = scaled_differences(a, b);
    let mut place = BTreeMap::new();
    let mut sums: Vec<i64> = Vec::new();
    for (family, difference) in family.iter().zip(differences) {
        let unit = *place.entry(family).or_insert(sums.len());
        if unit == sums.len() {
            sums.push(0);
        }
        sums[unit] += difference;
    }
    Ok(test(sums, scale))
}

/// The same on the values and weights of units (graded scores, weighted tasks, families, shares of a
/// time limit): differences times weight, rounded to 1/1000 of the mean weight.
/// Errors: other units or weights in the two arms.
pub fn sign_flip_units(a: &Units, b: &Units) -> Result<SignFlip, StatsError> {
    a.check_pairs_with(b)?;
    let steps = |(x, y): (&f64, &f64), share: f64| ((x - y) * share * GRID as f64).round() as i64;
    let units = a.values().iter().zip(b.values()).zip(a.shares());
    Ok(test(
        units.map(|(pair, share)| steps(pair, share)).collect(),
        GRID,
    ))
}

/// The test on differences that are integers already (with equal repeats: passes of a minus
/// passes of b).
pub fn sign_flip_counts(differences: &[i64]) -> SignFlip {
    test(differences.to_vec(), 1)
}

/// Differences of the pass rates in steps of 1/scale, and the scale.
fn scaled_differences(a: Arm<'_>, b: Arm<'_>) -> (u64, Vec<i64>) {
    let mut scale = 1;
    for &runs in a.runs().iter().chain(b.runs()) {
        scale = least_common_multiple(scale, u64::from(runs));
        if scale > MAX_SCALE {
            break;
        }
    }
    let exact = scale <= MAX_SCALE;
    let scale = if exact { scale } else { GRID };
    let steps = |(passes, runs): (u32, u32)| f64::from(passes) * scale as f64 / f64::from(runs);
    // with an exact scale both terms are whole numbers, so rounding changes nothing
    let differences = a
        .counts()
        .zip(b.counts())
        .map(|(a, b)| (steps(a) - steps(b)).round() as i64);
    (scale, differences.collect())
}

fn test(units: Vec<i64>, scale: u64) -> SignFlip {
    let sum: i64 = units.iter().sum();
    let step = units
        .iter()
        .fold(0, |g, &d| greatest_common_divisor(g, d.unsigned_abs()))
        .max(1);
    let sizes: Vec<usize> = units
        .iter()
        .filter(|d| **d != 0)
        .map(|d| (d.unsigned_abs() / step) as usize)
        .collect();
    let observed = (sum.unsigned_abs() / step) as usize;
    let (beyond, at) = upper_tail(&sizes, observed);
    let (two_sided, mass_at) = if observed == 0 {
        (1.0, at)
    } else {
        (2.0 * (beyond + at), 2.0 * at)
    };
    SignFlip {
        differing: sizes.len(),
        units,
        scale,
        p_two_sided: f64::min(two_sided, 1.0),
        mid_p: f64::min(two_sided - 0.5 * mass_at, 1.0),
        p_greater: if sum >= 0 { beyond + at } else { 1.0 - beyond },
    }
}

/// P(S > s) and P(S = s) for s >= 0, where S is the sum of the sizes with random signs.
/// S = total - 2u with u the sum of a random subset, so S >= s is u <= (total - s) / 2: only that
/// lower half of the subset sums is ever built.
fn upper_tail(sizes: &[usize], observed: usize) -> (f64, f64) {
    let total: usize = sizes.iter().sum();
    let at = (total - observed) / 2;
    let mut mass = vec![0.0; at + 1];
    mass[0] = 1.0;
    let mut reach = 0;
    for &size in sizes {
        reach = (reach + size).min(at);
        // downwards, so that every entry still holds the state before this size
        for u in (0..=reach).rev() {
            let with = if u >= size { mass[u - size] } else { 0.0 };
            mass[u] = 0.5 * (mass[u] + with);
        }
    }
    (mass[..at].iter().sum(), mass[at])
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

fn least_common_multiple(a: u64, b: u64) -> u64 {
    a / greatest_common_divisor(a, b) * b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_tasks_never_reach_significance() {
        let test = sign_flip_counts(&[5, 5, 5, 5]);
        assert_eq!(
            (test.p_two_sided, test.mid_p, test.differing),
            (0.125, 0.0625, 4)
        );
    }

    #[test]
    fn equals_the_enumeration_of_all_signs() {
        let units = [3_i64, -1, 0, 4, 2, -6, 1];
        let sum: i64 = units.iter().sum();
        let mut hits = [0_u32; 2];
        for signs in 0..1_u32 << units.len() {
            let flipped: i64 = units
                .iter()
                .enumerate()
                .map(|(i, d)| if signs >> i & 1 == 1 { -d } else { *d })
                .sum();
            hits[0] += u32::from(flipped.abs() >= sum.abs());
            hits[1] += u32::from(flipped >= sum);
        }
        let test = sign_flip_counts(&units);
        assert_eq!(test.p_two_sided, f64::from(hits[0]) / 128.0);
        assert_eq!(test.p_greater, f64::from(hits[1]) / 128.0);
    }

    #[test]
    fn units_of_counts_give_the_test_of_counts() {
        let (a, b) = ([5, 3, 0, 4, 2, 5], [2, 3, 1, 0, 1, 4]);
        let arm = |passes| Arm::new(passes, &[5; 6]).unwrap();
        let counts = sign_flip(arm(&a), arm(&b)).unwrap();
        let plain = sign_flip_units(&Units::tasks(arm(&a)), &Units::tasks(arm(&b))).unwrap();
        assert_eq!(plain.p_two_sided, counts.p_two_sided);
        assert_eq!((plain.scale, plain.units[0]), (1000, 600));
        let weights = [3.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        let heavy = |passes| Units::weighted(arm(passes), &weights).unwrap();
        let weighted = sign_flip_units(&heavy(&a), &heavy(&b)).unwrap();
        assert_eq!(weighted.units[..2], [1350, 0]);
        assert!(sign_flip_units(&heavy(&a), &Units::tasks(arm(&b))).is_err());
    }

    #[test]
    fn repeats_with_a_large_multiple_fall_back_to_the_grid() {
        let (runs_a, runs_b) = ([11, 13], [17, 19]);
        let test = sign_flip(
            Arm::new(&[11, 0], &runs_a).unwrap(),
            Arm::new(&[0, 19], &runs_b).unwrap(),
        )
        .unwrap();
        assert_eq!((test.scale, test.units), (1000, vec![1000, -1000]));
        let scale = |runs: &[u32]| {
            let arm = Arm::new(runs, runs).unwrap();
            sign_flip(arm, arm).unwrap().scale
        };
        // 5 x 7 x 8 x 9 is the largest multiple that is used, and a later task may go beyond it
        assert_eq!(
            (scale(&[5, 7, 8, 9]), scale(&[5, 7, 8, 9, 11])),
            (2520, 1000)
        );
        // a multiple that no 64 bits hold
        assert_eq!(
            scale(&[64, 59, 53, 47, 43, 41, 37, 31, 29, 23, 19, 17, 13]),
            1000
        );
    }
}
