//! Every challenger against the baseline over exactly these tasks: the pack line (F5) and the
//! exact stratified test, Holm over the challengers; claimed only if both extremes agree (F6).

use super::compare_like::Arms;
use super::comparison::{Shown, TheseComparison};
use super::grouping::Grouping;
use super::rates::{estimate, largest_p};
use super::table::{Counts, View};
use super::{AnalysisError, Claim, Question};
use crate::stats::{
    Family, PackLine, PackNonInferiority, StatsError, holm_adjusted, pack_line,
    pack_noninferiority_holm, stratified_exact,
};

#[derive(Clone)]
struct Extreme {
    lines: Vec<PackLine>,
    p: Vec<f64>,
    adjusted: Vec<f64>,
    margins: Vec<PackNonInferiority>,
}

/// One comparison per challenger; `None` with one repeat, or where an arm has no measured rollout.
pub(super) fn compare(
    question: &Question,
    arms: &Arms<'_, '_>,
) -> Result<Vec<Option<TheseComparison>>, AnalysisError> {
    let repeated = arms.baseline.is_repeated() && arms.challengers.iter().all(|r| r.is_repeated());
    if !repeated || arms.challengers.is_empty() {
        return Ok(vec![None; arms.challengers.len()]);
    }
    let (margin, family) = (question.margin.value, arms.family(question.alpha));
    let low = extreme(margin, family, arms.counts(View::Worst, View::Best))?;
    let high = if arms.undetermined() {
        extreme(margin, family, arms.counts(View::Best, View::Worst))?
    } else {
        low.clone()
    };
    let one = |i| match arms.difference(i, &Grouping::Tasks)? {
        Some(value) => merge(question, (&low, &high), i, value).map(Some),
        None => Ok(None),
    };
    (0..arms.challengers.len()).map(one).collect()
}

fn extreme(
    margin: f64,
    family: Family,
    (challengers, baseline): (Vec<Counts>, Counts),
) -> Result<Extreme, StatsError> {
    let base = baseline.arm()?;
    let (mut lines, mut p) = (Vec::new(), Vec::new());
    for counts in &challengers {
        let arm = counts.arm()?;
        lines.push(pack_line(arm, base)?);
        p.push(stratified_exact(arm, base)?.p_two_sided);
    }
    let margins = pack_noninferiority_holm(&lines, margin, family)?;
    Ok(Extreme {
        adjusted: holm_adjusted(&p, family.absent),
        lines,
        p,
        margins,
    })
}

impl Extreme {
    /// The direction on these tasks where a p allows one.
    fn direction(&self, i: usize, p: f64, alpha: f64) -> Option<Shown> {
        if p > alpha || self.lines[i].diff == 0.0 {
            None
        } else if self.lines[i].diff < 0.0 {
            Some(Shown::Worse)
        } else {
            Some(Shown::Better)
        }
    }
}

fn merge(
    question: &Question,
    (low, high): (&Extreme, &Extreme),
    i: usize,
    value: f64,
) -> Result<TheseComparison, AnalysisError> {
    let alpha = question.alpha;
    let tasks = question.tasks.len();
    let limits = (low.lines[i].limits(alpha), high.lines[i].limits(alpha));
    let (lower, upper) = (limits.0.lower.max(-1.0), limits.1.upper.min(1.0));
    let directions = (
        low.direction(i, low.adjusted[i], alpha),
        high.direction(i, high.adjusted[i], alpha),
    );
    let single = (
        low.direction(i, low.p[i], alpha),
        high.direction(i, high.p[i], alpha),
    );
    let direction = directions.0.filter(|_| directions.0 == directions.1);
    let (m, n) = (&low.margins[i], &high.margins[i]);
    let at = (low.lines[i].diff, high.lines[i].diff);
    let p = |low: &[f64], high: &[f64]| largest_p((at.0, low[i]), (at.1, high[i]));
    Ok(TheseComparison {
        difference: Claim {
            estimate: estimate(value, lower, Some(upper), tasks)?,
            p: p(&low.p, &high.p),
            adjusted_p: p(&low.adjusted, &high.adjusted),
            shown: direction.is_some(),
        },
        direction,
        pack_only: single.0.filter(|_| single.0 == single.1),
        non_inferior: Claim {
            estimate: estimate(value, m.lower.max(-1.0), None, tasks)?,
            p: m.p.max(n.p),
            adjusted_p: m.adjusted_p.max(n.adjusted_p),
            shown: m.passed && n.passed,
        },
        direction_undetermined: directions.0 != directions.1,
        non_inferior_undetermined: m.passed != n.passed,
    })
}
