//! Tasks that come in families whose members are alike. Declared, the family is the unit and the
//! interval holds; left undeclared, it does not, and the reader is shown by how much.

use crate::calibrate::asks;
use crate::calibrate::design::{Design, Families};
use crate::calibrate::truth::{Truth, average, beta, chance, pick};
use crate::calibrate::{Effort, Setting};
use crate::stats::Draws;

const NAME: &str = "families";

/// Which families there are, how many tasks, how often a member is as hard as its family.
type Size = (Families, usize, f64);

const EVEN: Families = Families::Even(5);

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (sizes, sweeps): (&[Size], _) = match effort {
        Effort::Quick => (&[(EVEN, 50, 0.6)], 400),
        Effort::Full => (
            &[
                (EVEN, 20, 0.6),
                (EVEN, 50, 0.3),
                (EVEN, 50, 0.6),
                (EVEN, 100, 0.9),
                (Families::Uneven, 50, 0.6),
                (Families::Uneven, 100, 0.6),
            ],
            3000,
        ),
    };
    let both = sizes
        .iter()
        .flat_map(|size| [declared(*size, sweeps), undeclared(*size, sweeps)]);
    both.collect()
}

/// Rates of both cells: with chance `alike` a member has the rate of its family, which the cells
/// share, else one of its own, which each cell has for itself.
pub(super) fn draw(draws: &mut Draws, difficulties: &[f64], (kind, tasks, alike): Size) -> Truth {
    let count = kind.of(tasks - 1).map_or(tasks, |last| last + 1);
    let centres: Vec<[f64; 2]> = (0..count)
        .map(|_| {
            let common = pick(draws, difficulties);
            let other = pick(draws, difficulties);
            [common, if chance(draws, 0.7) { common } else { other }]
        })
        .collect();
    let rate = |draws: &mut Draws, cell: usize, task: usize| {
        let (same, own) = (chance(draws, alike), pick(draws, difficulties));
        let family = kind.of(task).unwrap_or(task);
        if same { centres[family][cell] } else { own }
    };
    let rates = (0..2).map(|cell| (0..tasks).map(|task| rate(draws, cell, task)).collect());
    Truth {
        rates: rates.collect(),
        means: vec![average(difficulties); 2],
    }
}

fn label((kind, tasks, alike): Size) -> String {
    let kind = match kind {
        Families::Even(size) => format!("families of {size}"),
        Families::Uneven => "uneven".to_owned(),
        Families::None => "no family".to_owned(),
    };
    format!("{tasks}x5, {kind}, {alike} alike")
}

fn declared(size: Size, sweeps: u32) -> Setting {
    let (kind, tasks, _) = size;
    let difficulties = beta(0.8, 1.0);
    let mut counted = vec![asks::cell("families")];
    counted.extend(asks::pair());
    Setting::verdict(
        (NAME, label(size), sweeps),
        Design {
            families: kind,
            ..Design::new(tasks, 5, 1)
        },
        Box::new(move |draws| draw(draws, &difficulties, size)),
        counted,
    )
}

fn undeclared(size: Size, sweeps: u32) -> Setting {
    let tasks = size.1;
    let difficulties = beta(0.8, 1.0);
    Setting::verdict(
        (NAME, format!("{}, hidden", label(size)), sweeps),
        Design::new(tasks, 5, 1),
        Box::new(move |draws| draw(draws, &difficulties, size)),
        vec![asks::cell_shown(), asks::direction_shown()],
    )
}
