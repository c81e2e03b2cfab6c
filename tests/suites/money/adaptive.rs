//! A budget that is used up in the middle of a look: what the looks before it said stands, the end is
//! incomplete, and more money goes on from there.

use super::{PRICE, paid, project};
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Output, Project};

/// Ten tasks: three cells take 90 calls to the first look, two of them 20 a repeat from there.
const TASKS: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

/// A twin of the baseline, and a cell that never passes.
fn roster(server: &CountingServer) -> Project {
    let models = ["good", "twin", "poor"].map(|id| paid(id, server, PRICE));
    let run = "{repeats: 3, max_repeats: 10, concurrency: 4, baseline: good+ask}";
    project(&models.concat(), run, &TASKS)
}

fn run(project: &Project, budget: &str, more: &[&str]) -> Output {
    let args = ["run", "--adaptive", "--live", "--budget", budget];
    project.crossbar(&[&args[..], more].concat())
}

#[test]
fn money_that_ends_within_a_look_leaves_what_the_look_before_said() {
    let server = CountingServer::start(|request| {
        let answer = if request.body["model"] == "poor" {
            "5"
        } else {
            "4"
        };
        Reply::text(answer).usage(20, request.max_tokens())
    });
    let project = roster(&server);
    let said = run(&project, "0.1", &[]);
    assert_eq!(
        (said.code, server.requests().len()),
        (Some(4), 100),
        "{said}"
    );
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "INCOMPLETE",
        "the budget was used up",
        "poor+ask: look 1 of 4 (3 repeats), stopped, since it is shown worse",
        "twin+ask: look 1 of 4 (3 repeats), still open",
        "The run ended before the look at 5 repeats was whole.",
    ] {
        assert!(text.contains(part), "{part}: {said}");
    }
    let adaptive = project.sweep("runs/latest")["analysis"]["adaptive"].clone();
    assert_eq!(adaptive["baseline_repeats"], 3, "{adaptive}");
    // the same ceiling again pays for nothing
    let again = run(&project, "0.1", &["--resume"]);
    assert_eq!(
        (again.code, server.requests().len()),
        (Some(4), 100),
        "{again}"
    );
    let more = run(&project, "5", &["--resume"]);
    assert_eq!(
        (more.code, server.requests().len()),
        (Some(0), 230),
        "{more}"
    );
    let text = more.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "poor+ask: look 1 of 4 (3 repeats), stopped, since it is shown worse",
        "twin+ask: look 4 of 4 (10 repeats), open at the last look",
    ] {
        assert!(text.contains(part), "{part}: {more}");
    }
    assert!(!text.contains("INCOMPLETE"), "{more}");
}
