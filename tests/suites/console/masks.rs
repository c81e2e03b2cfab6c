//! What differs from run to run in printed text becomes `[..]`, which stands for anything.

use regex::Regex;

/// Each with a word of what it finds; the group `before` stays.
const DIFFERING: [&str; 9] = [
    // a run, and an accepted one
    r"\b\d{8}T\d{6}Z-[0-9a-f]{4}\b",
    r"(?<before>accepted run )[0-9a-f]{8}\b",
    // a day, with its time or without
    r"\b\d{4}-\d\d-\d\d(T[0-9:.]+Z)?\b",
    // a hash, which has digits and letters
    r"\b[0-9a-f]{16}\b",
    // how long rollouts took, from the fastest to the slowest
    r"[0-9.]+ m?s \([0-9.]+(-[0-9.]+)? m?s\)",
    r"(?<before>finished in )[0-9.]+s",
    // the machine
    r"\b\w+ \w+, \d+ processors?; .*",
    // the folder of a rollout
    r"(?<before> )\S+/cb-[0-9A-Za-z]{12}/",
    // the rule below a table's head that ends with such a time
    r"(?m)(?<before>TIME\n---)-+",
];

/// The console blocks of a page, everything in them masked that another run prints otherwise.
pub fn masked(page: &str) -> String {
    let mut text = page.to_owned();
    for pattern in DIFFERING {
        let pattern = Regex::new(pattern).unwrap();
        text = pattern.replace_all(&text, "$before[..]").into_owned();
    }
    text.replace(env!("CARGO_PKG_VERSION"), "[VERSION]")
}

#[test]
fn hides_what_differs_and_nothing_else() {
    for (line, expected) in [
        (
            "run            20261129T205100Z-7f3a, seed 0",
            "run            [..], seed 0",
        ),
        ("made 2026-11-29T10:00:00.123Z", "made [..]"),
        ("DATA SET       3786cc9c03732b40", "DATA SET       [..]"),
        ("36  1 ms (1-12 ms)", "36  [..]"),
        (
            "machine        linux x86_64, 2 processors; 1 free",
            "machine        [..]",
        ),
        ("CALLS  TIME\n-----------", "CALLS  TIME\n---[..]"),
        ("in /tmp/cb-d4CJmiKxyKtO/work: no", "in [..]work: no"),
        ("NOTE\n-----------", "NOTE\n-----------"),
        (
            "98.3% [91.4 - 100.0] of 36 rollouts",
            "98.3% [91.4 - 100.0] of 36 rollouts",
        ),
    ] {
        assert_eq!(masked(line), expected);
    }
}
