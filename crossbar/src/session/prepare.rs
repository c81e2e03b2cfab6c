//! From a roster and options to what will run: cells with their keys, tasks, order, settings.

use super::floors::floors;
use super::recording::RecordedRun;
use super::{Loaded, RunOptions, SessionError, Sketch, settings};
use crate::analysis::Floor;
use crate::domain::{BudgetLimit, CellId, LookPlan, Price, TaskId, UnmetTasks, unmet_lines};
use crate::fingerprint::{cell_fingerprint, of_value};
use crate::harness::{AgentProgram, program_of};
use crate::pack::Cell;
use crate::plan::Matrix;
use crate::process::on_path;
use crate::provider;
use crate::source::closest;
use crate::sweep::{CellEntry, TaskEntry};
use crate::task::Task;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything that a sweep is made of, settled.
pub struct Prepared {
    /// The cells that may run now, in the roster's order.
    pub cells: Vec<Arc<CellEntry>>,
    /// Live cells that are left out until somebody allows and funds them.
    pub withheld: Vec<CellId>,
    /// All of these cells, without their keys.
    pub(super) chosen: Vec<CellEntry>,
    /// The cell used today, where it is one of them.
    pub(super) baseline: Option<CellId>,
    /// The ceiling that a sweep would have, whether live models are allowed or not.
    pub(super) ceiling: Option<BudgetLimit>,
    /// The fingerprint of every chosen cell, of those that are left out too.
    pub(super) cell_prints: BTreeMap<String, String>,
    /// The tasks, by id.
    pub tasks: Vec<Arc<TaskEntry>>,
    /// Tasks that were not read, by id, since their cases are only to be listed or found.
    pub(super) sketches: Arc<[Sketch]>,
    /// Tasks that are left out until somebody asks for ignored ones, and those that need what no
    /// version has: nothing makes these run.
    pub(super) ignored: Vec<Arc<TaskEntry>>,
    /// The cells that may run now, and every task, those that were not read too.
    pub(super) matrix: Matrix,
    /// The sweep's seed.
    pub(super) seed: u64,
    /// The looks of an adaptive run.
    pub(super) looks: Option<LookPlan>,
    /// Whether other packs of the project are not part of this run.
    pub(super) alone: bool,
    /// The floors that tasks declare, each for all their cases.
    pub(super) floors: BTreeMap<TaskId, Floor>,
    /// What the run is recorded with; its hash decides whether a run may be gone on with.
    pub settings: Value,
    /// Where runs are kept.
    pub results_dir: PathBuf,
    /// Where accepted references are kept.
    pub references_dir: PathBuf,
    /// Whether somebody allowed live models.
    live: bool,
    /// The ceiling; `None` = no live model may be called.
    pub budget: Option<BudgetLimit>,
    /// The recording that is played; `None` where models are asked.
    pub(super) recording: Option<Arc<RecordedRun>>,
    /// Rollouts at a time, where somebody said.
    pub concurrency: Option<u32>,
    /// Names and values of the keys in use, for masking.
    pub secrets: Vec<(String, String)>,
    /// The packs' names for people.
    pub pack_names: BTreeMap<String, String>,
}

