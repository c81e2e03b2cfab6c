//! Foreign text made fit for XML 1.0: no colour codes, no control characters, no non-characters.

/// The longest terminal sequence that is dropped whole; a longer one is text with a stray ESC.
const SEQUENCE: usize = 512;

/// The text without terminal sequences and without what XML 1.0 can't hold; line breaks
/// stay, a tab becomes four spaces, a carriage return goes.
pub(super) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(length) = sequence(rest) {
            rest = &rest[length..];
            continue;
        }
        match c {
            '\t' => out.push_str("    "),
            _ if is_fit(c) => out.push(c),
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// What XML 1.0 allows and a reader can show. U+FFFE and U+FFFF are no characters there.
fn is_fit(c: char) -> bool {
    c == '\n' || (!c.is_control() && !matches!(u32::from(c), 0xFFFE | 0xFFFF))
}

/// The bytes of the terminal sequence that a text begins with.
fn sequence(text: &str) -> Option<usize> {
    let body = text.strip_prefix('\u{1b}')?;
    let window = &body[..body.floor_char_boundary(SEQUENCE)];
    let after = match window.chars().next()? {
        '[' => 1 + window[1..].find(|c| ('@'..='~').contains(&c))? + 1,
        ']' | 'P' | '_' | '^' => {
            let bell = window.find('\u{7}').map(|at| at + 1);
            let string_end = window.find("\u{1b}\\").map(|at| at + 2);
            bell.into_iter().chain(string_end).min()?
        }
        c if c.is_ascii_graphic() => 1,
        _ => return None,
    };
    Some(1 + after)
}

/// The bytes that a text takes once markup characters are escaped.
pub(super) fn escaped_len(text: &str) -> usize {
    text.chars()
        .map(|c| {
            if matches!(c, '<' | '>' | '&' | '"' | '\'') {
                6
            } else {
                c.len_utf8()
            }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_links_go_and_their_text_stays() {
        let said = "tool said \u{1b}[31mdenied\u{1b}[0m and \u{1b}]8;;http://x.test\u{7}link\u{1b}]8;;\u{7}\n";
        assert_eq!(clean(said), "tool said denied and link\n");
    }

    #[test]
    fn an_unfinished_sequence_hides_nothing() {
        assert_eq!(clean("a\u{1b}]0;title for ever"), "a]0;title for ever");
        assert_eq!(clean("a\u{1b}["), "a[");
        assert_eq!(clean("a\u{1b}"), "a");
    }

    #[test]
    fn what_xml_cannot_hold_goes() {
        assert_eq!(
            clean("a<b>&\"c\"\tn\u{1d}l\u{fffe}\u{ffff}\u{0}\r\nnext\u{9b}31m"),
            "a<b>&\"c\"    nl\nnext31m"
        );
    }

    #[test]
    fn escapes_are_counted() {
        assert_eq!(escaped_len("a<é"), 1 + 6 + 2);
    }
}
