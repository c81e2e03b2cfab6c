//! What may be said at a look of a running design: the joint sign-flip test spends the error, and
//! MOVER at that look has the word about the direction (section 3.7, corrections 3i).

use super::directional::Direction;
use super::error::StatsError;
use super::mover::{Difference, Padding, Pair, mover};
use super::sequential_flip::{FlipDraws, SequentialFlip, sequential_flip};
use super::spending::Looks;

/// One challenger's data at the current look.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    /// the arms' units with everything gathered up to now
    pub pair: Pair<'a>,
    /// integer differences of every unit at each look up to now; see [`sequential_flip`]
    pub at_look: &'a [&'a [i64]],
}

/// What a look says about one challenger.
#[derive(Clone, Debug, PartialEq)]
pub struct SequentialClaim {
    /// the claim: the patterns differ at this look or an earlier one, and the interval excludes 0
    pub claim: Direction,
    /// the joint test; a stop without a claim is BORDERLINE, and the cell goes on
    pub pattern: SequentialFlip,
    /// two-sided error of the interval: what may have been spent at this look
    pub alpha: f64,
    /// the repeated interval at this look; its middle is too far out after an early stop (by 4 to
    /// 10 points where the gap is 10)
    pub interval: Difference,
}

/// The claim at the current look, the last of `path.at_look`. `looks` carries one challenger's error:
/// the family's over J. Measured false claims with the looks 3, 5, 7, 10: at most 3.6%, against a
/// specialist 2.2%; with tasks in four batches 3.9%.
/// Errors: as [`sequential_flip`] and [`mover`](super::mover()).
pub fn sequential_claim(
    path: Path<'_>,
    looks: &Looks,
    draws: FlipDraws,
    padding: Padding,
) -> Result<SequentialClaim, StatsError> {
    let pattern = sequential_flip(path.at_look, looks, draws)?;
    let alpha = looks.spent()[path.at_look.len() - 1];
    let interval = mover(path.pair, alpha, padding)?;
    let claim = if pattern.stop.is_none() {
        Direction::Unsettled
    } else if interval.lower > 0.0 {
        Direction::Better
    } else if interval.upper < 0.0 {
        Direction::Worse
    } else {
        Direction::Unsettled
    };
    Ok(SequentialClaim {
        claim,
        pattern,
        alpha,
        interval,
    })
}

/// Why a cell needs no more rollouts. None of these is a claim, so a rule may be ignored and no
/// error grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Futility {
    /// its upper limit is below the quality bar
    UnderTheBar,
    /// its difference's upper limit is below minus the margin
    BeyondTheMargin,
    /// its cost per success is above the best cell's by its lower limit
    TooDear,
}

/// A cell at a look, as plain limits at the usual level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// upper Korn-Graubard limit of its pass rate
    pub upper_rate: f64,
    /// upper MOVER limit of its difference from the baseline
    pub upper_difference: f64,
    /// lower limit of its cost per success; `None` where it isn't known
    pub lower_cost: Option<f64>,
}

/// What a cell is held against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hurdles {
    /// the quality bar, where one is set
    pub quality_bar: Option<f64>,
    /// the margin, a fraction of 0 or more
    pub margin: f64,
    /// the least cost per success among the cells that are still open, where it is known
    pub best_cost: Option<f64>,
}

/// Whether more rollouts of a cell are idle, and why; `None` keeps it in the running.
pub fn futility(prospect: Prospect, hurdles: Hurdles) -> Option<Futility> {
    let over = |cost: Option<f64>, best: Option<f64>| cost.zip(best).is_some_and(|(c, b)| c > b);
    if hurdles
        .quality_bar
        .is_some_and(|bar| prospect.upper_rate < bar)
    {
        Some(Futility::UnderTheBar)
    } else if prospect.upper_difference < -hurdles.margin {
        Some(Futility::BeyondTheMargin)
    } else if over(prospect.lower_cost, hurdles.best_cost) {
        Some(Futility::TooDear)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Arm, Spending, Units};
    use super::*;

    fn claim(passes: &[&[u32]], base: &[&[u32]], amounts: &[u64]) -> SequentialClaim {
        let looks = Looks::new(Spending::Pocock, 0.05, amounts).unwrap();
        let differences: Vec<Vec<i64>> = passes
            .iter()
            .zip(base)
            .map(|(a, b)| {
                a.iter()
                    .zip(*b)
                    .map(|(a, b)| i64::from(*a) - i64::from(*b))
                    .collect()
            })
            .collect();
        let at_look: Vec<&[i64]> = differences.iter().map(Vec::as_slice).collect();
        let now = passes.len() - 1;
        let units = |list: &[&[u32]]| {
            let runs = vec![amounts[now] as u32; list[now].len()];
            Units::tasks(Arm::new(list[now], &runs).unwrap())
        };
        let (a, b) = (units(passes), units(base));
        let path = Path {
            pair: Pair { a: &a, b: &b },
            at_look: &at_look,
        };
        let draws = FlipDraws {
            drawn: 999,
            seed: 3,
        };
        sequential_claim(path, &looks, draws, Padding::Normal).unwrap()
    }

    #[test]
    fn a_clear_loser_stops_at_the_first_look() {
        let got = claim(&[&[0; 12]], &[&[3; 12]], &[3, 5]);
        assert_eq!((got.claim, got.pattern.stop), (Direction::Worse, Some(0)));
        assert!(got.interval.upper < 0.0 && got.alpha < 0.05);
        let back = claim(&[&[3; 12]], &[&[0; 12]], &[3, 5]);
        assert_eq!(
            (back.claim, back.pattern.stop),
            (Direction::Better, Some(0))
        );
    }

    #[test]
    fn a_pattern_without_a_direction_is_no_claim() {
        // ten tasks a little worse: sign-flip is sure, the mean of other such tasks is open
        let got = claim(&[&[9; 10]], &[&[10; 10]], &[10]);
        assert_eq!(got.pattern.stop, Some(0));
        assert_eq!(got.claim, Direction::Unsettled);
    }

    #[test]
    fn hopeless_cells_are_told_apart() {
        let good = Prospect {
            upper_rate: 0.9,
            upper_difference: 0.05,
            lower_cost: Some(1.0),
        };
        let hurdles = Hurdles {
            quality_bar: Some(0.8),
            margin: 0.1,
            best_cost: Some(1.0),
        };
        let of = |prospect| futility(prospect, hurdles);
        assert_eq!(of(good), None);
        let at_every_hurdle = Prospect {
            upper_rate: 0.8,
            upper_difference: -0.1,
            lower_cost: Some(1.0),
        };
        assert_eq!(of(at_every_hurdle), None);
        let low = Prospect {
            upper_rate: 0.79,
            ..good
        };
        assert_eq!(of(low), Some(Futility::UnderTheBar));
        let worse = Prospect {
            upper_difference: -0.11,
            ..good
        };
        assert_eq!(of(worse), Some(Futility::BeyondTheMargin));
        let dear = Prospect {
            lower_cost: Some(1.01),
            ..good
        };
        assert_eq!(of(dear), Some(Futility::TooDear));
        let unknown = Prospect {
            lower_cost: None,
            ..good
        };
        assert_eq!(of(unknown), None);
    }
}
