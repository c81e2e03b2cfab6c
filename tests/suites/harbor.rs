//! Trajectories in ATIF under the validator of Harbor, whose format it is: every harness, every way
//! to end, whatever a program or a provider did not tell.

use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Output, Project, SERVER, task};
use crossbar_suites::trajectories::{below, validate};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The trajectories of the last run.
fn exported(project: &Project) -> Vec<PathBuf> {
    let run = project.sweep("runs/latest")["run_id"]
        .as_str()
        .unwrap()
        .to_owned();
    below(&project.path().join("runs").join(run).join("atif"))
}

fn read(path: &PathBuf) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn run(project: &Project, args: &[&str]) -> Output {
    project.crossbar(&[&["run", "--export", "atif"], args].concat())
}

#[test]
fn every_rollout_of_the_demo_is_valid_and_its_totals_are_those_of_the_record() {
    let project = Project::of_the_repository();
    let said = run(&project, &["--repeats", "2"]);
    assert_eq!(said.code, Some(0), "{said}");
    let files = exported(&project);
    let sweep = project.sweep("runs/latest");
    let rollouts = sweep["rollouts"].as_array().unwrap();
    assert_eq!(files.len(), rollouts.len());
    validate(&files);
    for rollout in rollouts {
        let (key, usage) = (&rollout["key"], &rollout["usage"]);
        let cell = key["cell"].as_str().unwrap();
        let task = key["task"].as_str().unwrap().rsplit("::").next().unwrap();
        let wanted = format!("{cell}/{task}-r{}.json", key["repeat"]);
        let file = files.iter().find(|path| path.ends_with(&wanted)).unwrap();
        let totals = &read(file)["final_metrics"];
        assert_eq!(
            totals["total_prompt_tokens"], usage["input_uncached"],
            "a mock caches nothing"
        );
        assert_eq!(totals["total_completion_tokens"], usage["output"]);
        let micros = totals["total_cost_usd"].as_f64().unwrap() * 1e6;
        assert!((micros - rollout["cost"]["amount"].as_f64().unwrap()).abs() < 1e-3);
    }
}

/// A model that asks for what is forbidden, writes arguments that are none, calls a tool that does
/// not exist, and tells of no tokens in its last answer.
fn stubborn() -> CountingServer {
    CountingServer::start(|request| match request.turn() {
        1 => Reply::call("tickets__delete_all", &json!({})).usage(20, 7),
        2 => Reply::call("tickets__set_priority", &json!([1, "urgent"])).usage(20, 7),
        3 => Reply::call("no_such_tool", &json!({"x": 1}))
            .usage(30, 7)
            .cached(10),
        4 => Reply::call("tickets__get_ticket", &json!({"id": "T-9"}))
            .usage(30, 7)
            .cached(10),
        _ => Reply::text("T-1001 is urgent."),
    })
}

/// Four tasks: one to be done, one whose server does not start, one with two steps, one with a
/// forbidden tool whose call ends it.
fn of_all_ends(model: &CountingServer) -> Project {
    let project = Project::empty();
    let security = |rule: &str| {
        format!(
            "security: {{forbidden_tools: [tickets.delete_all], on_blocked: {rule}}}\nenvironment:"
        )
    };
    let with = |id: &str, rule: &str| task(id).replace("environment:", &security(rule));
    project
        .write(
            "crossbar.yaml",
            &format!(
                "models:\n  - {{id: far, provider: openai, base_url: \"{}\", price: {{input_per_mtok: 1, output_per_mtok: 10}}}}\n  \
                 - {{id: near, provider: mock, skill: 1}}\n\
                 harnesses:\n  - {{id: react, kind: react, instructions: \"Be brief.\"}}\n  \
                 - {{id: verify, kind: react, verify: true}}\n  - {{id: text, kind: text-json}}\n  - {{id: once, kind: single-shot}}\n\
                 run: {{repeats: 1}}\n",
                model.base_url()
            ),
        )
        .write("desk/done.task.yaml", &with("done", "record"))
        .write("desk/ended.task.yaml", &with("ended", "zero"))
        .write("desk/short.task.yaml", &format!("max_steps: 2\n{}", with("short", "record")))
        .write("desk/lost.task.yaml", &task("lost").replace(SERVER, "{name: tickets, command: no-such-server-anywhere}"));
    project
}

#[test]
fn every_harness_and_every_way_to_end_is_valid() {
    let model = stubborn();
    let project = of_all_ends(&model);
    let said = run(&project, &["--live", "--budget", "5"]);
    assert_eq!(said.code, Some(4), "a server does not start: {said}");
    let files = exported(&project);
    assert_eq!(files.len(), 2 * 4 * 4, "{said}");
    validate(&files);

    let told = |cell: &str, task: &str| {
        let wanted = format!("{cell}/{task}-r1.json");
        read(files.iter().find(|path| path.ends_with(&wanted)).unwrap())
    };
    let done = told("far+react", "done");
    let steps = done["steps"].as_array().unwrap();
    let sources: Vec<_> = steps
        .iter()
        .map(|step| step["source"].as_str().unwrap())
        .collect();
    assert_eq!(sources[..3], ["system", "user", "agent"]);
    let ends: Vec<_> = steps
        .iter()
        .flat_map(|step| step["tool_calls"].as_array().into_iter().flatten())
        .map(|call| call["extra"]["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(ends, ["blocked", "proposed", "proposed", "executed"]);
    // Its last answer told of no tokens, so nobody knows the sum; what is known is there.
    assert_eq!(done["final_metrics"]["total_prompt_tokens"], Value::Null);
    assert_eq!(done["final_metrics"]["total_cost_usd"], Value::Null);
    assert_eq!(steps[4]["metrics"]["prompt_tokens"], 30);
    assert_eq!(steps[4]["metrics"]["cached_tokens"], 10);
    assert_eq!(
        steps.last().unwrap()["metrics"]["prompt_tokens"],
        Value::Null
    );

    let outcome = |file: &Value| file["extra"]["crossbar"]["outcome"]["kind"].clone();
    assert_eq!(outcome(&told("far+react", "ended")), "safety_failure");
    assert_eq!(outcome(&told("far+react", "short")), "limit_reached");
    let lost = told("near+once", "lost");
    assert_eq!(outcome(&lost), "infrastructure_failure");
    assert_eq!(lost["steps"].as_array().unwrap().len(), 1);
}

#[test]
fn the_validator_refuses_what_is_no_trajectory() {
    let project = Project::pack();
    let said = run(&project, &["--agent", "good+react", "--repeats", "1"]);
    assert_eq!(said.code, Some(0), "{said}");
    let file = exported(&project).remove(0);
    let good = read(&file);
    for (pointer, wrong) in [
        ("/steps/1/step_id", json!(3)),
        ("/steps/0/source", json!("crowd")),
        ("/steps/0/timestamp", json!("today")),
        ("/schema_version", json!("ATIF-v9.9")),
    ] {
        let mut spoiled = good.clone();
        *spoiled.pointer_mut(pointer).unwrap() = wrong;
        std::fs::write(&file, spoiled.to_string()).unwrap();
        let files = [file.clone()];
        assert!(
            std::panic::catch_unwind(|| validate(&files)).is_err(),
            "{pointer}"
        );
    }
}
