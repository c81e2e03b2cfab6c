//! The verdict card, one screen: baseline, winner or contender, the difference, the
//! recommendation, what it saves, how far to trust it. Below it what is open or out, and what
//! exactly the card speaks of.

use super::figures::{counted, money, points, rate, tenths};
use super::page::{HANG, Page};
use super::recommendation;
use super::styles::Tone;
use super::visible::{COLUMNS, fit, width};
use super::{Frozen, aa, adaptive, controls, delta, floors, gate, notices, open, origin};
use crate::analysis::{
    Analysis, CellSummary, Confidence, ConfidenceLevel, ConfidenceReason, NeededBasis,
    NoCostPerSuccess, Scope, Unit, Unmeasured, Verdict,
};

/// Writes the card.
pub(super) fn write(page: &mut Page, frozen: &Frozen<'_>) {
    let analysis = frozen.analysis;
    heading(page, analysis);
    notices::unmeasured(page, analysis);
    controls::warn(page, frozen);
    floors::warn(page, frozen);
    body(page, analysis, "over this sweep");
    controls::write(page, frozen);
    gate::write(page, frozen);
    aa::write(page, frozen);
    page.blank();
    origin::claim(page, frozen);
}

/// The card from the baseline to what is open: all of it that is made of the analysis alone.
/// `whole` says what the sums of money are of.
pub(super) fn body(page: &mut Page, analysis: &Analysis, whole: &str) {
    if let Some(baseline) = analysis.baseline.as_ref().and_then(|id| analysis.cell(id)) {
        cell_block(page, analysis, ("BASELINE", whole), baseline);
    }
    let alone = *analysis.verdict() == Verdict::NothingToCompare;
    let subject = analysis
        .subject()
        .filter(|_| !alone)
        .and_then(|id| analysis.cell(id));
    match subject {
        Some(cell) if analysis.verdict().winner().is_some() => {
            cell_block(page, analysis, ("WINNER", whole), cell)
        }
        Some(cell) => cell_block(page, analysis, ("CONTENDER", whole), cell),
        None if analysis.baseline.is_none() => {
            for cell in &analysis.cells {
                cell_block(page, analysis, ("CELL", whole), cell);
            }
        }
        None => {}
    }
    if let Some(cell) = subject {
        delta::write(page, analysis, &cell.id);
    }
    page.blank();
    recommendation::write(page, analysis);
    if analysis.replay_of.is_none() {
        confidence(page, analysis);
    }
    open::write(page, analysis);
    adaptive::write(page, analysis);
}

/// The first line, and what must be known before the second.
pub(super) fn heading(page: &mut Page, analysis: &Analysis) {
    if analysis.demo {
        let text = "DEMO: no evidence about any real model, since some cells only play one.";
        page.line(&[(Tone::Warn, text)]);
    }
    if let Some(run) = &analysis.replay_of {
        page.paragraph("", 0, &[(Tone::Warn, &super::origin::replay(run))]);
    }
    let title = "CROSSBAR VERDICT";
    let replayed = analysis.replay_of.is_some();
    let title = if replayed { "CROSSBAR REPLAY" } else { title };
    let tasks = counted(u64::from(analysis.tasks), "task");
    let pack = fit(
        &analysis.pack_title,
        COLUMNS - width(title) - tasks.len() - 4,
    );
    let right = format!("{pack}, {tasks}");
    let gap = " ".repeat(80_usize.saturating_sub(width(title) + width(&right)).max(2));
    page.line(&[
        (Tone::Heading, title),
        (Tone::Text, &gap),
        (Tone::Text, &right),
    ]);
    if analysis.exploratory {
        let margin = points(analysis.settings.margin.value);
        let text = format!(
            "EXPLORATORY: the margin of {margin} points is the default, nobody declared it."
        );
        page.line(&[(Tone::Warn, &text)]);
    }
    notices::incomplete(page, &analysis.completeness);
}

/// The scopes in the order in which they are printed: the headline first.
pub(super) fn scopes(analysis: &Analysis) -> [Scope; 2] {
    match analysis.headline {
        Scope::TheseTasks => [Scope::TheseTasks, Scope::TasksLikeThese],
        Scope::TasksLikeThese => [Scope::TasksLikeThese, Scope::TheseTasks],
    }
}

