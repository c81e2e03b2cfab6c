//! What a run is recorded with, and how a question is made of it again.

use super::{Prepared, SessionError};
use crate::analysis::{CellInfo, CorrelationPadding, Margin, Question, TaskInfo};
use crate::domain::{CellId, RolloutKey, RunId, TaskId};
use crate::fingerprint::{cell_parts, differences, of_value};
use crate::report::CellMeta;
use crate::store::{Plan, PlannedCell, PlannedTask, RunRecord, Store, StoreError};
use crate::sweep::{CellEntry, Job, TaskEntry};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The margin where nobody declared one.
const DEFAULT_MARGIN: f64 = 0.05;

/// The record's file in a results folder.
pub(super) fn path(results_dir: &Path) -> PathBuf {
    results_dir.join("store.db")
}

/// The whole matrix's cells and tasks, and the rollouts that this process will run.
pub(super) fn plan(prepared: &Prepared, jobs: &[Job]) -> Plan {
    Plan {
        cells: prepared
            .cells
            .iter()
            .enumerate()
            .map(|(at, cell)| planned_cell(at, cell))
            .collect(),
        tasks: prepared
            .tasks
            .iter()
            .map(|entry| planned_task(prepared, entry))
            .collect(),
        rollouts: jobs
            .iter()
            .map(|job| (job.planned.key.clone(), job.planned.position))
            .collect(),
    }
}

/// What the record keeps of a cell.
#[derive(Serialize, Deserialize)]
struct StoredCell {
    /// Its place in the roster.
    place: usize,
    info: CellInfo,
    meta: CellMeta,
}

/// What the record keeps of a task.
#[derive(Serialize, Deserialize)]
struct StoredTask {
    /// Its pack's name for people.
    pack: String,
    info: TaskInfo,
    /// What a declared task tells the agent.
    prompt: Option<String>,
}

fn planned_cell(place: usize, cell: &CellEntry) -> PlannedCell {
    let info = CellInfo {
        id: cell.id.clone(),
        fingerprint: cell.fingerprint.clone(),
        pretend: cell.kind.pretend,
        model_label: cell.model.id.clone(),
        requested_model: cell.model.model.clone(),
        price: cell.model.price.clone(),
        harness: cell.harness.kind.clone(),
        temperature: cell.model.params.get("temperature").and_then(Value::as_f64),
    };
    let version = env!("CARGO_PKG_VERSION");
    let meta = CellMeta {
        cell: cell.id.clone(),
        agent: format!("{} (crossbar {version})", cell.harness.kind),
        configuration: cell_parts(&cell.model, &cell.harness, version),
    };
    PlannedCell {
        id: cell.id.clone(),
        fingerprint: cell.fingerprint.clone(),
        info: json!(StoredCell { place, info, meta }),
    }
}

fn planned_task(prepared: &Prepared, entry: &TaskEntry) -> PlannedTask {
    let task = &entry.task;
    // The script is part of what a pretend cell does, and stands in the task's own canonical form
    // only where the task is declared.
    let fingerprint = of_value(&json!([task.canonical, entry.script()]));
    let info = TaskInfo {
        id: task.id.clone(),
        name: task.name.clone(),
        family: task.family.clone(),
        weight: task.weight,
        fingerprint: fingerprint.clone(),
        anchor: task.anchor,
    };
    let prompt = task
        .declared
        .as_ref()
        .map(|declared| declared.prompt.clone());
    let pack = prepared.pack_names.get(task.id.pack());
    let pack = pack.map_or_else(|| task.id.pack().to_owned(), Clone::clone);
    PlannedTask {
        id: task.id.clone(),
        fingerprint,
        info: json!(StoredTask { pack, info, prompt }),
    }
}

/// The question that a record answers, what surrounds its cells, and every rollout of its matrix.
pub(super) struct Asked {
    pub(super) question: Question,
    pub(super) cells: Vec<CellMeta>,
    pub(super) planned: Vec<RolloutKey>,
    pub(super) seed: u64,
    /// What each declared task tells the agent.
    pub(super) prompts: BTreeMap<TaskId, String>,
}

#[derive(Deserialize)]
struct StoredSettings {
    repeats: u32,
    seed: u64,
    baseline: Option<CellId>,
    margin: Option<f64>,
    alpha: f64,
    quality_bar: Option<f64>,
    padding: CorrelationPadding,
    k: Option<u32>,
}

