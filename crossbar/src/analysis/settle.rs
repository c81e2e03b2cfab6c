//! What would settle an open cell: how many tasks or repeats in all, and what they would cost.

use super::cell_summary::CellSummary;
use super::grouping::Grouping;
use super::standing::Standing;
use super::table::{Row, Table, View};
use super::{
    AnalysisError, Comparison, Lack, LeaningLine, Need, NeedKind, Question, Scope, Status,
};
use crate::domain::{Interval, Usd};
use crate::stats::{self, Power, Units, normal_quantile, pack_line, tasks_for_margin};

/// Everything that a plan for more evidence is computed from.
pub(super) struct Settling<'s, 'a> {
    pub(super) question: &'s Question,
    pub(super) grouping: &'s Grouping,
    pub(super) table: &'s Table<'a>,
    pub(super) cells: &'s [CellSummary],
    pub(super) comparisons: &'s [Comparison],
    pub(super) status: Status,
}

/// The power that plans aim at.
pub(super) const POWER: f64 = 0.8;

/// The power that advice aims at. It rests on an observed difference and spread, which are guesses at
/// few tasks: aiming at 80% settles fewer than 80% of what was open.
const ADVISED: f64 = 0.9;

/// Beyond this many tasks or repeats "more of it" is no advice.
const MOST: f64 = 1e6;

impl<'s, 'a> Settling<'s, 'a> {
    fn baseline(&self) -> Option<usize> {
        let id = self.question.baseline.as_ref()?;
        self.question.cells.iter().position(|cell| &cell.id == id)
    }

    /// The units of a cell and of the baseline as observed; `None` without a baseline, while rollouts
    /// are missing, or where nothing was measured of one of them.
    pub(super) fn units(&self, index: usize) -> Result<Option<(Units, Units)>, AnalysisError> {
        let Some(baseline) = self.baseline() else {
            return Ok(None);
        };
        let (a, b) = (&self.table.rows[index], &self.table.rows[baseline]);
        let measured = a.is_measured() && b.is_measured();
        if a.missing() + b.missing() > 0 || !measured || self.unit_count() < 2 {
            return Ok(None);
        }
        let (a, b) = (a.counts(View::Worst), b.counts(View::Worst));
        let (a, b) = (
            self.grouping.units(a.arm()?)?,
            self.grouping.units(b.arm()?)?,
        );
        Ok(Some((a, b)))
    }

    pub(super) fn unit_count(&self) -> usize {
        self.grouping.count(self.question.tasks.len())
    }

    /// How many tasks of this kind of pack are worth one unit: as it grows, its families and
    /// weights stay as uneven as they are.
    pub(super) fn tasks_a_unit(&self, units: &Units) -> f64 {
        self.question.tasks.len() as f64 / units.n_weight()
    }

    fn comparison(&self, index: usize) -> Option<&Comparison> {
        let id = &self.question.cells[index].id;
        self.comparisons.iter().find(|c| &c.cell == id)
    }

    fn family(&self) -> f64 {
        self.comparisons.len().max(1) as f64
    }
}

/// Where an open cell leans (F7); `None` where rollouts that were not measured would be in it.
pub(super) fn leaning(
    index: usize,
    settling: &Settling<'_, '_>,
) -> Result<Option<LeaningLine>, AnalysisError> {
    let baseline = settling.baseline().map(|at| &settling.table.rows[at]);
    let unknown = baseline.map_or(0, Row::undetermined);
    if settling.table.rows[index].undetermined() + unknown > 0 {
        return Ok(None);
    }
    let Some((a, b)) = settling.units(index)? else {
        return Ok(None);
    };
    let leaning = stats::leaning(&a, &b, settling.question.margin.value)?;
    Ok(Some(LeaningLine {
        within_margin: leaning.p_within_margin,
        expected_drop: leaning.expected_drop.max(0.0),
    }))
}

