//! Equal cells of which rollouts are lost, failing ones six times as often as passing ones: who
//! drops what is lost measures another cell.

use crate::calibrate::asks;
use crate::calibrate::design::{Design, Rolling};
use crate::calibrate::truth::{Shared, beta};
use crate::calibrate::{Effort, Setting};

const NAME: &str = "missing";

/// Lost in all: 30% of the 20% that fail, and 5% of the rest.
const LOSING: Rolling = Rolling::Losing {
    failed: 0.3,
    passed: 0.05,
};

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (sizes, sweeps): (&[usize], _) = match effort {
        Effort::Quick => (&[50], 300),
        Effort::Full => (&[20, 50, 100], 2000),
    };
    sizes.iter().map(|tasks| setting(*tasks, sweeps)).collect()
}

fn setting(tasks: usize, sweeps: u32) -> Setting {
    let difficulties = beta(0.8, 1.0);
    Setting::verdict(
        (NAME, format!("{tasks}x5, one in ten lost"), sweeps),
        Design {
            rolling: LOSING,
            ..Design::new(tasks, 5, 1)
        },
        Box::new(move |draws| {
            let world = Shared {
                difficulties: &difficulties,
                shared: 0.7,
            };
            world.draw(draws, tasks, &[1.0])
        }),
        vec![asks::family_wise("missing")],
    )
}
