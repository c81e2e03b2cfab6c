//! The beta distribution: log-gamma, the regularised incomplete beta function and its inverse.

/// ln(Gamma(x)) for x > 0.
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// ln of the binomial coefficient "n over k", k <= n.
pub(crate) fn ln_choose(n: u64, k: u64) -> f64 {
    if k == 0 || k >= n {
        return 0.0;
    }
    ln_gamma(n as f64 + 1.0) - ln_gamma(k as f64 + 1.0) - ln_gamma((n - k) as f64 + 1.0)
}

/// P(X <= x) for X ~ Beta(a, b), a and b positive; 0 below 0 and 1 above 1.
pub fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    Beta::new(a, b).cdf(x)
}

/// The x with P(X <= x) = p for X ~ Beta(a, b), a and b positive, p in [0, 1].
pub fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    if p <= 0.0 {
        return 0.0;
    }
    if p >= 1.0 {
        return 1.0;
    }
    let beta = Beta::new(a, b);
    // from the far end only where the answer lies beyond the mean, so that no tiny x is lost in 1 - x
    if p > 0.5 && p > beta.cdf(a / (a + b)) {
        1.0 - Beta::new(b, a).lower_quantile(1.0 - p)
    } else {
        beta.lower_quantile(p)
    }
}

/// A beta distribution with its normalising constant, which one quantile needs many times.
struct Beta {
    a: f64,
    b: f64,
    ln_norm: f64,
}

impl Beta {
    fn new(a: f64, b: f64) -> Self {
        Self {
            a,
            b,
            ln_norm: ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b),
        }
    }

    /// ln of x^a (1-x)^b / B(a,b): the density times x(1-x), and the factor of the fraction.
    fn ln_front(&self, x: f64) -> f64 {
        self.a * x.ln() + self.b * libm::log1p(-x) - self.ln_norm
    }

    /// 0 < x < 1. The continued fraction converges fast on the side where x is below the mean.
    fn cdf(&self, x: f64) -> f64 {
        let front = self.ln_front(x).exp();
        if x < (self.a + 1.0) / (self.a + self.b + 2.0) {
            front * fraction(self.a, self.b, x) / self.a
        } else {
            1.0 - front * fraction(self.b, self.a, 1.0 - x) / self.b
        }
    }

    /// Quantile for a p that is not close to 1: Newton on ln P against ln x, where the curve is nearly straight in
    /// the tail, inside a bracket that shrinks at every step.
    fn lower_quantile(&self, p: f64) -> f64 {
        let ln_p = p.ln();
        let (mut low, mut high) = (f64::NEG_INFINITY, 0.0_f64);
        let mut u = self.guess(p, ln_p).clamp(1e-300, 1.0 - 1e-16).ln();
        for _ in 0..200 {
            let x = u.exp();
            let value = self.cdf(x);
            if value < p {
                low = u;
            } else {
                high = u;
            }
            let slope = self.ln_front(x).exp() / ((1.0 - x) * value);
            let step = (value.ln() - ln_p) / slope;
            let next = u - step;
            let inside = next.is_finite() && next > low && next < high;
            if inside && step.abs() < 1e-9 {
                return next.exp();
            }
            u = if inside { next } else { middle(low, high) };
            if high - low < 1e-15 * low.abs().max(1.0) || u < -700.0 {
                break;
            }
        }
        u.exp()
    }

    /// Starting value: the normal approximation 26.5.22 of Abramowitz and Stegun where both
    /// shapes exceed 1, the power law of the lower tail otherwise.
    fn guess(&self, p: f64, ln_p: f64) -> f64 {
        let (a, b) = (self.a, self.b);
        if a > 1.0 && b > 1.0 {
            let y = -super::normal::normal_quantile(p);
            let lambda = (y * y - 3.0) / 6.0;
            let (ra, rb) = (1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0));
            let h = 2.0 / (ra + rb);
            let w = y * (h + lambda).max(0.0).sqrt() / h
                - (rb - ra) * (lambda + 5.0 / 6.0 - 2.0 / (3.0 * h));
            a / (a + b * (2.0 * w).exp())
        } else {
            ((ln_p + self.ln_norm + a.ln()) / a).exp().min(0.9)
        }
    }
}

fn middle(low: f64, high: f64) -> f64 {
    if low == f64::NEG_INFINITY {
        (high - 1.0) * 2.0
    } else {
        0.5 * (low + high)
    }
}

/// The continued fraction 26.5.8 of Abramowitz and Stegun by the modified Lentz rule.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in 1..10_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away(1.0 + even * d);
        c = away(1.0 + even / c);
        value *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away(1.0 + odd * d);
        c = away(1.0 + odd / c);
        value *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_undoes_the_distribution_function() {
        for (a, b) in [
            (0.5, 0.5),
            (1.0, 7.0),
            (4.2, 1.0),
            (20.5, 3.25),
            (900.0, 300.5),
            (1e-3, 2.0),
            (3.0, 4e4),
        ] {
            for p in [1e-12, 1e-5, 0.01, 0.3, 0.5, 0.7, 0.99, 1.0 - 1e-6] {
                let x = beta_quantile(p, a, b);
                assert!((0.0..=1.0).contains(&x), "a={a} b={b} p={p}: {x}");
                let back = beta_cdf(x, a, b);
                let at_the_end = !(1e-290..=1.0 - 1e-9).contains(&x);
                assert!(
                    at_the_end || (back - p).abs() < 1e-9 * p.min(1.0 - p).max(1e-4),
                    "a={a} b={b} p={p}: {back}"
                );
            }
        }
    }

    #[test]
    fn closed_forms() {
        assert!((beta_quantile(0.025, 4.0, 1.0) - 0.025_f64.powf(0.25)).abs() < 1e-14);
        assert!((beta_cdf(0.3, 1.0, 1.0) - 0.3).abs() < 1e-15);
    }
}
