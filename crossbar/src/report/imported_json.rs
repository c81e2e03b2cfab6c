//! The verdict over imported results as one JSON document, and the schema that it follows.

use super::imported::{Imported, ImportedFile};
use crate::analysis::{
    CellSummary, Comparison, Lack, MissingRollout, Question, Scope, Shown, Unit, Verdict, Window,
};
use crate::domain::{CellId, Estimate, Usd};
use serde::Serialize;

/// The version of the document's layout.
pub(super) const SCHEMA_VERSION: u64 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u64,
    crossbar: &'a str,
    dataset_hash: &'a str,
    files: Vec<File<'a>>,
    notes: &'a [String],
    settings: Settings<'a>,
    complete: bool,
    missing: Vec<&'a MissingRollout>,
    window: Option<&'a Window>,
    verdicts: Vec<Answer<'a>>,
    cells: Vec<Cell<'a>>,
    comparisons: Vec<Against<'a>>,
    named_intervals: Option<Named<'a>>,
    watch: &'a [crate::analysis::WatchOut],
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    format: &'a str,
    rollouts: u32,
    hash: &'a str,
}

#[derive(Serialize)]
struct Settings<'a> {
    baseline: Option<&'a CellId>,
    margin: f64,
    margin_declared: bool,
    alpha: f64,
    quality_bar: Option<f64>,
    tasks: u32,
    repeats: u32,
    unit: &'static str,
}

#[derive(Serialize)]
struct Answer<'a> {
    scope: &'static str,
    headline: bool,
    word: &'static str,
    winner: Option<&'a CellId>,
    open: Vec<Open<'a>>,
}

#[derive(Serialize)]
struct Open<'a> {
    cell: &'a CellId,
    lacks: &'a [Lack],
}

/// An estimate whose interval is a pair; no upper limit is `null`.
#[derive(Serialize)]
struct Figure {
    value: f64,
    interval: [Option<f64>; 2],
    n: u32,
}

impl Figure {
    fn of(estimate: &Estimate) -> Self {
        let interval = estimate.interval();
        Self {
            value: estimate.value(),
            interval: [Some(interval.lo), interval.hi],
            n: estimate.n(),
        }
    }
}

#[derive(Serialize)]
struct Cell<'a> {
    cell: &'a CellId,
    planned: u32,
    finished: u32,
    accepted: u32,
    pass_rate: Option<Figure>,
    pass_rate_these_tasks: Option<Figure>,
    mean_score: Option<Figure>,
    cost_usd: Option<f64>,
    cost_per_success: Option<Figure>,
    note: String,
}

#[derive(Serialize)]
struct Against<'a> {
    cell: &'a CellId,
    scope: &'static str,
    difference: Figure,
    p_sign_flip: Option<f64>,
    p_stratified: Option<f64>,
    adjusted_p: f64,
    direction: Option<Shown>,
    non_inferior: bool,
    cost_ratio: Option<Figure>,
    cheaper: crate::analysis::Cheaper,
}

#[derive(Serialize)]
struct Named<'a> {
    method: &'static str,
    coverage: &'static str,
    cells: Vec<NamedCell<'a>>,
}

#[derive(Serialize)]
struct NamedCell<'a> {
    cell: &'a CellId,
    pass_rate: Option<Figure>,
    difference: Option<Figure>,
}

/// The word of a scope.
fn word(scope: Scope) -> &'static str {
    match scope {
        Scope::TheseTasks => "these_tasks",
        Scope::TasksLikeThese => "tasks_like_these",
    }
}

/// One JSON document, indented, with a line break at its end.
///
/// # Errors
/// When a value can't be JSON.
pub fn imported_json(imported: &Imported<'_>) -> Result<String, super::ReportError> {
    let analysis = imported.analysis;
    let document = Document {
        schema_version: SCHEMA_VERSION,
        crossbar: imported.crossbar,
        dataset_hash: imported.dataset_hash,
        files: imported.files.iter().map(file).collect(),
        notes: imported.notes,
        settings: settings(imported.question, &analysis.settings.unit),
        complete: analysis.completeness.missing.is_empty(),
        missing: analysis.completeness.missing.iter().collect(),
        window: analysis.window.as_ref(),
        verdicts: verdicts(imported),
        cells: analysis.cells.iter().map(cell).collect(),
        comparisons: analysis.comparisons.iter().flat_map(against).collect(),
        named_intervals: named(imported),
        watch: &analysis.watch,
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn file(file: &ImportedFile) -> File<'_> {
    File {
        path: &file.path,
        format: &file.format,
        rollouts: file.rollouts,
        hash: &file.hash,
    }
}

fn settings<'a>(question: &'a Question, unit: &Unit) -> Settings<'a> {
    Settings {
        baseline: question.baseline.as_ref(),
        margin: question.margin.value,
        margin_declared: question.margin.declared,
        alpha: question.alpha,
        quality_bar: question.quality_bar,
        tasks: question.tasks.len() as u32,
        repeats: question.repeats,
        unit: match unit {
            Unit::Tasks { .. } => "task",
            Unit::Families { .. } => "family",
        },
    }
}

