//! A sweep with a rollout under way, and what happens to it: signals, a timeout, a dead server.

use super::{Swept, kill, left_dir, left_of, pids};
use crossbar_suites::counting_server::{CountingServer, Reply, Request};
use crossbar_suites::marked;
use crossbar_suites::project::{Project, Running, binaries};
use serde_json::json;

const LIVE: [&str; 4] = ["run", "--live", "--budget", "unlimited"];
const NONE: Vec<u32> = Vec::new();

fn project(server: &CountingServer, run: &str) -> Project {
    let mut project = Project::empty();
    project.write(
        "crossbar.yaml",
        &format!(
            "models:\n  - {{id: held, provider: openai, base_url: \"{}\", price: free}}\n\
             harnesses:\n  - {{id: react, kind: react}}\npacks: [pack]\nrun: {run}\n",
            server.base_url()
        ),
    );
    project.write(
        "pack/one.task.yaml",
        "id: one\nprompt: What is 2+2?\nenvironment:\n  servers:\n    - name: tickets\n      \
         command: sh\n      args: [\"${DAEMON_SCRIPT}\", \"${CROSSBAR_BIN}\", \"__serve\", tickets]\n      \
         env: {LEFT_DIR: \"${LEFT}\"}\n\
         checks:\n  - {type: final_text, value: \"4\"}\n",
    );
    left_dir(&mut project);
    project
}

/// A sweep of four rollouts, one at a time, of which two have finished and one waits for its model.
fn under_way() -> (CountingServer, Project, Running) {
    let server = CountingServer::start(|request| {
        let reply = Reply::text("4").usage(9, 1);
        if request.number == 3 {
            reply.held()
        } else {
            reply
        }
    });
    let project = project(&server, "{repeats: 4, concurrency: 1}");
    let running = project.start(&binaries().join("crossbar"), &LIVE);
    server.wait_for_requests(3);
    (server, project, running)
}

fn accepted(project: &Project) -> usize {
    let lines = project.rollouts("runs/latest").lines;
    lines
        .iter()
        .filter(|line| line["outcome"] == "accepted")
        .count()
}

#[test]
fn an_interrupted_sweep_leaves_no_process_and_keeps_what_has_finished() {
    for signal in ["INT", "TERM", "HUP"] {
        let (server, project, running) = under_way();
        let _swept = Swept(&project);
        let pid = running.id();
        // Server, daemon, and the program that the daemon waits for.
        assert!(marked::of_sweep(pid).len() >= 2 && left_of(&project).len() >= 2);
        running.signal(signal);
        let output = running.end();
        assert_eq!(output.code, Some(130), "{signal}: {output}");
        assert_eq!(
            (marked::of_sweep(pid), left_of(&project)),
            (NONE, NONE),
            "{signal}"
        );
        assert_eq!(pids(&project, "daemon").len(), 3 + 1, "and the no-op");
        assert_eq!(accepted(&project), 2, "{signal}");
        assert_eq!(project.names("runs/latest/traces/held+react").len(), 2);
        server.release();
        // A free attempt that was cut may run again.
        let resumed = project.crossbar(&[&LIVE[..], &["--resume"]].concat());
        assert_eq!(resumed.code, Some(0), "{resumed}");
        assert_eq!((accepted(&project), server.requests().len()), (4, 5));
        assert_eq!(left_of(&project), NONE);
    }
}

#[test]
fn a_rollout_that_runs_out_of_time_is_gone_before_the_next_begins() {
    let server = CountingServer::start(|_| Reply::text("4").held());
    let project = project(&server, "{repeats: 2, concurrency: 1}");
    let _swept = Swept(&project);
    project.replace("pack/one.task.yaml", "checks:", "timeout_s: 2\nchecks:");
    let running = project.start(&binaries().join("crossbar"), &LIVE);
    let pid = running.id();
    server.wait_for_requests(2);
    let daemons = pids(&project, "daemon");
    let alive = left_of(&project);
    assert_eq!(daemons.len(), 2 + 1, "and the no-op, which ended long ago");
    assert!(
        daemons
            .iter()
            .filter(|daemon| alive.contains(daemon))
            .count()
            <= 1,
        "{alive:?}"
    );
    let output = running.end();
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!((marked::of_sweep(pid), left_of(&project)), (NONE, NONE));
    let lines = project.rollouts("runs/latest").lines;
    let ends: Vec<_> = lines
        .iter()
        .map(|line| (&*line["outcome"], &*line["detail"]))
        .collect();
    assert_eq!(ends, [("limit_reached", "seconds"); 2]);
    server.release();
}

#[test]
fn a_server_that_is_killed_takes_what_it_started_with_it() {
    let calls = |request: &Request| match request.turn() {
        1 => Reply::call("tickets__get_ticket", &json!({"id": "T-1001"})).held(),
        _ => Reply::text("4"),
    };
    let server = CountingServer::start(calls);
    let project = project(&server, "{repeats: 1}");
    let _swept = Swept(&project);
    let running = project.start(&binaries().join("crossbar"), &LIVE);
    let pid = running.id();
    server.wait_for_requests(1);
    // The no-op has a server too, and may have ended.
    let alive = left_of(&project);
    for one in pids(&project, "server") {
        if alive.contains(&one) {
            kill(one);
        }
    }
    assert_eq!(marked::gone(|| left_of(&project)), NONE);
    server.release();
    let output = running.end();
    assert_eq!(output.code, Some(4), "{output}");
    let line = project.rollouts("runs/latest").lines.remove(0);
    assert_eq!(
        (&*line["outcome"], &*line["detail"]),
        ("infrastructure_failure", "server_died")
    );
    assert_eq!((marked::of_sweep(pid), left_of(&project)), (NONE, NONE));
}

#[test]
fn after_a_sigkill_servers_end_by_themselves_and_only_what_hid_from_them_remains() {
    let (server, project, running) = under_way();
    let _swept = Swept(&project);
    let pid = running.id();
    let serving = *pids(&project, "server").last().unwrap();
    running.signal("KILL");
    assert_eq!(running.end().signal, Some(9));
    let still = || {
        left_of(&project)
            .into_iter()
            .filter(|one| *one == serving)
            .collect()
    };
    assert_eq!(marked::gone(still), NONE);
    // Nobody is left who could end it; the next signal to it must come from a person.
    let remains = marked::of_sweep(pid);
    let daemons = pids(&project, "daemon");
    assert!(
        remains.iter().any(|one| daemons.contains(one)),
        "{remains:?} {daemons:?}"
    );
    for one in remains {
        kill(one);
    }
    assert_eq!(marked::gone(|| left_of(&project)), NONE);
    server.release();
    let resumed = project.crossbar(&[&LIVE[..], &["--resume"]].concat());
    assert_eq!(
        (resumed.code, accepted(&project)),
        (Some(0), 4),
        "{resumed}"
    );
}
