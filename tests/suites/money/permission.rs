//! Without a permission and a budget nothing is sent, whichever command is typed.

use super::{KEY, PRICE, paid, project};
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::Project;
use std::path::Path;

fn server() -> CountingServer {
    CountingServer::start(|request| Reply::text("4").usage(20, request.max_tokens()))
}

/// The example with a live cell beside its mocks, and tests that can call it.
fn with_rust(server: &CountingServer) -> Project {
    let mut project = Project::first_test();
    let models = paid("paid", server, PRICE);
    project
        .replace("crossbar.yaml", "models:\n", &format!("models:\n{models}"))
        .replace(
            "crossbar.yaml",
            "agents:\n",
            "agents:\n  - {model: paid, harness: react}\n",
        );
    project.env(KEY.0, KEY.1);
    project
}

#[test]
fn the_test_runner_calls_a_live_model_only_when_it_is_allowed_and_funded() {
    let server = server();
    let mut project = with_rust(&server);
    let agents = project.agents();
    let direct = |project: &Project, args: &[&str]| project.start(&agents, args).end();
    let silent = |what: &str| assert_eq!(server.connections(), 0, "{what}");

    let listed = direct(&project, &["--list"]);
    assert!(listed.stdout.contains("paid+react: test"), "{listed}");
    silent("--list");
    let plain = project.cargo(&["test"]);
    assert_eq!(plain.code, Some(0), "{plain}");
    let note = "left out, since they are live: paid+react";
    assert!(plain.stderr.contains(note), "{plain}");
    silent("cargo test");
    for args in [&["--include-ignored"][..], &["--ignored"]] {
        let output = direct(&project, args);
        assert_eq!(output.code, Some(0), "{output}");
        silent(&args.join(" "));
    }
    // nextest would show a case that ignores itself as passed, so forced ones are red there.
    let forced = &["run", "--run-ignored", "all", "--no-fail-fast"][..];
    for (args, code) in [(&["list"][..], 0), (&["run"], 0), (forced, 100)] {
        let output = project.nextest(args);
        assert_eq!(output.code, Some(code), "nextest {args:?}: {output}");
        silent(&args.join(" "));
    }
    for (name, value, code) in [("CROSSBAR_LIVE", "1", 2), ("CROSSBAR_BUDGET_USD", "5", 0)] {
        project.env(name, value);
        let output = direct(&project, &["--include-ignored"]);
        assert_eq!(output.code, Some(code), "{name}: {output}");
        silent(name);
        project.unset(name);
    }
    project
        .env("CROSSBAR_LIVE", "1")
        .env("CROSSBAR_BUDGET_USD", "5");
    direct(&project, &["--list"]);
    project.nextest(&["list"]);
    silent("--list with a budget");
    direct(&project, &["paid+react"]);
    assert!(server.connections() > 0);
}

#[test]
fn the_command_line_calls_a_live_model_only_when_it_is_allowed_and_funded() {
    let server = server();
    let models = paid("paid", &server, PRICE) + "  - {id: free, provider: mock, price: free}\n";
    let mut project = project(&models, "{repeats: 2}", &["one", "two"]);
    for args in [&["run"][..], &["run", "--budget", "5"]] {
        let output = project.crossbar(args);
        assert_eq!(output.code, Some(0), "{args:?}: {output}");
        let note = "left out, since they are live: paid+ask (give --live and a budget)";
        assert!(output.stderr.contains(note), "{args:?}: {output}");
        assert_eq!(
            project.rollouts("runs/latest").of_cell("paid+ask"),
            Vec::<&_>::new()
        );
    }
    for args in [
        &["run", "--live"][..],
        &["run", "--live", "--agent", "paid+ask"],
    ] {
        let unfunded = project.crossbar(args);
        assert_eq!(unfunded.code, Some(2), "{unfunded}");
        assert!(
            unfunded.stderr.contains("no budget says how much"),
            "{unfunded}"
        );
    }
    let alone = project.crossbar(&["run", "--agent", "paid+ask"]);
    assert_eq!(alone.code, Some(2), "{alone}");
    assert!(alone.stderr.contains("a budget (--budget USD"), "{alone}");
    assert_eq!(server.connections(), 0);

    project.env("CROSSBAR_LIVE", "1");
    let allowed = project.crossbar(&["run", "--budget", "5"]);
    assert_eq!(allowed.code, Some(0), "{allowed}");
    assert!(!allowed.stderr.contains("left out"), "{allowed}");
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn a_live_cell_without_its_key_is_refused_by_the_variables_name() {
    let server = server();
    let mut project = project(&paid("paid", &server, PRICE), "{repeats: 1}", &["one"]);
    for empty in [false, true] {
        if empty {
            project.env(KEY.0, "");
        } else {
            project.unset(KEY.0);
        }
        let output = project.crossbar(&["run", "--live", "--budget", "5"]);
        assert_eq!(output.code, Some(2), "{output}");
        assert!(output.stderr.contains(KEY.0), "{output}");
        assert!(!Path::new(&project.path().join("runs")).exists());
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn a_request_is_a_post_with_the_key_in_its_header_alone() {
    let server = server();
    let project = project(&paid("paid", &server, PRICE), "{repeats: 1}", &["one"]);
    let output = project.crossbar(&["run", "--live", "--budget", "5"]);
    assert_eq!(output.code, Some(0), "{output}");
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert!(requests[0].line.starts_with("POST /v1/chat/completions "));
    assert_eq!(requests[0].authorization, Some(format!("Bearer {}", KEY.1)));
    assert!(!requests[0].body.to_string().contains(KEY.1));
    assert_eq!(requests[0].prompt(), "What is 2+2? (one)");
}

#[test]
fn a_free_run_says_what_the_last_live_one_came_to_and_that_it_is_not_measured_again() {
    let server = server();
    let mut project = with_rust(&server);
    let line = |project: &Project| {
        let said = project.cargo(&["test", "--test", "agents"]);
        let lines = said.stdout.lines().map(str::to_owned);
        let mut lines = lines.filter(|line| line.starts_with("last live verdict: "));
        (lines.next(), lines.count())
    };
    assert_eq!(line(&project), (None, 0), "there is no live run yet");
    project
        .env("CROSSBAR_LIVE", "1")
        .env("CROSSBAR_BUDGET_USD", "5");
    assert_eq!(line(&project), (None, 0), "it was measured just now");
    let live = project.sweep("runs/latest")["run_id"].take();
    project.unset("CROSSBAR_LIVE").unset("CROSSBAR_BUDGET_USD");
    let calls = server.connections();
    let (told, more) = line(&project);
    let (told, run) = (told.unwrap(), live.as_str().unwrap());
    assert!(told.contains(&format!("(run {run}, ")), "{told}");
    assert!(told.ends_with(" old), not re-measured"), "{told}");
    assert_eq!((more, server.connections()), (0, calls));
}
