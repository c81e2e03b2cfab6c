//! ADAPTIVE: the looks of a run that gave settled cells no more repeats, and how far each cell went.

use super::figures::{counted, level};
use super::page::{HANG, Page};
use crate::analysis::{Analysis, CellCourse, Course, Stop};
use crate::domain::{CellId, in_steps};

/// Writes the section; nothing for a run whose repeats were fixed.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    let Some(course) = &analysis.adaptive else {
        return;
    };
    page.blank();
    let looks: Vec<_> = course.looks.repeats().iter().map(u32::to_string).collect();
    let text = format!(
        "Looks after {} repeats, fixed before the first rollout; the error is spent over them. The \
         baseline ran {}.",
        looks.join(", "),
        counted(course.baseline_repeats.into(), "repeat")
    );
    page.item("ADAPTIVE", HANG, &text);
    for cell in &course.cells {
        page.item("", HANG, &of_cell(course, cell));
    }
    if let Some(next) = &course.next {
        let text = format!(
            "The run ended before the look at {} was whole. What the looks before it said stands; \
             --resume goes on.",
            counted(next.to.into(), "repeat")
        );
        page.item("", HANG, &text);
    }
    let last = course.looks.repeats().len() as u32;
    let early = |cell: &CellCourse| cell.look > 0 && cell.look < last;
    if course.cells.iter().any(early) {
        let text = "An early stop is optimistic: the middle of such a difference lies too far \
                    out, by 4 to 10 points where the gap is 10. Its interval holds.";
        page.item("", HANG, text);
    }
}

fn of_cell(course: &Course, cell: &CellCourse) -> String {
    let why = match cell.stop {
        None => "still open",
        Some(Stop::Worse) => "stopped, since it is shown worse",
        Some(Stop::Settled) => "stopped, since it is shown good enough and its price is settled",
        Some(Stop::UnderTheBar) => {
            "stopped without a claim: its upper limit is below the quality bar"
        }
        Some(Stop::BeyondTheMargin) => {
            "stopped without a claim: its upper limit is below minus the margin"
        }
        Some(Stop::TooDear) => {
            "stopped without a claim: by its lower limit a success costs more than one of a good cell"
        }
        Some(Stop::LastLook) => "open at the last look",
    };
    match at(course, cell) {
        Some(at) => format!(
            "{}: {at} ({}), {why}",
            cell.cell,
            counted(cell.repeats.into(), "repeat")
        ),
        None => format!("{}: no look was taken", cell.cell),
    }
}

fn at(course: &Course, cell: &CellCourse) -> Option<String> {
    (cell.look > 0).then(|| format!("look {} of {}", cell.look, course.looks.repeats().len()))
}

/// `adaptive, look 2 of 4, interval at 97.1%` of a challenger; `None` where its repeats were fixed.
pub(super) fn label(analysis: &Analysis, cell: &CellId) -> Option<String> {
    let course = analysis.adaptive.as_ref()?;
    let cell = course.of(cell)?;
    let rounded = in_steps(cell.spent?, 1e3) / 1e3;
    Some(format!(
        "adaptive, {}, interval at {}",
        at(course, cell)?,
        level(rounded)
    ))
}
