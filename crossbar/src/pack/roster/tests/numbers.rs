//! Prices, and numbers out of range.

use super::*;

const D16: &str = include_str!("../../../../../tests/cases/D16.yaml");

#[test]
fn m08_prices_are_exact_and_every_mistake_is_named() {
    let price = |price: &str| model(&format!("provider: mock, price: {price}"));
    assert_eq!(good(&price("unknown")).models[0].price, Price::Unknown);
    assert_eq!(good(&price("free")).models[0].price, Price::Free);
    let apart = "{input_per_mtok: 1, output_per_mtok: 2, cache_write_5m_per_mtok: 3, cache_write_1h_per_mtok: 4}";
    let Price::PerMtok(apart) = &good(&price(apart)).models[0].price.clone() else {
        panic!("not per mtok")
    };
    assert_eq!(apart.cache_write_5m, Some(Usd::from_micros(3_000_000)));
    assert_eq!(apart.cache_write_1h, Some(Usd::from_micros(4_000_000)));
    assert_eq!(apart.cache_read, None);
    for (text, want) in [
        (
            "fre",
            "1:41: `price` cannot be `fre` (did you mean `free`?)",
        ),
        (
            "0",
            "1:41: `price` cannot be `0` (write one of `free`, `unknown`)",
        ),
        (
            "subscription",
            "1:41: `price` `subscription` is not built yet (write `unknown`)",
        ),
        (
            "{input_per_mtok: 1}",
            "1:42: key `output_per_mtok` is missing in a price (add `output_per_mtok: ...`)",
        ),
        (
            "{input_per_mtok: -1, output_per_mtok: 1}",
            "1:58: `input_per_mtok` is `-1`, expected a number from 0 to 1000000",
        ),
        (
            "{input_per_mtok: 1e-9, output_per_mtok: 1}",
            "1:58: `input_per_mtok` is below a micro-dollar (write dollars per million tokens)",
        ),
        (
            "{input_per_mtok: 1, output_per_mtok: 1, cache_write_per_mtok: 1, cache_write_1h_per_mtok: 2}",
            "1:103: `cache_write_per_mtok` stands beside a price for 5m or 1h (name one price for both, or one for each)",
        ),
        (
            "{input_per_mtok: 1, output_per_mtok: 1, as_of: May}",
            "1:88: `as_of` is `May`, expected a day (write it as YYYY-MM-DD)",
        ),
    ] {
        bad(&price(text), &[want]);
    }
}

#[test]
fn d16_numbers_out_of_range_are_refused() {
    let repeats: Vec<&str> = D16
        .lines()
        .filter_map(|line| line.strip_prefix("repeats: "))
        .collect();
    assert_eq!(repeats.len(), 6);
    for text in repeats {
        let (roster, problems) = read(&with(&format!("run: {{repeats: {text}}}\n")));
        assert_eq!((roster, problems.len()), (None, 1), "{text}");
        assert!(
            problems[0].starts_with("5:16: `repeats` is ")
                && problems[0].contains("expected a whole number from 1 to 1000"),
            "{problems:?}"
        );
    }
    for (section, column) in [
        ("run: {seed: -1}", 13),
        ("run: {seed: 18446744073709551616}", 13),
        ("run: {concurrency: 0}", 20),
        ("run: {k: 0}", 10),
        ("budget: {usd: -5}", 15),
        ("budget: {usd: .nan}", 15),
        ("budget: {usd: NaN}", 15),
        ("budget: {usd: 1e400}", 15),
        ("budget: {usd: lots}", 15),
        ("gate: {alpha: 0}", 15),
        ("gate: {quality_bar: 1.1}", 21),
    ] {
        let (roster, problems) = read(&with(&format!("{section}\n")));
        assert_eq!((roster, problems.len()), (None, 1), "{section}");
        assert!(
            problems[0].starts_with(&format!("5:{column}: ")),
            "{problems:?}"
        );
    }
    for (keys, column) in [
        ("provider: mock, skill: 1.5", 41),
        ("provider: mock, recover: .inf", 43),
        ("provider: mock, params: {temperature: 1e400}", 56),
        ("provider: mock, params: {max_output_tokens: 0}", 62),
        ("provider: mock, params: {seed: 99999999999999999999}", 49),
    ] {
        let (roster, problems) = read(&model(keys));
        assert_eq!(roster, None, "{keys}");
        assert!(
            problems[0].starts_with(&format!("1:{column}: ")),
            "{problems:?}"
        );
    }
}
