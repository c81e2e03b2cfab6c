//! What a run is recorded with, and how a question is made of it again.

use super::parts::Parts;
use super::{Prepared, SessionError};
use crate::analysis::{
    CellInfo, ControlFinding, ControlLine, CorrelationPadding, Margin, NamedInterval, Question,
    TaskInfo,
};
use crate::domain::{
    CachePolicy, CellId, Control, GateRules, HarnessSpec, LookPlan, RolloutKey, RunId, Sentinel,
    ServerPlace, TaskId, TaskLooks, Unmet, UnmetTasks,
};
use crate::fingerprint::{Driver, PinnedProgram, cell_parts, of_value};
use crate::harness::program_of;
use crate::report::{CellMeta, TaskPlace};
use crate::store::{Plan, PlannedCell, PlannedTask};
use crate::sweep::{CellEntry, Job, TaskEntry};
use crate::task::{Declared, Task};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What an unreadable task is called.
const A_TASK: &str = "a task of the run";

/// The margin where nobody declared one.
pub(super) const DEFAULT_MARGIN: f64 = 0.05;

/// The record's file in a results folder.
pub(super) fn path(results_dir: &Path) -> PathBuf {
    results_dir.join("store.db")
}

/// The whole matrix's cells and tasks, and the rollouts that this process will run.
pub(super) fn plan(prepared: &Prepared, jobs: &[Job]) -> Plan {
    let matrix = prepared.cells.iter().enumerate();
    let matrix = matrix.map(|(at, cell)| planned_cell(at, cell));
    let controls = jobs.iter().filter(|job| job.control.is_some());
    let controls: BTreeSet<_> = controls.map(|job| job.cell.id.clone()).collect();
    let controls = controls.into_iter().map(|id| PlannedCell {
        id,
        fingerprint: super::controls::FINGERPRINT.to_owned(),
        info: Value::Null,
    });
    // A task that can't run is in the record, so that whoever reads it can say so.
    let unmet = prepared.ignored.iter();
    let unmet = unmet.filter(|entry| !entry.task.unmet.is_empty());
    let tasks = prepared.tasks.iter().chain(unmet);
    Plan {
        cells: matrix.chain(controls).collect(),
        tasks: tasks.map(|entry| planned_task(prepared, entry)).collect(),
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
    /// What stands in a cell's place in its controls; a record of a version without controls has
    /// none.
    #[serde(default)]
    controls: Vec<CellId>,
    /// Where it is written.
    #[serde(default)]
    place: Option<TaskPlace>,
    /// Whether other packs of the project were not part of the run that it came with.
    #[serde(default)]
    alone: bool,
    /// Where its servers run, as far as it declares them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    servers: BTreeMap<String, ServerPlace>,
    /// What keeps it from running; such a task is in no question.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    unmet: BTreeSet<Unmet>,
}

/// A cell as the question has it.
pub(super) fn cell_info(cell: &CellEntry) -> CellInfo {
    CellInfo {
        id: cell.id.clone(),
        fingerprint: cell.fingerprint.clone(),
        pretend: cell.kind.pretend,
        model_label: cell.model.id.clone(),
        requested_model: cell.model.model.clone(),
        price: cell.model.price.clone(),
        harness: cell.harness.kind.clone(),
        temperature: cell.model.params.get("temperature").and_then(Value::as_f64),
    }
}

/// What drives the cells of a harness in this build.
pub(super) fn driver(harness: &HarnessSpec) -> Driver<'static> {
    let program = program_of(&harness.kind).map(|program| PinnedProgram {
        package: program.package,
        version: program.version,
        retries: program.retries,
    });
    Driver {
        crossbar: env!("CARGO_PKG_VERSION"),
        program,
    }
}

fn planned_cell(place: usize, cell: &CellEntry) -> PlannedCell {
    let info = cell_info(cell);
    let driver = driver(&cell.harness);
    let meta = CellMeta {
        cell: cell.id.clone(),
        agent: driver.agent(&cell.harness),
        configuration: cell_parts(&cell.model, &cell.harness, &driver),
    };
    PlannedCell {
        id: cell.id.clone(),
        fingerprint: cell.fingerprint.clone(),
        info: json!(StoredCell { place, info, meta }),
    }
}

/// The fingerprint of everything that makes a task. The script is part of what a pretend cell does,
/// and stands in the task's own canonical form only where the task is declared.
pub(super) fn task_fingerprint(entry: &TaskEntry) -> String {
    of_value(&json!([entry.task.canonical, entry.script()]))
}

/// A task as the question has it.
pub(super) fn task_info(entry: &TaskEntry) -> TaskInfo {
    let task = &entry.task;
    TaskInfo {
        id: task.id.clone(),
        name: task.name.clone(),
        family: task.family.clone(),
        weight: task.weight,
        fingerprint: task_fingerprint(entry),
        anchor: task.anchor,
        min_pass_rate: task.min_pass_rate,
    }
}

/// The name for people of the pack that a task is in.
pub(super) fn pack_name(prepared: &Prepared, task: &Task) -> String {
    let pack = prepared.pack_names.get(task.id.pack());
    pack.map_or_else(|| task.id.pack().to_owned(), Clone::clone)
}

