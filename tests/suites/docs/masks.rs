//! What differs from run to run in printed text: times, run ids, hashes, folders.

/// The same text with everything replaced that another run would print otherwise. A mask is as long
/// as what it hides, so that lines break at the same places.
pub fn masked(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|sign: char| !is_of_a_word(sign));
        match end.unwrap_or(rest.len()) {
            0 => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
            end => {
                let (word, after) = rest.split_at(end);
                out.push_str(&mask(word, after));
                rest = after;
            }
        }
    }
    out.trim_end().to_owned()
}

fn is_of_a_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || ":-.".contains(sign)
}

fn mask(word: &str, after: &str) -> String {
    let bare = word.trim_end_matches('.');
    if is_run_id(bare) || is_day(bare) || is_hash(bare) || is_duration(bare, after) {
        let end = &word[bare.len()..];
        return "#".repeat(if is_duration(bare, after) {
            1
        } else {
            bare.len()
        }) + end;
    }
    word.to_owned()
}

/// Like `20261129T205100Z-7f3a`.
fn is_run_id(word: &str) -> bool {
    word.len() == 21 && shape(word).starts_with("00000000T000000Z-")
}

/// Like `2026-11-29`, a time of the day behind it or not.
fn is_day(word: &str) -> bool {
    shape(word).starts_with("0000-00-00")
}

fn is_hash(word: &str) -> bool {
    word.len() == 16 && word.bytes().all(|b| b.is_ascii_hexdigit()) && shape(word).contains('0')
}

/// A number in front of ` ms`, or like `0.43s`.
fn is_duration(word: &str, after: &str) -> bool {
    let number =
        |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    (number(word) && after.starts_with(" ms")) || word.strip_suffix('s').is_some_and(number)
}

/// The word with every digit as 0.
fn shape(word: &str) -> String {
    word.chars()
        .map(|sign| if sign.is_ascii_digit() { '0' } else { sign })
        .collect()
}

#[test]
fn hides_what_differs_and_nothing_else() {
    for (line, expected) in [
        (
            "run 20261129T205100Z-7f3a, seed 0",
            "run #####################, seed 0",
        ),
        ("on 2026-11-29, by 0.1.0", "on ##########, by 0.1.0"),
        ("DATA SET  3786cc9c03732b40", "DATA SET  ################"),
        ("took 17 ms, 4 of 5", "took # ms, 4 of 5"),
        ("finished in 0.43s", "finished in #"),
        (
            "support-triage::a 98.3% [91.4 - 100.0]",
            "support-triage::a 98.3% [91.4 - 100.0]",
        ),
        ("deadbeefdeadbeef $0.000638", "deadbeefdeadbeef $0.000638"),
    ] {
        assert_eq!(masked(line), expected);
    }
}