fn cell_block(
    page: &mut Page,
    analysis: &Analysis,
    (label, whole): (&str, &str),
    cell: &CellSummary,
) {
    page.blank();
    page.item(label, HANG, &fit(&cell.id.to_string(), COLUMNS - HANG));
    for scope in scopes(analysis) {
        let estimate = match scope {
            Scope::TheseTasks => cell.pack_rate,
            Scope::TasksLikeThese => cell.pass_rate,
        };
        if let Some(estimate) = estimate {
            page.item(
                "",
                HANG,
                &format!("{} pass {}", rate(&estimate), scope.tag()),
            );
        }
    }
    if cell.pass_rate.is_none() {
        page.item("", HANG, "no pass rate: nothing was measured");
    }
    let line = &cell.cost_per_success;
    let per_success = match (&line.estimate, line.why_not) {
        (Some(estimate), _) => format!("; {} per success", money(estimate)),
        (None, Some(NoCostPerSuccess::NoSuccess)) => {
            "; cost per success: none (0 successes)".to_owned()
        }
        (None, _) => String::new(),
    };
    let spent = super::money::spent(&cell.cost);
    page.item("", HANG, &format!("{spent} {whole}{per_success}"));
}

fn confidence(page: &mut Page, analysis: &Analysis) {
    let confidence = &analysis.confidence;
    let (word, tone) = match confidence.level {
        ConfidenceLevel::Low => ("Low.", Tone::Warn),
        ConfidenceLevel::Medium => ("Medium.", Tone::Text),
        ConfidenceLevel::High => ("High.", Tone::Good),
    };
    let reason = confidence_reason(analysis, confidence);
    let needed = tasks_needed(analysis, confidence);
    let text = format!("{reason}{needed} {}", Scope::TasksLikeThese.tag());
    page.blank();
    page.paragraph("CONFIDENCE", HANG, &[(tone, word), (Tone::Text, &text)]);
}

fn confidence_reason(analysis: &Analysis, confidence: &Confidence) -> String {
    let noun = match analysis.settings.unit {
        Unit::Tasks { .. } => "task",
        Unit::Families { .. } => "family",
    };
    let units = match (noun, confidence.units) {
        ("family", units) if units != 1 => format!("{units} families"),
        (noun, units) => counted(u64::from(units), noun),
    };
    let low = confidence.level == ConfidenceLevel::Low;
    let first = match confidence.reason {
        ConfidenceReason::Incomplete => "Planned rollouts are missing.".to_owned(),
        ConfidenceReason::FewTasks if low => {
            format!("Only {units}: take this as a hint, not as proof.")
        }
        ConfidenceReason::FewTasks => format!("{units}: too few for High."),
        ConfidenceReason::WideInterval => {
            let margin = points(analysis.settings.margin.value);
            format!("{units}, but the interval is wide next to the margin of {margin} points.")
        }
        ConfidenceReason::NothingMeasured => not_measured(analysis, confidence),
        ConfidenceReason::NoComparison => format!("{units}, and nothing to compare with."),
        ConfidenceReason::Enough => format!("{units}, and an interval inside the margin."),
    };
    format!("{first}{}", reach(analysis, confidence))
}

/// Of whom nothing was measured, as a sentence.
fn not_measured(analysis: &Analysis, confidence: &Confidence) -> String {
    let about = confidence.about.as_ref();
    let name = about.map_or_else(String::new, recommendation::short);
    let found = about.and_then(|cell| analysis.comparison(cell));
    let side = found.and_then(|found| found.unmeasured);
    let text = delta::nothing_measured(side.unwrap_or(Unmeasured::Challenger), &name);
    format!("N{}.", &text[1..])
}

/// How exactly the figure is known that the confidence is about.
fn reach(analysis: &Analysis, confidence: &Confidence) -> String {
    let Some(half) = confidence.half_width else {
        return String::new();
    };
    let about = confidence.about.as_ref();
    let compared = about
        .and_then(|cell| analysis.comparison(cell))
        .is_some_and(|comparison| comparison.like.is_some());
    let what = if compared { "difference" } else { "pass rate" };
    format!(
        " The {what} is known to about {} points either way.",
        tenths(half)
    )
}

fn tasks_needed(analysis: &Analysis, confidence: &Confidence) -> String {
    let Some(needed) = confidence.tasks_needed else {
        return String::new();
    };
    if needed.tasks <= analysis.tasks {
        // The spread that was seen is too small to size by: OPEN sizes by the interval.
        return String::new();
    }
    let margin = points(analysis.settings.margin.value);
    let tasks = counted(u64::from(needed.tasks), "task");
    match needed.basis {
        NeededBasis::ObservedSpread { .. } => {
            format!(" About {tasks} would show a {margin}-point difference (80% power).")
        }
        NeededBasis::NoSpreadSeen => format!(
            " No two tasks differed: at least {tasks}, all alike, would rule out a {margin}-point loss."
        ),
    }
}
