//! A generalist that passes every task nearly always, and specialists that pass everything but the
//! tasks that they can never do. Their means are equal; in a small sample without such a task every
//! difference points one way, which is what deceives a test of patterns.

use crate::calibrate::asks;
use crate::calibrate::design::Design;
use crate::calibrate::truth::{Truth, chance};
use crate::calibrate::{Effort, Setting};
use crate::stats::Draws;

const NAME: &str = "specialist";

/// Tasks, repeats, share of tasks that a specialist can never do.
type Size = (usize, u32, f64);

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (pairs, families, sweeps): (&[Size], &[Size], _) = match effort {
        Effort::Quick => (&[(20, 10, 0.05)], &[(20, 5, 0.1)], (800, 100)),
        Effort::Full => (
            &[
                (10, 10, 0.1),
                (20, 5, 0.05),
                (20, 10, 0.05),
                (30, 5, 0.05),
                (30, 10, 0.05),
                (50, 10, 0.05),
                (100, 5, 0.02),
                (100, 10, 0.05),
            ],
            &[(20, 5, 0.1), (50, 5, 0.1), (100, 5, 0.1)],
            (4000, 600),
        ),
    };
    let pairs = pairs.iter().map(|size| pair(*size, sweeps.0));
    let families = families.iter().map(|size| family(*size, sweeps.1));
    pairs.chain(families).collect()
}

fn label((tasks, repeats, dead): Size) -> String {
    format!("{tasks}x{repeats}, {:.0}% dead", dead * 100.0)
}

/// The baseline is the generalist.
fn draw(draws: &mut Draws, tasks: usize, (challengers, dead): (usize, f64)) -> Truth {
    let mut rates = vec![vec![1.0 - dead; tasks]];
    for _ in 0..challengers {
        let rate = |_| f64::from(u8::from(!chance(draws, dead)));
        rates.push((0..tasks).map(rate).collect());
    }
    Truth {
        means: vec![1.0 - dead; challengers + 1],
        rates,
    }
}

fn pair(size: Size, sweeps: u32) -> Setting {
    let (tasks, repeats, dead) = size;
    Setting::verdict(
        (NAME, label(size), sweeps),
        Design::new(tasks, repeats, 1),
        Box::new(move |draws| draw(draws, tasks, (1, dead))),
        [asks::cells(), asks::pair()].concat(),
    )
}

fn family(size: Size, sweeps: u32) -> Setting {
    let (tasks, repeats, dead) = size;
    Setting::verdict(
        (NAME, format!("{}, 39 cells", label(size)), sweeps),
        Design::new(tasks, repeats, 39),
        Box::new(move |draws| draw(draws, tasks, (39, dead))),
        vec![asks::family_wise("family-wise")],
    )
}
