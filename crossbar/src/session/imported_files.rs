//! The files and folders of results that `analyze` is given.

use super::SessionError;
use crate::domain::CellId;
use crate::fingerprint::{of_bytes, of_list};
use crate::import::{Given, HARBOR_RESULT, Member};
use std::io::ErrorKind;
use std::path::Path;

/// The file or folder of FILE or NAME=FILE. A file that is really called so is no name.
///
/// # Errors
/// `SessionError` when it can't be read, or the name is none.
pub(super) fn given(named: &str, scorer: Option<String>) -> Result<Given, SessionError> {
    let (cell, path) = match named.split_once('=') {
        Some((name, path)) if !Path::new(named).exists() => (Some(name), path),
        _ => (None, named),
    };
    let cell = cell.map(CellId::imported).transpose().map_err(|error| {
        SessionError::new(error.to_string()).help("give the file as NAME=FILE, or as FILE alone")
    })?;
    let is_folder = Path::new(path).is_dir();
    let members = if is_folder {
        members(path)?
    } else {
        Vec::new()
    };
    let bytes = if is_folder { Vec::new() } else { bytes(path)? };
    let path = path.to_owned();
    Ok(Given {
        cell,
        path,
        scorer,
        bytes,
        members,
    })
}

fn bytes(path: &str) -> Result<Vec<u8>, SessionError> {
    std::fs::read(path).map_err(|error| unreadable(path, &error))
}

/// That a file or a folder can't be read, with what to do about it.
fn unreadable(path: &str, error: &std::io::Error) -> SessionError {
    let help = match error.kind() {
        ErrorKind::NotFound => {
            "give a file that is there, from the current folder on; NAME=FILE says what its cell is \
             called"
        }
        ErrorKind::PermissionDenied => "give a file that you may read, or change who may read it",
        _ => "give a file of results, or the folder of a job of Harbor",
    };
    SessionError::new(format!("failed to read {path}: {error}")).help(help)
}

/// The results that a folder and the folders in it hold, sorted.
fn members(folder: &str) -> Result<Vec<Member>, SessionError> {
    let failed = |error: std::io::Error| unreadable(folder, &error);
    let mut paths = vec![Path::new(folder).join(HARBOR_RESULT)];
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path().join(HARBOR_RESULT));
    }
    paths.sort();
    let paths = paths.iter().filter(|path| path.is_file());
    let members = paths.map(|path| {
        let path = path.display().to_string();
        let bytes = bytes(&path)?;
        Ok(Member { path, bytes })
    });
    let members = members.collect::<Result<Vec<_>, SessionError>>()?;
    if members.is_empty() {
        let what = format!("there is no {HARBOR_RESULT} in {folder}, nor in a folder in it");
        let help = "give a file, or the folder of a job of Harbor";
        return Err(SessionError::new(what).help(help));
    }
    Ok(members)
}

/// What names the content of a file or a folder.
pub(super) fn hash(given: &Given) -> String {
    if given.members.is_empty() {
        return of_bytes(&given.bytes);
    }
    let members = given.members.iter();
    of_list(members.map(|member| of_bytes(&member.bytes).into()))
}
