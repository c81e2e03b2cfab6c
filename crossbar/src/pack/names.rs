//! Ids: which characters they have, and that no two are equal but for case.

use crate::source::{Diagnostic, Field, Problems, Spanned};

/// Reads an id: one or more of `A-Z a-z 0-9 _ . -`, not dots alone (it becomes part of a path).
pub(super) fn id<'a>(field: &Field<'a>) -> Option<Spanned<&'a str>> {
    let text = field.text()?;
    if is_id(text.value) {
        return Some(text);
    }
    field.error(
        &format!("cannot be `{}`", text.value),
        "use one or more of A-Z a-z 0-9 _ . -, not dots alone",
    );
    None
}

/// [`is_id`] as a regular expression that every dialect reads.
pub(super) const ID_PATTERN: &str = "^[A-Za-z0-9_.-]*[A-Za-z0-9_-][A-Za-z0-9_.-]*$";

/// Whether a text is an id.
pub(super) fn is_id(text: &str) -> bool {
    text.bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
        && text.bytes().any(|b| b != b'.')
}

/// A text with more than white space in it, as it was written.
pub(super) fn filled(field: &Field<'_>) -> Option<String> {
    let text = field.string()?;
    if text.trim().is_empty() {
        field.error("is empty", "write a text or remove the key");
        return None;
    }
    Some(text)
}

/// The ids of one kind that a file has so far.
pub(super) struct Seen<'a> {
    what: &'static str,
    ids: Vec<Spanned<&'a str>>,
}

impl<'a> Seen<'a> {
    /// None yet; `what` names the kind in messages ("model", "server").
    pub(super) fn new(what: &'static str) -> Self {
        Self {
            what,
            ids: Vec::new(),
        }
    }

    /// Takes one more id; one that equals an earlier id but for case is an error at its place.
    pub(super) fn add(&mut self, id: Spanned<&'a str>, problems: &Problems) {
        match self
            .ids
            .iter()
            .find(|one| one.value.eq_ignore_ascii_case(id.value))
        {
            Some(first) => problems.push(
                Diagnostic::error(
                    problems.path(),
                    id.span,
                    format!(
                        "{} id `{}` is taken by line {} (case makes no difference)",
                        self.what, id.value, first.span.line
                    ),
                )
                .with_help("choose another id")
                .with_related(first.span, "first used here"),
            ),
            None => self.ids.push(id),
        }
    }
}

/// The list of some words, in backquotes with commas; `none` when there are none.
pub(super) fn listed<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    if words.is_empty() {
        "none".to_owned()
    } else {
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::is_id;

    #[test]
    fn an_id_is_safe_in_a_path() {
        for good in ["a", "5319E7", "mock-weak", "x.y_z", ".a", "no"] {
            assert!(is_id(good), "{good}");
        }
        for bad in ["", ".", "..", "a b", "a/b", "a+b", "é", "a\n", "a::b"] {
            assert!(!is_id(bad), "{bad}");
        }
    }
}
