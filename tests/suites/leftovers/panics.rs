//! Tasks in Rust: a panic, and the end of the `crossbar run` that started the test binary.

use super::{Swept, left_dir, left_of};
use crossbar_suites::marked;
use crossbar_suites::project::{Project, binaries};

const NONE: Vec<u32> = Vec::new();

/// Tests whose server leaves a daemon. They panic before their agent, panic after it, or never end.
const TASKS: &str = r#"//! Tasks that end badly.

use crossbar::{Context, ServerCommand};

async fn tickets(cx: &mut Context) -> crossbar::Result {
    let variable = |name: &str| std::env::var(name).unwrap();
    let own = std::env::current_exe().unwrap();
    let command = ServerCommand::new("sh")
        .arg(&variable("DAEMON_SCRIPT"))
        .arg(&own.to_string_lossy())
        .arg("__serve")
        .arg("tickets")
        .env("LEFT_DIR", &variable("LEFT"));
    cx.server("tickets", command).await?;
    Ok(())
}

#[crossbar::task]
async fn early(cx: &mut Context) -> crossbar::Result {
    tickets(cx).await?;
    panic!("before the agent");
}

#[crossbar::task]
async fn late(cx: &mut Context) -> crossbar::Result {
    tickets(cx).await?;
    cx.agent("Do nothing.").await?;
    panic!("after the agent");
}

#[crossbar::task]
async fn endless(cx: &mut Context) -> crossbar::Result {
    tickets(cx).await?;
    eprintln!("it is up");
    std::future::pending::<()>().await;
    Ok(())
}

crossbar::main!();
"#;

fn project() -> Project {
    let mut project = Project::first_test();
    project.write("tests/agents.rs", TASKS);
    project.remove("tasks");
    project.replace("crossbar.yaml", "repeats: 3", "repeats: 1");
    left_dir(&mut project);
    project
}

#[test]
fn a_panic_in_a_task_function_leaves_no_process() {
    let project = project();
    let _swept = Swept(&project);
    let agents = project.agents();
    for (task, word) in [("early", "invalid_fixture"), ("late", "task_failure")] {
        let running = project.start(&agents, &[task]);
        let pid = running.id();
        let output = running.end();
        assert!(output.stdout.contains("test "), "{output}");
        assert_eq!(
            (marked::of_sweep(pid), left_of(&project)),
            (NONE, NONE),
            "{task}"
        );
        let said = project.crossbar(&["verdict", "--json"]).stdout;
        assert!(said.contains(word), "{task}: {output} {said}");
    }
    // Three cells and a no-op for each of the two tasks.
    assert_eq!(super::pids(&project, "daemon").len(), 2 * 4);
}

#[test]
fn a_test_binary_stops_with_the_crossbar_run_that_started_it() {
    let project = project();
    let _swept = Swept(&project);
    project.agents();
    for (signal, code) in [("KILL", None), ("TERM", Some(130)), ("INT", Some(130))] {
        let mut running = project.start(
            &binaries().join("crossbar"),
            &["run", "--agent", "mock-strong+react"],
        );
        assert!(
            running.wait_for(1, |line| line.contains("it is up")),
            "{signal}"
        );
        running.signal(signal);
        if signal == "KILL" {
            // Its group goes with the value, so what is left must be gone before that. A daemon
            // is killed by the test binary, which has seen the end of its input.
            assert_eq!(marked::gone(|| left_of(&project)), NONE);
        }
        let output = running.end();
        assert_eq!(output.code, code, "{signal}: {output}");
        assert_eq!(left_of(&project), NONE, "{signal}");
    }
}
