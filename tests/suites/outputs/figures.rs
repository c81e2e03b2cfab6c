//! Figures that can be defended: each in the report is found again in the traces, and each rollout
//! of sweep.json tells the whole of what it came to, where and when.

use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Output, Project, task};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn run(project: &Project, args: &[&str]) -> Output {
    let said = project.crossbar(&[&["run"], args].concat());
    assert_eq!(said.code, Some(0), "{said}");
    said
}

/// A text on one line, words apart by one space.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every trace of a run.
fn traces(project: &Project) -> Vec<Value> {
    let files = project.bytes("runs/latest/traces");
    let files = files.values();
    files
        .map(|bytes| serde_json::from_slice::<Value>(bytes).unwrap()["rollout"].clone())
        .collect()
}

/// What a cell's traces add up to.
#[derive(Default)]
struct Sum {
    rollouts: u32,
    accepted: u32,
    micros: u64,
    calls: usize,
    failures: BTreeMap<String, u32>,
}

fn calls(rollout: &Value) -> Vec<Value> {
    let steps = rollout["trajectory"]["steps"].as_array().unwrap();
    let calls = steps
        .iter()
        .flat_map(|step| step["calls"].as_array().unwrap());
    calls.cloned().collect()
}

fn sums(traces: &[Value]) -> BTreeMap<String, Sum> {
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    for trace in traces {
        let sum = sums
            .entry(trace["key"]["cell"].as_str().unwrap().to_owned())
            .or_default();
        sum.rollouts += 1;
        sum.accepted += u32::from(trace["outcome"]["kind"] == "accepted");
        let steps = trace["trajectory"]["steps"].as_array().unwrap();
        sum.micros += steps
            .iter()
            .map(|step| step["cost"].as_u64().unwrap())
            .sum::<u64>();
        sum.calls += calls(trace).len();
        if let Some(mode) = trace["failure_mode"].as_str() {
            *sum.failures.entry(mode.to_owned()).or_default() += 1;
        }
    }
    sums
}

/// Whether `$0.018` is what this amount rounds to.
fn is_shown(text: &str, dollars: f64) -> bool {
    let digits = text.trim_start_matches('$');
    let places = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
    let unit = 10_f64.powi(-i32::try_from(places).unwrap());
    (digits.parse::<f64>().unwrap() - dollars).abs() <= 0.5001 * unit
}

#[test]
fn every_figure_of_the_report_is_found_again_in_the_traces() {
    let project = Project::pack();
    for name in ["three", "four"] {
        project.write(&format!("desk/{name}.task.yaml"), &task(name));
    }
    let said = run(&project, &["--repeats", "5"]);
    let report = project.read("runs/latest/report.md");
    let traces = traces(&project);
    assert_eq!(traces.len(), 2 * 4 * 5);
    for (cell, sum) in sums(&traces) {
        assert_eq!(sum.rollouts, 20);
        let row = |section: &str| {
            let (_, after) = report
                .split_once(section)
                .unwrap_or_else(|| panic!("{said}"));
            let line = after.lines().find(|line| line.starts_with(&cell)).unwrap();
            line.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let matrix = row("\nMATRIX\n");
        let percent = f64::from(sum.accepted) / f64::from(sum.rollouts) * 100.0;
        assert_eq!(matrix[1], format!("{percent:.1}%"), "{matrix:?}");
        #[expect(clippy::cast_precision_loss, reason = "a few thousand micro-dollars")]
        let dollars = sum.micros as f64 / 1e6;
        // The interval is three words: `[39.8`, `-`, `100.0]`.
        assert!(is_shown(&matrix[5], dollars), "{matrix:?}: {dollars}");
        let each = dollars / f64::from(sum.accepted);
        assert!(is_shown(&matrix[6], each), "{matrix:?}: {each}");
        let time = row("\nCOST AND TIME\n");
        assert!(
            time.contains(&sum.calls.to_string()),
            "{time:?}: {}",
            sum.calls
        );
        failures_are_counted(&report, &cell, &sum);
    }
    rows_are_traces(&project, &traces);
}

/// The failures of a cell in the report are those of its traces.
fn failures_are_counted(report: &str, cell: &str, sum: &Sum) {
    let (_, taxonomy) = report.split_once("\nFAILURE TAXONOMY\n").unwrap();
    let (_, of_cell) = taxonomy
        .split_once(&format!("  {cell} (20 measured rollouts)"))
        .unwrap();
    let block: Vec<_> = of_cell
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with("    "))
        .collect();
    let failed: u32 = sum.failures.values().sum();
    assert_eq!(failed, sum.rollouts - sum.accepted);
    for (mode, title) in [
        ("artifact_commitment", "Artifact commitment"),
        ("contract_format", "Contract / format"),
    ] {
        let count = sum.failures.get(mode).copied().unwrap_or(0);
        let line = block
            .iter()
            .find(|line| line.trim_start().starts_with(title));
        let shown = line.map_or(0, |line| {
            line.replace(title, "")
                .split_whitespace()
                .next()
                .unwrap()
                .parse()
                .unwrap()
        });
        assert_eq!(shown, count, "{cell} {title}: {block:?}");
    }
}

