//! Tasks whose server is at an address, run by the built binary.

use crossbar::domain::Exec;
use crossbar::env::World;
use crossbar::task::{Address, EnvironmentSpec, ServerSpec};
use crossbar_suites::http_mcp_server::HttpMcpServer;
use crossbar_suites::project::{Output, Project};

/// The value of the variable that the task names.
const KEY: &str = "cb-Qy7/pV2+Jt9=ZxLm4Wn8Rk";

/// A task that leaves a note with the server at `${DESK_URL}`; its demo says the key as well.
fn task(headers: &str) -> String {
    format!(
        "id: note
prompt: Leave the note `done`.
environment:
  servers:
    - name: desk
      url: ${{DESK_URL}}
      headers: {headers}
checks:
  - type: mcp_state
    server: desk
    tool: all
    args: {{}}
    expect: {{notes: [done]}}
demo:
  script:
    - {{tool: desk.echo, args: {{text: \"I was told {KEY}\"}}}}
    - {{tool: desk.add, args: {{text: done}}}}
  final: Done.
"
    )
}

const HEADERS: &str = "{Authorization: \"Bearer ${DESK_KEY}\", X-Team: support}";

const ROSTER: &str = "models: [{id: mock, provider: mock, skill: 1.0}]
harnesses: [{id: react, kind: react}]
packs: [desk]
run: {repeats: 2}
";

fn project(desk: &HttpMcpServer, headers: &str) -> Project {
    let mut project = Project::empty();
    project
        .write("crossbar.yaml", ROSTER)
        .write("desk/note.task.yaml", &task(headers));
    project
        .env("DESK_URL", &desk.url())
        .env("DESK_KEY", KEY)
        .env("CROSSBAR_LOG", "trace");
    project
}

#[test]
fn a_task_with_a_server_at_an_address_is_controlled_measured_and_its_key_is_in_no_file() {
    let desk = HttpMcpServer::desk();
    let project = project(&desk, HEADERS);
    let controls = project.crossbar(&["validate", "--controls"]);
    assert_eq!(controls.code, Some(0), "{controls}");
    assert!(!controls.stdout.contains("not run"), "{controls}");
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    let rollouts = project.rollouts("runs/latest");
    let of_mock = rollouts.of_cell("mock+react");
    assert_eq!(of_mock.len(), 2, "{said}");
    assert!(
        of_mock.iter().all(|line| line["passed"] == "true"),
        "{of_mock:?}"
    );
    for one in desk.asked() {
        assert_eq!(one.header("authorization"), format!("Bearer {KEY}"));
        assert_eq!(one.header("x-team"), "support");
    }
    nowhere(&project, &said);
    let text = project.sweep("runs/latest").to_string();
    assert!(
        text.contains("[redacted:DESK_KEY]"),
        "the place was not reached"
    );
    assert!(
        text.contains(&desk.origin()) || !text.contains("redacted:DESK_URL"),
        "{text}"
    );
}

fn nowhere(project: &Project, said: &Output) {
    let told = &KEY.as_bytes()[..KEY.len() / 2 + 1];
    for (path, bytes) in &project.bytes("runs") {
        let has = bytes.windows(told.len()).any(|window| window == told);
        assert!(!has, "{path} holds the key");
    }
    assert!(
        !format!("{}{}", said.stdout, said.stderr).contains(KEY),
        "{said}"
    );
}

#[test]
fn a_server_that_is_not_there_is_the_machines_failure_and_not_the_models() {
    let desk = HttpMcpServer::desk();
    let mut project = project(&desk, HEADERS);
    project.env("DESK_URL", "http://127.0.0.1:9/mcp");
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(4), "{said}");
    assert!(
        said.stderr
            .contains("server `desk` can't be reached: at http://127.0.0.1:9: no"),
        "{said}"
    );
    nowhere(&project, &said);
}

#[test]
fn what_is_wrong_with_an_address_is_said_at_its_place_and_no_key_is_repeated() {
    let desk = HttpMcpServer::desk();
    for (headers, url, wanted) in [
        (
            "{Authorization: \"Bearer hunter2\"}",
            "https://a.example/mcp",
            "note.task.yaml:7:32: `Authorization` holds a secret",
        ),
        (
            "{X-Api-Key: sk-hunter2}",
            "https://a.example/mcp",
            "note.task.yaml:7:28: `X-Api-Key` holds a secret",
        ),
        (
            "{Accept: text/html}",
            "https://a.example/mcp",
            "`Accept` is set by the protocol",
        ),
        (
            "{A: \"${NOT_THERE}\"}",
            "https://a.example/mcp",
            "variable `NOT_THERE` is not set",
        ),
        (
            "{}",
            "https://dana:hunter2@a.example/mcp",
            "`url` holds a secret",
        ),
        (
            "{}",
            "a.example/mcp",
            "`url` is not an http or https address",
        ),
    ] {
        let project = project(&desk, headers);
        project.replace("desk/note.task.yaml", "${DESK_URL}", url);
        let said = project.crossbar(&["run"]);
        assert_eq!(said.code, Some(2), "{said}");
        let text = said.stderr.replace("\n", " ");
        assert!(
            text.contains(wanted.rsplit(": ").next().unwrap()),
            "{wanted}: {said}"
        );
        assert!(!said.stderr.contains("hunter2"), "{said}");
    }
    assert!(desk.asked().is_empty());
}

/// A program is given no way to such a server: its headers may hold keys.
#[tokio::test]
async fn a_program_as_harness_is_refused_with_the_servers_name() {
    let desk = HttpMcpServer::desk();
    let mut server = ServerSpec::new("desk", "", Vec::new());
    server.address = Some(Address {
        url: desk.url(),
        ..Address::default()
    });
    let spec = EnvironmentSpec {
        servers: vec![server],
    };
    let world = World::open(&spec).await.unwrap();
    let error = Exec::servers(&world).unwrap_err().to_string();
    assert!(
        error.starts_with("server `desk` is at an address")
            && error.contains("leave this cell out"),
        "{error}"
    );
}
