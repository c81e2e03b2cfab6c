//! What is missing from a sweep, and what was done otherwise than asked.

use super::figures::{counted, level, points};
use super::page::{HANG, Page};
use super::styles::Tone;
use crate::analysis::{Analysis, Completeness, MissingReason, Notice, Status, TaskLook};
use crate::domain::SkipReason;
use std::collections::BTreeMap;

/// The INCOMPLETE lines of the card: how many planned rollouts are missing, and why; and how many
/// ended without having measured anything.
pub(super) fn incomplete(page: &mut Page, completeness: &Completeness) {
    if completeness.infrastructure > 0 {
        let text = format!(
            "INCOMPLETE: {} of {} ended as infrastructure failure and measured nothing.",
            completeness.infrastructure,
            counted(u64::from(completeness.planned), "planned rollout"),
        );
        page.paragraph("", 0, &[(Tone::Bad, &text)]);
    }
    if completeness.status == Status::Complete {
        return;
    }
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    for missing in &completeness.missing {
        *reasons.entry(reason(&missing.why)).or_default() += 1;
    }
    let reasons: Vec<_> = reasons
        .iter()
        .map(|(why, count)| format!("{count} {why}"))
        .collect();
    let text = format!(
        "INCOMPLETE: {} of {} have no result ({}).",
        completeness.missing.len(),
        counted(u64::from(completeness.planned), "planned rollout"),
        reasons.join(", "),
    );
    page.paragraph("", 0, &[(Tone::Bad, &text)]);
    if completeness.unknown_attempts > 0 {
        let held = match completeness.unknown_held {
            Some(held) => format!("{held} stays held for them"),
            None => "an unknown amount stays held for them".to_owned(),
        };
        let attempts = counted(u64::from(completeness.unknown_attempts), "attempt");
        let names = unknown_names(completeness);
        let text = format!(
            "{attempts} may have been paid and never ended; {held}{names}. No --resume sends them again; a new run does."
        );
        page.paragraph("", 0, &[(Tone::Bad, &text)]);
    }
}

/// Where to read why rollouts measured nothing: the first case of which that is true of all.
pub(super) fn unmeasured(page: &mut Page, analysis: &Analysis) {
    let cases = analysis
        .task_table
        .iter()
        .flat_map(|task| task.cells.iter().map(move |case| (&task.task, case)));
    let mut lost =
        cases.filter(|(_, case)| case.finished > 0 && case.infrastructure == case.finished);
    if let Some((task, case)) = lost.next() {
        let text = format!("To see why: crossbar show {} {task}", case.cell);
        page.paragraph("", 0, &[(Tone::Bad, &text)]);
    }
}

/// Which rollouts they are, a few of them.
fn unknown_names(completeness: &Completeness) -> String {
    const FEW: usize = 5;
    let unknown = completeness.missing.iter();
    let unknown: Vec<_> = unknown
        .filter(|missing| missing.why == MissingReason::AttemptUnknown)
        .map(|missing| missing.key.to_string())
        .collect();
    match unknown.len() {
        0 => String::new(),
        all if all <= FEW => format!(": {}", unknown.join(", ")),
        all => format!(": {} and {} more", unknown[..FEW].join(", "), all - FEW),
    }
}

fn reason(why: &MissingReason) -> &'static str {
    match why {
        MissingReason::NotFinished => "not finished",
        MissingReason::AttemptUnknown => "possibly paid, end unknown",
        MissingReason::Skipped { why } => skip_reason(*why),
        MissingReason::InvalidFixture { .. } => "with an invalid fixture",
    }
}

/// Why a rollout was skipped, as people read it.
pub(super) fn skip_reason(why: SkipReason) -> &'static str {
    match why {
        SkipReason::Budget => "skipped: the budget was used up",
        SkipReason::Reported => "skipped by the tool that was to measure them",
    }
}

