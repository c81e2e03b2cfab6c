//! The roster, `crossbar.yaml`: models, harnesses, the cells they make, and the settings of a run.

mod additions;
mod cells;
pub(super) mod command;
mod gate;
mod harnesses;
pub(super) mod keys;
mod models;
mod price;
mod settings;

use super::{elsewhere, unbuilt};
use crate::domain::{
    BudgetLimit, CachePolicy, CellId, GateRules, HarnessKind, HarnessSpec, Model, Places,
    ProviderKind, TaskLooks,
};
use crate::source::{Diagnostic, Field, Fields, File, Problems, parse};
pub use additions::{HarnessPaths, Placed};

/// What exists in this build: the tables that a roster is read against.
#[derive(Clone, Copy)]
pub struct RosterContext<'a> {
    /// The provider kinds.
    pub providers: &'a [ProviderKind],
    /// The harness kinds.
    pub harnesses: &'a [HarnessKind],
    /// Where kinds of harnesses look for what they can be given on top.
    pub places: &'a [Places],
    /// The cargo feature that a provider or harness kind missing from the tables is behind.
    pub behind_feature: &'a dyn Fn(&str) -> Option<&'static str>,
}

/// A roster that was read without an error. The default is that of a project without one: no
/// models, and every setting as it is unless said.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Roster {
    /// The models, in the order of the file.
    pub models: Vec<Model>,
    /// The harnesses, in the order of the file.
    pub harnesses: Vec<HarnessSpec>,
    /// The files that each of them names, in the same order; what these hold is not read here.
    pub paths: Vec<HarnessPaths>,
    /// The cells: those of `agents`, else every compatible pair, model by model in roster order.
    pub cells: Vec<Cell>,
    /// The folders of task packs, as written; `None`: every folder below the roster that has some.
    pub packs: Option<Vec<String>>,
    /// The section `run`.
    pub run: RunSettings,
    /// The section `stats`.
    pub stats: StatsSettings,
    /// The section `gate`.
    pub gate: GateSettings,
    /// `budget.usd`; `None` when the roster names no ceiling.
    pub budget: Option<BudgetLimit>,
}

/// A cell of the roster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Its name.
    pub id: CellId,
    /// Index of its model in [`Roster::models`].
    pub model: usize,
    /// Index of its harness in [`Roster::harnesses`].
    pub harness: usize,
}

/// How a sweep is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSettings {
    /// Rollouts per case, 1..=1000; 3 unless said.
    pub repeats: u32,
    /// The seed of everything random; 0 unless said.
    pub seed: u64,
    /// Rollouts at once, 1..=1024; `None` leaves it to the kinds of cells.
    pub concurrency: Option<u32>,
    /// The cell used today; one of [`Roster::cells`].
    pub baseline: Option<CellId>,
    /// The folder of results, as written (relative to the roster); `runs` unless said.
    pub results_dir: String,
    /// The most repeats of an adaptive run, 2..=1000.
    pub max_repeats: Option<u32>,
    /// The numbers of tasks at which verdicts are asked while the pack grows.
    pub task_looks: Option<TaskLooks>,
    /// The k of pass@k and pass^k, 1..=1000.
    pub k: Option<u32>,
    /// What is meant of prompt caches; `None` = nothing is said.
    pub cache: Option<CachePolicy>,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            repeats: 3,
            seed: 0,
            concurrency: None,
            baseline: None,
            results_dir: "runs".to_owned(),
            max_repeats: None,
            task_looks: None,
            k: None,
            cache: None,
        }
    }
}

/// How wide intervals are made for few tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Padding {
    /// `normal`, unless said.
    #[default]
    Normal,
    /// `strict`.
    Strict,
}

/// Settings of the statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StatsSettings {
    /// `stats.padding`.
    pub padding: Padding,
    /// `stats.ci`, one of the words that the schema lists; `None` when not asked for.
    pub ci: Option<&'static str>,
}

/// What a verdict is held against.
#[derive(Debug, Clone, PartialEq)]
pub struct GateSettings {
    /// The non-inferiority margin, a difference of rates in 0..=0.5; `None` when not declared.
    pub margin: Option<f64>,
    /// The error rate, in 0.0001..=0.5; 0.05 unless said.
    pub alpha: f64,
    /// The rate that a cell must clear by its lower limit, in 0..=1.
    pub quality_bar: Option<f64>,
    /// What CI is held to; `None` unless `mode` says so.
    pub rules: Option<GateRules>,
}

