//! Values of any type: when a plain scalar is a number, a bool or null, and when it is text.

use serde_json::Value as Json;

use super::diagnostic::{Problems, quoted};
use super::tree::{Node, Scalar, Style, Value};

/// The node as JSON. A plain scalar is a number, `true`, `false` or `null` only if it is exactly
/// JSON (`012`, `0x1F`, `~`, `True`, `1.` and `.5` are texts); quoted and block scalars are texts.
/// `None` after adding a problem: a number that JSON readers would change (an integer outside 64
/// bits, a fraction outside the range of a double) or a key without a value. All such problems of
/// the node are added, not just the first.
pub fn to_json(node: &Node, problems: &Problems) -> Option<Json> {
    match &node.value {
        Value::Scalar(scalar) => match scalar_to_json(scalar) {
            Ok(json) => Some(json),
            Err(message) => {
                problems.error_help(node.span, message, "write it in quotes if a text is meant");
                None
            }
        },
        Value::Sequence(items) => {
            let items: Vec<Option<Json>> =
                items.iter().map(|item| to_json(item, problems)).collect();
            items
                .into_iter()
                .collect::<Option<Vec<Json>>>()
                .map(Json::Array)
        }
        Value::Mapping(mapping) => {
            let entries: Vec<Option<(String, Json)>> = mapping
                .entries
                .iter()
                .map(|entry| Some((entry.key.clone(), to_json(&entry.node, problems)?)))
                .collect();
            entries
                .into_iter()
                .collect::<Option<serde_json::Map<String, Json>>>()
                .map(Json::Object)
        }
        Value::Refused => None,
    }
}

fn scalar_to_json(scalar: &Scalar) -> Result<Json, String> {
    let text = scalar.text.as_str();
    if scalar.style != Style::Plain {
        return Ok(Json::String(text.to_owned()));
    }
    match text {
        "" => Err("value is missing".to_owned()),
        "null" => Ok(Json::Null),
        "true" => Ok(Json::Bool(true)),
        "false" => Ok(Json::Bool(false)),
        _ => match number(text) {
            None => Ok(Json::String(text.to_owned())),
            Some(Number::Integer(Some(value))) if value >= 0 => u64::try_from(value)
                .map(Json::from)
                .map_err(|_| beyond(text)),
            Some(Number::Integer(Some(value))) => i64::try_from(value)
                .map(Json::from)
                .map_err(|_| beyond(text)),
            Some(Number::Integer(None)) => Err(beyond(text)),
            Some(Number::Fraction(value)) => serde_json::Number::from_f64(value)
                .map(Json::Number)
                .ok_or_else(|| beyond(text)),
        },
    }
}

fn beyond(text: &str) -> String {
    format!("number {} is too large to be kept exactly", quoted(text))
}

/// A text that is exactly a JSON number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// Written without fraction and exponent; `None` when it is outside 128 bits.
    Integer(Option<i128>),
    /// Written with a fraction or an exponent; infinite when it is outside a double's range.
    Fraction(f64),
}

/// Reads `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?` (RFC 8259, section 6), and nothing else.
pub(crate) fn number(text: &str) -> Option<Number> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, mut rest) = digits(unsigned)?;
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    if rest.is_empty() {
        return Some(Number::Integer(text.parse().ok()));
    }
    if let Some(fraction) = rest.strip_prefix('.') {
        rest = digits(fraction)?.1;
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        rest = digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))?.1;
    }
    // the grammar above is within what Rust reads, so this can't fail; overflow gives infinity
    if rest.is_empty() {
        text.parse().ok().map(Number::Fraction)
    } else {
        None
    }
}

/// Splits off the leading digits; at least one.
fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at_checked(end)
        .filter(|(digits, _)| !digits.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{File, parse};

    fn json(text: &str) -> Result<Json, Vec<String>> {
        let file = File::new("a.yaml", text);
        let problems = Problems::new("a.yaml");
        let json = parse(&file, &problems).and_then(|node| to_json(&node, &problems));
        json.ok_or_else(|| {
            problems
                .into_vec()
                .into_iter()
                .map(|one| one.message)
                .collect()
        })
    }

    #[test]
    fn only_exact_json_is_not_text() {
        let texts = "[no, 012, 5319E7, ~, 12:30, True, 0x1F, .5, 1., +1, 1_000, Null, .nan, -x, 1e, 0o7, \"3\", '']";
        let read = json(texts).unwrap();
        let want = serde_json::json!([
            "no",
            "012",
            53_190_000_000.0,
            "~",
            "12:30",
            "True",
            "0x1F",
            ".5",
            "1.",
            "+1",
            "1_000",
            "Null",
            ".nan",
            "-x",
            "1e",
            "0o7",
            "3",
            ""
        ]);
        assert_eq!(read, want);
        assert_eq!(
            json(
                "{a: 1.10, b: -0, c: 1e3, d: true, e: null, f: 18446744073709551615, g: -9223372036854775808}"
            ),
            Ok(
                serde_json::json!({"a": 1.1, "b": 0, "c": 1000.0, "d": true, "e": null, "f": u64::MAX, "g": i64::MIN})
            )
        );
    }

    #[test]
    fn block_and_quoted_scalars_are_texts() {
        assert_eq!(
            json("a: |\n  1\nb: '1'\n"),
            Ok(serde_json::json!({"a": "1\n", "b": "1"}))
        );
    }

    #[test]
    fn numbers_that_would_change_are_refused_all_at_once() {
        let problems =
            json("{a: 18446744073709551616, b: 1e400, c: , d: -9223372036854775809}").unwrap_err();
        assert_eq!(problems.len(), 4, "{problems:?}");
        assert_eq!(
            problems[1],
            "number `1e400` is too large to be kept exactly"
        );
        assert_eq!(problems[2], "value is missing");
    }

    #[test]
    fn keys_keep_their_order() {
        assert_eq!(
            json("{b: 1, a: 2}").unwrap().to_string(),
            r#"{"b":1,"a":2}"#
        );
    }
}
