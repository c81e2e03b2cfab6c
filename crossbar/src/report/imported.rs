//! The verdict over results that another tool produced: the card and the sections that such
//! results can fill, and nothing of what only a sweep knows.

use super::figures::counted;
use super::page::{HANG, Page};
use super::styles::{Styles, Tone};
use super::{card, cross_check, delta, failures, matrix, money};
use super::{noise, notices, prune, safety, watch};
use crate::analysis::{Analysis, Question};

/// What was imported, with its answer.
#[derive(Debug, Clone, Copy)]
pub struct Imported<'a> {
    /// What was asked.
    pub question: &'a Question,
    /// The answer.
    pub analysis: &'a Analysis,
    /// The files that the rollouts come from.
    pub files: &'a [ImportedFile],
    /// What a reader should know about what was read.
    pub notes: &'a [String],
    /// The hash of the rollouts, as sweep.json of the same rollouts has it.
    pub dataset_hash: &'a str,
    /// The version of crossbar that computed the figures.
    pub crossbar: &'a str,
}

/// A file that rollouts come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedFile {
    /// The path, as it was given.
    pub path: String,
    /// The name of its format.
    pub format: String,
    /// The rollouts in it.
    pub rollouts: u32,
    /// The hash of its bytes.
    pub hash: String,
}

/// The printed verdict.
#[must_use]
pub fn imported_text(imported: &Imported<'_>, styles: Styles) -> String {
    let analysis = imported.analysis;
    let mut page = Page::new(styles);
    let text = "IMPORTED: another tool measured this. crossbar ran no control and saw no task, model or harness.";
    page.line(&[(Tone::Warn, text)]);
    card::heading(&mut page, analysis);
    card::body(&mut page, analysis, "over these results");
    page.blank();
    scope(&mut page, imported);
    matrix::write(&mut page, analysis);
    cross_check::write(&mut page, analysis);
    delta::details(&mut page, analysis);
    failures::write(&mut page, analysis);
    noise::write(&mut page, analysis);
    prune::write(&mut page, analysis, "--json");
    watch::write(&mut page, analysis);
    notices::write(&mut page, analysis, &[]);
    if analysis.cells.iter().any(|cell| cell.safety.is_some()) {
        safety::write(&mut page, analysis);
    }
    money::table(&mut page, &analysis.cells);
    sources(&mut page, imported);
    page.finish()
}

/// The sentence that bounds the claim.
fn scope(page: &mut Page, imported: &Imported<'_>) {
    let analysis = imported.analysis;
    let tasks = counted(u64::from(analysis.tasks), "task");
    let cells = counted(analysis.cells.len() as u64, "cell");
    let text = format!(
        "This holds for {tasks} and {cells} by the names that the files give them. What is behind the names, whether the tasks prove anything, and whether forbidden calls were watched, the files don't show; crossbar {} computed the figures and measured nothing.",
        imported.crossbar
    );
    page.item("SCOPE", HANG, &text);
    page.item("DATA SET", HANG, imported.dataset_hash);
}

/// SOURCES: the files, and what was noted while they were read.
fn sources(page: &mut Page, imported: &Imported<'_>) {
    page.heading("SOURCES");
    for file in imported.files {
        let rollouts = counted(u64::from(file.rollouts), "rollout");
        let hash = file.hash.get(..16).unwrap_or(&file.hash);
        let text = format!("{}, {rollouts}, hash {hash}", file.format);
        page.item("", 2, &format!("{}: {text}", file.path));
    }
    if let Some(window) = &imported.analysis.window {
        let text = format!(
            "first rollout begun {}, last {}",
            window.first_started_at, window.last_started_at
        );
        page.item("", 2, &text);
    } else {
        let text =
            "when the rollouts ran is not known, so cells that ran on different days can't be told";
        page.item("", 2, text);
    }
    for note in imported.notes {
        page.paragraph("", 2, &[(Tone::Warn, "note:"), (Tone::Text, note)]);
    }
}
