//! Numbers that a file does not say, one by one in every format: unknown or refused, never 0.

use super::*;
use crate::domain::ResultRow;
use crate::import::{COLUMNS, Member, PROPERTIES};
use serde_json::{Value, json};

/// What becomes of a file without one of its numbers.
enum Then {
    /// This is unknown, which it is not with the number.
    Unknown(fn(&ResultRow) -> bool),
    /// The file is refused, in these words.
    Refused(&'static str),
}
use Then::{Refused, Unknown};

const USAGE: Then = Unknown(|row| row.usage.is_none());
const COST: Then = Unknown(|row| row.cost.amount().is_none());
const TIME: Then = Unknown(|row| row.worked_ms.is_none());
const SCORE: Then = Unknown(|row| row.score.is_none());
const CALLS: Then = Unknown(|row| row.tool_calls.is_none());
const FORBIDDEN: Then = Unknown(|row| row.forbidden.is_none());
const MEASURED: Then = Unknown(|row| !row.outcome.is_measured());

fn file(path: &str, text: &str) -> Given {
    Given {
        cell: None,
        path: path.to_owned(),
        scorer: None,
        bytes: text.as_bytes().to_vec(),
        members: Vec::new(),
    }
}

/// Holds a file with a number against the same file without it.
fn holds(number: &str, then: &Then, whole: &Given, without: &[Given]) {
    let with = read(whole).unwrap_or_else(|error| panic!("{number}: {error}"));
    for without in without {
        match (then, read(without)) {
            (Unknown(is_unknown), Ok(read)) => {
                assert!(!is_unknown(&with.found[0].row), "{number} says nothing");
                assert!(is_unknown(&read.found[0].row), "{number} was made up");
            }
            (Refused(words), Err(error)) => {
                let said = error.to_string();
                let is_said = [words, "--> ", "help: "]
                    .iter()
                    .all(|one| said.contains(one));
                assert!(is_said, "{number}: {said}");
            }
            (_, Ok(_)) => panic!("{number}: a file without it was read"),
            (_, Err(error)) => panic!("{number}: {error}"),
        }
    }
}

/// A number of a document: the pointer of what it stands in, its key, and what then.
type Number = (&'static str, &'static str, Then);

fn hold(document: &Value, numbers: &[Number], given: fn(&Value) -> Given) {
    for (parent, key, then) in numbers {
        let mut gone = document.clone();
        let object = gone.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        assert!(object.remove(*key).is_some(), "{key}");
        let mut null = document.clone();
        null.pointer_mut(parent).unwrap()[*key] = Value::Null;
        let without = [given(&gone), given(&null)];
        holds(key, then, &given(document), &without);
    }
}

#[test]
fn tau2() {
    let document = json!({
        "info": {"num_trials": 1, "agent_info": {"llm": "m"}, "environment_info": {"domain_name": "d"}},
        "tasks": [{"id": "t"}],
        "simulations": [{
            "task_id": "t", "trial": 0, "termination_reason": "user_stop", "duration": 1.5,
            "agent_cost": 0.5, "reward_info": {"reward": 0.5},
        }],
    });
    let numbers = [
        ("/info", "num_trials", Refused("results.json:1:")),
        ("/simulations/0", "trial", Refused("has no trial")),
        ("/simulations/0", "duration", TIME),
        ("/simulations/0", "agent_cost", COST),
        ("/simulations/0", "reward_info", MEASURED),
        ("/simulations/0", "reward_info", SCORE),
    ];
    let as_file = |document: &Value| file("results.json", &document.to_string());
    hold(&document, &numbers, as_file);
    let mut none = document;
    none["info"]["num_trials"] = json!(0);
    assert!(read(&as_file(&none)).is_err(), "no trial is no plan");
}

#[test]
fn harbor() {
    let document = json!({
        "id": "i", "task_name": "t", "trial_name": "n",
        "agent_info": {"name": "a", "version": "1"},
        "verifier_result": {"rewards": {"reward": 1.0}},
        "agent_execution": {"started_at": "2026-11-30T10:00:01Z", "finished_at": "2026-11-30T10:00:03Z"},
        "step_results": [
            {"agent_result": {"n_input_tokens": 9, "n_cache_tokens": 0, "n_output_tokens": 1, "cost_usd": 1.0}},
            {"agent_result": {"n_input_tokens": 9, "n_cache_tokens": 4, "n_output_tokens": 1, "cost_usd": 1.0}},
        ],
    });
    let of_step = "/step_results/1/agent_result";
    let numbers = [
        (of_step, "n_input_tokens", USAGE),
        (of_step, "n_cache_tokens", USAGE),
        (of_step, "n_output_tokens", USAGE),
        (of_step, "cost_usd", COST),
        ("/step_results/1", "agent_result", USAGE),
        ("/step_results/1", "agent_result", COST),
        ("/agent_execution", "finished_at", TIME),
        ("/verifier_result", "rewards", MEASURED),
    ];
    hold(&document, &numbers, |document| Given {
        members: vec![Member {
            path: "job/n/result.json".to_owned(),
            bytes: document.to_string().into_bytes(),
        }],
        ..file("job", "")
    });
}

#[test]
fn inspect() {
    let document = json!({
        "version": 2, "status": "cancelled",
        "eval": {"task": "t", "model": "m", "dataset": {"sample_ids": [1]}, "config": {"epochs": 1}},
        "samples": [{
            "id": 1, "epoch": 1, "scores": {"s": {"value": 1}}, "working_time": 0.5,
            "model_usage": {"m": {
                "input_tokens": 3, "output_tokens": 2, "input_tokens_cache_read": 4,
                "input_tokens_cache_write": 1, "total_tokens": 10, "total_cost": 0.25,
            }},
        }],
    });
    let of_model = "/samples/0/model_usage/m";
    let numbers = [
        ("/eval/config", "epochs", Refused("what was planned")),
        ("/eval/dataset", "sample_ids", Refused("what was planned")),
        ("/samples/0", "epoch", Refused("log.json:1:")),
        ("/samples/0", "working_time", TIME),
        ("/samples/0", "scores", MEASURED),
        ("/samples/0", "model_usage", USAGE),
        ("/samples/0", "model_usage", COST),
        (of_model, "input_tokens", USAGE),
        (of_model, "output_tokens", USAGE),
        (of_model, "input_tokens_cache_read", USAGE),
        (of_model, "input_tokens_cache_write", USAGE),
        (of_model, "total_cost", COST),
    ];
    // `model_usage` is never null in a log.
    for (parent, key, then) in numbers {
        let mut gone = document.clone();
        let object = gone.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        object.remove(key).unwrap();
        let as_file = |document: &Value| file("log.json", &document.to_string());
        holds(key, &then, &as_file(&document), &[as_file(&gone)]);
    }
}

#[test]
fn a_cache_that_an_inspect_log_has_no_count_of_is_empty_where_the_total_leaves_it_nothing() {
    let read_with = |total: Value| {
        let used = json!({"input_tokens": 3, "output_tokens": 2, "total_tokens": total});
        let log = json!({
            "version": 2, "status": "success", "eval": {"task": "t", "model": "m"},
            "samples": [{"id": 1, "epoch": 1, "scores": {"s": {"value": 1}}, "model_usage": {"m": used}}],
        });
        read(&file("log.json", &log.to_string())).unwrap().found[0]
            .row
            .usage
    };
    let usage = read_with(json!(5)).unwrap();
    assert_eq!(
        (usage.input_uncached, usage.input(), usage.output),
        (3, 3, 2)
    );
    for total in [json!(6), json!(null), json!(u64::MAX)] {
        assert_eq!(read_with(total), None);
    }
}

#[test]
fn promptfoo() {
    let document = json!({"config": {}, "results": {"results": [{
        "testIdx": 0, "promptIdx": 0, "success": false, "score": 0.5, "failureReason": 1,
        "provider": {"id": "m"}, "vars": {"n": 1}, "cost": 0.5, "latencyMs": 7,
        "response": {"tokenUsage": {"prompt": 3, "completion": 2}},
    }]}});
    let item = "/results/results/0";
    let of_answer = "/results/results/0/response/tokenUsage";
    let numbers = [
        (item, "failureReason", Refused("has no failureReason")),
        (item, "score", SCORE),
        (item, "cost", COST),
        (item, "latencyMs", TIME),
        (item, "response", USAGE),
        (of_answer, "prompt", USAGE),
        (of_answer, "completion", USAGE),
    ];
    hold(&document, &numbers, |document| {
        file("out.json", &document.to_string())
    });
}

/// The columns that hold no number.
const TEXTS: [&str; 9] = [
    "cell",
    "task",
    "outcome",
    "detail",
    "failure_mode",
    "cost_source",
    "started",
    "family",
    "dataset_hash",
];

#[test]
fn csv() {
    let parts = "cell,task,repeat,passed,cost_usd,input_uncached,cache_read,cache_write_5m,\
                 cache_write_1h,output,seconds,tool_calls,forbidden_proposed,forbidden_blocked,\
                 forbidden_executed,security,completion,process\n\
                 m,t,1,true,0.5,3,0,0,0,2,1.5,4,0,0,0,1,0.5,1\n";
    let sums = "cell,task,repeat,passed,score,input_tokens,output_tokens,weight,stratum,stratum_share\n\
                m,t,1,true,0.5,3,2,,a,1\n";
    let executed = "cell,task,repeat,passed,forbidden_proposed,forbidden_blocked,forbidden_executed\n\
                    m,t,1,false,2,1,1\n";
    let of_parts = [
        ("repeat", Refused("repeat is empty")),
        ("passed", Refused("passed is empty")),
        ("cost_usd", COST),
        ("input_uncached", USAGE),
        ("cache_read", USAGE),
        ("cache_write_5m", USAGE),
        ("cache_write_1h", USAGE),
        ("output", USAGE),
        ("seconds", TIME),
        ("tool_calls", CALLS),
        ("forbidden_proposed", FORBIDDEN),
        ("forbidden_blocked", FORBIDDEN),
        ("forbidden_executed", FORBIDDEN),
        ("security", SCORE),
        ("completion", SCORE),
        ("process", SCORE),
    ];
    let of_sums = [
        ("score", SCORE),
        ("input_tokens", USAGE),
        ("output_tokens", USAGE),
        ("stratum", Refused("a share of no stratum")),
        ("stratum_share", Refused("the stratum has no share")),
    ];
    let of_executed = [
        ("forbidden_proposed", Refused("nobody counted the rest")),
        ("forbidden_blocked", Refused("nobody counted the rest")),
        ("forbidden_executed", FORBIDDEN),
    ];
    let tables = [
        (parts, &of_parts[..]),
        (sums, &of_sums[..]),
        (executed, &of_executed[..]),
    ];
    let mut named = TEXTS.to_vec();
    // A task without a weight has that of any other, which is no guess.
    named.push("weight");
    for (table, numbers) in tables {
        for (column, then) in numbers {
            let without = file("r.csv", &emptied(table, column));
            holds(column, then, &file("r.csv", table), &[without]);
            named.push(column);
        }
    }
    let forgotten = COLUMNS
        .iter()
        .filter(|column| !named.contains(&column.name));
    assert_eq!(
        forgotten.map(|column| column.name).collect::<Vec<_>>(),
        [""; 0]
    );
}

/// The table with nothing in a column.
fn emptied(table: &str, column: &str) -> String {
    let (head, line) = table.trim_end().split_once('\n').unwrap();
    let at = head.split(',').position(|name| name == column).unwrap();
    let mut fields: Vec<&str> = line.split(',').collect();
    fields[at] = "";
    format!("{head}\n{}\n", fields.join(","))
}

#[test]
fn junit() {
    let numbers = [
        ("cost_usd", COST),
        ("input_tokens", USAGE),
        ("output_tokens", USAGE),
    ];
    let texts = ["cell", "task", "repeat", "family", "weight"];
    let suite = |without: &str| {
        let has = |name: &&str| *name != without;
        let property = |name| format!("<property name=\"{name}\" value=\"7\"/>");
        let all = numbers
            .iter()
            .map(|(name, _)| *name)
            .filter(has)
            .map(property);
        let time = if without == "time" {
            ""
        } else {
            " time=\"1.5\""
        };
        let text = format!(
            "<testsuite><testcase name=\"t\"{time}><properties>{}</properties></testcase></testsuite>",
            all.collect::<String>()
        );
        Given {
            cell: Some(crate::domain::CellId::imported("m").unwrap()),
            ..file("a.xml", &text)
        }
    };
    for (name, then) in &numbers {
        holds(name, then, &suite(""), &[suite(name)]);
    }
    holds("time", &TIME, &suite(""), &[suite("time")]);
    let known: Vec<_> = numbers.iter().map(|(name, _)| *name).chain(texts).collect();
    assert!(
        PROPERTIES
            .iter()
            .all(|property| known.contains(&property.name))
    );
}
