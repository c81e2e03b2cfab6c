//! Tasks of few kinds: all alike, some always and some never solved, mostly clean, hardly ever
//! solved. Here sample and world look least alike.

use crate::calibrate::asks;
use crate::calibrate::design::Design;
use crate::calibrate::truth::Shared;
use crate::calibrate::{Effort, Setting};

const NAME: &str = "mixture";

/// A name, and the rates of tasks, each as common as the others.
type Kind = (&'static str, &'static [f64]);

const KINDS: &[Kind] = &[
    ("0, half, 1", &[0.0, 0.5, 1.0]),
    ("0 or 1", &[0.0, 1.0, 1.0, 1.0]),
    (
        "mostly clean",
        &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.2],
    ),
    ("all 95%", &[0.95]),
    ("all 50%", &[0.5]),
    ("hardly ever", &[0.0, 0.0, 0.0, 0.0, 0.3]),
];

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (kinds, sizes, sweeps): (&[Kind], &[(usize, u32)], _) = match effort {
        Effort::Quick => (&KINDS[2..3], &[(20, 5)], 400),
        Effort::Full => (KINDS, &[(4, 5), (10, 5), (20, 10), (50, 3), (100, 5)], 3000),
    };
    let all = kinds
        .iter()
        .flat_map(|kind| sizes.iter().map(|size| setting(*kind, *size, sweeps)));
    all.collect()
}

fn setting((name, rates): Kind, (tasks, repeats): (usize, u32), sweeps: u32) -> Setting {
    Setting::verdict(
        (NAME, format!("{tasks}x{repeats}, {name}"), sweeps),
        Design::new(tasks, repeats, 1),
        Box::new(move |draws| {
            let world = Shared {
                difficulties: rates,
                shared: 0.5,
            };
            world.draw(draws, tasks, &[1.0])
        }),
        [asks::cells(), asks::pair(), asks::pair_here()].concat(),
    )
}