fn verdicts<'a>(imported: &Imported<'a>) -> Vec<Answer<'a>> {
    let analysis = imported.analysis;
    let scopes = [
        (Scope::TheseTasks, analysis.verdict_these.as_ref()),
        (Scope::TasksLikeThese, Some(&analysis.verdict_like)),
    ];
    let answers = scopes.into_iter().filter_map(|(scope, verdict)| {
        let verdict = verdict?;
        Some(Answer {
            scope: word(scope),
            headline: scope == analysis.headline,
            word: verdict.word(),
            winner: verdict.winner(),
            open: open(verdict),
        })
    });
    answers.collect()
}

fn named<'a>(imported: &Imported<'a>) -> Option<Named<'a>> {
    let check = imported.analysis.cross_check.as_ref()?;
    let method = check.interval.method()?;
    let differences = &check.comparisons;
    let difference = |cell: &CellId| {
        let one = differences.iter().find(|one| one.cell == *cell);
        one.and_then(|one| one.difference.as_ref())
    };
    let cells = check.cells.iter().map(|one| NamedCell {
        cell: &one.cell,
        pass_rate: one.pass_rate.as_ref().map(Figure::of),
        difference: difference(&one.cell).map(Figure::of),
    });
    Some(Named {
        method: method.word,
        coverage: method.coverage,
        cells: cells.collect(),
    })
}

fn open(verdict: &Verdict) -> Vec<Open<'_>> {
    let Verdict::CannotTell { open, .. } = verdict else {
        return Vec::new();
    };
    let cells = open.iter().map(|open| Open {
        cell: &open.cell,
        lacks: &open.lacks,
    });
    cells.collect()
}

fn cell(cell: &CellSummary) -> Cell<'_> {
    Cell {
        cell: &cell.id,
        planned: cell.scheduled,
        finished: cell.finished,
        accepted: cell.accepted,
        pass_rate: cell.pass_rate.as_ref().map(Figure::of),
        pass_rate_these_tasks: cell.pack_rate.as_ref().map(Figure::of),
        mean_score: cell.mean_score.as_ref().map(Figure::of),
        cost_usd: cell.cost.total().map(Usd::dollars),
        cost_per_success: cell.cost_per_success.estimate.as_ref().map(Figure::of),
        note: cell.note.to_string(),
    }
}

/// One entry for each scope in which the pair is compared.
fn against(comparison: &Comparison) -> Vec<Against<'_>> {
    let (cost_ratio, cheaper) = (&comparison.cost.ratio, comparison.cost.cheaper);
    let cost_ratio = || cost_ratio.as_ref().map(Figure::of);
    let these = comparison.these.as_ref().map(|these| Against {
        cell: &comparison.cell,
        scope: word(Scope::TheseTasks),
        difference: Figure::of(&these.difference.estimate),
        p_sign_flip: None,
        p_stratified: Some(these.difference.p),
        adjusted_p: these.difference.adjusted_p,
        direction: these.direction,
        non_inferior: these.non_inferior.shown,
        cost_ratio: cost_ratio(),
        cheaper,
    });
    let like = comparison.like.as_ref().map(|like| Against {
        cell: &comparison.cell,
        scope: word(Scope::TasksLikeThese),
        difference: Figure::of(&like.difference.estimate),
        p_sign_flip: like.pattern_p,
        p_stratified: None,
        adjusted_p: like.difference.adjusted_p,
        direction: like.direction,
        non_inferior: like.non_inferior.shown,
        cost_ratio: cost_ratio(),
        cheaper,
    });
    these.into_iter().chain(like).collect()
}
