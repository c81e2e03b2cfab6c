//! The parser's errors in our words, where its own don't name the cure.

use super::MAX_DEPTH;
use crate::source::diagnostic::Diagnostic;
use crate::source::file::File;
use granit_parser::{ErrorKind, ScanError};

/// What helps against [`too_deep`].
pub(super) const FLATTER: &str =
    "no key takes a value that deep: look for a `[` or `{` that is repeated or never closed";

pub(super) fn too_deep() -> String {
    format!("lists and mappings are nested deeper than {MAX_DEPTH} levels")
}

/// The parser's error in our words where its own don't name the cure.
pub(super) fn syntax_error(file: &File, error: &ScanError) -> Diagnostic {
    let start = error
        .marker()
        .byte_offset()
        .unwrap_or_default()
        .min(file.text().len());
    let quote = "put the text in quotes";
    if is_about_tabs(error.kind()) {
        let tab = indenting_tab(file.text(), start).unwrap_or(start);
        return Diagnostic::error(
            file.path(),
            file.span(tab, tab + 1),
            "line is indented with a tab",
        )
        .with_help("indent with spaces; YAML does not allow tabs there");
    }
    let (message, help) = match error.kind() {
        ErrorKind::RecursionLimitExceeded => (too_deep(), Some(FLATTER)),
        ErrorKind::UnexpectedCharacter { character } if character.is_control() => {
            let code = character.escape_unicode();
            (
                format!("control character {code} is not allowed"),
                Some("in double quotes it can be written as an escape"),
            )
        }
        ErrorKind::UnexpectedCharacter { character } => (
            format!("a text without quotes can't begin with `{character}`"),
            Some(quote),
        ),
        ErrorKind::MissingAnchorOrAliasName => (
            "a text without quotes can't begin with `*` or `&`".to_owned(),
            Some(quote),
        ),
        ErrorKind::MappingValueNotAllowed => {
            let message = "`:` is not allowed here";
            (
                message.to_owned(),
                Some(
                    "put a text that holds `: ` in quotes, and indent the keys of a mapping alike",
                ),
            )
        }
        ErrorKind::InvalidColonPlacement => (
            "`:` is not allowed here".to_owned(),
            Some("close the `[` or `{` that was opened before it"),
        ),
        ErrorKind::UnclosedFlowCollection { .. } => (
            error.info(),
            Some("close it, or put a text that begins with it in quotes"),
        ),
        ErrorKind::UnclosedQuotedScalar => (
            error.info(),
            Some("end the text with the sign that it begins with"),
        ),
        _ => (error.info(), None),
    };
    let diagnostic = Diagnostic::error(file.path(), file.span(start, start + 1), message);
    match help {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

fn is_about_tabs(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
            | ErrorKind::TabAtBlockScalarStart
    )
}

/// The first tab that indents a line, from the line of the byte `at` on: the parser may name the
/// beginning of a value whose next line has the tab.
fn indenting_tab(text: &str, at: usize) -> Option<usize> {
    let mut line_start = text.get(..at)?.rfind('\n').map_or(0, |at| at + 1);
    for line in text.get(line_start..)?.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = line.get(..indent).and_then(|indent| indent.find('\t')) {
            return Some(line_start + tab);
        }
        line_start += line.len();
    }
    None
}