/// What would probably settle it: tasks before repeats. Nothing where rollouts that were not measured
/// would: then they come first.
pub(super) fn needs(
    standing: &Standing,
    scope: Scope,
    settling: &Settling<'_, '_>,
) -> Result<Vec<Need>, AnalysisError> {
    if standing.undetermined {
        return Ok(Vec::new());
    }
    let mut tasks: Vec<Option<f64>> = Vec::new();
    let mut repeats: Vec<Option<f64>> = Vec::new();
    for lack in &standing.lacks {
        match (lack, scope) {
            (Lack::WithinMargin, Scope::TasksLikeThese) => {
                tasks.push(margin_tasks(standing.index, settling)?);
            }
            (Lack::WithinMargin, Scope::TheseTasks) => {
                repeats.push(margin_repeats(standing.index, settling)?);
            }
            (Lack::AboveBar, _) => tasks.push(bar_tasks(standing.index, settling)),
            (Lack::Cheaper, _) => tasks.push(cheaper_tasks(standing.index, settling)),
            (Lack::Rollouts | Lack::Unmeasured | Lack::Cost, _) => {}
        }
    }
    let known = |list: &[Option<f64>]| !list.is_empty() && settling.status == Status::Complete;
    let mut needs = Vec::new();
    if known(&tasks) {
        let now = settling.question.tasks.len() as u32;
        needs.push(need(
            NeedKind::Tasks,
            &tasks,
            now,
            (standing.index, settling),
        ));
    }
    if known(&repeats) {
        let now = settling.question.repeats;
        needs.push(need(
            NeedKind::Repeats,
            &repeats,
            now,
            (standing.index, settling),
        ));
    }
    Ok(needs)
}

fn need(
    what: NeedKind,
    totals: &[Option<f64>],
    now: u32,
    (index, settling): (usize, &Settling<'_, '_>),
) -> Need {
    let all: Option<Vec<f64>> = totals.iter().copied().collect();
    let most = all.and_then(|all| all.into_iter().reduce(f64::max));
    let total = most
        .filter(|total| *total <= MOST)
        .map(|total| (total.ceil() as u32).max(now + 1));
    let more = total.map(|total| total - now);
    let per_more = match what {
        NeedKind::Tasks => settling.question.repeats,
        NeedKind::Repeats => settling.question.tasks.len() as u32,
    };
    let cost = more
        .zip(mean_cost(index, settling))
        .and_then(|(more, mean)| Usd::from_dollars(mean * f64::from(per_more) * f64::from(more)));
    Need {
        what,
        total,
        more,
        cost,
    }
}

/// What one more rollout of the cell and one of the baseline cost so far, on average.
fn mean_cost(index: usize, settling: &Settling<'_, '_>) -> Option<f64> {
    let mean = |index: usize| {
        let cell = &settling.cells[index];
        let total = cell.cost.total()?.dollars();
        (cell.finished > 0).then(|| total / f64::from(cell.finished))
    };
    let baseline = match settling.baseline() {
        Some(baseline) => mean(baseline)?,
        None => 0.0,
    };
    Some(mean(index)? + baseline)
}

/// Tasks until the cell is probably shown within the margin or, where it is observed beyond it,
/// shown worse; `None` where the observed difference sits on the edge of what is asked.
fn margin_tasks(index: usize, settling: &Settling<'_, '_>) -> Result<Option<f64>, AnalysisError> {
    let Some((a, b)) = settling.units(index)? else {
        return Ok(None);
    };
    let difference = a.mean() - b.mean();
    let Some(sd) = spread(index, settling)? else {
        return Ok(None);
    };
    let question = settling.question;
    let alpha = question.alpha / settling.family();
    let (distance, alpha) = if difference > -question.margin.value {
        (difference + question.margin.value, 2.0 * alpha)
    } else {
        (difference.abs(), alpha)
    };
    if distance < 1e-9 {
        return Ok(None);
    }
    let power = Power {
        alpha: alpha.min(0.999),
        power: ADVISED,
    };
    let by_spread = tasks_for_margin(sd, distance, power)? as f64;
    let units = by_spread.max(all_alike(distance, alpha / 2.0));
    Ok(Some(units * settling.tasks_a_unit(&a)))
}

/// The tasks that, all alike, exclude a loss of `distance` at a one-sided error: (1-d)^n <= error.
pub(super) fn all_alike(distance: f64, error: f64) -> f64 {
    if distance >= 1.0 {
        return 1.0;
    }
    (error.ln() / (1.0 - distance).ln()).ceil()
}

/// The standard deviation of the differences from the baseline over units, weights apart; `None`
/// with fewer than two units.
pub(super) fn spread(
    index: usize,
    settling: &Settling<'_, '_>,
) -> Result<Option<f64>, AnalysisError> {
    let Some((a, b)) = settling.units(index)? else {
        return Ok(None);
    };
    let pairs = a.values().iter().zip(b.values());
    let differences: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
    Ok(Some(a.variance_of(&differences).sqrt()))
}

