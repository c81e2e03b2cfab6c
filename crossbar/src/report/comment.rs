//! comment.md: what a pull request is told, in the Markdown of GitHub and GitLab. Its first line is
//! a marker by which a workflow finds its own comment again, its second the whole answer.
//!
//! Whatever did not come from us is made inert: it can't close a table, ping a team, forge the
//! marker or a verdict.

use super::figures::{difference, money, points, rate};
use super::gate;
use super::visible::{fit, one_line};
use super::{Frozen, ReportError, Styles};
use crate::analysis::{Analysis, CellSummary, GateState, HeldCell, Scope};
use crate::domain::{GateMode, TaskId};
use std::fmt::Write;

/// The rows of a table, and the held cells that are told of.
const ROWS: usize = 20;
/// The most of what was compared, in bytes.
const GROUNDS: usize = 40_000;
/// The most of one foreign text, in columns.
const FOREIGN: usize = 400;

/// Writes comment.md.
///
/// # Errors
/// When the writer refuses.
pub(super) fn render(
    frozen: &Frozen<'_>,
    _: Styles,
    out: &mut dyn std::io::Write,
) -> Result<(), ReportError> {
    let mut text = marker(frozen);
    text += &alert(frozen);
    text += &table(frozen);
    text += &grounds(frozen);
    text += &footer(frozen);
    Ok(out.write_all(text.as_bytes())?)
}

/// The line by which a workflow finds its comment: the packs and the gate, never anything that
/// changes from run to run.
fn marker(frozen: &Frozen<'_>) -> String {
    let mut packs: Vec<&str> = frozen
        .question
        .tasks
        .iter()
        .map(|task| task.id.pack())
        .collect();
    packs.sort_unstable();
    packs.dedup();
    let packs = fit(&packs.join(","), 200);
    let gate = frozen.gate.map_or("none", |gate| match gate.mode {
        GateMode::Regression => "regression",
        GateMode::Noninferiority => "noninferiority",
    });
    format!("<!-- crossbar:pack={packs} gate={gate} -->\n")
}

fn alert(frozen: &Frozen<'_>) -> String {
    let (kind, sentence) = answer(frozen);
    let demo = if frozen.analysis.demo {
        "> DEMO: no evidence about any real model, since some cells only play one.\n>\n"
    } else {
        ""
    };
    let replay = match &frozen.analysis.replay_of {
        Some(run) => format!("> {}\n>\n", inert(&super::origin::replay(run))),
        None => String::new(),
    };
    format!("> [!{kind}]\n{demo}{replay}> {sentence}\n\n")
}

/// The kind of alert, and the whole answer as one sentence.
fn answer(frozen: &Frozen<'_>) -> (&'static str, String) {
    let analysis = frozen.analysis;
    let Some(gate) = frozen.gate else {
        let kind = match analysis.verdict().winner() {
            Some(_) => "TIP",
            None => "NOTE",
        };
        return (kind, headline(analysis));
    };
    let kind = match gate.state() {
        GateState::Failed => "CAUTION",
        GateState::Open | GateState::Refused | GateState::Incomplete => "WARNING",
        GateState::Held if gate.mode == GateMode::Noninferiority => "TIP",
        GateState::Held => "NOTE",
    };
    let gravest = gate.cells.iter().find(|cell| cell.word == gate.word);
    let why = match gravest {
        // The word stands before it already.
        Some(cell) => {
            inert(&gate::sentence(gate, cell).replacen(&format!(": {}", gate.word), "", 1))
        }
        None => missing(analysis),
    };
    let asked = inert(&gate::asked(gate));
    (kind, format!("**{}** {why} ({asked})", gate.word))
}

/// The headline of a run without a gate.
fn headline(analysis: &Analysis) -> String {
    let verdict = analysis.verdict();
    let cell = match verdict.winner() {
        Some(cell) => format!(" {}", inert(&cell.to_string())),
        None => String::new(),
    };
    let seen = &analysis.completeness;
    let incomplete = match seen.missing.len() as u32 + seen.infrastructure {
        0 => String::new(),
        _ => format!(" {}", missing(analysis)),
    };
    format!(
        "**{}**{cell} {}{incomplete}",
        verdict.word(),
        inert(analysis.headline.tag())
    )
}

fn missing(analysis: &Analysis) -> String {
    let seen = &analysis.completeness;
    format!(
        "{} of {} planned rollouts have no result, {} ended as infrastructure failure",
        seen.missing.len(),
        seen.planned,
        seen.infrastructure
    )
}

