//! The path of a stranger: an empty folder, the two packages as they are published, and nothing
//! else of this repository. What the README promises for the first ten minutes happens there.

use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Output, PROFILE, Project, Unpacked, bytes};
use crossbar_suites::tree;
use std::collections::BTreeMap;
use std::path::Path;

/// What `cargo new` leaves behind.
const MANIFEST: &str = "[package]
name = \"newcomer\"
version = \"0.1.0\"
edition = \"2024\"
";

/// An OpenAI-compatible endpoint whose model answers in words and calls nothing.
fn server() -> CountingServer {
    CountingServer::start(|request| Reply::text("done").usage(20, request.max_tokens().min(5)))
}

/// An empty folder after `crossbar init`, with the lines in its manifest that init asks for.
fn begun() -> (Project, Vec<Unpacked>) {
    let (project, packages) = Project::stranger();
    assert_eq!(project.names("."), Vec::<String>::new());
    project
        .write("Cargo.toml", MANIFEST)
        .write("src/lib.rs", "//! The product.\n");
    let init = project.crossbar(&["init"]);
    assert_eq!(init.code, Some(0), "{init}");
    let patches = packages.iter().map(|one| {
        let path = Path::new("..").join(one.path.strip_prefix(parent(&project)).unwrap());
        format!("{} = {{ path = {path:?} }}\n", one.name)
    });
    let patches: String = patches.collect();
    let manifest = format!(
        "{MANIFEST}\n{}\n[patch.crates-io]\n{patches}\n{PROFILE}",
        asked_for(&init)
    );
    project.write("Cargo.toml", &manifest);
    (project, packages)
}

/// The folder that project and packages lie in.
fn parent(project: &Project) -> &Path {
    project.path().parent().unwrap()
}

/// The lines for Cargo.toml that init prints; the feature of live models with them, and without the
/// profile, under which the library takes a minute to compile.
fn asked_for(init: &Output) -> String {
    let (_, lines) = init.stdout.split_once("these lines:\n\n").unwrap();
    let (lines, profile) = lines.split_once("# Plain `cargo test`").unwrap();
    assert!(profile.contains("opt-level = 3"), "{init}");
    let plain = "version = \"0.1\" }";
    assert_eq!(lines.matches(plain).count(), 1, "{init}");
    lines.replace(plain, "version = \"0.1\", features = [\"http\"] }")
}

/// Whether a case of `cargo test` ended so; the names stand in a column of their own.
fn ended(tested: &Output, case: &str, how: &str) -> bool {
    tested.stdout.lines().any(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        words == ["test", case, "...", how]
    })
}

/// Every file that is not a result.
fn files(project: &Project) -> BTreeMap<String, Vec<u8>> {
    let mut files = project.bytes(".");
    files.retain(|path, _| !path.starts_with("runs/"));
    files
}

#[test]
fn nothing_points_into_the_clone_and_the_code_is_its_own() {
    let (project, packages) = begun();
    let built = project.cargo(&["test", "--no-run", "--message-format=json"]);
    assert_eq!(built.code, Some(0), "{built}");
    let clone = tree::root().to_string_lossy().into_owned();
    let points = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(&clone);
    let unpacked = packages.iter().map(|one| bytes(&one.path));
    for (path, text) in unpacked.chain([files(&project)]).flatten() {
        assert!(!points(&text), "{path} names {clone}");
    }
    for package in &packages {
        let mut here = bytes(&package.made_from.join("src"));
        here.retain(|path, _| !is_of_tests_alone(path));
        let there = bytes(&package.path.join("src"));
        assert!(!here.is_empty() && here == there, "{}", package.name);
        let source = serde_json::to_string(&package.path.join("src/lib.rs")).unwrap();
        let compiled = format!("\"src_path\":{source}");
        assert!(built.stdout.contains(&compiled), "{compiled}: {built}");
    }
}

/// Files that no build but that of the tests reads: they stay in the repository.
fn is_of_tests_alone(path: &str) -> bool {
    let is_in = |folder: &str| path.starts_with(folder) || path.contains(&format!("/{folder}"));
    let is_named = |name: &str| path == name || path.ends_with(&format!("/{name}"));
    is_in("tests/") || is_in("snapshots/") || is_named("tests.rs") || path.ends_with("_tests.rs")
}

