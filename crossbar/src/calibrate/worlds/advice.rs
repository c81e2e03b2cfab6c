//! What CAN'T TELL says would settle it, done: the tasks that it names are added to those that
//! there are, or the repeats to the same tasks, and the question is asked again.

use super::equal::{RATE, SHARED};
use crate::analysis::{Analysis, NeedKind, Shown, Verdict};
use crate::calibrate::bench::Bench;
use crate::calibrate::design::Design;
use crate::calibrate::setting::{Direct, Measure};
use crate::calibrate::truth::{Shared, Truth, beta};
use crate::calibrate::{CalibrateError, Effort, Setting};
use crate::stats::Draws;

const NAME: &str = "advice";

/// Tasks, points by which the challenger is truly worse.
type Size = (usize, u32);

/// More tasks, or more repeats, than anybody would add: such advice counts as settling nothing.
const MOST_TASKS: u32 = 2000;
const MOST_REPEATS: u32 = 200;

const REPEATS: u32 = 5;

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (sizes, sweeps): (&[Size], _) = match effort {
        Effort::Quick => (&[(20, 0)], 150),
        Effort::Full => (&[(10, 0), (20, 0), (30, 0), (20, 20)], 1000),
    };
    sizes.iter().map(|size| setting(*size, sweeps)).collect()
}

fn setting(size: Size, sweeps: u32) -> Setting {
    let (tasks, worse) = size;
    let difficulties = beta(RATE, 1.0);
    let factor = 1.0 - f64::from(worse) / 100.0 / RATE;
    let direct: Direct = Box::new(move |draws| {
        let world = Shared {
            difficulties: &difficulties,
            shared: SHARED,
        };
        sweep(draws, &world, (tasks, factor))
    });
    let truth = match worse {
        0 => "equal".to_owned(),
        points => format!("{points} worse"),
    };
    let counted = |what| match size {
        (20, 0) => Measure::promised("advice", what),
        _ => Measure::shown(what),
    };
    let measures = vec![
        counted("[these tasks]"),
        counted("[tasks like these]"),
        Measure::shown("open, + repeats"),
        Measure::shown("open, + tasks"),
        Measure::shown("says a number"),
    ];
    let label = format!("{tasks}x{REPEATS}, margin 10, {truth}");
    Setting::direct((NAME, label, sweeps), measures, direct)
}

/// Whether the question is settled in the end on these tasks and on tasks like these; the same
/// where it was open; and whether the advice for the latter names a number at all.
fn sweep(
    draws: &mut Draws,
    world: &Shared<'_>,
    (tasks, factor): (usize, f64),
) -> Result<Vec<Option<f64>>, CalibrateError> {
    let design = Design::new(tasks, REPEATS, 1);
    let truth = world.draw(draws, tasks, &[factor]);
    let mut bench = Bench::new(&design)?;
    bench.roll(&truth, draws);
    let analysis = bench.analyze()?;
    let says = |holds: bool| Some(f64::from(u8::from(holds)));
    let mut here = None;
    if is_open_here(&analysis) {
        let total = advised(analysis.verdict_these.as_ref(), NeedKind::Repeats);
        here = says(match total.filter(|total| *total <= MOST_REPEATS) {
            Some(repeats) => {
                let design = Design { repeats, ..design };
                let mut more = Bench::new(&design)?;
                more.roll(&truth, draws);
                more.adopt(&bench);
                !is_open_here(&more.analyze()?)
            }
            None => false,
        });
    }
    let (mut like, mut named) = (None, None);
    if is_open(&analysis) {
        let total = advised(Some(&analysis.verdict_like), NeedKind::Tasks);
        named = says(total.is_some());
        like = says(match total.filter(|total| *total <= MOST_TASKS) {
            Some(total) => {
                let design = Design {
                    tasks: total as usize,
                    ..design
                };
                let truth = longer(truth, world.draw(draws, total as usize - tasks, &[factor]));
                let mut more = Bench::new(&design)?;
                more.roll(&truth, draws);
                more.adopt(&bench);
                !is_open(&more.analyze()?)
            }
            None => false,
        });
    }
    let in_the_end = |after: Option<f64>| Some(after.unwrap_or(1.0));
    Ok(vec![in_the_end(here), in_the_end(like), here, like, named])
}

fn longer(mut truth: Truth, more: Truth) -> Truth {
    for (rates, more) in truth.rates.iter_mut().zip(more.rates) {
        rates.extend(more);
    }
    truth
}

/// How many tasks or repeats in all a verdict asks for.
fn advised(verdict: Option<&Verdict>, what: NeedKind) -> Option<u32> {
    let Some(Verdict::CannotTell { open, .. }) = verdict else {
        return None;
    };
    let needs = open.first()?.needs.iter();
    needs
        .filter(|need| need.what == what)
        .find_map(|need| need.total)
}

fn is_open(analysis: &Analysis) -> bool {
    let like = analysis
        .comparisons
        .first()
        .and_then(|one| one.like.as_ref());
    like.is_none_or(|like| !like.non_inferior.shown && like.direction != Some(Shown::Worse))
}

fn is_open_here(analysis: &Analysis) -> bool {
    let these = analysis
        .comparisons
        .first()
        .and_then(|one| one.these.as_ref());
    these.is_none_or(|these| !these.non_inferior.shown && these.direction != Some(Shown::Worse))
}
