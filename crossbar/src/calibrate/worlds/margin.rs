//! Challengers that cost a tenth and are worse by exactly the margin: whoever switches to one, or
//! calls one good enough, is wrong. In the second kind of sweep half of them are as good as the
//! baseline, so that a switch can also be right.

use crate::calibrate::asks;
use crate::calibrate::design::Design;
use crate::calibrate::truth::{Truth, average, beta, chance, pick};
use crate::calibrate::{Effort, Setting};
use crate::stats::Draws;

const NAME: &str = "margin";

/// How a challenger loses its margin.
#[derive(Clone, Copy)]
enum Loss {
    /// A little on every task.
    Even,
    /// All of it on tasks that it can never do.
    Dead,
    /// The same on every task, so that these very tasks show the margin too.
    Same,
}

/// Difficulties that leave room for a margin, so that the loss can be the same on every task.
const ROOMY: [f64; 4] = [0.7, 0.9, 1.0, 1.0];

/// Tasks, repeats, margin.
type Size = (usize, u32, f64);

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let mut settings = Vec::new();
    let (pairs, many, sweeps): (&[Size], &[usize], _) = match effort {
        Effort::Quick => (&[(20, 5, 0.1)], &[20], (600, 150)),
        Effort::Full => (
            &[
                (10, 5, 0.1),
                (20, 5, 0.05),
                (20, 5, 0.1),
                (50, 1, 0.1),
                (50, 5, 0.1),
                (50, 5, 0.15),
                (100, 5, 0.05),
            ],
            &[20, 50],
            (4000, 1000),
        ),
    };
    for size in pairs {
        settings.push(pair(*size, Loss::Even, sweeps.0));
        settings.push(pair(*size, Loss::Dead, sweeps.0));
        settings.push(pair(*size, Loss::Same, sweeps.0));
    }
    for tasks in many {
        settings.push(fifteen(*tasks, 0, sweeps.1));
        settings.push(fifteen(*tasks, 7, sweeps.1));
    }
    settings
}

/// The baseline passes 90%; difficulties are shared, and what is lost is lost evenly or on tasks
/// that a challenger can never do.
fn draw(
    draws: &mut Draws,
    difficulties: &[f64],
    (tasks, losses): (usize, &[(f64, Loss)]),
) -> Truth {
    let base: Vec<f64> = (0..tasks).map(|_| pick(draws, difficulties)).collect();
    let mean = average(difficulties);
    let mut rates = Vec::new();
    for (lost, loss) in losses {
        let kept = 1.0 - lost / mean;
        let rate = |base: &f64| match loss {
            Loss::Even => base * kept,
            Loss::Same => base - lost,
            Loss::Dead => base * f64::from(u8::from(chance(draws, kept))),
        };
        rates.push(base.iter().map(rate).collect());
    }
    rates.insert(0, base);
    let means = losses.iter().map(|(lost, _)| mean - lost);
    Truth {
        means: std::iter::once(mean).chain(means).collect(),
        rates,
    }
}

fn pair((tasks, repeats, margin): Size, loss: Loss, sweeps: u32) -> Setting {
    let difficulties = match loss {
        Loss::Same => ROOMY.to_vec(),
        Loss::Even | Loss::Dead => beta(0.9, 1.0),
    };
    let how = match loss {
        Loss::Even => "even",
        Loss::Dead => "dead tasks",
        Loss::Same => "the same",
    };
    let points = (margin * 100.0).round();
    let mut counted = vec![asks::non_inferior("non-inferior")];
    counted.extend(asks::pair());
    if matches!(loss, Loss::Same) && repeats > 1 {
        counted.push(asks::non_inferior_here());
    }
    Setting::verdict(
        (NAME, format!("{tasks}x{repeats}, -{points}, {how}"), sweeps),
        Design {
            margin,
            ..Design::new(tasks, repeats, 1)
        },
        Box::new(move |draws| draw(draws, &difficulties, (tasks, &[(margin, loss)]))),
        counted,
    )
}

/// Fifteen challengers of which some are good.
fn fifteen(tasks: usize, good: usize, sweeps: u32) -> Setting {
    let difficulties = ROOMY;
    let design = Design::new(tasks, 5, 15);
    let margin = design.margin;
    let draw = move |draws: &mut Draws| {
        let base: Vec<f64> = (0..tasks).map(|_| pick(draws, &difficulties)).collect();
        let mean = average(&difficulties);
        let lost = |cell: usize| if cell < good { 0.0 } else { margin };
        let rates = (0..15).map(|cell| base.iter().map(|p| p - lost(cell)).collect());
        let rates = std::iter::once(base.clone()).chain(rates).collect();
        let means = (0..15).map(|cell| mean - lost(cell));
        Truth {
            means: std::iter::once(mean).chain(means).collect(),
            rates,
        }
    };
    let mut counted = asks::switches();
    if good > 0 {
        counted.push(asks::power_of_switch());
    }
    Setting::verdict(
        (NAME, format!("{tasks}x5, {good} of 15 good"), sweeps),
        design,
        Box::new(draw),
        counted,
    )
}
