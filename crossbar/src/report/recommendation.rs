//! The `>>` lines: what to do, in each scope, what it saves, which cells are still open and what
//! would settle them, which are out and why.

use super::card::scopes;
use super::figures::{counted, money, points, rate};
use super::page::{HANG, Page};
use super::styles::Tone;
use super::visible::fit;
use crate::analysis::{
    Analysis, ClosedBy, Lack, Need, NeedKind, OpenCell, Scope, Undecided, Verdict,
};
use crate::domain::CellId;

/// Writes the recommendation of both scopes.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    for scope in scopes(analysis) {
        if let Some(verdict) = verdict_of(analysis, scope) {
            advice(page, analysis, verdict, scope);
        }
    }
    savings(page, analysis);
    for scope in scopes(analysis) {
        if let Some(verdict) = verdict_of(analysis, scope) {
            details(page, verdict, scope);
        }
    }
}

pub(super) fn verdict_of(analysis: &Analysis, scope: Scope) -> Option<&Verdict> {
    match scope {
        Scope::TheseTasks => analysis.verdict_these.as_ref(),
        Scope::TasksLikeThese => Some(&analysis.verdict_like),
    }
}

fn short(cell: &CellId) -> String {
    fit(&cell.to_string(), 60)
}

fn advice(page: &mut Page, analysis: &Analysis, verdict: &Verdict, scope: Scope) {
    let margin = points(analysis.settings.margin.value);
    let baseline = analysis
        .baseline
        .as_ref()
        .map_or_else(|| "what you have".to_owned(), short);
    let (tone, text) = match verdict {
        Verdict::Switch { cell, .. } => (
            Tone::Good,
            format!(
                "to {}: it is within {margin} points of {baseline}, and costs less per success.",
                short(cell)
            ),
        ),
        Verdict::Stay { .. } => (
            Tone::Text,
            format!("with {baseline}: no cheaper cell is left that could do the job."),
        ),
        Verdict::CannotTell { why, .. } => (
            Tone::Warn,
            format!("yet, so keep {baseline}: {}.", undecided(*why)),
        ),
        Verdict::Pick { cell, .. } => (
            Tone::Good,
            format!(
                "{}: the cheapest cell whose lower limit is above the quality bar.",
                short(cell)
            ),
        ),
        Verdict::NothingToCompare => (
            Tone::Text,
            "yet: one cell and no quality bar. Add a cell and name a baseline.".to_owned(),
        ),
    };
    let word = format!(">> {}", verdict.word());
    let text = format!("{text} {}", scope.tag());
    page.paragraph("", 2, &[(tone, &word), (Tone::Text, &text)]);
}

fn undecided(why: Undecided) -> &'static str {
    match why {
        Undecided::OpenCells => "you cannot distinguish the open cells from it with these rollouts",
        Undecided::MissingRollouts => {
            "planned rollouts are missing, and nothing is claimed without them"
        }
        Undecided::UnmeasuredRollouts => "rollouts that could not be measured would decide",
        Undecided::NoBaselineNoBar => "neither a baseline nor a quality bar was named",
        Undecided::NoneClearsBar => "no cell's lower limit is above the quality bar",
    }
}

/// Savings come from the cost per success, of the winner; nothing is saved while nothing changes.
fn savings(page: &mut Page, analysis: &Analysis) {
    let (Some(baseline), Some(cell)) = (&analysis.baseline, analysis.subject()) else {
        return;
    };
    let Some(comparison) = analysis.comparison(cell) else {
        return;
    };
    let per_success = match &comparison.cost.saving {
        Some(saving) if comparison.cost.distinguishable => {
            format!("{} of the cost per success", rate(saving))
        }
        Some(saving) => format!(
            "not distinguishable, {} of the cost per success",
            rate(saving)
        ),
        None => "not known: a cost is unknown or zero, or too little passed".to_owned(),
    };
    let each = |id: &CellId| {
        analysis
            .cell(id)
            .and_then(|cell| cell.cost_per_success.estimate)
    };
    let from_to = match (each(baseline), each(cell)) {
        (Some(now), Some(then)) => format!(" (from {} to {})", money(&now), money(&then)),
        _ => String::new(),
    };
    let tag = Scope::TasksLikeThese.tag();
    let text = match analysis.verdict().winner() {
        Some(_) => format!("Savings: {per_success}{from_to} {tag}"),
        None => format!(
            "Savings: $0.00 while you stay. {}, if it did the job: {per_success}{from_to} {tag}",
            short(cell)
        ),
    };
    page.item("", 5, &text);
}

