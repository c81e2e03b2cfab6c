//! QUALITY DELTA: a challenger's difference from the baseline in both scopes, whether it is
//! significant, whether it is within the margin; and the TESTS behind those words.

use super::adaptive;
use super::card::scopes;
use super::figures::{difference, difference_interval, level, p_value, points, signed, tenths};
use super::page::{HANG, Page, Span};
use super::recommendation::short;
use super::styles::Tone;
use super::visible::{COLUMNS, fit};
use crate::analysis::{
    Analysis, Claim, Comparison, LikeComparison, NeededBasis, Scope, Shown, TheseComparison,
    Unmeasured,
};
use crate::domain::{CellId, Estimate};

/// The column of the lines below the block's first.
const INSET: usize = 5;

/// Writes the block for one challenger; nothing where there is no baseline.
pub(super) fn write(page: &mut Page, analysis: &Analysis, cell: &CellId) {
    let Some(comparison) = analysis.comparison(cell) else {
        return;
    };
    page.blank();
    let name = fit(&cell.to_string(), COLUMNS - HANG - 38);
    let text = format!("{name} vs baseline (pp: percentage points)");
    page.item("QUALITY DELTA", HANG, &text);
    if let Some(side) = comparison.unmeasured {
        let text = format!("no comparison: {}", nothing_measured(side, &short(cell)));
        page.paragraph("", INSET, &[(Tone::Warn, &text)]);
        return;
    }
    for scope in scopes(analysis) {
        match (scope, &comparison.these, &comparison.like) {
            (Scope::TheseTasks, Some(these), _) => delta_these(page, analysis, these),
            (Scope::TasksLikeThese, _, Some(like)) => {
                let looked = adaptive::label(analysis, cell);
                delta_like(page, analysis, like, looked.as_deref());
            }
            _ => {}
        }
    }
    within_margin(page, analysis, comparison);
    if comparison.like.is_none() {
        let text = "no comparison [tasks like these]: it needs two tasks";
        page.item("", INSET, text);
    }
}

/// Of whom nothing was measured.
pub(super) fn nothing_measured(side: Unmeasured, challenger: &str) -> String {
    let whom = match side {
        Unmeasured::Challenger => challenger.to_owned(),
        Unmeasured::Baseline => "the baseline".to_owned(),
        Unmeasured::Both => format!("the baseline or of {challenger}"),
    };
    format!("not one rollout of {whom} was measured")
}

fn delta_these(page: &mut Page, analysis: &Analysis, these: &TheseComparison) {
    let tag = Scope::TheseTasks.tag();
    let claim = &these.difference;
    let how = ("stratified", these.direction, tag);
    significance(page, analysis, (claim, &claim.estimate), how);
    undetermined(page, these.direction_undetermined, tag);
    undetermined_margin(page, these.non_inferior_undetermined, tag);
}

fn delta_like(page: &mut Page, analysis: &Analysis, like: &LikeComparison, looked: Option<&str>) {
    let tag = Scope::TasksLikeThese.tag();
    let how = ("MOVER", like.direction, tag);
    match looked {
        Some(looked) => {
            let detail = format!("(joint sign-flip and MOVER; {looked}) {tag}");
            spans(
                page,
                analysis,
                (&like.difference, &like.plain),
                (like.direction, &detail),
            );
        }
        None => significance(page, analysis, (&like.difference, &like.plain), how),
    }
    undetermined(page, like.direction_undetermined, tag);
    if like.borderline {
        let text = format!("BORDERLINE: the patterns differ, the direction is not settled {tag}");
        page.paragraph("", INSET, &[(Tone::Warn, &text)]);
    }
    let alpha = analysis.settings.alpha;
    let patterns = like.pattern_adjusted_p;
    if let Some(p) = patterns.filter(|p| like.borderline || *p <= alpha) {
        page.item("", INSET, &pattern(p, alpha));
    }
    undetermined_margin(page, like.non_inferior_undetermined, tag);
    if let Some(bounds) = &like.bounds {
        let (worst, best) = (difference(&bounds.worst), difference(&bounds.best));
        let text = format!(
            "if what was not measured went against it: {worst}; if it went for it: {best} {tag}"
        );
        page.item("", INSET, &text);
    }
}

fn pattern(adjusted_p: f64, alpha: f64) -> String {
    let word = if adjusted_p <= alpha {
        "yes"
    } else {
        "not shown"
    };
    let p = p_value(adjusted_p, alpha);
    let tag = Scope::TasksLikeThese.tag();
    format!("patterns differ: {word} (exact sign-flip, {p}, Holm) {tag}")
}

fn significance(
    page: &mut Page,
    analysis: &Analysis,
    figures: (&Claim, &Estimate),
    how: (&str, Option<Shown>, &str),
) {
    let ((claim, shown), (method, direction, tag)) = (figures, how);
    let p = p_value(claim.adjusted_p, analysis.settings.alpha);
    let detail = format!("({method}, {p}, Holm) {tag}");
    spans(page, analysis, (claim, shown), (direction, &detail));
}

