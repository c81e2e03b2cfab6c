//! Readers: kinds, ranges, unknown and missing keys, places.

use super::*;
use crate::source::{Diagnostic, File, parse};

const D04: &str = include_str!("../../../../tests/cases/D04.yaml");
const D05: &str = include_str!("../../../../tests/cases/D05.yaml");
const D16: &str = include_str!("../../../../tests/cases/D16.yaml");

/// Reads the root of `text` with `reader` and gives the problems as `line:column: message (help)`.
fn problems(text: &str, reader: impl FnOnce(Fields<'_>)) -> Vec<String> {
    let file = File::new("t.yaml", text);
    let problems = Problems::new("t.yaml");
    let tree = parse(&file, &problems);
    if let Some(fields) = tree
        .as_ref()
        .and_then(|tree| Fields::root(tree, "a task", &problems))
    {
        reader(fields);
    }
    let short = |one: &Diagnostic| {
        let help = one
            .help
            .as_ref()
            .map(|help| format!(" ({help})"))
            .unwrap_or_default();
        format!(
            "{}:{}: {}{help}",
            one.span.line, one.span.column, one.message
        )
    };
    problems.into_vec().iter().map(short).collect()
}

/// A reader of the layout that the cases have.
fn task(mut task: Fields<'_>) {
    task.required("id").text();
    task.required("prompt").text();
    task.optional("repeats").integer(1..=1000_u32);
    task.optional("timeout_s").number(0.1..=86_400.0);
    task.optional("budget_usd").number(0.0..=f64::INFINITY);
    task.optional("temperature").number(0.0..=2.0);
    let checks = task.required("checks");
    for check in checks.items().unwrap_or_default() {
        let Some(mut check) = check.fields("a check") else {
            continue;
        };
        if let Some(mut needle) = check.required("final_text").fields("check `final_text`") {
            needle.required("contains").text();
            needle.finish();
        }
        check.finish();
    }
    task.finish();
}

#[test]
fn d04_misspelt_keys_are_found_at_every_level() {
    assert_eq!(
        problems(D04, task),
        [
            "3:1: unknown key `timout_s` in a task (did you mean `timeout_s`?)",
            "4:1: unknown key `check` in a task (did you mean `checks`?)",
        ]
    );
    let nested = D04
        .replace("check:", "checks:")
        .replace("timout_s", "timeout_s");
    assert_eq!(
        problems(&nested, task),
        ["5:19: unknown key `contain` in check `final_text` (did you mean `contains`?)"]
    );
}

#[test]
fn an_unknown_key_in_a_list_item_has_its_own_place() {
    let text = "checks:\n  - type: tool_called\n    tool: a\n  - type: tool_called\n    tol: b\n    zebra: 1\n";
    let found = problems(text, |mut fields| {
        for check in fields.required("checks").items().unwrap() {
            let mut check = check.fields("check `tool_called`").unwrap();
            check.required("type").one_of(&["tool_called"]);
            check.required("tool").text();
            check.finish();
        }
        fields.finish();
    });
    assert_eq!(
        found,
        [
            "5:5: unknown key `tol` in check `tool_called` (did you mean `tool`?)",
            "6:5: unknown key `zebra` in check `tool_called` (keys here are `type`, `tool`)",
        ]
    );
}

#[test]
fn d05_an_absent_an_empty_and_a_null_list_can_be_told_apart() {
    let seen = |text: &str| {
        let mut seen = None;
        let found = problems(text, |mut fields| {
            let checks = fields.optional("checks");
            seen = Some((checks.is_present(), checks.items().map(|items| items.len())));
        });
        (seen.unwrap(), found)
    };
    assert_eq!(seen(D05), ((true, Some(0)), vec![]));
    assert_eq!(seen("id: x\n"), ((false, None), vec![]));
    assert_eq!(
        seen("checks: null\n"),
        (
            (true, None),
            vec!["1:9: `checks` is `null`, expected a list".to_owned()]
        )
    );
    assert_eq!(
        seen("checks:\n"),
        (
            (true, None),
            vec!["1:7: `checks` has no value, expected a list".to_owned()]
        )
    );
}

#[test]
fn d16_extreme_numbers_are_refused_with_the_range() {
    let documents: Vec<&str> = D16.split("---\n").filter(|text| !text.is_empty()).collect();
    let want = [
        "3:10: `repeats` is `-1`, expected a whole number from 1 to 1000",
        "3:10: `repeats` is `0`, expected a whole number from 1 to 1000",
        "3:10: `repeats` is `1e3`, expected a whole number from 1 to 1000",
        "3:10: `repeats` is `99999999999999999999`, expected a whole number from 1 to 1000",
        "3:12: `timeout_s` is `.nan`, expected a number from 0.1 to 86400",
        "3:12: `timeout_s` is `.inf`, expected a number from 0.1 to 86400",
        "3:13: `budget_usd` is `-5`, expected a number of at least 0",
        "3:14: `temperature` is `1e400`, expected a number from 0 to 2",
        "3:10: `repeats` is `3.7`, expected a whole number from 1 to 1000",
        "3:10: `repeats` is the text `3`, expected a whole number from 1 to 1000 (write it without quotes)",
    ];
    assert_eq!(documents.len(), want.len());
    for (document, want) in documents.into_iter().zip(want) {
        assert_eq!(problems(document, task), [want]);
    }
    let beyond = "a: 340282366920938463463374607431768211456\nb: 1e400\nc: NaN\n";
    let found = problems(beyond, |mut fields| {
        assert_eq!(fields.optional("a").integer(0..=u64::MAX), None);
        assert_eq!(
            fields
                .optional("b")
                .number(f64::NEG_INFINITY..=f64::INFINITY),
            None
        );
        assert_eq!(
            fields
                .optional("c")
                .number(f64::NEG_INFINITY..=f64::INFINITY),
            None
        );
    });
    assert_eq!(found.len(), 3);
    assert_eq!(found[1], "2:4: `b` is `1e400`, expected a finite number");
}

#[test]
fn good_values_are_read_with_their_places() {
    let text = "n: 1000\nz: -3\nf: 0.5\ne: 1e3\nb: false\nt: no\nl: [a, '', 1.10]\nw: docker\nenv: {A: 1, B: x}\nj: {x: [1, no]}\n";
    let found = problems(text, |mut fields| {
        let n = fields.required("n").integer(1..=1000_u32).unwrap();
        assert_eq!((n.value, n.span.line, n.span.column), (1000, 1, 4));
        assert_eq!(fields.required("z").integer(-3..=3_i64).unwrap().value, -3);
        assert_eq!(fields.required("f").number(0.0..=1.0).unwrap().value, 0.5);
        assert_eq!(
            fields
                .required("e")
                .number(0.0..=f64::INFINITY)
                .unwrap()
                .value,
            1000.0
        );
        assert!(!fields.required("b").bool().unwrap().value);
        assert_eq!(fields.required("t").string().as_deref(), Some("no"));
        let list = fields.required("l").texts().unwrap();
        assert_eq!(
            list.iter().map(|one| one.value).collect::<Vec<_>>(),
            ["a", "", "1.10"]
        );
        assert_eq!(
            fields
                .required("w")
                .one_of(&["local", "docker"])
                .unwrap()
                .value,
            "docker"
        );
        let env = fields.required("env").entries().unwrap();
        let env: Vec<_> = env
            .iter()
            .map(|(key, value)| (key.value, value.string().unwrap()))
            .collect();
        assert_eq!(env, [("A", "1".to_owned()), ("B", "x".to_owned())]);
        assert_eq!(
            fields.required("j").json(),
            Some(serde_json::json!({"x": [1, "no"]}))
        );
        assert!(fields.optional("gone").text().is_none());
        fields.finish();
    });
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn wrong_kinds_are_named_all_at_once() {
    let text = "a: [x]\nb: yes\nc: {d: 1}\nd: x\ne: dokcer\nf: [x, {y: 1}]\ng: ''\nh: |\n  true\n";
    let found = problems(text, |mut fields| {
        fields.required("a").text();
        fields.required("b").bool();
        fields.required("c").items();
        fields.required("d").fields("a thing");
        fields.required("e").one_of(&["local", "docker"]);
        fields.required("f").texts();
        assert_eq!(fields.required("g").text().unwrap().value, "");
        fields.required("h").bool();
        fields.optional("d").error("is taken", "choose another");
        fields.finish();
    });
    assert_eq!(
        found,
        [
            "1:4: `a` is a list, expected a text",
            "2:4: `b` is `yes`, expected `true` or `false`",
            "3:4: `c` is a mapping, expected a list",
            "4:4: `d` is `x`, expected a mapping (`key: value`)",
            "4:4: `d` is taken (choose another)",
            "5:4: `e` cannot be `dokcer` (did you mean `docker`?)",
            "6:8: item 2 of `f` is a mapping, expected a text",
            "9:3: `h` is the text `true\\n`, expected `true` or `false`",
        ]
    );
}

#[test]
fn missing_keys_are_reported_even_when_the_reader_gives_up() {
    let reader = |mut fields: Fields<'_>| {
        fields.required("id").text();
    };
    let want = ["1:1: key `id` is missing in a task (add `id: ...`)"];
    assert_eq!(problems("x: 1\n", reader), want);
    assert_eq!(
        problems("- 1\n", reader),
        ["1:1: a task is a list, expected a mapping (`key: value`)"]
    );
}

#[test]
fn a_refused_value_is_reported_once() {
    let found = problems("id: *x\n", |mut fields| {
        assert!(fields.required("id").text().is_none());
        fields.finish();
    });
    assert_eq!(found.len(), 1, "{found:?}");
}
