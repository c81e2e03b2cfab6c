//! A run that was put together from parts: it lies in no record, and its sweep.json holds all of it.

use super::recorded::open;
use super::{Concluded, SessionError, from_sweep, stored};
use std::path::{Path, PathBuf};

/// How the ids of such runs begin.
pub(super) const MERGED: &str = "merged-";

/// The run that is meant, where it is a merged one: by its id, or as `latest` while no run of the
/// record was begun after it. `None` = it is one of the record.
///
/// # Errors
/// `SessionError` when its sweep.json can't be read.
pub(super) fn find(results_dir: &Path, name: &str) -> Result<Option<Concluded>, SessionError> {
    if name == "latest" {
        return newest(results_dir);
    }
    let file = file(results_dir, name);
    if !name.starts_with(MERGED) || !file.is_file() {
        return Ok(None);
    }
    read(&file).map(Some)
}

fn newest(results_dir: &Path) -> Result<Option<Concluded>, SessionError> {
    let file = file(results_dir, "latest");
    if !is_merged(&file) {
        return Ok(None);
    }
    let merged = read(&file)?;
    let made = &merged.frozen().meta.made.created_at;
    let record = stored::path(results_dir);
    let is_older = match record.is_file() {
        true => open(&record)?
            .runs()?
            .first()
            .is_some_and(|run| run.created_at > *made),
        false => false,
    };
    Ok((!is_older).then_some(merged))
}

/// Whether a sweep.json is that of a merged run, by its first lines: the whole may be large.
fn is_merged(file: &Path) -> bool {
    use std::io::Read;
    let mut head = String::new();
    let opened = std::fs::File::open(file).map(|file| file.take(200));
    let read = opened.and_then(|mut file| file.read_to_string(&mut head));
    read.is_ok() && head.contains(&format!("\"run_id\": \"{MERGED}"))
}

fn file(results_dir: &Path, run: &str) -> PathBuf {
    results_dir.join(run).join("sweep.json")
}

fn read(file: &Path) -> Result<Concluded, SessionError> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        SessionError::new(format!("failed to read {}: {error}", file.display()))
    })?;
    from_sweep(&text)
}
