//! What a method answers to a sweep: the verdict's own figures, or those that a method would put in
//! their place.

use super::design::Design;
use super::{CalibrateError, Method};
use crate::analysis::{Analysis, Comparison, Shown, Verdict};
use crate::domain::Estimate;
use crate::stats::{
    Arm, BootstrapEstimate, Direction, Limits, Padding, Pair, Resampling, Units, bootstrap_means,
    directional_holm, holm, noninferiority_holm, paired_bootstrap,
};

/// The answer to one sweep.
pub(super) struct Answer {
    pub(super) analysis: Analysis,
    /// The interval of every cell's rate, the baseline first.
    pub(super) rates: Vec<Limits>,
    /// Every challenger against the baseline.
    pub(super) versus: Vec<Versus>,
    /// The cell with the highest rate, and the lower limit of its rate.
    pub(super) best: Option<(usize, f64)>,
    /// The challengers that SWITCH names, in \[tasks like these\] and in \[these tasks\].
    pub(super) switch: [Option<usize>; 2],
}

/// A challenger against the baseline.
#[derive(Clone)]
pub(super) struct Versus {
    /// The difference at the plain level, over tasks like these.
    pub(super) like: Limits,
    /// The direction that is claimed over tasks like these.
    pub(super) direction: Option<Shown>,
    /// Whether it is said to be within the margin over tasks like these.
    pub(super) within: bool,
    /// The same over these tasks.
    pub(super) these: Option<These>,
}

#[derive(Clone, Copy)]
pub(super) struct These {
    pub(super) direction: Option<Shown>,
    pub(super) within: bool,
}

/// Resamples of a bootstrap.
const RESAMPLES: usize = 400;

impl Answer {
    /// A method's answer, where the shipped one is this analysis.
    pub(super) fn of(
        analysis: Analysis,
        method: Method,
        (design, seed): (&Design, u32),
    ) -> Result<Self, CalibrateError> {
        let shipped = Self::shipped(analysis);
        match method {
            Method::Shipped => Ok(shipped),
            Method::SignFlipDirection => Ok(shipped.by_sign_flip()),
            Method::BootstrapPercentile => shipped.by_bootstrap(design, seed),
            Method::UnpaddedCorrelation => shipped.unpadded(design),
        }
    }

    fn shipped(analysis: Analysis) -> Self {
        let rates = analysis.cells.iter().map(|cell| limits(cell.pass_rate));
        let place = |verdict: &Verdict| match verdict {
            Verdict::Switch { cell, .. } => analysis
                .comparisons
                .iter()
                .position(|one| one.cell == *cell),
            _ => None,
        };
        Self {
            rates: rates.collect(),
            versus: analysis.comparisons.iter().map(versus).collect(),
            best: best(&analysis),
            switch: [
                place(&analysis.verdict_like),
                analysis.verdict_these.as_ref().and_then(place),
            ],
            analysis,
        }
    }

    /// The direction of the observed difference, wherever patterns differ.
    fn by_sign_flip(mut self) -> Self {
        let alpha = self.analysis.settings.alpha;
        for (versus, comparison) in self.versus.iter_mut().zip(&self.analysis.comparisons) {
            let like = comparison.like.as_ref();
            let differs = like.filter(|like| {
                let p = like.pattern_adjusted_p;
                p.is_some_and(|p| p <= alpha)
            });
            versus.direction = differs.and_then(|like| side(like.difference.estimate.value()));
        }
        self
    }

    /// Everything over tasks like these by resampling tasks, as a script of ten lines would.
    fn by_bootstrap(mut self, design: &Design, seed: u32) -> Result<Self, CalibrateError> {
        let columns = self.task_rates();
        let alpha = self.analysis.settings.alpha;
        let resampling = Resampling {
            resamples: RESAMPLES,
            seed: seed.into(),
        };
        let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let rates = bootstrap_means(&slices, resampling, alpha)?;
        self.rates = rates.iter().map(of_bootstrap).collect();
        self.best = self.best.map(|(cell, _)| (cell, self.rates[cell].lower));
        let against = |alpha: f64| -> Result<Vec<BootstrapEstimate>, CalibrateError> {
            let cells = columns[1..].iter();
            cells
                .map(|cell| Ok(paired_bootstrap(cell, &columns[0], resampling, alpha)?))
                .collect()
        };
        let plain = against(alpha)?;
        let one_sided = against(2.0 * alpha / design.challengers.max(1) as f64)?;
        let p: Vec<f64> = plain.iter().map(|one| one.p_two_sided).collect();
        let lines = plain.iter().zip(&one_sided).zip(holm(&p));
        for (versus, ((plain, one_sided), p)) in self.versus.iter_mut().zip(lines) {
            versus.like = of_bootstrap(plain);
            versus.direction = side(plain.mean).filter(|_| p <= alpha);
            versus.within = one_sided.lower > -design.margin;
        }
        self.switch[0] = self.versus.iter().position(|versus| versus.within);
        Ok(self)
    }

