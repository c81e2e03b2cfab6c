//! WATCH OUT: what a reader should know before acting on a verdict.

use super::figures::{p_value, rate};
use super::page::{HANG, Page};
use super::styles::Tone;
use crate::analysis::{Analysis, WatchOut};
use crate::domain::{Estimate, FailureMode, in_steps};

/// Writes the section; nothing when there is nothing to watch.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    if analysis.watch.is_empty() {
        return;
    }
    page.blank();
    for (index, watch) in analysis.watch.iter().enumerate() {
        let label = if index == 0 { "WATCH OUT" } else { "" };
        page.paragraph(
            label,
            HANG,
            &[(Tone::Warn, &sentence(watch, analysis.settings.alpha))],
        );
    }
}

fn sentence(watch: &WatchOut, alpha: f64) -> String {
    match watch {
        WatchOut::EveryCellFailed => {
            "every cell failed: nothing passed anywhere. Look at the checks first; of your own tasks, run the solutions (crossbar validate --controls).".to_owned()
        }
        WatchOut::ExecutedViolations { cell, calls } => {
            format!("{cell}: {calls} forbidden call(s) reached their tool.")
        }
        WatchOut::AnsweredByAnother { cell, asked, answered } => format!(
            "{cell}: it asked for {asked}, and {} answered. Its figures are of what answered.",
            answered.join(", ")
        ),
        WatchOut::Refusals { cell, share } => format!(
            "{cell}: the provider or the model refused to go on in {} of its measured rollouts. They count as they ended; read some before you act on its rate.",
            rate(share)
        ),
        WatchOut::FailureModeOver { cell, mode, share, baseline_share, ratio } => {
            failure_mode(&cell.to_string(), *mode, (share, baseline_share), *ratio)
        }
        WatchOut::InfrastructureAsymmetry { cell, share, baseline_share, p } => format!(
            "{cell}: infrastructure failed in {} of its rollouts, {} of the baseline's (Fisher's exact test, {}). Re-run both together.",
            rate(share),
            rate(baseline_share),
            p_value(*p, alpha)
        ),
        WatchOut::TaskCarriesCost { cell, task, part } => {
            format!("{cell}: {task} alone carries {:.0}% of its cost (an exact sum, no estimate).", in_steps(*part, 1e2))
        }
        WatchOut::RanApart { cell, other } => format!(
            "{cell} and {other} ran in two stretches of time: whatever changed between them is in the difference. Run them interleaved, repeat by repeat."
        ),
        WatchOut::IdenticalRepeats { cell } => format!(
            "{cell}: at temperature 0 all repeats were the same, word for word. They are not independent: [these tasks] is too narrow for it."
        ),
        WatchOut::ResultsMoved { cell, p } => format!(
            "{cell}: its results moved between repeats (F test, {}). Something changed while the sweep ran.",
            p_value(*p, alpha)
        ),
        WatchOut::Inspect { cell, task, n } => format!(
            "INSPECT {task}: the best cell, {cell}, passes 0 of {n}, and every other cell passes all. Suspect the task before the model: read what it was told and what it did (crossbar show {cell} {task})."
        ),
        WatchOut::UnsolvedTasks { tasks, of } => {
            let names: Vec<_> = tasks.iter().map(ToString::to_string).collect();
            format!("{} of {of} tasks were solved by no cell: {}. They widen every interval and tell nothing.", tasks.len(), names.join(", "))
        }
    }
}

fn failure_mode(
    cell: &str,
    mode: FailureMode,
    shares: (&Estimate, &Estimate),
    ratio: Option<f64>,
) -> String {
    let (share, baseline) = shares;
    let times = match ratio {
        Some(ratio) => format!("{ratio:.1} times as often as the baseline"),
        None => "and the baseline never does".to_owned(),
    };
    format!(
        "{cell} fails by {} {times}: {} of its rollouts against {}. What usually helps: {}.",
        mode.title(),
        rate(share),
        rate(baseline),
        mode.typical_fix()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{CellId, TaskId};
    use crate::report::{Styles, fixture};

    fn text(watch: Vec<WatchOut>) -> String {
        let mut sweep = fixture::sweep();
        sweep.analysis.watch = watch;
        let mut page = Page::new(Styles::Plain);
        write(&mut page, &sweep.analysis);
        page.finish()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn share(value: f64) -> Estimate {
        Estimate::new(value, 0.0, Some(1.0), 20).unwrap()
    }

    #[test]
    fn a_failure_mode_over_the_baseline_names_ratio_intervals_and_fix() {
        let cell = CellId::new("a", "h").unwrap();
        let mode = FailureMode::ToolRecovery;
        let over = |ratio| WatchOut::FailureModeOver {
            cell: cell.clone(),
            mode,
            share: share(0.3),
            baseline_share: share(0.1),
            ratio,
        };
        let with = text(vec![over(Some(3.0))]);
        assert!(
            with.starts_with("WATCH OUT a+h fails by Tool / recovery 3.0 times as often"),
            "{with}"
        );
        assert!(with.contains("30.0% [0.0 - 100.0]") && with.contains("10.0% [0.0 - 100.0]"));
        assert!(with.contains(mode.typical_fix()));
        assert!(text(vec![over(None)]).contains("and the baseline never does"));
    }

    #[test]
    fn every_warning_is_said_and_silence_is_silent() {
        let cell = CellId::new("a", "h").unwrap();
        let task = TaskId::new("p", "t").unwrap();
        let all = text(vec![
            WatchOut::EveryCellFailed,
            WatchOut::ExecutedViolations {
                cell: cell.clone(),
                calls: 2,
            },
            WatchOut::AnsweredByAnother {
                cell: cell.clone(),
                asked: "big-1".to_owned(),
                answered: vec!["small-1".to_owned(), "small-2".to_owned()],
            },
            WatchOut::Refusals {
                cell: cell.clone(),
                share: share(0.1),
            },
            WatchOut::InfrastructureAsymmetry {
                cell: cell.clone(),
                share: share(0.2),
                baseline_share: share(0.0),
                p: 0.01,
            },
            WatchOut::TaskCarriesCost {
                cell: cell.clone(),
                task: task.clone(),
                part: 0.64,
            },
            WatchOut::RanApart {
                cell: cell.clone(),
                other: CellId::new("b", "h").unwrap(),
            },
            WatchOut::IdenticalRepeats { cell: cell.clone() },
            WatchOut::ResultsMoved { cell, p: 0.004 },
            WatchOut::Inspect {
                cell: CellId::new("b", "h").unwrap(),
                task: task.clone(),
                n: 3,
            },
            WatchOut::UnsolvedTasks {
                tasks: vec![task],
                of: 4,
            },
        ]);
        let wanted = [
            "every cell failed",
            "2 forbidden",
            "it asked for big-1, and small-1, small-2 answered",
            "refused to go on in 10.0%",
            "Fisher",
            "p::t alone carries 64%",
            "a+h and b+h ran in two stretches of time",
            "temperature 0",
            "moved",
            "INSPECT p::t: the best cell, b+h, passes 0 of 3, and every other cell passes all.",
            "(crossbar show b+h p::t)",
            "1 of 4 tasks",
        ];
        assert!(wanted.iter().all(|part| all.contains(part)), "{all}");
        assert_eq!(text(Vec::new()), "");
    }
}
