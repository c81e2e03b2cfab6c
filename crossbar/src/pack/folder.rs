//! The files of a pack's folder, wherever they were read from, to a pack.

use super::{TaskContext, read_pack, read_task};
use crate::source::{Diagnostic, File, Problems};
use crate::task::TaskPack;
use std::path::{Path, PathBuf};

/// The texts of a pack.
#[derive(Debug, Clone, PartialEq)]
pub struct PackTexts {
    /// The last part of the folder's path.
    pub id: String,
    /// The folder as messages name it.
    pub shown: String,
    /// The folder: relative commands begin there.
    pub folder: String,
    /// Its `pack.yaml`, where it has one.
    pub about: Option<File>,
    /// Its task files.
    pub tasks: Vec<File>,
    /// How many more it has, which need not be read.
    pub unread: usize,
}

/// What reading a pack came to.
#[derive(Debug)]
pub struct ReadPack {
    /// The pack, unless any of its files had an error.
    pub pack: Option<TaskPack>,
    /// Each file with what was found in it, in their order.
    pub found: Vec<(File, Vec<Diagnostic>)>,
}

/// Reads all files of a pack, each problem of each. `lookup` answers `${VAR}`.
pub fn read_texts(texts: PackTexts, lookup: &dyn Fn(&str) -> Option<String>) -> ReadPack {
    let written = texts.tasks.len();
    let mut tasks = Vec::new();
    let mut found = Vec::new();
    for file in texts.tasks {
        let problems = Problems::new(file.path());
        let context = TaskContext {
            pack: &texts.id,
            folder: &texts.folder,
            lookup,
        };
        tasks.extend(read_task(&file, &context, &problems));
        found.push((file, problems.into_vec()));
    }
    let sound = tasks.len() == written && (written > 0 || texts.unread == 0);
    let named = texts.about.clone();
    let named = named.unwrap_or_else(|| File::new(texts.shown, String::new()));
    let problems = Problems::new(named.path());
    let mut pack = None;
    // what is wrong with its tasks is said; that the pack lacks them is no news
    if sound {
        pack = read_pack(texts.about.as_ref(), &texts.id, tasks, &problems);
    } else if let Some(file) = &texts.about {
        super::pack_file::check(file, &problems);
    }
    found.push((named, problems.into_vec()));
    ReadPack { pack, found }
}

/// Those of a folder's files that are tasks, sorted.
///
/// # Errors
/// A file that its author takes for a task and that would be passed over: `.task.yml`.
pub fn task_files(mut files: Vec<PathBuf>) -> Result<Vec<PathBuf>, PathBuf> {
    let ends = |path: &Path, end: &str| path.to_string_lossy().ends_with(end);
    if let Some(path) = files.iter().find(|path| ends(path, ".task.yml")) {
        return Err(path.clone());
    }
    files.retain(|path| ends(path, ".task.yaml"));
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::one_line;

    const SOUND: &str = "prompt: p\nenvironment: {servers: [{name: s, command: x}]}\nchecks: [{type: tool_called, tool: s.t}]\n";

    fn read(about: Option<&str>, tasks: &[(&str, &str)]) -> (bool, Vec<String>) {
        let texts = PackTexts {
            id: "desk".to_owned(),
            shown: "packs/desk".to_owned(),
            folder: "/packs/desk".to_owned(),
            about: about.map(|text| File::new("packs/desk/pack.yaml", text)),
            tasks: tasks
                .iter()
                .map(|(name, text)| File::new(format!("packs/desk/{name}"), *text))
                .collect(),
            unread: 0,
        };
        let read = read_texts(texts, &|_| None);
        let lines = read
            .found
            .iter()
            .flat_map(|(_, found)| found.iter().map(one_line));
        (read.pack.is_some(), lines.collect())
    }

    #[test]
    fn every_problem_of_every_file_comes_at_once() {
        let bad = format!("id: b\ncolour: red\n{SOUND}");
        let (sound, found) = read(
            Some("nam: Desk\n"),
            &[("a.task.yaml", "id: [\n"), ("b.task.yaml", &bad)],
        );
        assert!(!sound);
        let places: Vec<_> = found
            .iter()
            .map(|line| line.split(": ").next().unwrap())
            .collect();
        assert_eq!(
            places,
            [
                "packs/desk/a.task.yaml:1:5",
                "packs/desk/b.task.yaml:2:1",
                "packs/desk/pack.yaml:1:1"
            ]
        );
    }

    #[test]
    fn two_tasks_of_one_id_name_both_files() {
        let one = format!("id: one\n{SOUND}");
        let (sound, found) = read(None, &[("a.task.yaml", &one), ("b.task.yaml", &one)]);
        assert!(!sound);
        assert!(
            found[0].contains("a.task.yaml:1") && found[0].contains("b.task.yaml:1"),
            "{found:?}"
        );
        assert!(read(None, &[("a.task.yaml", &one)]).0);
    }

    #[test]
    fn a_file_that_would_be_passed_over_is_named() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let found = task_files(paths(&[
            "b.task.yaml",
            "pack.yaml",
            "a.task.yaml",
            "notes.yml",
        ]));
        assert_eq!(found.unwrap(), paths(&["a.task.yaml", "b.task.yaml"]));
        let found = task_files(paths(&["a.task.yaml", "b.task.yml"]));
        assert_eq!(found.unwrap_err(), PathBuf::from("b.task.yml"));
    }
}
