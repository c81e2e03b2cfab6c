//! The protocol without a process: an executable whose lines are written beforehand.

use super::*;
use crate::domain::{
    AddedFile, CallOutcome, Exec, ExecError, ProgramEnded, ServerLaunch, Trajectory,
};
use crate::harness::test_bench::{Bench, calling, poll_once, replies, saying};
use crate::provider::ChatReply;
use serde_json::json;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// A machine on which every executable says the same lines.
struct Stage {
    lines: Vec<String>,
    told: Rc<RefCell<Vec<Value>>>,
}

struct Actor {
    lines: VecDeque<String>,
    told: Rc<RefCell<Vec<Value>>>,
}

impl Running for Actor {
    fn environment(&self) -> Vec<String> {
        vec!["HOME".to_owned()]
    }

    fn tell<'a>(&'a mut self, line: &'a str) -> LocalFuture<'a, ()> {
        self.told
            .borrow_mut()
            .push(serde_json::from_str(line).unwrap());
        Box::pin(async {})
    }

    fn line(&mut self) -> LocalFuture<'_, Option<String>> {
        let line = self.lines.pop_front();
        Box::pin(async { line })
    }

    fn end(self: Box<Self>) -> LocalFuture<'static, ProgramEnded> {
        Box::pin(async {
            ProgramEnded {
                end: ProgramEnd::Code(3),
                stderr: "Traceback\nKeyError: 'x'\n".to_owned(),
            }
        })
    }
}

impl Exec for Stage {
    fn home(&self) -> String {
        "/home".to_owned()
    }

    fn servers(&self) -> Result<Vec<ServerLaunch>, ExecError> {
        Ok(Vec::new())
    }

    fn add_files(&self, _files: &[AddedFile]) -> Result<(), ExecError> {
        Ok(())
    }

    fn start(&self, program: &Program) -> Result<Box<dyn Running>, ExecError> {
        self.converse(program)
    }

    fn converse(&self, _program: &Program) -> Result<Box<dyn Running>, ExecError> {
        Ok(Box::new(Actor {
            lines: self.lines.iter().cloned().collect(),
            told: Rc::clone(&self.told),
        }))
    }
}

/// What came of it.
struct Played {
    result: Result<(), DriveError>,
    trajectory: Trajectory,
    told: Vec<Value>,
}

impl Played {
    fn kinds(&self) -> Vec<&str> {
        self.told
            .iter()
            .map(|one| one["type"].as_str().unwrap())
            .collect()
    }

    fn crash(&self) -> &str {
        match &self.trajectory.ending {
            Some(Ending::Crashed { message }) => message,
            other => panic!("{other:?}"),
        }
    }
}

fn hello() -> Value {
    json!({"type": "hello", "protocol": 1, "version": "0.3"})
}

fn said() -> Value {
    json!([{"role": "user", "text": "do it"}])
}

fn ask(messages: Value) -> Value {
    json!({"type": "ask", "messages": messages})
}

fn play(bench: &Bench, lines: &[Value], answers: Vec<ChatReply>) -> Played {
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    played(bench, &lines, answers, None)
}

fn played(
    bench: &Bench,
    lines: &[String],
    answers: Vec<ChatReply>,
    version: Option<&str>,
) -> Played {
    let stage = Stage {
        lines: lines.to_vec(),
        told: Rc::default(),
    };
    let harness = Command {
        instructions: Some("Be quick.".to_owned()),
        command: Some(Executable {
            program: "./mine".to_owned(),
            args: Vec::new(),
            env: BTreeMap::new(),
            version: version.map(str::to_owned),
            files: BTreeMap::new(),
            places: BTreeMap::new(),
        }),
    };
    let provider = replies(answers);
    let (result, conversation) = bench.session(&provider, Some(&stage), |session| {
        poll_once(harness.drive(session, "do it")).unwrap_or(Ok(()))
    });
    Played {
        result,
        trajectory: conversation.into_trajectory(),
        told: stage.told.take(),
    }
}

