//! What each part of a file comes to. A file that tau2 wrote is read by the suite `import`.

use super::*;
use crate::domain::Cost;
use serde_json::json;

fn given(document: &Value) -> Given {
    Given {
        cell: None,
        path: "results.json".to_owned(),
        scorer: None,
        bytes: document.to_string().into_bytes(),
        members: Vec::new(),
    }
}

/// Results with one simulation, which has these keys too.
fn results(more: Value) -> Value {
    let mut simulation = json!({
        "id": "x", "task_id": "7", "trial": 1, "termination_reason": "user_stop",
        "reward_info": {"reward": 1.0}, "agent_cost": 0.25, "duration": 1.5,
        "start_time": "2026-11-30T10:00:00.250000",
    });
    for (key, value) in more.as_object().unwrap() {
        simulation[key] = value.clone();
    }
    json!({
        "info": {
            "num_trials": 2,
            "agent_info": {"implementation": "llm_agent", "llm": "org/m"},
            "environment_info": {"domain_name": "retail"},
        },
        "tasks": [{"id": "7"}, {"id": 8}],
        "simulations": [simulation],
    })
}

fn read_one(more: Value) -> Found {
    let given = given(&results(more));
    assert!(is_one(&given));
    read(&given).unwrap().found.remove(0)
}

#[test]
fn a_simulation_is_a_rollout_of_the_agents_model() {
    let found = read_one(json!({}));
    assert_eq!(found.row.key.to_string(), "retail/7::org/m r2");
    assert_eq!(found.row.outcome, Outcome::Accepted);
    assert_eq!(found.row.cost.amount().unwrap().dollars(), 0.25);
    assert_eq!(found.row.worked_ms, Some(1500));
    assert_eq!(
        found.row.started_at.as_deref(),
        Some("2026-11-30T10:00:00.250Z")
    );
}

#[test]
fn a_reward_of_one_is_a_success_and_an_ending_explains_another() {
    let ended = |reason: &str, reward: f64| {
        let more = json!({"termination_reason": reason, "reward_info": {"reward": reward}});
        read_one(more).row.outcome
    };
    assert_eq!(ended("user_stop", 1.0 - 1e-9), Outcome::Accepted);
    assert_eq!(ended("user_stop", 0.5), Outcome::TaskFailure);
    assert_eq!(ended("too_many_errors", 0.0), Outcome::TaskFailure);
    for (reason, limit) in [
        ("max_steps", LimitKind::Steps),
        ("timeout", LimitKind::Seconds),
        ("context_window_exceeded", LimitKind::Tokens),
    ] {
        assert_eq!(ended(reason, 0.0), Outcome::LimitReached { limit });
    }
    assert_eq!(ended("agent_error", 0.0).word(), "agent_crash");
    assert_eq!(
        read_one(json!({"reward_info": {"reward": 0.5}}))
            .row
            .score
            .unwrap()
            .total(),
        0.5
    );
}

#[test]
fn what_tau2_leaves_out_measured_nothing_and_what_it_counts_is_counted_with_a_note() {
    for more in [
        json!({"termination_reason": "infrastructure_error", "reward_info": null}),
        json!({"termination_reason": "infrastructure_error", "reward_info": {"reward": 0.0}}),
        json!({"reward_info": null}),
    ] {
        let row = read_one(more).row;
        assert!(!row.outcome.is_measured() && row.score.is_none(), "{row:?}");
    }
    let more = json!({"termination_reason": "user_error", "reward_info": {"reward": 0.0}});
    let read = read(&given(&results(more))).unwrap();
    assert_eq!(read.found[0].row.outcome, Outcome::TaskFailure);
    assert!(
        read.notes[0].contains("error of the simulated user: 1;"),
        "{:?}",
        read.notes
    );
}

#[test]
fn a_price_that_is_not_known_is_unknown() {
    for cost in [json!(0.0), json!(null)] {
        assert_eq!(
            read_one(json!({"agent_cost": cost})).row.cost,
            Cost::Unknown
        );
    }
}

#[test]
fn trials_that_never_ran_are_expected() {
    let read = read(&given(&results(json!({})))).unwrap();
    let keys: Vec<_> = read.expected.iter().map(ToString::to_string).collect();
    assert_eq!(
        keys,
        [
            "retail/7::org/m r1",
            "retail/7::org/m r2",
            "retail/8::org/m r1",
            "retail/8::org/m r2"
        ]
    );
}

#[test]
fn the_index_of_a_folder_says_the_same() {
    let mut document = results(json!({}));
    let document = document.as_object_mut().unwrap();
    document.remove("simulations");
    document.insert(
        "simulation_index".to_owned(),
        json!([{"id": "x", "task_id": 7, "trial": 0, "reward": 0.0, "termination_reason": "max_steps",
                "agent_cost": 0.5, "duration": 2.0}]),
    );
    let given = given(&Value::Object(document.clone()));
    assert!(is_one(&given));
    let row = read(&given).unwrap().found.remove(0).row;
    assert_eq!(row.key.to_string(), "retail/7::org/m r1");
    assert_eq!(
        row.outcome,
        Outcome::LimitReached {
            limit: LimitKind::Steps
        }
    );
    assert_eq!(row.cost.amount().unwrap().dollars(), 0.5);
}

#[test]
fn what_can_not_be_read_is_named_at_its_place_with_the_cure() {
    let error = |document: &Value| read(&given(document)).unwrap_err().to_string();
    let said = error(&results(json!({"trial": null})));
    assert!(
        said.contains("--> results.json: simulation of retail/7, without a trial\nhelp: "),
        "{said}"
    );
    let said = error(&results(json!({"trial": "one"})));
    assert!(
        said.contains("--> results.json:1:") && said.contains("help: "),
        "{said}"
    );
    let mut nameless = results(json!({}));
    nameless["info"]["agent_info"]["llm"] = Value::Null;
    let said = error(&nameless);
    assert!(
        said.contains("names no model") && said.contains("NAME=FILE"),
        "{said}"
    );
}
