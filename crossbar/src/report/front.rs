//! FRONT: the cells that no other cell beats on pass rate and cost, and how sure that is.

use super::figures::counted;
use super::page::Page;
use crate::analysis::{Analysis, FrontCell, Scope};

/// Writes the section; nothing with fewer than two cells of known cost.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    let Some(front) = &analysis.front else {
        return;
    };
    page.heading("FRONT OF PASS RATE AND COST");
    for cell in &front.cells {
        page.item("", 2, &line(cell, front.draws));
    }
    if !front.left_out.is_empty() {
        let names: Vec<_> = front.left_out.iter().map(ToString::to_string).collect();
        let why = "cost not known, rollouts missing, or nothing measured";
        page.item("", 2, &format!("left out: {} ({why})", names.join(", ")));
    }
    let text = format!(
        "On the front: no other cell is at least as good and as cheap, and better or cheaper. \
         Uncertain: in some of {} of tasks, the same for all cells {}",
        counted(u64::from(front.draws), "draw"),
        Scope::TasksLikeThese.tag()
    );
    page.blank();
    page.item("", 2, &text);
}

fn line(cell: &FrontCell, draws: u32) -> String {
    let word = match (cell.on_front, cell.drawn == draws || cell.drawn == 0) {
        (true, true) => "on the front",
        (true, false) => "on the front, uncertain",
        (false, true) => "not on the front",
        (false, false) => "not on the front, uncertain",
    };
    let beaten = match &cell.beaten_by {
        Some(by) => format!("; {by} beats it for certain"),
        None => String::new(),
    };
    format!(
        "{}: {word} ({} of {draws} draws){beaten}",
        cell.cell, cell.drawn
    )
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, flat, sweep};
    use crate::domain::Cost;

    #[test]
    fn each_cell_says_whether_it_is_on_the_front_and_how_often() {
        let text = flat(&sweep().output("markdown"));
        assert!(
            text.contains("mock-strong+react: not on the front, uncertain ("),
            "{text}"
        );
        assert!(
            text.contains("mock-weak+react: on the front (2000 of 2000 draws)"),
            "{text}"
        );
        let mut unknown = sweep();
        unknown.rollouts[0].cost = Cost::Unknown;
        let text = flat(&unknown.again().output("markdown"));
        assert!(
            text.contains("left out: mock-strong+react (cost not known"),
            "{text}"
        );
        let one = Sweep::of(2, &[("a+h", 10, &[2, 1])]);
        assert!(!one.output("markdown").contains("FRONT OF"));
    }
}
