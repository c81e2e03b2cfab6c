//! Cells that did not run side by side: the days between them are in their difference.

use super::table::Row;
use super::watch::{Scene, WatchOut};

/// The first and the last start of a cell's rollouts; `None` with fewer than two, or where one
/// start is not known.
fn stretch<'a>(row: &Row<'a>) -> Option<(&'a str, &'a str)> {
    let starts: Option<Vec<&str>> = row.records().map(|row| row.started_at.as_deref()).collect();
    let starts = starts.filter(|starts| starts.len() >= 2)?;
    Some((starts.iter().min()?, starts.iter().max()?))
}

/// A line for every pair whose stretches of time do not touch: each challenger with the baseline,
/// or, without one, each cell with the one that began before it.
pub(super) fn lines(scene: &Scene<'_, '_>) -> Vec<WatchOut> {
    let rows = scene.table.rows.iter().enumerate();
    let mut known: Vec<_> = rows
        .filter_map(|(at, row)| Some((stretch(row)?, at)))
        .collect();
    known.sort_unstable();
    let apart = |one: (&str, &str), two: (&str, &str)| one.1 < two.0 || two.1 < one.0;
    let line = |cell: usize, other: usize| WatchOut::RanApart {
        cell: scene.question.cells[cell].id.clone(),
        other: scene.question.cells[other].id.clone(),
    };
    match scene.baseline {
        Some(baseline) => {
            let Some((today, _)) = known.iter().find(|(_, at)| *at == baseline).copied() else {
                return Vec::new();
            };
            let mut cells: Vec<usize> = known
                .iter()
                .filter(|(times, _)| apart(*times, today))
                .map(|(_, at)| *at)
                .collect();
            cells.sort_unstable();
            cells.into_iter().map(|at| line(at, baseline)).collect()
        }
        None => known
            .windows(2)
            .filter(|two| apart(two[0].0, two[1].0))
            .map(|two| line(two[1].1, two[0].1))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::WatchOut;
    use super::super::fixture::{Sweep, cell_id};

    fn apart(day: impl Fn(usize) -> usize, baseline: bool) -> Vec<(String, String)> {
        let mut sweep = Sweep::new(3, 2).flat("a+h", 9, 1).flat("b+h", 9, 1);
        if baseline {
            sweep = sweep.baseline("a+h");
        }
        let sweep = sweep
            .edit("a+h", |at, r| r.started_at = format!("2026-01-0{}", 1 + at))
            .edit("b+h", |at, r| {
                r.started_at = format!("2026-01-0{}", day(at))
            });
        let watch = sweep.analyze().watch;
        let apart = watch.into_iter().filter_map(|line| match line {
            WatchOut::RanApart { cell, other } => Some((cell.to_string(), other.to_string())),
            _ => None,
        });
        apart.collect()
    }

    #[test]
    fn two_stretches_that_do_not_touch_are_named_and_others_are_not() {
        let pair = vec![("b+h".to_owned(), "a+h".to_owned())];
        assert_eq!(cell_id("a+h").to_string(), pair[0].1);
        assert_eq!(apart(|_| 7, true), pair, "a ends on the sixth");
        assert_eq!(apart(|_| 7, false), pair);
        assert_eq!(
            apart(|at| 6 + at, true),
            [],
            "b begins when a's last begins"
        );
        assert_eq!(apart(|at| at + 1, true), []);
    }
}
