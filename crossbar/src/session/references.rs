//! The files of accepted references: `references/<pack>/<cell>.jsonl` beside the roster.

use super::SessionError;
use crate::domain::{CellId, Reference};
use crate::report::{ReportError, read_references, write_references};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The file of a pack and a cell.
pub(super) fn file(folder: &Path, pack: &str, cell: &CellId) -> PathBuf {
    folder.join(pack).join(name(cell))
}

/// A cell's file in the folder of any pack.
pub(super) fn name(cell: &CellId) -> String {
    format!("{cell}.jsonl")
}

/// The accepted records of a cell over these packs; none where nobody has accepted any.
///
/// # Errors
/// `SessionError` names the file and the line that can't be read.
pub(super) fn read(
    folder: &Path,
    cell: &CellId,
    packs: &BTreeSet<String>,
) -> Result<Vec<Reference>, SessionError> {
    let mut records = Vec::new();
    for pack in packs {
        records.extend(read_file(&file(folder, pack, cell), pack)?);
    }
    Ok(records)
}

/// The packs that have references, sorted.
///
/// # Errors
/// `SessionError` when the folder can't be read.
pub(super) fn packs(folder: &Path) -> Result<BTreeSet<String>, SessionError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(failed("read", folder, &error)),
    };
    let folders = entries.flatten().filter(|entry| entry.path().is_dir());
    let packs = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(packs.collect())
}

/// The cells that have a reference in any of these packs.
///
/// # Errors
/// `SessionError` when a folder can't be read.
pub(super) fn cells(
    folder: &Path,
    packs: &BTreeSet<String>,
) -> Result<BTreeSet<CellId>, SessionError> {
    let mut found = BTreeSet::new();
    for pack in packs {
        let folder = folder.join(pack);
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed("read", &folder, &error)),
        };
        let names = entries.flatten().map(|entry| entry.file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        found.extend(names.filter_map(|name| CellId::parse(name.strip_suffix(".jsonl")?).ok()));
    }
    Ok(found)
}

/// The records of one file; none where there is no file.
///
/// # Errors
/// `SessionError` names the file and the line.
pub(super) fn read_file(path: &Path, pack: &str) -> Result<Vec<Reference>, SessionError> {
    match std::fs::read_to_string(path) {
        Ok(text) => parse(&text, pack, &path.display().to_string()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(failed("read", path, &error)),
    }
}

/// The records of a text that stands at `place`.
///
/// # Errors
/// `SessionError` names the place and the line.
pub(super) fn parse(text: &str, pack: &str, place: &str) -> Result<Vec<Reference>, SessionError> {
    read_references(text, pack).map_err(|error| {
        let (line, what) = match error {
            ReportError::Reference { line, what } => (line, what),
            other => (1, other.to_string()),
        };
        SessionError::new(format!("{what}\n  --> {place}:{line}")).help(
            "a reference is only written by `crossbar accept`: take one side of the file whole, \
             run again, and accept that run",
        )
    })
}

/// Writes a file, or removes it where no record is left.
///
/// # Errors
/// `SessionError` names the file.
pub(super) fn write(path: &Path, records: &[Reference]) -> Result<(), SessionError> {
    if records.is_empty() {
        return match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(failed("remove", path, &error))
            }
            _ => Ok(()),
        };
    }
    let text = write_references(records).map_err(|error| SessionError::new(error.to_string()))?;
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|error| failed("make", parent, &error))?;
    }
    std::fs::write(path, text).map_err(|error| failed("write", path, &error))
}

fn failed(verb: &str, path: &Path, error: &std::io::Error) -> SessionError {
    SessionError::new(format!("failed to {verb} {}: {error}", path.display()))
}
