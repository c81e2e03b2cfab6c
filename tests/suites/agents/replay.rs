//! A recorded run of a real program is played to it: the gateway answers, and nobody is behind it.

use super::subjects::{CLAUDE_CODE, CODEX, Subject};
use super::{KEY, project, rollout};
use crossbar_suites::scripted_model::{Ask, Move, ScriptedModel};
use serde_json::json;

fn solves(ask: &Ask) -> Move {
    match (ask.number, ask.turn) {
        (1, _) => Move::refuse(529),
        (_, 1) => Move::call(
            &ask.named("set_priority"),
            &json!({"id": "T-1001", "priority": "urgent"}),
        ),
        _ => Move::say("T-1001 is urgent."),
    }
}

fn is_replayed(subject: &Subject) {
    let model = ScriptedModel::start(solves);
    let mut project = project(subject, &model);
    let output = project.crossbar(&["run", "--record", "--live", "--budget", "50"]);
    assert_eq!(output.code, Some(0), "{output}");
    let (then, asked) = (project.sweep("runs/latest"), model.asks().len());
    assert_eq!(rollout(&project)["outcome"]["kind"], "accepted");
    project.unset(KEY.0);
    let output = project.crossbar(&["run", "--replay"]);
    assert_eq!(output.code, Some(0), "{output}");
    let now = project.sweep("runs/latest");
    assert_eq!(now["question"]["replay_of"], then["run_id"]);
    assert_eq!(
        now["dataset_hash"],
        then["dataset_hash"],
        "{}",
        rollout(&project)["outcome"]
    );
    assert_eq!(model.asks().len(), asked, "its model was asked");
    // What it says and does is of the program alone: another prompt is another request.
    project.replace(
        "desk/one.task.yaml",
        "is urgent. Say so.",
        "is very urgent. Say so.",
    );
    let output = project.crossbar(&["run", "--replay"]);
    assert_eq!(output.code, Some(4), "{output}");
    let outcome = &rollout(&project)["outcome"];
    assert_eq!(outcome["kind"], "invalid_fixture", "{outcome}");
    let message = outcome["message"].as_str().unwrap();
    assert!(
        message.contains("differs from the recorded one at /"),
        "{message}"
    );
    assert!(message.contains("very urgent"), "{message}");
    assert_eq!(model.asks().len(), asked);
}

#[test]
fn claude_code_is_answered_out_of_a_recording() {
    is_replayed(&CLAUDE_CODE);
}

#[test]
fn codex_is_answered_out_of_a_recording() {
    is_replayed(&CODEX);
}
