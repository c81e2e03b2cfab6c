//! Repeats that differ from task to task or from cell to cell, as results of other tools have them.

use crate::calibrate::asks;
use crate::calibrate::design::{Design, Uneven};
use crate::calibrate::truth::{Truth, average, beta, chance, pick};
use crate::calibrate::{Effort, Setting};
use crate::stats::Draws;

const NAME: &str = "uneven";

/// Tasks, which repeats they have, whether the challenger is worse by the margin.
type Size = (usize, Uneven, bool);

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let kinds = [Uneven::Tasks, Uneven::Halves, Uneven::Arms];
    let (tasks, kinds, sweeps): (&[usize], &[Uneven], _) = match effort {
        Effort::Quick => (&[20], &kinds[1..2], 400),
        Effort::Full => (&[20, 50], &kinds, 2000),
    };
    let sizes = tasks
        .iter()
        .flat_map(|tasks| kinds.iter().map(move |kind| (*tasks, *kind)));
    let both = sizes
        .flat_map(|(tasks, kind)| [false, true].map(|worse| setting((tasks, kind, worse), sweeps)));
    both.collect()
}

/// Every other task is a hard one; a challenger that is worse can never do some tasks.
fn draw(draws: &mut Draws, kinds: &[Vec<f64>; 2], (design, worse): (Design, bool)) -> Truth {
    let whole = |task: usize| average(&kinds[task % 2]);
    let mean = average(&(0..design.tasks).map(whole).collect::<Vec<_>>());
    let kept = 1.0 - design.margin / mean;
    let mut rates = vec![Vec::new(), Vec::new()];
    for task in 0..design.tasks {
        let base = pick(draws, &kinds[task % 2]);
        rates[0].push(base);
        rates[1].push(match worse {
            true => base * f64::from(u8::from(chance(draws, kept))),
            false if chance(draws, 0.7) => base,
            false => pick(draws, &kinds[task % 2]),
        });
    }
    let lost = if worse { design.margin } else { 0.0 };
    Truth {
        rates,
        means: vec![mean, mean - lost],
    }
}

fn setting((tasks, uneven, worse): Size, sweeps: u32) -> Setting {
    let design = Design {
        uneven,
        ..Design::new(tasks, 10, 1)
    };
    let repeats = match uneven {
        Uneven::None => "10",
        Uneven::Tasks => "1..10",
        Uneven::Halves => "10 or 2",
        Uneven::Arms => "10 and 3",
    };
    let (what, mut counted) = match worse {
        false => ("equal", vec![asks::cell("uneven")]),
        true => ("-10", vec![asks::non_inferior("non-inferior")]),
    };
    counted.extend(asks::pair());
    let kinds = [beta(0.95, 1.0), beta(0.7, 1.0)];
    Setting::verdict(
        (NAME, format!("{tasks}x({repeats}), {what}"), sweeps),
        design,
        Box::new(move |draws| draw(draws, &kinds, (design, worse))),
        counted,
    )
}
