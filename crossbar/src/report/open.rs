//! OPEN and OUT: the cells that could still be the answer, each with what would settle it, and
//! those that can't, with why. A cell has one entry, whichever scopes speak of it.

use super::card::scopes;
use super::figures::{counted, dollars, points, tenths};
use super::page::{HANG, Page};
use super::recommendation::{short, verdict_of};
use crate::analysis::{
    Analysis, ClosedBy, ClosedCell, Lack, LeaningLine, Need, NeedKind, OpenCell, Scope, Verdict,
};
use crate::domain::CellId;
use std::fmt::Write;

/// The open cells that are printed, and the names in one OUT line; sweep.json has all.
const SHOWN: usize = 5;

/// A cell that some scope leaves open; the headline scope first.
struct Open<'a> {
    cell: &'a CellId,
    in_scopes: Vec<(Scope, &'a OpenCell)>,
}

/// Cells that are out for one reason in the same scopes.
struct Out<'a> {
    why: ClosedBy,
    in_scopes: Vec<Scope>,
    cells: Vec<&'a CellId>,
}

/// Writes the entries of both scopes' verdicts; nothing where nothing is open or out.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    let open = open_cells(analysis);
    let out = out_cells(analysis);
    if open.is_empty() && out.is_empty() {
        return;
    }
    page.blank();
    let margin = points(analysis.settings.margin.value);
    for cell in open.iter().take(SHOWN) {
        entry(page, cell, &margin);
    }
    if open.len() > SHOWN {
        let text = format!(
            "and {} more, none known to be cheaper per success; sweep.json has them all",
            counted((open.len() - SHOWN) as u64, "open cell")
        );
        page.item("", HANG, &text);
    }
    for group in &out {
        let text = format!(
            "{}: {} {}",
            names(&group.cells),
            closed_by(group.why),
            tags(&group.in_scopes)
        );
        page.item("OUT", HANG, &text);
    }
}

fn lists(verdict: &Verdict) -> (&[OpenCell], &[ClosedCell]) {
    match verdict {
        Verdict::Stay { closed } => (&[], closed),
        Verdict::CannotTell { open, closed, .. } => (open, closed),
        Verdict::Switch { .. } | Verdict::Pick { .. } | Verdict::NothingToCompare => (&[], &[]),
    }
}

fn verdicts(analysis: &Analysis) -> impl Iterator<Item = (Scope, &Verdict)> {
    scopes(analysis)
        .into_iter()
        .filter_map(|scope| Some((scope, verdict_of(analysis, scope)?)))
}

/// Least cost per success first, since the cheapest has the most to give; unknown ones last.
fn open_cells(analysis: &Analysis) -> Vec<Open<'_>> {
    let mut all: Vec<Open<'_>> = Vec::new();
    for (scope, verdict) in verdicts(analysis) {
        for open in lists(verdict).0 {
            match all.iter_mut().find(|known| known.cell == &open.cell) {
                Some(known) => known.in_scopes.push((scope, open)),
                None => all.push(Open {
                    cell: &open.cell,
                    in_scopes: vec![(scope, open)],
                }),
            }
        }
    }
    let cost = |open: &Open<'_>| {
        let cell = analysis.cell(open.cell);
        let estimate = cell.and_then(|cell| cell.cost_per_success.estimate);
        estimate.map_or(f64::INFINITY, |estimate| estimate.value())
    };
    all.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    all
}

fn out_cells(analysis: &Analysis) -> Vec<Out<'_>> {
    let mut single: Vec<Out<'_>> = Vec::new();
    for (scope, verdict) in verdicts(analysis) {
        for closed in lists(verdict).1 {
            let same = |out: &&mut Out<'_>| out.why == closed.why && out.cells[0] == &closed.cell;
            match single.iter_mut().find(same) {
                Some(known) => known.in_scopes.push(scope),
                None => single.push(Out {
                    why: closed.why,
                    in_scopes: vec![scope],
                    cells: vec![&closed.cell],
                }),
            }
        }
    }
    let mut groups: Vec<Out<'_>> = Vec::new();
    for out in single {
        let same = |group: &&mut Out<'_>| group.why == out.why && group.in_scopes == out.in_scopes;
        match groups.iter_mut().find(same) {
            Some(group) => group.cells.extend(out.cells),
            None => groups.push(out),
        }
    }
    groups
}

