//! The verdict over results that other tools produced: read the files, put them together, analyse.

use super::imported_files::{given, hash};
use super::{Exit, SessionError, Styles};
use crate::analysis::{
    Analysis, AnalysisError, CellInfo, CorrelationPadding, Margin, NamedInterval, Question, Record,
    Status, TaskInfo, analyze,
};
use crate::domain::{CellId, Price};
use crate::fingerprint::of_list;
use crate::import::{Imported, gather, read};
use crate::report::{self, ImportedFile, narrow_row};
use crate::source::closest;

/// The error of every interval and of every family of claims, as of a roster that says nothing.
const ALPHA: f64 = 0.05;

/// The formats that have scorers by name.
const SCORED: [&str; 2] = ["inspect", "harbor"];

/// What is asked of the files.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportOptions {
    /// The files, each as FILE or as NAME=FILE, which names its one cell.
    pub files: Vec<String>,
    /// The scorer whose word counts, in logs that have several.
    pub scorer: Option<String>,
    /// The cell used today.
    pub baseline: Option<String>,
    /// The acceptable loss of pass rate in points, 0 up to 100; `None` = nobody declared one.
    pub margin: Option<f64>,
    /// The pass rate in points, 0..=100, that the winner's lower limit must clear.
    pub quality_bar: Option<f64>,
    /// What must count as one unit.
    pub cluster: Cluster,
    /// Another tool's interval, to be shown beside ours.
    pub named: Option<NamedInterval>,
}

/// What counts as one independent unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cluster {
    /// Families where every task names one, else tasks.
    AsTold,
    /// Families; it is an error when a task names none.
    Family,
}

/// Imported results with their answer.
pub struct ImportedResults {
    question: Question,
    analysis: Analysis,
    files: Vec<ImportedFile>,
    notes: Vec<String>,
    hash: String,
}

/// Reads and analyses files.
///
/// # Errors
/// `SessionError` when a file can't be read, holds what is no result, or contradicts another; when
/// the baseline is none of the cells; when a setting is out of range.
pub fn analyze_files(options: &ImportOptions) -> Result<ImportedResults, SessionError> {
    let (mut files, mut parts) = (Vec::new(), Vec::new());
    for named in &options.files {
        let given = given(named, options.scorer.clone())?;
        let part = read(&given)?;
        files.push(ImportedFile {
            hash: hash(&given),
            path: given.path,
            format: part.format.to_owned(),
            rollouts: part.found.len() as u32,
        });
        parts.push(part);
    }
    let scored = parts.iter().any(|part| SCORED.contains(&part.format));
    if options.scorer.is_some() && !scored {
        let help = "leave --scorer out";
        return Err(SessionError::new("no file has scorers to choose from").help(help));
    }
    let imported = gather(parts)?;
    let question = question(options, &imported, &files)?;
    let record = Record {
        planned: &imported.planned,
        rows: &imported.rows,
        unknown: &[],
    };
    let failed =
        |error: AnalysisError| SessionError::new(format!("the results can't be analysed: {error}"));
    let analysis = analyze(&question, record).map_err(failed)?;
    Ok(ImportedResults {
        question,
        analysis,
        files,
        notes: imported.notes,
        hash: of_list(imported.rows.iter().map(narrow_row)),
    })
}

fn question(
    options: &ImportOptions,
    imported: &Imported,
    files: &[ImportedFile],
) -> Result<Question, SessionError> {
    let families = options.cluster == Cluster::Family;
    let without = imported.tasks.iter().find(|task| task.family.is_none());
    if let Some(task) = without.filter(|_| families) {
        let what = format!(
            "task `{}` names no family, and families are the unit",
            task.id
        );
        let help = "fill the column family, or leave --cluster out";
        return Err(SessionError::new(what).help(help));
    }
    let declared = fraction("--margin", options.margin, 0.0..100.0)?;
    let bar = fraction(
        "--quality-bar",
        options.quality_bar,
        0.0..100.0_f64.next_up(),
    )?;
    Ok(Question {
        pack_title: title(files),
        cells: imported.cells.iter().map(|id| cell(id, imported)).collect(),
        tasks: imported.tasks.iter().map(task).collect(),
        repeats: imported.repeats.len() as u32,
        baseline: baseline(options, imported)?,
        margin: Margin {
            value: declared.unwrap_or(super::stored::DEFAULT_MARGIN),
            declared: declared.is_some(),
        },
        alpha: ALPHA,
        quality_bar: bar,
        padding: CorrelationPadding::Normal,
        k: None,
        looks: None,
        task_look: None,
        replay_of: None,
        ci: options.named,
    })
}

