//! Before a sweep pays: each endpoint is asked once, at no cost, whether it is there.

use super::{KEY, PRICE, paid, project};
use crossbar_suites::counting_server::{CountingServer, Reply};
use std::net::TcpListener;

fn server() -> CountingServer {
    CountingServer::start(|_| Reply::text("4").usage(20, 100))
}

#[test]
fn an_endpoint_is_asked_once_with_its_key_and_need_not_know_the_path() {
    let server = server();
    let models = paid("one", &server, PRICE) + &paid("two", &server, PRICE);
    let project = project(&models, "{repeats: 2}", &["a", "b"]);
    let output = project.crossbar(&["run", "--live", "--budget", "9"]);
    assert_eq!(output.code, Some(0), "{output}");
    let probes = server.probes();
    assert_eq!((probes.len(), server.requests().len()), (1, 8));
    assert!(
        probes[0].line.starts_with("GET /v1/models "),
        "{}",
        probes[0].line
    );
    assert_eq!(probes[0].authorization, Some(format!("Bearer {}", KEY.1)));
}

#[test]
fn where_nobody_is_there_nothing_is_run_and_the_cure_is_told() {
    let server = server();
    // A port that was free a moment ago.
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let gone =
        paid("gone", &server, PRICE).replace(&server.base_url(), &format!("http://{free}/v1"));
    let models = gone + &paid("here", &server, PRICE);
    let project = project(&models, "{repeats: 2}", &["a"]);
    let output = project.crossbar(&["run", "--live", "--budget", "9"]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(
        output
            .stderr
            .contains("model `gone`: no connection to its `base_url`"),
        "{output}"
    );
    assert!(
        output.stderr.contains("help: see that the network is up"),
        "{output}"
    );
    assert_eq!(server.requests().len(), 0);
    // Cells that nobody asked for are not looked at.
    let output = project.crossbar(&["run", "--live", "--budget", "9", "--agent", "here+ask"]);
    assert_eq!(output.code, Some(0), "{output}");
}
