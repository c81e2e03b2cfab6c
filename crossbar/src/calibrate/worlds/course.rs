//! Whole adaptive runs: the function that every such run asks what comes next is given the record,
//! look by look, and what it has said of every challenger by the end is held to the truth.

use super::families;
use crate::analysis::{Cheaper, Course, LikeComparison, Shown};
use crate::calibrate::bench::Bench;
use crate::calibrate::design::{Design, Families};
use crate::calibrate::setting::{Direct, Measure};
use crate::calibrate::truth::{Loss, Shared, Truth, beta, losers, specialists};
use crate::calibrate::{CalibrateError, Effort, Figure, Setting, Stand};
use crate::domain::LookPlan;
use crate::stats::Draws;

const NAME: &str = "course";

/// What is true of the challengers.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    /// As good as the baseline, 70% of difficulties shared.
    Equal,
    /// As good, and as dear.
    EquallyDear,
    /// As good on average, and never able to do some tasks.
    Specialist,
    /// Worse by the margin, evenly.
    AtTheMargin,
    /// Worse by the margin: all of it on tasks that they can never do.
    AtTheMarginDead,
    /// As good, and tasks come in declared families of uneven size.
    UnevenFamilies,
}

/// Tasks, challengers, what is true of them.
type Size = (usize, usize, Sort);

/// Sweeps of the setting that comes nearest to its bound, so that it is seen on which side it lies.
const CLOSE: u32 = 4000;

/// The first repeats and the most.
const FIRST: u32 = 3;
const MOST: u32 = 10;

/// The share of tasks that a specialist can never do.
const DEAD: f64 = 0.05;

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (sizes, sweeps): (&[Size], _) = match effort {
        Effort::Quick => (
            &[
                (10, 1, Sort::EquallyDear),
                (10, 2, Sort::AtTheMarginDead),
                (10, 1, Sort::Equal),
            ],
            100,
        ),
        Effort::Full => (
            &[
                (10, 1, Sort::Equal),
                (20, 3, Sort::Equal),
                (20, 3, Sort::Specialist),
                (50, 1, Sort::UnevenFamilies),
                (10, 1, Sort::EquallyDear),
                (20, 3, Sort::EquallyDear),
                (50, 1, Sort::EquallyDear),
                (20, 1, Sort::AtTheMargin),
                (20, 3, Sort::AtTheMarginDead),
                (50, 1, Sort::AtTheMargin),
                (50, 3, Sort::AtTheMargin),
                (50, 3, Sort::AtTheMarginDead),
            ],
            1000,
        ),
    };
    let of = |size: &Size| match size {
        (50, 3, Sort::AtTheMarginDead) => CLOSE,
        _ => sweeps,
    };
    sizes.iter().map(|size| setting(*size, of(size))).collect()
}

fn setting(size: Size, sweeps: u32) -> Setting {
    let (tasks, challengers, sort) = size;
    let design = Design {
        price: if sort == Sort::EquallyDear { 1.0 } else { 0.1 },
        families: match sort {
            Sort::UnevenFamilies => Families::Uneven,
            _ => Families::None,
        },
        ..Design::new(tasks, MOST, challengers)
    };
    let difficulties = match sort {
        Sort::AtTheMargin | Sort::AtTheMarginDead => beta(0.9, 1.0),
        _ => beta(0.8, 1.0),
    };
    let direct: Direct = Box::new(move |draws| sweep(draws, &difficulties, (design, sort)));
    let mut measures = vec![
        Measure::promised("adaptive", "a whole run"),
        Measure {
            what: "rollouts saved",
            figure: Figure::Mean,
            stand: Stand::Shown,
        },
    ];
    match sort {
        Sort::AtTheMargin | Sort::AtTheMarginDead => {
            measures.push(Measure::promised("adaptive-non-inferior", "a whole run"));
        }
        Sort::EquallyDear => measures.push(Measure::promised("adaptive-cheaper", "a whole run")),
        _ => {}
    }
    Setting::direct((NAME, label(size), sweeps), measures, direct)
}

fn label((tasks, challengers, sort): Size) -> String {
    let sort = match sort {
        Sort::Equal => "equal",
        Sort::EquallyDear => "equally dear",
        Sort::Specialist => "specialist",
        Sort::AtTheMargin => "-10 even",
        Sort::AtTheMarginDead => "-10 dead",
        Sort::UnevenFamilies => "uneven families",
    };
    let cells = match challengers {
        1 => String::new(),
        many => format!(", {many} cells"),
    };
    format!("{tasks}x{FIRST}..{MOST}, {sort}{cells}")
}

/// Whether a direction is claimed, wrongly; the share of rollouts that were saved; and whether a
/// cell that is not good enough, or not cheaper, is said to be.
fn sweep(
    draws: &mut Draws,
    difficulties: &[f64],
    (design, sort): (Design, Sort),
) -> Result<Vec<Option<f64>>, CalibrateError> {
    let truth = truth(draws, difficulties, (design, sort));
    let mut bench = Bench::new(&design)?;
    bench.roll(&truth, draws);
    let looks = LookPlan::between(FIRST, MOST)?;
    let course = bench.course(&looks)?;
    let says = |holds: bool| Some(f64::from(u8::from(holds)));
    let comparisons = || {
        course
            .cells
            .iter()
            .filter_map(|cell| cell.comparison.as_ref())
    };
    let likes = || comparisons().filter_map(|one| one.like.as_ref());
    let wrong = |like: &LikeComparison| match sort {
        Sort::AtTheMargin | Sort::AtTheMarginDead => like.direction == Some(Shown::Better),
        _ => like.direction.is_some(),
    };
    Ok(vec![
        says(likes().any(wrong)),
        Some(1.0 - used(&course)),
        match sort {
            Sort::EquallyDear => says(comparisons().any(|one| one.cost.cheaper == Cheaper::Shown)),
            _ => says(likes().any(|like| like.non_inferior.shown)),
        },
    ])
}

/// Rollouts that ran, as a share of those of a design that never stops.
fn used(course: &Course) -> f64 {
    let cells: u32 = course.cells.iter().map(|cell| cell.repeats).sum();
    let all = f64::from(MOST) * (course.cells.len() as f64 + 1.0);
    f64::from(cells + course.baseline_repeats) / all
}

fn truth(draws: &mut Draws, difficulties: &[f64], (design, sort): (Design, Sort)) -> Truth {
    let size = (design.tasks, design.challengers);
    match sort {
        Sort::Equal | Sort::EquallyDear => {
            let world = Shared {
                difficulties,
                shared: 0.7,
            };
            world.draw(draws, size.0, &vec![1.0; size.1])
        }
        Sort::UnevenFamilies => families::draw(draws, difficulties, (design.families, size.0, 0.6)),
        Sort::Specialist => specialists(draws, size, DEAD),
        Sort::AtTheMargin => losers(draws, difficulties, (size, design.margin, Loss::Even)),
        Sort::AtTheMarginDead => losers(draws, difficulties, (size, design.margin, Loss::Dead)),
    }
}