#[test]
fn the_first_tests_are_green_and_free_with_and_without_a_lock_file() {
    let server = server();
    let (mut project, _) = begun();
    // Whatever is sent anywhere comes past here.
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        project.env(name, &server.base_url());
    }
    assert!(!project.has("Cargo.lock"));
    let mut locks = Vec::new();
    for args in [&["test"][..], &["test", "--locked"]] {
        let tested = project.cargo(args);
        assert_eq!(tested.code, Some(0), "{tested}");
        for case in [
            "newcomer::outage_is_escalated::control+solution",
            "newcomer::outage_is_escalated::control+broken",
            "tasks::route-billing::control+noop",
            "tasks::route-billing::mock-weak+react-verify",
        ] {
            assert!(ended(&tested, case, "ok"), "{case}: {tested}");
        }
        assert!(
            tested.stdout.contains("CONTROLS       7 of 7 hold"),
            "{tested}"
        );
        assert_eq!(project.rollouts("runs/latest").lines.len(), 2 * 3 * 3);
        project.remove("runs");
        locks.push(project.read("Cargo.lock"));
    }
    assert_eq!(locks[0], locks[1]);
    assert_eq!(server.connections(), 0, "a free run");
}

#[test]
fn a_solution_that_does_not_solve_is_named_by_its_red_control() {
    let (project, _) = begun();
    let solved = ".call(\"tickets.assign\", json!({\"id\": \"T-1001\", \"team\": \"oncall\"}))";
    let declared = "demo:\n  script:\n    - {tool: tickets.assign, args: {id: \"T-1002\", team: ";
    project
        .replace(
            "tests/agents.rs",
            solved,
            &solved.replace("oncall", "sales"),
        )
        .replace(
            "tasks/route-billing.task.yaml",
            &format!("{declared}billing"),
            &format!("{declared}sales"),
        );
    let tested = project.cargo(&["test"]);
    assert_eq!(tested.code, Some(101), "{tested}");
    for task in ["newcomer::outage_is_escalated", "tasks::route-billing"] {
        let control = format!("{task}::control+solution");
        assert!(ended(&tested, &control, "FAILED"), "{tested}");
    }
    for said in [
        "it is with oncall",
        "expected \"oncall\", got \"sales\"",
        "the invoice ticket is with billing",
        "expected \"billing\", got \"sales\"",
        "; 2 failed;",
    ] {
        assert!(tested.stdout.contains(said), "{said}: {tested}");
    }
}

#[test]
fn a_model_in_the_roster_is_ignored_until_it_is_allowed_and_funded() {
    let server = server();
    let (mut project, _) = begun();
    let roster = with_model(&project.read("crossbar.yaml"), &server.base_url());
    project.write("crossbar.yaml", &roster);
    project.env("CANDIDATE_API_KEY", "k-8Jq2/Vz");

    let plain = project.cargo(&["test"]);
    assert_eq!(plain.code, Some(0), "{plain}");
    for task in ["newcomer::outage_is_escalated", "tasks::route-billing"] {
        let live = format!("{task}::candidate+react");
        assert!(ended(&plain, &live, "ignored"), "{plain}");
    }
    let note = "left out, since they are live: candidate+react";
    assert!(plain.stderr.contains(note), "{plain}");
    let allowed = project.env("CROSSBAR_LIVE", "1").cargo(&["test"]);
    assert_ne!(allowed.code, Some(0), "{allowed}");
    assert!(
        allowed.stderr.contains("no budget says how much"),
        "{allowed}"
    );
    assert_eq!(server.connections(), 0, "not funded");

    let funded = project.env("CROSSBAR_BUDGET_USD", "1").cargo(&["test"]);
    assert_eq!(funded.code, Some(0), "{funded}");
    assert!(server.connections() > 0);
    let rollouts = project.rollouts("runs/latest");
    assert_eq!(rollouts.of_cell("candidate+react").len(), 2 * 3);
    let first = &server.requests()[0];
    assert_eq!(first.authorization.as_deref(), Some("Bearer k-8Jq2/Vz"));
}

/// The starter's roster with its model in comments made a real one.
fn with_model(roster: &str, base_url: &str) -> String {
    let mut text = String::new();
    for line in roster.lines() {
        let shown = line.strip_prefix("  # ");
        let is_model =
            shown.is_some_and(|line| line.starts_with("- id:") || line.starts_with("  "));
        let line = shown
            .filter(|_| is_model)
            .map_or(line.to_owned(), |line| format!("  {line}"));
        text += &(line + "\n");
        if text.ends_with("\nagents:\n") {
            text += "  - {model: candidate, harness: react}\n";
        }
    }
    assert!(
        text.contains("  - id: candidate\n    provider: openai\n"),
        "{text}"
    );
    text.replace("https://HOST/v1", base_url)
}
