//! Tasks that are dead for every cell push the correlation of two cells towards 1, so that the
//! interval of their difference takes almost all variance away and misses a specialist's own dead
//! tasks that the sample holds none of. This is what the padding of the correlation is for.

use crate::analysis::CorrelationPadding;
use crate::calibrate::asks;
use crate::calibrate::design::Design;
use crate::calibrate::truth::{Truth, chance};
use crate::calibrate::{Effort, Setting};
use crate::stats::Draws;

const NAME: &str = "dead";

/// Tasks, challengers, and what the baseline loses evenly elsewhere and a challenger on tasks of its
/// own.
type Size = (usize, usize, f64);

/// The share of tasks that are dead for every cell.
const DEAD: f64 = 0.5;

const REPEATS: u32 = 10;

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (sizes, sweeps): (&[Size], _) = match effort {
        // so many sweeps of 39 cells show what happens without the padding: 18% instead of 3%
        Effort::Quick => (&[(100, 1, 0.05), (100, 39, 0.1)], (400, 150)),
        Effort::Full => (
            &[
                (50, 1, 0.05),
                (100, 1, 0.05),
                (300, 1, 0.03),
                (50, 39, 0.1),
                (100, 39, 0.1),
                (150, 39, 0.05),
            ],
            (4000, 300),
        ),
    };
    let paddings = [CorrelationPadding::Normal, CorrelationPadding::Strict];
    let settings = sizes.iter().flat_map(|size| {
        let sweeps = if size.1 == 1 { sweeps.0 } else { sweeps.1 };
        paddings.map(|padding| setting(*size, padding, sweeps))
    });
    settings.collect()
}

/// Elsewhere than on the dead tasks the baseline passes 95%, and a challenger all but the tasks of
/// its own, which are so many that it is worse by `gap` in all.
fn draw(draws: &mut Draws, (tasks, challengers, lost): Size, gap: f64) -> Truth {
    let shared: Vec<bool> = (0..tasks).map(|_| chance(draws, DEAD)).collect();
    let alive = |rate: f64, dead: bool| if dead { 0.0 } else { rate };
    let base = shared.iter().map(|dead| alive(1.0 - lost, *dead)).collect();
    let own = lost + gap / (1.0 - DEAD);
    let mut rates: Vec<Vec<f64>> = vec![base];
    for _ in 0..challengers {
        let rate = |dead: &bool| alive(f64::from(u8::from(!chance(draws, own))), *dead);
        rates.push(shared.iter().map(rate).collect());
    }
    let mean = (1.0 - DEAD) * (1.0 - lost);
    let means = std::iter::repeat_n(mean - gap, challengers);
    Truth {
        means: std::iter::once(mean).chain(means).collect(),
        rates,
    }
}

fn setting(size: Size, padding: CorrelationPadding, sweeps: u32) -> Setting {
    let (tasks, challengers, lost) = size;
    let design = Design {
        padding,
        ..Design::new(tasks, REPEATS, challengers)
    };
    let strict = padding == CorrelationPadding::Strict;
    let (gap, counted) = match (challengers, strict) {
        (1, false) => (design.margin, asks::non_inferior("dead-non-inferior")),
        (1, true) => (design.margin, asks::non_inferior("strict-non-inferior")),
        (_, false) => (0.0, asks::family_wise("dead-family-wise")),
        (_, true) => (0.0, asks::family_wise("strict-family-wise")),
    };
    let padded = if strict { ", strict" } else { "" };
    let own = lost * 100.0;
    let cells = match challengers {
        1 => String::new(),
        many => format!(", {many} cells"),
    };
    Setting::verdict(
        (
            NAME,
            format!("{tasks}x{REPEATS}, {own:.0}% own{cells}{padded}"),
            sweeps,
        ),
        design,
        Box::new(move |draws| draw(draws, size, gap)),
        vec![counted],
    )
}