fn table(frozen: &Frozen<'_>) -> String {
    let (analysis, cells) = (frozen.analysis, &frozen.analysis.cells);
    let mut tags = [analysis.headline, analysis.headline, Scope::TasksLikeThese].map(Scope::tag);
    if cells.iter().any(|cell| cell.pack_rate.is_none()) {
        tags = [Scope::TasksLikeThese.tag(); 3];
    }
    let [solved, difference, note] = tags.map(inert);
    let mut text = format!(
        "| cell | solved {solved} | against the baseline {difference} | note {note} | $ per success |\n\
         |---|---|---|---|---|\n"
    );
    for cell in cells.iter().take(ROWS) {
        text += &row(analysis, cell, tags[0]);
    }
    if cells.len() > ROWS {
        let _ = writeln!(
            text,
            "\n{} more cells are in sweep.json.",
            cells.len() - ROWS
        );
    }
    text.push('\n');
    text
}

fn row(analysis: &Analysis, cell: &CellSummary, tag: &str) -> String {
    let these = tag == Scope::TheseTasks.tag();
    let solved = if these {
        cell.pack_rate
    } else {
        cell.pass_rate
    };
    let compared = analysis.comparison(&cell.id).and_then(|found| match these {
        true => found.these.as_ref().map(|these| these.difference.estimate),
        false => found.like.as_ref().map(|like| like.difference.estimate),
    });
    let figure = |text: Option<String>| text.unwrap_or_else(|| "n/a".to_owned());
    let parts = [
        fit(&cell.id.to_string(), 100),
        figure(solved.as_ref().map(rate)),
        figure(compared.as_ref().map(difference)),
        cell.note.to_string(),
        figure(cell.cost_per_success.estimate.as_ref().map(money)),
    ];
    let parts: Vec<String> = parts.iter().map(|part| inert(part)).collect();
    format!("| {} |\n", parts.join(" | "))
}

/// What moved, what was left out, what changed: per held cell, and where each task is written.
fn grounds(frozen: &Frozen<'_>) -> String {
    let Some(gate) = frozen.gate else {
        return String::new();
    };
    let watch = gate::watch(gate).into_iter();
    let mut lines: Vec<_> = watch.map(|line| format!("- {}\n", inert(&line))).collect();
    for cell in gate.cells.iter().take(ROWS) {
        lines.push(format!("- {}\n", inert(&gate::sentence(gate, cell))));
        let more = gate::details(gate, cell)
            .into_iter()
            .chain(places(frozen, cell));
        lines.extend(more.map(|line| format!("  - {}\n", inert(&line))));
    }
    let mut text = String::new();
    for line in &lines {
        if text.len() + line.len() > GROUNDS {
            text += "- the rest is in sweep.json\n";
            break;
        }
        text += line;
    }
    if text.is_empty() {
        return text;
    }
    format!("<details><summary>What was compared</summary>\n\n{text}\n</details>\n\n")
}

/// Where the tasks are written that fell the most.
fn places(frozen: &Frozen<'_>, cell: &HeldCell) -> Vec<String> {
    let fell = cell.tasks.moved.iter().filter(|moved| moved.fell()).take(3);
    fell.filter_map(|moved| {
        let (path, line) = place(frozen, &moved.task)?;
        Some(format!("{}: {path}:{line}", moved.task))
    })
    .collect()
}

/// The file and the line of a task.
pub(super) fn place<'a>(frozen: &'a Frozen<'_>, task: &TaskId) -> Option<(&'a str, u32)> {
    let place = frozen.meta.places.get(task)?;
    Some((place.path.as_str(), place.line))
}

fn footer(frozen: &Frozen<'_>) -> String {
    let spent: Vec<String> = frozen
        .analysis
        .cells
        .iter()
        .take(ROWS)
        .map(|cell| super::money::spent(&cell.cost))
        .collect();
    let alpha = points(frozen.question.alpha);
    let what = match &frozen.analysis.replay_of {
        Some(_) => "Recorded cost",
        None => "Spent",
    };
    let text = format!(
        "{what} by cell: {}. Error {alpha} in 100. Data set {}, run {}, crossbar {}.",
        spent.join(", "),
        frozen.dataset_hash,
        frozen.run_id,
        frozen.meta.crossbar
    );
    let meant = match frozen.gate.map(|gate| gate.state()) {
        Some(GateState::Failed) => {
            format!(
                " Meant? `crossbar accept {}` where a person can look.",
                frozen.run_id
            )
        }
        _ => String::new(),
    };
    format!("<sub>{}</sub>{meant}\n", inert(&text))
}

/// Foreign text as Markdown that means nothing: on one line, cut to a length, every mark written as
/// an entity, and nothing left that a forge would link or notify.
pub(super) fn inert(text: &str) -> String {
    let mut out = String::new();
    for c in fit(&one_line(text), FOREIGN).chars() {
        match c {
            // The space of no width keeps a name or a number from being one.
            '@' | '#' => {
                let _ = write!(out, "&#{};&#8203;", u32::from(c));
            }
            '<' | '>' | '&' | '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '~' | '!' | '$' | '"'
            | '\'' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
