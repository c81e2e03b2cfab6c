//! SLICES: each challenger within each family of tasks, labelled exploratory.

use super::figures::{counted, difference, p_value};
use super::page::Page;
use crate::analysis::{Analysis, Scope};

/// The slices that are listed; sweep.json has all.
const SHOWN: usize = 20;

/// Writes the section; nothing with fewer than two families.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    if analysis.slices.is_empty() {
        return;
    }
    page.heading("SLICES BY FAMILY (EXPLORATORY)");
    let mut slices: Vec<_> = analysis.slices.iter().collect();
    slices.sort_by(|a, b| a.adjusted_p.total_cmp(&b.adjusted_p));
    for slice in slices.iter().take(SHOWN) {
        let text = format!(
            "{}, {} vs baseline: {} over {} (stratified, {}, Benjamini-Hochberg) {}",
            slice.family,
            slice.cell,
            difference(&slice.difference),
            counted(u64::from(slice.difference.n()), "task"),
            p_value(slice.adjusted_p, analysis.settings.alpha),
            Scope::TheseTasks.tag()
        );
        page.item("", 2, &text);
    }
    if slices.len() > SHOWN {
        let rest = slices.len() - SHOWN;
        page.item("", 2, &format!("and {rest} more; sweep.json has them all"));
    }
    let text = "Nobody announced these comparisons: take one as a question for the next sweep, \
                not as an answer.";
    page.blank();
    page.item("", 2, text);
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{flat, sweep};

    #[test]
    fn families_are_compared_and_called_exploratory() {
        assert!(!sweep().output("markdown").contains("EXPLORATORY)"));
        let mut families = sweep();
        for (at, task) in families.question.tasks.iter_mut().enumerate() {
            task.family = Some(["bills", "mail"][at % 2].to_owned());
        }
        let text = flat(&families.again().output("markdown"));
        assert!(text.contains("SLICES BY FAMILY (EXPLORATORY)"), "{text}");
        assert!(
            text.contains("bills, mock-weak+react vs baseline: -"),
            "{text}"
        );
        assert!(text.contains("over 2 tasks (stratified, p="), "{text}");
    }
}
