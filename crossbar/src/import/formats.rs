//! The table of formats. A new one is one file and one line here.

use super::error::ImportError;
use super::found::{Given, Read};
use super::{csv, harbor, inspect, junit, promptfoo, tau2};

/// One format that can be read.
#[derive(Clone, Copy)]
pub struct Format {
    /// Its name, as reports print it.
    pub name: &'static str,
    /// One line for messages and documentation.
    pub doc: &'static str,
    is_one: fn(&Given) -> bool,
    read: fn(&Given) -> Result<Read, ImportError>,
}

/// Every format, in the order in which a file is tried.
pub const FORMATS: &[Format] = &[
    Format {
        name: "harbor",
        doc: "the folder of a job of Harbor",
        is_one: harbor::is_one,
        read: harbor::read,
    },
    Format {
        name: "csv",
        doc: "a table with one line per rollout",
        is_one: csv::is_one,
        read: csv::read,
    },
    Format {
        name: "inspect",
        doc: "a log of Inspect, .eval or .json",
        is_one: inspect::is_one,
        read: inspect::read,
    },
    Format {
        name: "promptfoo",
        doc: "the JSON of promptfoo eval -o",
        is_one: promptfoo::is_one,
        read: promptfoo::read,
    },
    Format {
        name: "tau2",
        doc: "results.json of tau2",
        is_one: tau2::is_one,
        read: tau2::read,
    },
    Format {
        name: "junit",
        doc: "the JUnit XML of a test runner",
        is_one: junit::is_one,
        read: junit::read,
    },
];

/// Reads a file by its format.
///
/// # Errors
/// `ImportError` when no format is recognised, or the file is not one of it.
pub fn read(given: &Given) -> Result<Read, ImportError> {
    match FORMATS.iter().find(|format| (format.is_one)(given)) {
        Some(format) => (format.read)(given).and_then(|read| named(given, read)),
        None => {
            let known = FORMATS.iter();
            let known: Vec<_> = known
                .map(|format| format!("{} ({})", format.name, format.doc))
                .collect();
            Err(ImportError::Format {
                path: given.path.clone(),
                formats: known.join(", "),
            })
        }
    }
}

/// Calls the one cell of a file as it was given.
fn named(given: &Given, mut read: Read) -> Result<Read, ImportError> {
    let Some(name) = &given.cell else {
        return Ok(read);
    };
    let mut cells: Vec<_> = read.found.iter().map(|one| &one.row.key.cell).collect();
    cells.sort_unstable();
    cells.dedup();
    if cells.len() > 1 {
        let cells: Vec<_> = cells.iter().map(ToString::to_string).collect();
        return Err(ImportError::SeveralCells {
            path: given.path.clone(),
            cells: cells.join(", "),
            name: name.to_string(),
        });
    }
    for one in &mut read.found {
        one.row.key.cell = name.clone();
    }
    for key in &mut read.expected {
        key.cell = name.clone();
    }
    Ok(read)
}

#[cfg(test)]
mod absent_tests;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::CellId;

    fn given(name: Option<&str>, path: &str, text: &str) -> Given {
        Given {
            cell: name.map(|name| CellId::imported(name).unwrap()),
            path: path.to_owned(),
            scorer: None,
            bytes: text.as_bytes().to_vec(),
            members: Vec::new(),
        }
    }

    #[test]
    fn a_name_is_for_a_file_of_one_cell() {
        let head = "cell,task,repeat,passed\n";
        let one = read(&given(Some("new"), "a.csv", &format!("{head}old,t,1,1\n"))).unwrap();
        assert_eq!(one.found[0].row.key.cell.to_string(), "new");
        let two = format!("{head}old,t,1,1\nother,t,1,1\n");
        let error = read(&given(Some("new"), "a.csv", &two)).unwrap_err();
        assert!(error.to_string().contains("leave `new=` out"), "{error}");
    }

    #[test]
    fn a_file_of_no_format_is_told_what_could_be_read() {
        let error = read(&given(None, "a.parquet", "PAR1")).unwrap_err();
        assert!(error.to_string().contains("a.parquet") && error.to_string().contains("csv ("));
    }
}
