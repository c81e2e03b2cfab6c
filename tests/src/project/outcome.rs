//! What a command came to, and the files of a run as values.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

/// How a command ended and what it wrote.
#[derive(Debug, Clone)]
pub struct Output {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "exit {:?}, signal {:?}", self.code, self.signal)?;
        write!(
            f,
            "--- stdout\n{}\n--- stderr\n{}",
            self.stdout, self.stderr
        )
    }
}

/// The part of a report that holds figures: from the verdict to what took how long.
pub fn card(text: &str) -> &str {
    let from = text.find("CROSSBAR VERDICT");
    let from = from.unwrap_or_else(|| panic!("no card in: {text}"));
    let to = text.find("\nCOST AND TIME");
    &text[from..to.unwrap_or_else(|| panic!("no end of the card in: {text}"))]
}

/// What of sweep.json lasts: the same sweep again gives the same. docs/record-format.md lists the
/// fields that are left out here.
pub fn lasting(sweep: &Value) -> Value {
    const PASSING: [&str; 8] = [
        "run_id",
        "made",
        "window",
        "started_at",
        "at_ms",
        "took_ms",
        "worked_ms",
        "latency",
    ];
    match sweep {
        Value::Object(map) => map
            .iter()
            .filter(|(key, _)| !PASSING.contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), lasting(value)))
            .collect(),
        Value::Array(items) => items.iter().map(lasting).collect(),
        other => other.clone(),
    }
}

/// The file rollouts.csv: every line by its column's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rollouts {
    /// The lines in their order.
    pub lines: Vec<BTreeMap<String, String>>,
}

impl Rollouts {
    /// Reads a file whose fields hold no comma and no quote, as those of these suites.
    pub fn parse(text: &str) -> Self {
        assert!(!text.contains('"'), "a quoted field: {text}");
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let names: Vec<_> = lines.next().unwrap_or_default().split(',').collect();
        let line = |line: &str| {
            let fields: Vec<_> = line.split(',').collect();
            assert_eq!(fields.len(), names.len(), "{line}");
            let named = names.iter().zip(fields);
            named
                .map(|(name, field)| ((*name).to_owned(), field.to_owned()))
                .collect()
        };
        Self {
            lines: lines.map(line).collect(),
        }
    }

    /// The lines of one cell.
    pub fn of_cell(&self, cell: &str) -> Vec<&BTreeMap<String, String>> {
        self.lines
            .iter()
            .filter(|line| line["cell"] == cell)
            .collect()
    }
}

/// A test case of junit.xml.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct XmlCase {
    /// The class: the cell.
    pub class: String,
    /// The name: the task.
    pub name: String,
    /// `pass`, `failure`, `error` or `skipped`.
    pub status: String,
    /// The message of what is not `pass`.
    pub message: String,
    /// The case's time, as it is written.
    pub time: Option<String>,
    /// The case's properties.
    pub properties: BTreeMap<String, String>,
}

/// The test cases of a JUnit file, strictly parsed.
pub fn junit(text: &str) -> Vec<XmlCase> {
    let document =
        roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    cases.map(case).collect()
}

fn case(node: roxmltree::Node<'_, '_>) -> XmlCase {
    let attribute =
        |node: roxmltree::Node<'_, '_>, name| node.attribute(name).unwrap_or_default().to_owned();
    let status = node
        .children()
        .find(|child| ["failure", "error", "skipped"].contains(&child.tag_name().name()));
    let properties = node
        .descendants()
        .filter(|child| child.has_tag_name("property"));
    XmlCase {
        class: attribute(node, "classname"),
        name: attribute(node, "name"),
        status: status
            .map_or("pass", |child| child.tag_name().name())
            .to_owned(),
        message: status
            .map(|child| attribute(child, "message"))
            .unwrap_or_default(),
        time: node.attribute("time").map(str::to_owned),
        properties: properties
            .map(|child| (attribute(child, "name"), attribute(child, "value")))
            .collect(),
    }
}
