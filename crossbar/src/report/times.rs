//! TIME TO FINISH: the median and the mean up to the limit, where a rollout that was stopped counts
//! as one that would have taken longer.

use super::figures::{duration, p_value, rate, span};
use super::page::Page;
use crate::analysis::{Analysis, CellSummary, Comparison, Scope, TimeLine};

/// Writes the section; nothing where nothing was measured.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    let Some(first) = analysis.cells.iter().find_map(|cell| cell.time) else {
        return;
    };
    page.heading("TIME TO FINISH");
    let tag = Scope::TasksLikeThese.tag();
    for (cell, time) in timed(analysis) {
        page.item("", 2, &format!("{}: {} {tag}", cell.id, line(&time)));
    }
    for comparison in &analysis.comparisons {
        if let Some(text) = compared(comparison, analysis.settings.alpha) {
            page.item("", 2, &format!("{text} {tag}"));
        }
    }
    let text = format!(
        "Means are up to the limit of {}: a stopped rollout took longer than it was let, and the \
         upper limit of a mean allows for tasks that run to the limit. No verdict rests on times.",
        duration(first.limit_ms)
    );
    page.blank();
    page.item("", 2, &text);
}

fn timed(analysis: &Analysis) -> impl Iterator<Item = (&CellSummary, TimeLine)> {
    let cells = analysis.cells.iter();
    cells.filter_map(|cell| Some((cell, cell.time?)))
}

fn line(time: &TimeLine) -> String {
    let median = match &time.median_ms {
        Some(median) => format!("half finish within {}", span(median)),
        None => "fewer than half finish within the limit".to_owned(),
    };
    format!(
        "{median}; mean {}; {} ran into the limit",
        span(&time.mean_ms),
        rate(&time.timed_out)
    )
}

fn compared(comparison: &Comparison, alpha: f64) -> Option<String> {
    let time = comparison.time?;
    Some(format!(
        "{} vs baseline: {} in the mean; patterns of times: exact sign-flip, {}, exploratory",
        comparison.cell,
        span(&time.difference_ms),
        p_value(time.pattern_p, alpha)
    ))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{flat, sweep};
    use crate::domain::{LimitKind, Outcome};

    #[test]
    fn a_cell_that_is_stopped_has_no_median_and_says_how_often() {
        let text = flat(&sweep().output("markdown"));
        assert!(
            text.contains("mock-strong+react: half finish within"),
            "{text}"
        );
        let mut late = sweep();
        for rollout in late
            .rollouts
            .iter_mut()
            .filter(|r| r.key.cell.model() == "mock-weak")
        {
            rollout.worked_ms = 120_000;
            rollout.outcome = Outcome::LimitReached {
                limit: LimitKind::Seconds,
            };
        }
        let text = flat(&late.again().output("markdown"));
        assert!(
            text.contains("mock-weak+react: fewer than half finish within the limit"),
            "{text}"
        );
        assert!(
            text.contains("100.0% [39.8 - 100.0] ran into the limit"),
            "{text}"
        );
        assert!(text.contains("vs baseline: +"), "{text}");
    }
}