#[test]
fn it_asks_its_model_calls_tools_and_answers() {
    let bench = Bench::of("command");
    let user = json!({"role": "user", "text": "do it"});
    let played = play(
        &bench,
        &[
            hello(),
            ask(json!([user])),
            json!({"type": "call", "id": "desk__echo-0"}),
            json!({"type": "call", "name": "desk__fail", "arguments": {"a": 1}}),
            ask(json!([
                user,
                {"role": "assistant", "calls": [{"id": "desk__echo-0", "name": "desk__echo", "arguments": {}}]},
                {"role": "tool", "id": "desk__echo-0", "text": "echo says {}"},
            ])),
            json!({"type": "answer", "text": "done"}),
        ],
        vec![calling(&["desk__echo"]), saying("all is well")],
    );
    assert_eq!(played.result, Ok(()));
    assert_eq!(
        played.kinds(),
        ["start", "reply", "result", "result", "reply"]
    );
    let start = &played.told[0];
    assert_eq!(
        (&start["prompt"], &start["instructions"]),
        (&json!("do it"), &json!("Be quick."))
    );
    assert_eq!(start["tools"][0]["name"], "desk__echo");
    assert_eq!(played.told[1]["calls"][0]["id"], "desk__echo-0");
    assert_eq!(played.told[2]["text"], "echo says {}");
    assert_eq!(played.told[3]["is_error"], true);
    let trajectory = &played.trajectory;
    assert_eq!(trajectory.ending, Some(Ending::Answered));
    assert_eq!(trajectory.final_text.as_deref(), Some("done"));
    assert_eq!(trajectory.steps.len(), 2);
    let called: Vec<_> = trajectory.calls().map(|call| call.full_name()).collect();
    assert_eq!(called, ["desk.echo", "desk.fail"]);
    let agent = trajectory.agent.as_ref().unwrap();
    assert_eq!(agent.version.as_deref(), Some("0.3"));
    assert_eq!(agent.stream.len(), 6);
}

#[test]
fn the_rules_of_the_task_hold_for_it() {
    let mut bench = Bench::of("command");
    bench.limits.max_steps = 1;
    let twice = [hello(), ask(said()), ask(said())];
    let limited = play(&bench, &twice, vec![saying("a"), saying("b")]);
    assert_eq!(limited.kinds(), ["start", "reply", "stop"]);
    let limit = LimitKind::Steps;
    assert_eq!(limited.trajectory.ending, Some(Ending::Limit { limit }));

    let mut bench = Bench::of("command");
    bench.limits.max_tool_calls = Some(0);
    let calls = [
        hello(),
        ask(said()),
        json!({"type": "call", "name": "desk__echo"}),
    ];
    let forbidden = play(&bench, &calls, vec![saying("a")]);
    assert_eq!(forbidden.trajectory.ending, Some(Ending::Violation));
    let outcome = &forbidden.trajectory.steps[0].calls[0].outcome;
    assert!(
        !matches!(outcome, CallOutcome::Result { .. }),
        "{outcome:?}"
    );

    let none = json!({"type": "ask", "messages": said(), "tools": []});
    let bench = Bench::of("command");
    let played = play(&bench, &[hello(), none], vec![saying("a")]);
    assert_eq!(played.kinds(), ["start", "reply"]);
}

#[test]
fn what_it_does_against_the_protocol_is_a_crash_that_says_so() {
    let bench = Bench::of("command");
    let called = json!({"type": "call", "id": "x"});
    for (lines, why) in [
        (
            vec![],
            "it ended without an answer (exit code 3): KeyError: 'x'",
        ),
        (vec![ask(said())], "it does not greet first"),
        (vec![hello(), hello()], "it greets twice"),
        (
            vec![hello(), json!({"type": "sing"})],
            "no message of the protocol",
        ),
        (
            vec![hello(), json!({"type": "answer"})],
            "missing field `text`",
        ),
        (
            vec![hello(), json!({"type": "answer", "text": "a", "b": 1})],
            "unknown field `b`",
        ),
        (
            vec![hello(), called.clone()],
            "before it has asked its model",
        ),
        (
            vec![hello(), ask(said()), called],
            "has not asked for the call `x`",
        ),
        (
            vec![hello(), json!({"type": "call"})],
            "an `id`, or a `name`",
        ),
        (vec![hello(), ask(said())], "it ended without an answer"),
        (
            vec![hello(), json!({"type": "answer", "text": "done"})],
            "it answers before it has asked its model",
        ),
        (vec![hello(), ask(json!([]))], "without a message"),
        (
            vec![
                hello(),
                json!({"type": "ask", "messages": said(), "tools": ["desk.echo"]}),
            ],
            "offers the tool `desk.echo`, which the task has not",
        ),
        (
            vec![
                hello(),
                ask(json!([{"role": "tool", "id": "x", "text": ""}])),
            ],
            "a result of `x`, which no message calls",
        ),
    ] {
        let played = play(&bench, &lines, vec![saying("a")]);
        assert_eq!(played.result, Ok(()), "{why}");
        assert!(played.crash().contains(why), "{why}: {}", played.crash());
    }
}

