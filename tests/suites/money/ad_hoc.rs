//! A cell that stands in no roster: `run --provider P --model M`.

use super::{KEY, PRICE, paid, project};
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Output, Project};

fn server() -> CountingServer {
    CountingServer::start(|request| Reply::text("4").usage(20, request.max_tokens()))
}

/// A pack of two tasks, with a roster only where one is asked for.
fn pack(roster: bool, server: &CountingServer) -> Project {
    let models = paid("rostered", server, PRICE);
    let project = project(
        &models,
        "{repeats: 2, baseline: rostered+ask}",
        &["one", "two"],
    );
    if !roster {
        project.remove("crossbar.yaml");
    }
    project
}

fn run(project: &Project, server: &CountingServer, more: &[&str]) -> Output {
    let (address, key) = (server.base_url(), KEY.0);
    let own = ["--provider", "openai", "--model", "org/small:7b"];
    let at = ["--base-url", &address, "--api-key-env", key];
    project.crossbar(&[&["run"][..], &own, &at, more].concat())
}

#[test]
fn a_model_outside_every_roster_is_one_cell_and_nothing_is_spent_unasked() {
    let server = server();
    for roster in [false, true] {
        let project = pack(roster, &server);
        let before = server.requests().len();
        let unasked = run(&project, &server, &[]);
        assert_eq!(unasked.code, Some(2), "{unasked}");
        let unpriced = run(&project, &server, &["--live", "--budget", "5"]);
        assert_eq!(unpriced.code, Some(2), "{unpriced}");
        assert!(unpriced.stderr.contains("`unlimited` budget"), "{unpriced}");
        assert_eq!(server.requests().len(), before, "nothing was allowed yet");

        let paid = ["--live", "--budget", "unlimited", "--repeats", "2"];
        let said = run(&project, &server, &paid);
        assert_eq!(said.code, Some(0), "{said}");
        assert!(said.stdout.contains("org-small-7b+react"), "{said}");
        let rollouts = project.rollouts("runs/latest").lines;
        assert_eq!(rollouts.len(), 4, "{said}");
        assert!(
            rollouts
                .iter()
                .all(|line| line["cell"] == "org-small-7b+react")
        );
        let requests = server.requests();
        let asked = requests[before..]
            .iter()
            .all(|one| one.body["model"] == "org/small:7b");
        assert!(asked && requests.len() > before, "{said}");
    }
}

#[test]
fn what_it_lacks_is_named_with_the_flag_that_gives_it() {
    let server = server();
    let project = pack(false, &server);
    let cases: [(&[&str], &str); 5] = [
        (&["--provider", "openai", "--model", "m"], "--base-url"),
        (
            &["--provider", "moc", "--model", "m"],
            "did you mean `mock`?",
        ),
        (&["--provider", "mock"], "--model"),
        (&["--model", "m"], "--provider"),
        (
            &["--provider", "mock", "--model", "m", "--agent", "a+b"],
            "--agent",
        ),
    ];
    for (args, cure) in cases {
        let said = project.crossbar(&[&["run"], args].concat());
        assert_eq!(said.code, Some(2), "{args:?} {said}");
        assert!(said.stderr.contains(cure), "{args:?} {said}");
    }
    let free = project.crossbar(&["run", "--provider", "mock", "--model", "m"]);
    assert_eq!(free.code, Some(0), "{free}");
    assert!(free.stdout.contains("DEMO"), "{free}");
}