impl Default for GateSettings {
    fn default() -> Self {
        Self {
            margin: None,
            alpha: 0.05,
            quality_bar: None,
            rules: None,
        }
    }
}

/// Reads a roster. `None` after adding an error; all problems of the file are added at once.
pub fn read_roster(
    file: &File,
    context: &RosterContext<'_>,
    problems: &Problems,
) -> Option<Roster> {
    let tree = parse(file, problems)?;
    let mut root = Fields::of(&tree, &keys::ROSTER, problems)?;
    unbuilt::refuse(Some(&tree), &mut root, &["experiment"]);
    root.belong_elsewhere(elsewhere::ROSTER);
    let models = models::read(&root.key("models"), context, problems);
    let without = models.as_ref().is_some_and(Vec::is_empty);
    let harnesses = harnesses(&mut root, without, context, problems);
    let agents = root.key("agents");
    let packs = packs(&root.key("packs"));
    let run = root.key("run");
    let stats = settings::stats(&root.key("stats"));
    let gate = root.key("gate");
    let budget = settings::budget(&root.key("budget"));
    root.finish();
    // without both lists, complaints about pairs and the baseline would be noise
    let cells = match (&models, &harnesses) {
        (Some(models), Some(harnesses)) => {
            Some(cells::read(&agents, (models, harnesses), problems))
        }
        _ => None,
    };
    let run = settings::run(&run, cells.as_deref());
    let known = gate::Known {
        cells: cells.as_deref(),
        baseline: run.baseline.as_ref(),
        models: &models
            .iter()
            .flatten()
            .map(|one| &one.model)
            .collect::<Vec<_>>(),
    };
    let gate = gate::read(&gate, known);
    if problems.has_errors() {
        return None;
    }
    let harnesses = harnesses?.into_iter();
    let (harnesses, paths) = harnesses.map(|one| (one.spec, one.paths)).unzip();
    Some(Roster {
        models: models?.into_iter().map(|one| one.model).collect(),
        harnesses,
        paths,
        cells: cells?,
        packs,
        run,
        stats,
        gate,
        budget,
    })
}

/// The harnesses; a roster without a model needs none.
fn harnesses<'a>(
    root: &mut Fields<'a>,
    without_models: bool,
    context: &RosterContext<'a>,
    problems: &Problems,
) -> Option<Vec<harnesses::ReadHarness<'a>>> {
    if !without_models {
        // Asked for, so that its absence is told.
        root.required("harnesses");
    }
    let field = root.key("harnesses");
    if without_models && (!field.is_present() || field.items()?.is_empty()) {
        return Some(Vec::new());
    }
    harnesses::read(&field, context, problems)
}

/// The folders that a roster names, whatever else is wrong with it; `None` where it names none.
#[must_use]
pub fn packs_of(file: &File) -> Option<Vec<String>> {
    let unsaid = Problems::new(file.path());
    let tree = parse(file, &unsaid)?;
    let root = Fields::of(&tree, &keys::ROSTER, &unsaid)?;
    packs(&root.key("packs"))
}

/// The problem of a folder that `packs` names and that is not there, where it is named; `help` is
/// its cure. None where the file does not name it.
pub fn pack_not_there(file: &File, name: &str, help: &str) -> Vec<Diagnostic> {
    let (unsaid, said) = (Problems::new(file.path()), Problems::new(file.path()));
    if let Some(tree) = parse(file, &unsaid)
        && let Some(root) = Fields::of(&tree, &keys::ROSTER, &said)
    {
        let items = root.key("packs").items().unwrap_or_default();
        let named = items.iter().filter(|item| {
            let text = item.text();
            text.is_some_and(|text| text.value == name)
        });
        for item in named {
            item.error("is a folder that is not there", help);
        }
    }
    said.into_vec()
}

fn packs(field: &Field<'_>) -> Option<Vec<String>> {
    let folders = field.texts()?;
    if field.items()?.is_empty() {
        field.error(
            "names no folder",
            "remove it to take every folder with tasks",
        );
    }
    for item in field
        .items()?
        .iter()
        .filter(|item| item.text().is_some_and(|t| t.value.is_empty()))
    {
        item.error("is empty", "name a folder");
    }
    Some(
        folders
            .into_iter()
            .map(|one| one.value.to_owned())
            .collect(),
    )
}

#[cfg(test)]
mod tests;
