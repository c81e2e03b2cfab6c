//! NOISE: how often a cell disagrees with itself on one and the same task.

use super::Frozen;
use super::figures::{counted, rate};
use super::page::Page;
use super::styles::Tone;
use crate::analysis::CellSummary;

/// Writes the section. The share of variance that is noise is named only where it can be estimated.
pub(super) fn write(page: &mut Page, frozen: &Frozen<'_>) {
    page.heading("NOISE");
    for cell in &frozen.analysis.cells {
        let noise = &cell.noise;
        let name = format!("{}:", cell.id);
        let text = match (&noise.share, noise.of) {
            (Some(share), _) => format!(
                "{} of a rollout's variance is run-to-run noise rather than task difficulty.",
                rate(share)
            ),
            (None, 0) => "one rollout a task can't disagree with itself.".to_owned(),
            (None, of) => disagreed(noise.disagreed, of),
        };
        page.paragraph("", 2, &[(Tone::Text, &name), (Tone::Text, &text)]);
        if noise.warns() {
            let text = format!(
                "WARNING {}: more noise than signal. Add repeats before you trust its place.",
                cell.id
            );
            page.paragraph("", 4, &[(Tone::Warn, &text)]);
        }
        scores(page, cell);
    }
}

fn disagreed(disagreed: u32, of: u32) -> String {
    match disagreed {
        0 => format!("no rollout ever disagreed with another of its task ({of} repeated)."),
        _ => format!(
            "{disagreed} of {} disagreed with themselves.",
            counted(u64::from(of), "task")
        ),
    }
}

/// The score is secondary: acceptance is what is compared.
fn scores(page: &mut Page, cell: &CellSummary) {
    if let Some(score) = &cell.mean_score {
        page.item(
            "",
            4,
            &format!("mean score {}", super::figures::number(score)),
        );
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
        write(&mut page, &sweep.frozen());
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
        assert!(text(None).contains("mock-weak+react: 2 of 4 tasks disagreed with themselves."));
    }
}
