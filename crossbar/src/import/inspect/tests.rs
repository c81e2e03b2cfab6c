//! What each part of a log comes to. Whole logs that Inspect wrote are read by the suite `import`.

use super::*;
use crate::domain::{Cost, LimitKind, Outcome};
use serde_json::json;

fn given(log: &Value) -> Given {
    Given {
        cell: None,
        path: "log.json".to_owned(),
        scorer: None,
        bytes: log.to_string().into_bytes(),
        members: Vec::new(),
    }
}

/// A log with one sample, which has these keys too.
fn log(more: Value) -> Value {
    let mut sample = json!({"id": 7, "epoch": 1, "scores": {"match": {"value": "C"}}});
    for (key, value) in more.as_object().unwrap() {
        sample[key] = value.clone();
    }
    json!({
        "version": 2,
        "status": "success",
        "eval": {"task": "sums", "model": "org/m", "dataset": {}, "config": {}},
        "samples": [sample],
    })
}

fn outcome(more: Value) -> Outcome {
    let read = read(&given(&log(more))).unwrap();
    read.found[0].row.outcome.clone()
}

fn scored(value: Value) -> Value {
    json!({"scores": {"match": {"value": value}}})
}

#[test]
fn a_score_is_yes_or_no_and_what_is_between_is_refused() {
    for yes in [json!("C"), json!(1), json!(1.0), json!(true)] {
        assert_eq!(outcome(scored(yes)), Outcome::Accepted);
    }
    for no in [json!("I"), json!("N"), json!(0), json!(false)] {
        assert_eq!(outcome(scored(no)), Outcome::TaskFailure);
    }
    for between in [
        json!("P"),
        json!(0.5),
        json!({"a": 1}),
        json!([1]),
        json!("yes"),
    ] {
        let error = read(&given(&log(scored(between.clone()))))
            .unwrap_err()
            .to_string();
        assert!(error.contains("neither passed nor failed"), "{error}");
        assert!(
            error.contains("--> log.json: sample sums/7, epoch 1\nhelp: "),
            "{error}"
        );
    }
}

#[test]
fn an_error_and_a_missing_score_measured_nothing() {
    for more in [
        json!({"error": {"message": "no route"}}),
        json!({"error": "no route"}),
        json!({"scores": null}),
        json!({"scores": {}}),
        scored(Value::Null),
    ] {
        assert!(!outcome(more.clone()).is_measured(), "{more}");
    }
}

#[test]
fn a_limit_explains_a_failure_and_takes_no_pass_away() {
    let mut more = scored(json!("I"));
    more["limit"] = json!({"type": "working", "limit": 5});
    let limit = LimitKind::Seconds;
    assert_eq!(outcome(more.clone()), Outcome::LimitReached { limit });
    more["limit"] = json!("token");
    let limit = LimitKind::Tokens;
    assert_eq!(outcome(more.clone()), Outcome::LimitReached { limit });
    more["scores"]["match"]["value"] = json!("C");
    assert_eq!(outcome(more.clone()), Outcome::Accepted);
    let notes = read(&given(&log(more))).unwrap().notes;
    assert!(
        notes[0].contains("samples that met a limit: 1;"),
        "{notes:?}"
    );
}

#[test]
fn tokens_and_costs_are_of_all_models_or_unknown() {
    let usage = json!({
        "a": {"input_tokens": 3, "output_tokens": 2, "input_tokens_cache_read": 5, "total_tokens": 10, "total_cost": 0.25},
        "b": {"input_tokens": 4, "output_tokens": 1, "total_tokens": 5, "total_cost": 0.5},
    });
    let first = |more| read(&given(&log(more))).unwrap().found.remove(0).row;
    let row = first(json!({"model_usage": usage}));
    let tokens = row.usage.unwrap();
    assert_eq!(
        (tokens.input_uncached, tokens.cache_read, tokens.output),
        (7, 5, 3)
    );
    assert_eq!(row.cost.amount().unwrap().dollars(), 0.75);
    let mut half = usage;
    half["b"]["total_cost"] = Value::Null;
    assert_eq!(first(json!({"model_usage": half})).cost, Cost::Unknown);
    assert_eq!(first(json!({})).usage, None);
    assert_eq!(first(json!({})).cost, Cost::Unknown);
}

#[test]
fn of_several_scorers_one_must_be_named() {
    let two = json!({"scores": {"f1": {"value": 0.5}, "match": {"value": "C"}}});
    let mut given = given(&log(two));
    let error = read(&given).unwrap_err().to_string();
    assert!(error.contains("several scorers: f1, match"), "{error}");
    given.scorer = Some("match".to_owned());
    assert_eq!(
        read(&given).unwrap().found[0].row.outcome,
        Outcome::Accepted
    );
    given.scorer = Some("exact".to_owned());
    let error = read(&given).unwrap_err().to_string();
    assert!(
        error.contains("no scorer `exact`: the log has f1, match"),
        "{error}"
    );
}

#[test]
fn samples_that_never_ran_are_expected_and_the_status_is_noted() {
    let mut log = log(json!({}));
    log["status"] = json!("cancelled");
    log["eval"]["dataset"] = json!({"sample_ids": [7, 8]});
    log["eval"]["config"] = json!({"epochs": 2});
    let read = read(&given(&log)).unwrap();
    let keys: Vec<_> = read.expected.iter().map(ToString::to_string).collect();
    assert_eq!(keys[3], "sums/8::org/m r2");
    assert_eq!((read.found.len(), keys.len()), (1, 4));
    assert_eq!(
        read.notes,
        ["log.json: Inspect ended with status cancelled"]
    );
}

#[test]
fn a_log_without_samples_and_a_broken_one_are_refused() {
    let mut bare = log(json!({}));
    bare["samples"] = Value::Null;
    let error = read(&given(&bare)).unwrap_err().to_string();
    assert!(error.contains("holds no samples"), "{error}");
    let mut broken = log(json!({}));
    broken["samples"][0]["epoch"] = json!("one");
    let error = read(&given(&broken)).unwrap_err().to_string();
    assert!(
        error.contains("--> log.json:1:") && error.contains("help: "),
        "{error}"
    );
}
