//! The reader of a field: it checks kind and range, and puts every problem where it belongs.

use std::fmt::Display;
use std::ops::RangeInclusive;

use super::diagnostic::{Diagnostic, Problems, quoted};
use super::fields::Fields;
use super::file::Span;
use super::json::{Number, number, to_json};
use super::key::{Key, Section, Shape};
use super::suggest::closest;
use super::tree::{Entry, Mapping, Node, Scalar, Style, Value};

/// A value with the place it was written at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it is written.
    pub span: Span,
}

/// A field of a mapping, or an item of a list. Each reading method gives `None` when the field is
/// absent, or after adding a problem when it is not what the method reads.
#[derive(Debug, Clone)]
pub struct Field<'a> {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) node: Option<&'a Node>,
    pub(super) shape: Option<Shape>,
    pub(super) problems: &'a Problems,
}

impl<'a> Field<'a> {
    /// The root of a file.
    pub(super) fn whole(node: &'a Node, what: &str, problems: &'a Problems) -> Self {
        Self {
            name: what.to_owned(),
            span: node.span,
            node: Some(node),
            shape: None,
            problems,
        }
    }

    /// Whether the key is there at all.
    pub fn is_present(&self) -> bool {
        self.node.is_some()
    }

    /// Where the value is; of an absent field, where its mapping is.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The value as it is in the tree.
    pub fn node(&self) -> Option<&'a Node> {
        self.node
    }

    /// Adds an error of the caller's own about this field: "`key` " and then `what`.
    pub fn error(&self, what: &str, help: &str) {
        self.problems
            .error_help(self.span, format!("{} {what}", self.name), help);
    }

    /// A text exactly as it was written, be it quoted or plain; it may be empty in quotes only.
    pub fn text(&self) -> Option<Spanned<&'a str>> {
        let scalar = self.scalar("a text")?;
        Some(Spanned {
            value: scalar.text.as_str(),
            span: self.span,
        })
    }

    /// [`Field::text`] as an owned string without its place.
    pub fn string(&self) -> Option<String> {
        self.text().map(|text| text.value.to_owned())
    }

    /// One of the given words; a near miss is told which one was meant.
    pub fn one_of<'w>(&self, words: &[&'w str]) -> Option<Spanned<&'w str>> {
        let text = self.text()?.value;
        if let Some(word) = words.iter().find(|word| **word == text) {
            return Some(Spanned {
                value: word,
                span: self.span,
            });
        }
        let help = match closest(text, words.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("write one of {}", listed(words)),
        };
        self.problems.error_help(
            self.span,
            format!("{} cannot be {}", self.name, quoted(text)),
            help,
        );
        None
    }

    /// One of the words of the key's row.
    pub fn declared_word(&self) -> Option<Spanned<&'static str>> {
        match self.shape {
            Some(Shape::Word(words)) => self.one_of(words),
            _ => None,
        }
    }

    /// A whole number within the range of the key's row.
    pub fn declared_integer<T>(&self) -> Option<Spanned<T>>
    where
        T: Copy + Display + PartialOrd + TryFrom<i128> + TryFrom<u64>,
    {
        match self.shape {
            Some(Shape::Integer(from, to)) => {
                self.integer(T::try_from(from).ok()?..=T::try_from(to).ok()?)
            }
            _ => None,
        }
    }

    /// A finite number within the range of the key's row.
    pub fn declared_number(&self) -> Option<Spanned<f64>> {
        match self.shape {
            Some(Shape::Number(from, to)) => self.number(from..=to),
            _ => None,
        }
    }

    /// A whole number within `range`, written plain as in JSON, without fraction and exponent.
    pub fn integer<T>(&self, range: RangeInclusive<T>) -> Option<Spanned<T>>
    where
        T: Copy + Display + PartialOrd + TryFrom<i128>,
    {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let scalar = self.scalar(&expected)?;
        let read = match plain(scalar).and_then(number) {
            Some(Number::Integer(Some(value))) => T::try_from(value).ok(),
            _ => None,
        };
        match read.filter(|value| range.contains(value)) {
            Some(value) => Some(Spanned {
                value,
                span: self.span,
            }),
            None => self.refuse(&expected),
        }
    }

    /// A finite number within `range` (ends included), written plain as in JSON. An end may be
    /// infinite: the message then names the other end alone.
    pub fn number(&self, range: RangeInclusive<f64>) -> Option<Spanned<f64>> {
        let expected = match (range.start().is_finite(), range.end().is_finite()) {
            (true, true) => format!("a number from {} to {}", range.start(), range.end()),
            (true, false) => format!("a number of at least {}", range.start()),
            (false, true) => format!("a number of at most {}", range.end()),
            (false, false) => "a finite number".to_owned(),
        };
        let scalar = self.scalar(&expected)?;
        let read = plain(scalar)
            .filter(|text| number(text).is_some())
            .and_then(|text| text.parse::<f64>().ok());
        match read.filter(|value| value.is_finite() && range.contains(value)) {
            Some(value) => Some(Spanned {
                value,
                span: self.span,
            }),
            None => self.refuse(&expected),
        }
    }

    /// Plain `true` or `false`.
    pub fn bool(&self) -> Option<Spanned<bool>> {
        let expected = "`true` or `false`";
        match plain(self.scalar(expected)?) {
            Some("true") => Some(Spanned {
                value: true,
                span: self.span,
            }),
            Some("false") => Some(Spanned {
                value: false,
                span: self.span,
            }),
            _ => self.refuse(expected),
        }
    }

    /// A value of any type by the rule of [`to_json`].
    pub fn json(&self) -> Option<serde_json::Value> {
        to_json(self.node?, self.problems)
    }

    /// The items of a list, each to be read like a field.
    pub fn items(&self) -> Option<Vec<Field<'a>>> {
        let node = self.node?;
        let Value::Sequence(items) = &node.value else {
            return self.refuse("a list");
        };
        let item = |(at, node): (usize, &'a Node)| Field {
            name: format!("item {} of {}", at + 1, self.name),
            span: node.span,
            node: Some(node),
            shape: None,
            problems: self.problems,
        };
        Some(items.iter().enumerate().map(item).collect())
    }

    /// A list of texts; items that are none are left out after adding a problem for each.
    pub fn texts(&self) -> Option<Vec<Spanned<&'a str>>> {
        Some(self.items()?.iter().filter_map(Field::text).collect())
    }

    /// The entries of a mapping whose keys are the author's own (environment variables, headers),
    /// in the order they are written.
    pub fn entries(&self) -> Option<Vec<(Spanned<&'a str>, Field<'a>)>> {
        let entry = |entry: &'a Entry| {
            let field = Field {
                name: quoted(&entry.key),
                span: entry.node.span,
                node: Some(&entry.node),
                shape: None,
                problems: self.problems,
            };
            (
                Spanned {
                    value: entry.key.as_str(),
                    span: entry.key_span,
                },
                field,
            )
        };
        Some(self.mapping()?.entries.iter().map(entry).collect())
    }

    /// A mapping with keys of the format; `what` names it in messages ("a check", "a model").
    pub fn fields(&self, what: &str) -> Option<Fields<'a>> {
        let entries = self.mapping()?.entries.as_slice();
        Some(Fields {
            what: what.to_owned(),
            span: entries.first().map_or(self.span, |entry| entry.key_span),
            entries,
            problems: self.problems,
            table: &[],
            known: Vec::new(),
            missing: Vec::new(),
            elsewhere: &[],
        })
    }

    /// A mapping by its table: the keys are those of its rows, and the required ones must be there.
    pub fn section(&self, section: &'static Section) -> Option<Fields<'a>> {
        let mut fields = self.fields(section.what)?;
        fields.table = section.keys;
        fields.known.extend(section.keys.iter().map(|key| key.name));
        let entries = fields.entries;
        let absent = |key: &&Key| key.required && !entries.iter().any(|e| e.key == key.name);
        let missing = section.keys.iter().filter(absent).map(|key| key.name);
        fields.missing.extend(missing);
        Some(fields)
    }

    fn mapping(&self) -> Option<&'a Mapping> {
        match &self.node?.value {
            Value::Mapping(mapping) => Some(mapping),
            _ => self.refuse("a mapping (`key: value`)"),
        }
    }

    fn scalar(&self, expected: &str) -> Option<&'a Scalar> {
        match &self.node?.value {
            Value::Scalar(scalar) if scalar.style != Style::Plain || !scalar.text.is_empty() => {
                Some(scalar)
            }
            _ => self.refuse(expected),
        }
    }

    /// Whether the value would be a number or a bool if it had no quotes.
    fn is_needlessly_quoted(&self) -> bool {
        let Some(Value::Scalar(scalar)) = self.node.map(|node| &node.value) else {
            return false;
        };
        let text = scalar.text.as_str();
        let meant = number(text).is_some() || ["true", "false"].contains(&text);
        scalar.style != Style::Plain && meant
    }

    /// Adds the problem that the value is not what was expected.
    fn refuse<T>(&self, expected: &str) -> Option<T> {
        let found = match &self.node?.value {
            // reported where it was found
            Value::Refused => return None,
            Value::Sequence(_) => "is a list".to_owned(),
            Value::Mapping(_) => "is a mapping".to_owned(),
            Value::Scalar(scalar) => match (scalar.style, scalar.text.as_str()) {
                (Style::Plain, "") => "has no value".to_owned(),
                (Style::Plain, text) => format!("is {}", quoted(text)),
                (_, text) => format!("is the text {}", quoted(text)),
            },
        };
        let message = format!("{} {found}, expected {expected}", self.name);
        let problem = Diagnostic::error(self.problems.path(), self.span, message);
        self.problems.push(match self.is_needlessly_quoted() {
            true => problem.with_help("write it without quotes"),
            false => problem,
        });
        None
    }
}

/// The text of a plain scalar.
fn plain(scalar: &Scalar) -> Option<&str> {
    (scalar.style == Style::Plain).then_some(scalar.text.as_str())
}

/// The words in backquotes with commas.
pub(super) fn listed(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
