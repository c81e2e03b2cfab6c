//! Where the roster is, and where runs are kept.

use super::{RunOptions, SessionError};
use std::path::{Path, PathBuf};

/// The roster's file name.
pub(super) const ROSTER: &str = "crossbar.yaml";

/// The file that somebody named, else the first `crossbar.yaml` upwards from `from`, up to the
/// workspace root (a folder with a `Cargo.lock` or `.git`).
pub(super) fn roster(named: Option<&Path>, from: &Path) -> Result<PathBuf, SessionError> {
    if let Some(path) = named {
        let path = from.join(path);
        return if path.is_file() {
            Ok(path)
        } else {
            Err(absent(&path))
        };
    }
    let mut within = up_to_the_root(from).map(|folder| folder.join(ROSTER));
    if let Some(path) = within.find(|path| path.is_file()) {
        return Ok(path);
    }
    Err(SessionError::new(format!(
        "found no {ROSTER} in {} or above it",
        from.display()
    ))
    .help("crossbar init writes one to begin with; --config names one that is elsewhere"))
}

/// The roster's file, or `None` where there is none and the run does without: it brings its own cell.
pub(super) fn roster_or_ad_hoc(
    options: &RunOptions,
    from: &Path,
) -> Result<Option<PathBuf>, SessionError> {
    match roster(options.config.as_deref(), from) {
        Err(_) if options.ad_hoc.is_some() && options.config.is_none() => Ok(None),
        found => found.map(Some),
    }
}

/// The folder where relative paths begin: the roster's, else the workspace root.
pub(super) fn root(roster: Option<&Path>, from: &Path) -> PathBuf {
    match roster {
        Some(roster) => roster.parent().unwrap_or(from).to_owned(),
        None => workspace_root(from),
    }
}

/// The folders from `from` upwards to the workspace root, which is the last of them.
fn up_to_the_root(from: &Path) -> impl Iterator<Item = &Path> {
    let mut over = false;
    from.ancestors()
        .take_while(move |folder| !std::mem::replace(&mut over, is_root(folder)))
}

fn is_root(folder: &Path) -> bool {
    folder.join("Cargo.lock").is_file() || folder.join(".git").exists()
}

/// The workspace root above `from`; `from` itself where there is none.
pub(super) fn workspace_root(from: &Path) -> PathBuf {
    let root = from.ancestors().find(|folder| is_root(folder));
    root.unwrap_or(from).to_owned()
}

fn absent(path: &Path) -> SessionError {
    SessionError::new(format!("there is no roster at {}", path.display()))
        .help("check --config or CROSSBAR_CONFIG")
}

/// Where runs are kept: what somebody chose, else the roster's word, else `runs`; relative paths
/// begin at the roster's folder.
pub(super) fn results_dir(chosen: Option<&Path>, roster: Option<&str>, root: &Path) -> PathBuf {
    match (chosen, roster) {
        (Some(path), _) => root.join(path),
        (None, Some(text)) => root.join(text),
        (None, None) => root.join("runs"),
    }
}

/// The last part of a path; empty where it has none.
pub(super) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Where accepted references are kept: beside the roster, in the repository.
pub(super) fn references_dir(root: &Path) -> PathBuf {
    root.join("references")
}

/// Every folder below `root` that holds a `*.task.yaml` (or a misnamed one), sorted; `runs`, `target` and hidden
/// folders are left out, and so is a folder with a roster of its own.
pub(super) fn pack_folders(root: &Path) -> Result<Vec<PathBuf>, SessionError> {
    let mut found = Vec::new();
    walk(root, root, &mut found)?;
    found.sort();
    Ok(found)
}

fn walk(folder: &Path, root: &Path, found: &mut Vec<PathBuf>) -> Result<(), SessionError> {
    if folder != root && folder.join(ROSTER).is_file() {
        return Ok(());
    }
    let entries = std::fs::read_dir(folder).map_err(|error| {
        SessionError::new(format!(
            "failed to read the folder {}: {error}",
            folder.display()
        ))
    })?;
    let mut has_task = false;
    for entry in entries.flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if has_task && !is_folder {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_folder && !name.starts_with('.') && name != "runs" && name != "target" {
            walk(&entry.path(), root, found)?;
        }
        // A folder of misnamed tasks alone is a pack too: its reader says how they must end.
        has_task |= !is_folder && (name.ends_with(".task.yaml") || name.ends_with(".task.yml"));
    }
    if has_task {
        found.push(folder.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_roster_is_found_upwards_and_not_beyond_the_workspace() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("ws/member/src");
        fs::create_dir_all(&deep).unwrap();
        fs::write(root.path().join(ROSTER), "").unwrap();
        fs::write(root.path().join("ws/Cargo.lock"), "").unwrap();
        assert!(roster(None, &deep).is_err(), "the workspace ends below it");
        fs::write(root.path().join("ws").join(ROSTER), "").unwrap();
        assert_eq!(
            roster(None, &deep).unwrap(),
            root.path().join("ws").join(ROSTER)
        );
        assert!(roster(Some(Path::new("other.yaml")), &deep).is_err());
    }

    #[test]
    fn packs_are_found_below_and_runs_are_not_packs() {
        let root = tempfile::tempdir().unwrap();
        for folder in [
            "packs/b",
            "packs/a",
            "runs/x",
            "target/y",
            ".git/z",
            "inner/tasks",
        ] {
            let folder = root.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("one.task.yaml"), "").unwrap();
        }
        fs::write(root.path().join("inner").join(ROSTER), "").unwrap();
        let found = pack_folders(root.path()).unwrap();
        assert_eq!(
            found,
            [root.path().join("packs/a"), root.path().join("packs/b")]
        );
    }
}
