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
    let files = files(concluded)?;
    let own = results_dir.join(concluded.run().as_str());
    let latest = results_dir.join("latest");
    for folder in [Some(own.as_path()), Some(latest.as_path()), out]
        .into_iter()
        .flatten()
    {
        replace(folder, &files)?;
    }
    Ok(own)
}

type Files = Vec<(String, String)>;

fn files(concluded: &Concluded) -> Result<Files, SessionError> {
    let mut files = Vec::new();
    for format in FORMATS {
        if let Some(file) = format.file {
            files.push((
                file.to_owned(),
                concluded.render(format.name, Styles::Plain)?,
            ));
        }
    }
    let paths = TracePaths::new(concluded.rollouts(), of_bytes);
    let frozen = concluded.frozen();
    for rollout in concluded.rollouts() {
        let text = trace_text(&frozen, rollout, of_bytes).map_err(|error| {
            SessionError::new(format!(
                "failed to write the trace of {}: {error}",
                rollout.key
            ))
        })?;
        files.push((paths.path(&rollout.key), text));
    }
    Ok(files)
}

/// Traces of an earlier run must not stay beside these.
fn replace(folder: &Path, files: &Files) -> Result<(), SessionError> {
    let failed = |path: &Path, error: std::io::Error| {
        SessionError::new(format!("failed to write {}: {error}", path.display()))
    };
    let traces = folder.join("traces");
    if traces.is_dir() {
        std::fs::remove_dir_all(&traces).map_err(|error| failed(&traces, error))?;
    }
    for (name, text) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| failed(parent, error))?;
        }
        std::fs::write(&path, text).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}
