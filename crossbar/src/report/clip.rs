//! Long text cut to a size: head and tail stay, and a mark between them says what went.

/// The first and the last part of a text, at most `limit` bytes of it together, with
/// `mark(bytes left out)` between them; the text itself when it fits. Cuts fall between characters.
pub(super) fn clip(text: &str, limit: usize, mark: impl Fn(usize) -> String) -> Option<String> {
    if text.len() <= limit {
        return None;
    }
    let half = limit / 2;
    let head = text.floor_char_boundary(half);
    let tail = text.ceil_char_boundary(text.len() - half);
    let left_out = tail - head;
    Some(format!(
        "{}{}{}",
        &text[..head],
        mark(left_out),
        &text[tail..]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_and_tail_stay_and_characters_stay_whole() {
        let mark = |bytes: usize| format!("<{bytes}>");
        assert_eq!(clip("abc", 3, mark), None);
        assert_eq!(clip("abcdef", 4, mark).unwrap(), "ab<2>ef");
        assert_eq!(clip("éééé", 5, mark).unwrap(), "é<4>é");
    }
}