fn spans(
    page: &mut Page,
    analysis: &Analysis,
    (claim, shown): (&Claim, &Estimate),
    (direction, detail): (Option<Shown>, &str),
) {
    let at = level(analysis.settings.alpha);
    let (word, tone) = match (claim.shown, direction) {
        (true, Some(Shown::Worse)) => (format!("SIGNIFICANT at {at}: worse"), Tone::Bad),
        (true, Some(Shown::Better)) => (format!("SIGNIFICANT at {at}: better"), Tone::Good),
        (true, None) => (format!("SIGNIFICANT at {at}"), Tone::Warn),
        (false, _) => (format!("NOT SIGNIFICANT at {at}"), Tone::Warn),
    };
    let spans: [Span<'_>; 3] = [
        (Tone::Text, &difference(shown)),
        (tone, &word),
        (Tone::Text, detail),
    ];
    page.paragraph("", INSET, &spans);
}

/// Non-inferiority in the scopes that speak of it, the headline first.
fn margins(analysis: &Analysis, comparison: &Comparison) -> Vec<(Claim, Scope)> {
    let of = |scope| match scope {
        Scope::TheseTasks => comparison.these.as_ref().map(|these| these.non_inferior),
        Scope::TasksLikeThese => comparison.like.as_ref().map(|like| like.non_inferior),
    };
    let claims = scopes(analysis).into_iter();
    claims
        .filter_map(|scope| Some((of(scope)?, scope)))
        .collect()
}

fn shown(claim: &Claim) -> &'static str {
    if claim.shown { "shown" } else { "not shown" }
}

fn within_margin(page: &mut Page, analysis: &Analysis, comparison: &Comparison) {
    let claims = margins(analysis, comparison);
    if claims.is_empty() {
        return;
    }
    let words: Vec<_> = claims
        .iter()
        .map(|(claim, scope)| format!("{} {}", shown(claim), scope.tag()))
        .collect();
    let margin = points(analysis.settings.margin.value);
    let all = claims.iter().all(|(claim, _)| claim.shown);
    let tone = if all { Tone::Good } else { Tone::Warn };
    let lead = format!("within {margin} points:");
    page.paragraph("", INSET, &[(Tone::Text, &lead), (tone, &words.join(", "))]);
}

/// TESTS: the figures behind the words of QUALITY DELTA and CONFIDENCE; nothing without a
/// challenger, or where nothing was measured of one side.
pub(super) fn details(page: &mut Page, analysis: &Analysis) {
    let Some(comparison) = analysis.subject().and_then(|id| analysis.comparison(id)) else {
        return;
    };
    let alpha = analysis.settings.alpha;
    let margin = points(analysis.settings.margin.value);
    if comparison.unmeasured.is_some() {
        return;
    }
    page.heading("TESTS");
    let name = fit(&comparison.cell.to_string(), 60);
    page.item("", 2, &format!("{name} vs baseline"));
    for (claim, scope) in margins(analysis, comparison) {
        let how = adaptive::label(analysis, &comparison.cell)
            .unwrap_or_else(|| format!("{}, Holm", p_value(claim.adjusted_p, alpha)));
        let text = format!(
            "within {margin} points: {} (lower limit {}pp, {how}) {}",
            shown(&claim),
            signed(claim.estimate.interval().lo),
            scope.tag()
        );
        page.item("", 4, &text);
    }
    if let Some(like) = comparison
        .like
        .as_ref()
        .filter(|_| analysis.adaptive.is_none())
    {
        if let Some(p) = like.pattern_adjusted_p {
            page.item("", 4, &pattern(p, alpha));
        }
        if like.difference.estimate != like.plain {
            let interval = difference_interval(&like.difference.estimate);
            let tag = Scope::TasksLikeThese.tag();
            let text = format!("difference at its Holm step: {interval} {tag}");
            page.item("", 4, &text);
        }
    }
    spread(page, analysis);
    let text = match analysis.adaptive {
        Some(_) => {
            "MOVER: interval of the difference of two rates; each challenger has its part of the error."
        }
        None => {
            "stratified: exact stratified test; MOVER: interval of the difference of two rates; Holm: corrected over all challengers."
        }
    };
    page.item("", 2, text);
}

/// Where the number of tasks in CONFIDENCE comes from.
fn spread(page: &mut Page, analysis: &Analysis) {
    let Some(needed) = analysis.confidence.tasks_needed else {
        return;
    };
    if let NeededBasis::ObservedSpread { sd } = needed.basis {
        let sd = tenths(sd);
        let text = format!(
            "standard deviation of the tasks' differences: {sd} points {}",
            Scope::TasksLikeThese.tag()
        );
        page.item("", 4, &text);
    }
}

fn undetermined(page: &mut Page, decides: bool, tag: &str) {
    if decides {
        let text = format!("rollouts that were not measured decide the direction {tag}");
        page.paragraph("", INSET, &[(Tone::Warn, &text)]);
    }
}

fn undetermined_margin(page: &mut Page, decides: bool, tag: &str) {
    if decides {
        let text =
            format!("rollouts that were not measured decide whether it is within the margin {tag}");
        page.paragraph("", INSET, &[(Tone::Warn, &text)]);
    }
}