fn details(page: &mut Page, verdict: &Verdict, scope: Scope) {
    let (open, closed) = match verdict {
        Verdict::Stay { closed } => (&[][..], closed.as_slice()),
        Verdict::CannotTell { open, closed, .. } => (open.as_slice(), closed.as_slice()),
        Verdict::Switch { .. } | Verdict::Pick { .. } | Verdict::NothingToCompare => return,
    };
    if !open.is_empty() || !closed.is_empty() {
        page.blank();
    }
    for cell in open {
        open_cell(page, cell, scope);
    }
    for cell in closed {
        let text = format!(
            "{}: {} {}",
            short(&cell.cell),
            closed_by(cell.why),
            scope.tag()
        );
        page.item("OUT", HANG, &text);
    }
}

fn open_cell(page: &mut Page, open: &OpenCell, scope: Scope) {
    let tag = scope.tag();
    let lacks: Vec<_> = open.lacks.iter().copied().map(lack).collect();
    let text = format!("{}: {} {tag}", short(&open.cell), lacks.join("; "));
    page.item("OPEN", HANG, &text);
    let needs: Vec<_> = open.needs.iter().map(need).collect();
    let settle = if needs.is_empty() {
        settled_by(&open.lacks).to_owned()
    } else {
        needs.join(", or ")
    };
    page.item("", HANG, &format!("would settle it: {settle} {tag}"));
    if let Some(leaning) = open.leaning {
        let text = format!(
            "LEANING odds {:.2} of being within the margin; expected drop {} points {tag}",
            leaning.within_margin,
            points((leaning.expected_drop * 1e3).round() / 1e3),
        );
        page.item("", HANG, &text);
    }
}

fn lack(lack: Lack) -> &'static str {
    match lack {
        Lack::Rollouts => "rollouts are missing",
        Lack::WithinMargin => "not shown to be within the margin",
        Lack::AboveBar => "lower limit not above the quality bar",
        Lack::Cost => "its cost is not known",
        Lack::Cheaper => "not shown to be cheaper",
    }
}

fn settled_by(lacks: &[Lack]) -> &'static str {
    if lacks.contains(&Lack::Rollouts) {
        "the missing rollouts: resume the run"
    } else if lacks.contains(&Lack::Cost) {
        "a price in the roster, or usage from the provider"
    } else {
        "nothing that can be computed from these rollouts"
    }
}

fn need(need: &Need) -> String {
    let noun = match need.what {
        NeedKind::Tasks => "task",
        NeedKind::Repeats => "repeat",
    };
    let cost = need.cost.map_or_else(
        || ", at an unknown cost".to_owned(),
        |usd| format!(", about {usd}"),
    );
    match (need.total, need.more) {
        (Some(total), Some(more)) => {
            format!(
                "about {} in all, {more} more{cost}",
                counted(u64::from(total), noun)
            )
        }
        (Some(total), None) => format!("about {} in all", counted(u64::from(total), noun)),
        (None, _) => format!("no number of {noun}s at the rates seen"),
    }
}

fn closed_by(why: ClosedBy) -> &'static str {
    match why {
        ClosedBy::ExecutedViolation => "a forbidden call reached its tool",
        ClosedBy::Worse => "shown worse than the baseline",
        ClosedBy::UnderBar => "its upper limit is below the quality bar",
        ClosedBy::NotCheaper => "shown not to be cheaper",
    }
}
