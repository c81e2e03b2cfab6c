//! Costs with a tail: a few tasks, or a few rollouts, are many times as dear as the rest. A hard
//! cap per rollout bounds what was not seen; without one nothing is promised.

use crate::calibrate::setting::{Direct, Measure};
use crate::calibrate::truth::{average, beta, chance, pick};
use crate::calibrate::{CalibrateError, Effort, Setting};
use crate::stats::{Arm, CostArm, Draws, cost_per_success};

const NAME: &str = "costs";

/// A name, how much is dear, and how dear: by task, by rollout, and by failure.
#[derive(Clone, Copy)]
struct Tail {
    name: &'static str,
    dear_tasks: f64,
    task_factor: f64,
    dear_rollouts: f64,
    rollout_factor: f64,
    failed_factor: f64,
}

const EVEN: Tail = Tail {
    name: "",
    dear_tasks: 0.0,
    task_factor: 1.0,
    dear_rollouts: 0.0,
    rollout_factor: 1.0,
    failed_factor: 1.0,
};

const TAILS: [Tail; 3] = [
    Tail {
        name: "3% of tasks x20",
        dear_tasks: 0.03,
        task_factor: 20.0,
        ..EVEN
    },
    Tail {
        name: "2% runaways x30",
        dear_rollouts: 0.02,
        rollout_factor: 30.0,
        ..EVEN
    },
    Tail {
        name: "failures x10",
        failed_factor: 10.0,
        ..EVEN
    },
];

/// Tasks, mean pass rate, tail.
type Size = (usize, f64, Tail);

/// No rollout costs more: the dearest is 30 x 1.2 times the usual cost, which is 1.
const CAP: f64 = 36.0;

const REPEATS: u32 = 5;

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (tasks, rates, tails, sweeps): (&[usize], &[f64], &[Tail], _) = match effort {
        Effort::Quick => (&[20], &[0.97], &TAILS[..1], 800),
        Effort::Full => (&[10, 20, 50, 100], &[0.8, 0.97], &TAILS, 3000),
    };
    let mut settings = Vec::new();
    for tail in tails {
        for rate in rates {
            let sizes = tasks.iter().map(|tasks| (*tasks, *rate, *tail));
            settings.extend(sizes.map(|size| setting(size, sweeps)));
        }
    }
    settings
}

fn setting(size: Size, sweeps: u32) -> Setting {
    let (tasks, rate, tail) = size;
    let difficulties = beta(rate, 1.0);
    let direct: Direct = Box::new(move |draws| sweep(draws, &difficulties, (tasks, tail)));
    let measures = vec![
        Measure::promised("capped-cost", "with the cap"),
        Measure::shown("without a cap"),
    ];
    let label = format!("{tasks}x{REPEATS}, {:.0}%, {}", rate * 100.0, tail.name);
    Setting::direct((NAME, label, sweeps), measures, direct)
}

/// Whether the interval of cost per success covers the true one, with and without the cap.
fn sweep(
    draws: &mut Draws,
    difficulties: &[f64],
    (tasks, tail): (usize, Tail),
) -> Result<Vec<Option<f64>>, CalibrateError> {
    let (mut passes, mut costs) = (Vec::new(), Vec::new());
    for _ in 0..tasks {
        let rate = pick(draws, difficulties);
        let dear = if chance(draws, tail.dear_tasks) {
            tail.task_factor
        } else {
            1.0
        };
        let (mut passed, mut cost) = (0, 0.0);
        for _ in 0..REPEATS {
            let pass = chance(draws, rate);
            let runaway = chance(draws, tail.dear_rollouts);
            passed += u32::from(pass);
            cost += dear
                * if pass { 1.0 } else { tail.failed_factor }
                * if runaway { tail.rollout_factor } else { 1.0 }
                * (0.8 + 0.4 * draws.fraction());
        }
        passes.push(passed);
        costs.push(cost);
    }
    let mean = average(difficulties);
    let truth = (1.0 + tail.dear_tasks * (tail.task_factor - 1.0))
        * (1.0 + tail.dear_rollouts * (tail.rollout_factor - 1.0))
        * (mean + (1.0 - mean) * tail.failed_factor)
        / mean;
    let runs = vec![REPEATS; tasks];
    let arm = CostArm::new(Arm::new(&passes, &runs)?, &costs)?;
    let covers = |cap| -> Result<Option<f64>, CalibrateError> {
        let limits = cost_per_success(&arm, 0.05, cap)?.limits;
        Ok(limits.map(|limits| {
            let below = limits.upper.is_none_or(|upper| truth <= upper);
            f64::from(u8::from(limits.lower <= truth && below))
        }))
    };
    Ok(vec![covers(Some(CAP))?, covers(None)?])
}
