//! Scores between 0 and 1 instead of passes: each task has a level of its own, and a rollout lies
//! above or below it.

use crate::calibrate::setting::{Direct, Measure};
use crate::calibrate::truth::{Shared, average, beta};
use crate::calibrate::{CalibrateError, Effort, Setting};
use crate::stats::{Draws, Padding, Pair, Units, korn_graubard, mover};

const NAME: &str = "graded";

/// Tasks, repeats, mean level, spread.
type Size = (usize, u32, f64, f64);

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (sizes, sweeps): (&[Size], _) = match effort {
        Effort::Quick => (&[(20, 5, 0.8, 1.0)], 800),
        Effort::Full => (
            &[
                (4, 5, 0.8, 1.0),
                (10, 5, 0.8, 10.0),
                (20, 5, 0.8, 1.0),
                (20, 5, 0.95, 0.5),
                (50, 3, 0.5, 0.5),
                (100, 5, 0.8, 10.0),
            ],
            4000,
        ),
    };
    sizes.iter().map(|size| setting(*size, sweeps)).collect()
}

fn setting(size: Size, sweeps: u32) -> Setting {
    let (tasks, repeats, mean, s) = size;
    let difficulties = beta(mean, s);
    let direct: Direct = Box::new(move |draws| sweep(draws, &difficulties, (tasks, repeats)));
    let measures = vec![
        Measure::promised("graded", ""),
        Measure::promised("graded-difference", "too high"),
        Measure::promised("graded-difference", "too low"),
    ];
    let label = format!("{tasks}x{repeats}, {:.0}%, spread {s}", mean * 100.0);
    Setting::direct((NAME, label, sweeps), measures, direct)
}

/// The mean score of a task: each rollout lies within the room that its level leaves on both sides.
fn score(draws: &mut Draws, level: f64, repeats: u32) -> f64 {
    let room = level.min(1.0 - level);
    let rollouts = (0..repeats).map(|_| level + room * (2.0 * draws.fraction() - 1.0));
    (rollouts.sum::<f64>() / f64::from(repeats)).clamp(0.0, 1.0)
}

fn sweep(
    draws: &mut Draws,
    difficulties: &[f64],
    (tasks, repeats): (usize, u32),
) -> Result<Vec<Option<f64>>, CalibrateError> {
    let world = Shared {
        difficulties,
        shared: 0.7,
    };
    let truth = world.draw(draws, tasks, &[1.0]);
    let mut units = Vec::new();
    for levels in &truth.rates {
        let scores: Vec<f64> = levels
            .iter()
            .map(|level| score(draws, *level, repeats))
            .collect();
        units.push(Units::graded(&scores)?);
    }
    let (b, a) = (&units[0], &units[1]);
    let cell = korn_graubard(b, 0.05)?;
    let difference = mover(Pair { a, b }, 0.05, Padding::Normal)?;
    let mean = average(difficulties);
    let says = |holds: bool| Some(f64::from(u8::from(holds)));
    Ok(vec![
        says(cell.lower <= mean && mean <= cell.upper),
        says(difference.lower > 0.0),
        says(difference.upper < 0.0),
    ])
}
