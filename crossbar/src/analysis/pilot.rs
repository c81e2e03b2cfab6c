//! What an earlier run says about one that is planned: how often the baseline passes, how tasks and
//! cells differ, what a rollout cost and how long it took.

use super::rates::estimate;
use super::{CellInfo, Question};
use crate::domain::{CellId, Cost, Estimate, ResultRow, TaskId};
use crate::stats::{
    Arm, NoiseShare, PairDesign, TaskWorld, Units, korn_graubard, pilot_design, variance_split,
};
use std::collections::BTreeMap;

/// An earlier run. Only what it measured counts: no infrastructure failures, nothing skipped.
#[derive(Debug, Clone, Copy)]
pub struct Pilot<'a> {
    /// What it asked.
    pub question: &'a Question,
    /// The results of its rollouts.
    pub rows: &'a [ResultRow],
}

/// What a pilot says about pass rates.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spread {
    /// Rates, noise and correlation.
    pub(super) world: TaskWorld,
    /// The baseline's pass rate; `n` counts the tasks that both cells were measured on.
    pub(super) rate: Estimate,
    /// The variances of the pair that they come from.
    pub(super) design: PairDesign,
    /// The challenger of that pair.
    pub(super) challenger: CellId,
}

/// Why a pilot says nothing about pass rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PilotSilence {
    /// It has not both the baseline and a challenger of the plan, as they are configured now.
    NoPair,
    /// No task was measured twice in both cells, or fewer than two tasks.
    OneRepeat,
    /// No rollout disagreed with another: how much they can is not known.
    NoVariance,
}

/// Passes and runs of one cell, task by task.
type Counts<'a> = BTreeMap<&'a TaskId, (u32, u32)>;

impl<'a> Pilot<'a> {
    /// The cell of a plan in this run, configured as it is now.
    pub(super) fn has(&self, cell: &CellInfo) -> bool {
        let same = |one: &&CellInfo| one.id == cell.id;
        let then = self.question.cells.iter().find(same);
        then.is_some_and(|then| then.fingerprint == cell.fingerprint)
    }

    /// Every measured rollout of a cell.
    fn measured(&self, cell: &CellId) -> impl Iterator<Item = &'a ResultRow> {
        let rows = self.rows.iter();
        rows.filter(move |row| row.key.cell == *cell && row.outcome.is_measured())
    }

    fn counts(&self, cell: &CellId) -> Counts<'a> {
        let mut counts = Counts::new();
        for row in self.measured(cell) {
            let (passes, runs) = counts.entry(&row.key.task).or_default();
            *passes += u32::from(row.outcome.is_accepted());
            *runs += 1;
        }
        counts
    }

    /// A figure of each rollout, as its mean over each task; `None` where it is not known for one.
    pub(super) fn means(
        &self,
        cell: &CellId,
        figure: &dyn Fn(&ResultRow) -> Option<f64>,
    ) -> Option<BTreeMap<&'a TaskId, f64>> {
        let mut sums: BTreeMap<&TaskId, (f64, u32)> = BTreeMap::new();
        for row in self.measured(cell) {
            let (sum, runs) = sums.entry(&row.key.task).or_default();
            *sum += figure(row)?;
            *runs += 1;
        }
        let means = sums.into_iter();
        Some(
            means
                .map(|(task, (sum, runs))| (task, sum / f64::from(runs)))
                .collect(),
        )
    }

    /// What the pair with the widest differences says about pass rates.
    pub(super) fn spread(&self, planned: &Question) -> Result<Spread, PilotSilence> {
        let here = planned.cells.iter().filter(|cell| self.has(cell));
        let is_baseline = |cell: &&CellInfo| planned.baseline.as_ref() == Some(&cell.id);
        let (base, challengers): (Vec<_>, Vec<_>) = here.partition(is_baseline);
        let base = base.first().ok_or(PilotSilence::NoPair)?;
        let of_pair = |cell: &&CellInfo| self.pair(&cell.id, &base.id, planned.alpha);
        let pairs: Vec<_> = challengers.iter().map(of_pair).collect();
        let width = |spread: &Spread| {
            let design = spread.design;
            design.task_variance
                + (design.rollout_variance_a + design.rollout_variance_b)
                    / f64::from(planned.repeats.max(1))
        };
        let known = pairs.iter().filter_map(|pair| pair.as_ref().ok());
        let widest = known.max_by(|a, b| width(a).total_cmp(&width(b)));
        let silence = pairs.iter().find_map(|pair| pair.as_ref().err());
        widest
            .cloned()
            .ok_or_else(|| silence.copied().unwrap_or(PilotSilence::NoPair))
    }

    fn pair(&self, challenger: &CellId, base: &CellId, alpha: f64) -> Result<Spread, PilotSilence> {
        let (of_a, of_b) = (self.counts(challenger), self.counts(base));
        let both = of_a
            .iter()
            .filter_map(|(task, a)| Some((*a, *of_b.get(task)?)));
        let both = both.filter(|((_, runs_a), (_, runs_b))| *runs_a >= 2 && *runs_b >= 2);
        let (a, b): (Vec<_>, Vec<_>) = both.unzip();
        let ((pass_a, runs_a), (pass_b, runs_b)): ((Vec<_>, Vec<_>), (Vec<_>, Vec<_>)) =
            (a.into_iter().unzip(), b.into_iter().unzip());
        let arms = Arm::new(&pass_a, &runs_a).and_then(|a| Ok((a, Arm::new(&pass_b, &runs_b)?)));
        let (a, b) = arms.map_err(|_| PilotSilence::OneRepeat)?;
        let design = pilot_design(a, b).map_err(|_| PilotSilence::OneRepeat)?;
        let world = world(a, b, design).ok_or(PilotSilence::NoVariance)?;
        Ok(Spread {
            rate: rate(b, alpha).ok_or(PilotSilence::OneRepeat)?,
            world,
            design,
            challenger: challenger.clone(),
        })
    }
}

