//! Days on which everything goes better or worse. Cells that run side by side share their days, and
//! claims hold; a cell that has a day to itself is another cell, which no statistic can mend.

use crate::calibrate::asks;
use crate::calibrate::design::{Design, Rolling};
use crate::calibrate::truth::{Shared, beta};
use crate::calibrate::{Effort, Setting};

const NAME: &str = "drift";

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (sizes, sweeps): (&[(usize, f64)], _) = match effort {
        Effort::Quick => (&[(20, 0.5)], 300),
        Effort::Full => (&[(20, 0.5), (50, 0.2), (50, 1.0), (100, 0.5)], 2000),
    };
    let both = sizes.iter().flat_map(|(tasks, sd)| {
        let size = (*tasks, *sd);
        [
            setting(size, Rolling::SharedDays(*sd), sweeps),
            setting(size, Rolling::CellDays(*sd), sweeps),
        ]
    });
    both.collect()
}

fn setting((tasks, sd): (usize, f64), rolling: Rolling, sweeps: u32) -> Setting {
    let difficulties = beta(0.8, 1.0);
    let (how, counted) = match rolling {
        Rolling::CellDays(_) => ("one after another", vec![asks::direction_shown()]),
        _ => ("side by side", vec![asks::family_wise("direction")]),
    };
    Setting::verdict(
        (NAME, format!("{tasks}x5, days of {sd}, {how}"), sweeps),
        Design {
            rolling,
            ..Design::new(tasks, 5, 1)
        },
        Box::new(move |draws| {
            let world = Shared {
                difficulties: &difficulties,
                shared: 0.7,
            };
            world.draw(draws, tasks, &[1.0])
        }),
        counted,
    )
}
