//! What each part of a job comes to. A job that Harbor ran is read by the suite `import`.

use super::*;
use crate::domain::{Cost, LimitKind, Outcome};
use serde_json::{Value, json};

/// A trial with these keys too.
fn trial(name: &str, more: Value) -> Value {
    let mut trial = json!({
        "id": name, "task_name": "org/fix", "trial_name": name, "task_checksum": "c",
        "config": {"agent": {"name": "a", "kwargs": {}}},
        "agent_info": {"name": "coder", "version": "1", "model_info": {"name": "m", "provider": "p"}},
        "agent_result": {"n_input_tokens": 10, "n_cache_tokens": 4, "n_output_tokens": 3, "cost_usd": 0.5},
        "verifier_result": {"rewards": {"reward": 1.0}}, "exception_info": null,
        "started_at": "2026-11-30T10:00:00.500000Z",
        "agent_execution": {"started_at": "2026-11-30T10:00:01Z", "finished_at": "2026-11-30T10:00:03.250Z"},
    });
    for (key, value) in more.as_object().unwrap() {
        trial[key] = value.clone();
    }
    trial
}

fn given(members: &[Value]) -> Given {
    let members = members.iter().enumerate().map(|(at, member)| Member {
        path: format!("job/{at}/result.json"),
        bytes: member.to_string().into_bytes(),
    });
    Given {
        cell: None,
        path: "job".to_owned(),
        scorer: None,
        bytes: Vec::new(),
        members: members.collect(),
    }
}

fn read_all(members: &[Value]) -> Result<Read, ImportError> {
    let given = given(members);
    assert!(is_one(&given));
    read(&given)
}

fn outcome(more: Value) -> Outcome {
    let mut read = read_all(&[trial("t", more)]).unwrap();
    read.found.remove(0).row.outcome
}

/// A trial that this exception ended, with a reward of 0.
fn ended_by(kind: &str, more: Value) -> Outcome {
    let mut keys = json!({
        "exception_info": {"exception_type": kind},
        "verifier_result": {"rewards": {"reward": 0}},
    });
    for (key, value) in more.as_object().unwrap() {
        keys[key] = value.clone();
    }
    outcome(keys)
}

#[test]
fn a_trial_is_a_rollout_of_a_model_with_an_agent() {
    let read = read_all(&[trial("t", json!({}))]).unwrap();
    let row = &read.found[0].row;
    assert_eq!(row.key.to_string(), "org/fix::p/m+coder r1");
    assert_eq!(row.outcome, Outcome::Accepted);
    assert_eq!(row.cost.amount().unwrap().dollars(), 0.5);
    let usage = row.usage.unwrap();
    assert_eq!(
        (usage.input_uncached, usage.cache_read, usage.output),
        (6, 4, 3)
    );
    assert_eq!(row.worked_ms, Some(2250));
    assert_eq!(row.started_at.as_deref(), Some("2026-11-30T10:00:00.500Z"));
    let alone = json!({"agent_info": {"name": "oracle", "version": "1", "model_info": null}});
    let read = read_all(&[trial("t", alone)]).unwrap();
    assert_eq!(read.found[0].row.key.cell.to_string(), "oracle");
}

#[test]
fn attempts_are_numbered_in_the_order_in_which_they_began() {
    let at = |name: &str, minute: u32| {
        trial(
            name,
            json!({"started_at": format!("2026-11-30T10:{minute:02}:00Z")}),
        )
    };
    let read = read_all(&[at("a", 9), at("b", 7), at("c", 8)]).unwrap();
    let order = read
        .found
        .iter()
        .map(|one| (one.row.key.repeat, one.place.path.as_str()));
    assert_eq!(
        order.collect::<Vec<_>>(),
        [
            (1, "job/1/result.json"),
            (2, "job/2/result.json"),
            (3, "job/0/result.json")
        ]
    );
}

