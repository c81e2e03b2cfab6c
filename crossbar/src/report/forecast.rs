//! The text of a plan: what can be shown at all, how likely it is, what it would take, what it
//! would cost. Chances stand with their intervals; what is not known says why.

use super::Styles;
use super::figures::{counted, dollars, money, points, rate, tenths};
use super::outlay;
use super::page::{HANG, Page};
use super::reach;
use super::styles::Tone;
use super::visible::{COLUMNS, fit, right, width};
use crate::analysis::{
    AssumedBasis, Chance, Design, Forecast, Needed, NotWorth, PilotSilence, Scope, Worth,
};
use crate::domain::Estimate;

/// The whole plan of a sweep.
#[must_use]
pub fn forecast_text(design: &Design, forecast: &Forecast, styles: Styles) -> String {
    let mut page = Page::new(styles);
    heading(&mut page, design, forecast);
    page.blank();
    page.item("DESIGN", HANG, &size(design, forecast));
    page.blank();
    reach::can(&mut page, design, forecast);
    if let Some(chance) = &forecast.chance {
        page.blank();
        chances(&mut page, design, chance);
    }
    if let Some(needed) = &forecast.needed {
        page.blank();
        takes(&mut page, design, forecast, needed);
    }
    if forecast.chance.is_some() {
        page.item("ASSUMED", HANG, &assumed(forecast));
    }
    if let Some(worth) = &forecast.worth {
        page.blank();
        page.item("WORTH IT", HANG, &worth_it(worth));
    }
    page.blank();
    outlay::write(&mut page, design, &forecast.outlay);
    page.finish().trim_end().to_owned()
}

fn heading(page: &mut Page, design: &Design, forecast: &Forecast) {
    let title = "CROSSBAR PLAN";
    let tasks = counted(forecast.tasks.into(), "task");
    let room = COLUMNS - width(title) - tasks.len() - 4;
    let shown = format!("{}, {tasks}", fit(&design.question.pack_title, room));
    let gap = " ".repeat(80_usize.saturating_sub(width(title) + width(&shown)).max(2));
    page.line(&[
        (Tone::Heading, title),
        (Tone::Text, &gap),
        (Tone::Text, &shown),
    ]);
    page.line(&[(Tone::Faint, "Nothing was run, and nothing was paid.")]);
}

fn size(design: &Design, forecast: &Forecast) -> String {
    let question = &design.question;
    let cells = match &question.baseline {
        Some(baseline) => format!(
            "{baseline} as the baseline and {}",
            counted(forecast.challengers.into(), "challenger")
        ),
        None => format!(
            "{}, none of them the baseline",
            counted(question.cells.len() as u64, "cell")
        ),
    };
    let families = match forecast.units == forecast.tasks {
        true => String::new(),
        false => format!(" in {} families", forecast.units),
    };
    let margin = match question.margin.declared {
        true => "a margin of",
        false => "the default margin of",
    };
    format!(
        "{cells}; {}{families}, {}: {}; {margin} {} points",
        counted(forecast.tasks.into(), "task"),
        counted(question.repeats.into(), "repeat"),
        counted(forecast.rollouts, "rollout"),
        points(question.margin.value)
    )
}

fn chances(page: &mut Page, design: &Design, chance: &Chance) {
    let margin = points(design.question.margin.value);
    let drop = points(chance.drop);
    let mut label = "CHANCES";
    let lines = [
        (
            format!("that a cell {drop} points worse is called worse"),
            [chance.worse_these, chance.worse_like],
        ),
        (
            format!("that an equally good cell is shown within {margin} points"),
            [chance.within_these, chance.within_like],
        ),
    ];
    for (what, [these, like]) in lines {
        let tagged = [(these, Scope::TheseTasks), (like, Scope::TasksLikeThese)];
        let told = tagged
            .into_iter()
            .filter_map(|(share, scope)| Some(format!("{} {}", rate(&share?), scope.tag())));
        let told: Vec<_> = told.collect();
        if !told.is_empty() {
            let text = format!("{what}: {}", told.join(", "));
            page.item(std::mem::take(&mut label), HANG, &text);
        }
    }
    if let Some(played) = [chance.worse_these, chance.worse_like]
        .into_iter()
        .flatten()
        .next()
    {
        page.item(label, HANG, &of_played(&played));
    }
}

fn of_played(share: &Estimate) -> String {
    format!(
        "Shares of {}.",
        counted(share.n().into(), "simulated sweep")
    )
}

