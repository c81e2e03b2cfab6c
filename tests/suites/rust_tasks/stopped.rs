//! A function that is not async and never returns holds up nobody who stops the run.

const AGENTS: &str = "\
//! A task function that never ends.
use crossbar::{Script, ServerCommand, blocking};

#[crossbar::task]
fn never_ends(cx: &mut blocking::Context) -> crossbar::Result {
    let tickets = cx.server(\"tickets\", ServerCommand::built_in(\"tickets\"))?;
    cx.agent(\"Say hello.\")?;
    eprintln!(\"it asserts\");
    loop {
        std::thread::park();
        let _ = tickets.calls(\"assign\");
    }
}

#[crossbar::solution(never_ends)]
fn hello(s: &mut Script) {
    s.say(\"hello\");
}

crossbar::main!();
";

#[test]
fn a_run_with_a_function_that_never_returns_can_be_stopped() {
    let project = crate::project(AGENTS);
    let agents = project.agents();
    let mut running = project.start(&agents, &["--nocapture"]);
    assert!(running.wait_for(1, |line| line == "it asserts"));
    running.signal("INT");
    let said = running.end();
    assert_eq!(said.code, Some(130), "{said}");
    let store = project.bytes("runs");
    assert!(store.contains_key("store.db"), "{said}");
}
