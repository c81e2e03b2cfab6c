//! What the record of such a rollout holds.

use super::{MODEL, PRICE, SET_PRIORITY, project, rollout, run};
use crossbar_suites::project::Project;
use crossbar_suites::scripted_model::{Ask, Move, ScriptedModel};
use crossbar_suites::trajectories::{below, validate};
use serde_json::{Value, json};

fn solves(ask: &Ask) -> Move {
    match ask.turn {
        1 => Move::call(SET_PRIORITY, &json!({"id": "T-1001", "priority": "urgent"})),
        _ => Move::say("T-1001 is urgent."),
    }
}

fn swept(prepare: impl FnOnce(&Project)) -> (ScriptedModel, Value) {
    let model = ScriptedModel::start(solves);
    let project = project(&model);
    prepare(&project);
    let output = run(&project);
    assert_eq!(output.code, Some(0), "{output}");
    (model, rollout(&project))
}

#[test]
fn a_rollout_has_its_steps_its_tokens_and_how_its_program_was_started() {
    let (model, rollout) = swept(|_| {});
    let usage = json!({
        "input_uncached": 2000, "cache_read": 600, "cache_write_5m": 400, "cache_write_1h": 0,
        "output": 80,
    });
    assert_eq!(rollout["usage"], usage);
    let call = &rollout["trajectory"]["steps"][0]["calls"][0];
    assert_eq!(
        (&call["server"], &call["tool"]),
        (&json!("tickets"), &json!("set_priority"))
    );
    assert_eq!(call["outcome"]["kind"], "result", "{call:#}");
    let agent = &rollout["trajectory"]["agent"];
    let argv = agent["argv"].to_string();
    for flag in [
        "-p",
        "stream-json",
        "--mcp-config",
        "--strict-mcp-config",
        "--max-turns",
    ] {
        assert!(argv.contains(&format!("\"{flag}\"")), "{flag}: {argv}");
    }
    assert!(
        argv.contains(SET_PRIORITY) && !argv.contains("delete_all"),
        "{argv}"
    );
    assert_eq!(agent["prompt"], "Ticket T-1001 is urgent. Say so.");
    assert_eq!(agent["exit"], "exit code 0");
    let environment = agent["environment"].to_string();
    assert!(environment.contains("ANTHROPIC_API_KEY"), "{environment}");
    let stream = agent["stream"].as_array().unwrap();
    assert!(
        stream
            .iter()
            .all(|line| line.as_str().unwrap().starts_with('{')),
        "{agent:#}"
    );
    assert_eq!(agent["exchanges"][0]["requested"], MODEL);
    assert_eq!(agent["exchanges"][0]["answered"], MODEL);
    // Only the task's tools are on offer, and the forbidden one is among them, to be denied.
    let asks = model.asks();
    assert!(
        asks[0]
            .tools()
            .iter()
            .all(|name| name.starts_with("mcp__tickets__"))
    );
    assert!(asks[0].tools().contains(&"mcp__tickets__delete_all"));
}

#[test]
fn its_version_and_its_retries_are_parts_of_its_cell_and_of_its_reference() {
    let model = ScriptedModel::start(solves);
    let project = project(&model);
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
    let reference = project.read("references/desk/scripted+claude.jsonl");
    let reference: Value = serde_json::from_str(reference.trim()).unwrap();
    assert_eq!(reference["agent"], agent);
}

#[test]
fn its_rollouts_are_trajectories_for_other_tools_too() {
    let model = ScriptedModel::start(solves);
    let project = project(&model);
    let said = run(&project);
    assert_eq!(said.code, Some(0), "{said}");
    let export = project.crossbar(&["export", "--out", "told"]);
    assert_eq!(export.code, Some(0), "{export}");
    let files = below(&project.path().join("told/atif"));
    validate(&files);
    let told: Value =
        serde_json::from_str(&project.read("told/atif/scripted+claude/one-r1.json")).unwrap();
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
fn its_own_cost_counts_where_it_knows_the_price_and_ours_where_it_guesses() {
    let (_, rollout) = swept(|_| {});
    assert_eq!(
        rollout["cost"],
        json!({"kind": "known", "amount": 8880, "source": "agent"})
    );
    let (_, rollout) = swept(|project| {
        let known = format!("model: {MODEL}");
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
    let (model, _) = swept(|project| {
        let kind = "kind: claude-code";
        let with = "kind: claude-code, instructions: Answer like a pirate.";
        project.replace("crossbar.yaml", kind, with);
    });
    let system = model.asks()[0].body["system"].to_string();
    assert!(system.contains("Answer like a pirate."), "{system}");
}
