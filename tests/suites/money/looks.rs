//! The second look of a gate has what the first one left of the budget, and nothing beyond it.

use super::{PRICE, paid, project};
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Output, Project};

/// Ten tasks twice: forty calls to a look, each held at 1,000 micro-dollars and billed at 500.
const TASKS: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
const LOOK: usize = 40;

/// `poor` never answers what is asked.
fn server() -> CountingServer {
    CountingServer::start(|request| {
        let answer = if request.body["model"] == "poor" {
            "5"
        } else {
            "4"
        };
        Reply::text(answer).usage(20, request.max_tokens() / 2)
    })
}

fn gated(server: &CountingServer) -> Project {
    let models = ["good", "poor"].map(|id| paid(id, server, PRICE));
    let run = "{repeats: 2, concurrency: 1, baseline: good+ask}\n\
               gate: {mode: regression, reference: concurrent, cell: poor+ask}";
    let mut project = project(&models.concat(), run, &TASKS);
    project.env("CROSSBAR_RUN_ID", "one");
    project
}

fn run(project: &Project, budget: &str, more: &[&str]) -> (Output, String) {
    let args = ["run", "--live", "--budget", budget];
    let said = project.crossbar(&[&args[..], more].concat());
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    (said, text)
}

/// Micro-dollars that both looks have spent or hold.
fn used(project: &Project) -> i64 {
    let store = rusqlite::Connection::open(project.path().join("runs/store.db")).unwrap();
    let sum = "SELECT sum(spent_micro + held_micro) FROM budget";
    store.query_row(sum, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_second_look_that_could_not_be_paid_is_not_begun_and_one_look_decides() {
    let server = server();
    let project = gated(&server);
    let (said, text) = run(&project, "0.03", &[]);
    assert_eq!(
        (said.code, server.requests().len()),
        (Some(1), LOOK),
        "{said}"
    );
    assert!(text.contains("one look [these tasks]"), "{said}");
    let note = "note: no second look, so one decides: the same rollouts cost $0.02 in this one, and \
                $0.01 of the budget is left.";
    assert!(said.stderr.contains(note), "{said}");
    // the same ceiling again pays for nothing
    let (said, _) = run(&project, "0.03", &["--resume"]);
    assert_eq!(
        (said.code, server.requests().len()),
        (Some(1), LOOK),
        "{said}"
    );
    let (said, text) = run(&project, "0.05", &["--resume"]);
    assert_eq!(
        (said.code, server.requests().len()),
        (Some(1), 2 * LOOK),
        "{said}"
    );
    assert!(text.contains("two looks [these tasks]"), "{said}");
    assert_eq!(used(&project), 40_000);
}

#[test]
fn under_a_ceiling_a_first_look_of_unknown_cost_is_the_only_one() {
    // One reply of the forty does not say its tokens.
    let server = CountingServer::start(|request| {
        let poor = request.body["model"] == "poor";
        let reply = Reply::text(if poor { "5" } else { "4" });
        match request.number {
            7 => reply,
            _ => reply.usage(20, request.max_tokens() / 2),
        }
    });
    let project = gated(&server);
    // What is left is more than the costs that are known.
    let (said, text) = run(&project, "0.05", &[]);
    let calls = server.requests().len();
    assert_eq!((said.code, calls), (Some(1), LOOK), "{said}");
    assert!(text.contains("one look [these tasks]"), "{said}");
    let note = "note: no second look, so one decides: what 1 of the same 40 rollouts cost in this \
                one is unknown, so nobody can tell whether the $0.03 that is left";
    assert!(said.stderr.contains(note), "{said}");
    // The way out that the note names.
    let (said, text) = run(&project, "unlimited", &["--resume", "one"]);
    let calls = server.requests().len();
    assert_eq!((said.code, calls), (Some(1), 2 * LOOK), "{said}");
    assert!(text.contains("two looks [these tasks]"), "{said}");
}

#[test]
fn money_that_ends_within_the_second_look_leaves_the_gate_incomplete() {
    let server = server();
    let project = gated(&server);
    // What is left covers the look as the first one was billed, and not the hold of its last call.
    let (said, text) = run(&project, "0.0402", &[]);
    assert_eq!(
        (said.code, server.requests().len()),
        (Some(4), 2 * LOOK - 1),
        "{said}"
    );
    let open = "poor+ask: INCOMPLETE in the second look (the first was red: -100.0pp";
    assert!(text.contains(open), "{said}");
    assert_eq!(used(&project), 39_500);
    assert_eq!(project.crossbar(&["verdict"]).code, Some(4));
    let (said, text) = run(&project, "1", &["--resume"]);
    assert_eq!(
        (said.code, server.requests().len()),
        (Some(1), 2 * LOOK),
        "{said}"
    );
    assert!(text.contains("REGRESSION in the second look too"), "{said}");
    assert_eq!(used(&project), 40_000);
}

#[test]
fn a_plan_says_what_a_red_would_cost_at_most() {
    let server = server();
    let project = gated(&server);
    for task in TASKS {
        let path = format!("pack/{task}.task.yaml");
        project.replace(&path, "checks:", "budget_tokens: 1000\nchecks:");
    }
    let said = project.crossbar(&["plan", "--budget", "1"]);
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    // Both cells and no other: the look costs at most what the sweep does.
    let most = text.split("COST at most ").nth(1);
    let most = most.and_then(|rest| rest.split(';').next());
    let most = most.unwrap_or_else(|| panic!("{said}"));
    let more = format!(
        "A red regression takes a second look at good+ask and poor+ask: 40 rollouts more, up to \
         {most} more, inside the same budget."
    );
    assert!(text.contains(&more), "{more}: {said}");
    assert!(server.requests().is_empty());
}