fn planned_task(prepared: &Prepared, entry: &TaskEntry) -> PlannedTask {
    let task = &entry.task;
    let info = task_info(entry);
    let fingerprint = info.fingerprint.clone();
    let prompt = task
        .declared
        .as_ref()
        .map(|declared| declared.prompt.clone());
    let controls = super::controls::cells(entry);
    let declared = task.declared.as_ref();
    let place = Some(TaskPlace {
        path: task.place.path.clone(),
        line: declared.map_or(task.place.line, |declared| declared.prompt_line),
    });
    let pack = pack_name(prepared, task);
    PlannedTask {
        id: task.id.clone(),
        fingerprint,
        info: json!(StoredTask {
            pack,
            info,
            prompt,
            controls,
            place,
            alone: prepared.alone,
            servers: declared.map(servers).unwrap_or_default(),
            unmet: task.unmet.clone(),
        }),
    }
}

fn servers(declared: &Declared) -> BTreeMap<String, ServerPlace> {
    let servers = declared.environment.servers.iter();
    let servers = servers.map(|server| {
        let place = match server.address {
            Some(_) => ServerPlace::Address,
            None => ServerPlace::Process,
        };
        (server.name.clone(), place)
    });
    servers.collect()
}

/// The question that a record answers, and what surrounds its cells.
pub(super) struct Asked {
    pub(super) question: Question,
    pub(super) cells: Vec<CellMeta>,
    pub(super) seed: u64,
    /// What CI is held to; `None` without a gate.
    pub(super) gate: Option<GateRules>,
    /// What the controls showed.
    pub(super) controls: Vec<ControlLine>,
    /// Whether one cell was run twice, to be held against itself.
    pub(super) aa: bool,
    /// The tasks that can't run.
    pub(super) unmet: UnmetTasks,
    /// Where the servers of tasks ran, by name, as far as tasks declare them.
    pub(super) servers: BTreeMap<String, BTreeSet<ServerPlace>>,
    /// What was meant of prompt caches.
    pub(super) cache: Option<CachePolicy>,
    /// Where each task is written.
    pub(super) places: BTreeMap<TaskId, TaskPlace>,
    /// Whether other packs of the project were not part of the run.
    pub(super) alone: bool,
    /// What is asked of the sentinel's cell, which is none of the others.
    pub(super) sentinel: Option<Question>,
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
    #[serde(default)]
    ci: Option<NamedInterval>,
    #[serde(default)]
    cache: Option<CachePolicy>,
    #[serde(default)]
    looks: Option<LookPlan>,
    #[serde(default)]
    task_looks: Option<TaskLooks>,
    #[serde(default)]
    gate: Option<GateRules>,
    #[serde(default)]
    aa: bool,
    #[serde(default)]
    sentinel: Option<Sentinel>,
    #[serde(default)]
    replay_of: Option<RunId>,
}

impl StoredSettings {
    /// The question that they ask of these cells and tasks; its pack has no title yet.
    fn question(
        &self,
        cells: Vec<CellInfo>,
        tasks: Vec<TaskInfo>,
    ) -> Result<Question, SessionError> {
        let question = Question {
            pack_title: String::new(),
            repeats: self.repeats,
            baseline: self.baseline.clone(),
            margin: Margin {
                value: self.margin.unwrap_or(DEFAULT_MARGIN),
                declared: self.margin.is_some(),
            },
            alpha: self.alpha,
            quality_bar: self.quality_bar,
            padding: self.padding,
            k: self.k,
            ci: self.ci,
            looks: self.looks.clone(),
            task_look: None,
            replay_of: self.replay_of.clone(),
            cells,
            tasks,
        };
        let Some(looks) = self.task_looks.clone() else {
            return Ok(question);
        };
        let held = question.at_task_looks(looks);
        held.map_err(|error| SessionError::new(format!("the run's looks are none: {error}")))
    }
}

/// The question that settings ask of these cells and tasks; its pack has no title yet.
pub(super) fn question(
    settings: Value,
    cells: Vec<CellInfo>,
    tasks: Vec<TaskInfo>,
) -> Result<Question, SessionError> {
    let settings: StoredSettings = decode(settings, "the run's settings")?;
    settings.question(cells, tasks)
}

