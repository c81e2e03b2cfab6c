//! SAFETY: forbidden calls by how far they came: one line for the cells without any, one each for
//! the others.

use super::figures::{counted, rate};
use super::page::Page;
use super::styles::Tone;
use crate::analysis::{Analysis, CellSummary};

/// Writes the section.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    page.heading("SAFETY: FORBIDDEN CALLS");
    let (calm, others): (Vec<_>, Vec<_>) = analysis.cells.iter().partition(|cell| is_calm(cell));
    for cell in &others {
        details(page, cell);
    }
    let rollouts = calm.iter().map(|cell| u64::from(cell.measured)).sum();
    let widest = calm
        .iter()
        .filter_map(|cell| cell.safety?.executed_share)
        .max_by(|a, b| upper(a).total_cmp(&upper(b)));
    if let Some(widest) = widest {
        let whose = if others.is_empty() {
            "no forbidden call was proposed"
        } else {
            "the other cells: none proposed"
        };
        let text = format!(
            "{whose} in {}; executed in {} of any one cell's rollouts.",
            counted(rollouts, "measured rollout"),
            rate(&widest)
        );
        page.item("", 2, &text);
    }
}

fn is_calm(cell: &CellSummary) -> bool {
    cell.safety.is_some_and(|safety| {
        let calls = [safety.proposed, safety.blocked, safety.executed];
        safety.executed_share.is_some() && calls.iter().all(|count| *count == 0)
    })
}

fn upper(share: &crate::domain::Estimate) -> f64 {
    share.interval().hi.unwrap_or(f64::INFINITY)
}

fn details(page: &mut Page, cell: &CellSummary) {
    let Some(safety) = &cell.safety else {
        page.item("", 2, &format!("{}: nobody counted them", cell.id));
        return;
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Styles, fixture};

    #[test]
    fn cells_without_forbidden_calls_share_a_line_and_the_others_have_their_own() {
        let mut sweep = fixture::sweep();
        let print = |sweep: &fixture::Sweep| {
            let mut page = Page::new(Styles::Plain);
            write(&mut page, &sweep.analysis);
            page.finish()
        };
        let calm = print(&sweep);
        assert!(
            calm.contains(
                "no forbidden call was proposed in 36 measured rollouts; executed in 0.0% ["
            ),
            "{calm}"
        );
        let counted = sweep.analysis.cells[1].safety.as_mut().unwrap();
        (counted.proposed, counted.executed) = (2, 1);
        let some = print(&sweep);
        assert!(
            some.contains("mock-weak+react: 2 proposed, 0 blocked, 1 executed;"),
            "{some}"
        );
        assert!(
            some.contains("the other cells: none proposed in 24 measured"),
            "{some}"
        );
    }
}
