//! A process that dies with a request in flight: what may have been paid is never sent again.

use super::{PRICE, paid, project};
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Project, binaries};
use serde_json::json;
use std::collections::BTreeMap;

const LIVE: [&str; 4] = ["run", "--live", "--budget", "5"];

fn resume(project: &Project) -> crossbar_suites::project::Output {
    project.crossbar(&[&LIVE[..], &["--resume"]].concat())
}

fn outcomes(project: &Project) -> Vec<String> {
    let lines = project.rollouts("runs/latest").lines.into_iter();
    lines.map(|line| line["outcome"].clone()).collect()
}

#[test]
fn an_attempt_that_was_cut_in_flight_is_unknown_and_stays_paid_for() {
    let server = CountingServer::start(|request| {
        let reply = Reply::text("4").usage(20, request.max_tokens());
        if request.number <= 2 {
            reply.held()
        } else {
            reply
        }
    });
    let models = paid("paid", &server, PRICE);
    let project = project(&models, "{repeats: 3, concurrency: 2}", &["one", "two"]);
    let running = project.start(&binaries().join("crossbar"), &LIVE);
    server.wait_for_requests(2);
    running.kill();
    assert_eq!(running.end().signal, Some(9));
    server.release();

    let resumed = resume(&project);
    assert_eq!(resumed.code, Some(4), "{resumed}");
    assert_eq!(server.requests().len(), 6, "{resumed}");
    assert_eq!(outcomes(&project), vec!["accepted"; 4]);
    let flat = resumed
        .stdout
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let said =
        "2 attempts may have been paid and never ended; $0.002000 stays held for them: pack::";
    assert!(flat.contains(said), "{resumed}");
    assert!(flat.contains("2 possibly paid, end unknown"), "{resumed}");
    assert!(
        flat.contains("$0.004000 spent and $0.002000 held of $5.00"),
        "{resumed}"
    );
    let unknown = project.sweep("runs/latest")["unknown_attempts"].clone();
    let held: Vec<_> = unknown
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["held"].clone())
        .collect();
    assert_eq!(held, [json!(1000), json!(1000)]);

    let again = resume(&project);
    assert_eq!(again.code, Some(4), "{again}");
    assert_eq!(server.requests().len(), 6);
}

#[test]
fn however_often_it_is_killed_no_turn_of_a_rollout_is_asked_for_twice() {
    let tasks: Vec<String> = (0..24).map(|number| format!("t{number:02}")).collect();
    let tasks: Vec<&str> = tasks.iter().map(String::as_str).collect();
    let server = CountingServer::start(|request| {
        let reply = match request.turn() {
            1 => Reply::call("tickets__get_ticket", &json!({"id": "T-1001"})),
            _ => Reply::text("4"),
        };
        reply.usage(20, request.max_tokens())
    });
    let models = paid("paid", &server, PRICE);
    let project = project(&models, "{repeats: 1, concurrency: 3}", &tasks);
    project.replace("crossbar.yaml", "single-shot", "react");
    for task in &tasks {
        project.replace(
            &format!("pack/{task}.task.yaml"),
            "checks:",
            "environment:\n  servers:\n    - {name: tickets, command: \"${CROSSBAR_BIN}\", \
             args: [\"__serve\", tickets]}\nchecks:",
        );
    }
    for (round, more) in [1, 3, 2, 5, 4].into_iter().enumerate() {
        let args = if round == 0 {
            LIVE.to_vec()
        } else {
            [&LIVE[..], &["--resume"]].concat()
        };
        let asked = server.requests().len();
        let running = project.start(&binaries().join("crossbar"), &args);
        server.wait_for_requests(asked + more);
        running.kill();
        running.end();
    }
    let last = resume(&project);
    assert_eq!(last.code, Some(4), "{last}");
    let mut asked: BTreeMap<(String, usize), usize> = BTreeMap::new();
    for request in server.requests() {
        *asked
            .entry((request.prompt().to_owned(), request.turn()))
            .or_default() += 1;
    }
    assert!(asked.values().all(|times| *times == 1), "{asked:?}");
    let unknown = project.sweep("runs/latest")["unknown_attempts"]
        .as_array()
        .unwrap()
        .len();
    assert!((1..24).contains(&unknown), "{unknown}");
    assert_eq!(outcomes(&project), vec!["accepted"; 24 - unknown]);
    assert_eq!(resume(&project).code, Some(4));
    assert_eq!(server.requests().len(), asked.len());
}

/// Attempts that a run's record has under way.
fn under_way(project: &Project) -> u32 {
    let store = rusqlite::Connection::open(project.path().join("runs/store.db"));
    let count = "SELECT count(*) FROM attempt WHERE state = 'running'";
    store
        .and_then(|store| store.query_row(count, [], |row| row.get(0)))
        .unwrap_or(0)
}

#[test]
fn who_was_interrupted_while_waiting_for_money_never_paid_and_runs_again() {
    let server = CountingServer::start(|request| {
        let reply = Reply::text("4").usage(20, request.max_tokens());
        if request.number <= 2 {
            reply.held()
        } else {
            reply
        }
    });
    let models = paid("paid", &server, PRICE);
    let project = project(&models, "{repeats: 3, concurrency: 4}", &["one", "two"]);
    // Money for two calls: two rollouts ask, and two wait for what those leave.
    let running = project.start(
        &binaries().join("crossbar"),
        &["run", "--live", "--budget", "0.002"],
    );
    server.wait_for_requests(2);
    while under_way(&project) < 4 {
        std::thread::yield_now();
    }
    running.signal("INT");
    let stopped = running.end();
    assert_eq!(stopped.code, Some(130), "{stopped}");
    server.release();
    assert_eq!(server.requests().len(), 2);

    let resumed = resume(&project);
    assert_eq!(resumed.code, Some(4), "{resumed}");
    assert_eq!(server.requests().len(), 6, "{resumed}");
    assert_eq!(outcomes(&project), vec!["accepted"; 4]);
    let flat = resumed.stdout.split_whitespace().collect::<Vec<_>>();
    let flat = flat.join(" ");
    assert!(flat.contains("2 possibly paid, end unknown"), "{resumed}");
    // The advice is one that there is.
    assert!(
        flat.contains("No --resume sends them again; a new run does.")
            && !flat.contains("reconcile"),
        "{resumed}"
    );
    let anew = project.crossbar(&LIVE);
    assert_eq!(
        (anew.code, server.requests().len()),
        (Some(0), 12),
        "{anew}"
    );
}
