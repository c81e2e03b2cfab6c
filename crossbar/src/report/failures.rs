//! FAILURE TAXONOMY: how each cell failed, how often, and what usually helps; beside it what says
//! nothing about the cell.

use super::Frozen;
use super::figures::{counted, rate};
use super::page::Page;
use super::styles::Tone;
use super::visible::{fit, left};
use crate::analysis::{CellSummary, FailureCount};
use crate::domain::FailureMode;

/// The outcomes that say nothing about a cell, with the words that a reader is shown.
const UNMEASURED: [(&str, &str); 4] = [
    ("infrastructure_failure", "infrastructure failures"),
    ("invalid_fixture", "invalid fixtures"),
    ("skipped", "skipped"),
    ("not_finished", "not finished"),
];

/// Writes the section.
pub(super) fn write(page: &mut Page, frozen: &Frozen<'_>) {
    page.heading("FAILURE TAXONOMY");
    for cell in &frozen.analysis.cells {
        let measured = counted(u64::from(cell.measured), "measured rollout");
        page.item(&fit(&cell.id.to_string(), 60), 4, &format!("({measured})"));
        if cell.failures.is_empty() {
            let text = if cell.measured == 0 {
                "nothing was measured"
            } else {
                "no failures"
            };
            page.item("", 4, text);
        }
        for failure in &cell.failures {
            mode(page, failure);
        }
        unmeasured(page, cell);
    }
}

fn mode(page: &mut Page, failure: &FailureCount) {
    let title = failure.mode.map_or("Not classified", FailureMode::title);
    let count = format!("{:>5}", failure.count);
    let share = format!("({} of measured rollouts)", rate(&failure.share));
    page.line(&[
        (Tone::Text, "    "),
        (Tone::Bad, &left(title, 22)),
        (Tone::Text, &count),
        (Tone::Text, "  "),
        (Tone::Text, &share),
    ]);
    if let Some(mode) = failure.mode {
        page.item("", 6, &format!("typical fix: {}", mode.typical_fix()));
    }
}

fn unmeasured(page: &mut Page, cell: &CellSummary) {
    let counts: Vec<_> = UNMEASURED
        .iter()
        .filter_map(|(word, plain)| Some((cell.outcomes.get(*word)?, plain)))
        .filter(|(count, _)| **count > 0)
        .map(|(count, plain)| format!("{count} {plain}"))
        .collect();
    if !counts.is_empty() {
        let text = format!("not measured: {}", counts.join(", "));
        page.paragraph("", 4, &[(Tone::Warn, &text)]);
    }
}