/// Makes the question of a record. `k` stands over the k that the run was begun with.
pub(super) fn asked(record: &RunRecord, k: Option<u32>) -> Result<Asked, SessionError> {
    let settings: StoredSettings = decode(&record.settings, "the run's settings")?;
    let mut cells = Vec::new();
    for cell in &record.cells {
        cells.push(decode::<StoredCell>(&cell.info, "a cell of the run")?);
    }
    cells.sort_by_key(|cell| cell.place);
    let mut tasks = Vec::new();
    for task in &record.tasks {
        tasks.push(decode::<StoredTask>(&task.info, "a task of the run")?);
    }
    tasks.sort_by(|a, b| a.info.id.cmp(&b.info.id));
    let prompts = tasks
        .iter()
        .filter_map(|task| Some((task.info.id.clone(), task.prompt.clone()?)))
        .collect();
    let question = Question {
        pack_title: title(&tasks),
        repeats: settings.repeats,
        baseline: settings.baseline,
        margin: Margin {
            value: settings.margin.unwrap_or(DEFAULT_MARGIN),
            declared: settings.margin.is_some(),
        },
        alpha: settings.alpha,
        quality_bar: settings.quality_bar,
        padding: settings.padding,
        k: k.or(settings.k),
        cells: cells.iter().map(|cell| cell.info.clone()).collect(),
        tasks: tasks.into_iter().map(|task| task.info).collect(),
    };
    Ok(Asked {
        planned: matrix(&question),
        cells: cells.into_iter().map(|cell| cell.meta).collect(),
        question,
        prompts,
        seed: settings.seed,
    })
}

/// Every cell on every task, each repeat: what was not run by anybody is missing.
fn matrix(question: &Question) -> Vec<RolloutKey> {
    let mut planned = Vec::new();
    for cell in &question.cells {
        for task in &question.tasks {
            planned.extend((1..=question.repeats).map(|repeat| RolloutKey {
                cell: cell.id.clone(),
                task: task.id.clone(),
                repeat,
            }));
        }
    }
    planned
}

fn title(tasks: &[StoredTask]) -> String {
    let mut packs: Vec<&str> = tasks.iter().map(|task| task.pack.as_str()).collect();
    packs.sort_unstable();
    packs.dedup();
    match packs.as_slice() {
        [] => "no pack".to_owned(),
        few if few.len() <= 3 => few.join(", "),
        many => format!("{} packs", many.len()),
    }
}

fn decode<T: for<'de> Deserialize<'de>>(value: &Value, what: &str) -> Result<T, SessionError> {
    serde_json::from_value(value.clone()).map_err(|error| {
        SessionError::new(format!("{what} can't be read from the record: {error}"))
    })
}

/// The run that a person means.
///
/// # Errors
/// `SessionError` names the newest runs that there are.
pub(super) fn resolve(store: &Store, text: &str) -> Result<RunId, SessionError> {
    const FEW: usize = 5;
    store.resolve(text).map_err(|error| {
        let runs = store.runs().unwrap_or_default();
        let newest: Vec<_> = runs.iter().take(FEW).map(|run| run.id.as_str()).collect();
        let help = match (newest.is_empty(), runs.len().saturating_sub(FEW)) {
            (true, _) => "run `cargo test`, `cargo nextest run` or `crossbar run` first".to_owned(),
            (false, 0) => format!("the runs are {}", newest.join(", ")),
            (false, more) => format!(
                "the newest runs are {}, and {more} older ones",
                newest.join(", ")
            ),
        };
        SessionError::from(error).help(help)
    })
}

/// Names what has changed when a run can't be gone on with.
pub(super) fn explained(
    store: &Store,
    run: &RunId,
    prepared: &Prepared,
    error: StoreError,
) -> SessionError {
    let old = match (&error, store.read(run)) {
        (StoreError::SettingsDiffer { .. }, Ok(record)) => record.settings,
        _ => return error.into(),
    };
    let changed = differences(&old, &prepared.settings);
    SessionError::new(format!(
        "run {run} was begun with other settings: {}",
        changed.join("; ")
    ))
    .help("go on with the settings that it was begun with, or begin a new run")
}
