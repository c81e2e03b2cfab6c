//! The packs of a run: those inside the executable, and those in the folders of the roster.
//!
//! A folder whose pack is inside the executable is not read again: what was built is what runs.

use super::load::{Brought, Notes, Packs, read};
use super::sketch::{Reading, Sketch, Sketcher};
use super::{RunOptions, SessionError, locate};
use crate::pack::{PackTexts, pack_not_there, read_texts, task_files};
use crate::registry::{PackInBinary, embedded_packs};
use crate::source::{File, closest};
use crate::task::TaskPack;
use std::path::{Component, Path, PathBuf};

/// So many folders are offered for one that is not there.
const FEW: usize = 5;

/// What decides which packs there are.
pub(super) struct Wanted<'a> {
    pub(super) options: &'a RunOptions,
    /// The folders that the roster names; `None` where it names none.
    pub(super) named: Option<&'a [String]>,
    /// The roster's file; `None` where there is none.
    pub(super) roster: Option<&'a Path>,
    pub(super) root: &'a Path,
    pub(super) brought: &'a Brought<'a>,
    pub(super) reading: Reading<'a>,
}

/// A pack inside the executable, with the folder that it would be read from.
struct Held {
    pack: PackInBinary,
    folder: PathBuf,
}

/// Reads every pack, each once; tasks that need not be read come as sketches.
pub(super) fn read_all(wanted: &Wanted<'_>, notes: &mut Notes) -> (Vec<TaskPack>, Vec<Sketch>) {
    let mut held: Vec<Held> = embedded_packs()
        .into_iter()
        .map(|pack| Held {
            folder: identity(&folder_now(&pack, wanted.brought.lookup)),
            pack,
        })
        .collect();
    if let Some(only) = &wanted.options.pack {
        let only = identity(&wanted.brought.from.join(only));
        held.retain(|held| held.folder == only);
    }
    // Whoever runs one case among others was told when they were listed.
    if !matches!(wanted.reading, Reading::ToRun(_)) {
        for held in &held {
            compare(held, wanted, notes);
        }
    }
    let (mut all, mut sketches) = (Vec::new(), Vec::new());
    let mut sketcher = Sketcher::new(wanted.reading);
    for held in &held {
        all.push(held.texts(&mut sketcher, &mut sketches));
    }
    for folder in notes.noted(folders(wanted)).unwrap_or_default() {
        let found = identity(&folder);
        match held.iter().find(|held| held.folder == found) {
            Some(held) => notes.warnings.push(format!(
                "note: pack {} is the one in this build ({}, from {})",
                held.pack.id, held.pack.folder, held.pack.file
            )),
            None if wanted
                .brought
                .held
                .iter()
                .any(|other| identity(other) == found) => {}
            None if !folder.exists() => not_there(&folder, wanted, notes),
            None => {
                let read = texts(&folder, wanted.brought.from, notes);
                let read = notes.noted(read);
                all.extend(read.map(|texts| to_read(texts, &mut sketcher, &mut sketches)));
            }
        }
    }
    let mut packs = Vec::new();
    for texts in all {
        let read = read_texts(texts, wanted.brought.lookup);
        for (file, found) in &read.found {
            found.iter().for_each(|one| notes.add(one, file));
        }
        packs.extend(read.pack);
    }
    (packs, sketches)
}

/// The folders that are read when a run begins.
fn folders(wanted: &Wanted<'_>) -> Result<Vec<PathBuf>, SessionError> {
    if wanted.brought.packs == Packs::Elsewhere {
        return Ok(Vec::new());
    }
    Ok(match (&wanted.options.pack, wanted.named) {
        (Some(pack), _) => vec![wanted.brought.from.join(pack)],
        (None, Some(named)) => named.iter().map(|name| wanted.root.join(name)).collect(),
        (None, None) => locate::pack_folders(wanted.root)?,
    })
}

