//! FAILURE TAXONOMY: how each cell failed, how often, and what usually helps; beside it what says
//! nothing about the cell.

use super::figures::{counted, rate};
use super::page::Page;
use super::styles::Tone;
use super::visible::{fit, left};
use crate::analysis::{Analysis, CellSummary, FailureCount};
use crate::domain::FailureMode;

/// The outcomes that say nothing about a cell, with the words that a reader is shown.
const UNMEASURED: [(&str, &str); 4] = [
    ("infrastructure_failure", "infrastructure failures"),
    ("invalid_fixture", "invalid fixtures"),
    ("skipped", "skipped"),
    ("not_finished", "not finished"),
];

/// Writes the section.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    page.heading("FAILURE TAXONOMY");
    for cell in &analysis.cells {
        let measured = counted(u64::from(cell.measured), "measured rollout");
        page.item(&fit(&cell.id.to_string(), 60), 4, &format!("({measured})"));
        if cell.failures.is_empty() {
            let text = if cell.measured == 0 {
                "nothing was measured"
            } else {
                "no failures"
            };
            page.item("", 4, text);
        }
        for failure in &cell.failures {
            mode(page, failure);
        }
        gone(page, analysis, cell);
        unmeasured(page, cell);
    }
}

/// Which of the baseline's ways to fail this cell never showed: counts, and no claim.
fn gone(page: &mut Page, analysis: &Analysis, cell: &CellSummary) {
    let baseline = analysis.baseline.as_ref();
    let Some(baseline) = baseline.and_then(|id| analysis.cell(id)) else {
        return;
    };
    let here = |mode| cell.failures.iter().any(|failure| failure.mode == mode);
    let gone: Vec<_> = baseline
        .failures
        .iter()
        .filter(|failure| !here(failure.mode))
        .filter_map(|failure| Some((failure.mode?.title(), failure.count)))
        .map(|(title, count)| format!("{title} ({count} of the baseline's {})", baseline.measured))
        .collect();
    if cell.id != baseline.id && cell.measured > 0 && !gone.is_empty() {
        let text = format!("not seen here: {}", gone.join(", "));
        page.item("", 4, &text);
    }
}

fn mode(page: &mut Page, failure: &FailureCount) {
    let title = failure.mode.map_or("Not classified", FailureMode::title);
    let count = format!("{:>5}", failure.count);
    let share = format!("({} of measured rollouts)", rate(&failure.share));
    page.line(&[
        (Tone::Text, "    "),
        (Tone::Bad, &left(title, 22)),
        (Tone::Text, &count),
        (Tone::Text, "  "),
        (Tone::Text, &share),
    ]);
    if let Some(mode) = failure.mode {
        page.item("", 6, &format!("typical fix: {}", mode.typical_fix()));
    }
}

fn unmeasured(page: &mut Page, cell: &CellSummary) {
    let counts: Vec<_> = UNMEASURED
        .iter()
        .filter_map(|(word, plain)| Some((cell.outcomes.get(*word)?, plain)))
        .filter(|(count, _)| **count > 0)
        .map(|(count, plain)| format!("{count} {plain}"))
        .collect();
    if !counts.is_empty() {
        let text = format!("not measured: {}", counts.join(", "));
        page.paragraph("", 4, &[(Tone::Warn, &text)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Estimate;
    use crate::report::Styles;
    use crate::report::fixture::sweep;
    use std::collections::BTreeSet;

    #[test]
    fn each_mode_stands_with_its_own_fix_on_the_next_line() {
        let fixes: BTreeSet<_> = FailureMode::ALL.map(FailureMode::typical_fix).into();
        assert_eq!(fixes.len(), 6, "no two modes share a fix");
        let share = Estimate::new(0.5, 0.1, Some(0.9), 12).unwrap();
        for mode in FailureMode::ALL {
            let mut sweep = sweep();
            for cell in &mut sweep.analysis.cells {
                cell.failures = vec![FailureCount {
                    mode: Some(mode),
                    count: 6,
                    share,
                }];
            }
            let mut page = Page::new(Styles::Plain);
            write(&mut page, &sweep.analysis);
            let text = page.finish();
            let lines: Vec<_> = text.lines().collect();
            let titled = |line: &&str| line.trim_start().starts_with(mode.title());
            assert_eq!(
                lines.iter().filter(|line| titled(line)).count(),
                3,
                "{text}"
            );
            for pair in lines.windows(2).filter(|pair| titled(&pair[0])) {
                let fix = pair[1].trim().strip_prefix("typical fix: ");
                assert_eq!(fix, Some(mode.typical_fix()), "{text}");
            }
        }
    }

    #[test]
    fn what_the_baseline_did_and_this_cell_never_did_is_named_with_its_count() {
        let mut sweep = sweep();
        let share = Estimate::new(0.5, 0.1, Some(0.9), 12).unwrap();
        let count = |mode, count| FailureCount { mode, count, share };
        let security = Some(FailureMode::Security);
        sweep.analysis.cells[0].failures = vec![count(security, 5), count(None, 1)];
        sweep.analysis.cells[1].failures = vec![count(security, 1)];
        sweep.analysis.cells[2].failures = Vec::new();
        sweep.analysis.baseline = Some(sweep.analysis.cells[0].id.clone());
        let mut page = Page::new(Styles::Plain);
        write(&mut page, &sweep.analysis);
        let text = page.finish();
        let line = "not seen here: Security violation (5 of the baseline's 12)";
        assert_eq!(text.matches("not seen here").count(), 1, "{text}");
        assert!(
            text.split(&sweep.analysis.cells[2].id.to_string())
                .last()
                .unwrap()
                .contains(line),
            "{text}"
        );
    }
}
