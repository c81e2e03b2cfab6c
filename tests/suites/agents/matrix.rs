//! One sweep over every way in which a model can be driven: the loops of crossbar's own, and each
//! program as itself.

use super::subjects::ALL;
use super::{KEY, PRICE, TASK, programs, solves};
use crossbar::harness::program_of;
use crossbar_suites::marked;
use crossbar_suites::project::Project;
use crossbar_suites::scripted_model::{Ask, Move, ScriptedModel};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The model that crossbar asks itself, with its three loops.
const LOOPS: [&str; 3] = ["react", "verified", "text"];

/// What the model of a cell is asked for: its own name in each, so that the endpoint can tell whose
/// request it had. A program goes by what it takes its model for.
const OWN: &str = "own-1";

fn roster(model: &ScriptedModel) -> String {
    let endpoint = format!("base_url: {}", model.base_url());
    let shared = format!("{endpoint}, api_key_env: {}, price: {PRICE}", KEY.0);
    let own = shared.replacen(&endpoint, &format!("{endpoint}/v1"), 1);
    let mut models = format!(
        "  - {{id: own, provider: openai, model: {OWN}, params: {{stream: true}}, {own}}}\n"
    );
    let mut harnesses = "  - {id: react, kind: react}\n  - {id: verified, kind: react, verify: \
                         true}\n  - {id: text, kind: text-json}\n"
        .to_owned();
    let mut agents: Vec<String> = LOOPS
        .map(|id| format!("{{model: own, harness: {id}}}"))
        .to_vec();
    for subject in ALL {
        let (kind, provider, name) = (subject.kind, subject.provider, subject.model);
        models +=
            &format!("  - {{id: {provider}, provider: {provider}, model: {name}, {shared}}}\n");
        harnesses += &format!("  - {{id: {kind}, kind: {kind}}}\n");
        agents.push(format!("{{model: {provider}, harness: {kind}}}"));
    }
    format!(
        "models:\n{models}harnesses:\n{harnesses}agents: [{}]\npacks: [desk]\n\
         run: {{repeats: 1, baseline: own+react}}\n",
        agents.join(", ")
    )
}

/// Solves the task in words where no tools are on offer.
fn moves(ask: &Ask) -> Move {
    if !ask.tools().is_empty() {
        return solves(ask);
    }
    let messages = ask.body["messages"].as_array().cloned().unwrap_or_default();
    let last = messages.last().map(|one| one["content"].to_string());
    let action = match last.unwrap_or_default().contains("result") {
        true => json!({"answer": "T-1001 is urgent."}),
        false => json!({
            "tool": "tickets__set_priority",
            "args": {"id": "T-1001", "priority": "urgent"},
        }),
    };
    Move::say(&action.to_string())
}

/// How many requests the endpoint had, by what they asked for.
fn requests(model: &ScriptedModel) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for ask in model.asks() {
        let in_path = ask.line.split("/models/").nth(1);
        let in_path = in_path.and_then(|rest| rest.split(':').next());
        let name = ask.body["model"].as_str().or(in_path).unwrap_or("?");
        *counts.entry(name.to_owned()).or_insert(0) += 1;
    }
    counts
}

#[test]
fn one_sweep_over_every_loop_and_every_program_gives_one_verdict() {
    let model = ScriptedModel::start(moves);
    let mut project = Project::empty();
    project.write("crossbar.yaml", &roster(&model));
    project.write("desk/one.task.yaml", TASK);
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", programs().display());
    project.env("PATH", &path).env(KEY.0, KEY.1);
    let running = project.start(&super::crossbar(), &["run", "--live", "--budget", "50"]);
    let sweep = running.id();
    let said = running.end();
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(said.stdout.matches("CROSSBAR VERDICT").count(), 1, "{said}");
    assert_eq!(marked::of_sweep(sweep), Vec::<u32>::new());

    let run = project.sweep("runs/latest");
    let rollouts = run["rollouts"].as_array().unwrap();
    assert_eq!(rollouts.len(), LOOPS.len() + ALL.len(), "{said}");
    for rollout in rollouts {
        told_in_the_one_format(rollout);
    }
    let mut wanted = BTreeMap::from([(OWN.to_owned(), 2 + 4 + 2)]);
    wanted.extend(ALL.map(|subject| (subject.model.to_owned(), 2)));
    assert_eq!(requests(&model), wanted, "{said}");
}

fn told_in_the_one_format(rollout: &Value) {
    let cell = rollout["key"]["cell"].to_string();
    assert_eq!(rollout["outcome"]["kind"], "accepted", "{cell}: {rollout}");
    let trajectory = &rollout["trajectory"];
    let steps = trajectory["steps"].as_array().unwrap();
    let calls = steps
        .iter()
        .flat_map(|step| step["calls"].as_array().unwrap());
    let called: Vec<_> = calls.map(|call| call["tool"].as_str().unwrap()).collect();
    assert!(called.contains(&"set_priority"), "{cell}: {called:?}");
    assert!(
        steps.iter().all(|step| step["usage"]["output"] == 40),
        "{cell}"
    );
    let kind = cell.trim_matches('"').rsplit('+').next().unwrap();
    match program_of(kind) {
        Some(program) => {
            let agent = &trajectory["agent"];
            assert_eq!(agent["version"], program.version, "{cell}");
            assert_eq!(agent["pinned"], program.version, "{cell}");
        }
        None => assert_eq!(trajectory.get("agent"), None, "{cell}"),
    }
}