impl Held {
    /// The texts that have to be read; the other tasks become sketches.
    fn texts(&self, sketcher: &mut Sketcher<'_>, sketches: &mut Vec<Sketch>) -> PackTexts {
        let shown = self.pack.folder;
        let file = |name: &str, text: &str| File::new(format!("{shown}/{name}"), text);
        let before = sketches.len();
        sketcher.begin(&self.pack.id, self.pack.files.len());
        let mut tasks = Vec::new();
        for one in &self.pack.files {
            match sketcher.embedded(shown, one) {
                Some(sketch) => sketches.push(sketch),
                None => tasks.push(file(one.0, one.1)),
            }
        }
        PackTexts {
            id: self.pack.id.clone(),
            shown: shown.to_owned(),
            folder: self.folder.to_string_lossy().into_owned(),
            about: self.pack.about.map(|text| file("pack.yaml", text)),
            tasks,
            unread: sketches.len() - before,
        }
    }
}

/// The same for the texts of a folder.
fn to_read(texts: PackTexts, sketcher: &mut Sketcher<'_>, sketches: &mut Vec<Sketch>) -> PackTexts {
    let before = sketches.len();
    sketcher.begin(&texts.id, texts.tasks.len());
    let mut tasks = Vec::new();
    for file in texts.tasks {
        match sketcher.file(&file) {
            Some(sketch) => sketches.push(sketch),
            None => tasks.push(file),
        }
    }
    PackTexts {
        tasks,
        unread: sketches.len() - before,
        ..texts
    }
}

/// Where a pack that was built in would be read from now: its package may have moved since, as in
/// a nextest archive.
fn folder_now(pack: &PackInBinary, lookup: &dyn Fn(&str) -> Option<String>) -> PathBuf {
    let moved = lookup("CARGO_PKG_NAME").is_some_and(|name| name == pack.package);
    let package = lookup("CARGO_MANIFEST_DIR").filter(|_| moved);
    package
        .map_or_else(|| pack.manifest_dir.clone(), PathBuf::from)
        .join(pack.folder)
}

/// Says which task files of the folder were not there when the executable was built. A folder that
/// is gone says nothing: the executable has all it needs.
fn compare(held: &Held, wanted: &Wanted<'_>, notes: &mut Notes) {
    let built = |name: &str| {
        let at = held.pack.files.binary_search_by(|one| one.0.cmp(name));
        at.is_ok()
    };
    let there = std::fs::read_dir(&held.folder).into_iter().flatten();
    let names = there.flatten().map(|entry| entry.file_name());
    let mut missing: Vec<String> = names
        .filter_map(|name| name.into_string().ok())
        .filter(|name| name.ends_with(".task.yaml") && !built(name))
        .collect();
    missing.sort();
    let many = match missing.len() {
        0 => return,
        1 => "1 task file is".to_owned(),
        count => format!("{count} task files are"),
    };
    let ci = (wanted.brought.lookup)("CI").is_some_and(|value| value == "true" || value == "1");
    let (word, list) = if ci {
        ("error", &mut notes.errors)
    } else {
        ("warning", &mut notes.warnings)
    };
    list.push(format!(
        "{word}: {many} not in this build: {} (in {})\nhelp: touch {} and build again, or collect \
         the pack in a build script, which notices new files",
        missing.join(", "),
        held.pack.folder,
        held.pack.file
    ));
}