/// Repeats until the pack line probably shows it within the margin or, beyond it, worse.
fn margin_repeats(index: usize, settling: &Settling<'_, '_>) -> Result<Option<f64>, AnalysisError> {
    let Some(baseline) = settling.baseline() else {
        return Ok(None);
    };
    let rows = &settling.table.rows;
    let ready = |row: &Row<'_>| row.missing() == 0 && row.is_repeated() && row.is_measured();
    if !ready(&rows[index]) || !ready(&rows[baseline]) {
        return Ok(None);
    }
    let (a, b) = (
        rows[index].counts(View::Worst),
        rows[baseline].counts(View::Worst),
    );
    let line = pack_line(a.arm()?, b.arm()?)?;
    let question = settling.question;
    let alpha = question.alpha / settling.family();
    let (distance, alpha) = if line.diff > -question.margin.value {
        (line.diff + question.margin.value, alpha)
    } else {
        (line.diff.abs(), alpha / 2.0)
    };
    let reach = normal_quantile(1.0 - alpha) + normal_quantile(ADVISED);
    let tasks = question.tasks.len() as f64;
    let repeats = reach.powi(2) * (line.s_a + line.s_b) / (tasks * distance * distance);
    Ok(Some(repeats).filter(|repeats| repeats.is_finite()))
}

/// Tasks until the interval, which narrows with the root of their number, clears the bar.
fn bar_tasks(index: usize, settling: &Settling<'_, '_>) -> Option<f64> {
    let (rate, bar) = (
        settling.cells[index].pass_rate?,
        settling.question.quality_bar?,
    );
    narrowed(settling, rate.value() - bar, rate.value(), rate.interval())
}

/// Tasks until the interval of the cost ratio excludes 1, on the log scale.
fn cheaper_tasks(index: usize, settling: &Settling<'_, '_>) -> Option<f64> {
    let ratio = settling.comparison(index)?.cost.ratio?;
    let (lo, hi) = (ratio.interval().lo.ln(), ratio.interval().hi.map(f64::ln));
    // below 1 it must come down to show it: mirrored, so that the near limit is the lower one
    let mirrored = Interval {
        lo: -hi?,
        hi: Some(-lo),
    };
    let value = -ratio.value().ln();
    narrowed(settling, value, value, mirrored)
}

/// n times the square of (reach of the limit on the near side / distance to the target).
fn narrowed(
    settling: &Settling<'_, '_>,
    distance: f64,
    value: f64,
    interval: Interval,
) -> Option<f64> {
    let reach = if distance > 0.0 {
        value - interval.lo
    } else {
        interval.hi? - value
    };
    let tasks = settling.question.tasks.len() as f64;
    let total = tasks * (reach / distance).powi(2);
    total.is_finite().then_some(total)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Sweep;
    use super::super::{Lack, NeedKind, OpenCell, Verdict};

    fn open(verdict: &Verdict) -> &OpenCell {
        let Verdict::CannotTell { open, .. } = verdict else {
            panic!("{verdict:?}")
        };
        &open[0]
    }

    #[test]
    fn an_open_cell_says_what_would_settle_it_and_what_that_costs() {
        let analysis = Sweep::new(6, 5)
            .cell("base+x", 1_000, &[5, 4, 5, 5, 5, 3])
            .cell("new+x", 100, &[5, 5, 4, 4, 5, 4])
            .baseline("base+x")
            .analyze();
        let these = open(analysis.verdict_these.as_ref().unwrap());
        assert!(these.lacks.contains(&Lack::WithinMargin) && these.leaning.is_none());
        let need = these
            .needs
            .iter()
            .find(|n| n.what == NeedKind::Repeats)
            .unwrap();
        let more = need.more.unwrap();
        assert_eq!(need.total, Some(5 + more));
        assert_eq!(need.cost.unwrap().micros(), i64::from(more) * 6 * 1_100);
        let like = open(&analysis.verdict_like);
        assert_eq!(like.needs[0].what, NeedKind::Tasks);
        let need = like.needs[0];
        assert!(need.total.unwrap() >= 59, "{like:?}");
        assert_eq!(
            need.cost.unwrap().micros(),
            i64::from(need.more.unwrap()) * 5 * 1_100
        );
        let leaning = like.leaning.unwrap();
        assert!(leaning.within_margin > 0.2 && leaning.within_margin < 0.8);
        assert!(leaning.expected_drop > 0.0);
    }

    #[test]
    fn enough_tasks_by_the_advice_are_enough() {
        let few = Sweep::new(20, 5)
            .flat("base+x", 1_000, 5)
            .flat("new+x", 100, 5);
        let analysis = few.baseline("base+x").analyze();
        let total = open(&analysis.verdict_like).needs[0].total.unwrap();
        let enough = Sweep::new(total as usize, 5)
            .flat("base+x", 1_000, 5)
            .flat("new+x", 100, 5);
        assert_eq!(
            enough.baseline("base+x").analyze().verdict_like.word(),
            "SWITCH"
        );
    }
}
