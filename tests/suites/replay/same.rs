//! The same results, and nothing is sent.

use super::{KEY, invalid, recorded, replay, run_of};
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::lasting;
use rusqlite::Connection;
use serde_json::Value;

/// What an agent did, turn by turn, without its times.
fn steps(sweep: &Value) -> Vec<Value> {
    let rollouts = sweep["rollouts"].as_array().unwrap().iter();
    rollouts.map(|one| lasting(&one["trajectory"])).collect()
}

#[test]
fn a_replay_has_the_results_of_its_recording_and_no_request_is_made() {
    let (project, first, then) = recorded();
    let (sent, connections) = (first.requests().len(), first.connections());
    // Another address, where somebody listens, too.
    let other = CountingServer::start(|_| Reply::text("nobody was to ask me"));
    project.replace("crossbar.yaml", &first.base_url(), &other.base_url());
    let output = replay(&project);
    assert_eq!(output.code, Some(0), "{output}");
    let now = project.sweep("runs/latest");
    assert_eq!(now["question"]["replay_of"], then["run_id"]);
    assert_ne!(now["run_id"], then["run_id"]);
    // Outcomes, scores, tokens and costs of every rollout.
    assert_eq!(now["dataset_hash"], then["dataset_hash"], "{output}");
    assert_eq!(steps(&now), steps(&then));
    let passed = |sweep: &Value| {
        let cells = sweep["analysis"]["cells"].as_array().unwrap().clone();
        cells
            .into_iter()
            .map(|cell| cell["accepted"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(passed(&now), passed(&then));
    let first = (first.requests().len(), first.connections());
    assert_eq!((first, other.connections()), ((sent, connections), 0));
    let again = replay(&project);
    assert_eq!(again.code, Some(0), "{again}");
    let again = project.sweep("runs/latest");
    assert_eq!(
        again["question"]["replay_of"], then["run_id"],
        "the newest that was recorded"
    );
}

#[test]
fn every_request_that_a_model_was_sent_stands_in_the_recording_as_it_was() {
    let (project, server, then) = recorded();
    let folder = format!("runs/{}/recording", run_of(&then));
    let files = project.bytes(&folder).into_iter();
    let rollouts = files.filter(|(path, _)| !path.ends_with("recording.json"));
    let mut kept: Vec<String> = Vec::new();
    for (path, bytes) in rollouts {
        let recording: Value = serde_json::from_slice(&bytes).unwrap();
        let exchanges = recording["exchanges"].as_array().unwrap();
        assert!(!exchanges.is_empty(), "{path}");
        assert!(exchanges.iter().all(|one| one["asked"] == "completions"));
        kept.extend(exchanges.iter().map(|one| one["request"].to_string()));
    }
    let sent = server.requests().into_iter();
    let mut sent: Vec<String> = sent.map(|request| request.body.to_string()).collect();
    kept.sort();
    sent.sort();
    assert_eq!(kept, sent);
}

#[test]
fn a_replay_is_charged_to_nobody() {
    let (project, _server, then) = recorded();
    let output = project.crossbar(&["run", "--replay", run_of(&then)]);
    assert_eq!(output.code, Some(0), "{output}");
    let now = project.sweep("runs/latest");
    assert!(
        !then["meta"]["budget"].is_null() && now["meta"]["budget"].is_null(),
        "{now:#}"
    );
    let store = Connection::open(project.path().join("runs/store.db")).unwrap();
    // Reservations, and attempts that are said to have begun to pay.
    let paid = |run: &Value| -> (i64, i64) {
        let sql = "SELECT count(r.id), count(a.paid_started_at) FROM attempt a \
                   JOIN run ON run.no = a.run LEFT JOIN reservation r ON r.attempt = a.id \
                   WHERE run.id = ?1";
        let counts = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        store.query_row(sql, [run_of(run)], counts).unwrap()
    };
    assert!(paid(&then).0 > 0 && paid(&then).1 > 0);
    assert_eq!(paid(&now), (0, 0));
}

#[test]
fn a_recording_lasts_without_the_record_and_holds_no_key() {
    let (project, _server, then) = recorded();
    let from = project
        .path()
        .join("runs")
        .join(run_of(&then))
        .join("recording");
    let kept = project.path().join("recordings/desk");
    std::fs::create_dir_all(kept.parent().unwrap()).unwrap();
    std::fs::rename(from, &kept).unwrap();
    project.remove("runs");
    let files = project.bytes("recordings");
    assert_eq!(files.len(), 1 + 8, "{:?}", files.keys());
    for (path, bytes) in &files {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains(&KEY.1[..KEY.1.len() / 2 + 1]), "{path}");
        assert!(!text.contains("127.0.0.1"), "{path}");
        if !path.ends_with("recording.json") {
            assert!(
                text.contains(&format!("[redacted:{}]", KEY.0)),
                "{path}: {text}"
            );
        }
    }
    let output = project.crossbar(&["run", "--replay", "recordings/desk"]);
    assert_eq!(output.code, Some(0), "{output}");
    let now = project.sweep("runs/latest");
    assert_eq!(now["dataset_hash"], then["dataset_hash"]);
    assert_eq!(invalid(&project), []);
}

#[test]
fn a_run_that_is_gone_on_with_is_recorded_to_its_end() {
    let (project, server, then) = recorded();
    let folder = format!("runs/{}/recording/paid+react", run_of(&then));
    let before = project.names(&folder);
    assert_eq!(before.len(), 4);
    project.write(
        "desk/three.task.yaml",
        &project
            .read("desk/two.task.yaml")
            .replace("id: two", "id: three"),
    );
    let mut project = project;
    project.env(KEY.0, KEY.1);
    let output = project.crossbar(&["run", "--resume", "--live", "--budget", "5"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(project.names(&folder).len(), 6);
    let sent = server.requests().len();
    assert_eq!(replay(&project).code, Some(0));
    assert_eq!(server.requests().len(), sent);
}
