//! Reading the roster and the packs, and joining the tasks written in Rust: all problems at once.

use super::additions::{self, Around};
use super::executables;
use super::packs::{self, Wanted};
use super::sketch::{Reading, Sketch};
use super::{RunOptions, SessionError, locate};
use crate::domain::TaskId;
use crate::pack::{Roster, RosterContext, packs_of, read_roster};
use crate::registry::{CodedTask, gather};
use crate::source::{Colour, Diagnostic, File, Problems, Severity, render};
use crate::sweep::{TaskEntry, Work};
use crate::task::{TakenIds, Task, TaskPack, pack_problems};
use crate::{harness, provider};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A roster with every task that it runs.
pub struct Loaded {
    /// The roster's folder, or the workspace root where there is no roster: relative paths begin
    /// there.
    pub root: PathBuf,
    /// The roster; an empty one where there is none.
    pub roster: Roster,
    /// Every task, by id.
    pub tasks: BTreeMap<TaskId, Arc<TaskEntry>>,
    /// Tasks that are known and were not read; none where the whole was to be read.
    pub sketches: Arc<[Sketch]>,
    /// The packs' names for people, by id.
    pub pack_names: BTreeMap<String, String>,
    /// What is worth saying and stops nothing, rendered.
    pub warnings: Vec<String>,
}

/// What a face brings along.
pub struct Brought<'a> {
    /// Where to look for the roster from.
    pub from: &'a Path,
    /// Whether the packs of the roster belong to this run, or another process has them.
    pub packs: Packs,
    /// Folders of packs that another executable of the same run holds inside.
    pub held: &'a [PathBuf],
    /// Answers `${VAR}`.
    pub lookup: &'a dyn Fn(&str) -> Option<String>,
    /// What to do where there is no roster, and nobody named one.
    pub without_roster: WithoutRoster,
}

/// What to do where there is no roster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithoutRoster {
    /// There is nothing to compare: an error.
    Refuse,
    /// Go on without a model: the tasks below `from` can still prove themselves.
    ControlsAlone,
}

/// Whether the packs belong to this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packs {
    /// They do.
    Run,
    /// Another process of the same run has them.
    Elsewhere,
}

impl Packs {
    /// Of the test binaries of a run, by their place in the list, the first has the packs.
    #[must_use]
    pub fn of_binary(place: usize) -> Self {
        match place {
            0 => Self::Run,
            _ => Self::Elsewhere,
        }
    }
}

impl Brought<'_> {
    /// Whether a roster that is not found is left out; one that somebody named is not.
    fn goes_without(&self, options: &RunOptions) -> bool {
        let is_settled =
            self.without_roster == WithoutRoster::ControlsAlone || options.ad_hoc.is_some();
        is_settled && options.config.is_none()
    }
}

/// Reads everything.
///
/// # Errors
/// `SessionError` with every problem of every file.
pub fn load(options: &RunOptions, brought: &Brought<'_>) -> Result<Loaded, SessionError> {
    load_for(options, brought, Reading::Whole)
}

/// The same, but reads no more of the packs inside the executable than `reading` says.
///
/// # Errors
/// As `load`.
pub fn load_for(
    options: &RunOptions,
    brought: &Brought<'_>,
    reading: Reading<'_>,
) -> Result<Loaded, SessionError> {
    let mut notes = Notes::default();
    let found = match locate::roster(options.config.as_deref(), brought.from) {
        Err(_) if brought.goes_without(options) => None,
        found => Some(found?),
    };
    let (root, packs_root, (roster, named)) = match &found {
        Some(path) => {
            let root = path.parent().unwrap_or(Path::new(".")).to_owned();
            (root.clone(), root, roster(path, brought.from, &mut notes))
        }
        None => (
            locate::workspace_root(brought.from),
            brought.from.to_owned(),
            (Some(Roster::default()), None),
        ),
    };
    let wanted = Wanted {
        options,
        named: named.as_deref(),
        roster: found.as_deref(),
        root: &packs_root,
        brought,
        reading,
    };
    let (packs, mut sketches) = packs::read_all(&wanted, &mut notes);
    sketches.sort_by(|a, b| a.id.cmp(&b.id));
    let coded = match options.pack {
        // One pack was asked for, and the tasks in Rust are another.
        Some(_) => Vec::new(),
        None => gather().map_err(|error| SessionError::new(error.to_string()))?,
    };
    let packs_and_coded = with_coded(packs, coded, &mut notes);
    let (Some(roster), Some((tasks, pack_names))) = (roster, packs_and_coded) else {
        return Err(SessionError::rendered(notes.errors.join("\n")));
    };
    let roster = match &options.ad_hoc {
        Some(ad_hoc) => super::ad_hoc::instead(ad_hoc, roster)?,
        None => roster,
    };
    taken(&tasks, &sketches, &mut notes);
    if !notes.errors.is_empty() {
        return Err(SessionError::rendered(notes.errors.join("\n")));
    }
    let warnings = notes.into_warnings();
    Ok(Loaded {
        root,
        roster,
        tasks,
        sketches: sketches.into(),
        pack_names,
        warnings,
    })
}

