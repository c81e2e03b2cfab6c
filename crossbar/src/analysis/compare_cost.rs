//! Cost per success: of one cell, and of every challenger against the baseline.

use super::cell_summary::{CostPerSuccessLine, NoCostPerSuccess};
use super::compare_like::Arms;
use super::comparison::{Cheaper, CostComparison};
use super::grouping::Grouping;
use super::rates::estimate;
use super::table::{Counts, Row, View};
use super::{AnalysisError, CellInfo, Question};
use crate::domain::{Estimate, Price};
use crate::stats::{
    CostArm, CostRatio, CostRatioP, OpenLimits, Ratio, StatsError, cost_per_success, cost_ratio,
    cost_ratio_p, holm_steps,
};

/// Dollars per accepted rollout of one cell. Infrastructure failures count as failures, and what
/// they cost counts too.
pub(super) fn per_success(
    row: &Row<'_>,
    grouping: &Grouping,
    alpha: f64,
) -> Result<CostPerSuccessLine, AnalysisError> {
    let none = |why| CostPerSuccessLine {
        estimate: None,
        why_not: Some(why),
    };
    if row.missing() > 0 {
        return Ok(none(NoCostPerSuccess::MissingRollouts));
    }
    let Some(costs) = row.costs() else {
        return Ok(none(NoCostPerSuccess::UnknownCost));
    };
    if !row.is_measured() {
        return Ok(none(NoCostPerSuccess::NothingMeasured));
    }
    let counts = row.counts(View::Worst);
    let cell = cost_per_success(&grouping.costed(counts.arm()?, &costs)?, alpha, None)?;
    let Some(value) = cell.ratio else {
        return Ok(none(NoCostPerSuccess::NoSuccess));
    };
    let units = grouping.count(costs.len());
    // one unit says nothing about the next one's cost; what is free is free for certain
    let unlimited = if value > 0.0 { None } else { Some(0.0) };
    let (lower, upper) = cell.limits.map_or((0.0, unlimited), |l| (l.lower, l.upper));
    Ok(CostPerSuccessLine {
        estimate: Some(estimate(value, lower, upper, units)?),
        why_not: None,
    })
}

/// One arm's costs with its counts at both extremes and as observed.
struct Costed<'g> {
    grouping: &'g Grouping,
    costs: Vec<f64>,
    /// Rollouts of each task that were not measured.
    unmeasured: Vec<u32>,
    /// What the dearest measured rollout cost.
    dearest: f64,
    worst: Counts,
    best: Counts,
}

impl<'g> Costed<'g> {
    /// `None` when rollouts are missing, a cost is unknown, nothing of the cell was measured, or
    /// it cost nothing although its model is not free: then the usage was wrong, not the price.
    fn of(row: &Row<'_>, price: &Price, grouping: &'g Grouping) -> Option<Self> {
        let costs = row.costs().filter(|_| row.missing() == 0)?;
        let free = *price == Price::Free;
        if !row.is_measured() || (!free && costs.iter().all(|cost| *cost == 0.0)) {
            return None;
        }
        let unmeasured = row
            .cases
            .iter()
            .map(|case| case.scheduled - case.measured());
        Some(Self {
            grouping,
            costs,
            unmeasured: unmeasured.collect(),
            dearest: row.dearest()?,
            worst: row.counts(View::Worst),
            best: row.counts(View::Best),
        })
    }

    fn is_free(&self) -> bool {
        self.costs.iter().all(|cost| *cost == 0.0)
    }

    fn is_whole(&self) -> bool {
        self.unmeasured.iter().all(|count| *count == 0)
    }

    /// At what was spent, with the rollouts that were not measured counted as they are there.
    fn spent(&self, counts: &Counts) -> Result<CostArm, StatsError> {
        self.grouping.costed(counts.arm()?, &self.costs)
    }

    /// At the most that it may really cost: a rollout that broke off early was cheap, so each that
    /// was not measured is taken to fail, and to cost what the dearest measured one did.
    fn dear(&self, dearest: f64) -> Result<CostArm, StatsError> {
        let costs = self.costs.iter().zip(&self.unmeasured);
        let costs: Vec<f64> = costs
            .map(|(spent, count)| spent + f64::from(*count) * dearest)
            .collect();
        self.grouping.costed(self.worst.arm()?, &costs)
    }
}

/// What one pair gives before Holm.
enum Pair {
    Unknown,
    /// One of the two costs nothing, or both: no ratio, but an order for certain.
    Certain(Cheaper),
    /// Too few units for a ratio.
    Bare,
    Ratio(CostRatio, CostRatioP),
}

