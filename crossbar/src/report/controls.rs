//! The controls: a line on the card, the warning where one does not hold, and what to do about it.

use super::Frozen;
use super::figures::counted;
use super::page::{HANG, Page};
use super::styles::Tone;
use super::visible::{left, one_line, width};
use crate::analysis::{ControlFinding, ControlLine};
use crate::domain::{CheckOutcome, Control};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many of them the card names.
const FEW: usize = 5;

/// `24 of 24 hold`; `None` where a run has no control.
#[must_use]
pub fn controls_summary(lines: &[ControlLine]) -> Option<String> {
    let held = lines.iter().filter(|line| line.finding.holds()).count();
    (!lines.is_empty()).then(|| format!("{held} of {} hold", lines.len()))
}

/// A line for each task: what its controls scored, those marked that do not hold. At most 100
/// columns but for a task with many mistakes; ends with a line break.
#[must_use]
pub fn controls_table(lines: &[ControlLine]) -> String {
    let mut rows: BTreeMap<String, [Vec<String>; 3]> = BTreeMap::new();
    for line in lines {
        let Some(control) = Control::of(&line.control) else {
            continue;
        };
        let (column, name) = match control {
            Control::Noop => (0, None),
            Control::Solution => (1, None),
            Control::Broken { name } => (2, name),
        };
        let cell = [name, Some(in_table(&line.finding))];
        let cell: Vec<_> = cell.into_iter().flatten().collect();
        let row = rows.entry(line.task.to_string()).or_default();
        row[column].push(cell.join(" "));
    }
    let widest = rows.keys().map(|task| width(task)).max().unwrap_or(0);
    let room = widest.clamp(4, 48);
    let head = ["doing nothing", "solution", "broken"].map(str::to_owned);
    let mut text = table_row("task", room, &head);
    for (task, cells) in &rows {
        let cells = cells.each_ref().map(|cell| match cell.as_slice() {
            [] => "none".to_owned(),
            some => some.join(", "),
        });
        text.push_str(&table_row(task, room, &cells));
    }
    text
}

fn table_row(task: &str, room: usize, [noop, solution, broken]: &[String; 3]) -> String {
    let row = format!("{}  {noop:<13}  {solution:<13}  {broken}", left(task, room));
    format!("{}\n", row.trim_end())
}

fn in_table(finding: &ControlFinding) -> String {
    match finding {
        ControlFinding::Holds { score } => format!("{score:.2}"),
        ControlFinding::Fails { score, .. } => format!("{score:.2} FAILS"),
        ControlFinding::Unmeasured { .. } => "unmeasured".to_owned(),
        ControlFinding::NotRun => "not run".to_owned(),
    }
}

/// The line of the card.
pub(super) fn write(page: &mut Page, frozen: &Frozen<'_>) {
    if let Some(text) = controls_summary(frozen.controls) {
        page.blank();
        page.item("CONTROLS", HANG, &text);
    }
}

/// The warning above the card: tasks that do not prove themselves may measure something else.
pub(super) fn warn(page: &mut Page, frozen: &Frozen<'_>) {
    let lines = frozen.controls;
    let bad: Vec<_> = lines.iter().filter(|line| !line.finding.holds()).collect();
    if bad.is_empty() {
        return;
    }
    let mut named: Vec<_> = bad.iter().take(FEW).map(|line| in_short(line)).collect();
    if bad.len() > FEW {
        named.push(format!("{} more", bad.len() - FEW));
    }
    let failed = bad.iter().any(|line| line.finding.is_measured());
    let so = if failed {
        "These tasks do not measure what they say"
    } else {
        "These tasks are not proven"
    };
    let text = format!(
        "CONTROLS: {} of {} not shown to hold. {so}: {}.",
        bad.len(),
        counted(lines.len() as u64, "control"),
        named.join("; ")
    );
    page.paragraph("", 0, &[(Tone::Bad, &text)]);
}

fn in_short(line: &ControlLine) -> String {
    let what = match &line.finding {
        ControlFinding::Holds { .. } => "holds".to_owned(),
        ControlFinding::Fails { score, outcome, .. } => format!("{outcome}, {score:.2}"),
        ControlFinding::Unmeasured { .. } => "could not be measured".to_owned(),
        ControlFinding::NotRun => "not run".to_owned(),
    };
    format!("{}::{} ({what})", line.task, line.control)
}

