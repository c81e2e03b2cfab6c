//! Whether a request is the one that was recorded, and where it differs when it is not.
//!
//! Two requests are the same when their bodies are, as JSON: the order of keys means nothing. What
//! no two runs have alike is let go: random identifiers, ports of loopback, folders of rollouts, the
//! day, how long a tool took, and what a program says of its own session.

use regex::Regex;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Keys of a body in which programs name their session. No model reads them.
const OF_THE_SESSION: [&str; 3] = ["client_metadata", "metadata", "prompt_cache_key"];

/// The most of a value that is shown, in characters.
const SHOWN: usize = 60;

/// What is random in a text, and what it is read as.
static RANDOM: LazyLock<Vec<(Option<Regex>, &str)>> = LazyLock::new(|| {
    const ROWS: [(&str, &str); 6] = [
        (
            r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
            "<id>",
        ),
        (r"(127\.0\.0\.1|\[::1\]|localhost):\d{1,5}", "<loopback>"),
        (r"crossbar-[0-9a-f]{32}", "<token>"),
        (r"(/[\w.+~-]+)*[/-]?\bcb-[A-Za-z0-9]{12}\b", "<folder>"),
        (r"\.tmp[A-Za-z0-9]{6}", "<temporary>"),
        // Codex puts it before what a tool returned.
        (r"\bWall time: [0-9.]+ seconds\b", "<wall time>"),
    ];
    let rows = ROWS.iter();
    rows.map(|(pattern, word)| (Regex::new(pattern).ok(), *word))
        .collect()
});

/// One side of a comparison.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    /// What was asked for.
    pub(super) asked: &'a str,
    /// The body.
    pub(super) body: &'a Value,
    /// The days, `YYYY-MM-DD`, that are today where the request was made.
    pub(super) days: &'a [String],
}

/// A place in which two requests differ.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// Where, as a JSON pointer.
    pointer: String,
    then: String,
    now: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = match self.pointer.as_str() {
            "" => "as a whole".to_owned(),
            pointer => format!("at {pointer}"),
        };
        write!(f, "{place}: recorded {}, now {}", self.then, self.now)
    }
}

/// Where a request differs from the one that was recorded, in the order of the body; empty when they
/// are the same.
pub(super) fn differences(then: Side<'_>, now: Side<'_>) -> Vec<Difference> {
    let mut found = Vec::new();
    if then.asked != now.asked {
        found.push(Difference {
            pointer: String::new(),
            then: format!("a request of `{}`", then.asked),
            now: format!("one of `{}`", now.asked),
        });
        return found;
    }
    let days = (then.days, now.days);
    Walk { days, found }.over((then.body, now.body), String::new())
}

struct Walk<'a> {
    days: (&'a [String], &'a [String]),
    found: Vec<Difference>,
}

impl Walk<'_> {
    fn over(mut self, (then, now): (&Value, &Value), at: String) -> Vec<Difference> {
        self.compare((Some(then), Some(now)), at);
        self.found
    }

    fn compare(&mut self, (then, now): (Option<&Value>, Option<&Value>), at: String) {
        match (then, now) {
            (Some(Value::Object(one)), Some(Value::Object(two))) => {
                let added = two.keys().filter(|key| !one.contains_key(*key));
                let is_own =
                    |key: &&String| at.is_empty() && OF_THE_SESSION.contains(&key.as_str());
                let keys = one.keys().chain(added).filter(|key| !is_own(key));
                for key in keys {
                    let part = key.replace('~', "~0").replace('/', "~1");
                    self.compare((one.get(key), two.get(key)), format!("{at}/{part}"));
                }
            }
            (Some(Value::Array(one)), Some(Value::Array(two))) => {
                for index in 0..one.len().max(two.len()) {
                    let pair = (one.get(index), two.get(index));
                    self.compare(pair, format!("{at}/{index}"));
                }
            }
            (Some(Value::String(one)), Some(Value::String(two))) => self.texts((one, two), at),
            (one, two) if one == two => {}
            (one, two) => self.found.push(Difference {
                pointer: at,
                then: shown(one),
                now: shown(two),
            }),
        }
    }

    fn texts(&mut self, (then, now): (&str, &str), pointer: String) {
        if then == now {
            return;
        }
        let (then, now) = (read(then, self.days.0), read(now, self.days.1));
        if then != now {
            let from = alike(&then, &now);
            self.found.push(Difference {
                pointer,
                then: excerpt(&then, from),
                now: excerpt(&now, from),
            });
        }
    }
}

