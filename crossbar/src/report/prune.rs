//! PRUNE: tasks that separate nothing; advice for the pack's next version.

use super::page::{HANG, Page};
use crate::analysis::{Analysis, PruneReason};

/// Writes the section; nothing when every task separates something.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    let pruned = &analysis.prune;
    if pruned.is_empty() {
        return;
    }
    page.blank();
    let text = "These tasks separate no cells and cost money. Consider leaving them out of the pack's next version; they stay in every figure here.";
    page.item("PRUNE", HANG, text);
    for (reason, words) in [
        (PruneReason::AllPassed, "passed by every cell"),
        (PruneReason::AllFailed, "failed by every cell"),
    ] {
        let names: Vec<_> = pruned
            .iter()
            .filter(|task| task.why == reason)
            .map(|task| task.task.to_string())
            .collect();
        if !names.is_empty() {
            page.item("", HANG, &format!("{words}: {}", names.join(", ")));
        }
    }
}
