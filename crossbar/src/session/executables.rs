//! The files of executables that are harnesses: where they are, and what is in them.

use super::additions::Around;
use super::load::Notes;
use crate::domain::Executable;
use crate::fingerprint::of_bytes;
use crate::pack::Roster;
use std::fs;

/// Finds the files that harnesses of kind `command` name, and hashes them, so that a change of them
/// is a change of the cell. One that is not there is noted.
pub(super) fn find(roster: &mut Roster, around: Around<'_>, notes: &mut Notes) {
    for harness in &mut roster.harnesses {
        let Some(command) = &mut harness.command else {
            continue;
        };
        let words = std::iter::once(&command.program).chain(&command.args);
        let paths: Vec<String> = words
            .filter(|word| Executable::is_path(word))
            .cloned()
            .collect();
        for written in paths {
            let path = around.root.join(&written);
            match fs::read(&path) {
                Ok(bytes) => {
                    command.files.insert(written.clone(), of_bytes(&bytes));
                    let place = std::path::absolute(&path).unwrap_or(path);
                    let place = place.to_string_lossy().into_owned();
                    command.places.insert(written, place);
                }
                Err(error) => notes.errors.push(format!(
                    "error: harness `{}`: {written} can't be read: {error}\nhelp: its path begins at the roster, {}",
                    harness.id,
                    around.file.path()
                )),
            }
        }
    }
}
