//! What is said in the end: a table of all outcomes, and the survivors that have no reason.

use crate::Done;
use crate::judge::Outcome;
use crate::listing::Mutant;
use std::collections::BTreeMap;
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
    let mut without_reason = Vec::new();
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
        table.push_str(&format_args!("{}\t{word}\n", mutant.name).to_string());
        files.entry(&mutant.file).or_default()[column] += 1;
        if matches!(column, 2 | 4) && !page.contains(&format!("`{}`", known_as(mutant))) {
            without_reason.push(format!("{}: {}", word.trim(), mutant.name));
        }
    }
    fs::write(place.join("outcomes.tsv"), table)?;
    println!("file: found, stopped, survived, do not compile, not tried");
    for (file, [found, stopped, survived, unviable, unplaced]) in files {
        println!("{file}: {found}, {stopped}, {survived}, {unviable}, {unplaced}");
    }
    for line in &without_reason {
        println!("{line}");
    }
    println!("{} mutants want a test or a reason", without_reason.len());
    Ok(without_reason.is_empty())
}

/// The name that stays the same when a line is added above: `stats/units.rs: what`.
fn known_as(mutant: &Mutant) -> String {
    let what = mutant.name.splitn(4, ':').nth(3).unwrap_or("").trim();
    let file = mutant.file.trim_start_matches("crossbar/src/");
    format!("{file}: {what}")
}