/// Settles what will run.
///
/// # Errors
/// `SessionError` for an unknown cell, numbers that do not fit, a live cell without its key.
pub fn prepare(
    loaded: &Loaded,
    options: &RunOptions,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<Prepared, SessionError> {
    let (repeats, looks) = repeats(loaded, options)?;
    let seed = options.seed.unwrap_or(loaded.roster.run.seed);
    let ceiling = options.budget.or(loaded.roster.budget);
    let budget = ceiling.filter(|_| options.live);
    let mut chosen = chosen(loaded, options)?;
    if options.aa {
        super::aa::alone(&loaded.roster, options, &mut chosen)?;
    }
    let baseline = loaded.roster.run.baseline.as_ref();
    let baseline = baseline.filter(|id| chosen.iter().any(|cell| cell.id == **id));
    let recording = super::replay::played(options, &chosen)?;
    let (cells, withheld) = match &recording {
        Some(_) => (startable(chosen.clone(), lookup)?, Vec::new()),
        None => running(loaded, options, (&chosen, ceiling), lookup)?,
    };
    let cells: Vec<_> = cells.into_iter().map(Arc::new).collect();
    super::replay::must_have_something(options, &cells)?;
    let tasks = loaded.tasks.values().cloned();
    let (ignored, tasks): (Vec<_>, Vec<_>) =
        tasks.partition(|entry| is_left_out(&entry.task, options));
    let sentinel = super::sentinel::chosen(loaded, options, &chosen, seed)?;
    let matrix = Matrix {
        cells: cells.iter().map(|cell| cell.id.clone()).collect(),
        tasks: ids(&tasks, &loaded.sketches),
        repeats,
        sentinel,
    };
    let mut settings = settings::of(loaded, options, (repeats, looks.as_ref()), seed, &cells)?;
    super::sentinel::put(&mut settings, matrix.sentinel.as_ref());
    super::replay::put(&mut settings, recording.as_ref());
    let floors = floors(loaded, &tasks, cells.len() + withheld.len(), repeats)?;
    let chosen_dir = options.results_dir.as_deref();
    let named = Some(loaded.roster.run.results_dir.as_str());
    Ok(Prepared {
        settings,
        secrets: secrets(&cells, &tasks),
        results_dir: super::locate::results_dir(chosen_dir, named, &loaded.root),
        references_dir: super::locate::references_dir(&loaded.root),
        concurrency: options.concurrency.or(loaded.roster.run.concurrency),
        pack_names: loaded.pack_names.clone(),
        looks,
        alone: options.alone,
        floors,
        cells,
        cell_prints: chosen.iter().map(print_of).collect(),
        withheld,
        baseline: baseline.cloned(),
        chosen,
        ceiling,
        tasks,
        sketches: Arc::clone(&loaded.sketches),
        ignored,
        matrix,
        seed,
        live: options.live,
        budget,
        recording,
    })
}

impl Prepared {
    /// The fingerprint of every task, of ignored ones too.
    pub(super) fn task_prints(&self) -> BTreeMap<TaskId, String> {
        let entries = self.tasks.iter().chain(&self.ignored);
        let print = |entry: &Arc<TaskEntry>| super::stored::task_fingerprint(entry);
        entries
            .map(|entry| (entry.task.id.clone(), print(entry)))
            .collect()
    }

    /// The tasks that are left out, a line for those that are ignored and one for each lack of
    /// those that can't run; empty when none is.
    #[must_use]
    pub fn tasks_left_out(&self) -> Vec<String> {
        let ignored = self.ignored.iter().map(|entry| &entry.task);
        let told = ignored.filter(|task| task.unmet.is_empty()).map(|task| {
            match task.ignored.as_deref() {
                Some("") | None => task.id.to_string(),
                Some(why) => format!("{} ({why})", task.id),
            }
        });
        let told: Vec<_> = told.collect();
        let ignored = (!told.is_empty()).then(|| {
            format!(
                "note: left out, since they are ignored: {}",
                told.join(", ")
            )
        });
        let unmet = unmet_lines(&self.unmet()).into_iter();
        let unmet = unmet.map(|line| format!("note: {line}"));
        ignored.into_iter().chain(unmet).collect()
    }

    /// The tasks that can't run, whoever asks.
    #[must_use]
    pub fn unmet(&self) -> UnmetTasks {
        let tasks = self.ignored.iter().map(|entry| &entry.task);
        tasks
            .filter(|task| !task.unmet.is_empty())
            .map(|task| (task.id.clone(), task.unmet.clone()))
            .collect()
    }

    /// What is left out until somebody allows and funds it; `None` when nothing is.
    #[must_use]
    pub fn left_out(&self) -> Option<String> {
        let names: Vec<_> = self.withheld.iter().map(ToString::to_string).collect();
        (!names.is_empty()).then(|| {
            format!(
                "note: left out, since they are live: {} (give --live and a budget)",
                names.join(", ")
            )
        })
    }

    /// Whether there is no cell at all, not even one that is left out.
    #[must_use]
    pub fn has_no_model(&self) -> bool {
        self.cells.is_empty() && self.withheld.is_empty()
    }

    /// Refuses live cells that are allowed while no budget says how much: leaving them out would
    /// look as if they had run.
    ///
    /// # Errors
    /// `SessionError` names the ways to give a budget.
    pub fn must_be_funded(&self) -> Result<(), SessionError> {
        if self.live && self.budget.is_none() && !self.withheld.is_empty() {
            return Err(
                SessionError::new("live models are allowed, and no budget says how much").help(
                    "give --budget USD or CROSSBAR_BUDGET_USD, budget.usd in the roster, or the \
                     word unlimited",
                ),
            );
        }
        Ok(())
    }

    /// Refuses a sweep in which nothing would run: it must not look like success.
    ///
    /// # Errors
    /// `SessionError` says what is missing.
    pub fn must_run(&self) -> Result<(), SessionError> {
        self.must_be_funded()?;
        if let (true, [_, ..]) = (self.tasks.is_empty(), self.tasks_left_out().as_slice()) {
            return Err(self.nothing_can_run());
        }
        if self.tasks.is_empty() {
            return Err(SessionError::new("there is no task to run")
                .help("write a `*.task.yaml` in a folder below the roster, or name one: --pack"));
        }
        if self.has_no_model() {
            return Err(SessionError::new("the roster names no model").help(
                "name one under `models`; `crossbar validate --controls` proves the tasks without",
            ));
        }
        if self.cells.is_empty() {
            return Err(
                SessionError::new("every cell is live, and no live model may be called")
                    .help("give --live and a budget (--budget USD, or budget.usd in the roster)"),
            );
        }
        Ok(())
    }

    /// That every task is left out: it must not look like success.
    fn nothing_can_run(&self) -> SessionError {
        let unmet = self.unmet();
        match unmet.len() == self.ignored.len() {
            true => cannot_run(&unmet),
            false => {
                SessionError::new("every task is ignored").help(self.tasks_left_out().join("\n"))
            }
        }
    }

    /// The hash of the settings.
    #[must_use]
    pub fn settings_hash(&self) -> String {
        of_value(&self.settings)
    }
}

fn print_of(cell: &CellEntry) -> (String, String) {
    (cell.id.to_string(), cell.fingerprint.clone())
}

/// Whether a task is left out: it can't run, or it is ignored and nobody asked for it.
fn is_left_out(task: &Task, options: &RunOptions) -> bool {
    !task.unmet.is_empty() || (task.ignored.is_some() && !options.with_ignored)
}

/// That a project holds these tasks, which can't run, and no other.
pub(super) fn cannot_run(tasks: &UnmetTasks) -> SessionError {
    let lines = unmet_lines(tasks).join("\n");
    SessionError::new(format!("no task can run here\n{lines}"))
        .help("write a task whose servers are started by a `command`")
}

/// The ids of all tasks, sorted.
fn ids(tasks: &[Arc<TaskEntry>], unread: &[Sketch]) -> Vec<TaskId> {
    let read = tasks.iter().map(|entry| &entry.task.id);
    let mut tasks: Vec<_> = read
        .chain(unread.iter().map(|one| &one.id))
        .cloned()
        .collect();
    tasks.sort();
    tasks
}

/// The repeats of each case, or the most of them and the looks of an adaptive run.
fn repeats(loaded: &Loaded, options: &RunOptions) -> Result<(u32, Option<LookPlan>), SessionError> {
    let repeats = options.repeats.unwrap_or(loaded.roster.run.repeats);
    let repeats = match options.aa {
        true => super::aa::doubled(repeats)?,
        false => repeats,
    };
    if repeats == 0 || repeats > 1000 {
        return Err(SessionError::new(format!("{repeats} repeats can't be run"))
            .help("give a number from 1 to 1000"));
    }
    let looks = super::adaptive::looks(loaded, options, repeats)?;
    Ok((looks.as_ref().map_or(repeats, LookPlan::most), looks))
}

/// The cells that somebody asked for, in the roster's order.
fn chosen(loaded: &Loaded, options: &RunOptions) -> Result<Vec<CellEntry>, SessionError> {
    let all = &loaded.roster.cells;
    for wanted in &options.cells {
        if !all.iter().any(|cell| cell.id.to_string() == *wanted) {
            let known: Vec<_> = all.iter().map(|cell| cell.id.to_string()).collect();
            let help = match closest(wanted, known.iter().map(String::as_str)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("its cells are: {}", known.join(", ")),
            };
            return Err(SessionError::new(format!("the roster has no cell `{wanted}`")).help(help));
        }
    }
    let wanted =
        |cell: &&Cell| options.cells.is_empty() || options.cells.contains(&cell.id.to_string());
    all.iter()
        .filter(wanted)
        .map(|cell| entry(loaded, cell))
        .collect()
}

fn entry(loaded: &Loaded, cell: &Cell) -> Result<CellEntry, SessionError> {
    let model = &loaded.roster.models[cell.model];
    let harness = &loaded.roster.harnesses[cell.harness];
    let kind = provider::kind(&model.provider)
        .ok_or_else(|| SessionError::new(format!("no provider kind `{}`", model.provider)))?;
    Ok(CellEntry {
        id: cell.id.clone(),
        fingerprint: cell_fingerprint(model, harness, &super::stored::driver(harness)),
        model: model.clone(),
        harness: harness.clone(),
        kind: *kind,
        secret: None,
    })
}

/// The cells that may run now, and those that are left out: live ones need a ceiling.
fn running(
    loaded: &Loaded,
    options: &RunOptions,
    (chosen, ceiling): (&[CellEntry], Option<BudgetLimit>),
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<(Vec<CellEntry>, Vec<CellId>), SessionError> {
    let Some(limit) = ceiling.filter(|_| options.live) else {
        let (free, live): (Vec<_>, Vec<_>) =
            chosen.iter().cloned().partition(|cell| !cell.kind.live);
        return Ok((free, live.into_iter().map(|cell| cell.id).collect()));
    };
    let cells = startable(funded(chosen, limit, lookup)?, lookup)?;
    super::gate::before_paying(&loaded.roster, &cells)?;
    Ok((cells, Vec::new()))
}

/// The cells, of which each live one has its program where it needs one.
fn startable(
    cells: Vec<CellEntry>,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<CellEntry>, SessionError> {
    for cell in &cells {
        if let Some(program) = program_of(&cell.harness.kind) {
            must_be_there(program, lookup)?;
        }
    }
    Ok(cells)
}

/// The cells, the live ones with their keys.
fn funded(
    chosen: &[CellEntry],
    limit: BudgetLimit,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<CellEntry>, SessionError> {
    let mut cells = chosen.to_vec();
    for cell in cells.iter_mut().filter(|cell| cell.kind.live) {
        if let Some(name) = &cell.model.api_key_env {
            let value = lookup(name).filter(|value| !value.is_empty());
            cell.secret = Some(value.ok_or_else(|| {
                SessionError::new(format!(
                    "model `{}` needs the variable {name}",
                    cell.model.id
                ))
                .help(format!(
                    "set {name} to the provider's key, or leave the cell out"
                ))
            })?);
        }
        if cell.model.price == Price::Unknown && limit != BudgetLimit::Unlimited {
            return Err(
                SessionError::new(format!("model `{}` has no price", cell.model.id))
                    .help("give it `price`, or `price: free`, or allow an `unlimited` budget"),
            );
        }
    }
    Ok(cells)
}

/// Refuses a cell whose program is not there: each of its rollouts would fail for that alone.
fn must_be_there(
    program: &AgentProgram,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<(), SessionError> {
    let path = lookup("PATH").unwrap_or_default();
    match on_path(program.program, &path, Path::new(".")) {
        Some(_) => Ok(()),
        None => Err(SessionError::new(format!(
            "harness kind `{}` is the program `{}`, which is not on PATH",
            program.kind, program.program
        ))
        .help(format!("{}, or leave the cell out", program.install()))),
    }
}

/// The keys of models, and what opens servers at an address: no record may hold them.
fn secrets(cells: &[Arc<CellEntry>], tasks: &[Arc<TaskEntry>]) -> Vec<(String, String)> {
    let pair =
        |cell: &Arc<CellEntry>| Some((cell.model.api_key_env.clone()?, cell.secret.clone()?));
    let declared = tasks
        .iter()
        .filter_map(|entry| entry.task.declared.as_ref());
    let servers = declared.flat_map(|declared| &declared.environment.servers);
    let addresses = servers.filter_map(|server| server.address.as_ref());
    let of_servers = addresses.flat_map(|address| address.secrets.iter().cloned());
    let mut secrets: Vec<_> = cells.iter().filter_map(pair).chain(of_servers).collect();
    secrets.sort();
    secrets.dedup();
    secrets
}