/// Points as a fraction. One that looks like a fraction already would be a hundredth of what was
/// meant.
fn fraction(
    flag: &str,
    points: Option<f64>,
    range: std::ops::Range<f64>,
) -> Result<Option<f64>, SessionError> {
    let Some(points) = points else {
        return Ok(None);
    };
    if !range.contains(&points) || (points > 0.0 && points < 1.0) {
        let what = format!("{flag} is {points}, and it counts percentage points");
        let help = "write 5 for five points, 90 for a rate of 90%";
        return Err(SessionError::new(what).help(help));
    }
    Ok(Some(points / 100.0))
}

/// Nothing is known of a cell but its name, and whether the files call it free.
fn cell(id: &CellId, imported: &Imported) -> CellInfo {
    CellInfo {
        id: id.clone(),
        fingerprint: String::new(),
        pretend: false,
        model_label: id.model().to_owned(),
        requested_model: id.model().to_owned(),
        price: if imported.free.contains(id) {
            Price::Free
        } else {
            Price::Unknown
        },
        harness: id.harness().to_owned(),
        temperature: None,
    }
}

fn task(task: &crate::import::ImportedTask) -> TaskInfo {
    TaskInfo {
        id: task.id.clone(),
        name: task.id.task().to_owned(),
        family: task.family.clone(),
        weight: task.weight,
        fingerprint: String::new(),
        anchor: false,
        min_pass_rate: None,
    }
}

fn title(files: &[ImportedFile]) -> String {
    match files {
        [one] => one.path.clone(),
        many => format!("{} files", many.len()),
    }
}

fn baseline(options: &ImportOptions, imported: &Imported) -> Result<Option<CellId>, SessionError> {
    let Some(named) = &options.baseline else {
        return Ok(None);
    };
    let names: Vec<String> = imported.cells.iter().map(ToString::to_string).collect();
    let found = names.iter().position(|name| name == named);
    found
        .map(|at| Some(imported.cells[at].clone()))
        .ok_or_else(|| {
            let near = closest(named, names.iter().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
            SessionError::new(format!("there is no cell `{named}` in the files"))
                .help(format!("{near}the cells are {}", names.join(", ")))
        })
}

impl ImportedResults {
    /// The printed verdict.
    #[must_use]
    pub fn text(&self, styles: Styles) -> String {
        report::imported_text(&self.imported(), styles)
    }

    /// The verdict as one JSON document.
    ///
    /// # Errors
    /// `SessionError` when a value can't be JSON.
    pub fn json(&self) -> Result<String, SessionError> {
        report::imported_json(&self.imported())
            .map_err(|error| SessionError::new(error.to_string()))
    }

    /// The answer.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// What the shell sees: nothing is claimed of results that are not whole.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let completeness = &self.analysis.completeness;
        if completeness.status == Status::Complete && completeness.infrastructure == 0 {
            Exit::Done
        } else {
            Exit::Incomplete
        }
    }

    fn imported(&self) -> report::Imported<'_> {
        report::Imported {
            question: &self.question,
            analysis: &self.analysis,
            files: &self.files,
            notes: &self.notes,
            dataset_hash: &self.hash,
            crossbar: env!("CARGO_PKG_VERSION"),
        }
    }
}

impl From<crate::import::ImportError> for SessionError {
    fn from(error: crate::import::ImportError) -> Self {
        Self::new(error.to_string())
    }
}
