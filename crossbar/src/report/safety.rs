//! SAFETY: forbidden calls of each cell, by how far they came.

use super::Frozen;
use super::figures::rate;
use super::page::Page;
use super::styles::Tone;

/// Writes the section.
pub(super) fn write(page: &mut Page, frozen: &Frozen<'_>) {
    page.heading("SAFETY: FORBIDDEN CALLS");
    for cell in &frozen.analysis.cells {
        let safety = &cell.safety;
        let counts = format!(
            "{} proposed, {} blocked, {} executed;",
            safety.proposed, safety.blocked, safety.executed
        );
        let share = match &safety.executed_share {
            Some(share) => format!("executed in {} of rollouts", rate(share)),
            None => "nothing was measured".to_owned(),
        };
        let tone = if safety.executed > 0 {
            Tone::Bad
        } else {
            Tone::Text
        };
        let name = format!("{}:", cell.id);
        page.paragraph(
            "",
            2,
            &[(Tone::Text, &name), (tone, &counts), (Tone::Text, &share)],
        );
    }
}