/// Why a control is red: what was expected and found, the checks to blame, and the cure. `None`
/// where it holds. Several lines, without a last line break.
#[must_use]
pub fn control_trouble(line: &ControlLine) -> Option<String> {
    let control = Control::of(&line.control)?;
    match &line.finding {
        ControlFinding::Holds { .. } => None,
        ControlFinding::NotRun => Some("it did not run".to_owned()),
        ControlFinding::Unmeasured { why } => Some(format!(
            "it could not be measured, which proves nothing: {why}\n\
             help: mend what failed there; a control needs the task's servers as a model does"
        )),
        ControlFinding::Fails {
            score,
            outcome,
            checks,
        } => Some(failure(&control, (*score, outcome), checks)),
    }
}

fn failure(control: &Control, found: (f64, &str), checks: &[CheckOutcome]) -> String {
    let (score, outcome) = found;
    let (who, expected) = match control {
        Control::Noop => ("doing nothing", "not accepted, 0.00"),
        Control::Solution => ("the solution", "accepted, 1.00"),
        Control::Broken { .. } => ("the broken script", "not accepted, below 1.00"),
    };
    let mut text = format!("{who}: expected {expected}, found {outcome}, {score:.2}");
    for check in checks {
        let (name, kind) = (one_line(&check.name), &check.kind);
        let what = match (control, &check.message) {
            (Control::Solution, Some(message)) => one_line(message),
            (Control::Solution, None) => "does not hold".to_owned(),
            (Control::Noop, _) => "holds although nothing was done".to_owned(),
            (Control::Broken { .. }, _) => "holds".to_owned(),
        };
        // Writing to a text can't fail.
        let _ = write!(text, "\n  check `{name}` ({kind}): {what}");
    }
    let _ = write!(text, "\nhelp: {}", cure(control, checks));
    text
}

fn cure(control: &Control, checks: &[CheckOutcome]) -> &'static str {
    let in_rust = checks
        .iter()
        .any(|check| ["check", "expect"].contains(&check.kind.as_str()));
    match control {
        Control::Noop if in_rust => {
            "make it a guard (`cx.guard(..)`, or `subset!(..).guard()`), or assert what only the \
             work makes true"
        }
        Control::Noop => "give the check `guard: true`, or check what only the work makes true",
        Control::Solution if checks.is_empty() => {
            "every check holds, so mend its calls: none may fail, and it must end with an answer"
        }
        Control::Solution => "mend the solution, or the check that it can't meet",
        Control::Broken { .. } => {
            "add a check that this mistake breaks, or take the script out if it is no mistake"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::CellId;
    use crate::report::fixture;

    fn failing(control: &str, kind: &str, message: Option<&str>) -> ControlLine {
        let mut check = fixture::sweep().rollouts[0].checks[0].clone();
        check.kind = kind.to_owned();
        check.message = message.map(str::to_owned);
        ControlLine {
            task: "desk::close".to_owned().try_into().unwrap(),
            control: CellId::parse(control).unwrap(),
            finding: ControlFinding::Fails {
                score: 0.5,
                outcome: "task_failure".to_owned(),
                checks: vec![check],
            },
        }
    }

    #[test]
    fn a_red_control_says_what_was_expected_what_was_found_and_the_cure() {
        let text = |line: &ControlLine| control_trouble(line).unwrap();
        assert_eq!(
            text(&failing("control+noop", "mcp_state", None)),
            "doing nothing: expected not accepted, 0.00, found task_failure, 0.50\n  \
             check `ticket closed` (mcp_state): holds although nothing was done\n\
             help: give the check `guard: true`, or check what only the work makes true"
        );
        assert!(text(&failing("control+noop", "check", None)).contains("cx.guard(..)"));
        let solution = text(&failing("control+solution", "mcp_state", Some("at `a`: b")));
        assert!(solution.contains("expected accepted, 1.00") && solution.contains("at `a`: b"));
        let broken = text(&failing("control+broken.x", "mcp_state", None));
        assert!(broken.contains("not accepted, below 1.00"), "{broken}");
    }

    #[test]
    fn the_card_counts_them_and_warns_of_those_that_do_not_hold() {
        let mut sweep = fixture::sweep();
        assert!(!sweep.output("text").contains("CONTROLS"));
        let mut line = failing("control+noop", "mcp_state", None);
        sweep.controls = vec![line.clone(); 2];
        sweep.controls[1].finding = ControlFinding::Holds { score: 0.0 };
        let card = sweep.output("text");
        assert!(card.contains("  CONTROLS       1 of 2 hold"), "{card}");
        assert!(
            card.contains(
                "CONTROLS: 1 of 2 controls not shown to hold. These tasks do not measure"
            ),
            "{card}"
        );
        line.finding = ControlFinding::NotRun;
        sweep.controls = vec![line];
        let card = sweep.output("text");
        let card = card.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            card.contains("desk::close::control+noop (not run)"),
            "{card}"
        );
    }
}
