//! JUnit files: what test runners write, and crossbar's own junit.xml. Read as pytest 9.2 and
//! cargo-nextest 0.9.143 write them; Surefire's elements for retries are read too.
//!
//! A file is one cell, unless a property says otherwise, and a test case is a task. A file holds
//! one rollout of each task where it numbers none, so several files are repeats.

mod case;
mod own;
mod properties;

pub use properties::{PROPERTIES, Property};

use super::error::ImportError;
use super::found::{Given, Numbering, Read};
use case::{Case, File};
use roxmltree::Document;

/// The mark of UTF-8, which some writers put first.
const MARK: &str = "\u{FEFF}";

/// Whether it is XML. Whether it is JUnit is said with a place.
pub(super) fn is_one(given: &Given) -> bool {
    let bytes = given.bytes.as_slice();
    let text = bytes.strip_prefix(MARK.as_bytes()).unwrap_or(bytes);
    text.trim_ascii_start().starts_with(b"<")
}

/// Reads a file of test cases.
///
/// # Errors
/// `ImportError` when it is no XML or no JUnit, when it does not say whose results these are, or a
/// property can't be read.
pub(super) fn read(given: &Given) -> Result<Read, ImportError> {
    let text = str::from_utf8(&given.bytes).map_err(|error| ImportError::NotText {
        path: given.path.clone(),
        at: error.valid_up_to(),
    })?;
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let document = Document::parse(text).map_err(|error| ImportError::Wrong {
        what: format!("this is no XML: {error}"),
        place: format!("{}:{}", given.path, error.pos()),
        help: "give the file as the test runner wrote it, and whole",
    })?;
    let root = document.root_element();
    let file = File::new(given, text);
    let cases: Vec<Case<'_>> = root
        .descendants()
        .filter(|node| node.tag_name().name() == "testcase")
        .map(|node| Case { file: &file, node })
        .collect();
    match root.tag_name().name() {
        "testsuites" if own::is_one(&cases) => own::read(given, &cases),
        "testsuites" | "testsuite" => foreign(given, &cases),
        other => Err(ImportError::Wrong {
            what: format!("this is no JUnit: its first element is `{other}`"),
            place: format!(
                "{}:{}",
                given.path,
                document.text_pos_at(root.range().start)
            ),
            help: "give a file whose first element is testsuites or testsuite",
        }),
    }
}

fn foreign(given: &Given, cases: &[Case<'_>]) -> Result<Read, ImportError> {
    let numbered = cases.iter().map(Case::numbered);
    let numbered = numbered.collect::<Result<Vec<_>, _>>()?;
    let found = cases.iter().zip(&numbered);
    let found = found.map(|(case, number)| case.found(number.unwrap_or(1)));
    let retried = cases.iter().filter(|case| case.is_retried()).count();
    let mut notes = Vec::new();
    if retried > 0 {
        notes.push(format!(
            "{}: test cases that ran again after a failure: {retried}; the first attempt of each \
             counts, since whether there is another depends on how it went",
            given.path
        ));
    }
    Ok(Read {
        path: given.path.clone(),
        format: "junit",
        numbering: if numbered.iter().all(Option::is_none) {
            Numbering::ByFile
        } else {
            Numbering::Written
        },
        found: found.collect::<Result<Vec<_>, _>>()?,
        expected: Vec::new(),
        notes,
    })
}

#[cfg(test)]
mod tests;
