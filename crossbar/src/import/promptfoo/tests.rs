//! What each part of an output file comes to. A whole one is read by the suite `import`.

use super::*;
use serde_json::{Value, json};

fn item(test: u64, n: u64) -> Value {
    json!({
        "testIdx": test, "promptIdx": 0, "success": true, "score": 1, "failureReason": 0,
        "provider": {"id": "openai:m", "label": ""}, "prompt": {"label": "say {{n}}"},
        "testCase": {"vars": {"n": n}}, "vars": {"n": n}, "cost": 0,
    })
}

fn read_all(items: &[Value]) -> Result<Read, ImportError> {
    let text = json!({"config": {}, "results": {"version": 3, "results": items}});
    let given = Given {
        cell: None,
        path: "out.json".to_owned(),
        scorer: None,
        bytes: text.to_string().into_bytes(),
        members: Vec::new(),
    };
    assert!(is_one(&given));
    read(&given)
}

fn keys(items: &[Value]) -> Vec<String> {
    let found = read_all(items).unwrap().found;
    found.iter().map(|one| one.row.key.to_string()).collect()
}

#[test]
fn equal_test_cases_are_repeats_of_one() {
    let items = [item(2, 5), item(0, 4), item(1, 4)];
    assert_eq!(
        keys(&items),
        ["n=4::openai:m r1", "n=4::openai:m r2", "n=5::openai:m r1"]
    );
}

#[test]
fn several_prompts_are_several_cells() {
    let mut other = item(0, 4);
    other["prompt"]["label"] = json!("x".repeat(100));
    other["promptIdx"] = json!(1);
    let mut named = item(0, 4);
    named["provider"]["label"] = json!("large");
    let found = keys(&[named, other]);
    assert_eq!(
        found,
        ["n=4::large / say {{n}} r1", "n=4::openai:m / prompt 2 r1"]
    );
}

#[test]
fn tests_of_one_description_stay_apart() {
    let mut items = [item(0, 4), item(1, 5)];
    for item in &mut items {
        item["testCase"]["description"] = json!("adds");
    }
    assert_eq!(keys(&items), ["adds::openai:m r1", "adds #2::openai:m r1"]);
}

#[test]
fn an_error_measured_nothing_and_a_cost_of_nothing_is_unknown() {
    let mut error = item(0, 4);
    error["success"] = json!(false);
    error["failureReason"] = json!(2);
    let mut failed = item(1, 5);
    failed["success"] = json!(false);
    failed["score"] = json!(0.25);
    failed["failureReason"] = json!(1);
    failed["cost"] = json!(0.5);
    let found = read_all(&[error, failed]).unwrap().found;
    assert!(!found[0].row.outcome.is_measured() && found[0].row.score.is_none());
    assert_eq!(found[0].row.cost.amount(), None);
    assert_eq!(found[1].row.outcome, Outcome::TaskFailure);
    assert_eq!(found[1].row.score.unwrap().total(), 0.25);
    assert_eq!(found[1].row.cost.amount().unwrap().dollars(), 0.5);
}

#[test]
fn a_repeat_from_the_cache_is_refused() {
    let cached = |test| {
        let mut item = item(test, 4);
        item["response"] = json!({"cached": true});
        item
    };
    assert!(read_all(&[cached(0)]).is_ok(), "one rollout is no repeat");
    let error = read_all(&[item(0, 4), cached(1)]).unwrap_err().to_string();
    assert!(error.contains("run again with --no-cache"), "{error}");
    assert!(
        error.contains("out.json: result of test 1, prompt 0"),
        "{error}"
    );
}