/// Makes the question of a record. `k` stands over the k that the run was begun with.
pub(super) fn asked(parts: &Parts, k: Option<u32>) -> Result<Asked, SessionError> {
    let head = parts.head();
    let settings: StoredSettings = decode(head.settings.clone(), "the run's settings")?;
    let cells = cells(&head.cells)?;
    let (mut packs, mut of_tasks, mut places) = (BTreeSet::new(), Vec::new(), BTreeMap::new());
    let (mut alone, mut unmet) = (true, UnmetTasks::new());
    let mut servers: BTreeMap<String, BTreeSet<ServerPlace>> = BTreeMap::new();
    let tasks = parts.tasks(|task| {
        let task: StoredTask = decode(task.info, A_TASK)?;
        if !task.unmet.is_empty() {
            unmet.insert(task.info.id, task.unmet);
            return Ok(None);
        }
        packs.insert(task.pack);
        for (name, place) in task.servers {
            servers.entry(name).or_default().insert(place);
        }
        alone &= task.alone;
        of_tasks.extend(task.controls.into_iter().map(|cell| RolloutKey {
            cell,
            task: task.info.id.clone(),
            repeat: 1,
        }));
        places.extend(task.place.map(|place| (task.info.id.clone(), place)));
        Ok::<_, SessionError>(Some(task.info))
    })?;
    let tasks = tasks.into_iter().filter_map(Result::transpose);
    let mut tasks = tasks.collect::<Result<Vec<_>, _>>()?;
    tasks.sort_by(|a, b| a.id.cmp(&b.id));
    let controls = super::controls::lines(parts, of_tasks)?;
    let is_asked = |info: &CellInfo| settings.sentinel.as_ref().is_none_or(|s| s.cell != info.id);
    let infos: Vec<CellInfo> = cells.iter().map(|cell| cell.info.clone()).collect();
    let (infos, watching): (Vec<_>, Vec<_>) = infos.into_iter().partition(is_asked);
    let mut question = settings.question(infos, tasks)?;
    question.pack_title = title(&packs);
    question.k = k.or(question.k);
    let sentinel = settings.sentinel.as_ref();
    let sentinel = sentinel.and_then(|sentinel| watched(&question, watching, sentinel));
    Ok(Asked {
        servers,
        cache: settings.cache,
        cells: cells.into_iter().map(|cell| cell.meta).collect(),
        question,
        sentinel,
        controls,
        unmet,
        places,
        alone,
        seed: settings.seed,
        gate: settings.gate,
        aa: settings.aa,
    })
}

/// The cells of a record but those of controls, in the roster's order.
fn cells(planned: &[PlannedCell]) -> Result<Vec<StoredCell>, SessionError> {
    let real = planned
        .iter()
        .filter(|cell| Control::of(&cell.id).is_none());
    let cells = real.map(|cell| decode(cell.info.clone(), "a cell of the run"));
    let mut cells = cells.collect::<Result<Vec<StoredCell>, _>>()?;
    cells.sort_by_key(|cell| cell.place);
    Ok(cells)
}

/// The same question of the sentinel's cell and tasks; `None` where none of them is in the record.
fn watched(question: &Question, cells: Vec<CellInfo>, sentinel: &Sentinel) -> Option<Question> {
    let mut watched = Question {
        cells,
        ..question.clone()
    };
    watched
        .tasks
        .retain(|task| sentinel.tasks.contains(&task.id));
    let is_there = !watched.cells.is_empty() && !watched.tasks.is_empty();
    is_there.then_some(watched)
}

/// What a declared task tells the agent; `None` for one in Rust.
pub(super) fn prompt(parts: &Parts, id: &TaskId) -> Result<Option<String>, SessionError> {
    let found = parts.tasks(|task| (task.id == *id).then_some(task.info))?;
    match found.into_iter().flatten().next() {
        Some(info) => Ok(decode::<StoredTask>(info, A_TASK)?.prompt),
        None => Ok(None),
    }
}

/// What every declared task tells the agent.
pub(super) fn prompts(parts: &Parts) -> Result<BTreeMap<TaskId, String>, SessionError> {
    let read = |task: PlannedTask| {
        let stored = decode::<StoredTask>(task.info, A_TASK)?;
        Ok::<_, SessionError>(stored.prompt.map(|prompt| (task.id, prompt)))
    };
    let read = parts.tasks(read)?.into_iter();
    read.filter_map(Result::transpose).collect()
}

/// Every cell on every task, each repeat: what was not run by anybody is missing.
pub(super) fn matrix(question: &Question) -> Vec<RolloutKey> {
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

/// Whether every rollout of the matrix and every control has a record.
pub(super) fn is_whole(parts: &Parts) -> Result<bool, SessionError> {
    let asked = asked(parts, None)?;
    let keys: BTreeSet<_> = parts.keys()?.into_iter().collect();
    let never = |line: &ControlLine| line.finding == ControlFinding::NotRun;
    let questions = asked.sentinel.iter().chain([&asked.question]);
    let planned: Vec<RolloutKey> = questions.flat_map(matrix).collect();
    Ok(planned.iter().all(|key| keys.contains(key)) && !asked.controls.iter().any(never))
}

/// What a suite of these packs is called.
pub(super) fn title(packs: &BTreeSet<String>) -> String {
    let packs: Vec<&str> = packs.iter().map(String::as_str).collect();
    match packs.as_slice() {
        [] => "no pack".to_owned(),
        few if few.len() <= 3 => few.join(", "),
        many => format!("{} packs", many.len()),
    }
}

fn decode<T: for<'de> Deserialize<'de>>(value: Value, what: &str) -> Result<T, SessionError> {
    serde_json::from_value(value).map_err(|error| {
        SessionError::new(format!("{what} can't be read from the record: {error}"))
    })
}
