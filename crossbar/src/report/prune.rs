//! PRUNE: tasks that separate nothing; advice for the pack's next version.

use super::page::{HANG, Page};
use crate::analysis::{Analysis, PruneReason};

/// How many tasks the card names for each reason.
const NAMED: usize = 8;

/// Writes the section; nothing when every task separates something. `all` says where every task
/// is named.
pub(super) fn write(page: &mut Page, analysis: &Analysis, all: &str) {
    let pruned = &analysis.prune;
    if pruned.is_empty() {
        return;
    }
    page.blank();
    let text = "These tasks separate no cells and cost money. Consider leaving them out of the pack's next version; they stay in every figure here.";
    page.item("PRUNE", HANG, text);
    for (words, names) in reasons(analysis) {
        let first = names[..names.len().min(NAMED)].join(", ");
        let text = match names.len().saturating_sub(NAMED) {
            0 => format!("{words}: {first}"),
            more => format!("{words}: {first} and {more} more, named in {all}"),
        };
        page.item("", HANG, &text);
    }
}

/// Names every task, where the card has left some out.
pub(super) fn details(page: &mut Page, analysis: &Analysis) {
    let long = reasons(analysis);
    let long: Vec<_> = long
        .iter()
        .filter(|(_, names)| names.len() > NAMED)
        .collect();
    if !long.is_empty() {
        page.heading("PRUNE");
    }
    for (words, names) in long {
        page.item("", 2, &format!("{words}: {}", names.join(", ")));
    }
}

/// The tasks by what they have in common; no list is empty.
fn reasons(analysis: &Analysis) -> Vec<(&'static str, Vec<String>)> {
    let reasons = [
        (PruneReason::AllPassed, "passed by every cell"),
        (PruneReason::AllFailed, "failed by every cell"),
    ];
    let named = reasons.into_iter().map(|(reason, words)| {
        let alike = analysis.prune.iter().filter(|task| task.why == reason);
        (words, alike.map(|task| task.task.to_string()).collect())
    });
    named
        .filter(|(_, names): &(_, Vec<_>)| !names.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, flat};

    #[test]
    fn the_card_names_eight_and_report_md_all() {
        let (a, b) = (vec![2; 12], vec![2; 12]);
        let sweep = Sweep::of(2, &[("a+h", 1, &a), ("b+h", 1, &b)]);
        let card = flat(&sweep.output("text"));
        assert!(card.contains(" and 4 more, named in report.md"), "{card}");
        let names = |text: &str| {
            let after = text
                .rsplit("passed by every cell: ")
                .next()
                .unwrap()
                .to_owned();
            let end = after
                .find(" and ")
                .or(after.find("``` "))
                .unwrap_or(after.len());
            after[..end].matches(',').count() + 1
        };
        assert_eq!(names(&card), 8, "{card}");
        let report = flat(&sweep.output("markdown"));
        assert_eq!(
            report.matches("passed by every cell: ").count(),
            2,
            "{report}"
        );
        let few = Sweep::of(2, &[("a+h", 1, &[2, 1]), ("b+h", 1, &[2, 0])]);
        let report = flat(&few.output("markdown"));
        assert_eq!(
            report.matches("passed by every cell: ").count(),
            1,
            "{report}"
        );
    }
}
