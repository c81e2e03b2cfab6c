//! Tasks that count for more than others: as hard as the rest, or harder.

use crate::calibrate::design::{Design, Weights};
use crate::calibrate::parts::{Parts, SORTS, Sort};
use crate::calibrate::truth::beta;
use crate::calibrate::{Effort, Setting};

const NAME: &str = "weights";

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
        .flat_map(|size| SORTS.map(|sort| setting(*size, sort, sweeps)));
    both.collect()
}

fn setting((tasks, every, weight, hard): Size, sort: Sort, sweeps: u32) -> Setting {
    let (light, heavy) = match hard {
        true => (0.9, 0.6),
        false => (0.85, 0.85),
    };
    let parts = Parts {
        difficulties: vec![beta(light, 1.0), beta(heavy, 1.0)],
        design: Design {
            weights: Weights::Heavy { every, weight },
            ..Design::new(tasks, 5, 1)
        },
    };
    let harder = if hard { ", harder" } else { "" };
    let label = format!("{tasks}x5, 1 in {every} x{weight}{harder}");
    parts.setting((NAME, label, sweeps), "weights", sort)
}
