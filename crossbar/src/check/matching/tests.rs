//! The match modes, one table each.

use super::*;
use serde_json::json;

fn holds(mode: MatchMode, expected: &Value, actual: &Value) -> bool {
    matches(mode, expected, actual).is_ok()
}

fn table(mode: MatchMode, rows: &[(Value, Value, bool)]) {
    for (expected, actual, wanted) in rows {
        assert_eq!(
            holds(mode, expected, actual),
            *wanted,
            "{expected} in {actual}"
        );
    }
}

fn told(mode: MatchMode, expected: &Value, actual: &Value) -> String {
    matches(mode, expected, actual).unwrap_err().to_string()
}

#[test]
fn numbers_compare_as_numbers_in_every_mode() {
    for mode in [MatchMode::Subset, MatchMode::Exact, MatchMode::Contains] {
        table(
            mode,
            &[
                (json!(25), json!(25.0), true),
                (json!(25.0), json!(25), true),
                (json!(79.99), json!(79.99), true),
                (json!(25), json!(26), false),
                (json!(0), json!(-0.0), true),
                (json!({"a": [1.0]}), json!({"a": [1]}), true),
                (json!(u64::MAX), json!(-1), false),
                // 2^53 + 1 is no f64; its neighbour must not pass for it.
                (
                    json!(9_007_199_254_740_993_u64),
                    json!(9_007_199_254_740_992.0),
                    false,
                ),
                (json!(1), json!(true), false),
            ],
        );
    }
    table(
        MatchMode::Subset,
        &[
            (json!("25"), json!(25), false),
            (json!(null), json!(null), true),
            (json!(null), json!(0), false),
        ],
    );
}

#[test]
fn subset_wants_what_is_expected_and_forbids_nothing() {
    table(
        MatchMode::Subset,
        &[
            (json!({}), json!({"a": 1}), true),
            (
                json!({"a": {"b": 1}}),
                json!({"a": {"b": 1, "c": 2}, "d": 3}),
                true,
            ),
            (json!({"a": {"b": 1}}), json!({"a": {"c": 2}}), false),
            (json!({"a": null}), json!({}), false),
            (json!([3, 1]), json!([1, 2, 3]), true),
            (json!([4]), json!([1, 2, 3]), false),
            (json!([]), json!([1]), true),
            (
                json!([{"id": 2}]),
                json!([{"id": 1}, {"id": 2, "x": 0}]),
                true,
            ),
            (json!([1]), json!(1), false),
            (json!({"a": 1}), json!([{"a": 1}]), false),
            (json!("abc"), json!("abcd"), false),
        ],
    );
}

#[test]
fn one_actual_item_answers_for_one_expected_item() {
    table(
        MatchMode::Subset,
        &[
            (json!([1, 1]), json!([1, 2]), false),
            (json!([1, 1]), json!([1, 2, 1.0]), true),
            // The first expected item fits the first actual one, and must make room for the second.
            (json!([{}, {"a": 1}]), json!([{"a": 1}, {"b": 2}]), true),
            (
                json!([{"p": 1}, {"p": 1, "q": 1}, {"q": 1}]),
                json!([{"q": 1}, {"p": 1, "q": 1}, {"p": 1}]),
                true,
            ),
            (
                json!([{"a": 1}, {"a": 1}, {"b": 1}]),
                json!([{"a": 1, "b": 1}, {"a": 1}, {"c": 1}]),
                false,
            ),
        ],
    );
}

#[test]
fn exact_is_deep_equality() {
    table(
        MatchMode::Exact,
        &[
            (json!({"a": 1, "b": 2}), json!({"b": 2, "a": 1.0}), true),
            (json!({"a": 1}), json!({"a": 1, "b": 2}), false),
            (json!({"a": 1, "b": 2}), json!({"a": 1}), false),
            (json!([1, 2]), json!([2, 1]), false),
            (json!([1]), json!([1, 2]), false),
            (json!([1, 2]), json!([1]), false),
            (json!("A"), json!("a"), false),
        ],
    );
}

