//! MONEY and TIME: what each cell cost, who computed it, the budget, and how long rollouts took.

use super::Frozen;
use super::figures::{counted, dollars, duration, money};
use super::page::{HANG, Page};
use super::styles::Tone;
use super::visible::{COLUMNS, left, right, width};
use crate::analysis::{CellSummary, CostSummary, NoCostPerSuccess};
use crate::domain::{BudgetLimit, BudgetStatus, CostSource, Price};

/// The widest that the CELL column becomes.
const CELL: usize = 24;

/// What a sweep spent on a cell: `$1.02`, `at least $1.02 (3 of unknown cost)`, `unknown`.
pub(super) fn spent(cost: &CostSummary) -> String {
    match cost.total() {
        Some(total) => dollars(total.dollars()),
        None if cost.sources.is_empty() => "unknown".to_owned(),
        None => format!(
            "at least {} ({} of unknown cost)",
            dollars(cost.known.dollars()),
            counted(u64::from(cost.unknown_rollouts), "rollout")
        ),
    }
}

/// Writes the section: a table, and below it what is not alike in all cells.
pub(super) fn write(page: &mut Page, frozen: &Frozen<'_>) {
    let cells = &frozen.analysis.cells;
    table(page, cells);
    sources(page, frozen);
    for cell in cells.iter().filter(|cell| cell.timeouts > 0) {
        let count = counted(u64::from(cell.timeouts), "rollout");
        page.item("", 2, &format!("{}: {count} ran out of time", cell.id));
    }
    page.blank();
    page.item("BUDGET", HANG, &budget(frozen));
}

/// The heading and the table.
pub(super) fn table(page: &mut Page, cells: &[CellSummary]) {
    page.heading("COST AND TIME");
    let names = cells.iter().map(|cell| width(&cell.id.to_string()));
    let room = names.max().unwrap_or(0).clamp(4, CELL);
    let heading = fields(
        room,
        ["CELL", "$/SUCCESS", "TOKENS IN/OUT", "CALLS", "TIME"],
    );
    page.line(&[(Tone::Faint, heading.trim_end())]);
    page.line(&[(Tone::Faint, &"-".repeat(room + 74))]);
    for cell in cells {
        cell_row(page, room, cell);
    }
    page.blank();
    page.item(
        "",
        2,
        "TIME is the median of accepted rollouts, with the fastest and the slowest.",
    );
}

/// Padded on the right, never cut.
fn pad(text: &str, room: usize) -> String {
    format!("{text}{}", " ".repeat(room.saturating_sub(width(text))))
}

fn fields(room: usize, columns: [&str; 5]) -> String {
    let [cell, per_success, tokens, calls, time] = columns;
    format!(
        "{}  {}  {}  {}  {time}",
        left(cell, room),
        pad(per_success, 30),
        pad(tokens, 13),
        right(calls, 5)
    )
}

/// On one line; what does not fit there wraps, and is never cut.
fn cell_row(page: &mut Page, room: usize, cell: &CellSummary) {
    let tokens = match cell.tokens {
        Some(usage) => format!("{}/{}", usage.input(), usage.output),
        None => "unknown".to_owned(),
    };
    let time = match &cell.latency {
        Some(latency) => format!(
            "{} ({})",
            duration(latency.median_ms),
            range(&duration(latency.fastest_ms), &duration(latency.slowest_ms))
        ),
        None if cell.accepted > 0 => "unknown".to_owned(),
        None => "none accepted".to_owned(),
    };
    let calls = cell
        .tool_calls
        .map_or_else(|| "n/a".to_owned(), |calls| calls.to_string());
    let id = cell.id.to_string();
    let row = fields(room, [&id, &per_success(cell), &tokens, &calls, &time]);
    if width(&row) <= COLUMNS {
        page.line(&[(Tone::Text, &row)]);
    } else {
        page.item("", 0, &row);
    }
}

/// `41-43 ms`, and `840 ms-1.2 s` where the units differ.
fn range(from: &str, to: &str) -> String {
    match (from.split_once(' '), to.split_once(' ')) {
        (Some((number, unit)), Some((_, other))) if unit == other => format!("{number}-{to}"),
        _ => format!("{from}-{to}"),
    }
}

/// Who computed the costs: once where all cells are alike, else cell by cell.
fn sources(page: &mut Page, frozen: &Frozen<'_>) {
    let cells = &frozen.analysis.cells;
    let words: Vec<_> = cells.iter().map(|cell| source(frozen, cell)).collect();
    let alike = words.windows(2).all(|pair| pair[0] == pair[1]);
    match words.first() {
        Some(word) if alike && cells.iter().all(|cell| cell.cost.total().is_some()) => {
            page.item("", 2, &format!("all cells: {word}"));
        }
        _ => {
            for (cell, word) in cells.iter().zip(&words) {
                page.item(
                    "",
                    2,
                    &format!("{}: {}, {word}", cell.id, spent(&cell.cost)),
                );
            }
        }
    }
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
        CostSource::Reported => "cost is what the imported file says",
        CostSource::Agent => "cost is what the agent's own program says, at prices that it knows",
    }
}

fn per_success(cell: &CellSummary) -> String {
    match (
        &cell.cost_per_success.estimate,
        cell.cost_per_success.why_not,
    ) {
        (Some(estimate), _) => money(estimate),
        (None, Some(NoCostPerSuccess::UnknownCost)) => "unknown".to_owned(),
        (None, Some(NoCostPerSuccess::MissingRollouts)) => "n/a: rollouts are missing".to_owned(),
        (None, Some(NoCostPerSuccess::NothingMeasured)) => "n/a: nothing measured".to_owned(),
        (None, _) => "n/a: nothing passed".to_owned(),
    }
}

/// `$1.00 spent and $0.20 held of $2.00`.
pub(super) fn used(status: &BudgetStatus) -> String {
    let limit = match status.limit {
        BudgetLimit::Usd(limit) => limit.to_string(),
        BudgetLimit::Unlimited => "an unlimited budget".to_owned(),
    };
    format!("{} spent and {} held of {limit}", status.spent, status.held)
}

/// The budget line: the ceiling and its use, and which cells are free or of unknown price.
fn budget(frozen: &Frozen<'_>) -> String {
    let used = frozen
        .meta
        .budget
        .as_ref()
        .map_or_else(|| "none set".to_owned(), used);
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
