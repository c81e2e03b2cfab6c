//! The `>>` lines: what to do, in each scope, and what it saves.

use super::card::scopes;
use super::delta::nothing_measured;
use super::figures::{money, points, rate};
use super::open::tags;
use super::page::Page;
use super::styles::Tone;
use super::visible::fit;
use crate::analysis::{Analysis, CellSummary, CostComparison, Scope, Undecided, Verdict};
use crate::domain::CellId;

/// What a second scope adds that can't tell yet.
const BEYOND: &str = "whether that holds there too: OPEN says what would settle it.";

/// Writes the recommendation of both scopes: once where they say the same, the headline first.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    let mut lines: Vec<((Tone, String), &Verdict, Vec<Scope>)> = Vec::new();
    for scope in scopes(analysis) {
        if let Some(verdict) = verdict_of(analysis, scope) {
            let advice = advice(analysis, verdict);
            let same = |known: &(Tone, String), other: &Verdict| {
                *known == advice && other.word() == verdict.word()
            };
            match lines
                .iter_mut()
                .find(|(known, other, _)| same(known, other))
            {
                Some((_, _, in_scopes)) => in_scopes.push(scope),
                None => lines.push((advice, verdict, vec![scope])),
            }
        }
    }
    for (at, ((tone, text), verdict, in_scopes)) in lines.iter().enumerate() {
        // One recommendation; what the other scope says of it stands below, and advises nothing.
        let (sign, text) = match verdict {
            Verdict::CannotTell { .. } if at > 0 => ("  ", BEYOND),
            _ => (">>", text.as_str()),
        };
        let word = format!("{sign} {}", verdict.word());
        let text = format!("{text} {}", tags(in_scopes));
        page.paragraph("", 2, &[(*tone, &word), (Tone::Text, &text)]);
    }
    savings(page, analysis);
}

pub(super) fn verdict_of(analysis: &Analysis, scope: Scope) -> Option<&Verdict> {
    match scope {
        Scope::TheseTasks => analysis.verdict_these.as_ref(),
        Scope::TasksLikeThese => Some(&analysis.verdict_like),
    }
}

/// A cell's name, cut visibly where it is very long.
pub(super) fn short(cell: &CellId) -> String {
    fit(&cell.to_string(), 60)
}

/// The tone of the line, and what stands after the verdict's word.
fn advice(analysis: &Analysis, verdict: &Verdict) -> (Tone, String) {
    let margin = points(analysis.settings.margin.value);
    let baseline = analysis
        .baseline
        .as_ref()
        .map_or_else(|| "what you have".to_owned(), short);
    match verdict {
        Verdict::Switch { cell, .. } => (
            Tone::Good,
            format!(
                "to {}: it is within {margin} points of {baseline}, and costs less per success.",
                short(cell)
            ),
        ),
        Verdict::Stay { .. } => (
            Tone::Text,
            format!("with {baseline}: no cheaper cell is left that could do the job."),
        ),
        Verdict::CannotTell {
            why: why @ Undecided::Replayed,
            ..
        } => (Tone::Warn, format!("here: {}.", undecided(*why))),
        Verdict::CannotTell { why, .. } => (
            Tone::Warn,
            format!("yet, so keep {baseline}: {}.", undecided(*why)),
        ),
        Verdict::Pick { cell, qualified } => (Tone::Good, pick(analysis, cell, qualified)),
        Verdict::NothingToCompare => (
            Tone::Text,
            "yet: one cell and no quality bar. Add a cell and name a baseline.".to_owned(),
        ),
    }
}

