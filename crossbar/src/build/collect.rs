//! Reading the folder: its texts, what is wrong with them, and what cargo has to watch.

use crate::domain::{Control, Unmet};
use crate::pack::{PackTexts, read_texts, task_files};
use crate::source::{File, Severity, one_line};
use crate::task::Task;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A pack without an error.
#[derive(Debug, PartialEq)]
pub(super) struct Collected {
    /// Its folder, as the build script names it.
    pub(super) folder: String,
    /// Its folder, resolved.
    pub(super) identity: PathBuf,
    /// The text of its `pack.yaml`.
    pub(super) about: Option<String>,
    /// The task files, sorted.
    pub(super) files: Vec<TaskText>,
}

/// A task file, and what listing its cases takes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TaskText {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) id: String,
    pub(super) line: u32,
    /// What stands in a cell's place in its controls, the no-op first.
    pub(super) controls: Vec<String>,
    pub(super) min_pass_rate: Option<f64>,
    /// What keeps it from running: then it is read whenever its cases are listed.
    pub(super) unmet: BTreeSet<Unmet>,
}

impl Collected {
    /// The pack's id: the name of its folder.
    pub(super) fn id(&self) -> String {
        name_of(&self.identity)
    }
}

/// What was found in a folder.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) pack: Option<Collected>,
    /// What cargo has to watch.
    pub(super) watched: Vec<PathBuf>,
    /// A line each.
    pub(super) errors: Vec<String>,
    /// A line each.
    pub(super) warnings: Vec<String>,
}

/// Reads the pack in `folder` of the package in `package`.
pub(super) fn collect(package: &Path, folder: &Path) -> Found {
    let shown = folder.to_string_lossy().replace('\\', "/");
    let shown = shown.trim_end_matches('/').to_owned();
    let place = package.join(folder);
    let mut found = Found {
        watched: vec![place.clone()],
        ..Found::default()
    };
    let read = texts(&place, &shown, &mut found);
    let texts = match read {
        Ok(texts) => texts,
        Err(problem) => {
            found.errors.push(problem);
            return found;
        }
    };
    let mut pack = Collected {
        folder: shown,
        identity: PathBuf::from(&texts.folder),
        about: texts.about.as_ref().map(|file| file.text().to_owned()),
        files: Vec::new(),
    };
    let files = texts.tasks.clone();
    // what is set where the tests run is not known here
    let read = read_texts(texts, &|_| Some(String::new()));
    for one in read.found.iter().flat_map(|(_, found)| found) {
        match one.severity {
            Severity::Error => found.errors.push(one_line(one)),
            Severity::Warning => found.warnings.push(one_line(one)),
        }
    }
    if let (true, Some(sound)) = (found.errors.is_empty(), read.pack) {
        let files = files.iter().zip(&sound.tasks);
        pack.files = files.map(|(file, task)| known(file, task)).collect();
        found.pack = Some(pack);
    }
    found
}

fn known(file: &File, task: &Task) -> TaskText {
    let declared = task.declared.as_ref();
    let solution = declared.and_then(|declared| declared.demo.as_ref());
    let broken = declared.map_or(&[][..], |declared| &declared.broken);
    let controls = Control::of_task(solution, broken).into_iter();
    TaskText {
        name: name_of(Path::new(file.path())),
        text: file.text().to_owned(),
        id: task.id.task().to_owned(),
        line: task.place.line,
        controls: controls
            .filter_map(|(control, _)| control.cell().ok())
            .map(|cell| cell.to_string())
            .collect(),
        min_pass_rate: task.min_pass_rate,
        unmet: task.unmet.clone(),
    }
}

fn texts(place: &Path, shown: &str, found: &mut Found) -> Result<PackTexts, String> {
    let cannot = |error: std::io::Error| format!("{shown}: failed to read the folder: {error}");
    let entries = std::fs::read_dir(place).map_err(cannot)?;
    let paths = entries.flatten().map(|entry| entry.path()).collect();
    let paths = task_files(paths).map_err(|path| {
        let name = name_of(&path);
        format!("{shown}/{name}:1:1: file would be passed over (task files end in `.task.yaml`)")
    })?;
    let mut tasks = Vec::new();
    for path in paths {
        tasks.push(text(&path, shown)?);
        found.watched.push(path);
    }
    let described = place.join("pack.yaml");
    let about = described
        .is_file()
        .then(|| text(&described, shown))
        .transpose()?;
    let identity = place.canonicalize().map_err(cannot)?;
    Ok(PackTexts {
        id: name_of(&identity),
        shown: shown.to_owned(),
        folder: identity.to_string_lossy().into_owned(),
        about,
        tasks,
        unread: 0,
    })
}

fn text(path: &Path, shown: &str) -> Result<File, String> {
    let shown = format!("{shown}/{}", name_of(path));
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("{shown}:1:1: failed to read it as UTF-8: {error}"))?;
    Ok(File::new(shown, text))
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_one_line_with_its_place() {
        let package = tempfile::tempdir().unwrap();
        let folder = package.path().join("desk");
        std::fs::create_dir(&folder).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write("a.task.yaml", "id: a\nprompt: [\n");
        write("b.task.yaml", "id: b\npromt: x\nchecks: []\n");
        write("pack.yaml", "nam: Desk\n");
        let found = collect(package.path(), Path::new("desk/"));
        assert_eq!(found.pack, None);
        let place = |line: &String| line.split(": ").next().unwrap().to_owned();
        let places: Vec<String> = found.errors.iter().map(place).collect();
        assert_eq!(
            places,
            [
                "desk/a.task.yaml:2:9",
                "desk/b.task.yaml:2:1",
                "desk/b.task.yaml:3:9",
                "desk/pack.yaml:1:1"
            ]
        );
        assert!(
            found.errors.iter().all(|line| !line.contains('\n')),
            "{:?}",
            found.errors
        );
        assert_eq!(found.watched.len(), 3);
    }

    #[test]
    fn a_folder_that_is_not_there_is_watched_too() {
        let package = tempfile::tempdir().unwrap();
        let found = collect(package.path(), Path::new("desk"));
        assert_eq!(found.watched, [package.path().join("desk")]);
        assert!(
            found.errors[0].starts_with("desk: failed to read"),
            "{:?}",
            found.errors
        );
    }
}
