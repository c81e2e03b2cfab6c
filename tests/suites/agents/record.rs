//! What the record of such a rollout holds.

use super::subjects::{ALL, CLAUDE_CODE, CODEX, OPENCODE, QWEN, Subject};
use super::{PRICE, project, rollout, run, solves};
use crossbar_suites::project::Project;
use crossbar_suites::scripted_model::{Ask, Move, ScriptedModel};
use crossbar_suites::trajectories::{below, validate};
use serde_json::{Value, json};

fn swept(subject: &Subject, prepare: impl FnOnce(&Project)) -> (ScriptedModel, Value) {
    let model = ScriptedModel::start(solves);
    let project = project(subject, &model);
    prepare(&project);
    let output = run(&project);
    assert_eq!(output.code, Some(0), "{output}");
    (model, rollout(&project))
}

#[test]
fn a_rollout_has_its_steps_its_tokens_and_how_its_program_was_started() {
    for subject in ALL {
        let (model, rollout) = swept(subject, |_| {});
        let (uncached, read, written) = subject.tokens;
        let usage = json!({
            "input_uncached": uncached, "cache_read": read, "cache_write_5m": written,
            "cache_write_1h": 0, "output": 80,
        });
        assert_eq!(rollout["usage"], usage);
        let (amount, source) = subject.cost;
        let cost = json!({"kind": "known", "amount": amount, "source": source});
        assert_eq!(rollout["cost"], cost);
        told_apart(&rollout["trajectory"]["steps"]);
        started(subject, &rollout["trajectory"]["agent"]);
        // The task's tools are on offer, and the forbidden one is among them, to be denied.
        let offered = model.asks()[0].tools();
        let is_known = |name: &String| {
            name.starts_with(subject.tools) || subject.own_tools.contains(&name.as_str())
        };
        assert!(offered.iter().all(is_known), "{offered:?}");
        assert!(offered.contains(&format!("{}delete_all", subject.tools)));
    }
}

/// A call with its result in the first step, and the text in the second.
fn told_apart(steps: &Value) {
    let call = &steps[0]["calls"][0];
    let named = (&call["server"], &call["tool"]);
    assert_eq!(named, (&json!("tickets"), &json!("set_priority")));
    assert_eq!(call["outcome"]["kind"], "result", "{call:#}");
    assert_eq!(steps[1]["text"], "T-1001 is urgent.", "{steps:#}");
    assert_eq!(steps[1]["calls"], json!([]), "{steps:#}");
}

fn started(subject: &Subject, agent: &Value) {
    let argv = agent["argv"].to_string();
    for flag in subject.arguments.iter().chain([&subject.argument]) {
        assert!(argv.contains(&format!("\"{flag}\"")), "{flag}: {argv}");
    }
    assert!(!argv.contains("delete_all"), "{argv}");
    assert_eq!(agent["prompt"], "Ticket T-1001 is urgent. Say so.");
    assert_eq!(agent["exit"], "exit code 0");
    assert_eq!(agent["version_source"], subject.version_source);
    let environment = agent["environment"].to_string();
    assert!(environment.contains(subject.token), "{environment}");
    let stream = agent["stream"].as_array().unwrap();
    let mut lines = stream.iter().map(|line| line.as_str().unwrap());
    assert!(lines.all(|line| line.starts_with('{')), "{agent:#}");
    assert_eq!(agent["stderr"], "", "it warns of nothing");
    assert_eq!(agent["exchanges"][0]["requested"], subject.model);
    assert_eq!(agent["exchanges"][0]["answered"], subject.model);
}

/// What it allows stands where its own means have it.
#[test]
fn only_tools_that_are_not_forbidden_are_approved() {
    let (_, rollout) = swept(&CLAUDE_CODE, |_| {});
    let argv = rollout["trajectory"]["agent"]["argv"].to_string();
    assert!(argv.contains("mcp__tickets__set_priority"), "{argv}");
}