/// The cheapest, unless it may turn out to be dearer, or a cell that might do the job cheaper still.
fn pick(analysis: &Analysis, cell: &CellId, qualified: &[CellId]) -> String {
    let each = |one: &CellSummary| one.cost_per_success.estimate.map(|each| each.value());
    let bar = analysis.settings.quality_bar;
    let winner = analysis.cell(cell).and_then(each);
    let measured = |one: &CellSummary| {
        format!(
            "{} was measured in {} of {} rollouts only",
            short(&one.id),
            one.measured,
            one.scheduled
        )
    };
    let own = analysis
        .cell(cell)
        .filter(|one| one.measured < one.scheduled);
    let rivals = analysis
        .cells
        .iter()
        .filter(|one| one.id != *cell && !qualified.contains(&one.id))
        .filter(|one| !is_out(one, bar))
        .filter_map(|one| {
            let half = one.measured < one.scheduled;
            let cheaper = each(one).zip(winner).is_some_and(|(one, best)| one < best);
            match (one.cost.total(), half) {
                (None, _) => Some(format!("what {} costs is not known", short(&one.id))),
                (Some(_), true) if cheaper || each(one).is_none() => Some(measured(one)),
                _ => None,
            }
        });
    // what broke off early was cheap
    let open: Vec<_> = own.map(measured).into_iter().chain(rivals).collect();
    if open.is_empty() {
        return format!(
            "{}: the cheapest cell whose lower limit is above the quality bar.",
            short(cell)
        );
    }
    format!(
        "{}: its lower limit is above the quality bar. Whether it is the cheapest is open: {}.",
        short(cell),
        open.join("; ")
    )
}

/// Whether a cell can't do the job, at whatever cost.
fn is_out(cell: &CellSummary, bar: Option<f64>) -> bool {
    let highest = cell.pass_rate.and_then(|rate| rate.interval().hi);
    let under = highest.zip(bar).is_some_and(|(highest, bar)| highest < bar);
    under || cell.violated()
}

fn undecided(why: Undecided) -> &'static str {
    match why {
        Undecided::Replayed => {
            "a replay says nothing about the models, only about the code around them"
        }
        Undecided::OpenCells => "you cannot distinguish it from the OPEN cells",
        Undecided::MissingRollouts => {
            "planned rollouts are missing, and nothing is claimed without them"
        }
        Undecided::UnmeasuredRollouts => "rollouts that could not be measured would decide",
        Undecided::NoBaselineNoBar => "neither a baseline nor a quality bar was named",
        Undecided::NoneClearsBar => "no cell's lower limit is above the quality bar",
    }
}

/// Savings come from the cost per success, of the winner; nothing is saved while nothing changes.
fn savings(page: &mut Page, analysis: &Analysis) {
    let (Some(baseline), Some(cell)) = (&analysis.baseline, analysis.subject()) else {
        return;
    };
    let Some(comparison) = analysis.comparison(cell) else {
        return;
    };
    let saving = match comparison.unmeasured {
        Some(side) => nothing_measured(side, &short(cell)),
        None => saving(&comparison.cost),
    };
    let tag = Scope::TasksLikeThese.tag();
    let text = match analysis.verdict().winner() {
        Some(_) => format!(
            "Savings: {saving}{} {tag}",
            from_to(analysis, baseline, cell)
        ),
        None if comparison.unmeasured.is_some() => {
            format!("Savings: $0.00 while you stay; {saving}.")
        }
        None => format!(
            "Savings: $0.00 while you stay. {}, if it did the job: {saving} {tag}",
            short(cell)
        ),
    };
    page.item("", 5, &text);
}

/// The part of today's cost per success that goes away. An interval that includes 0 is no saving,
/// and one that reaches below -100% has no figure worth reading.
fn saving(cost: &CostComparison) -> String {
    let wide = "saving not distinguishable, interval too wide to name".to_owned();
    let Some(saving) = &cost.saving else {
        return match cost.ratio {
            Some(_) => wide,
            None => "saving not known (a cost is unknown or zero, or too little passed)".to_owned(),
        };
    };
    let figure = format!("{} of the cost per success", rate(saving));
    let interval = saving.interval();
    let costs_more = interval.hi.is_some_and(|hi| hi < 0.0);
    match (cost.distinguishable, costs_more) {
        (true, true) => format!("it costs more, a saving of {figure}"),
        (true, false) => figure,
        (false, _) if interval.lo > -1.0 => format!("saving not distinguishable, {figure}"),
        (false, _) => wide,
    }
}

