//! The files that the harnesses of a roster name: their skills and instruction files, read whole.

use super::load::{self, Notes};
use crate::domain::{AddedFile, SKILL_FILE, Skill};
use crate::pack::{Placed, Roster, read_skill};
use crate::source::{Diagnostic, File, Problems};
use std::fs;
use std::path::{Path, PathBuf};

/// What is beside the skill and no part of it.
const LEFT_OUT: &str = "evals";

/// The most that the files of a skill, or an instruction file, hold, in bytes: each of them is kept
/// with every run.
const LARGEST: u64 = 1 << 20;

/// The most files of a skill.
const MOST_FILES: usize = 200;

/// Where a roster lies.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    /// The roster itself.
    pub(super) file: &'a File,
    /// Its folder, from which its paths go.
    pub(super) root: &'a Path,
    /// From where messages name files.
    pub(super) from: &'a Path,
}

/// Reads what the harnesses name into them. What is wrong is noted at the path's place in the
/// roster, or at its place in the `SKILL.md`.
pub(super) fn read(roster: &mut Roster, around: Around<'_>, notes: &mut Notes) {
    for (harness, paths) in roster.harnesses.iter_mut().zip(&roster.paths) {
        let file = paths.instructions.as_ref();
        let file =
            file.map(|placed| text(&around.root.join(&placed.path)).map_err(|why| (placed, why)));
        harness.additions.instruction_file = around.noted(file.transpose(), notes).flatten();
        let Some(placed) = &paths.skills else {
            continue;
        };
        let mut skills: Vec<Skill> = Vec::new();
        for one in placed {
            let folder = around.root.join(&one.path);
            let files = around.noted(files(&folder).map_err(|why| (one, why)), notes);
            let skill = files.and_then(|files| around.skill(&folder, files, notes));
            let Some(skill) = skill else {
                continue;
            };
            if skills.iter().any(|other| other.name == skill.name) {
                let why = Wrong::of(
                    "has the name of another skill of this harness",
                    "rename one",
                );
                around.note(one, &why, notes);
            }
            skills.push(skill);
        }
        harness.additions.skills = Some(skills);
    }
}

/// What is wrong with a path, and the cure.
struct Wrong {
    what: String,
    help: String,
}

impl Wrong {
    fn of(what: impl Into<String>, help: impl Into<String>) -> Self {
        let (what, help) = (what.into(), help.into());
        Self { what, help }
    }
}

impl Around<'_> {
    fn noted<T>(&self, read: Result<T, (&Placed, Wrong)>, notes: &mut Notes) -> Option<T> {
        read.map_err(|(placed, why)| self.note(placed, &why, notes))
            .ok()
    }

    fn note(&self, placed: &Placed, why: &Wrong, notes: &mut Notes) {
        let text = format!("`{}` {}", placed.path, why.what);
        let problem = Diagnostic::error(self.file.path(), placed.span, text);
        notes.add(&problem.with_help(&why.help), self.file);
    }

    /// The skill of a folder's files, once its head is sound.
    fn skill(&self, folder: &Path, files: Vec<AddedFile>, notes: &mut Notes) -> Option<Skill> {
        let file = notes.noted(load::read(&folder.join(SKILL_FILE), self.from))?;
        let problems = Problems::new(file.path());
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let name = read_skill(&file, &name, &problems);
        notes.take(problems, &file);
        name.map(|name| Skill { name, files })
    }
}

fn text(path: &Path) -> Result<String, Wrong> {
    const HELP: &str = "name a file of text by its path from the roster";
    let found =
        fs::metadata(path).map_err(|error| Wrong::of(format!("can't be read: {error}"), HELP))?;
    if !found.is_file() {
        return Err(Wrong::of("is not a file", HELP));
    }
    if found.len() > LARGEST {
        return Err(too_large());
    }
    let bytes =
        fs::read(path).map_err(|error| Wrong::of(format!("can't be read: {error}"), HELP))?;
    String::from_utf8(bytes).map_err(|_| Wrong::of("is not UTF-8", "save it as UTF-8"))
}

/// The files of a skill, sorted, without those that are no part of it.
fn files(folder: &Path) -> Result<Vec<AddedFile>, Wrong> {
    const HELP: &str = "name a folder with a SKILL.md by its path from the roster";
    if !folder.is_dir() {
        return Err(Wrong::of("is not a folder", HELP));
    }
    if !folder.join(SKILL_FILE).is_file() {
        return Err(Wrong::of(format!("has no {SKILL_FILE}"), HELP));
    }
    let mut found = Vec::new();
    let mut size = 0;
    let mut open = vec![PathBuf::new()];
    while let Some(inner) = open.pop() {
        for entry in entries(&folder.join(&inner))? {
            let path = inner.join(entry.file_name());
            let kind = entry.file_type().map_err(|error| unread(&path, &error))?;
            if kind.is_dir() {
                if path != Path::new(LEFT_OUT) {
                    open.push(path);
                }
                continue;
            }
            if !kind.is_file() {
                let what = format!("holds `{}`, which is not a file", path.display());
                return Err(Wrong::of(
                    what,
                    "put the file itself there, and not a link to it",
                ));
            }
            let bytes = fs::read(entry.path()).map_err(|error| unread(&path, &error))?;
            size += bytes.len() as u64;
            found.push(AddedFile {
                path: name(&path)?,
                bytes,
            });
            if size > LARGEST || found.len() > MOST_FILES {
                return Err(too_large());
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<fs::DirEntry>, Wrong> {
    let read = fs::read_dir(folder).and_then(Iterator::collect);
    read.map_err(|error| unread(folder, &error))
}

/// A path below the skill, as records name it.
fn name(path: &Path) -> Result<String, Wrong> {
    let text = path.to_str().ok_or_else(|| {
        let what = format!("holds `{}`, whose name is not UTF-8", path.display());
        Wrong::of(what, "rename the file")
    });
    text.map(str::to_owned)
}

fn unread(path: &Path, error: &std::io::Error) -> Wrong {
    let what = format!("holds `{}`, which can't be read: {error}", path.display());
    Wrong::of(what, "make it readable")
}

fn too_large() -> Wrong {
    let what = format!(
        "holds more than {} KiB, or than {MOST_FILES} files",
        LARGEST >> 10
    );
    Wrong::of(
        what,
        "leave out what the agent does not read: all of it is kept with each run",
    )
}
