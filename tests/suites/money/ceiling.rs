//! The ceiling holds exactly, across all workers, and the rest is skipped in the open.

use super::{CEILING, KEY, PRICE, paid, project};
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Output, Project};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

fn outcomes(project: &Project, word: &str) -> usize {
    let rollouts = project.rollouts("runs/latest");
    rollouts
        .lines
        .iter()
        .filter(|line| line["outcome"] == word)
        .count()
}

fn partial(output: &Output, budget: &str) {
    assert_eq!(output.code, Some(4), "{output}");
    assert!(output.stdout.contains("INCOMPLETE"), "{output}");
    assert!(output.stdout.contains("the budget was used up"), "{output}");
    assert!(output.stdout.contains(budget), "{output}");
    assert!(
        !output.stdout.contains(">> SWITCH") && !output.stdout.contains(">> PICK"),
        "{output}"
    );
}

#[test]
fn a_budget_of_n_calls_pays_for_exactly_n_of_eight_parallel_rollouts() {
    const N: usize = 13;
    // The first eight are answered together, so eight reservations stand at once.
    let (together, arrived) = (Arc::new(Barrier::new(8)), Arc::new(AtomicUsize::new(0)));
    let server = CountingServer::start(move |request| {
        if arrived.fetch_add(1, Ordering::SeqCst) < 8 {
            together.wait();
        }
        Reply::text("4").usage(20, request.max_tokens())
    });
    let models = paid("paid", &server, PRICE);
    let project = project(
        &models,
        "{repeats: 10, concurrency: 8}",
        &["one", "two", "three"],
    );
    let output = project.crossbar(&["run", "--live", "--budget", "0.013"]);
    assert_eq!(server.requests().len(), N);
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.max_tokens() == CEILING)
    );
    assert_eq!(
        (
            outcomes(&project, "accepted"),
            outcomes(&project, "skipped")
        ),
        (N, 30 - N)
    );
    partial(&output, "$0.01 spent and $0.00 held of $0.01");
    said_once(&project, &output);
    let sweep = project.sweep("runs/latest").to_string();
    assert!(
        sweep.contains(r#""spent":13000"#) && sweep.contains(r#""held":0"#),
        "{sweep}"
    );
    // Nothing is left to spend, and going on does not change that.
    let resumed = project.crossbar(&["run", "--resume", "--live", "--budget", "0.013"]);
    partial(&resumed, "$0.01 spent");
    assert_eq!(server.requests().len(), N);
}

/// That calls are refused is said and recorded once, with what is used by then.
fn said_once(project: &Project, output: &Output) {
    let said = "the budget refuses calls ($0.0";
    assert_eq!(output.stderr.matches(said).count(), 1, "{output}");
    let store = rusqlite::Connection::open(project.path().join("runs/store.db")).unwrap();
    let recorded: u32 = store
        .query_row(
            "SELECT count(*) FROM event WHERE json LIKE '%\"budget_exhausted\"%\"spent\"%'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(recorded, 1);
}

#[test]
fn a_ceiling_is_met_in_the_middle_of_a_rollout_too() {
    const N: usize = 9;
    let server = CountingServer::start(|request| {
        let reply = match request.turn() {
            1 => Reply::call("tickets__get_ticket", &json!({"id": "T-1001"})),
            _ => Reply::text("4"),
        };
        reply.usage(20, request.max_tokens())
    });
    let models = paid("paid", &server, PRICE);
    let project = project(&models, "{repeats: 8, concurrency: 8}", &["one"]);
    project.replace("crossbar.yaml", "single-shot", "react");
    project.replace(
        "pack/one.task.yaml",
        "checks:",
        "environment:\n  servers:\n    - {name: tickets, command: \"${CROSSBAR_BIN}\", \
         args: [\"__serve\", tickets]}\nchecks:",
    );
    let output = project.crossbar(&["run", "--live", "--budget", "0.009"]);
    assert_eq!(server.requests().len(), N, "{output}");
    assert_eq!(
        outcomes(&project, "accepted") + outcomes(&project, "skipped"),
        8
    );
    assert!(outcomes(&project, "accepted") <= N / 2);
    partial(&output, "$0.009000 spent");
}

#[test]
fn what_a_reply_did_not_use_is_there_for_the_next() {
    let server =
        CountingServer::start(|request| Reply::text("4").usage(20, request.max_tokens() / 2));
    let models = paid("paid", &server, PRICE);
    let project = project(&models, "{repeats: 10, concurrency: 1}", &["one"]);
    // Four worst cases: six halves are spent when a whole one no longer fits.
    let output = project.crossbar(&["run", "--live", "--budget", "0.004"]);
    assert_eq!(server.requests().len(), 7, "{output}");
    partial(&output, "$0.003500 spent and $0.00 held of $0.004000");
}

#[test]
fn a_model_without_a_ceiling_of_its_own_is_sent_one() {
    let server = CountingServer::start(|_| Reply::text("4").usage(20, 1));
    let models = paid("paid", &server, PRICE).replace("    params: {max_output_tokens: 100}\n", "");
    let project = project(&models, "{repeats: 1}", &["one"]);
    let output = project.crossbar(&["run", "--live", "--budget", "5"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(server.requests()[0].max_tokens(), 4096);
    assert!(!output.stdout.contains(KEY.1));
}
