//! Fisher's exact test of one 2x2 table: is a rate of infrastructure failures the same in both
//! arms? Not for rollouts pooled over tasks (31% false positives there).

use super::beta::ln_choose;

/// Tail probabilities of Fisher's test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FisherExact {
    /// sum over all tables no more likely than the observed one
    pub two_sided: f64,
    /// P(first cell <= observed)
    pub less: f64,
    /// P(first cell >= observed)
    pub greater: f64,
}

/// Tables whose probabilities differ by less than this share count as equally likely.
const SLACK: f64 = 1e-7;

/// Fisher's exact test of [[a, b], [c, d]], rows the two arms, columns the two outcomes.
/// An empty row or column gives 1 everywhere.
pub fn fisher_exact(table: [[u64; 2]; 2]) -> FisherExact {
    let [[a, b], [c, d]] = table;
    let (row_1, row_2, column) = (a + b, c + d, a + c);
    let ln_all = ln_choose(row_1 + row_2, column);
    let mass = |x: u64| (ln_choose(row_1, x) + ln_choose(row_2, column - x) - ln_all).exp();
    let limit = mass(a) * (1.0 + SLACK);
    let mut tails = FisherExact {
        two_sided: 0.0,
        less: 0.0,
        greater: 0.0,
    };
    for x in column.saturating_sub(row_2)..=column.min(row_1) {
        let mass = mass(x);
        if mass <= limit {
            tails.two_sided += mass;
        }
        if x <= a {
            tails.less += mass;
        }
        if x >= a {
            tails.greater += mass;
        }
    }
    let cap = |p: f64| p.min(1.0);
    FisherExact {
        two_sided: cap(tails.two_sided),
        less: cap(tails.less),
        greater: cap(tails.greater),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tea_tasting() {
        let test = fisher_exact([[3, 1], [1, 3]]);
        assert!(
            (test.two_sided - 34.0 / 70.0).abs() < 1e-12
                && (test.greater - 17.0 / 70.0).abs() < 1e-12
        );
        assert_eq!(fisher_exact([[0, 0], [3, 4]]).two_sided, 1.0);
    }
}
