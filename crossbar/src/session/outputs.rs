//! Writing the files of a run: its own folder, `latest`, and wherever else somebody wants them.

use super::{Concluded, SessionError};
use crate::fingerprint::of_bytes;
use crate::report::{FORMATS, Styles, TracePaths, trace_text};
use std::path::{Path, PathBuf};

/// Writes every file of a run and says where: the run's folder first.
///
/// # Errors
/// `SessionError` names the file that could not be written.
pub fn write(
    concluded: &Concluded,
    results_dir: &Path,
    out: Option<&Path>,
) -> Result<PathBuf, SessionError> {
    let own = results_dir.join(concluded.run().as_str());
    let latest = results_dir.join("latest");
    let folders: Vec<&Path> = [Some(own.as_path()), Some(latest.as_path()), out]
        .into_iter()
        .flatten()
        .collect();
    for folder in &folders {
        clear(folder)?;
    }
    for format in FORMATS {
        if let Some(file) = format.file {
            let text = concluded.render(format.name, Styles::Plain)?;
            everywhere(&folders, file, &text)?;
        }
    }
    traces(concluded, &folders)?;
    Ok(own)
}

/// Writes the traces one by one: all of them at once would be most of a large run's memory.
fn traces(concluded: &Concluded, folders: &[&Path]) -> Result<(), SessionError> {
    let paths = TracePaths::new(concluded.rollouts(), of_bytes);
    let frozen = concluded.frozen();
    for rollout in concluded.rollouts() {
        let text = trace_text(&frozen, rollout, of_bytes).map_err(|error| {
            SessionError::new(format!(
                "failed to write the trace of {}: {error}",
                rollout.key
            ))
        })?;
        everywhere(folders, &paths.path(&rollout.key), &text)?;
    }
    Ok(())
}

/// Traces of an earlier run must not stay beside these. A folder without a sweep.json was not
/// written by us, and what it calls `traces` is somebody's own.
fn clear(folder: &Path) -> Result<(), SessionError> {
    let traces = folder.join("traces");
    if traces.is_dir() && folder.join("sweep.json").is_file() {
        std::fs::remove_dir_all(&traces).map_err(|error| failed(&traces, &error))?;
    }
    Ok(())
}

fn everywhere(folders: &[&Path], name: &str, text: &str) -> Result<(), SessionError> {
    for folder in folders {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
        }
        std::fs::write(&path, text).map_err(|error| failed(&path, &error))?;
    }
    Ok(())
}

fn failed(path: &Path, error: &std::io::Error) -> SessionError {
    SessionError::new(format!("failed to write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_traces_are_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let trace = folder.path().join("traces/mine.txt");
        std::fs::create_dir(folder.path().join("traces")).unwrap();
        std::fs::write(&trace, "kept").unwrap();
        clear(folder.path()).unwrap();
        assert!(trace.is_file(), "somebody's own folder");
        std::fs::write(folder.path().join("sweep.json"), "{}").unwrap();
        clear(folder.path()).unwrap();
        assert!(!trace.exists(), "an earlier run's");
    }
}
