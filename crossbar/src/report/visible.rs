//! Foreign text made safe to look at: no control characters, a known width, visible cuts.

/// The widest line that a person is shown.
pub(super) const COLUMNS: usize = 100;

/// The columns that a text takes in a terminal.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// East Asian wide characters and pictures take two columns, marks that combine take none.
fn columns(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036F | 0x20D0..=0x20FF | 0xFE00..=0xFE0F => 0,
        0x1100..=0x115F | 0x2E80..=0x303E | 0x3041..=0xA4CF | 0xAC00..=0xD7A3 => 2,
        0xF900..=0xFAFF | 0xFE30..=0xFE6F | 0xFF00..=0xFF60 | 0xFFE0..=0xFFE6 => 2,
        0x1F300..=0x1F64F | 0x1F680..=0x1F6FF | 0x1F900..=0x1F9FF | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

/// Whether a character moves the cursor, hides, or turns the direction of what follows.
fn is_trick(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c), 0x061C | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F)
        || matches!(u32::from(c), 0xFEFF | 0xFFF9..=0xFFFB | 0xE0000..=0xE007F)
}

/// The text on one line, with every control and direction character written as its escape.
pub(super) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_trick(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// The text's lines, each made safe; tabs become four spaces.
pub(super) fn lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines()
        .map(|line| one_line(&line.replace('\t', "    ")))
}

/// At most `room` columns of a text: the middle is cut out and `…` stands in its place, so that
/// names that differ at either end stay apart.
pub(super) fn fit(text: &str, room: usize) -> String {
    let text = one_line(text);
    if width(&text) <= room {
        return text;
    }
    let keep = room.saturating_sub(1);
    let head = take(text.chars(), keep - keep / 2);
    let tail: String = take(text.chars().rev(), keep / 2).chars().rev().collect();
    format!("{head}…{tail}")
}

fn take(chars: impl Iterator<Item = char>, room: usize) -> String {
    let mut used = 0;
    chars
        .take_while(|c| {
            used += columns(*c);
            used <= room
        })
        .collect()
}

/// A text in a field of `room` columns, cut or padded on the right.
pub(super) fn left(text: &str, room: usize) -> String {
    let text = fit(text, room);
    let padding = room.saturating_sub(width(&text));
    format!("{text}{}", " ".repeat(padding))
}

/// A text in a field of `room` columns, padded on the left and never cut.
pub(super) fn right(text: &str, room: usize) -> String {
    let padding = room.saturating_sub(width(text));
    format!("{}{text}", " ".repeat(padding))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_direction_characters_are_written_out() {
        assert_eq!(
            one_line("a\u{1b}[31mb\nc\u{202e}d"),
            r"a\u{1b}[31mb\nc\u{202e}d"
        );
        assert_eq!(lines("a\tb\r\nc").collect::<Vec<_>>(), ["a    b", "c"]);
    }

    #[test]
    fn a_cut_keeps_both_ends_and_shows_itself() {
        assert_eq!(fit("model-one+harness-a", 9), "mode…ss-a");
        assert_eq!(fit("short", 9), "short");
        assert_eq!(width(&fit(&"字".repeat(80), 21)), 21);
        assert_eq!(fit("abc", 0), "…");
    }

    #[test]
    fn fields_have_their_width() {
        assert_eq!(
            (left("ab", 4), right("ab", 4)),
            ("ab  ".to_owned(), "  ab".to_owned())
        );
        assert_eq!(right("abcdef", 4), "abcdef");
    }
}
