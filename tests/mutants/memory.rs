//! What was tried before, so that a run that was stopped goes on where it was.

use crate::Done;
use crate::judge::Outcome;
use crate::listing::Mutant;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// The outcomes so far, and the file that keeps them.
pub struct Memory {
    names: BTreeMap<u32, String>,
    /// What became of a mutant, by its number.
    pub known: BTreeMap<u32, Outcome>,
    file: File,
}

/// Reads what was tried.
///
/// # Errors
///
/// The file can't be written.
pub fn open(place: &Path, mutants: &[Mutant]) -> Done<Memory> {
    let path = place.join("tried.tsv");
    let text = fs::read_to_string(&path).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    let before: BTreeMap<&str, &str> = lines.collect();
    let known = mutants.iter().filter_map(|mutant| {
        let word = before.get(mutant.name.as_str())?;
        Some((mutant.id, Outcome::read(word)?))
    });
    Ok(Memory {
        names: mutants
            .iter()
            .map(|one| (one.id, one.name.clone()))
            .collect(),
        known: known.collect(),
        file: File::options().create(true).append(true).open(path)?,
    })
}

impl Memory {
    /// Keeps an outcome.
    ///
    /// # Errors
    ///
    /// The file can't be written.
    pub fn keep(&mut self, id: u32, outcome: &Outcome) -> Done<()> {
        if let Some(name) = self.names.get(&id) {
            writeln!(self.file, "{name}\t{outcome}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::Genre;

    #[test]
    fn what_was_tried_is_not_tried_again() {
        let place = tempfile::tempdir().unwrap();
        let mutant = |id| Mutant {
            id,
            name: format!("a.rs:{id}:1: replace + with -"),
            file: "a.rs".to_owned(),
            at: (1, 1),
            replacement: "-".to_owned(),
            genre: Genre::Binary,
            is_opaque: false,
        };
        let mutants: Vec<Mutant> = (1..=5).map(mutant).collect();
        let outcomes = [
            Outcome::Found("sums::add".to_owned()),
            Outcome::Stopped,
            Outcome::Survived,
            Outcome::Unreached,
        ];
        let mut first = open(place.path(), &mutants).unwrap();
        assert!(first.known.is_empty());
        for (id, outcome) in (1..).zip(&outcomes) {
            first.keep(id, outcome).unwrap();
        }
        let second = open(place.path(), &mutants).unwrap();
        assert_eq!(second.known, (1..).zip(outcomes).collect());
    }
}
