//! Intervals that other tools print, with what they were measured to hold.

use super::figures::{difference, level, rate};
use super::page::Page;
use super::styles::Tone;
use crate::analysis::{NamedFigures, NamedInterval};

/// Writes the section.
pub(super) fn write(page: &mut Page, which: NamedInterval, figures: &[NamedFigures], alpha: f64) {
    page.heading(&format!("BY {}", which.word().to_uppercase()));
    for one in figures {
        let against = one
            .difference
            .as_ref()
            .map_or_else(String::new, |estimate| {
                format!("; {} against the baseline", difference(estimate))
            });
        page.item(
            "",
            2,
            &format!("{}: {}{against}", one.cell, rate(&one.rate)),
        );
    }
    if figures.is_empty() {
        page.item(
            "",
            2,
            "none: rollouts are missing, and this interval can't say so",
        );
    }
    let promised = level(alpha);
    let text = format!(
        "WARNING: at a promised 95% it was {}. This one promises {promised}; no verdict here rests on it.",
        which.coverage()
    );
    page.paragraph("", 2, &[(Tone::Warn, &text)]);
}