/// The table of tasks by repeats.
fn takes(page: &mut Page, design: &Design, forecast: &Forecast, needed: &Needed) {
    let margin = points(design.question.margin.value);
    let drop = forecast.chance.as_ref().map_or(0.0, |chance| chance.drop);
    let drop = points(drop);
    let text = format!(
        "for a chance of 80%, in independent tasks {}:",
        Scope::TasksLikeThese.tag()
    );
    page.item("NEEDED", HANG, &text);
    let columns = |repeats: &str, worse: &str, within: &str| {
        format!(
            "{}{}{}{}",
            " ".repeat(HANG),
            right(repeats, 8),
            right(worse, 26),
            right(within, 32)
        )
    };
    let worse = format!("worse by {drop} points");
    let within = format!("equal, within {margin} points");
    page.line(&[(Tone::Faint, &columns("REPEATS", &worse, &within))]);
    for row in &needed.rows {
        let [worse, within] = [row.worse, row.within].map(tasks);
        let text = columns(&row.repeats.to_string(), &worse, &within);
        page.line(&[(Tone::Text, &text)]);
    }
    if design.question.repeats >= 2
        && forecast
            .chance
            .as_ref()
            .is_some_and(|c| c.worse_these.is_some())
    {
        let [worse, within] = [needed.repeats_worse, needed.repeats_within].map(repeats);
        let text = format!(
            "over exactly these {}: {worse} to call it worse by {drop} points, {within} to show an \
             equal cell within {margin} points {}",
            counted(forecast.tasks.into(), "task"),
            Scope::TheseTasks.tag()
        );
        page.item("", HANG, &text);
    }
}

/// How many repeats are worth their money.
fn worth_it(worth: &Result<Worth, NotWorth>) -> String {
    let worth = match worth {
        Ok(worth) => worth,
        Err(NotWorth::Free) => {
            return "the pilot's rollouts cost nothing, so money puts no limit to repeats"
                .to_owned();
        }
        Err(NotWorth::Cost(why)) => {
            return format!(
                "how many repeats are worth their money is not known: {}",
                outlay::not_expected(*why)
            );
        }
    };
    let (task, repeat) = (dollars(worth.task), money(&worth.repeat));
    let what = match worth.repeats {
        Some(repeats) => format!(
            "about {} of each task say the most for the money",
            counted(repeats.into(), "repeat")
        ),
        None => "every repeat says as much as a new task, since tasks don't differ".to_owned(),
    };
    format!(
        "with {task} for a new task and {repeat} for a repeat of one in all cells: {what} {}",
        Scope::TasksLikeThese.tag()
    )
}

fn tasks(number: Option<u32>) -> String {
    number.map_or_else(|| "no number".to_owned(), |tasks| tasks.to_string())
}

fn repeats(number: Option<u32>) -> String {
    number.map_or_else(
        || "no number of repeats is enough".to_owned(),
        |repeats| counted(repeats.into(), "repeat"),
    )
}

fn assumed(forecast: &Forecast) -> String {
    let world = forecast.assumed.world;
    let (rate_of, whence) = match &forecast.assumed.basis {
        AssumedBasis::Pilot {
            challenger,
            rate: seen,
        } => (
            format!("a pass rate of {}", rate(seen)),
            format!(
                "the pilot's figures, of {challenger} against the baseline over {}, taken as they \
                 are",
                counted(seen.n().into(), "task")
            ),
        ),
        other => (
            format!("a pass rate of {}%", tenths(world.pass_rate)),
            usual(other),
        ),
    };
    format!(
        "{rate_of}, of whose variance {}% is a task disagreeing with itself, and a correlation of \
         {:.2} between the cells over tasks: {whence}",
        tenths(world.noise_share),
        world.correlation
    )
}

fn usual(basis: &AssumedBasis) -> String {
    match basis {
        AssumedBasis::SilentPilot(why) => {
            format!(
                "what is usual, since the pilot doesn't say: {}",
                silence(*why)
            )
        }
        _ => "what is usual, since nobody has measured it: `--pilot RUN` takes it from a run"
            .to_owned(),
    }
}

fn silence(why: PilotSilence) -> &'static str {
    match why {
        PilotSilence::NoPair => {
            "it has not both the baseline and a challenger as they are configured now"
        }
        PilotSilence::OneRepeat => "it takes two tasks that both cells met twice",
        PilotSilence::NoVariance => "no rollout of it disagreed with another",
    }
}