/// A text with all that is random in it read as a word.
fn read<'a>(text: &'a str, days: &[String]) -> Cow<'a, str> {
    let mut read = Cow::Borrowed(text);
    for (pattern, word) in RANDOM.iter() {
        if let Some(pattern) = pattern
            && pattern.is_match(&read)
        {
            read = Cow::Owned(pattern.replace_all(&read, *word).into_owned());
        }
    }
    for day in days.iter().filter(|day| !day.is_empty()) {
        if read.contains(day.as_str()) {
            read = Cow::Owned(read.replace(day.as_str(), "<day>"));
        }
    }
    read
}

/// The number of characters with which both begin.
fn alike(one: &str, two: &str) -> usize {
    let pairs = one.chars().zip(two.chars());
    pairs.take_while(|(one, two)| one == two).count()
}

/// A text from shortly before a character on.
fn excerpt(text: &str, from: usize) -> String {
    const BEFORE: usize = 15;
    let skipped = from.saturating_sub(BEFORE);
    let rest: String = text.chars().skip(skipped).take(SHOWN).collect();
    let more = text.chars().count() > skipped + SHOWN;
    let before = if skipped > 0 { ".." } else { "" };
    let after = if more { ".." } else { "" };
    format!("{before}{}{after}", Value::String(rest))
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None => "nothing".to_owned(),
        Some(Value::String(text)) => excerpt(text, 0),
        Some(value) => {
            let text = value.to_string();
            match text.char_indices().nth(SHOWN) {
                Some((at, _)) => format!("{}..", &text[..at]),
                None => text,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(then: &Value, now: &Value) -> Vec<String> {
        let side = |body, days| Side {
            asked: "messages",
            body,
            days,
        };
        let (old, new) = (["2026-11-30".to_owned()], ["2027-01-02".to_owned()]);
        let found = differences(side(then, &old), side(now, &new));
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_difference_is_named_by_its_place_with_both_values() {
        let then = json!({"messages": [{"content": "refund 79.99"}], "max/tokens": 4, "a": null});
        let now = json!({"messages": [{"content": "refund 7.99"}, 1], "max/tokens": 5, "b": 1});
        assert_eq!(
            told(&then, &now),
            [
                "at /messages/0/content: recorded \"refund 79.99\", now \"refund 7.99\"",
                "at /messages/1: recorded nothing, now 1",
                "at /max~1tokens: recorded 4, now 5",
                "at /a: recorded null, now nothing",
                "at /b: recorded nothing, now 1",
            ]
        );
        let long = |end: &str| json!({"text": format!("{}{end}", "x".repeat(300))});
        let place = "..\"xxxxxxxxxxxxxxx";
        assert_eq!(
            told(&long("one"), &long("two")),
            [format!("at /text: recorded {place}one\", now {place}two\"")]
        );
    }

    #[test]
    fn the_order_of_keys_and_what_is_random_or_of_today_make_no_difference() {
        let then = json!({
            "system": "Today is 2026-11-30. In /tmp/cb-aB3dE6gH9jK2/work, see 127.0.0.1:4711.",
            "id": ["1b4e28ba-2fa1-11d2-883f-0016d3cca427", "at -tmp-cb-aB3dE6gH9jK2-work"],
            "metadata": {"user_id": "one"},
            "output": "Wall time: 0.0015 seconds\nOutput:\n7",
        });
        let now = json!({
            "metadata": {"user_id": "two"},
            "output": "Wall time: 12 seconds\nOutput:\n7",
            "id": ["6ba7b810-9dad-11d1-80b4-00c04fd430c8", "at -tmp-cb-zzzzzzzzzzzz-work"],
            "system": "Today is 2027-01-02. In /var/x/cb-zzzzzzzzzzzz/work, see 127.0.0.1:99.",
        });
        assert_eq!(told(&then, &now), [""; 0]);
        let day = |day: &str| json!({"due": day});
        assert_eq!(told(&day("2026-11-30"), &day("2026-11-30")), [""; 0]);
        assert_eq!(told(&day("2026-11-29"), &day("2026-11-28")).len(), 1);
    }

    #[test]
    fn a_request_of_something_else_is_another_one() {
        let body = json!({});
        let side = |asked| Side {
            asked,
            body: &body,
            days: &[],
        };
        let found = differences(side("messages"), side("count_tokens"));
        assert_eq!(
            found[0].to_string(),
            "as a whole: recorded a request of `messages`, now one of `count_tokens`"
        );
    }
}
