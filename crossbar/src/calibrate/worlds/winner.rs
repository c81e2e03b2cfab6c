//! Forty equally good cells: the one with the highest rate is there by luck.

use crate::calibrate::asks;
use crate::calibrate::design::Design;
use crate::calibrate::truth::{Shared, beta};
use crate::calibrate::{Effort, Setting};

const NAME: &str = "winner";

/// Tasks, share of difficulties that cells share.
type Size = (usize, f64);

/// Sweeps of the setting that comes nearest to its bound, so that it is seen on which side it lies.
const CLOSE: u32 = 4000;

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (sizes, sweeps): (&[Size], _) = match effort {
        Effort::Quick => (&[(20, 0.0)], 100),
        Effort::Full => (
            &[(20, 0.0), (20, 0.7), (50, 0.0), (50, 0.7), (100, 0.0)],
            800,
        ),
    };
    let of = |size: &Size| match size {
        (100, _) => CLOSE,
        _ => sweeps,
    };
    sizes.iter().map(|size| setting(*size, of(size))).collect()
}

fn setting((tasks, shared): Size, sweeps: u32) -> Setting {
    let difficulties = beta(0.8, 1.0);
    let percent = shared * 100.0;
    Setting::verdict(
        (NAME, format!("{tasks}x5, {percent:.0}% shared"), sweeps),
        Design::new(tasks, 5, 39),
        Box::new(move |draws| {
            let world = Shared {
                difficulties: &difficulties,
                shared,
            };
            world.draw(draws, tasks, &[1.0; 39])
        }),
        vec![asks::winner()],
    )
}
