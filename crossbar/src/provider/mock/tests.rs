//! What the mock promises, and the small things that all tests of the room use.

use super::*;
use crate::domain::{Arguments, Price, StepKind};
use crate::provider::{ReplyForm, build};
use serde_json::json;
use std::collections::BTreeMap;
use std::future::Future;
use std::task::{Context, Poll, Waker};

/// A kind that is paid for.
pub(in crate::provider) const LIVE: ProviderKind = ProviderKind {
    name: "paid",
    doc: "",
    live: true,
    pretend: false,
    needs: &[],
    takes: &[],
    harnesses: &[],
};

/// Runs a future that never waits.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = Box::pin(future);
    match future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}

/// A free mock model.
pub(crate) fn model(skill: f64, recover: f64) -> Model {
    Model {
        id: "m".to_owned(),
        provider: "mock".to_owned(),
        model: "m-1".to_owned(),
        base_url: None,
        api_key_env: None,
        price: Price::Free,
        params: BTreeMap::new(),
        limits: crate::domain::ModelLimits::default(),
        skill,
        recover,
    }
}

fn script(steps: usize) -> Script {
    let mut script = Script::default();
    for step in 0..steps {
        script.call("desk.step", json!({"n": step}));
    }
    script.say("all done");
    script
}

/// What a mock does on a work turn and then on a verify turn: the numbers of the steps.
fn played(skill: f64, recover: f64, seed: u64) -> (Vec<u64>, Vec<u64>) {
    let script = script(12);
    let setup = Setup {
        seed,
        script: Some(&script),
        ..Setup::default()
    };
    let provider = build(&model(skill, recover), &setup).unwrap();
    let turn = |turn: StepKind| {
        let request = ChatRequest {
            turn,
            ..ChatRequest::default()
        };
        let mut seen = Vec::new();
        loop {
            let reply = block_on(provider.chat(&request)).unwrap();
            let Some(call) = reply.calls.first() else {
                assert_eq!(reply.text, "all done");
                return seen;
            };
            let Arguments::Json(args) = &call.arguments else {
                panic!("{call:?}")
            };
            assert_eq!(reply.calls.len(), 1);
            seen.push(args["n"].as_u64().unwrap());
        }
    };
    (turn(StepKind::Work), turn(StepKind::Verify))
}

#[test]
fn the_same_seed_plays_the_same_run() {
    assert_eq!(played(0.6, 0.5, 7), played(0.6, 0.5, 7));
    // Golden: another answer here changes every mock run that anybody has recorded.
    let golden = (vec![0, 3, 4, 5, 6, 7, 8, 9, 10, 11], vec![2]);
    assert_eq!(played(0.6, 0.5, 7), golden);
    assert_ne!(played(0.6, 0.5, 8), golden);
}

#[test]
fn skill_and_recover_are_chances_held_within_0_and_1() {
    let all: Vec<u64> = (0..12).collect();
    for seed in 0..20 {
        assert_eq!(played(1.0, 0.0, seed), (all.clone(), vec![]));
        assert_eq!(played(7.5, 0.0, seed), (all.clone(), vec![]));
        assert_eq!(played(0.0, 1.0, seed), (vec![], all.clone()));
        assert_eq!(played(-1.0, -1.0, seed), (vec![], vec![]));
        let (weak, _) = played(0.4, 0.0, seed);
        let (strong, _) = played(0.8, 0.0, seed);
        assert!(weak.iter().all(|step| strong.contains(step)));
        let (work, redo) = played(0.5, 1.0, seed);
        assert_eq!(work.len() + redo.len(), 12);
    }
    let carried: usize = (0..500).map(|seed| played(0.8, 0.0, seed).0.len()).sum();
    let share = carried as f64 / 6000.0;
    assert!((share - 0.8).abs() < 0.02, "{share}");
}

#[test]
fn without_a_script_it_just_answers() {
    let provider = build(&model(1.0, 1.0), &Setup::default()).unwrap();
    let reply = block_on(provider.chat(&ChatRequest::default())).unwrap();
    assert_eq!((reply.text.as_str(), reply.calls.len()), ("Done.", 0));
    assert_eq!(reply.answered_model.as_deref(), Some("m-1"));
}

#[test]
fn it_speaks_the_form_that_the_harness_reads() {
    let script = script(1);
    let setup = Setup {
        script: Some(&script),
        ..Setup::default()
    };
    let text_of = |form: ReplyForm| {
        let provider = build(&model(1.0, 1.0), &setup).unwrap();
        let request = ChatRequest {
            form,
            ..ChatRequest::default()
        };
        let first = block_on(provider.chat(&request)).unwrap();
        let second = block_on(provider.chat(&request)).unwrap();
        (first.text, second.text)
    };
    let (action, answer) = text_of(ReplyForm::JsonAction);
    assert_eq!(action, r#"{"tool":"desk.step","args":{"n":0}}"#);
    assert_eq!(answer, r#"{"answer":"all done"}"#);
    assert_eq!(text_of(ReplyForm::Text).0, "all done");
}

#[test]
fn its_tokens_are_a_quarter_of_the_bytes() {
    let provider = build(&model(1.0, 1.0), &Setup::default()).unwrap();
    let request = ChatRequest {
        system: Some("x".repeat(400)),
        ..ChatRequest::default()
    };
    let usage = block_on(provider.chat(&request)).unwrap().usage.unwrap();
    assert_eq!(usage.input_uncached, request.bytes().div_ceil(4));
    assert_eq!(usage.output, 2);
}
