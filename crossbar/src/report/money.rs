//! MONEY and TIME: what each cell cost, who computed it, the budget, and how long rollouts took.

use super::Frozen;
use super::figures::{counted, duration, money};
use super::page::{HANG, Page};
use crate::analysis::{CellSummary, CostSummary, NoCostPerSuccess};
use crate::domain::{BudgetLimit, CostSource, Price};

/// What a sweep spent on a cell: `$1.02`, `at least $1.02 (3 of unknown cost)`, `unknown`.
pub(super) fn spent(cost: &CostSummary) -> String {
    match cost.total() {
        Some(total) => total.to_string(),
        None if cost.sources.is_empty() => "unknown".to_owned(),
        None => format!(
            "at least {} ({} of unknown cost)",
            cost.known,
            counted(u64::from(cost.unknown_rollouts), "rollout")
        ),
    }
}

/// Writes the section.
pub(super) fn write(page: &mut Page, frozen: &Frozen<'_>) {
    page.heading("COST AND TIME");
    for cell in &frozen.analysis.cells {
        let text = format!(
            "{}: {}, {}; {}",
            cell.id,
            spent(&cell.cost),
            source(frozen, cell),
            per_success(cell)
        );
        page.item("", 2, &text);
        page.item("", 4, &work(cell));
    }
    page.blank();
    page.item("BUDGET", HANG, &budget(frozen));
}

fn source(frozen: &Frozen<'_>, cell: &CellSummary) -> String {
    if matches!(frozen.price(&cell.id), Some(Price::Free)) {
        return "price: free".to_owned();
    }
    let words: Vec<_> = cell
        .cost
        .sources
        .iter()
        .copied()
        .map(source_words)
        .collect();
    if words.is_empty() {
        "price: unknown".to_owned()
    } else {
        words.join(", ")
    }
}

fn source_words(source: CostSource) -> &'static str {
    match source {
        CostSource::Modelled => "cost is modelled (reported tokens x the roster's price)",
        CostSource::Free => "price: free",
    }
}

fn per_success(cell: &CellSummary) -> String {
    match (
        &cell.cost_per_success.estimate,
        cell.cost_per_success.why_not,
    ) {
        (Some(estimate), _) => format!("{} per success", money(estimate)),
        (None, Some(NoCostPerSuccess::UnknownCost)) => "unknown per success".to_owned(),
        (None, Some(NoCostPerSuccess::MissingRollouts)) => {
            "n/a per success: rollouts are missing".to_owned()
        }
        (None, _) => "n/a per success: nothing passed".to_owned(),
    }
}

fn work(cell: &CellSummary) -> String {
    let tokens = match cell.tokens {
        Some(usage) => format!("{} tokens in, {} out", usage.input(), usage.output),
        None => "tokens unknown".to_owned(),
    };
    let time = match &cell.latency {
        Some(latency) => format!(
            "accepted rollouts took {} (median of {}; {} to {})",
            duration(latency.median_ms),
            latency.n,
            duration(latency.fastest_ms),
            duration(latency.slowest_ms)
        ),
        None => "nothing was accepted, so no times".to_owned(),
    };
    let timeouts = match cell.timeouts {
        0 => String::new(),
        count => format!("; {} ran out of time", counted(u64::from(count), "rollout")),
    };
    format!(
        "{tokens}; {}; {time}{timeouts}",
        counted(cell.tool_calls, "tool call")
    )
}

/// The budget line: the ceiling and its use, and which cells are free or of unknown price.
fn budget(frozen: &Frozen<'_>) -> String {
    let used = match frozen.meta.budget {
        Some(status) => {
            let limit = match status.limit {
                BudgetLimit::Usd(limit) => limit.to_string(),
                BudgetLimit::Unlimited => "an unlimited budget".to_owned(),
            };
            format!("{} spent and {} held of {limit}", status.spent, status.held)
        }
        None => "none set".to_owned(),
    };
    format!(
        "{used}{}{}",
        cells_with(frozen, &Price::Free, "free"),
        cells_with(frozen, &Price::Unknown, "unknown")
    )
}

fn cells_with(frozen: &Frozen<'_>, price: &Price, word: &str) -> String {
    let cells = &frozen.question.cells;
    let names: Vec<_> = cells
        .iter()
        .filter(|cell| &cell.price == price)
        .map(|cell| cell.id.to_string())
        .collect();
    match names.len() {
        0 => String::new(),
        all if all == cells.len() => format!("; price: {word}"),
        _ => format!("; price: {word} for {}", names.join(", ")),
    }
}
