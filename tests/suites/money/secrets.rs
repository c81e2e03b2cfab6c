//! A key is nowhere in what a run leaves behind, whoever says it.

use super::{KEY, PRICE, paid, project};
use crossbar_suites::counting_server::{CountingServer, Reply, Request};
use crossbar_suites::project::{Output, Project};
use serde_json::json;

/// What gives the key away: half of it is enough.
fn telling() -> &'static str {
    &KEY.1[..KEY.1.len() / 2 + 1]
}

fn nowhere(project: &Project, output: &Output) {
    let files = project.bytes("runs");
    assert!(
        files.keys().any(|path| path.ends_with("store.db")),
        "{:?}",
        files.keys()
    );
    assert!(files.keys().any(|path| path.ends_with("sweep.json")));
    for (path, bytes) in &files {
        let has = |needle: &str| {
            bytes
                .windows(needle.len())
                .any(|window| window == needle.as_bytes())
        };
        assert!(!has(telling()), "{path} holds the key");
        // As JSON may write it.
        assert!(!has(&telling().replace('/', "\\/")), "{path} holds the key");
    }
    let printed = format!("{}{}", output.stdout, output.stderr);
    assert!(!printed.contains(telling()), "{output}");
}

fn swept(
    script: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    harness: &str,
) -> (Project, Output) {
    let server = CountingServer::start(script);
    let mut project = project(&paid("paid", &server, PRICE), "{repeats: 2}", &["one"]);
    project.env("CROSSBAR_LOG", "trace");
    project.replace("crossbar.yaml", "single-shot", harness);
    if harness == "react" {
        project.replace(
            "pack/one.task.yaml",
            "checks:",
            "environment:\n  servers:\n    - {name: tickets, command: \"${CROSSBAR_BIN}\", \
             args: [\"__serve\", tickets]}\nchecks:",
        );
    }
    let output = project.crossbar(&["run", "--live", "--budget", "5"]);
    assert!(!server.requests().is_empty(), "{output}");
    assert_eq!(
        server.requests()[0].authorization,
        Some(format!("Bearer {}", KEY.1))
    );
    (project, output)
}

/// What the key is replaced by is there, so the place was reached.
fn masked_somewhere(project: &Project) {
    let text = project.sweep("runs/latest").to_string();
    assert!(
        text.contains("[redacted:MONEY_SUITE_KEY]") || text.contains("***"),
        "{text}"
    );
}

#[test]
fn a_key_that_an_answer_repeats_is_masked() {
    let answer = format!("4, and by the way your key is {}", KEY.1);
    let (project, output) = swept(move |_| Reply::text(&answer).usage(1, 1), "single-shot");
    assert_eq!(output.code, Some(0), "{output}");
    nowhere(&project, &output);
    masked_somewhere(&project);
}

#[test]
fn a_key_that_a_call_and_a_tool_repeat_is_masked() {
    let (project, output) = swept(
        |request| match request.turn() {
            1 => Reply::call("tickets__add_tag", &json!({"id": "T-1001", "tag": KEY.1})),
            2 => Reply::call("tickets__get_ticket", &json!({"id": KEY.1})),
            3 => Reply::call(KEY.1, &json!({KEY.1: 1})),
            _ => Reply::text("4"),
        },
        "react",
    );
    assert_eq!(output.code, Some(0), "{output}");
    nowhere(&project, &output);
    masked_somewhere(&project);
}

#[test]
fn a_key_that_an_error_repeats_is_masked_wherever_the_excerpt_ends() {
    // An excerpt of an error holds 200 characters: with these it ends within the key.
    for filler in [0, 176, 182, 186] {
        let message = format!("{}{} is no key of ours", "x".repeat(filler), KEY.1);
        let (project, output) = swept(move |_| Reply::error(401, &message), "single-shot");
        assert_eq!(output.code, Some(4), "{output}");
        nowhere(&project, &output);
    }
}

#[test]
fn a_server_of_a_task_does_not_get_the_key() {
    let server = CountingServer::start(|_| Reply::text("4").usage(1, 1));
    let project = project(&paid("paid", &server, PRICE), "{repeats: 1}", &["one"]);
    project.replace("crossbar.yaml", "single-shot", "react");
    project.replace(
        "pack/one.task.yaml",
        "checks:",
        "environment:\n  servers:\n    - name: tickets\n      command: sh\n      \
         args: [\"-c\", \"env > $OUT && exec $BIN __serve tickets\"]\n      \
         env: {BIN: \"${CROSSBAR_BIN}\", OUT: \"${SEEN}\"}\nchecks:",
    );
    let seen = project.path().join("seen.txt");
    let mut project = project;
    project.env("SEEN", &seen.to_string_lossy());
    let output = project.crossbar(&["run", "--live", "--budget", "5"]);
    assert_eq!(output.code, Some(0), "{output}");
    let seen = project.read("seen.txt");
    assert!(
        seen.contains("CROSSBAR_ROLLOUT=") && seen.contains("PATH="),
        "{seen}"
    );
    assert!(!seen.contains(KEY.0) && !seen.contains(KEY.1), "{seen}");
}

#[test]
fn an_address_with_a_secret_in_it_is_refused_and_not_repeated() {
    for address in [
        "https://dana:hunter2@models.example/v1",
        "https://hunter2@models.example/v1",
        "https://models.example/v1?key=hunter2",
        "https://models.example/v1#hunter2",
    ] {
        let server = CountingServer::start(|_| Reply::text("4"));
        let models =
            paid("paid", &server, PRICE).replace(&server.base_url(), &format!("\"{address}\""));
        let project = project(&models, "{repeats: 1}", &["one"]);
        let output = project.crossbar(&["run", "--live", "--budget", "5"]);
        assert_eq!(output.code, Some(2), "{address}: {output}");
        assert!(
            output.stderr.contains("--> crossbar.yaml:4:") && output.stderr.contains("api_key_env"),
            "{output}"
        );
        assert!(!output.stderr.contains("hunter2"), "{output}");
        assert!(!project.has("runs"), "{address}");
    }
}
