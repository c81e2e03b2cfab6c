//! The intervals that other tools print, beside ours: a named alternative with its measured
//! coverage, for comparison only. No verdict rests on one.

use super::grouping::Grouping;
use super::judge::position;
use super::rates::estimate;
use super::table::{Row, Table, View};
use super::{AnalysisError, NamedInterval, Question};
use crate::domain::{CellId, Estimate};
use crate::stats::{
    DrawnMeans, Limits, PairedPhi, PairedTable, Resampling, StatsError, agresti_min,
    clopper_pearson, mcnemar_majority, newcombe_paired, tango, wilson,
};
use serde::Serialize;

/// The draws of the bootstraps, with a seed of their own.
const DRAWS: Resampling = Resampling {
    resamples: 10_000,
    seed: 0x6372_6f73_7300_0001,
};

/// What a named interval gives beside ours.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossCheck {
    /// The interval.
    pub interval: NamedInterval,
    /// Pass rates, one per cell in plan order.
    pub cells: Vec<CheckedRate>,
    /// Differences from the baseline, one per challenger in plan order.
    pub comparisons: Vec<CheckedDifference>,
}

/// A pass rate with the named interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckedRate {
    /// The cell.
    pub cell: CellId,
    /// The rate; `None` where the method makes no such interval, or rollouts were not
    /// measured.
    pub pass_rate: Option<Estimate>,
}

/// A difference with the named interval, and McNemar's test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckedDifference {
    /// The challenger.
    pub cell: CellId,
    /// The difference; `None` where the method makes no such interval, or rollouts were not
    /// measured.
    pub difference: Option<Estimate>,
    /// McNemar's test of each task's majority; `None` where rollouts were not measured.
    pub mcnemar: Option<Majorities>,
}

/// McNemar's exact test: a task goes to the arm in which most of its rollouts passed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Majorities {
    /// Tasks that only the challenger passes.
    pub only_challenger: u64,
    /// Tasks that only the baseline passes.
    pub only_baseline: u64,
    /// Exact two-sided p, unadjusted.
    pub p: f64,
    /// Mid-p.
    pub mid_p: f64,
}

/// The cross-check that the question asks for. Packs whose tasks weigh differently get rates and
/// differences from none of them: they know no weights.
pub(super) fn of(
    question: &Question,
    grouping: &Grouping,
    table: &Table<'_>,
) -> Result<Option<CrossCheck>, AnalysisError> {
    let Some(interval) = question.ci else {
        return Ok(None);
    };
    let check = Check {
        interval,
        alpha: question.alpha,
        grouping,
    };
    let pairs = || question.cells.iter().zip(&table.rows);
    let is_base = |id: &CellId| question.baseline.as_ref() == Some(id);
    let base = pairs().find(|(cell, _)| is_base(&cell.id));
    let challengers: Vec<_> = match base {
        Some(_) => pairs().filter(|(cell, _)| !is_base(&cell.id)).collect(),
        None => Vec::new(),
    };
    let mut drawn = check
        .drawn(&Columns::of(&check, question, table)?)?
        .into_iter();
    let mut cells = Vec::with_capacity(table.rows.len());
    for (cell, row) in pairs() {
        let of_tasks = drawn.next().flatten();
        cells.push(CheckedRate {
            cell: cell.id.clone(),
            pass_rate: of_tasks.map_or_else(|| check.pooled(row), |rate| Ok(Some(rate)))?,
        });
    }
    let mut comparisons = Vec::with_capacity(challengers.len());
    for ((cell, row), of_tasks) in challengers.into_iter().zip(drawn) {
        let Some((_, base)) = base else { continue };
        comparisons.push(CheckedDifference {
            cell: cell.id.clone(),
            difference: of_tasks.map_or_else(|| check.paired(row, base), |d| Ok(Some(d)))?,
            mcnemar: majorities(row, base)?,
        });
    }
    Ok(Some(CrossCheck {
        interval,
        cells,
        comparisons,
    }))
}

/// One value a unit of every cell, and which of them are subtracted.
struct Columns {
    /// One per cell, in plan order; `None` where the methods are silent.
    cells: Vec<Option<Vec<f64>>>,
    /// One per challenger, in plan order: its place and the baseline's; `None` where rollouts of
    /// either were not measured.
    pairs: Vec<Option<(usize, usize)>>,
}

impl Columns {
    fn of(check: &Check<'_>, question: &Question, table: &Table<'_>) -> Result<Self, StatsError> {
        let cells = table.rows.iter().map(|row| check.values(row));
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        let Some(base) = position(question, question.baseline.as_ref()) else {
            let pairs = Vec::new();
            return Ok(Self { cells, pairs });
        };
        let whole = |at: usize| cells[at].is_some() && table.rows[at].undetermined() == 0;
        let others = (0..cells.len()).filter(|at| *at != base);
        let pairs = others.map(|at| (whole(at) && whole(base)).then_some((at, base)));
        Ok(Self {
            pairs: pairs.collect(),
            cells,
        })
    }