/// Notes the ids that a task has taken from one that was not read; those of tasks that were read are
/// known to differ.
fn taken(tasks: &BTreeMap<TaskId, Arc<TaskEntry>>, sketches: &[Sketch], notes: &mut Notes) {
    if sketches.is_empty() {
        return;
    }
    let mut ids = TakenIds::default();
    let read = tasks
        .values()
        .map(|entry| (&entry.task.id, &entry.task.place));
    let unread = sketches.iter().map(|one| (&one.id, &one.place));
    let problems = read
        .chain(unread)
        .filter_map(|(id, place)| ids.take(id, place));
    notes
        .errors
        .extend(problems.map(|problem| format!("error: {problem}")));
}

/// What was found wrong, rendered.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) errors: Vec<String>,
    pub(super) warnings: Vec<String>,
    /// Warnings about places of files: those with the same words are said once.
    alike: Vec<Alike>,
}

/// A warning, and how many files have it.
struct Alike {
    first: Diagnostic,
    rendered: String,
    count: usize,
}

impl Alike {
    /// The warning at its place, or with its count and its first place.
    fn text(self) -> String {
        let Diagnostic {
            message,
            path,
            span,
            help,
            ..
        } = self.first;
        if self.count == 1 {
            return self.rendered;
        }
        let help = help.map_or_else(String::new, |help| format!("\nhelp: {help}"));
        format!(
            "warning: in {} files: {message} (the first is {path}:{}:{}){help}",
            self.count, span.line, span.column
        )
    }
}

impl Notes {
    /// What came, or `None` once its error is noted: one file's end is not the next one's.
    pub(super) fn noted<T>(&mut self, outcome: Result<T, SessionError>) -> Option<T> {
        outcome
            .map_err(|error| self.errors.push(error.to_string()))
            .ok()
    }

    pub(super) fn take(&mut self, problems: Problems, file: &File) {
        for diagnostic in problems.into_vec() {
            self.add(&diagnostic, file);
        }
    }

    pub(super) fn add(&mut self, diagnostic: &Diagnostic, file: &File) {
        let text = render(diagnostic, file, Colour::Plain);
        match diagnostic.severity {
            Severity::Error => self.errors.push(text),
            Severity::Warning => self.count(diagnostic, text),
        }
    }

    fn count(&mut self, warning: &Diagnostic, rendered: String) {
        let same = |one: &&mut Alike| {
            let first = &one.first;
            (&first.message, &first.help) == (&warning.message, &warning.help)
        };
        match self.alike.iter_mut().find(same) {
            Some(alike) => alike.count += 1,
            None => self.alike.push(Alike {
                first: warning.clone(),
                rendered,
                count: 1,
            }),
        }
    }

    /// Every warning, those about places of files first.
    fn into_warnings(self) -> Vec<String> {
        let alike = self.alike.into_iter().map(Alike::text);
        alike.chain(self.warnings).collect()
    }
}

/// The text of a file, which messages name by its path from `from` on.
pub(super) fn read(path: &Path, from: &Path) -> Result<File, SessionError> {
    if !path.metadata().is_ok_and(|found| found.is_file()) {
        return Err(
            SessionError::new(format!("{} is not a regular file", path.display()))
                .help("a roster, a pack and a task are plain text files"),
        );
    }
    let text = std::fs::read(path).map_err(|error| {
        SessionError::new(format!("failed to read {}: {error}", path.display()))
    })?;
    let text = String::from_utf8(text).map_err(|error| {
        SessionError::new(format!("{} is not UTF-8: {error}", path.display()))
            .help("save the file as UTF-8")
    })?;
    let shown = path.strip_prefix(from).unwrap_or(path);
    Ok(File::new(shown.to_string_lossy(), text))
}

