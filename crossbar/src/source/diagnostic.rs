//! One problem with its place and its cure, and the collection of all problems of a file.

use std::cell::RefCell;

use super::file::Span;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file can't be used.
    Error,
    /// The file can be used, but the author should know.
    Warning,
}

/// One problem in a text, for a person: what is wrong, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the file can still be used.
    pub severity: Severity,
    /// What is wrong: one lowercase line without a full stop, free of control characters.
    pub message: String,
    /// The path of the file, free of control characters too.
    pub path: String,
    /// Where.
    pub span: Span,
    /// The cure, if there is one to name.
    pub help: Option<String>,
    /// Other places in the same file that matter, each with a label.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error at a place of the file known by `path`. Control characters in path and message,
    /// which can come from hostile names and texts, are shown as escapes.
    pub fn error(path: impl AsRef<str>, span: Span, message: impl AsRef<str>) -> Self {
        Self {
            severity: Severity::Error,
            message: visible(message.as_ref()),
            path: visible(path.as_ref()),
            span,
            help: None,
            related: Vec::new(),
        }
    }

    /// A warning at a place; else as [`Diagnostic::error`].
    pub fn warning(path: impl AsRef<str>, span: Span, message: impl AsRef<str>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(path, span, message)
        }
    }

    /// The same with a cure.
    #[must_use]
    pub fn with_help(mut self, help: impl AsRef<str>) -> Self {
        self.help = Some(visible(help.as_ref()));
        self
    }

    /// The same with one more place of the same file.
    #[must_use]
    pub fn with_related(mut self, span: Span, label: impl AsRef<str>) -> Self {
        self.related.push((span, visible(label.as_ref())));
        self
    }
}

/// The most problems kept for one file; the rest is counted.
const MAX_PROBLEMS: usize = 100;

/// All problems of one file, collected through a shared reference so that nested readers can add
/// to it at the same time.
#[derive(Debug)]
pub struct Problems {
    path: String,
    found: RefCell<Found>,
}

#[derive(Debug, Default)]
struct Found {
    list: Vec<Diagnostic>,
    left_out: usize,
}

impl Problems {
    /// No problems yet in the file known by `path`.
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            found: RefCell::default(),
        }
    }

    /// The path of the file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Adds an error without a cure.
    pub fn error(&self, span: Span, message: impl AsRef<str>) {
        self.push(Diagnostic::error(self.path.as_str(), span, message));
    }

    /// Adds an error with a cure.
    pub fn error_help(&self, span: Span, message: impl AsRef<str>, help: impl AsRef<str>) {
        self.push(Diagnostic::error(self.path.as_str(), span, message).with_help(help));
    }

    /// Adds a warning.
    pub fn warning(&self, span: Span, message: impl AsRef<str>) {
        self.push(Diagnostic::warning(self.path.as_str(), span, message));
    }

    /// Adds a problem made elsewhere. After the first hundred of a file the rest is only counted,
    /// so that a hostile file can't make megabytes of messages.
    pub fn push(&self, diagnostic: Diagnostic) {
        let mut found = self.found.borrow_mut();
        if found.list.len() < MAX_PROBLEMS {
            found.list.push(diagnostic);
        } else {
            found.left_out += 1;
        }
    }

    /// Whether further problems are only counted, so that their wording need not be worked out.
    pub(crate) fn is_full(&self) -> bool {
        self.found.borrow().list.len() >= MAX_PROBLEMS
    }

    /// Whether any of the problems is an error.
    pub fn has_errors(&self) -> bool {
        let found = self.found.borrow();
        // a problem that was left out may have been an error: the file isn't called usable then
        found.left_out > 0 || found.list.iter().any(|one| one.severity == Severity::Error)
    }

    /// The problems in the order of their places; a last one says how many were left out.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        let Found { mut list, left_out } = self.found.into_inner();
        list.sort_by_key(|one| one.span.start);
        if let Some(last) = list.last().map(|one| one.span).filter(|_| left_out > 0) {
            list.push(Diagnostic::error(
                self.path,
                last,
                format!("{left_out} more problems in this file are not shown"),
            ));
        }
        list
    }
}

/// `text` in backquotes for use in a message, cut after 60 characters.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("`{}...`", text.get(..cut).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}

/// The text with control characters (and the marks that turn the reading direction) as escapes.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => out.extend(c.escape_unicode()),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}