#[test]
fn what_ended_a_trial_is_the_agents_or_measured_nothing() {
    let none = json!({});
    assert_eq!(
        outcome(json!({"verifier_result": {"rewards": {"reward": 0}}})),
        Outcome::TaskFailure
    );
    assert!(!outcome(json!({"verifier_result": null})).is_measured());
    for (kind, limit) in [
        ("AgentTimeoutError", LimitKind::Seconds),
        ("ContextLengthExceededError", LimitKind::Tokens),
    ] {
        assert_eq!(
            ended_by(kind, none.clone()),
            Outcome::LimitReached { limit }
        );
    }
    assert_eq!(
        ended_by("NonZeroAgentExitCodeError", none.clone()).word(),
        "agent_crash"
    );
    assert_eq!(
        ended_by("AgentSafetyRefusalError", none.clone()),
        Outcome::TaskFailure
    );
    for kind in [
        "EnvironmentStartTimeoutError",
        "ApiRateLimitError",
        "Unheard",
    ] {
        assert!(!ended_by(kind, none.clone()).is_measured(), "{kind}");
    }
    // What Harbor says itself stands above what the exception is called.
    assert!(ended_by("Unheard", json!({"reward_valid": true})).is_measured());
    assert!(!ended_by("AgentTimeoutError", json!({"reward_valid": false})).is_measured());
    let timed_out = json!({"exception_info": {"exception_type": "AgentTimeoutError"}});
    let read = read_all(&[trial("t", timed_out)]).unwrap();
    assert_eq!(read.found[0].row.outcome, Outcome::Accepted);
    assert!(
        read.notes[0].contains("takes as valid: 1; each"),
        "{:?}",
        read.notes
    );
}

#[test]
fn steps_add_up_and_an_unknown_price_is_unknown() {
    let steps = |second: Value| {
        json!({"agent_result": null, "step_results": [
            {"agent_result": {"n_input_tokens": 2, "n_cache_tokens": 0, "n_output_tokens": 1, "cost_usd": 0.25}},
            {"agent_result": {"n_input_tokens": 3, "n_cache_tokens": 0, "n_output_tokens": 1, "cost_usd": second}},
        ]})
    };
    let row = |more| read_all(&[trial("t", more)]).unwrap().found.remove(0).row;
    let both = row(steps(json!(0.5)));
    assert_eq!(both.cost.amount().unwrap().dollars(), 0.75);
    assert_eq!(both.usage.unwrap().input_uncached, 5);
    assert_eq!(row(steps(Value::Null)).cost, Cost::Unknown);
    assert_eq!(row(json!({"agent_result": null})).usage, None);
    let free = json!({"agent_result": {"cost_usd": 0.0}});
    assert_eq!(row(free).cost, Cost::Unknown);
}

#[test]
fn a_reward_is_yes_or_no_and_of_several_one_is_named() {
    let graded = json!({"verifier_result": {"rewards": {"reward": 0.5}}});
    let said = read_all(&[trial("t", graded)]).unwrap_err().to_string();
    assert!(
        said.contains("the reward is 0.5") && said.contains("--> job/0/result.json\nhelp: "),
        "{said}"
    );
    let two = json!({"verifier_result": {"rewards": {"speed": 0.5, "tests": 1}}});
    let mut given = given(&[trial("t", two)]);
    let said = read(&given).unwrap_err().to_string();
    assert!(said.contains("several rewards: speed, tests"), "{said}");
    given.scorer = Some("tests".to_owned());
    assert_eq!(
        read(&given).unwrap().found[0].row.outcome,
        Outcome::Accepted
    );
    given.scorer = Some("style".to_owned());
    let said = read(&given).unwrap_err().to_string();
    assert!(
        said.contains("no reward `style`: the trials have speed, tests"),
        "{said}"
    );
}

#[test]
fn what_is_two_things_is_refused_at_both_places() {
    for (more, wanted) in [
        (json!({"id": "a"}), "trial b stands twice"),
        (
            json!({"task_checksum": "d"}),
            "task `org/fix` is not the same in two trials",
        ),
        (
            json!({"config": {"agent": {"name": "a", "kwargs": {"x": 1}}}}),
            "`p/m+coder` ran with two configurations",
        ),
    ] {
        let said = read_all(&[trial("a", json!({})), trial("b", more)])
            .unwrap_err()
            .to_string();
        assert!(said.contains(wanted), "{said}");
        assert!(
            said.contains("--> job/1/result.json\n  and job/0/result.json\nhelp: "),
            "{said}"
        );
    }
}

#[test]
fn trials_without_a_result_are_counted_and_a_folder_without_any_is_refused() {
    let job = json!({"id": "j", "n_total_trials": 3, "stats": {}});
    let read = read_all(&[job.clone(), trial("a", json!({}))]).unwrap();
    assert_eq!(
        read.notes,
        ["job: the job planned 3 trials, and 1 have a result"]
    );
    let said = read_all(&[job]).unwrap_err().to_string();
    assert!(
        said.contains("no trial of Harbor") && said.contains("--> job\nhelp: "),
        "{said}"
    );
    let said = read_all(&[trial("a", json!({"agent_info": 1}))])
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("--> job/0/result.json:1:") && said.contains("help: "),
        "{said}"
    );
}
