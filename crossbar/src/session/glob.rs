//! Which tasks a person means by `--task GLOB` and its like.

use crate::domain::TaskId;

/// Whether a task is meant: by its whole id or its own, with `*` for any characters. No glob at
/// all means every task.
pub(super) fn matches(globs: &[String], task: &TaskId) -> bool {
    let whole = task.to_string();
    globs.is_empty()
        || globs
            .iter()
            .any(|glob| is_like(glob, &whole) || is_like(glob, task.task()))
}

fn is_like(glob: &str, text: &str) -> bool {
    let Some((head, rest)) = glob.split_once('*') else {
        return glob == text;
    };
    let Some(mut left) = text.strip_prefix(head) else {
        return false;
    };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return left.ends_with(part);
        }
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (glob, text, holds) in [
            ("one", "one", true),
            ("one", "ones", false),
            ("*", "anything", true),
            ("desk::*", "desk::one", true),
            ("*refund*", "pack::a-refund-b", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxcyyb", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(is_like(glob, text), holds, "{glob} {text}");
        }
    }
}