/// Notes a folder that is not there: where the roster names it, and which one was probably meant.
fn not_there(folder: &Path, wanted: &Wanted<'_>, notes: &mut Notes) {
    let asked = wanted.options.pack.as_deref();
    let base = asked.map_or(wanted.root, |_| wanted.brought.from);
    let named = wanted.named.unwrap_or_default().iter();
    let mut named = named.filter(|name| wanted.root.join(name) == folder);
    let name = match named.next().filter(|_| asked.is_none()) {
        Some(name) => name.clone(),
        None => asked.unwrap_or(folder).to_string_lossy().into_owned(),
    };
    let known = locate::pack_folders(wanted.root).unwrap_or_default();
    let known = known
        .iter()
        .map(|path| path.strip_prefix(base).unwrap_or(path));
    let known: Vec<_> = known.map(|path| path.to_string_lossy()).collect();
    let help = match closest(&name, known.iter().map(AsRef::as_ref)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if known.is_empty() => "there is no folder with a `*.task.yaml` here".to_owned(),
        None => format!(
            "folders with tasks: {}",
            known[..known.len().min(FEW)].join(", ")
        ),
    };
    let file = wanted.roster.filter(|_| asked.is_none());
    let file = file.and_then(|path| read(path, wanted.brought.from).ok());
    let found = file.as_ref().map(|file| pack_not_there(file, &name, &help));
    match (&file, found.as_deref()) {
        (Some(file), Some(found @ [_, ..])) => found.iter().for_each(|one| notes.add(one, file)),
        _ => {
            let error = SessionError::new(format!("there is no folder {}", folder.display()));
            notes.errors.push(error.help(help).to_string());
        }
    }
}

/// The texts of a pack's folder, but for a file that can't be read, which is noted.
fn texts(folder: &Path, from: &Path, notes: &mut Notes) -> Result<PackTexts, SessionError> {
    let cannot = |error| {
        SessionError::new(format!(
            "failed to read the pack {}: {error}",
            folder.display()
        ))
        .help("check `packs` in the roster, or --pack")
    };
    let paths = task_files(files(folder).map_err(cannot)?).map_err(|path| {
        SessionError::new(format!("{} would be passed over", path.display()))
            .help("rename it: task files end in `.task.yaml`")
    })?;
    let tasks = paths.iter().map(|path| notes.noted(read(path, from)));
    let tasks: Vec<_> = tasks.collect();
    let described = folder.join("pack.yaml");
    let is_described = described.exists();
    let about = is_described.then(|| read(&described, from));
    let id = folder.canonicalize().ok();
    let below = folder.strip_prefix(from).ok();
    let shown = below
        .filter(|path| *path != Path::new(""))
        .unwrap_or(folder);
    Ok(PackTexts {
        id: id.map_or_else(|| "tasks".to_owned(), |path| locate::name_of(&path)),
        shown: shown.to_string_lossy().into_owned(),
        folder: folder.to_string_lossy().into_owned(),
        about: about.transpose()?,
        tasks: tasks.into_iter().flatten().collect(),
        unread: 0,
    })
}

/// The paths in a folder, sorted.
fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    Ok(paths)
}

/// What two spellings of one folder have in common, whether it is there or not.
fn identity(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| {
        let mut plain = PathBuf::new();
        for part in folder.components() {
            match part {
                Component::ParentDir => {
                    plain.pop();
                }
                Component::CurDir => {}
                part => plain.push(part),
            }
        }
        plain
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack() -> PackInBinary {
        PackInBinary {
            package: "shop",
            manifest_dir: PathBuf::from("/built/shop"),
            file: "tests/agents.rs",
            id: "desk".to_owned(),
            folder: "desk",
            about: None,
            files: Vec::new(),
        }
    }

    #[test]
    fn a_moved_package_takes_its_folders_along() {
        let at = |name: &'static str| {
            folder_now(&pack(), &move |var| match var {
                "CARGO_PKG_NAME" => Some(name.to_owned()),
                "CARGO_MANIFEST_DIR" => Some("/moved/shop".to_owned()),
                _ => None,
            })
        };
        assert_eq!(at("shop"), PathBuf::from("/moved/shop/desk"));
        assert_eq!(at("other"), PathBuf::from("/built/shop/desk"));
        assert_eq!(
            folder_now(&pack(), &|_| None),
            PathBuf::from("/built/shop/desk")
        );
    }

    #[test]
    fn spellings_of_a_folder_that_is_gone_are_one() {
        let one = identity(Path::new("/no/such/./a/../desk"));
        assert_eq!(one, identity(Path::new("/no/such/desk")));
        assert_ne!(one, identity(Path::new("/no/such/other")));
    }
}