fn names(cells: &[&CellId]) -> String {
    let shown: Vec<_> = cells.iter().take(SHOWN).map(|cell| short(cell)).collect();
    let rest = cells.len().saturating_sub(SHOWN);
    match rest {
        0 => shown.join(", "),
        _ => format!("{} and {rest} more", shown.join(", ")),
    }
}

/// `[these tasks] [tasks like these]`.
pub(super) fn tags(scopes: &[Scope]) -> String {
    let tags: Vec<_> = scopes.iter().map(|scope| scope.tag()).collect();
    tags.join(" ")
}

fn entry(page: &mut Page, open: &Open<'_>, margin: &str) {
    let text = format!("{}: {}", short(open.cell), lacks(&open.in_scopes, margin));
    page.item("OPEN", HANG, &text);
    if let Some((scope, cell)) = open.in_scopes.first() {
        let text = format!("would settle it: {} {}", settle(cell), scope.tag());
        page.item("", HANG, &text);
    }
    for (scope, cell) in &open.in_scopes {
        if let Some(line) = &cell.leaning {
            page.item("", HANG, &leaning(line, *scope));
        }
    }
}

/// What is lacking, each with the scopes in which it is; one list where the scopes agree.
fn lacks(in_scopes: &[(Scope, &OpenCell)], margin: &str) -> String {
    let mut all: Vec<Lack> = in_scopes
        .iter()
        .flat_map(|(_, cell)| cell.lacks.iter().copied())
        .collect();
    all.sort();
    all.dedup();
    let speaking = |wanted: Lack| -> Vec<Scope> {
        let lacking = in_scopes
            .iter()
            .filter(|(_, cell)| cell.lacks.contains(&wanted));
        lacking.map(|(scope, _)| *scope).collect()
    };
    let mut text = String::new();
    for (index, wanted) in all.iter().enumerate() {
        let separator = if index == 0 { "" } else { "; " };
        let _ = write!(text, "{separator}{}", lack(*wanted, margin));
        let here = speaking(*wanted);
        let next = all.get(index + 1).map(|next| speaking(*next));
        if next.as_ref() != Some(&here) {
            let _ = write!(text, " {}", tags(&here));
        }
    }
    text
}

fn leaning(line: &LeaningLine, scope: Scope) -> String {
    format!(
        "LEANING chance {:.2} within the margin, expected drop {} points {}",
        line.within_margin,
        tenths(line.expected_drop),
        scope.tag()
    )
}

fn lack(lack: Lack, margin: &str) -> String {
    match lack {
        Lack::Rollouts => "rollouts are missing".to_owned(),
        Lack::Unmeasured => "rollouts that were not measured decide".to_owned(),
        Lack::WithinMargin => format!("not shown within {margin} points"),
        Lack::AboveBar => "lower limit not above the quality bar".to_owned(),
        Lack::Cost => "its cost is not known".to_owned(),
        Lack::Cheaper => "not shown cheaper".to_owned(),
    }
}

fn settled_by(lacks: &[Lack]) -> &'static str {
    if lacks.contains(&Lack::Rollouts) {
        "the missing rollouts: resume the run, or import all of them"
    } else if lacks.contains(&Lack::Unmeasured) {
        "those rollouts: mend what broke, then resume the run, or import all of them"
    } else if lacks.contains(&Lack::Cost) {
        "a price in the roster, usage from the provider, or costs in what is imported"
    } else {
        "nothing that can be computed from these rollouts"
    }
}