#[test]
fn another_version_than_was_meant_is_no_fault_of_the_agent() {
    let bench = Bench::of("command");
    let newer = json!({"type": "hello", "protocol": 2});
    let error = play(&bench, &[newer], vec![]).result.unwrap_err();
    assert!(error.to_string().contains("speaks protocol 2"), "{error}");
    let error = played(&bench, &[hello().to_string()], vec![], Some("0.4"));
    let error = error.result.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("is 0.3, and the roster says 0.4"),
        "{error}"
    );
}

#[test]
fn a_call_that_is_wanted_again_is_one_more_call() {
    let again = || json!({"type": "call", "id": "desk__echo-0"});
    let lines = [
        hello(),
        ask(said()),
        again(),
        again(),
        again(),
        json!({"type": "answer", "text": "done"}),
    ];
    let mut bench = Bench::of("command");
    let played = play(&bench, &lines, vec![calling(&["desk__echo"])]);
    let calls: Vec<_> = played.trajectory.calls().collect();
    let is_run = |call: &&&ToolCall| matches!(call.outcome, CallOutcome::Result { .. });
    assert_eq!(calls.iter().filter(is_run).count(), 3);
    assert!(calls.iter().all(|call| call.full_name() == "desk.echo"));
    let ids: std::collections::BTreeSet<_> = calls.iter().map(|call| &call.id).collect();
    assert_eq!(ids.len(), 3);
    bench.limits.max_tool_calls = Some(2);
    let limited = play(&bench, &lines, vec![calling(&["desk__echo"])]);
    assert_eq!(limited.trajectory.ending, Some(Ending::Violation));
}

/// Lines that are cut, doubled and mixed: whatever an executable writes, the rollout ends, and
/// nothing but an answer is one.
#[test]
fn no_line_brings_it_down() {
    let good = [
        hello(),
        ask(json!([{"role": "user", "text": "do it"}])),
        json!({"type": "call", "id": "desk__echo-0"}),
        json!({"type": "call", "name": "desk__nothing", "arguments": [1]}),
        json!({"type": "ask", "messages": [{"role": "tool", "id": "?", "text": ""}], "tools": ["no"]}),
        json!({"type": "answer", "text": "done"}),
    ]
    .map(|line| line.to_string());
    let mut state = 7_u64;
    let mut next = |below: usize| {
        // Numbers of a linear congruential generator (Knuth, MMIX): any sequence will do.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % below
    };
    let bench = Bench::of("command");
    for _ in 0..2000 {
        let mut lines = vec![good[0].clone()];
        for _ in 0..next(6) {
            let line = &good[next(good.len())];
            let mut bytes = line.clone().into_bytes();
            if next(3) == 0 {
                let at = next(bytes.len());
                bytes[at] = b" {}[]\",:x0"[next(10)];
            }
            if next(4) == 0 {
                bytes.truncate(next(bytes.len() + 1));
            }
            lines.push(String::from_utf8_lossy(&bytes).into_owned());
        }
        let answers = vec![
            calling(&["desk__echo"]),
            saying("a"),
            saying("b"),
            saying("c"),
            saying("d"),
        ];
        let played = played(&bench, &lines, answers, None);
        let answered = played.trajectory.final_text.is_some();
        match (&played.result, &played.trajectory.ending) {
            (Ok(()), Some(Ending::Answered)) => assert!(answered),
            (Ok(()), Some(Ending::Crashed { .. })) => assert!(!answered, "{lines:?}"),
            other => panic!("{other:?}: {lines:?}"),
        }
    }
}
