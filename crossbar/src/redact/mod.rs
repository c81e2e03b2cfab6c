//! Secrets and text to masked text.
//!
//! Everything that is stored passes through here once, before it is stored, so that no later
//! reader has to remember to. This room knows where no secret comes from: they are given to it.

mod forms;

use forms::forms;
use serde_json::Value;

/// Masks known secrets.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Name and value, each in all forms that texts carry it in, the longest first, so that a secret
    /// inside another is masked whole.
    secrets: Vec<(String, String)>,
}

/// Values shorter than this are left alone: masking `1` would tear every text apart.
const SHORTEST: usize = 6;

/// Fewer bytes of a beginning than these are left: they are what every key of a provider begins with.
const TELLING: usize = 12;

impl Redactor {
    /// From names (shown in the mask) and values (never shown).
    #[must_use]
    pub fn new<I: IntoIterator<Item = (String, String)>>(secrets: I) -> Self {
        let mut secrets: Vec<_> = secrets
            .into_iter()
            .filter(|(_, value)| value.len() >= SHORTEST)
            .flat_map(|(name, value)| {
                forms(&value)
                    .into_iter()
                    .map(move |form| (name.clone(), form))
            })
            .collect();
        secrets.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.cmp(b)));
        Self { secrets }
    }

    /// The text with each secret replaced by `[redacted:NAME]`, and so is the beginning of one
    /// that was cut: excerpts are made before anything is masked.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        // Whole secrets first: two may begin alike, and the rest of the other must not stay.
        let whole = self
            .secrets
            .iter()
            .map(|(name, value)| (name, value, value.len()));
        let begun = self
            .secrets
            .iter()
            .map(|(name, value)| (name, value, enough_of(value)));
        whole
            .chain(begun)
            .fold(text.to_owned(), |text, (name, value, at_least)| {
                if text.contains(&value[..at_least]) {
                    masked(&text, value, at_least, &format!("[redacted:{name}]"))
                } else {
                    text
                }
            })
    }

    /// A value with every text and key in it masked.
    #[must_use]
    pub fn value(&self, value: Value) -> Value {
        if self.secrets.is_empty() {
            return value;
        }
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.value(item)).collect(),
            Value::Object(map) => map
                .into_iter()
                .map(|(key, item)| (self.text(&key), self.value(item)))
                .collect(),
            other => other,
        }
    }

    /// Whether there is nothing to mask.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }
}

/// How many bytes of a secret's beginning give it away: half, and no fewer than `TELLING`.
fn enough_of(value: &str) -> usize {
    let half = value.len().div_ceil(2).max(TELLING).min(value.len());
    value.ceil_char_boundary(half)
}

/// The text with `mask` in the place of each run of `value`'s beginning of `at_least` bytes or more.
fn masked(text: &str, value: &str, at_least: usize, mask: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(&value[..at_least]) {
        out.push_str(&rest[..at]);
        out.push_str(mask);
        let found = rest[at..].chars().zip(value.chars());
        let alike = found.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8());
        rest = &rest[at + alike.sum::<usize>()..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn redactor() -> Redactor {
        Redactor::new([
            ("SHORT".to_owned(), "abc".to_owned()),
            ("KEY".to_owned(), "k-12345678".to_owned()),
            ("LONG".to_owned(), "k-12345678-and-more".to_owned()),
        ])
    }

    #[test]
    fn a_secret_is_masked_wherever_it_stands() {
        let seen = redactor().value(json!({
            "text": "Bearer k-12345678.",
            "list": ["k-12345678-and-more", 7],
            "k-12345678": null,
        }));
        assert_eq!(
            seen,
            json!({
                "text": "Bearer [redacted:KEY].",
                "list": ["[redacted:LONG]", 7],
                "[redacted:KEY]": null,
            })
        );
    }

    #[test]
    fn the_beginning_of_a_cut_secret_is_masked_and_the_rest_of_another_never_stays() {
        let alike = Redactor::new([
            ("ONE".to_owned(), "sk-provider-v1-aaaaaaaa".to_owned()),
            ("TWO".to_owned(), "sk-provider-v1-bbbbbbbb".to_owned()),
        ]);
        assert_eq!(
            alike.text("it is sk-provider-v1-bb.. or sk-provider-v1-bbbbbbbb"),
            "it is [redacted:ONE]bb.. or [redacted:TWO]"
        );
        assert_eq!(redactor().text("k-12345678-and"), "[redacted:KEY]-and");
        assert_eq!(redactor().text("k-123456"), "k-123456");
    }

    #[test]
    fn a_value_too_short_to_be_a_secret_is_left() {
        assert_eq!(redactor().text("abcdef"), "abcdef");
        assert!(Redactor::default().is_empty());
    }
}
