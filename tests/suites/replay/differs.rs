//! What is no repetition is invalid, and says where it differs.

use super::{invalid, project, recorded, replay};
use crossbar_suites::counting_server::{CountingServer, Reply};

#[test]
fn a_request_that_differs_is_invalid_and_shows_where() {
    let (project, server, _) = recorded();
    let sent = server.requests().len();
    project.replace(
        "desk/one.task.yaml",
        "is urgent. Say",
        "is very urgent. Say",
    );
    let output = replay(&project);
    assert_eq!(output.code, Some(4), "{output}");
    let invalid = invalid(&project);
    let told = "request 1 differs from the recorded one at /messages/1/content: recorded \
                ..\"cket T-1001 is urgent. Say so.\", now ..\"cket T-1001 is very urgent. Say \
                so.\"; help: put back what changed, or record again: run --record";
    let cells = ["paid+ask", "paid+ask", "paid+react", "paid+react"];
    assert_eq!(
        invalid,
        cells.map(|cell| (cell.to_owned(), told.to_owned()))
    );
    // The other task is a repetition still, and nothing was sent for any.
    let passed = project.rollouts("runs/latest");
    let of_two = passed
        .lines
        .iter()
        .filter(|line| line["task"].ends_with("two"));
    assert!(of_two.clone().count() == 4 && of_two.clone().all(|line| !line["score"].is_empty()));
    let of_one = passed
        .lines
        .iter()
        .filter(|line| line["task"].ends_with("one"));
    assert!(
        of_one
            .clone()
            .all(|line| line["passed"] == "false" && line["score"].is_empty())
    );
    assert_eq!(server.requests().len(), sent);
}

#[test]
fn fewer_requests_than_were_recorded_are_no_repetition() {
    let (project, ..) = recorded();
    project.replace("desk/one.task.yaml", "checks:", "max_steps: 1\nchecks:");
    let output = replay(&project);
    assert_eq!(output.code, Some(4), "{output}");
    let told = "only 1 of 2 recorded requests were made; help: put back what changed, or record \
                again: run --record";
    let expected = ("paid+react".to_owned(), told.to_owned());
    let all = invalid(&project);
    // One of its two repeats can have had the request that was one too many.
    assert!(all.contains(&expected), "{all:?}");
    assert!(all.iter().all(|(cell, _)| cell == "paid+react"), "{all:?}");
}

#[test]
fn more_requests_than_were_recorded_are_no_repetition() {
    let server = CountingServer::start(|request| match request.turn() {
        1 => Reply::call("tickets__get_ticket", &serde_json::json!({"id": "T-1001"})).usage(9, 9),
        _ => Reply::text("done").usage(9, 9),
    });
    let mut project = project(&server);
    project.replace("desk/one.task.yaml", "checks:", "max_steps: 1\nchecks:");
    let args = [
        "run",
        "--record",
        "--live",
        "--budget",
        "5",
        "--agent",
        "paid+react",
    ];
    assert_eq!(project.crossbar(&args).code, Some(0));
    project.unset(super::KEY.0);
    project.replace("desk/one.task.yaml", "max_steps: 1\n", "");
    // The cells of the recording are those that are replayed.
    let output = replay(&project);
    assert_eq!(output.code, Some(4), "{output}");
    let told = "request 2 is one too many: the recording has 1 for this rollout; help: put back \
                what changed, or record again: run --record";
    let expected = ("paid+react".to_owned(), told.to_owned());
    assert_eq!(invalid(&project), [expected.clone(), expected]);
}

#[test]
fn what_was_never_recorded_is_no_repetition() {
    let (project, ..) = recorded();
    let two = project.read("desk/two.task.yaml");
    project.write("desk/three.task.yaml", &two.replace("id: two", "id: three"));
    let output = replay(&project);
    assert_eq!(output.code, Some(4), "{output}");
    let invalid = invalid(&project);
    assert_eq!(invalid.len(), 4);
    let (_, told) = &invalid[0];
    assert!(told.starts_with("the recording has nothing of "), "{told}");
    assert!(
        told.contains("desk::three") && told.contains("help: "),
        "{told}"
    );
}
