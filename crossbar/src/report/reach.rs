//! What a design can show at all, in both scopes: before anything is run.

use super::figures::{counted, level, points, tenths};
use super::page::{HANG, Page};
use crate::analysis::{BarReach, Design, Forecast, Reach, Scope, ScopeReach};

/// What can be shown at all, on one line; empty without a challenger.
#[must_use]
pub fn reach_line(design: &Design, reach: &Reach) -> String {
    let margin = points(design.question.margin.value);
    let scopes = [
        (Scope::TheseTasks, &reach.these),
        (Scope::TasksLikeThese, &reach.like),
    ];
    let of = |(scope, reach): (Scope, &Option<ScopeReach>)| {
        let reach = (*reach)?;
        let worse = match reach.smallest_drop {
            Some(drop) => format!("worse from a drop of {} points on", tenths(drop)),
            None => "no drop worse".to_owned(),
        };
        let within = if reach.within {
            "within"
        } else {
            "nothing within"
        };
        Some(format!("{worse}, {within} {margin} points {}", scope.tag()))
    };
    let told: Vec<_> = scopes.into_iter().filter_map(of).collect();
    match told.is_empty() {
        true => String::new(),
        false => format!(
            "can be shown at this size: {}; `crossbar plan` says how likely, and what it costs",
            told.join("; ")
        ),
    }
}

/// CAN BE SHOWN: the least drop that is shown, and whether the margin can hold, in each scope.
pub(super) fn can(page: &mut Page, design: &Design, forecast: &Forecast) {
    let question = &design.question;
    let mut label = "CAN BE SHOWN";
    let mut say = |page: &mut Page, text: String| {
        page.item(std::mem::take(&mut label), HANG, &text);
    };
    if forecast.challengers == 0 {
        say(page, without_challenger(design));
    } else {
        let margin = points(question.margin.value);
        for (scope, reach) in [
            (Scope::TheseTasks, forecast.reach.these),
            (Scope::TasksLikeThese, forecast.reach.like),
        ] {
            match reach {
                Some(reach) => {
                    say(page, worse(scope, reach));
                    say(page, within(scope, reach, &margin));
                }
                None => say(page, format!("nothing {}: {}", scope.tag(), silent(scope))),
            }
        }
        if let Some(patterns) = forecast.reach.patterns {
            say(page, differing(patterns, forecast.units));
        }
        let all = format!(
            "At {}, by Holm's strictest step for {}.",
            level(question.alpha),
            counted(forecast.challengers.into(), "challenger")
        );
        say(page, all);
    }
    if let Some(bar) = forecast.bar {
        say(page, over_the_bar(bar));
    }
}

fn without_challenger(design: &Design) -> String {
    match &design.question.baseline {
        Some(_) => "nothing about a difference: no other cell would run".to_owned(),
        None => "nothing about a difference: run.baseline names no cell that would run".to_owned(),
    }
}

fn silent(scope: Scope) -> &'static str {
    match scope {
        Scope::TheseTasks => "it takes 2 repeats",
        Scope::TasksLikeThese => "it takes 2 independent tasks",
    }
}

fn worse(scope: Scope, reach: ScopeReach) -> String {
    let how = match scope {
        Scope::TheseTasks => "if it falls on as few tasks as it can",
        Scope::TasksLikeThese => "if all tasks lose alike",
    };
    match reach.smallest_drop {
        Some(drop) => {
            let drop = tenths(drop);
            format!(
                "worse, from a drop of {drop} points on, {how} {}",
                scope.tag()
            )
        }
        None => format!("not worse, not even if all is lost {}", scope.tag()),
    }
}

fn within(scope: Scope, reach: ScopeReach, margin: &str) -> String {
    let (tag, open) = (scope.tag(), tenths(reach.left_open));
    if reach.within {
        return format!(
            "within {margin} points, if both cells pass everything: that leaves open a drop of \
             {open} points {tag}"
        );
    }
    let noun = match scope {
        Scope::TheseTasks => "repeat",
        Scope::TasksLikeThese => "independent task",
    };
    let takes = reach.takes.map_or_else(
        || "no number is enough".to_owned(),
        |takes| format!("it takes {}", counted(takes.into(), noun)),
    );
    format!(
        "not within {margin} points, not even if both cells pass everything: that leaves open a \
         drop of {open} points, and {takes} {tag}"
    )
}

/// From how many units on the sign-flip test can see that patterns differ.
fn differing(patterns: u64, units: u32) -> String {
    let tag = Scope::TasksLikeThese.tag();
    let takes = counted(patterns, "independent task");
    if patterns <= u64::from(units) {
        return format!("that patterns differ, from {takes} on that all differ alike {tag}");
    }
    format!("not that patterns differ, not even if all tasks do: it takes {takes} {tag}")
}

fn over_the_bar(reach: BarReach) -> String {
    let (bar, perfect) = (points(reach.bar), tenths(reach.perfect));
    if reach.perfect > reach.bar {
        return format!(
            "above the quality bar of {bar}%: a cell that passes everything has the lower limit \
             {perfect}% {}",
            Scope::TasksLikeThese.tag()
        );
    }
    let takes = reach.takes.map_or_else(
        || "no number of tasks is enough".to_owned(),
        |takes| format!("it takes {}", counted(takes.into(), "independent task")),
    );
    format!(
        "not above the quality bar of {bar}%: a cell that passes everything has the lower limit \
         {perfect}%, and {takes} {}",
        Scope::TasksLikeThese.tag()
    )
}