#[test]
fn its_version_and_its_retries_are_parts_of_its_cell_and_of_its_reference() {
    let model = ScriptedModel::start(solves);
    let project = project(&CLAUDE_CODE, &model);
    let said = run(&project);
    assert_eq!(said.code, Some(0), "{said}");
    let program = crossbar::harness::PROGRAMS[0];
    let cell = project.sweep("runs/latest")["meta"]["cells"][0].clone();
    let parts = &cell["configuration"]["harness"];
    assert_eq!(
        parts["program"],
        format!("{}@{}", program.package, program.version)
    );
    assert_eq!(parts["retries"], program.retries);
    let agent = format!(
        "claude-code {} (crossbar {})",
        program.version,
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(cell["agent"], agent);
    let accepted = project.crossbar(&["accept", "latest"]);
    assert_eq!(accepted.code, Some(0), "{accepted}");
    let reference = project.read("references/desk/scripted+itself.jsonl");
    let reference: Value = serde_json::from_str(reference.trim()).unwrap();
    assert_eq!(reference["agent"], agent);
}

#[test]
fn its_rollouts_are_trajectories_for_other_tools_too() {
    let model = ScriptedModel::start(solves);
    let project = project(&CLAUDE_CODE, &model);
    let said = run(&project);
    assert_eq!(said.code, Some(0), "{said}");
    let export = project.crossbar(&["export", "--out", "told"]);
    assert_eq!(export.code, Some(0), "{export}");
    let files = below(&project.path().join("told/atif"));
    validate(&files);
    let told: Value =
        serde_json::from_str(&project.read("told/atif/scripted+itself/one-r1.json")).unwrap();
    let program = crossbar::harness::PROGRAMS[0];
    assert_eq!(told["agent"]["name"], "claude-code");
    assert_eq!(told["agent"]["version"], program.version);
    assert_eq!(
        told["steps"][0]["message"],
        "Ticket T-1001 is urgent. Say so."
    );
    let call = &told["steps"][1]["tool_calls"][0];
    assert_eq!(call["function_name"], "tickets.set_priority");
    // 2000 uncached, 600 read from a cache and 400 written to one.
    assert_eq!(told["final_metrics"]["total_prompt_tokens"], 3000);
    assert_eq!(told["final_metrics"]["total_cached_tokens"], 600);
    assert_eq!(told["final_metrics"]["extra"]["cost_source"], "agent");
}

#[test]
fn parts_of_the_work_of_codex_stand_in_the_answer_that_they_belong_to() {
    let get = |id: &str| Move::call("mcp__tickets__get_ticket", &json!({"id": id}));
    let model = ScriptedModel::start(move |ask: &Ask| match ask.turn {
        1 => get("T-1001"),
        2 => get("T-1002"),
        3 => Move::call("no_such_tool", &json!({})),
        4 => Move::call("list_mcp_resources", &json!({})),
        _ => Move::say("Done."),
    });
    let project = project(&CODEX, &model);
    run(&project);
    let steps = rollout(&project)["trajectory"]["steps"].clone();
    let wanted = [
        "tickets.get_ticket result",
        "tickets.get_ticket result",
        ".no_such_tool unknown",
        "codex.list_mcp_resources result",
        "",
    ];
    assert_eq!(calls(&steps), wanted, "{steps:#}");
    assert_eq!(
        steps[1]["calls"][0]["arguments"]["json"]["id"], "T-1002",
        "{steps:#}"
    );
}

/// The calls of each step, with what became of them.
fn calls(steps: &Value) -> Vec<String> {
    let told = |call: &Value| {
        let text = |key: &str| call[key].as_str().unwrap_or_default().to_owned();
        let kind = call["outcome"]["kind"].as_str().unwrap_or_default();
        format!("{}.{} {kind}", text("server"), text("tool"))
    };
    let calls = |step: &Value| {
        let calls = step["calls"].as_array().unwrap().iter().map(told);
        calls.collect::<Vec<_>>().join(", ")
    };
    steps.as_array().unwrap().iter().map(calls).collect()
}

#[test]
fn parts_of_the_work_of_qwen_stand_in_the_answer_that_they_belong_to() {
    let model = ScriptedModel::start(|ask: &Ask| match ask.turn {
        1 => Move::call("no_such_tool", &json!({})),
        2 => Move::call(&ask.named("get_ticket"), &json!({"id": "T-1001"})),
        3 => Move::call(&ask.named("get_ticket"), &json!({"id": "T-9999"})),
        _ => Move::say("Done."),
    });
    let project = project(&QWEN, &model);
    let output = run(&project);
    let steps = rollout(&project)["trajectory"]["steps"].clone();
    let wanted = [
        ".no_such_tool unknown",
        "tickets.get_ticket result",
        "tickets.get_ticket error",
        "",
    ];
    assert_eq!(calls(&steps), wanted, "{output}{steps:#}");
    assert_eq!(steps[3]["text"], "Done.", "{steps:#}");
}

#[test]
fn parts_of_the_work_of_opencode_stand_in_the_answer_that_they_belong_to() {
    let get = |ask: &Ask, id: &str| Move::call(&ask.named("get_ticket"), &json!({"id": id}));
    let model = ScriptedModel::start(move |ask: &Ask| match ask.turn {
        1 => Move::call("no_such_tool", &json!({})),
        // It would ask somebody whether to go on.
        2..=5 => get(ask, "T-1001"),
        // The tool does not take it.
        6 => Move::call(&ask.named("get_ticket"), &json!({"id": 7})),
        _ => Move::say("Done."),
    });
    let project = project(&OPENCODE, &model);
    let output = run(&project);
    let steps = rollout(&project)["trajectory"]["steps"].clone();
    let mut wanted = vec![".no_such_tool unknown"];
    wanted.extend(["tickets.get_ticket result"; 4]);
    wanted.extend(["tickets.get_ticket error", ""]);
    assert_eq!(calls(&steps), wanted, "{output}{steps:#}");
    assert_eq!(steps[6]["text"], "Done.", "{steps:#}");
}

#[test]
fn its_own_cost_does_not_count_where_it_guesses_the_price() {
    let (_, rollout) = swept(&CLAUDE_CODE, |project| {
        let known = format!("model: {}", CLAUDE_CODE.model);
        project.replace("crossbar.yaml", &known, "model: nobody-knows-this");
        let dearer = "{input_per_mtok: 6, output_per_mtok: 30, cache_read_per_mtok: 0.6, \
                      cache_write_per_mtok: 7.5}";
        project.replace("crossbar.yaml", PRICE, dearer);
    });
    assert_eq!(
        rollout["cost"],
        json!({"kind": "known", "amount": 17760, "source": "modelled"})
    );
    assert_eq!(rollout["trajectory"]["agent"]["cost"], Value::Null);
}

#[test]
fn instructions_are_its_system_prompt() {
    for subject in ALL {
        let (model, _) = swept(subject, |project| {
            let kind = format!("kind: {}", subject.kind);
            let with = format!("{kind}, instructions: Answer like a pirate.");
            project.replace("crossbar.yaml", &kind, &with);
        });
        let body = &model.asks()[0].body;
        let system = match subject.kind {
            "codex" => body["input"][0].to_string(),
            "gemini" => body["systemInstruction"].to_string(),
            "opencode" | "qwen" => body["messages"][0].to_string(),
            _ => body["system"].to_string(),
        };
        assert!(system.contains("Answer like a pirate."), "{system}");
    }
}