/// NOTES: the tasks that did not run, as lines, and what was done otherwise than asked, and why.
/// Nothing when there is nothing to say.
pub(super) fn write(page: &mut Page, analysis: &Analysis, not_run: &[String]) {
    let said = |notice| sentence(notice, analysis.settings.alpha);
    let notices = analysis.notices.iter().map(said);
    let lines: Vec<String> = not_run.iter().cloned().chain(notices).collect();
    if !lines.is_empty() {
        page.blank();
    }
    for (index, line) in lines.iter().enumerate() {
        page.item(if index == 0 { "NOTES" } else { "" }, HANG, line);
    }
}

fn sentence(notice: &Notice, alpha: f64) -> String {
    match notice {
        Notice::KLowered { asked, used } => {
            format!(
                "k is {used}, not {asked}: some task has only {}.",
                counted(u64::from(*used), "finished rollout")
            )
        }
        Notice::KNotComputable { asked } => {
            format!("pass@{asked} and pass^{asked} need a finished rollout of every task.")
        }
        Notice::FamiliesIncomplete { without } => format!(
            "Tasks are the unit: {} without a family. Declare all families, or none.",
            counted(u64::from(*without), "task")
        ),
        Notice::WeightsUnusedWithFamilies => {
            "Families are the unit, each with its number of tasks; the tasks' weights are not used."
                .to_owned()
        }
        Notice::WeightsUnusedInTheseTasks => {
            "Figures of [these tasks] count each task once, whatever its weight, so there is no verdict about them: the one given speaks of [tasks like these]."
                .to_owned()
        }
        Notice::OneRepeat => {
            "One repeat: [these tasks] can't be estimated. Two repeats or more show it.".to_owned()
        }
        Notice::TaskLook(look) => task_look(look, alpha),
    }
}

/// `alpha` is the error of this look.
fn task_look(look: &TaskLook, alpha: f64) -> String {
    let declared = look.looks.tasks();
    let list: Vec<_> = declared.iter().map(u32::to_string).collect();
    let list = format!("({} tasks)", list.join(", "));
    let which = match look.look {
        Some(at) => format!("Look {at} of {} at a growing pack {list}", declared.len()),
        None => format!("No look was declared at {} tasks {list}", look.tasks),
    };
    format!(
        "{which}: intervals and claims are held to {}, so that all looks together err in at most {}%. \
         A verdict that comes early is optimistic about sizes.",
        level(alpha),
        points(look.whole)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::TaskLooks;
    use crate::report::Styles;
    use crate::report::fixture;

    #[test]
    fn every_notice_is_a_sentence_of_its_own() {
        let mut sweep = fixture::sweep();
        // the error of this look, of the whole 5%
        sweep.analysis.settings.alpha = 0.031;
        sweep.analysis.notices = vec![
            Notice::KLowered { asked: 5, used: 3 },
            Notice::KNotComputable { asked: 5 },
            Notice::FamiliesIncomplete { without: 1 },
            Notice::WeightsUnusedWithFamilies,
            Notice::WeightsUnusedInTheseTasks,
            Notice::OneRepeat,
            Notice::TaskLook(TaskLook {
                looks: TaskLooks::try_from(vec![20, 40]).unwrap(),
                look: Some(1),
                tasks: 20,
                whole: 0.05,
            }),
        ];
        let mut page = Page::new(Styles::Plain);
        write(&mut page, &sweep.analysis, &["not run: 1 task".to_owned()]);
        let text = page.finish();
        let wanted = [
            "not run: 1 task",
            "k is 3, not 5",
            "pass@5 and pass^5",
            "1 task without",
            "Families",
            "the one given speaks of [tasks like these]",
            "One repeat",
            "Look 1 of 2 at a growing pack (20, 40 tasks)",
            "err in at most 5%",
        ];
        assert!(wanted.iter().all(|part| text.contains(part)), "{text}");
        assert_eq!(text.matches("NOTES").count(), 1);
    }

    #[test]
    fn money_that_may_have_been_spent_is_named() {
        let mut completeness = fixture::sweep().analysis.completeness;
        completeness.status = Status::Incomplete;
        completeness.unknown_attempts = 2;
        completeness.unknown_held = None;
        let mut page = Page::new(Styles::Plain);
        incomplete(&mut page, &completeness);
        let text = page.finish();
        assert!(
            text.contains("2 attempts may have been paid") && text.contains("unknown amount"),
            "{text}"
        );
    }
}
