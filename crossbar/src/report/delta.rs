//! QUALITY DELTA: a challenger's difference from the baseline in both scopes, whether it is
//! significant, whether the patterns differ, whether it is within the margin.

use super::card::scopes;
use super::figures::{difference, difference_interval, level, p_value, points, signed};
use super::page::{HANG, Page, Span};
use super::styles::Tone;
use super::visible::{COLUMNS, fit};
use crate::analysis::{Analysis, Claim, LikeComparison, Scope, Shown, TheseComparison};
use crate::domain::CellId;

/// Writes the block for one challenger; nothing where there is no baseline.
pub(super) fn write(page: &mut Page, analysis: &Analysis, cell: &CellId) {
    let Some(comparison) = analysis.comparison(cell) else {
        return;
    };
    page.blank();
    let name = fit(&cell.to_string(), COLUMNS - HANG - 13);
    page.item("QUALITY DELTA", HANG, &format!("{name} vs baseline"));
    for scope in scopes(analysis) {
        match scope {
            Scope::TheseTasks => {
                if let Some(these) = &comparison.these {
                    delta_these(page, analysis, these);
                }
            }
            Scope::TasksLikeThese => {
                if let Some(like) = &comparison.like {
                    delta_like(page, analysis, like);
                }
            }
        }
    }
    if comparison.like.is_none() {
        let text =
            "no comparison [tasks like these]: it needs two tasks, and a rollout in each cell";
        page.item("", HANG, text);
    }
}

fn delta_these(page: &mut Page, analysis: &Analysis, these: &TheseComparison) {
    let tag = Scope::TheseTasks.tag();
    page.item(
        "",
        HANG,
        &format!("{} {tag}", difference(&these.difference.estimate)),
    );
    significance(
        page,
        analysis,
        &these.difference,
        ("exact stratified", these.direction, tag),
    );
    undetermined(page, these.direction_undetermined, tag);
    within_margin(page, analysis, &these.non_inferior, tag);
    undetermined_margin(page, these.non_inferior_undetermined, tag);
}

fn delta_like(page: &mut Page, analysis: &Analysis, like: &LikeComparison) {
    let tag = Scope::TasksLikeThese.tag();
    page.item("", HANG, &format!("{} {tag}", difference(&like.plain)));
    significance(
        page,
        analysis,
        &like.difference,
        ("MOVER", like.direction, tag),
    );
    if like.difference.estimate != like.plain {
        let interval = difference_interval(&like.difference.estimate);
        page.item(
            "",
            HANG,
            &format!("interval at its Holm step: {interval} {tag}"),
        );
    }
    undetermined(page, like.direction_undetermined, tag);
    let alpha = analysis.settings.alpha;
    let word = if like.pattern_adjusted_p <= alpha {
        "yes"
    } else {
        "not shown"
    };
    let p = p_value(like.pattern_adjusted_p, alpha);
    page.item(
        "",
        HANG,
        &format!("patterns differ: {word} (exact sign-flip, {p}, Holm) {tag}"),
    );
    if like.borderline {
        let text = format!("BORDERLINE: the patterns differ, the direction is not settled {tag}");
        page.paragraph("", HANG, &[(Tone::Warn, &text)]);
    }
    within_margin(page, analysis, &like.non_inferior, tag);
    undetermined_margin(page, like.non_inferior_undetermined, tag);
}

fn significance(
    page: &mut Page,
    analysis: &Analysis,
    claim: &Claim,
    how: (&str, Option<Shown>, &str),
) {
    let (method, direction, tag) = how;
    let alpha = analysis.settings.alpha;
    let at = level(alpha);
    let p = p_value(claim.adjusted_p, alpha);
    let (word, tone) = match (claim.shown, direction) {
        (true, Some(Shown::Worse)) => (format!("SIGNIFICANT at {at}: worse"), Tone::Bad),
        (true, Some(Shown::Better)) => (format!("SIGNIFICANT at {at}: better"), Tone::Good),
        (true, None) => (format!("SIGNIFICANT at {at}"), Tone::Warn),
        (false, _) => (format!("NOT SIGNIFICANT at {at}"), Tone::Warn),
    };
    let detail = format!("({method}, {p}, Holm) {tag}");
    let spans: [Span<'_>; 2] = [(tone, &word), (Tone::Text, &detail)];
    page.paragraph("", HANG, &spans);
}

fn within_margin(page: &mut Page, analysis: &Analysis, claim: &Claim, tag: &str) {
    let settings = &analysis.settings;
    let margin = points(settings.margin.value);
    let (word, tone) = if claim.shown {
        ("shown", Tone::Good)
    } else {
        ("not shown", Tone::Warn)
    };
    let lower = signed(claim.estimate.interval().lo);
    let p = p_value(claim.adjusted_p, settings.alpha);
    let lead = format!("within {margin} points: {word}");
    let detail = format!("(lower limit {lower}pp, {p}, Holm) {tag}");
    page.paragraph("", HANG, &[(tone, &lead), (Tone::Text, &detail)]);
}

fn undetermined(page: &mut Page, decides: bool, tag: &str) {
    if decides {
        let text = format!("rollouts that were not measured decide the direction {tag}");
        page.paragraph("", HANG, &[(Tone::Warn, &text)]);
    }
}

fn undetermined_margin(page: &mut Page, decides: bool, tag: &str) {
    if decides {
        let text =
            format!("rollouts that were not measured decide whether it is within the margin {tag}");
        page.paragraph("", HANG, &[(Tone::Warn, &text)]);
    }
}
