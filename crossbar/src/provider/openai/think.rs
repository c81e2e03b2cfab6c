//! Thoughts that a model writes into its answer: `<think>..</think>` at its beginning.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// The text without its leading thoughts; `None` when it has none.
///
/// A block counts only where the text begins with it. A closing tag alone ends a block whose
/// opening tag the server's template swallowed: everything before it goes. Tags later in the
/// answer, and those that an answer quotes, stay. A block that never closes is all thought.
pub(super) fn without_thoughts(text: &str) -> Option<&str> {
    if let Some(thought) = text.trim_start().strip_prefix(OPEN) {
        let answer = thought.split_once(CLOSE).map_or("", |(_, answer)| answer);
        return Some(answer.trim_start());
    }
    let (thought, answer) = text.split_once(CLOSE)?;
    (!thought.contains(OPEN) && !is_quoted(thought)).then(|| answer.trim_start())
}

/// Whether a closing tag after this text stands inside backticks, inline or fenced.
fn is_quoted(before: &str) -> bool {
    before.matches('`').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::without_thoughts;

    #[test]
    fn leading_thoughts_go_and_quoted_tags_stay() {
        for (text, answer) in [
            ("<think>maybe 17?</think>\n42", Some("42")),
            ("\n <think>a</think><b>", Some("<b>")),
            ("maybe 17? no.</think>42", Some("42")),
            ("<think>never ends 17", Some("")),
            (
                "<think>17</think>the tag </think> closes",
                Some("the tag </think> closes"),
            ),
            ("Use `<think>` like `<think>x</think>`.", None),
            ("Close it with `</think>`.", None),
            ("```\n</think>\n```", None),
            ("42", None),
        ] {
            assert_eq!(without_thoughts(text), answer, "{text}");
        }
    }
}
