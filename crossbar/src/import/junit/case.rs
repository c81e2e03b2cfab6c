//! One test case to one rollout.

use super::super::error::ImportError;
use super::super::found::{Found, Given, Place, money};
use super::super::time;
use super::super::values::{self, Value};
use crate::domain::{
    CellId, InfrastructureEvidence, Outcome, ResultRow, RolloutKey, SkipReason, TaskId, Usage,
};
use roxmltree::Node;

/// What cargo-nextest puts between the name of a suite and the number of a stress run, from 0.
const STRESS: &str = "@stress-";

/// The endings of a test case, the first that it has counts: attempts before the last one, then
/// the last one.
const ENDINGS: [&str; 5] = ["flakyFailure", "flakyError", "failure", "error", "skipped"];

/// The elements of attempts after a failure.
const RETRIES: [&str; 4] = ["flakyFailure", "flakyError", "rerunFailure", "rerunError"];

/// A file with where its lines end.
pub(super) struct File<'d> {
    pub(super) given: &'d Given,
    ends: Vec<usize>,
}

impl<'d> File<'d> {
    pub(super) fn new(given: &'d Given, text: &str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at);
        Self {
            given,
            ends: ends.collect(),
        }
    }

    /// The line of a byte, from 1.
    fn line(&self, at: usize) -> usize {
        self.ends.partition_point(|end| *end < at) + 1
    }
}

/// A test case.
pub(super) struct Case<'d> {
    pub(super) file: &'d File<'d>,
    pub(super) node: Node<'d, 'd>,
}

impl<'d> Case<'d> {
    /// Its rollout, with this repeat.
    pub(super) fn found(&self, repeat: u32) -> Result<Found, ImportError> {
        let ending = self.ending();
        let dollars = self.read("cost_usd", values::amount)?;
        let attempt = ending.filter(|node| RETRIES.contains(&node.tag_name().name()));
        let own = |name| attempt.and_then(|node| node.attribute(name));
        let seconds = own("time").or_else(|| self.node.attribute("time"));
        let seconds = seconds.and_then(|text| values::amount(text).ok());
        let started = own("timestamp").or_else(|| self.timestamp());
        let key = RolloutKey {
            cell: self.cell()?,
            task: self.task()?,
            repeat,
        };
        let found = Found::ended(key, outcome(ending), self.place());
        Ok(Found {
            row: ResultRow {
                usage: self.usage()?,
                cost: money(dollars),
                started_at: started.and_then(time::utc).map(String::into_boxed_str),
                worked_ms: seconds.map(|seconds| (seconds * 1e3).round() as u64),
                ..found.row
            },
            family: self.text("family").map(str::to_owned),
            weight: self.read("weight", values::weight)?,
            dollars,
            ..found
        })
    }

    /// The repeat, where the file says one.
    pub(super) fn numbered(&self) -> Result<Option<u32>, ImportError> {
        if let Some(repeat) = self.read("repeat", values::repeat)? {
            return Ok(Some(repeat));
        }
        let suite = self.node.parent().and_then(|node| node.attribute("name"));
        let stress = suite.and_then(|name| name.rsplit_once(STRESS));
        let number = stress.and_then(|(_, number)| number.parse::<u32>().ok());
        Ok(number.and_then(|number| number.checked_add(1)))
    }

    /// Whether it ran more than once.
    pub(super) fn is_retried(&self) -> bool {
        RETRIES.iter().any(|name| self.child(name).is_some())
    }

