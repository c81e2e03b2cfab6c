//! A model that answers from a table, under cargo-nextest: no network, no key.

#![cfg(test)]

fn answer(n: u32) -> String {
    let model = std::env::var("MODEL").unwrap();
    if model == "small" && [2, 3].contains(&n) {
        return "I do not know".to_owned();
    }
    (2 * n).to_string()
}

#[test]
fn one() {
    assert_eq!(answer(1), "2");
}

#[test]
fn two() {
    assert_eq!(answer(2), "4");
}

#[test]
fn three() {
    assert_eq!(answer(3), "6");
}

#[test]
fn four() {
    assert_eq!(answer(4), "8");
}
