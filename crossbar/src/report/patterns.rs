//! PATTERNS: for every challenger, whether its pattern of passes differs from the baseline's, by two
//! tests. Neither says which cell is better.

use super::figures::p_value;
use super::page::Page;
use crate::analysis::{Analysis, Scope};

/// Writes the section; nothing without a comparison that has these figures: an adaptive run has none,
/// since its looks share one joint test.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    let alpha = analysis.settings.alpha;
    let likes = analysis.comparisons.iter();
    let likes: Vec<_> = likes
        .filter_map(|c| {
            let like = c.like.as_ref()?;
            Some((&c.cell, like.pattern_adjusted_p?, like.pattern_screen_p))
        })
        .collect();
    if likes.is_empty() {
        return;
    }
    page.heading("PATTERNS");
    let word = |p: f64| if p <= alpha { "yes" } else { "not shown" };
    let tag = Scope::TasksLikeThese.tag();
    for (cell, flip, screen) in likes {
        let screen = screen.map_or_else(
            || "max-T: not computed".to_owned(),
            |p| format!("max-T: {} ({}, step-down)", word(p), p_value(p, alpha)),
        );
        let flip = format!("{} ({}, Holm)", word(flip), p_value(flip, alpha));
        page.item(
            "",
            2,
            &format!("{cell}: patterns differ: sign-flip: {flip}; {screen} {tag}"),
        );
    }
    let text = "Patterns that differ are no claim about which cell is better: QUALITY DELTA makes \
                that claim. Max-T sees more and holds its level less surely: a screen.";
    page.blank();
    page.item("", 2, text);
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, flat, sweep};

    #[test]
    fn both_tests_stand_side_by_side_for_every_challenger() {
        let text = flat(&sweep().output("markdown"));
        assert_eq!(
            text.matches("patterns differ: sign-flip: ").count(),
            2,
            "{text}"
        );
        assert!(text.contains(", Holm); max-T: not shown (p="), "{text}");
        let passes: (&[u32], &[u32]) = (&[5; 12], &[0; 12]);
        let far = Sweep::of(5, &[("a+h", 10, passes.0), ("b+h", 10, passes.1)]);
        let text = flat(&far.output("markdown"));
        assert!(text.contains("max-T: yes (p<0.001, step-down)"), "{text}");
    }
}