/// Each line of rollouts.csv is the trace of its cell, task and repeat.
fn rows_are_traces(project: &Project, traces: &[Value]) {
    let lines = project.rollouts("runs/latest").lines;
    assert_eq!(lines.len(), traces.len());
    for line in lines {
        let is = |trace: &&Value| {
            let key = &trace["key"];
            key["cell"] == *line["cell"]
                && key["task"] == *line["task"]
                && key["repeat"].as_u64() == line["repeat"].parse().ok()
        };
        let found: Vec<_> = traces.iter().filter(is).collect();
        let [trace] = found[..] else {
            panic!("{line:?}: {} traces", found.len())
        };
        assert_eq!(trace["outcome"]["kind"], *line["outcome"]);
        assert_eq!(trace["usage"]["output"].to_string(), line["output"]);
        assert_eq!(calls(trace).len().to_string(), line["tool_calls"]);
        let dollars: f64 = line["cost_usd"].parse().unwrap();
        assert_eq!(
            trace["cost"]["amount"],
            json!((dollars * 1e6).round() as u64)
        );
        let path = format!(
            "runs/latest/traces/{}/{}-r{}.json",
            line["cell"],
            line["task"].trim_start_matches("desk::"),
            line["repeat"]
        );
        assert!(project.has(&path), "{path}");
    }
}

/// One agent that asks for something forbidden, reads a ticket and answers; every turn has 20
/// tokens in and 7 out.
fn forbidden() -> (CountingServer, Project) {
    let server = CountingServer::start(|request| {
        let reply = match request.turn() {
            1 => Reply::call("tickets__delete_all", &json!({})),
            2 => Reply::call(
                "tickets__set_priority",
                &json!({"id": "T-1001", "priority": "urgent"}),
            ),
            3 => Reply::call(
                "tickets__assign",
                &json!({"id": "T-1001", "team": "oncall"}),
            ),
            _ => Reply::text("done"),
        };
        reply.usage(20, 7)
    });
    let project = Project::pack();
    project
        .write(
            "crossbar.yaml",
            &format!(
                "models:\n  - {{id: far, provider: openai, base_url: \"{}\", \
                 price: {{input_per_mtok: 1, output_per_mtok: 10}}}}\n\
                 harnesses: [{{id: react, kind: react}}]\nrun: {{repeats: 2, concurrency: 2}}\n",
                server.base_url()
            ),
        )
        .replace(
            "desk/one.task.yaml",
            "environment:",
            "security: {forbidden_tools: [tickets.delete_all], on_blocked: record}\nenvironment:",
        )
        .remove("desk/two.task.yaml");
    (server, project)
}

#[test]
fn a_rollout_tells_the_whole_vector_of_what_it_came_to() {
    let (_server, project) = forbidden();
    run(&project, &["--live", "--budget", "1"]);
    let sweep = project.sweep("runs/latest");
    let rollouts = sweep["rollouts"].as_array().unwrap();
    assert_eq!(rollouts.len(), 2);
    for rollout in rollouts {
        assert_eq!(rollout["outcome"], json!({"kind": "accepted"}), "{rollout}");
        assert_eq!(rollout["score"]["security"], 1.0);
        assert_eq!(rollout["score"]["completion"], 1.0);
        let safety = json!({"proposed": 1, "blocked": 1, "executed": 0});
        assert_eq!(rollout["forbidden"], safety);
        assert_eq!(rollout["usage"]["input_uncached"], 4 * 20);
        assert_eq!(rollout["usage"]["output"], 4 * 7);
        assert_eq!(rollout["cost"]["amount"], 4 * 20 + 4 * 70);
        assert_eq!(rollout["cost"]["source"], "modelled");
        assert!(rollout["worked_ms"].is_u64());
        assert_eq!(calls(rollout).len(), 3);
    }
    for line in project.rollouts("runs/latest").lines {
        assert_eq!(
            (&*line["tool_calls"], &*line["cost_usd"]),
            ("3", "0.000360")
        );
        let forbidden = ["proposed", "blocked", "executed"]
            .map(|word| line[&format!("forbidden_{word}")].clone());
        assert_eq!(forbidden, ["1", "1", "0"]);
    }
}