/// A world with the pilot's mean rate of the baseline, its mean noise and the correlation that
/// leaves its variance of true differences; `None` where nothing varied.
fn world(a: Arm<'_>, b: Arm<'_>, design: PairDesign) -> Option<TaskWorld> {
    let (of_a, of_b) = (variance_split(a), variance_split(b));
    let between = 0.5 * (of_a.between? + of_b.between?);
    let noise = 0.5 * (design.rollout_variance_a + design.rollout_variance_b);
    let certain = of_a.share_of_rollout == NoiseShare::NoVariance
        && of_b.share_of_rollout == NoiseShare::NoVariance;
    let rate = b.mean();
    if certain || noise + between <= 0.0 || rate <= 0.0 || rate >= 1.0 {
        return None;
    }
    let apart = if between > 0.0 {
        (design.task_variance / (2.0 * between)).clamp(0.0, 1.0)
    } else {
        0.0
    };
    Some(TaskWorld {
        pass_rate: rate,
        noise_share: noise / (noise + between),
        correlation: 1.0 - apart,
    })
}

fn rate(arm: Arm<'_>, alpha: f64) -> Option<Estimate> {
    let found = korn_graubard(&Units::tasks(arm), alpha).ok()?;
    estimate(found.mean, found.lower, Some(found.upper), arm.tasks()).ok()
}

/// Dollars of a rollout, where they are known.
pub(super) fn cost_of(row: &ResultRow) -> Option<f64> {
    match row.cost {
        Cost::Known { amount, .. } => Some(amount.dollars()),
        Cost::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, cell_id};
    use super::*;
    use crate::domain::Outcome;

    fn run(passes: &[u32]) -> Sweep {
        Sweep::new(passes.len(), 4)
            .cell("base+x", 1_000, &vec![3; passes.len()])
            .cell("new+x", 100, passes)
            .baseline("base+x")
    }

    fn spread(sweep: &Sweep) -> Result<Spread, PilotSilence> {
        let rows: Vec<_> = sweep.rollouts.iter().map(ResultRow::of).collect();
        let pilot = Pilot {
            question: &sweep.question,
            rows: &rows,
        };
        pilot.spread(&sweep.question)
    }

    #[test]
    fn the_variances_are_those_of_the_counts() {
        // within: 3/4 * 1/4 * 4/3 = 1/4 for the baseline; (0 + 0 + 4/12 + 4/12) / 4 for the other
        let found = spread(&run(&[4, 0, 2, 2])).unwrap();
        assert_eq!(found.challenger, cell_id("new+x"));
        assert!((found.world.pass_rate - 0.75).abs() < 1e-12);
        assert!((found.rate.value() - 0.75).abs() < 1e-12 && found.rate.n() == 4);
        assert!((found.design.rollout_variance_b - 0.25).abs() < 1e-12);
        assert!((found.design.rollout_variance_a - 1.0 / 6.0).abs() < 1e-12);
        // observed differences have 1/6, of which (1/4 + 1/6) / 4 is what rollouts gave them
        let expected = 1.0 / 6.0 - (0.25 + 1.0 / 6.0) / 4.0;
        assert!(
            (found.design.task_variance - expected).abs() < 1e-12,
            "{found:?}"
        );
        // the true rates of the challenger vary by 1/8, the baseline's do not
        let between = 0.5 * 0.125;
        let noise = 0.5 * (0.25 + 1.0 / 6.0);
        assert!(
            (found.world.noise_share - noise / (noise + between)).abs() < 1e-12,
            "{found:?}"
        );
        assert!((found.world.correlation - (1.0 - expected / (2.0 * between))).abs() < 1e-12);
    }

    #[test]
    fn a_pilot_that_says_nothing_says_why() {
        let mut other = run(&[4, 3, 2, 1]);
        other.question.cells[1].fingerprint = "changed".to_owned();
        let rows: Vec<_> = other.rollouts.iter().map(ResultRow::of).collect();
        let pilot = Pilot {
            question: &run(&[4, 3, 2, 1]).question,
            rows: &rows,
        };
        assert_eq!(pilot.spread(&other.question), Err(PilotSilence::NoPair));
        let clean = Sweep::new(4, 4)
            .flat("base+x", 1, 4)
            .flat("new+x", 1, 4)
            .baseline("base+x");
        assert_eq!(spread(&clean), Err(PilotSilence::NoVariance));
        let once = Sweep::new(4, 1)
            .flat("base+x", 1, 1)
            .flat("new+x", 1, 0)
            .baseline("base+x");
        assert_eq!(spread(&once), Err(PilotSilence::OneRepeat));
        let broken = run(&[4, 3, 2, 1]).edit("new+x", |_, rollout| {
            rollout.outcome = Outcome::InvalidFixture {
                message: String::new(),
            };
        });
        assert_eq!(spread(&broken), Err(PilotSilence::OneRepeat));
    }
}
