//! The reader of a mapping: it hands out its fields one by one, and then says which keys are missing
//! and which are not known, so that a mapping is read in one go and all its problems come at once.

use super::diagnostic::{Problems, quoted};
use super::field::{Field, listed};
use super::file::Span;
use super::key::{Key, Section};
use super::suggest::closest;
use super::tree::{Entry, Node};

/// A mapping being read. Ask for each key the format has with [`Fields::required`] or
/// [`Fields::optional`], then call [`Fields::finish`].
#[derive(Debug)]
pub struct Fields<'a> {
    pub(super) what: String,
    pub(super) span: Span,
    pub(super) entries: &'a [Entry],
    pub(super) problems: &'a Problems,
    pub(super) table: &'static [Key],
    pub(super) known: Vec<&'static str>,
    pub(super) missing: Vec<&'static str>,
    pub(super) elsewhere: &'static [(&'static str, &'static str)],
}

impl<'a> Fields<'a> {
    /// Reads the root of a file. `what` names it in messages ("a task", "the roster"). `None`
    /// after adding a problem when the root is no mapping.
    pub fn root(node: &'a Node, what: &str, problems: &'a Problems) -> Option<Self> {
        Field::whole(node, what, problems).fields(what)
    }

    /// Reads the root of a file by the table of its format; else as [`Fields::root`].
    pub fn of(node: &'a Node, section: &'static Section, problems: &'a Problems) -> Option<Self> {
        Field::whole(node, section.what, problems).section(section)
    }

    /// The field of a row of the mapping's table. A name without a row is a key that is absent.
    pub fn key(&self, name: &'static str) -> Field<'a> {
        let row = self.table.iter().find(|row| row.name == name);
        let entry = row.and_then(|row| self.entries.iter().find(|entry| entry.key == row.name));
        Field {
            shape: row.map(|row| row.shape),
            ..self.field(name, entry)
        }
    }

    /// The place of the mapping: its first key.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The field of that key; when it is absent, [`Fields::finish`] adds a problem.
    pub fn required(&mut self, key: &'static str) -> Field<'a> {
        let field = self.optional(key);
        if field.node.is_none() {
            self.missing.push(key);
        }
        field
    }

    /// The field of that key, present or not.
    pub fn optional(&mut self, key: &'static str) -> Field<'a> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.field(key, self.entries.iter().find(|entry| entry.key == key))
    }

    /// Keys that are none of this mapping, each with the help for whoever wrote it here.
    pub fn belong_elsewhere(&mut self, keys: &'static [(&'static str, &'static str)]) {
        self.elsewhere = keys;
    }

    fn field(&self, name: &str, entry: Option<&'a Entry>) -> Field<'a> {
        Field {
            name: quoted(name),
            span: entry.map_or(self.span, |entry| entry.node.span),
            node: entry.map(|entry| &entry.node),
            shape: None,
            problems: self.problems,
        }
    }

    /// Ends the reading: every key that is not in the table and was not asked for is an error that names the nearest key
    /// (or all of them), and so is every required key that is absent, unless an unknown key is
    /// evidently its misspelling. Keys asked for on the way are the format: ask for them all first.
    pub fn finish(mut self) {
        for entry in self
            .entries
            .iter()
            .filter(|entry| !self.known.contains(&entry.key.as_str()))
        {
            if self.problems.is_full() {
                // counted only
                self.problems.error(entry.key_span, "unknown key");
                continue;
            }
            let unused = self
                .known
                .iter()
                .filter(|key| !self.entries.iter().any(|e| e.key == **key))
                .copied();
            let meant = closest(&entry.key, unused);
            let message = format!("unknown key {} in {}", quoted(&entry.key), self.what);
            let elsewhere = self.elsewhere.iter().find(|(key, _)| *key == entry.key);
            let help = match (elsewhere, meant) {
                (Some((_, help)), _) => (*help).to_owned(),
                (None, Some(meant)) => format!("did you mean `{meant}`?"),
                (None, None) => format!("keys here are {}", listed(&self.known)),
            };
            self.problems.error_help(entry.key_span, message, help);
            self.missing.retain(|key| Some(*key) != meant);
        }
        self.report_missing();
    }

    fn report_missing(&mut self) {
        for key in self.missing.drain(..) {
            let message = format!("key `{key}` is missing in {}", self.what);
            self.problems
                .error_help(self.span, message, format!("add `{key}: ...`"));
        }
    }
}

impl Drop for Fields<'_> {
    /// A reader that gave up before `finish` must not lose the absent keys it saw.
    fn drop(&mut self) {
        self.report_missing();
    }
}

#[cfg(test)]
mod tests;
