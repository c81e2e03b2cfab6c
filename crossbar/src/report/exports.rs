//! The table of formats in which other tools read what agents did. A new one is one file and one
//! line here; `export --format`, `run --export` and the documentation walk this table.

use super::{Exported, ReportError, atif, otlp};

/// One format of other tools.
#[derive(Clone, Copy)]
pub struct Export {
    /// The word after `--format`.
    pub name: &'static str,
    /// One line for help and documentation.
    pub doc: &'static str,
    /// Where its texts go.
    pub place: ExportPlace,
    /// The text of one rollout; ends with a line break.
    pub text: fn(&Exported<'_>) -> Result<String, ReportError>,
}

/// Where the texts of an export go, below a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportPlace {
    /// Each in a file of its own, `<folder>/<cell>/<task>-r<n>.json`.
    Each(&'static str),
    /// All in this one file, one line each.
    Lines(&'static str),
}

/// Every such format.
pub const EXPORTS: &[Export] = &[
    Export {
        name: "atif",
        doc: "a trajectory in ATIF v1.8, one file per rollout",
        place: ExportPlace::Each("atif"),
        text: atif::text,
    },
    Export {
        name: "otlp",
        doc: "spans of OpenTelemetry in OTLP/JSON, one line per rollout",
        place: ExportPlace::Lines("otlp.jsonl"),
        text: otlp::text,
    },
];

/// The format of a name.
#[must_use]
pub fn export(name: &str) -> Option<&'static Export> {
    EXPORTS.iter().find(|export| export.name == name)
}

#[cfg(test)]
mod tests;
