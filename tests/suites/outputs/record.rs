//! The record of a rollout in sweep.json: the whole of what it came to, where, when, and in which
//! configuration.

use super::figures::{calls, flat, run};
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::Project;
use serde_json::json;
use std::collections::BTreeSet;

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
        1 => Reply::error(409, "overloaded for now"),
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
        message.contains("409") && message.contains("overloaded for now"),
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