/// The feature that would add a kind of provider or harness which this build lacks.
pub(super) fn behind_feature(kind: &str) -> Option<&'static str> {
    provider::behind_feature(kind).or_else(|| harness::behind_feature(kind))
}

/// The roster where it is sound, and the packs that it names even where it is not.
fn roster(path: &Path, from: &Path, notes: &mut Notes) -> (Option<Roster>, Option<Vec<String>>) {
    let Some(file) = notes.noted(read(path, from)) else {
        return (None, None);
    };
    let problems = Problems::new(file.path());
    let context = RosterContext {
        providers: provider::KINDS,
        harnesses: harness::KINDS,
        places: harness::PLACES,
        behind_feature: &behind_feature,
    };
    let mut roster = read_roster(&file, &context, &problems);
    notes.take(problems, &file);
    if let Some(roster) = &mut roster {
        let around = Around {
            file: &file,
            root: path.parent().unwrap_or(Path::new(".")),
            from,
        };
        additions::read(roster, around, notes);
        executables::find(roster, around, notes);
    }
    let named = match &roster {
        Some(roster) => roster.packs.clone(),
        None => packs_of(&file),
    };
    (roster, named)
}

/// The roster for one word of it: whoever runs it is told of its problems.
pub(super) fn read_roster_quietly(path: &Path) -> Option<Roster> {
    roster(path, path.parent()?, &mut Notes::default()).0
}

type TasksAndNames = (BTreeMap<TaskId, Arc<TaskEntry>>, BTreeMap<String, String>);

/// All packs together with the Rust tasks, which make a pack for each package.
fn with_coded(
    mut packs: Vec<TaskPack>,
    coded: Vec<CodedTask>,
    notes: &mut Notes,
) -> Option<TasksAndNames> {
    let mut works: BTreeMap<TaskId, Work> = BTreeMap::new();
    for CodedTask {
        task,
        body,
        solution,
        broken,
    } in coded
    {
        let work = Work::Coded {
            body,
            solution,
            broken,
        };
        works.insert(task.id.clone(), work);
        let id = task.id.pack().to_owned();
        match packs.iter_mut().find(|pack| pack.id == id) {
            Some(pack) => pack.tasks.push(task),
            None => packs.push(TaskPack {
                name: id.clone(),
                id,
                description: None,
                tasks: vec![task],
            }),
        }
    }
    let problems = pack_problems(&packs);
    notes
        .errors
        .extend(problems.iter().map(|problem| format!("error: {problem}")));
    if !problems.is_empty() {
        return None;
    }
    notes
        .warnings
        .extend(packs.iter().filter_map(recorded_only));
    let names = packs
        .iter()
        .map(|pack| (pack.id.clone(), pack.name.clone()))
        .collect();
    let tasks = packs.into_iter().flat_map(|pack| pack.tasks).map(|task| {
        let work = works.remove(&task.id).unwrap_or(Work::Declared);
        (task.id.clone(), Arc::new(TaskEntry { task, work }))
    });
    Some((tasks.collect(), names))
}

/// The keys of a pack's tasks that nothing acts on yet, in one line however many tasks hold them.
fn recorded_only(pack: &TaskPack) -> Option<String> {
    let holding = |task: &&Task| !task.unbuilt.is_empty();
    let tasks: Vec<&Task> = pack.tasks.iter().filter(holding).collect();
    let keys: BTreeSet<&str> = tasks
        .iter()
        .flat_map(|task| task.unbuilt.iter().map(String::as_str))
        .collect();
    let first = tasks.first()?;
    let more = match tasks.len() {
        1 => String::new(),
        count => format!(", the first of {count} tasks"),
    };
    let keys: Vec<&str> = keys.into_iter().collect();
    Some(format!(
        "note: pack {}: {} recorded, and nothing acts on it yet ({}{more})",
        pack.id,
        keys.join(", "),
        first.place
    ))
}

/// The variables that a pack's `${VAR}` can name: the environment, and what crossbar adds.
#[must_use]
pub fn variable(name: &str) -> Option<String> {
    match name {
        "CROSSBAR_BIN" => std::env::current_exe()
            .ok()
            .map(|p| p.to_string_lossy().into_owned()),
        "CROSSBAR_PYTHON" => Some(std::env::var(name).unwrap_or_else(|_| "python3".to_owned())),
        other => std::env::var(other).ok(),
    }
}
