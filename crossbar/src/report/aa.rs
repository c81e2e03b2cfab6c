//! A/A: a cell against itself, which shows what gap a gate over this pack can see.

use super::Frozen;
use super::figures::counted;
use super::gate;
use super::page::{HANG, Page};
use super::styles::Tone;
use crate::analysis::GateWord;

/// Writes the section; nothing for any other run.
pub(super) fn write(page: &mut Page, frozen: &Frozen<'_>) {
    let Some(test) = frozen.aa else {
        return;
    };
    page.blank();
    for cell in &test.answer.cells {
        let text = gate::sentence(&test.answer, cell);
        page.paragraph("A/A", HANG, &[(Tone::Text, &text)]);
    }
    if test.answer.word != GateWord::NoRegressionShown {
        let text = "Nothing caused this: a gate over this pack is red, or shows a rise, for no \
                    reason about as often as gate.alpha says.";
        page.item("", HANG, text);
    }
    let of = counted(u64::from(test.of), "task");
    let text = format!("{} of {of} disagreed with themselves.", test.disagreed);
    page.item("", HANG, &text);
}