/// What is enough, as alternatives; what never is stands behind it.
fn settle(cell: &OpenCell) -> String {
    if cell.needs.is_empty() {
        return settled_by(&cell.lacks).to_owned();
    }
    let enough: Vec<_> = cell.needs.iter().filter_map(need).collect();
    let never: Vec<_> = cell
        .needs
        .iter()
        .filter(|need| need.total.is_none())
        .map(|need| format!("no number of {}s", noun(need)))
        .collect();
    let never = never.join(" and ");
    match (enough.is_empty(), never.is_empty()) {
        (true, _) => format!("{never} at the rates seen"),
        (false, true) => enough.join(", or "),
        (false, false) => format!("{}, but {never} at the rates seen", enough.join(", or ")),
    }
}

fn noun(need: &Need) -> &'static str {
    match need.what {
        NeedKind::Tasks => "task",
        NeedKind::Repeats => "repeat",
    }
}

fn need(need: &Need) -> Option<String> {
    let total = need.total?;
    let noun = noun(need);
    let cost = need.cost.map_or_else(
        || ", at an unknown cost".to_owned(),
        |usd| format!(", about {}", dollars(usd.dollars())),
    );
    Some(match need.more {
        Some(more) => format!(
            "about {more} more {noun}{} ({total} in all{cost})",
            if more == 1 { "" } else { "s" }
        ),
        None => format!("about {} in all", counted(u64::from(total), noun)),
    })
}

fn closed_by(why: ClosedBy) -> &'static str {
    match why {
        ClosedBy::ExecutedViolation => "a forbidden call reached its tool",
        ClosedBy::Worse => "shown worse than the baseline",
        ClosedBy::UnderBar => "its upper limit is below the quality bar",
        ClosedBy::NotCheaper => "shown not to be cheaper",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture::{Sweep, sweep};

    #[test]
    fn a_cell_has_one_entry_and_the_cheapest_stands_first() {
        let text = sweep().output("text");
        assert_eq!(text.matches("  OPEN ").count(), 2, "{text}");
        assert_eq!(text.matches("would settle it").count(), 2, "{text}");
        let first = text.split("  OPEN ").nth(1).unwrap();
        assert!(first.trim_start().starts_with("mock-weak+react-verify:"));
        assert!(first.contains("within 5 points [these tasks] [tasks like these]"));
    }

    #[test]
    fn lacks_that_differ_between_scopes_keep_their_own_tags() {
        let open = |lacks: &[Lack]| OpenCell {
            cell: CellId::new("a", "h").unwrap(),
            lacks: lacks.to_vec(),
            needs: Vec::new(),
            leaning: None,
        };
        let (these, like) = (
            open(&[Lack::Cheaper]),
            open(&[Lack::WithinMargin, Lack::Cheaper]),
        );
        assert_eq!(
            lacks(
                &[(Scope::TheseTasks, &these), (Scope::TasksLikeThese, &like)],
                "5"
            ),
            "not shown within 5 points [tasks like these]; \
             not shown cheaper [these tasks] [tasks like these]"
        );
    }

    #[test]
    fn many_open_cells_are_counted_and_five_are_shown() {
        let names: Vec<_> = (0..12).map(|index| format!("c{index}+h")).collect();
        let cells: Vec<(&str, i64, &[u32])> = names
            .iter()
            .enumerate()
            .map(|(index, name)| (name.as_str(), 20_000 - index as i64, &[2, 1, 2][..]))
            .collect();
        let text = Sweep::of(2, &cells).output("text");
        assert_eq!(text.matches("  OPEN ").count(), 5, "{text}");
        assert!(text.contains("and 6 open cells more"), "{text}");
        assert!(text.contains("  OPEN           c11+h:"), "{text}");
    }

    #[test]
    fn cells_that_are_out_for_one_reason_share_a_line() {
        let worse: (i64, &[u32]) = (100, &[0; 40]);
        let sweep = Sweep::of(
            5,
            &[
                ("a+h", 20_000, &[5; 40]),
                ("b+h", worse.0, worse.1),
                ("c+h", worse.0, worse.1),
            ],
        );
        let text = sweep.output("text");
        assert!(
            text.contains("  OUT            b+h, c+h: shown worse"),
            "{text}"
        );
        assert_eq!(text.matches("  OUT ").count(), 1, "{text}");
    }
}