#[test]
fn contains_finds_text_whatever_its_case_also_inside_lists() {
    table(
        MatchMode::Contains,
        &[
            (json!("REFUND"), json!("was refunded"), true),
            (json!("Über"), json!("ÜBERALL"), true),
            (json!("refund"), json!(["no", "Refunded"]), true),
            (
                json!("refund"),
                json!({"result": [{"note": "Refund done"}]}),
                true,
            ),
            (json!("note"), json!({"note": "x"}), false),
            (
                json!({"tags": "vip"}),
                json!({"tags": ["VIP", "eu"], "id": 1}),
                true,
            ),
            (json!({"tags": "vip"}), json!({"tag": "vip"}), false),
            (json!({"id": "T-1"}), json!([{"id": "t-1"}]), true),
            (json!({"id": "T-1"}), json!("T-1"), false),
            (json!(["a", "b"]), json!("b and a"), true),
            (json!(["a", "z"]), json!("b and a"), false),
            (json!(42), json!("it is 42"), true),
            (json!("42"), json!(42), true),
            (json!("5"), json!(25), false),
            (json!(5), json!([25, 5]), true),
            (json!(5), json!(25), false),
        ],
    );
}

#[test]
fn regex_searches_the_value_as_text() {
    table(
        MatchMode::Regex,
        &[
            (json!("^T-\\d+$"), json!("T-1001"), true),
            (json!("^T-\\d+$"), json!("xT-1001"), false),
            (json!("^25$"), json!(25), true),
            (json!("\"a\":1"), json!({"a": 1}), true),
            (json!({"id": "^T"}), json!({"id": "T-1", "x": 0}), true),
            (json!({"id": "^T"}), json!({"id": "U-1"}), false),
            (json!({"id": "^T"}), json!("T-1"), false),
            (json!("("), json!("("), false),
            (json!(5), json!(5), false),
            (json!(""), json!("x"), false),
        ],
    );
    assert!(told(MatchMode::Regex, &json!("a(b"), &json!("ab")).contains("unclosed group"));
}

#[test]
fn a_mismatch_names_path_expected_and_actual() {
    let tickets = json!({"tickets": [
        {"id": "T-1", "priority": "low"},
        {"id": "T-2", "priority": "high"},
    ]});
    for (mode, expected, words) in [
        (
            MatchMode::Subset,
            json!({"tickets": [{"id": "T-2", "priority": "urgent"}]}),
            "at `tickets[1].priority`: expected \"urgent\", got \"high\"",
        ),
        (
            MatchMode::Subset,
            json!({"tickets": [{"id": "T-9"}]}),
            "at `tickets`: expected an item {\"id\":\"T-9\"}, got 2 items, none like it",
        ),
        (
            MatchMode::Subset,
            json!({"odd key": 1}),
            "at `[\"odd key\"]`: expected 1, got nothing",
        ),
        (
            MatchMode::Exact,
            json!({"tickets": []}),
            "at `tickets`: expected 0 items, got 2 items",
        ),
        (
            MatchMode::Exact,
            json!({}),
            "at `tickets`: expected nothing, got [{\"id\":\"T-1\",\"priority\":\"low\"},{\"id\":\"T-2\",\"priority\":\"high\"}]",
        ),
    ] {
        assert_eq!(told(mode, &expected, &tickets), words);
    }
    assert_eq!(
        told(MatchMode::Contains, &json!({"a": "x"}), &json!({"a": "y"})),
        "at `a`: expected something that contains \"x\", got \"y\""
    );
    assert_eq!(
        told(MatchMode::Regex, &json!({"a": "^x"}), &json!({"a": "y"})),
        "at `a`: expected a text that matches /^x/, got \"y\""
    );
}

#[test]
fn long_values_are_cut_between_characters() {
    let long = "ü".repeat(5_000);
    let mismatch = matches(MatchMode::Exact, &json!("a"), &json!(long)).unwrap_err();
    assert!(mismatch.actual.chars().count() < 240, "{}", mismatch.actual);
    assert!(mismatch.actual.ends_with("(5002 characters)"));
}

#[test]
fn many_equal_items_are_matched_in_reasonable_time() {
    let items: Vec<Value> = (0..300).map(|n| json!({"group": n % 3})).collect();
    assert!(holds(MatchMode::Subset, &json!(items), &json!(items)));
}
