//! The chance that one of k rollouts passes, and that all of them do, over tasks of every
//! difficulty.

use crate::calibrate::setting::{Direct, Measure};
use crate::calibrate::truth::{average, beta, chance, pick};
use crate::calibrate::{CalibrateError, Effort, Setting};
use crate::stats::{Arm, Draws, StatsError, Units, korn_graubard, pass_k};

const NAME: &str = "pass-k";

/// Tasks, repeats, mean rate, spread, k.
type Size = (usize, u32, f64, f64, u32);

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (sizes, sweeps): (&[Size], _) = match effort {
        Effort::Quick => (&[(20, 5, 0.8, 1.0, 3)], 800),
        Effort::Full => (
            &[
                (10, 5, 0.8, 1.0, 2),
                (20, 5, 0.8, 1.0, 3),
                (20, 5, 0.95, 1.0, 5),
                (50, 10, 0.6, 4.0, 5),
                (50, 5, 0.95, 4.0, 3),
                (100, 10, 0.9, 0.25, 5),
            ],
            4000,
        ),
    };
    sizes.iter().map(|size| setting(*size, sweeps)).collect()
}

fn setting(size: Size, sweeps: u32) -> Setting {
    let (tasks, repeats, mean, s, k) = size;
    let difficulties = beta(mean, s);
    let direct: Direct = Box::new(move |draws| sweep(draws, &difficulties, (tasks, repeats, k)));
    let measures = vec![
        Measure::promised("pass-k", "pass@k"),
        Measure::promised("pass-k", "pass^k"),
    ];
    let label = format!("{tasks}x{repeats}, {:.0}%, spread {s}, k {k}", mean * 100.0);
    Setting::direct((NAME, label, sweeps), measures, direct)
}

fn sweep(
    draws: &mut Draws,
    difficulties: &[f64],
    (tasks, repeats, k): (usize, u32, u32),
) -> Result<Vec<Option<f64>>, CalibrateError> {
    let passes: Vec<u32> = (0..tasks)
        .map(|_| {
            let rate = pick(draws, difficulties);
            (0..repeats).map(|_| u32::from(chance(draws, rate))).sum()
        })
        .collect();
    let found = pass_k(Arm::new(&passes, &vec![repeats; tasks])?, k)?;
    let mean =
        |f: &dyn Fn(f64) -> f64| average(&difficulties.iter().map(|p| f(*p)).collect::<Vec<_>>());
    let power = i32::try_from(k).unwrap_or(i32::MAX);
    let at = mean(&|p| 1.0 - (1.0 - p).powi(power));
    let hat = mean(&|p| p.powi(power));
    let covers = |values: &[f64], truth: f64| -> Result<f64, StatsError> {
        let cell = korn_graubard(&Units::graded(values)?, 0.05)?;
        Ok(f64::from(u8::from(
            cell.lower <= truth && truth <= cell.upper,
        )))
    };
    Ok(vec![
        Some(covers(&found.at, at)?),
        Some(covers(&found.hat, hat)?),
    ])
}
