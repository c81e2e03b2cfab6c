//! Truly equal cells at a base rate of 85%: how often "within the margin or not" stays open, by
//! tasks and margin. This is the price of the other promises.

use crate::calibrate::asks;
use crate::calibrate::design::Design;
use crate::calibrate::setting::Measure;
use crate::calibrate::truth::{Shared, beta};
use crate::calibrate::{Effort, Setting};

const NAME: &str = "equal";

/// Tasks, margin in points, how many points worse the challenger truly is.
type Size = (usize, u32, u32);

/// The size at which openness is promised.
const PROMISED: Size = (20, 10, 0);

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (sizes, sweeps) = match effort {
        Effort::Quick => (vec![PROMISED], 400),
        Effort::Full => (grid(), 2000),
    };
    sizes.iter().map(|size| setting(*size, sweeps)).collect()
}

fn grid() -> Vec<Size> {
    let mut sizes = Vec::new();
    for tasks in [4, 10, 20, 30, 50, 100] {
        sizes.extend([5, 10, 15].map(|margin| (tasks, margin, 0)));
        sizes.push((tasks, 10, 5));
        sizes.push((tasks, 10, 20));
    }
    sizes
}

/// The world of these settings: 80% of difficulties shared, half of a rollout's variance noise.
pub(super) const SHARED: f64 = 0.8;

/// The base rate.
pub(super) const RATE: f64 = 0.85;

fn setting(size: Size, sweeps: u32) -> Setting {
    let (tasks, margin, worse) = size;
    let difficulties = beta(RATE, 1.0);
    let stand = move |promise: &'static str| {
        if size == PROMISED {
            return Measure::promised(promise, "");
        }
        Measure::shown(match promise {
            "open-these" => "open [these]",
            _ => "open [like these]",
        })
    };
    let truth = match worse {
        0 => "equal".to_owned(),
        points => format!("{points} worse"),
    };
    Setting::verdict(
        (NAME, format!("{tasks}x5, margin {margin}, {truth}"), sweeps),
        Design {
            margin: f64::from(margin) / 100.0,
            ..Design::new(tasks, 5, 1)
        },
        Box::new(move |draws| {
            let world = Shared {
                difficulties: &difficulties,
                shared: SHARED,
            };
            let factor = 1.0 - f64::from(worse) / 100.0 / RATE;
            world.draw(draws, tasks, &[factor])
        }),
        asks::openness(stand),
    )
}
