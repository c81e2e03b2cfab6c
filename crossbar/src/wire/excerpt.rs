//! The beginning of a foreign body, for an error message.

/// How much of a foreign body an error quotes, in characters.
const EXCERPT: usize = 200;

/// The beginning of a text on one line: up to 200 characters, `(empty)` for none.
#[must_use]
pub fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let mut words = String::new();
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if words.len() > 4 * EXCERPT {
            break;
        }
    }
    match words.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}..", &words[..end]),
        None if words.is_empty() => "(empty)".to_owned(),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_body_is_quoted_briefly_on_one_line() {
        let quoted = excerpt("a\n b".repeat(9000).as_bytes());
        assert!(quoted.chars().count() <= EXCERPT + 2 && !quoted.contains('\n'));
        assert_eq!(excerpt(b""), "(empty)");
    }
}
