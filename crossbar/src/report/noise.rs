//! NOISE: how often a cell disagrees with itself on one and the same task.

use super::figures::rate;
use super::page::Page;
use super::styles::Tone;
use crate::analysis::{Analysis, CellSummary};

/// Writes the section: one paragraph for the cells that need no warning, one each for those that
/// do. The share of variance that is noise is named only where it can be estimated.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    page.heading("NOISE");
    let (loud, calm): (Vec<_>, Vec<_>) = analysis.cells.iter().partition(|cell| cell.noise.warns());
    for cell in loud {
        warning(page, cell);
    }
    if !calm.is_empty() {
        let repeated = analysis.settings.repeats > 1;
        let why = if repeated {
            "has no task with two measured rollouts"
        } else {
            "has one rollout a task"
        };
        let cells: Vec<_> = calm.iter().map(|cell| brief(cell, why)).collect();
        let text = format!("{}.", cells.join("; "));
        let lead = "tasks that disagreed with themselves, by cell:";
        page.paragraph("", 2, &[(Tone::Text, lead), (Tone::Text, &text)]);
    }
}

fn warning(page: &mut Page, cell: &CellSummary) {
    let share = cell.noise.share.as_ref().map(rate).unwrap_or_default();
    let text = format!(
        "{}: {share} of a rollout's variance is run-to-run noise rather than task difficulty.",
        cell.id
    );
    page.item("", 2, &text);
    let text = format!(
        "WARNING {}: more noise than signal. Add repeats before you trust its place.",
        cell.id
    );
    page.paragraph("", 4, &[(Tone::Warn, &text)]);
}

/// `silent` says why a cell can't disagree with itself.
fn brief(cell: &CellSummary, silent: &str) -> String {
    let noise = &cell.noise;
    match (&noise.share, noise.of) {
        (Some(share), of) => format!(
            "{} {} of {of}, {} of its variance",
            cell.id,
            noise.disagreed,
            rate(share)
        ),
        (None, 0) if cell.measured == 0 => format!("{} was not measured", cell.id),
        (None, 0) => format!("{} {silent}", cell.id),
        (None, of) => format!("{} {} of {of}", cell.id, noise.disagreed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Estimate;
    use crate::report::{Styles, fixture};

    fn text(share: Option<f64>) -> String {
        let mut sweep = fixture::sweep();
        sweep.analysis.cells[1].noise.share =
            share.map(|share| Estimate::new(share, 0.1, Some(0.9), 60).unwrap());
        let mut page = Page::new(Styles::Plain);
        write(&mut page, &sweep.analysis);
        page.finish()
    }

    #[test]
    fn above_one_half_the_cell_and_its_share_are_warned_about() {
        let warned = text(Some(0.71));
        assert!(
            warned.contains("mock-weak+react: 71.0% [10.0 - 90.0] of a rollout's variance"),
            "{warned}"
        );
        assert!(warned.contains("WARNING mock-weak+react"));
        assert!(!text(Some(0.5)).contains("WARNING") && !text(None).contains("WARNING"));
        assert!(
            text(None).contains("disagreed with themselves, by cell: mock-strong+react 1 of 4;")
        );
        assert!(
            text(None).contains("mock-weak+react 2 of 4;"),
            "{}",
            text(None)
        );
    }
}
