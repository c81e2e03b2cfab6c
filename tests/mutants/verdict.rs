//! What is said in the end: a table of all outcomes, and the survivors that have no reason.

use crate::Done;
use crate::judge::Outcome;
use crate::listing::Mutant;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The page with the reason of each mutant that may survive: its name without line and column, in
/// code marks.
const PAGE: &str = "docs/decisions/mutants.md";

/// Writes `outcomes.tsv`, prints a line for each file and every survivor without a reason; whether
/// there was none.
///
/// # Errors
///
/// The page can't be read or the table not be written.
pub fn said(
    root: &Path,
    place: &Path,
    mutants: &[Mutant],
    outcomes: &BTreeMap<u32, Outcome>,
) -> Done<bool> {
    let page = fs::read_to_string(root.join(PAGE))?;
    let mut table = String::new();
    let mut files: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
    let mut left: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mutant in mutants {
        let outcome = outcomes.get(&mutant.id).unwrap_or(&Outcome::Unplaced);
        let column = match outcome {
            Outcome::Found(_) => 0,
            Outcome::Stopped => 1,
            Outcome::Survived | Outcome::Unreached => 2,
            Outcome::Unviable => 3,
            Outcome::Unplaced => 4,
        };
        let word = outcome.to_string();
        writeln!(table, "{}\t{word}", mutant.name)?;
        files.entry(&mutant.file).or_default()[column] += 1;
        if matches!(column, 2 | 4) {
            let line = format!("{}: {}", word.trim(), mutant.name);
            left.entry(known_as(mutant)).or_default().push(line);
        }
    }
    fs::write(place.join("outcomes.tsv"), table)?;
    println!("file: found, stopped, survived, do not compile, not tried");
    for (file, [found, stopped, survived, unviable, unplaced]) in files {
        println!("{file}: {found}, {stopped}, {survived}, {unviable}, {unplaced}");
    }
    let without_reason = without_reason(&page, &left);
    for line in &without_reason {
        println!("{line}");
    }
    println!("{} mutants want a test or a reason", without_reason.len());
    Ok(without_reason.is_empty())
}

/// The mutants whose name the page does not have as often as they are: one reason excuses one of them.
fn without_reason<'l>(page: &str, left: &'l BTreeMap<String, Vec<String>>) -> Vec<&'l String> {
    let wanting = left
        .iter()
        .filter(|(name, lines)| page.matches(&format!("`{name}`")).count() < lines.len());
    wanting.flat_map(|(_, lines)| lines).collect()
}

/// The name that stays the same when a line is added above: `stats/units.rs: what`.
fn known_as(mutant: &Mutant) -> String {
    let what = mutant.name.splitn(4, ':').nth(3).unwrap_or("").trim();
    let file = mutant.file.trim_start_matches("crossbar/src/");
    format!("{file}: {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_reason_excuses_one_mutant() {
        let two = vec!["survived: a".to_owned(), "survived: b".to_owned()];
        let left = BTreeMap::from([("stats/x.rs: replace < with <=".to_owned(), two)]);
        let reason = "| `stats/x.rs: replace < with <=` | nothing lies on the bound |\n";
        assert_eq!(without_reason("", &left).len(), 2);
        assert_eq!(without_reason(reason, &left).len(), 2);
        assert!(without_reason(&reason.repeat(2), &left).is_empty());
    }
}
