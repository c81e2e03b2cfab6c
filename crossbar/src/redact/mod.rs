//! Secrets and text to masked text.
//!
//! Everything that is stored passes through here once, before it is stored, so that no later
//! reader has to remember to. This room knows where no secret comes from: they are given to it.

use serde_json::Value;

/// Masks known secrets.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Name and value, the longest value first, so that a secret inside another is masked whole.
    secrets: Vec<(String, String)>,
}

/// Values shorter than this are left alone: masking `1` would tear every text apart.
const SHORTEST: usize = 6;

impl Redactor {
    /// From names (shown in the mask) and values (never shown).
    #[must_use]
    pub fn new<I: IntoIterator<Item = (String, String)>>(secrets: I) -> Self {
        let mut secrets: Vec<_> = secrets
            .into_iter()
            .filter(|(_, value)| value.len() >= SHORTEST)
            .collect();
        secrets.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.cmp(b)));
        Self { secrets }
    }

    /// The text with each secret replaced by `[redacted:NAME]`.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.secrets
            .iter()
            .fold(text.to_owned(), |text, (name, value)| {
                if text.contains(value.as_str()) {
                    text.replace(value.as_str(), &format!("[redacted:{name}]"))
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
    fn a_value_too_short_to_be_a_secret_is_left() {
        assert_eq!(redactor().text("abcdef"), "abcdef");
        assert!(Redactor::default().is_empty());
    }
}