/// One comparison per challenger. Cheaper and dearer are each claimed by Holm over the
/// challengers, at the one-sided error that belongs to a two-sided interval.
pub(super) fn compare(
    question: &Question,
    grouping: &Grouping,
    arms: &Arms<'_, '_>,
) -> Result<Vec<CostComparison>, AnalysisError> {
    let planned = (arms.challengers.len() + arms.absent).max(1) as f64;
    let is_base = |cell: &&CellInfo| Some(&cell.id) == question.baseline.as_ref();
    let base_price = question.cells.iter().find(is_base).map(|cell| &cell.price);
    let base = base_price.and_then(|price| Costed::of(arms.baseline, price, grouping));
    let challengers = question.cells.iter().filter(|cell| !is_base(cell));
    let pairs: Vec<Pair> = arms
        .challengers
        .iter()
        .zip(challengers)
        .map(|(row, cell)| {
            pair(
                Costed::of(row, &cell.price, grouping).as_ref(),
                base.as_ref(),
                question.alpha / planned,
            )
        })
        .collect::<Result<_, _>>()?;
    let p = |side: fn(&CostRatioP) -> f64| -> Vec<f64> {
        let p = pairs.iter().map(|pair| match pair {
            Pair::Ratio(_, p) => side(p),
            _ => 1.0,
        });
        p.collect()
    };
    let family = arms.family(question.alpha / 2.0);
    let cheaper = holm_steps(&p(|p| p.cheaper), family);
    let dearer = holm_steps(&p(|p| p.dearer), family);
    let lines = pairs.iter().zip(cheaper.iter().zip(&dearer));
    lines
        .map(|(pair, (cheaper, dearer))| {
            let claim = match (cheaper.rejected, dearer.rejected) {
                (true, false) => Cheaper::Shown,
                (false, true) => Cheaper::ShownNot,
                _ => Cheaper::Open,
            };
            line(pair, claim, grouping.count(question.tasks.len()))
        })
        .collect()
}

fn pair(a: Option<&Costed<'_>>, b: Option<&Costed<'_>>, alpha: f64) -> Result<Pair, StatsError> {
    let (Some(a), Some(b)) = (a, b) else {
        return Ok(Pair::Unknown);
    };
    if a.is_free() || b.is_free() {
        let cheaper = a.is_free() && !b.is_free();
        return Ok(Pair::Certain(if cheaper {
            Cheaper::Shown
        } else {
            Cheaper::ShownNot
        }));
    }
    if a.grouping.count(a.costs.len()) < 2 {
        return Ok(Pair::Bare);
    }
    let (spent_a, spent_b) = (a.spent(&a.worst)?, b.spent(&b.worst)?);
    let Some(mut ratio) = cost_ratio(&spent_a, &spent_b, alpha, None)? else {
        return Ok(Pair::Bare);
    };
    if a.is_whole() && b.is_whole() {
        let p = cost_ratio_p(&spent_a, &spent_b, None)?;
        return Ok(p.map_or(Pair::Bare, |p| Pair::Ratio(ratio, p)));
    }
    // F6 for money: what is claimed of either side holds at the other's best.
    let dearest = a.dearest.max(b.dearest);
    let dear = (a.dear(dearest)?, b.spent(&b.best)?);
    let cheap = (a.spent(&a.best)?, b.dear(dearest)?);
    let upper = cost_ratio(&dear.0, &dear.1, alpha, None)?;
    let lower = cost_ratio(&cheap.0, &cheap.1, alpha, None)?;
    ratio.limits = OpenLimits {
        lower: lower.map_or(0.0, |ratio| ratio.limits.lower),
        upper: upper.and_then(|ratio| ratio.limits.upper),
    };
    let against = cost_ratio_p(&dear.0, &dear.1, None)?;
    let favour = cost_ratio_p(&cheap.0, &cheap.1, None)?;
    let p = CostRatioP {
        cheaper: against.map_or(1.0, |p| p.cheaper),
        dearer: favour.map_or(1.0, |p| p.dearer),
    };
    Ok(Pair::Ratio(ratio, p))
}

fn line(pair: &Pair, claim: Cheaper, units: usize) -> Result<CostComparison, AnalysisError> {
    let bare = |cheaper| CostComparison {
        cheaper,
        ratio: None,
        saving: None,
        distinguishable: false,
    };
    match pair {
        Pair::Unknown => Ok(bare(Cheaper::UnknownCost)),
        Pair::Certain(cheaper) => Ok(bare(*cheaper)),
        Pair::Bare => Ok(bare(Cheaper::Open)),
        Pair::Ratio(ratio, _) => Ok(CostComparison {
            ratio: ratio_estimate(ratio, units)?,
            saving: saving_estimate(ratio, units)?,
            distinguishable: ratio.distinguishable(),
            ..bare(claim)
        }),
    }
}

fn ratio_estimate(ratio: &CostRatio, units: usize) -> Result<Option<Estimate>, AnalysisError> {
    match ratio.ratio {
        Ratio::Finite(value) => {
            let upper = ratio.limits.upper.filter(|upper| upper.is_finite());
            estimate(value, ratio.limits.lower, upper, units).map(Some)
        }
        Ratio::Infinite | Ratio::Undefined => Ok(None),
    }
}

fn saving_estimate(ratio: &CostRatio, units: usize) -> Result<Option<Estimate>, AnalysisError> {
    match (ratio.saving(), ratio.saving_limits()) {
        (Some(value), (Some(lower), upper)) if lower.is_finite() => {
            estimate(value, lower, Some(upper), units).map(Some)
        }
        _ => Ok(None),
    }
}
