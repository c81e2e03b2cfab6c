//! CROSS-CHECK: an interval that other tools print (`stats.ci` of the roster, `--ci` of analyze), with
//! what it was measured to cover.

use super::figures::{counted, difference, level, p_value, rate};
use super::page::Page;
use crate::analysis::{Analysis, CheckedDifference};
use crate::domain::Estimate;

/// Writes the section; nothing unless one was asked for.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    let Some(check) = &analysis.cross_check else {
        return;
    };
    let Some(method) = check.interval.method() else {
        return;
    };
    page.heading("CROSS-CHECK");
    let at = level(analysis.settings.alpha);
    let text = format!(
        "{}: {}. Where it says 95% it was measured to cover {}. No verdict rests on it.",
        method.word, method.what, method.coverage
    );
    page.item("", 2, &text);
    for cell in &check.cells {
        if let Some(estimate) = &cell.pass_rate {
            let name = cell.cell.to_string();
            page.item("", 4, &line(&name, &rate(estimate), (&at, estimate)));
        }
    }
    for compared in &check.comparisons {
        write_difference(page, compared, (&at, analysis.settings.alpha));
    }
    if check.cells.iter().all(|cell| cell.pass_rate.is_none())
        && check.comparisons.iter().all(|c| c.difference.is_none())
    {
        let text = "It makes no interval here: it needs all rollouts, tasks of one weight, and for \
                    a paired difference one repeat.";
        page.item("", 4, text);
    }
}

fn write_difference(page: &mut Page, compared: &CheckedDifference, (at, alpha): (&str, f64)) {
    if let Some(estimate) = &compared.difference {
        let name = format!("{} vs baseline", compared.cell);
        page.item("", 4, &line(&name, &difference(estimate), (at, estimate)));
    }
    if let Some(test) = &compared.mcnemar {
        let text = format!(
            "{} vs baseline: McNemar on the majority of each task: {} only it passes, {} only the \
             baseline; exact {}, mid-{}, neither corrected",
            compared.cell,
            counted(test.only_challenger, "task"),
            test.only_baseline,
            p_value(test.p, alpha),
            p_value(test.mid_p, alpha),
        );
        page.item("", 4, &text);
    }
}

/// A figure at its level. An interval without width is a sample without spread.
fn line(name: &str, figure: &str, (at, estimate): (&str, &Estimate)) -> String {
    let interval = estimate.interval();
    let width = if interval.hi == Some(interval.lo) {
        ": no width, since all is alike, and no certainty"
    } else {
        ""
    };
    format!("{name}: {figure} at {at}{width}")
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, flat};
    use crate::analysis::NamedInterval;

    fn text(word: &str) -> String {
        let mut sweep = Sweep::of(5, &[("a+h", 10, &[5, 5, 5, 5]), ("b+h", 10, &[5, 3, 3, 1])]);
        assert!(!sweep.output("markdown").contains("CROSS-CHECK"));
        sweep.question.ci = NamedInterval::named(word);
        flat(&sweep.again().output("markdown"))
    }

    #[test]
    fn a_named_interval_stands_with_what_it_covers_and_zero_width_is_no_certainty() {
        let text = text("bootstrap-percentile");
        assert!(
            text.contains("measured to cover 19 to 70% at 4 tasks"),
            "{text}"
        );
        assert!(text.contains("b+h: 60.0% [30.0 - 90.0] at 95%"), "{text}");
        assert!(
            text.contains("a+h: 100.0% [100.0 - 100.0] at 95%: no width, since all is alike"),
            "{text}"
        );
        assert!(
            text.contains("McNemar on the majority of each task: 0 tasks only it"),
            "{text}"
        );
    }

    #[test]
    fn a_method_that_makes_no_interval_here_says_why() {
        let text = text("tango");
        assert!(text.contains("It makes no interval here"), "{text}");
    }
}