fn from_to(analysis: &Analysis, baseline: &CellId, cell: &CellId) -> String {
    let each = |id: &CellId| {
        analysis
            .cell(id)
            .and_then(|cell| cell.cost_per_success.estimate)
    };
    match (each(baseline), each(cell)) {
        (Some(now), Some(then)) => format!(" (from {} to {})", money(&now), money(&then)),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Cheaper;
    use crate::domain::Estimate;
    use crate::report::fixture::sweep;

    fn said(value: f64, lo: f64, hi: f64) -> String {
        let estimate = Estimate::new(value, lo, Some(hi), 10).unwrap();
        saving(&CostComparison {
            cheaper: Cheaper::Open,
            ratio: Some(estimate),
            saving: Some(estimate),
            distinguishable: lo > 0.0 || hi < 0.0,
        })
    }

    #[test]
    fn a_saving_is_named_only_where_its_interval_means_something() {
        let wide = "saving not distinguishable, interval too wide to name";
        assert_eq!(said(0.98, -4705.7, 0.9999), wide);
        assert_eq!(said(0.98, -1.0, 0.9999), wide);
        assert_eq!(
            said(0.4, -0.6, 0.8),
            "saving not distinguishable, 40.0% [-60.0 - 80.0] of the cost per success"
        );
        assert_eq!(
            said(0.4, 0.1, 0.8),
            "40.0% [10.0 - 80.0] of the cost per success"
        );
        assert!(said(-2.0, -3.0, -1.5).starts_with("it costs more, a saving of -200.0%"));
    }

    #[test]
    fn scopes_that_say_the_same_share_one_line() {
        let mut sweep = sweep();
        let count = |text: String| text.matches("  >> ").count();
        assert_eq!(count(sweep.output("text")), 1);
        sweep.analysis.verdict_like = Verdict::Stay { closed: Vec::new() };
        let text = sweep.output("text");
        assert!(text.find(">> CAN'T TELL").unwrap() < text.find(">> STAY").unwrap());
        assert_eq!(count(text), 2);
    }
    /// What a PICK of the first cell says, after a change to the second.
    fn picked(change: fn(&mut CellSummary)) -> String {
        let mut sweep = sweep();
        let analysis = &mut sweep.analysis;
        analysis.baseline = None;
        analysis.settings.quality_bar = Some(0.3);
        change(&mut analysis.cells[1]);
        let cell = analysis.cells[0].id.clone();
        let qualified = vec![cell.clone()];
        let verdict = Verdict::Pick { cell, qualified };
        advice(analysis, &verdict).1
    }

    #[test]
    fn a_pick_is_called_the_cheapest_only_where_no_other_can_turn_out_cheaper() {
        let cheapest = "the cheapest cell whose lower limit is above the quality bar";
        assert!(picked(|_| ()).contains(cheapest));
        let unknown = picked(|cell| cell.cost.unknown_rollouts = 3);
        assert!(!unknown.contains(cheapest), "{unknown}");
        assert!(
            unknown.contains("Whether it is the cheapest is open: what mock-weak+react"),
            "{unknown}"
        );
        let half = picked(|cell| cell.measured = cell.scheduled / 2);
        assert!(
            half.contains("was measured in 6 of 12 rollouts only"),
            "{half}"
        );
        // The one that is picked may be dearer than what broke off early.
        let mut own = sweep();
        own.analysis.baseline = None;
        let first = &mut own.analysis.cells[0];
        first.measured = first.scheduled - 1;
        let cell = first.id.clone();
        let said = pick(&own.analysis, &cell, std::slice::from_ref(&cell));
        assert!(
            said.contains("open: mock-strong+react was measured in 11 of 12"),
            "{said}"
        );
        // A cell that is under the bar at whatever cost changes nothing, nor does a dearer one.
        let out = picked(|cell| {
            cell.cost.unknown_rollouts = 3;
            cell.pass_rate = Estimate::new(0.1, 0.0, Some(0.2), 4).ok();
        });
        assert!(out.contains(cheapest), "{out}");
        let dearer = picked(|cell| {
            cell.measured = cell.scheduled / 2;
            cell.cost_per_success.estimate = Estimate::new(9.0, 8.0, Some(10.0), 4).ok();
        });
        assert!(dearer.contains(cheapest), "{dearer}");
    }
}
