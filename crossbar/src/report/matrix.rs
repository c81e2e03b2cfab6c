//! MATRIX: one row per cell, and the lines below it that keep the rows from being misread.

use super::figures::{counted, dollars, level, number, rate, rate_interval, rate_point};
use super::page::Page;
use super::styles::Tone;
use super::visible::{left, right, width};
use crate::analysis::{Analysis, CellSummary, NoCostPerSuccess, NoteWord, Scope, Shown};
use crate::domain::in_steps;

/// The widest that the CELL column becomes.
const CELL: usize = 25;

/// Writes the matrix, and the table of pass@k and pass^k where k was asked for.
pub(super) fn write(page: &mut Page, analysis: &Analysis) {
    let cells = by_rate(analysis);
    let room = cells
        .iter()
        .map(|cell| width(&cell.id.to_string()))
        .max()
        .unwrap_or(0)
        .clamp(4, CELL);
    page.heading("MATRIX");
    let interval = format!("{} CI", level(analysis.settings.alpha));
    row(
        page,
        room,
        ["CELL", "PASS", &interval, "COST", "$/SUCCESS", "NOTE"],
        Tone::Faint,
    );
    page.line(&[(Tone::Faint, &"-".repeat(room + 75))]);
    for cell in &cells {
        cell_row(page, room, cell);
    }
    page.blank();
    footnotes(page, analysis);
    if let Some(k) = analysis.settings.k {
        draws(page, &cells, room, k);
    }
}

/// The order of the rows says nothing about cells that are not separable: it is the order of the
/// rates, and plan order among equals.
fn by_rate(analysis: &Analysis) -> Vec<&CellSummary> {
    let mut cells: Vec<_> = analysis.cells.iter().collect();
    let value = |cell: &CellSummary| cell.pass_rate.map_or(-1.0, |rate| rate.value());
    cells.sort_by(|a, b| value(b).total_cmp(&value(a)));
    cells
}

fn row(page: &mut Page, room: usize, columns: [&str; 6], note_tone: Tone) {
    let [cell, pass, interval, cost, per_success, note] = columns;
    let fields = format!(
        "{}  {}  {}  {}  {}  ",
        left(cell, room),
        right(pass, 6),
        right(interval, 15),
        right(cost, 9),
        right(per_success, 10),
    );
    page.line(&[(Tone::Text, &fields), (note_tone, note)]);
}

fn cell_row(page: &mut Page, room: usize, cell: &CellSummary) {
    let (pass, interval) = match &cell.pass_rate {
        Some(rate) => (rate_point(rate), rate_interval(rate)),
        None => ("n/a".to_owned(), "n/a".to_owned()),
    };
    let cost = match cell.cost.total() {
        Some(total) => dollars(total.dollars()),
        None => "unknown".to_owned(),
    };
    let per_success = match (
        &cell.cost_per_success.estimate,
        cell.cost_per_success.why_not,
    ) {
        (Some(estimate), _) => dollars(estimate.value()),
        (None, Some(NoCostPerSuccess::UnknownCost)) => "unknown".to_owned(),
        (None, _) => "n/a".to_owned(),
    };
    let note = cell
        .note
        .word
        .map_or_else(String::new, |word| word.to_string());
    let tone = match cell.note.word {
        Some(NoteWord::Worse) => Tone::Bad,
        Some(NoteWord::Better | NoteWord::NonInferior { .. }) => Tone::Good,
        _ => Tone::Text,
    };
    row(
        page,
        room,
        [
            &cell.id.to_string(),
            &pass,
            &interval,
            &cost,
            &per_success,
            &note,
        ],
        tone,
    );
    if let Some(shown) = cell.note.pack_only {
        let word = match shown {
            Shown::Better => "on this pack only: better",
            Shown::Worse => "on this pack only: worse",
        };
        row(page, room, ["", "", "", "", "", word], Tone::Text);
    }
}

fn footnotes(page: &mut Page, analysis: &Analysis) {
    let tag = Scope::TasksLikeThese.tag();
    let text = format!(
        "PASS, interval and NOTE speak of {tag}; rows stand in the order of their rates, which is no ranking."
    );
    page.item("", 2, &text);
    let words = || analysis.cells.iter().filter_map(|cell| cell.note.word);
    if words().any(|word| word == NoteWord::NotSeparable) {
        let text = "~ not separable from the baseline by the paired test: neither better nor worse is shown.";
        page.item("", 2, text);
    }
    if analysis
        .cells
        .iter()
        .any(|cell| cell.note.pack_only.is_some())
    {
        let text = format!(
            "on this pack only: by the exact stratified test, {}.",
            Scope::TheseTasks.tag()
        );
        page.item("", 2, &text);
    }
    for cell in &analysis.cells {
        if let Some(without) = &cell.rate_without_infrastructure {
            let text = format!(
                "{}: {} pass without infrastructure failures, which count as failures above {tag}",
                cell.id,
                rate(without)
            );
            page.item("", 2, &text);
        }
    }
    let score = |cell: &CellSummary| Some(format!("{} {}", cell.id, number(&cell.mean_score?)));
    let scores: Vec<_> = analysis.cells.iter().filter_map(score).collect();
    if !scores.is_empty() {
        page.item("", 2, &format!("mean score: {} {tag}", scores.join("; ")));
    }
    if let Some(best) = &analysis.best {
        let shrunk = format!("{:.1}", in_steps(best.shrunk, 1e3) / 10.0);
        let text = format!(
            "highest of {} observed rates: {}, {} with an interval that allows for the choice; shrunk towards all cells: {shrunk} {tag}",
            best.of,
            best.cell,
            rate(&best.rate),
        );
        page.item("", 2, &text);
    }
}

/// pass@k (at least one of k passes: capability) and pass^k (all k pass: reliability).
fn draws(page: &mut Page, cells: &[&CellSummary], room: usize, k: u32) {
    page.blank();
    let columns = [
        format!("PASS@{k} (capability)"),
        format!("PASS^{k} (reliability)"),
    ];
    let line = |name: &str, at: &str, hat: &str, trials: &str| {
        format!(
            "{}  {}  {}  {}",
            left(name, room),
            left(at, 23),
            left(hat, 23),
            trials
        )
    };
    let heading = line("CELL", &columns[0], &columns[1], "TRIALS");
    page.line(&[(Tone::Faint, &heading)]);
    for cell in cells {
        let figure = |estimate: &Option<crate::domain::Estimate>| {
            estimate.as_ref().map_or_else(|| "n/a".to_owned(), rate)
        };
        let trials = format!("{}/{} pass", cell.accepted, cell.measured);
        let text = line(
            &cell.id.to_string(),
            &figure(&cell.pass_at_k),
            &figure(&cell.pass_hat_k),
            &trials,
        );
        page.line(&[(Tone::Text, &text)]);
    }
    let text = format!(
        "Any or all of {} drawn from each task's finished rollouts {}",
        counted(u64::from(k), "rollout"),
        Scope::TasksLikeThese.tag()
    );
    page.blank();
    page.item("", 2, &text);
}
