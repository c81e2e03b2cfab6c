//! The table of formats. A new format is one file and one line here; `report --format`, the files
//! of a run folder and the documentation walk this table.

use super::{Frozen, ReportError, Styles, comment, csv, json, junit, markdown, text};
use std::io::Write;

/// One format in which a run is reported.
#[derive(Clone, Copy)]
pub struct Format {
    /// The word after `--format`.
    pub name: &'static str,
    /// The file in the run's folder; `None` for what is only printed.
    pub file: Option<&'static str>,
    /// One line for help and documentation.
    pub doc: &'static str,
    /// Writes the whole output. Formats that are files ignore the styles.
    pub render: Render,
}

/// Writes one output of a data set.
pub type Render = fn(&Frozen<'_>, Styles, &mut dyn Write) -> Result<(), ReportError>;

/// Every format, in the order in which files are written.
pub const FORMATS: &[Format] = &[
    Format {
        name: "text",
        file: None,
        doc: "the verdict card and its sections, as printed after a run",
        render: text::render,
    },
    Format {
        name: "markdown",
        file: Some("report.md"),
        doc: "the printed text without colours",
        render: markdown::render,
    },
    Format {
        name: "json",
        file: Some("sweep.json"),
        doc: "everything: question, answer, every rollout",
        render: json::render,
    },
    Format {
        name: "csv",
        file: Some("rollouts.csv"),
        doc: "one row per rollout",
        render: csv::render,
    },
    Format {
        name: "junit",
        file: Some("junit.xml"),
        doc: "one test case per case, and one for the verdict, for CI",
        render: junit::render,
    },
    Format {
        name: "github",
        file: Some("comment.md"),
        doc: "the comment of a pull request, for GitHub and GitLab",
        render: comment::render,
    },
];

/// The format of a name.
#[must_use]
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