    /// The values of a pair's differences.
    fn apart(&self, pair: (usize, usize)) -> Option<Vec<f64>> {
        let (a, b) = (self.cells[pair.0].as_ref()?, self.cells[pair.1].as_ref()?);
        Some(a.iter().zip(b).map(|(a, b)| a - b).collect())
    }

    /// Every column that is there, differences behind the cells.
    fn all(&self) -> Vec<Option<Vec<f64>>> {
        let pairs = self.pairs.iter().map(|pair| self.apart((*pair)?));
        self.cells.iter().cloned().chain(pairs).collect()
    }

    /// The draws of every column that is there, in the same order.
    fn draw(&self) -> Result<DrawnMeans, StatsError> {
        let told: Vec<&[f64]> = self.cells.iter().flatten().map(Vec::as_slice).collect();
        let mut drawn = DrawnMeans::new(&told, DRAWS)?;
        let place = |at: usize| self.cells[..at].iter().flatten().count();
        for (plus, minus) in self.pairs.iter().flatten() {
            drawn.subtract(place(*plus), place(*minus))?;
        }
        Ok(drawn)
    }
}

fn majorities(row: &Row<'_>, base: &Row<'_>) -> Result<Option<Majorities>, AnalysisError> {
    if row.undetermined() + base.undetermined() > 0 {
        return Ok(None);
    }
    let (a, b) = (row.counts(View::Worst), base.counts(View::Worst));
    let test = mcnemar_majority(a.arm()?, b.arm()?)?;
    Ok(Some(Majorities {
        only_challenger: test.only_a,
        only_baseline: test.only_b,
        p: test.exact,
        mid_p: test.mid_p,
    }))
}

struct Check<'g> {
    interval: NamedInterval,
    alpha: f64,
    grouping: &'g Grouping,
}

impl Check<'_> {
    /// Whether a cell's rollouts say nothing to the methods, which know no weights.
    fn is_silent(&self, row: &Row<'_>) -> bool {
        row.missing() > 0 || !row.is_measured() || self.grouping.is_weighted()
    }

    /// One value a unit; `None` where the methods are silent.
    fn values(&self, row: &Row<'_>) -> Result<Option<Vec<f64>>, StatsError> {
        if self.is_silent(row) {
            return Ok(None);
        }
        let counts = row.counts(View::Worst);
        Ok(Some(self.grouping.units(counts.arm()?)?.values().to_vec()))
    }

    /// The bootstraps of the mean of each column, differences behind the cells; `None` from the
    /// other methods.
    fn drawn(&self, columns: &Columns) -> Result<Vec<Option<Estimate>>, AnalysisError> {
        let all = columns.all();
        let told: Vec<&[f64]> = all.iter().flatten().map(Vec::as_slice).collect();
        let limits: Vec<Option<Limits>> = match self.interval {
            _ if told.is_empty() => Vec::new(),
            // one set of draws for all columns keeps cells paired, and is many times quicker
            NamedInterval::BootstrapPercentile => {
                let drawn = columns.draw()?.percentiles(self.alpha)?.into_iter();
                let limits = drawn.map(|d| Limits {
                    lower: d.lower,
                    upper: d.upper,
                });
                limits.map(Some).collect()
            }
            NamedInterval::BootstrapBca => {
                let drawn = columns.draw()?.bca(self.alpha)?.into_iter();
                drawn.map(|drawn| drawn.limits).collect()
            }
            NamedInterval::BootstrapT => columns.draw()?.studentised(self.alpha)?,
            _ => vec![None; told.len()],
        };
        let mut limits = limits.into_iter();
        let one = |column: &Option<Vec<f64>>| match column {
            None => Ok(None),
            Some(values) => {
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                made(limits.next().flatten(), mean, values.len())
            }
        };
        all.iter().map(one).collect()
    }

    /// The rate of all rollouts pooled; `None` from the other methods.
    fn pooled(&self, row: &Row<'_>) -> Result<Option<Estimate>, AnalysisError> {
        if self.is_silent(row) {
            return Ok(None);
        }
        let counts = row.counts(View::Worst);
        let (passes, runs): (u32, u32) = (counts.passes.iter().sum(), counts.runs.iter().sum());
        let limits = match self.interval {
            NamedInterval::Wilson => Some(wilson(passes.into(), runs.into(), self.alpha)?),
            NamedInterval::ClopperPearson => {
                Some(clopper_pearson(passes.into(), runs.into(), self.alpha)?)
            }
            _ => None,
        };
        made(limits, f64::from(passes) / f64::from(runs), runs as usize)
    }

    /// The difference of one rollout a task and arm; `None` from the other methods.
    fn paired(&self, row: &Row<'_>, base: &Row<'_>) -> Result<Option<Estimate>, AnalysisError> {
        let (a, b) = (row.counts(View::Worst), base.counts(View::Worst));
        let once = a.runs.iter().chain(&b.runs).all(|runs| *runs == 1);
        let told = row.undetermined() + base.undetermined() == 0;
        if self.is_silent(row) || !told || !once {
            return Ok(None);
        }
        let table = paired(&a.passes, &b.passes);
        let phi = PairedPhi::Corrected;
        let limits = match self.interval {
            NamedInterval::Newcombe => Some(newcombe_paired(table, phi, self.alpha)?),
            NamedInterval::Tango => Some(tango(table, self.alpha)?),
            NamedInterval::AgrestiMin => Some(agresti_min(table, self.alpha)?),
            _ => None,
        };
        made(limits, table.difference(), a.runs.len())
    }
}