    /// An attribute that says something.
    pub(super) fn attribute(&self, name: &str) -> Option<&'d str> {
        self.node.attribute(name).filter(|text| !text.is_empty())
    }

    /// The value of a property: its own, else that of the nearest suite around it.
    pub(super) fn text(&self, name: &str) -> Option<&'d str> {
        self.property(name).map(|(text, _)| text)
    }

    /// All properties of its own.
    pub(super) fn properties(&self) -> impl Iterator<Item = (&'d str, &'d str)> {
        let own = properties(self.node);
        own.filter_map(|node| Some((node.attribute("name")?, node.attribute("value")?)))
    }

    /// Reads a property that may be absent.
    pub(super) fn read<T>(
        &self,
        name: &str,
        value: impl Fn(&str) -> Value<T>,
    ) -> Result<Option<T>, ImportError> {
        let Some((text, node)) = self.property(name) else {
            return Ok(None);
        };
        let wrong = |(what, help)| self.wrong(node, format!("property {name}: {what}"), help);
        value(text).map(Some).map_err(wrong)
    }

    /// The error that something is wrong with the test case as a whole.
    pub(super) fn wrong_as_a_whole(&self, what: String, help: &'static str) -> ImportError {
        self.wrong(self.node, what, help)
    }

    pub(super) fn task(&self) -> Result<TaskId, ImportError> {
        let class = self.attribute("classname");
        let name = self.attribute("name").unwrap_or_default();
        let whole = match (self.text("task"), class) {
            (Some(task), _) => task.to_owned(),
            (None, Some(class)) => format!("{class}::{name}"),
            (None, None) => name.to_owned(),
        };
        TaskId::imported(&whole).map_err(|error| {
            let help = "give the test a plain name, or a property `task`";
            self.wrong_as_a_whole(error.to_string(), help)
        })
    }

    pub(super) fn place(&self) -> Place {
        let name = self.attribute("name").unwrap_or("without a name");
        Place {
            path: self.file.given.path.clone(),
            at: format!("{} (test case {name})", self.line()),
        }
    }

    fn line(&self) -> usize {
        self.file.line(self.node.range().start)
    }

    fn wrong(&self, node: Node<'_, '_>, what: String, help: &'static str) -> ImportError {
        let at = node.document().text_pos_at(node.range().start);
        ImportError::Wrong {
            what,
            place: format!("{}:{at}", self.file.given.path),
            help,
        }
    }

    fn child(&self, name: &str) -> Option<Node<'d, 'd>> {
        self.node
            .children()
            .find(|node| node.tag_name().name() == name)
    }

    fn property(&self, name: &str) -> Option<(&'d str, Node<'d, 'd>)> {
        let around = self.node.ancestors();
        let mut all = around.flat_map(properties);
        let node = all.find(|node| node.attribute("name") == Some(name))?;
        let text = node.attribute("value").or_else(|| node.text())?;
        Some((text, node)).filter(|(text, _)| !text.is_empty())
    }

    fn cell(&self) -> Result<CellId, ImportError> {
        if let (None, Some(given)) = (self.text("cell"), &self.file.given.cell) {
            return Ok(given.clone());
        }
        let Some((name, node)) = self.property("cell") else {
            let what = "the file does not say which cell it measured";
            let help = "give it as NAME=FILE, or give its test cases a property `cell`";
            return Err(self.wrong_as_a_whole(what.to_owned(), help));
        };
        CellId::imported(name)
            .map_err(|error| self.wrong(node, error.to_string(), "give it a plain name"))
    }

    /// When it began, or the suite around it where that alone is known.
    fn timestamp(&self) -> Option<&'d str> {
        self.node
            .ancestors()
            .find_map(|node| node.attribute("timestamp"))
    }

    fn ending(&self) -> Option<Node<'d, 'd>> {
        ENDINGS.iter().find_map(|name| self.child(name))
    }

    fn usage(&self) -> Result<Option<Usage>, ImportError> {
        let count = |name| self.read(name, values::count);
        let tokens = count("input_tokens")?.zip(count("output_tokens")?);
        Ok(tokens.map(|(input_uncached, output)| Usage {
            input_uncached,
            output,
            ..Usage::default()
        }))
    }
}

/// The properties of an element. They stand before its cases, so a long suite is not walked.
fn properties<'d>(node: Node<'d, 'd>) -> impl Iterator<Item = Node<'d, 'd>> {
    let is_case = |node: &Node<'_, '_>| ["testcase", "testsuite"].contains(&node.tag_name().name());
    node.children()
        .take_while(move |node| !is_case(node))
        .filter(|node| node.tag_name().name() == "properties")
        .flat_map(|node| node.children())
        .filter(|node| node.tag_name().name() == "property")
}

/// A test that broke says nothing about the cell, and a test that failed does.
fn outcome(ending: Option<Node<'_, '_>>) -> Outcome {
    let Some(node) = ending else {
        return Outcome::Accepted;
    };
    match node.tag_name().name() {
        "skipped" => Outcome::Skipped {
            why: SkipReason::Reported,
        },
        "failure" | "flakyFailure" => Outcome::TaskFailure,
        _ => Outcome::InfrastructureFailure {
            evidence: InfrastructureEvidence::Reported,
            message: node.attribute("message").unwrap_or_default().to_owned(),
        },
    }
}
