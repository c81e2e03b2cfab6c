//! Whether a promise is kept, with the luck of the simulation allowed for: it fails where the
//! measured figure is beyond the bound by more than sampling explains once in a thousand.

use super::figure::{Figure, Tally, mean};
use super::promise::Bound;
use crate::stats::{beta_quantile, binomial_at_least, normal_quantile};

/// How rarely a promise that is just kept may be called broken.
const LUCK: f64 = 0.001;

/// The power with which a broken promise is to be seen.
const POWER: f64 = 0.8;

/// What a figure says about its promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// On the promised side of the bound.
    Holds,
    /// Beyond the bound, by no more than luck explains.
    WithinLuck,
    /// Beyond the bound, by more than luck explains.
    Fails,
    /// No sweep says anything about it.
    NothingSeen,
}

/// A figure held against a bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// What it comes to.
    pub word: Word,
    /// The mildest true figure on the wrong side that so many sweeps show to be wrong in 80 of 100
    /// such runs; `None` for a mean, and where no sweep says anything.
    pub visible: Option<f64>,
}

/// Holds a tally against a bound.
#[must_use]
pub fn judge(tally: &Tally, figure: Figure, bound: Bound) -> Judgement {
    let word = match figure {
        _ if tally.n() == 0 => Word::NothingSeen,
        Figure::Share => share(tally, bound),
        Figure::Mean => average(tally, bound),
    };
    let visible = match figure {
        Figure::Share => visible(tally.n(), bound),
        Figure::Mean => None,
    };
    Judgement { word, visible }
}

fn share(tally: &Tally, bound: Bound) -> Word {
    let (count, trials) = (tally.sum().round(), u64::from(tally.n()));
    let n = trials as f64;
    let at_least = |count: f64, rate: f64| binomial_at_least(count as u64, trials, rate);
    let (beyond, luck) = match bound {
        Bound::AtMost(most) => (count > most * n, at_least(count, most)),
        Bound::AtLeast(least) => (count < least * n, at_least(n - count, 1.0 - least)),
    };
    word(beyond, luck < LUCK)
}

fn average(tally: &Tally, bound: Bound) -> Word {
    let Some((mean, se)) = mean(tally) else {
        return Word::NothingSeen;
    };
    let reach = normal_quantile(1.0 - LUCK) * se;
    match bound {
        Bound::AtMost(most) => word(mean > most, mean - reach > most),
        Bound::AtLeast(least) => word(mean < least, mean + reach < least),
    }
}

fn word(beyond: bool, proven: bool) -> Word {
    match (beyond, proven) {
        (false, _) => Word::Holds,
        (true, false) => Word::WithinLuck,
        (true, true) => Word::Fails,
    }
}

/// The mildest true share on the wrong side of a bound that `n` sweeps show to be wrong with 80%
/// power; `None` where not even the worst would.
#[must_use]
pub fn visible(n: u32, bound: Bound) -> Option<f64> {
    let trials = f64::from(n);
    let rate = match bound {
        Bound::AtMost(most) => most,
        Bound::AtLeast(least) => 1.0 - least,
    };
    let known = |count: &u32| binomial_at_least((*count).into(), n.into(), rate) < LUCK;
    let critical = (1..=n).find(known)?;
    let count = f64::from(critical);
    let seen = beta_quantile(POWER, count, trials - count + 1.0);
    Some(match bound {
        Bound::AtMost(_) => seen,
        Bound::AtLeast(_) => 1.0 - seen,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_fails_only_beyond_luck() {
        let of = |happened, bound| judge(&Tally::of(happened, 1000), Figure::Share, bound).word;
        let most = Bound::AtMost(0.05);
        // P(X >= 73 | 1000, .05) = .0010006 and P(X >= 74) = .00064
        assert_eq!(of(50, most), Word::Holds);
        assert_eq!(of(51, most), Word::WithinLuck);
        assert_eq!(of(72, most), Word::WithinLuck);
        assert_eq!(of(74, most), Word::Fails);
        let least = Bound::AtLeast(0.95);
        assert_eq!(of(950, least), Word::Holds);
        assert_eq!(of(928, least), Word::WithinLuck);
        assert_eq!(of(926, least), Word::Fails);
        assert_eq!(
            judge(&Tally::default(), Figure::Share, most).word,
            Word::NothingSeen
        );
    }

    #[test]
    fn a_mean_fails_only_beyond_luck() {
        let of =
            |happened| judge(&Tally::of(happened, 100), Figure::Mean, Bound::AtLeast(0.5)).word;
        assert_eq!(of(50), Word::Holds);
        // 3.09 x .0483 = .149
        assert_eq!(of(36), Word::WithinLuck);
        assert_eq!(of(34), Word::Fails);
    }

    #[test]
    fn what_can_be_seen_comes_nearer_with_more_sweeps() {
        let most = Bound::AtMost(0.05);
        let (few, many) = (visible(200, most).unwrap(), visible(4000, most).unwrap());
        assert!(few > 0.11 && few < 0.14, "{few}");
        assert!(many > 0.06 && many < 0.066, "{many}");
        let cover = visible(1000, Bound::AtLeast(0.95)).unwrap();
        assert!(cover < 0.93 && cover > 0.91, "{cover}");
        assert_eq!(visible(1, most), None);
    }
}
