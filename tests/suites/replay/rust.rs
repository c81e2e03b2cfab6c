//! Tasks in Rust are recorded and replayed through their test binary, and `cargo test` does not take
//! a replay for a live run.

use super::{KEY, answer, replay, run_of};
use crossbar_suites::counting_server::CountingServer;
use crossbar_suites::project::Project;

fn with_a_model(server: &CountingServer) -> Project {
    let mut project = Project::first_test();
    let model = format!(
        "models:\n  - {{id: paid, provider: openai, base_url: \"{}\", api_key_env: {}, \
         price: {{input_per_mtok: 3, output_per_mtok: 15}}}}\n",
        server.base_url(),
        KEY.0
    );
    let agents = "agents:\n  - {model: paid, harness: react}\n";
    project
        .replace("crossbar.yaml", "models:\n", &model)
        .replace("crossbar.yaml", "agents:\n", agents);
    project.env(KEY.0, KEY.1);
    project
}

#[test]
fn tasks_in_rust_are_replayed_and_a_replay_is_no_live_run() {
    let server = CountingServer::start(answer);
    let mut project = with_a_model(&server);
    let recorded = project.crossbar(&["run", "--record", "--live", "--budget", "5"]);
    assert_eq!(recorded.code, Some(0), "{recorded}");
    let (then, calls) = (project.sweep("runs/latest"), server.connections());
    project.unset(KEY.0);
    let output = replay(&project);
    assert_eq!(output.code, Some(0), "{output}");
    let now = project.sweep("runs/latest");
    assert_eq!(now["question"]["replay_of"], then["run_id"]);
    assert_eq!(now["dataset_hash"], then["dataset_hash"]);
    let tested = project.cargo(&["test", "--test", "agents"]);
    let mut lines = tested.stdout.lines();
    let last = lines.find(|line| line.starts_with("last live verdict: "));
    let of = format!("(run {}, ", run_of(&then));
    assert!(last.is_some_and(|line| line.contains(&of)), "{tested}");
    assert_eq!(server.connections(), calls);
}