#[test]
fn every_rollout_has_its_six_stages_and_its_moment_in_the_order() {
    let project = Project::pack();
    let said = run(&project, &["--repeats", "4"]);
    let sweep = project.sweep("runs/latest");
    let rollouts = sweep["rollouts"].as_array().unwrap();
    let mut seeds = BTreeSet::new();
    for rollout in rollouts {
        let stages = rollout["stages"].as_array().unwrap();
        let names: Vec<_> = stages
            .iter()
            .map(|one| one["stage"].as_str().unwrap())
            .collect();
        let six = [
            "validate",
            "provision",
            "execute",
            "collect",
            "evaluate",
            "report",
        ];
        assert_eq!(names, six, "{rollout}");
        assert!(stages.iter().all(|one| one["took_ms"].is_u64()));
        // A server was started and asked, so these two took their time.
        let started = rollout["started_at"].as_str().unwrap();
        assert!(started.starts_with("20") && started.ends_with('Z') && started.len() == 24);
        seeds.insert(rollout["schedule"]["seed"].as_u64().unwrap());
        // Blocks: all of one repeat comes before anything of the next.
        let position = rollout["schedule"]["position"].as_u64().unwrap();
        let repeat = rollout["key"]["repeat"].as_u64().unwrap();
        assert_eq!(position / 4, repeat - 1, "{rollout}");
    }
    assert_eq!((rollouts.len(), seeds.len()), (16, 16));
    let sentence = "a live model draws anew each time, whatever the seed";
    assert!(flat(&said.stdout).contains(sentence), "{said}");
}

#[test]
fn the_record_tells_the_machine_the_rollouts_at_a_time_and_what_a_provider_failed_with() {
    let server = CountingServer::start(|request| match request.number {
        1 => Reply::error(503, "overloaded for now"),
        _ => Reply::text("4").usage(20, 7),
    });
    let project = Project::pack();
    project.remove("desk/two.task.yaml").write(
        "crossbar.yaml",
        &format!(
            "models: [{{id: far, provider: openai, base_url: \"{}\", price: free}}]\n\
             harnesses: [{{id: react, kind: react}}]\nrun: {{repeats: 2, concurrency: 1}}\n",
            server.base_url()
        ),
    );
    let live = ["run", "--live", "--budget", "unlimited"];
    assert_eq!(project.crossbar(&live).code, Some(4));
    let sweep = project.sweep("runs/latest");
    let outcomes: Vec<_> = sweep["rollouts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["outcome"])
        .collect();
    let failed = outcomes
        .iter()
        .find(|one| one["kind"] == "infrastructure_failure")
        .unwrap();
    assert_eq!(failed["evidence"], "provider");
    let message = failed["message"].as_str().unwrap();
    assert!(
        message.contains("503") && message.contains("overloaded for now"),
        "{message}"
    );

    // Another part of the same run, done four at a time.
    project.replace("crossbar.yaml", "concurrency: 1", "concurrency: 4");
    let said = project.crossbar(&[&live[..], &["--resume"]].concat());
    assert_eq!(said.code, Some(0), "{said}");
    let made = project.sweep("runs/latest")["meta"]["made"].clone();
    let machines = made["machines"].as_array().unwrap();
    let at_a_time: Vec<_> = machines
        .iter()
        .map(|one| one["live_at_a_time"].as_u64().unwrap())
        .collect();
    assert_eq!(at_a_time, [1, 4], "{made}");
    for machine in machines {
        let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
        assert_eq!(machine["system"], *system);
        assert!(machine["processors"].as_u64().unwrap() >= 1);
        assert_eq!(machine["free_at_a_time"], machine["live_at_a_time"]);
    }
    assert!(made["created_at"].as_str().unwrap().ends_with('Z'));
    assert!(
        flat(&said.stdout).contains("rollouts at a time: 4 free, 4 live"),
        "{said}"
    );
}

#[test]
fn a_configuration_holds_every_part_or_says_that_it_is_unknown() {
    let project = Project::pack();
    project.replace(
        "crossbar.yaml",
        "  - {id: react, kind: react}\n",
        "  - {id: react, kind: react, instructions: Be brief.}\n",
    );
    run(&project, &[]);
    let sweep = project.sweep("runs/latest");
    let cells = sweep["meta"]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    for cell in cells {
        let parts = &cell["configuration"];
        for part in [
            "provider",
            "requested",
            "snapshot",
            "params",
            "reasoning_budget",
        ] {
            assert!(!parts["model"][part].is_null(), "{part}: {parts}");
        }
        for part in [
            "kind",
            "verify",
            "version",
            "commit",
            "lockfile",
            "instructions",
            "instructions_hash",
            "tool_schemas",
            "permission_policy",
            "context_compression",
            "retrieval",
            "retries",
            "image",
        ] {
            assert!(!parts["harness"][part].is_null(), "{part}: {parts}");
        }
        assert_eq!(parts["harness"]["instructions"], "Be brief.");
    }
    let print = |at: usize| {
        sweep["question"]["cells"][at]["fingerprint"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_ne!(print(0), print(1));
    let before = [print(0), print(1)];
    project.replace("crossbar.yaml", "Be brief.", "Be brief!");
    run(&project, &[]);
    let sweep = project.sweep("runs/latest");
    for (at, before) in before.iter().enumerate() {
        assert_ne!(sweep["question"]["cells"][at]["fingerprint"], **before);
    }
}