    /// Directions and margins by MOVER as if nobody had seen its hole; families are not looked at.
    fn unpadded(mut self, design: &Design) -> Result<Self, CalibrateError> {
        let alpha = self.analysis.settings.alpha;
        let tasks = &self.analysis.task_table;
        let units = (0..self.analysis.cells.len()).map(|cell| {
            let of = tasks.iter().map(|task| &task.cells[cell]);
            let (passes, runs): (Vec<u32>, Vec<u32>) =
                of.map(|one| (one.accepted, one.scheduled)).unzip();
            Ok(Units::tasks(Arm::new(&passes, &runs)?))
        });
        let units: Vec<Units> = units.collect::<Result<_, CalibrateError>>()?;
        let pairs = units[1..].iter().map(|a| Pair { a, b: &units[0] });
        let pairs: Vec<Pair<'_>> = pairs.collect();
        let directions = directional_holm(&pairs, alpha, Padding::Unpadded)?;
        let margins = noninferiority_holm(&pairs, design.margin, alpha, Padding::Unpadded)?;
        let claims = directions.iter().zip(&margins);
        for (versus, (direction, margin)) in self.versus.iter_mut().zip(claims) {
            versus.direction = match direction.claim {
                Direction::Better => Some(Shown::Better),
                Direction::Worse => Some(Shown::Worse),
                Direction::Unsettled => None,
            };
            versus.within = margin.passed;
        }
        Ok(self)
    }

    /// The observed rate of every cell on every task.
    fn task_rates(&self) -> Vec<Vec<f64>> {
        let tasks = &self.analysis.task_table;
        let rate = |cell: usize| {
            let of = tasks.iter().map(|task| &task.cells[cell]);
            of.map(|one| f64::from(one.accepted) / f64::from(one.scheduled))
                .collect()
        };
        (0..self.analysis.cells.len()).map(rate).collect()
    }
}

fn best(analysis: &Analysis) -> Option<(usize, f64)> {
    let best = analysis.best.as_ref()?;
    let place = analysis
        .cells
        .iter()
        .position(|cell| cell.id == best.cell)?;
    Some((place, best.rate.interval().lo))
}

fn side(difference: f64) -> Option<Shown> {
    match difference {
        above if above > 0.0 => Some(Shown::Better),
        below if below < 0.0 => Some(Shown::Worse),
        _ => None,
    }
}

/// Without an interval nothing is said: the widest there is.
fn limits(estimate: Option<Estimate>) -> Limits {
    let interval = estimate.map(|estimate| estimate.interval());
    Limits {
        lower: interval.map_or(-1.0, |interval| interval.lo),
        upper: interval.and_then(|interval| interval.hi).unwrap_or(1.0),
    }
}

fn of_bootstrap(estimate: &BootstrapEstimate) -> Limits {
    Limits {
        lower: estimate.lower,
        upper: estimate.upper,
    }
}

fn versus(comparison: &Comparison) -> Versus {
    let like = comparison.like.as_ref();
    Versus {
        like: limits(like.map(|like| like.plain)),
        direction: like.and_then(|like| like.direction),
        within: like.is_some_and(|like| like.non_inferior.shown),
        these: comparison.these.as_ref().map(|these| These {
            direction: these.direction,
            within: these.non_inferior.shown,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::Bench;
    use super::super::truth::Truth;
    use super::*;
    use crate::stats::Draws;

    fn answer(method: Method, rates: [f64; 2]) -> Answer {
        let design = Design::new(12, 5, 1);
        let mut bench = Bench::new(&design).unwrap();
        let truth = Truth {
            rates: rates.iter().map(|rate| vec![*rate; 12]).collect(),
            means: rates.to_vec(),
        };
        bench.roll(&truth, &mut Draws::new(1));
        Answer::of(bench.analyze().unwrap(), method, (&design, 1)).unwrap()
    }

    #[test]
    fn each_method_has_its_own_word() {
        // every task a little worse: a pattern, and no direction yet for other such tasks
        let little = [1.0, 0.8];
        let shipped = answer(Method::Shipped, little);
        assert_eq!(shipped.versus[0].direction, None);
        let flipped = answer(Method::SignFlipDirection, little);
        assert_eq!(flipped.versus[0].direction, Some(Shown::Worse));
        assert_eq!(flipped.rates, shipped.rates);
        // the bootstrap believes that what always passed always will
        let clean = answer(Method::BootstrapPercentile, [1.0, 1.0]);
        assert_eq!(clean.rates[0].lower, 1.0);
        assert!(clean.versus[0].within && clean.switch[0] == Some(0));
        assert!(answer(Method::Shipped, [1.0, 1.0]).rates[0].lower < 0.8);
    }

    #[test]
    fn a_clear_case_is_clear_to_the_shipped_method() {
        let twin = answer(Method::Shipped, [0.0, 1.0]);
        assert_eq!(twin.versus[0].direction, Some(Shown::Better));
        assert_eq!(twin.switch, [Some(0), Some(0)]);
        assert!(twin.versus[0].these.is_some_and(|these| these.within));
    }
}
