//! COST and TIME of a plan: at most, and probably.

use super::figures::{counted, dollars, duration, money};
use super::page::{HANG, Page};
use crate::analysis::{Ceiling, CellOutlay, Design, NotExpected, Outlay};
use crate::domain::{BudgetLimit, Estimate, Usd};

/// Writes both.
pub(super) fn write(page: &mut Page, design: &Design, outlay: &Outlay) {
    page.item("COST", HANG, &total(outlay));
    let told = !is_free(outlay) || outlay.expected != Err(NotExpected::NoPilot);
    for cell in outlay.cells.iter().filter(|_| told) {
        page.item("", HANG, &of_cell(cell));
    }
    if let Some(text) = budget(design, outlay) {
        page.item("", HANG, &text);
    }
    if let Some(text) = second_look(design, outlay) {
        page.item("", HANG, &text);
    }
    page.item("TIME", HANG, &time(outlay));
}

/// Whether nobody is paid for any cell.
fn is_free(outlay: &Outlay) -> bool {
    let mut cells = outlay.cells.iter();
    cells.all(|cell| matches!(cell.ceiling, Ceiling::NotPaid | Ceiling::Free))
}

fn total(outlay: &Outlay) -> String {
    let most = match outlay.at_most {
        _ if is_free(outlay) => "nothing is paid: no cell is live, or all are free".to_owned(),
        Some(usd) => format!("at most {}", dollars(usd.dollars())),
        None => "at most: unknown".to_owned(),
    };
    format!("{most}; {}", probably(&outlay.expected, money))
}

fn of_cell(cell: &CellOutlay) -> String {
    let most = match cell.ceiling {
        Ceiling::NotPaid => "not live, so its cost is only modelled".to_owned(),
        Ceiling::Free => "price: free".to_owned(),
        Ceiling::AtMost(usd) => format!(
            "at most {}, if no request is larger than its rollout's budget_tokens",
            dollars(usd.dollars())
        ),
        Ceiling::NoPrice => "at most: unknown, since its model has no price".to_owned(),
        Ceiling::NoTokenLimit { tasks, output } => format!(
            "at most: unknown, since {} without budget_tokens; its output alone is at most {}",
            match tasks {
                1 => "1 task is".to_owned(),
                many => format!("{many} tasks are"),
            },
            dollars(output.dollars())
        ),
    };
    match cell.expected {
        Err(NotExpected::NoPilot) => format!("{}: {most}", cell.cell),
        _ => format!("{}: {most}; {}", cell.cell, probably(&cell.expected, money)),
    }
}

/// `about $1.20 [$1.00 - $1.40]`, or why nobody knows.
fn probably(figure: &Result<Estimate, NotExpected>, show: impl Fn(&Estimate) -> String) -> String {
    match figure {
        Ok(estimate) => format!(
            "about {} by {} of the pilot",
            show(estimate),
            counted(estimate.n().into(), "task")
        ),
        Err(why) => format!("probably: unknown, {}", not_expected(*why)),
    }
}

pub(super) fn not_expected(why: NotExpected) -> &'static str {
    match why {
        NotExpected::NoPilot => "no pilot is named (--pilot RUN)",
        NotExpected::NotInPilot => "the pilot has not all of it as it is configured now",
        NotExpected::UnknownInPilot => "the pilot's own is not known",
        NotExpected::OneTask => "the pilot has not two tasks",
    }
}

/// What holds the money, where some is to be paid.
fn budget(design: &Design, outlay: &Outlay) -> Option<String> {
    (!is_free(outlay)).then(|| match design.budget {
        Some(BudgetLimit::Usd(limit)) => format!(
            "The budget of {limit} holds whatever happens: the worst case of each request is set \
             aside before it is sent, and what does not fit is skipped."
        ),
        Some(BudgetLimit::Unlimited) => {
            "The budget is unlimited: nothing stops the sweep.".to_owned()
        }
        None => "No budget is set, so live cells would be left out.".to_owned(),
    })
}

/// What a red of the gate would add; `None` where one look decides.
fn second_look(design: &Design, outlay: &Outlay) -> Option<String> {
    let rollouts = design.rollouts_of_a_second_look();
    let cells: Vec<String> = design
        .looked_at_again
        .iter()
        .map(ToString::to_string)
        .collect();
    let within = match design.budget {
        Some(BudgetLimit::Usd(_)) => ", inside the same budget",
        _ => "",
    };
    let most = match outlay.second_look_at_most {
        Some(Usd::ZERO) => "and nothing is paid for them".to_owned(),
        Some(usd) => format!("up to {} more{within}", dollars(usd.dollars())),
        None => format!("at most: unknown{within}"),
    };
    (rollouts > 0).then(|| {
        format!(
            "A red regression takes a second look at {}: {} more, {most}.",
            cells.join(" and "),
            counted(rollouts, "rollout")
        )
    })
}

fn time(outlay: &Outlay) -> String {
    let at_a_time = counted(outlay.at_a_time.into(), "rollout");
    let ms = |seconds: f64| duration((seconds * 1e3) as u64);
    let show = |estimate: &Estimate| {
        let interval = estimate.interval();
        let hi = interval.hi.map_or_else(|| "unbounded".to_owned(), ms);
        format!("{} [{} - {hi}]", ms(estimate.value()), ms(interval.lo))
    };
    format!(
        "at most {} of the tasks' own time with {at_a_time} at a time (timeout_s); {}",
        ms(outlay.longest_s),
        probably(&outlay.expected_s, show)
    )
}
