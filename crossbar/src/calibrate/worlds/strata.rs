//! Parts of the work from which tasks were drawn apart, not in proportion to their shares: a task weighs
//! its stratum's share over the tasks that the stratum has.

use crate::calibrate::design::{Design, Stratum, Weights};
use crate::calibrate::parts::{Parts, SORTS, Sort};
use crate::calibrate::truth::beta;
use crate::calibrate::{Effort, Setting};

const NAME: &str = "strata";

const fn stratum(tasks: usize, share: f64) -> Stratum {
    Stratum { tasks, share }
}

/// The strata of a world, the mean rate of the baseline in each, and how many sweeps show it.
type Size = (&'static [Stratum], &'static [f64], u32);

/// Most of the work is easy, and half of the tasks are hard.
const RARE_AND_HARD: Size = (&[stratum(10, 0.8), stratum(10, 0.2)], &[0.9, 0.5], 2000);
/// Most of the work is hard, and a fifth of the tasks is.
const COMMON_AND_HARD: Size = (
    &[stratum(8, 0.2), stratum(8, 0.2), stratum(4, 0.6)],
    &[0.95, 0.85, 0.6],
    2000,
);
const THREE: Size = (
    &[stratum(20, 0.2), stratum(20, 0.3), stratum(10, 0.5)],
    &[0.95, 0.8, 0.6],
    2000,
);
/// The largest part of the work has a tenth of the tasks.
const LOPSIDED: Size = (
    &[stratum(60, 0.1), stratum(30, 0.3), stratum(10, 0.6)],
    &[0.9, 0.8, 0.7],
    2000,
);
/// Many tasks of each, and one stratum of which the baseline can do nearly everything: a cell at the
/// margin comes near its bound, so more sweeps are needed to see on which side.
const MANY: Size = (
    &[stratum(100, 0.3), stratum(50, 0.2), stratum(50, 0.5)],
    &[0.5, 0.99, 0.85],
    10_000,
);

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let sizes: &[Size] = match effort {
        Effort::Quick => &[(COMMON_AND_HARD.0, COMMON_AND_HARD.1, 400)],
        Effort::Full => &[RARE_AND_HARD, COMMON_AND_HARD, THREE, LOPSIDED, MANY],
    };
    let both = sizes
        .iter()
        .flat_map(|size| SORTS.map(|sort| setting(*size, sort)));
    both.collect()
}

fn setting((strata, means, sweeps): Size, sort: Sort) -> Setting {
    let tasks = strata.iter().map(|one| one.tasks).sum();
    let parts = Parts {
        difficulties: means.iter().map(|mean| beta(*mean, 1.0)).collect(),
        design: Design {
            weights: Weights::Strata(strata),
            ..Design::new(tasks, 5, 1)
        },
    };
    let listed = |of: fn(&Stratum) -> String| strata.iter().map(of).collect::<Vec<_>>().join("/");
    let label = format!(
        "{}x5, {}%",
        listed(|one| one.tasks.to_string()),
        listed(|one| format!("{:.0}", one.share * 100.0)),
    );
    parts.setting((NAME, label, sweeps), "strata", sort)
}