fn made(limits: Option<Limits>, value: f64, n: usize) -> Result<Option<Estimate>, AnalysisError> {
    limits
        .map(|limits| estimate(value, limits.lower, Some(limits.upper), n))
        .transpose()
}

fn paired(a: &[u32], b: &[u32]) -> PairedTable {
    let count = |passed: (u32, u32)| {
        let pairs = a.iter().zip(b);
        pairs.filter(|(a, b)| (**a, **b) == passed).count() as u64
    };
    PairedTable {
        both: count((1, 1)),
        only_a: count((1, 0)),
        only_b: count((0, 1)),
        neither: count((0, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::NAMED_INTERVALS;
    use super::super::fixture::Sweep;
    use super::*;

    fn check(mut sweep: Sweep, word: &str) -> CrossCheck {
        sweep.question.ci = NamedInterval::named(word);
        sweep.analyze().cross_check.unwrap()
    }

    fn limits(estimate: Option<Estimate>) -> (f64, f64) {
        let interval = estimate.unwrap().interval();
        (interval.lo, interval.hi.unwrap())
    }

    fn demo(repeats: u32) -> Sweep {
        let scaled = |passes: [u32; 4]| passes.map(|k| k * repeats / 5);
        Sweep::new(4, repeats)
            .cell("strong+x", 10, &scaled([5, 5, 5, 4]))
            .cell("weak+x", 10, &scaled([5, 3, 3, 1]))
            .baseline("strong+x")
    }

    #[test]
    fn the_intervals_of_the_seeds_demo_are_found_again() {
        let drawn = check(demo(5), "bootstrap-percentile");
        let (strong, weak) = (&drawn.cells[0], &drawn.cells[1]);
        for (rate, want) in [(strong, (0.85, 1.0)), (weak, (0.3, 0.9))] {
            let got = limits(rate.pass_rate);
            assert!(
                (got.0 - want.0).abs() < 1e-9 && (got.1 - want.1).abs() < 1e-9,
                "{got:?}"
            );
        }
        let difference = limits(drawn.comparisons[0].difference);
        assert!(difference.0 < -0.5 && difference.1 < 0.0, "{difference:?}");
        let mcnemar = drawn.comparisons[0].mcnemar.unwrap();
        assert_eq!((mcnemar.only_challenger, mcnemar.only_baseline), (0, 1));
        assert_eq!((mcnemar.p, mcnemar.mid_p), (1.0, 0.5));
    }

    #[test]
    fn every_word_of_the_table_gives_what_it_can_and_no_more() {
        for method in NAMED_INTERVALS {
            assert_eq!(NamedInterval::named(method.word), Some(method.interval));
            assert_eq!(method.interval.method().unwrap().word, method.word);
            let json = serde_json::to_value(method.interval).unwrap();
            assert_eq!(json, method.word, "the word in sweep.json");
            for repeats in [1, 5] {
                let found = check(demo(repeats), method.word);
                let (rate, difference) = match method.word {
                    "wilson" | "clopper-pearson" => (true, false),
                    "newcombe" | "tango" | "agresti-min" => (false, repeats == 1),
                    // one of four all-pass tasks has no spread to correct
                    _ => (true, true),
                };
                let weak = found.cells[1].pass_rate;
                assert_eq!(weak.is_some(), rate, "{} {repeats}", method.word);
                let found = found.comparisons[0].difference;
                assert_eq!(found.is_some(), difference, "{} {repeats}", method.word);
            }
        }
        assert_eq!(NamedInterval::named("wald"), None);
        assert_eq!(demo(5).analyze().cross_check, None);
    }

    #[test]
    fn where_tasks_weigh_differently_they_are_silent() {
        let mut sweep = demo(5);
        sweep.question.tasks[0].weight = 3.0;
        let found = check(sweep, "wilson");
        assert!(found.cells.iter().all(|cell| cell.pass_rate.is_none()));
    }
}
