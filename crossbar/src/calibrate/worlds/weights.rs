//! Tasks that count for more than others: as hard as the rest, or harder.

use crate::calibrate::asks;
use crate::calibrate::design::{Design, Weights};
use crate::calibrate::truth::{Truth, average, beta, chance, pick};
use crate::calibrate::{Effort, Setting};
use crate::stats::Draws;

const NAME: &str = "weights";

/// What is true of the challenger.
#[derive(Clone, Copy)]
enum Sort {
    /// As good as the baseline, 70% of difficulties shared.
    Equal,
    /// Worse by the margin: it can never do some tasks.
    AtTheMargin,
}

/// Tasks, every so manieth of which weighs so many times as much, and whether those are harder.
type Size = (usize, usize, f64, bool);

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (sizes, sweeps): (&[Size], _) = match effort {
        Effort::Quick => (&[(20, 4, 4.0, true)], 400),
        Effort::Full => (
            &[
                (20, 4, 4.0, false),
                (20, 4, 4.0, true),
                (50, 10, 10.0, true),
                (100, 4, 4.0, true),
            ],
            2000,
        ),
    };
    let both = sizes
        .iter()
        .flat_map(|size| [Sort::Equal, Sort::AtTheMargin].map(|sort| setting(*size, sort, sweeps)));
    both.collect()
}

/// Difficulties of tasks that weigh as others do, and of those that weigh more.
struct Kinds {
    light: Vec<f64>,
    heavy: Vec<f64>,
    design: Design,
}

impl Kinds {
    fn of(&self, task: usize) -> &[f64] {
        match self.design.weights.is_heavy(task) {
            true => &self.heavy,
            false => &self.light,
        }
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
}

fn setting((tasks, every, weight, hard): Size, sort: Sort, sweeps: u32) -> Setting {
    let design = Design {
        weights: Weights::Heavy { every, weight },
        ..Design::new(tasks, 5, 1)
    };
    let (light, heavy) = match hard {
        true => (0.9, 0.6),
        false => (0.85, 0.85),
    };
    let kinds = Kinds {
        light: beta(light, 1.0),
        heavy: beta(heavy, 1.0),
        design,
    };
    let (what, mut counted) = match sort {
        Sort::Equal => ("equal", vec![asks::cell("weights")]),
        Sort::AtTheMargin => ("-10", vec![asks::non_inferior("non-inferior")]),
    };
    counted.extend(asks::pair());
    let harder = if hard { ", harder" } else { "" };
    let label = format!("{tasks}x5, 1 in {every} x{weight}{harder}, {what}");
    Setting::verdict(
        (NAME, label, sweeps),
        design,
        Box::new(move |draws| kinds.draw(draws, sort)),
        counted,
    )
}
