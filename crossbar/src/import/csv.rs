//! Tables: one line per rollout, comma-separated. crossbar's own rollouts.csv is one.

mod columns;
mod line;
mod records;

pub use columns::{COLUMNS, Column, Need};

use super::error::ImportError;
use super::found::{Found, Given, Numbering, Read};
use crate::source::{Colour, File, Problems, closest, render};
use line::Line;
use records::{Record, records};
use std::collections::{BTreeMap, BTreeSet};

/// The column that only the table of a replay has.
const REPLAY: &str = "replay_of";

/// Whether it is a table, by its name.
pub(super) fn is_one(given: &Given) -> bool {
    given.path.to_ascii_lowercase().ends_with(".csv")
}

/// Reads a table.
///
/// # Errors
/// `ImportError::NotText`, or `ImportError::InFile` with every problem at its line and column.
pub(super) fn read(given: &Given) -> Result<Read, ImportError> {
    let text = str::from_utf8(&given.bytes).map_err(|error| ImportError::NotText {
        path: given.path.clone(),
        at: error.valid_up_to(),
    })?;
    let file = File::new(given.path.as_str(), text);
    let problems = Problems::new(given.path.as_str());
    let records = records(&file, &problems);
    let (found, notes) = rows(given, &file, &records, &problems);
    let rendered: Vec<String> = problems
        .into_vec()
        .iter()
        .map(|problem| render(problem, &file, Colour::Plain))
        .collect();
    if !rendered.is_empty() {
        return Err(ImportError::InFile(rendered.join("\n")));
    }
    Ok(Read {
        path: given.path.clone(),
        format: "csv",
        numbering: Numbering::Written,
        found,
        expected: Vec::new(),
        notes,
    })
}

fn rows(
    given: &Given,
    file: &File,
    records: &[Record],
    problems: &Problems,
) -> (Vec<Found>, Vec<String>) {
    let Some((head, lines)) = records.split_first() else {
        return (Vec::new(), Vec::new());
    };
    let (columns, unused) = heading(given, file, head, problems);
    if problems.has_errors() {
        return (Vec::new(), Vec::new());
    }
    let mut found = Vec::new();
    for record in lines {
        let line = Line {
            file,
            problems,
            columns: &columns,
            record,
        };
        if record.fields.len() == head.fields.len() {
            found.extend(line.found(given));
        } else {
            let (has, wanted) = (record.fields.len(), head.fields.len());
            line.wrong_as_a_whole(&format!("{has} fields, and the heading has {wanted}"));
        }
    }
    let mut notes = Vec::new();
    if !unused.is_empty() {
        let names = unused.join(", ");
        notes.push(format!("{}: not used: column {names}", given.path));
    }
    (found, notes)
}

/// Where each known column is, and the names of the others.
fn heading(
    given: &Given,
    file: &File,
    head: &Record,
    problems: &Problems,
) -> (BTreeMap<&'static str, usize>, Vec<String>) {
    let (mut columns, mut unused, mut seen) = (BTreeMap::new(), Vec::new(), BTreeSet::new());
    for (at, field) in head.fields.iter().enumerate() {
        let name = field.text.to_ascii_lowercase();
        let place = file.span(field.start, field.end);
        if name == REPLAY {
            let what = "this is the table of a replay, which says nothing about the models";
            problems.error_help(place, what, "give the table of the run that was recorded");
        }
        match COLUMNS.iter().find(|column| column.name == name) {
            Some(column) => drop(columns.insert(column.name, at)),
            None => unused.push(field.text.clone()),
        }
        if !seen.insert(name) {
            let help = "leave one of them out";
            problems.error_help(place, format!("column `{}` stands twice", field.text), help);
        }
    }
    for (one, other) in [("stratum", "stratum_share"), ("stratum_share", "stratum")] {
        if columns.contains_key(one) && !columns.contains_key(other) {
            columns.remove(one);
            unused.push(format!("{one} (it needs `{other}` beside it)"));
        }
    }
    for column in &COLUMNS {
        let needed = match column.need {
            Need::Always => true,
            Need::UnlessNamed => given.cell.is_none(),
            Need::Never => false,
        };
        if needed && !columns.contains_key(column.name) {
            let place = file.span(0, head.fields.last().map_or(0, |field| field.end));
            let help = absent(column.name, &unused, &columns);
            problems.error_help(place, format!("no column `{}`", column.name), help);
        }
    }
    (columns, unused)
}

/// What to do about a column that is not there.
fn absent(name: &str, unused: &[String], columns: &BTreeMap<&str, usize>) -> String {
    let doc = COLUMNS.iter().find(|column| column.name == name);
    let doc = doc.map_or("", |column| column.doc);
    let lowered: Vec<String> = unused
        .iter()
        .map(|name| name.to_ascii_lowercase())
        .collect();
    if let Some(near) = closest(name, lowered.iter().map(String::as_str)) {
        return format!("is it `{near}`? it holds {doc}");
    }
    if columns.is_empty() && unused.len() == 1 && unused[0].contains([';', '\t']) {
        return "separate the fields by commas".to_owned();
    }
    match name {
        "passed" if columns.contains_key("score") => {
            "a graded score is no pass: decide which scores pass, and write true or false"
                .to_owned()
        }
        "cell" => format!("it holds {doc}; where the file is of one cell, give it as NAME=FILE"),
        _ => format!("it holds {doc}"),
    }
}

#[cfg(test)]
mod tests;
