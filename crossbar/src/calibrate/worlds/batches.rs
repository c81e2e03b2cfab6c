//! Tasks that are added in declared batches: the verdict is asked after each, with the error that
//! belongs to that look, and whatever it claims at any of them counts.

use crate::analysis::{Analysis, Cheaper, Shown};
use crate::calibrate::bench::Bench;
use crate::calibrate::design::Design;
use crate::calibrate::setting::{Direct, Measure};
use crate::calibrate::truth::{Loss, Shared, Truth, beta, losers, specialists};
use crate::calibrate::{CalibrateError, Effort, Setting};
use crate::stats::{Draws, errors_at_tasks};

const NAME: &str = "batches";

/// What is true of the challengers.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    /// As good as the baseline and as dear, 70% of difficulties shared.
    Equal,
    /// As good on average, and never able to do some tasks.
    Specialist,
    /// Worse by the margin, evenly.
    AtTheMargin,
    /// Worse by the margin: all of it on tasks that they can never do.
    AtTheMarginDead,
}

/// Tasks at each look, challengers, what is true of them.
type Size = (&'static [usize], usize, Sort);

const REPEATS: u32 = 5;

/// The share of tasks that a specialist can never do.
const DEAD: f64 = 0.05;

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    const FEW: &[usize] = &[10, 20, 40];
    const MANY: &[usize] = &[20, 40, 60, 80];
    let (sizes, sweeps): (&[Size], _) = match effort {
        Effort::Quick => (&[(FEW, 1, Sort::Equal), (FEW, 1, Sort::AtTheMargin)], 100),
        Effort::Full => (
            &[
                (FEW, 1, Sort::Equal),
                (FEW, 5, Sort::Equal),
                (MANY, 1, Sort::Equal),
                (MANY, 1, Sort::Specialist),
                (MANY, 1, Sort::AtTheMargin),
                (MANY, 1, Sort::AtTheMarginDead),
                (FEW, 5, Sort::AtTheMarginDead),
            ],
            1000,
        ),
    };
    sizes.iter().map(|size| setting(*size, sweeps)).collect()
}

fn setting(size: Size, sweeps: u32) -> Setting {
    let (looks, challengers, sort) = size;
    let difficulties = match sort {
        Sort::AtTheMargin | Sort::AtTheMarginDead => beta(0.9, 1.0),
        Sort::Equal | Sort::Specialist => beta(0.8, 1.0),
    };
    let direct: Direct = Box::new(move |draws| {
        let tasks = looks.last().copied().unwrap_or_default();
        let truth = truth(draws, &difficulties, (tasks, challengers, sort));
        sweep(draws, &truth, size)
    });
    let mut measures = vec![Measure::promised("adaptive", "tasks in batches")];
    measures.push(match sort {
        Sort::AtTheMargin | Sort::AtTheMarginDead => {
            Measure::promised("adaptive-non-inferior", "tasks in batches")
        }
        Sort::Equal => Measure::promised("adaptive-cheaper", "tasks in batches"),
        Sort::Specialist => Measure::shown("within the margin"),
    });
    Setting::direct((NAME, label(size), sweeps), measures, direct)
}

fn label((looks, challengers, sort): Size) -> String {
    let sort = match sort {
        Sort::Equal => "equal",
        Sort::Specialist => "specialist",
        Sort::AtTheMargin => "-10 even",
        Sort::AtTheMarginDead => "-10 dead",
    };
    let cells = match challengers {
        1 => String::new(),
        many => format!(", {many} cells"),
    };
    let ends = [looks.first(), looks.last()].map(|at| at.copied().unwrap_or_default());
    format!("{}..{}x{REPEATS}, {sort}{cells}", ends[0], ends[1])
}

/// Whether a wrong direction, and whether another wrong thing, is claimed at any look.
fn sweep(
    draws: &mut Draws,
    truth: &Truth,
    (looks, challengers, sort): Size,
) -> Result<Vec<Option<f64>>, CalibrateError> {
    let last = looks.last().copied().unwrap_or_default();
    let design = Design {
        price: if sort == Sort::Equal { 1.0 } else { 0.1 },
        ..Design::new(last, REPEATS, challengers)
    };
    let mut whole = Bench::new(&design)?;
    whole.roll(truth, draws);
    let amounts: Vec<u64> = looks.iter().map(|tasks| *tasks as u64).collect();
    let errors = errors_at_tasks(design.alpha, challengers as u32, &amounts)?;
    let (mut direction, mut other) = (false, false);
    for (tasks, alpha) in looks.iter().zip(errors) {
        let mut bench = Bench::new(&Design {
            tasks: *tasks,
            alpha,
            ..design
        })?;
        bench.adopt(&whole);
        let analysis = bench.analyze()?;
        let (of_direction, of_other) = wrong(&analysis, sort);
        (direction, other) = (direction || of_direction, other || of_other);
    }
    let says = |holds: bool| Some(f64::from(u8::from(holds)));
    Ok(vec![says(direction), says(other)])
}

/// A wrong direction; and a cell that is wrongly called cheaper, or within the margin.
fn wrong(analysis: &Analysis, sort: Sort) -> (bool, bool) {
    let at_margin = matches!(sort, Sort::AtTheMargin | Sort::AtTheMarginDead);
    let likes = || {
        analysis
            .comparisons
            .iter()
            .filter_map(|one| one.like.as_ref())
    };
    let mut directions = likes().filter_map(|like| like.direction);
    let direction = directions.any(|one| !at_margin || one == Shown::Better);
    let mut comparisons = analysis.comparisons.iter();
    let other = match sort {
        Sort::Equal => comparisons.any(|one| one.cost.cheaper == Cheaper::Shown),
        _ => likes().any(|like| like.non_inferior.shown),
    };
    (direction, other)
}

fn truth(
    draws: &mut Draws,
    difficulties: &[f64],
    (tasks, cells, sort): (usize, usize, Sort),
) -> Truth {
    let size = (tasks, cells);
    let margin = Design::new(tasks, REPEATS, cells).margin;
    match sort {
        Sort::Equal => {
            let world = Shared {
                difficulties,
                shared: 0.7,
            };
            world.draw(draws, tasks, &vec![1.0; cells])
        }
        Sort::Specialist => specialists(draws, size, DEAD),
        Sort::AtTheMargin => losers(draws, difficulties, (size, margin, Loss::Even)),
        Sort::AtTheMarginDead => losers(draws, difficulties, (size, margin, Loss::Dead)),
    }
}
