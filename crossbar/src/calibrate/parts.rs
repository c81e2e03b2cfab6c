//! Work of several parts, each with tasks of its own difficulty that count each for their own weight.

use super::asks;
use super::design::Design;
use super::setting::Setting;
use super::truth::{Truth, average, chance, pick};
use crate::stats::Draws;

/// What is true of the challenger.
#[derive(Clone, Copy)]
pub(super) enum Sort {
    /// As good as the baseline, 70% of difficulties shared.
    Equal,
    /// Worse by the margin: it can never do some tasks.
    AtTheMargin,
}

/// The two sorts that each design is simulated with.
pub(super) const SORTS: [Sort; 2] = [Sort::Equal, Sort::AtTheMargin];

/// A design with the difficulties of each of its parts.
pub(super) struct Parts {
    pub(super) difficulties: Vec<Vec<f64>>,
    pub(super) design: Design,
}

impl Parts {
    fn of(&self, task: usize) -> &[f64] {
        &self.difficulties[self.design.weights.part(task)]
    }

    /// The weighted rate of the baseline over all tasks of the world.
    fn mean(&self) -> f64 {
        let weigh = |task: usize| self.design.weights.of(task);
        let all: f64 = (0..self.design.tasks).map(weigh).sum();
        let parts = (0..self.design.tasks).map(|task| weigh(task) * average(self.of(task)));
        parts.sum::<f64>() / all
    }

    fn draw(&self, draws: &mut Draws, sort: Sort) -> Truth {
        let (mean, margin) = (self.mean(), self.design.margin);
        let kept = 1.0 - margin / mean;
        let mut rates = vec![Vec::new(), Vec::new()];
        for task in 0..self.design.tasks {
            let base = pick(draws, self.of(task));
            rates[0].push(base);
            rates[1].push(match sort {
                Sort::Equal if chance(draws, 0.7) => base,
                Sort::Equal => pick(draws, self.of(task)),
                Sort::AtTheMargin => base * f64::from(u8::from(chance(draws, kept))),
            });
        }
        let other = match sort {
            Sort::Equal => mean,
            Sort::AtTheMargin => mean - margin,
        };
        Truth {
            rates,
            means: vec![mean, other],
        }
    }

    /// One pair of cells over these parts: the coverage of the baseline's rate under `promise`, a
    /// challenger at the margin, and the difference. The label is told what the challenger is.
    pub(super) fn setting(
        self,
        (world, label, sweeps): (&'static str, String, u32),
        promise: &'static str,
        sort: Sort,
    ) -> Setting {
        let (what, mut counted) = match sort {
            Sort::Equal => ("equal", vec![asks::cell(promise)]),
            Sort::AtTheMargin => ("-10", vec![asks::non_inferior("non-inferior")]),
        };
        counted.extend(asks::pair());
        Setting::verdict(
            (world, format!("{label}, {what}"), sweeps),
            self.design,
            Box::new(move |draws| self.draw(draws, sort)),
            counted,
        )
    }
}
