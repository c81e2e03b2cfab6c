//! Tasks whose difficulties follow a beta distribution; the cells are equally good, so whatever
//! is claimed about a direction is wrong.

use crate::calibrate::asks;
use crate::calibrate::design::Design;
use crate::calibrate::truth::{Shared, beta};
use crate::calibrate::{Effort, Setting};

const NAME: &str = "beta";

/// Tasks, repeats, mean rate, spread.
type Size = (usize, u32, f64, f64);

const QUICK: &[Size] = &[(4, 5, 0.8, 1.0), (20, 5, 0.95, 1.0), (50, 3, 0.8, 4.0)];

const FULL: &[Size] = &[
    (4, 3, 0.5, 1.0),
    (4, 5, 0.8, 1.0),
    (4, 10, 0.95, 1.0),
    (10, 5, 0.5, 0.25),
    (10, 10, 0.8, 1.0),
    (10, 1, 0.95, 1.0),
    (20, 5, 0.5, 1.0),
    (20, 5, 0.8, 4.0),
    (20, 10, 0.8, 0.25),
    (20, 5, 0.95, 1.0),
    (20, 10, 0.98, 4.0),
    (50, 5, 0.5, 1.0),
    (50, 3, 0.8, 4.0),
    (50, 5, 0.95, 0.25),
    (50, 10, 0.98, 1.0),
    (100, 5, 0.8, 1.0),
    (100, 10, 0.95, 1.0),
];

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (sizes, sweeps) = match effort {
        Effort::Quick => (QUICK, 600),
        Effort::Full => (FULL, 4000),
    };
    let mut settings: Vec<Setting> = sizes.iter().map(|size| pair(*size, sweeps)).collect();
    if effort == Effort::Full {
        settings.push(many((20, 5, 0.8, 1.0), 1000));
        settings.push(many((50, 5, 0.95, 1.0), 600));
    }
    settings
}

fn label((tasks, repeats, mean, s): Size) -> String {
    format!("{tasks}x{repeats}, {:.0}%, spread {s}", mean * 100.0)
}

fn pair(size: Size, sweeps: u32) -> Setting {
    let (tasks, repeats, mean, s) = size;
    let difficulties = beta(mean, s);
    Setting::verdict(
        (NAME, label(size), sweeps),
        Design::new(tasks, repeats, 1),
        Box::new(move |draws| {
            let world = Shared {
                difficulties: &difficulties,
                shared: 0.7,
            };
            world.draw(draws, tasks, &[1.0])
        }),
        [asks::cells(), asks::pair(), asks::pair_here()].concat(),
    )
}

fn many(size: Size, sweeps: u32) -> Setting {
    let (tasks, repeats, mean, s) = size;
    let difficulties = beta(mean, s);
    Setting::verdict(
        (NAME, format!("{}, 39 cells", label(size)), sweeps),
        Design::new(tasks, repeats, 39),
        Box::new(move |draws| {
            let world = Shared {
                difficulties: &difficulties,
                shared: 0.7,
            };
            world.draw(draws, tasks, &[1.0; 39])
        }),
        vec![asks::family_wise("family-wise")],
    )
}
