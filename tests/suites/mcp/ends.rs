//! Servers that do not start, that die, and that must leave nothing behind; and what a child sees.

use super::{
    SOON, answer, failure, ok, python, recorded, refused, rollout, started, text, written,
};
use crossbar::mcp::{McpError, Server, ServerSpec};
use crossbar::process::{CommandSpec, Exit, Grace, MARKER, kill_everything, spawn};
use serde_json::json;
use std::collections::BTreeMap;
use std::process::{Command, Output};
use std::time::Duration;
use tokio::io::AsyncReadExt as _;
use tokio::time::timeout;

/// Starts a process that leaves its session and ignores SIGTERM, then becomes the program that its
/// arguments name. The pipe makes sure that the first is ready before the second begins.
const LEAVES_A_DAEMON: &str = r"
import os, signal, sys, time
ready, tell = os.pipe()
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork(): os._exit(0)
    os.write(tell, b'.')
    time.sleep(300)
    os._exit(0)
os.read(ready, 1)
os.wait()
os.execvp('python3', ['python3'] + sys.argv[1:])
";

/// Processes whose environment carries the rollout's marker.
fn marked(rollout: &str) -> Vec<String> {
    let wanted = format!("{MARKER}={rollout}/");
    let carries = |pid: &str| {
        let environ = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environ
            .split(|byte| *byte == 0)
            .any(|pair| pair.starts_with(wanted.as_bytes()))
    };
    let entries = std::fs::read_dir("/proc").unwrap();
    let pids = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    pids.filter(|pid| pid.parse::<u32>().is_ok() && carries(pid))
        .collect()
}

/// The spec, with a daemon left behind at the start.
fn with_a_daemon(spec: &ServerSpec) -> ServerSpec {
    let mut args = vec!["-c".to_owned(), LEAVES_A_DAEMON.to_owned()];
    args.extend(spec.args.iter().cloned());
    ServerSpec {
        args,
        ..spec.clone()
    }
}

/// Runs one test of this binary in a process of its own.
fn in_a_copy(test: &str, env: &[(&str, &str)]) -> Output {
    let mut copy = Command::new(std::env::current_exe().unwrap());
    copy.args([test, "--exact", "--nocapture"])
        .env("CROSSBAR_TEST_COPY", "1");
    copy.envs(env.iter().copied()).output().unwrap()
}

fn is_a_copy() -> bool {
    std::env::var_os("CROSSBAR_TEST_COPY").is_some()
}

#[tokio::test]
async fn a11_a_death_during_a_call_fails_it_at_once_with_code_and_stderr() {
    let server = started(&recorded("A11"), "a11").await;
    for _ in 0..2 {
        let error = timeout(Duration::from_secs(1), server.call("echo", json!({})))
            .await
            .unwrap()
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "server `demo` died with exit code 3; its stderr ends with:\npanic: out of memory"
        );
    }
    assert_eq!(server.stop().await, Exit::Code(3));
    started(&recorded("A11"), "a11").await;
}

#[tokio::test]
async fn a_death_is_seen_although_a_child_holds_the_streams_and_the_last_reply_is_not_lost() {
    let (spec, _file) =
        written(&json!({"on": {"tools/call": [[{"spawn": 300}, ok(), {"exit": 4}]]}}));
    let server = started(&with_a_daemon(&spec), "held").await;
    assert_eq!(text(&server, json!({})).await, "ok");
    let error = failure(&server).await;
    assert!(
        matches!(
            error,
            McpError::Died {
                exit: Exit::Code(4),
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(marked(&rollout("held")), [""; 0]);
}

#[tokio::test]
async fn a18_a_slow_start_is_waited_for_and_its_limit_names_the_server() {
    let mut slow = recorded("A18");
    assert_eq!(slow.start_timeout, Duration::from_secs(60));
    slow.start_timeout = Duration::from_millis(300);
    let error = refused(&slow, "a18").await.to_string();
    assert!(
        error.starts_with("server `demo` was not ready within 300ms: raise start_timeout_s"),
        "{error}"
    );
    assert_eq!(marked(&rollout("a18")), [""; 0]);
    let (spec, _file) = written(&json!({"start": [{"sleep": 0.3}]}));
    let server = started(&spec, "a18").await;
    assert!(server.started_in() >= Duration::from_millis(300));
    assert_eq!(text(&server, json!({})).await, "ok");
}

#[tokio::test]
async fn a18_the_message_about_a_slow_start_quotes_the_server() {
    // A shell, since it has printed long before the limit even on a crowded machine.
    let mut slow = ServerSpec::new("demo", "sh");
    slow.args = ["-c", "echo downloading 170 packages >&2; exec sleep 300"]
        .map(str::to_owned)
        .to_vec();
    slow.start_timeout = Duration::from_secs(3);
    assert_eq!(
        refused(&slow, "a18-quote").await.to_string(),
        "server `demo` was not ready within 3s: raise start_timeout_s or mend its start; \
         its stderr ends with:\ndownloading 170 packages"
    );
}

#[tokio::test]
async fn servers_that_can_not_be_used_say_why() {
    let unknown = ServerSpec::new("demo", "no-such-program-anywhere");
    let error = refused(&unknown, "unusable").await.to_string();
    assert!(
        error
            .starts_with("server `demo`: failed to start `no-such-program-anywhere`: No such file"),
        "{error}"
    );

    let (spec, _file) =
        written(&json!({"start": [{"stderr": "ModuleNotFoundError: x\n"}, {"exit": 1}]}));
    let error = refused(&spec, "unusable").await.to_string();
    assert_eq!(
        error,
        "server `demo` died with exit code 1; its stderr ends with:\nModuleNotFoundError: x"
    );

    let (spec, _file) = written(&json!({"on": {"initialize": [
        {"send": {"jsonrpc": "2.0", "id": "$id", "error": {"code": -32602, "message": "bad version"}}}]}}));
    let error = refused(&spec, "unusable").await.to_string();
    assert_eq!(
        error,
        "server `demo` can't be used: initialize: error -32602: bad version"
    );

    let silent = python(&[
        "-c",
        "import os, sys, time; sys.stdin.readline(); os.close(1); time.sleep(300)",
    ]);
    let error = refused(&silent, "unusable").await.to_string();
    assert_eq!(
        error,
        "server `demo` can't be reached: it closed its standard output"
    );
    assert_eq!(marked(&rollout("unusable")), [""; 0]);
}

#[tokio::test]
async fn a_server_without_tools_is_a_server() {
    let (spec, _file) = written(&json!({"on": {
        "initialize": [answer(&json!({"protocolVersion": "2024-11-05", "capabilities": {}}))],
        "tools/list": [{"send": {"jsonrpc": "2.0", "id": "$id", "error": {"code": -32601, "message": "no"}}}]}}));
    assert_eq!(started(&spec, "toolless").await.tools(), []);
}

// ---- nothing is left ----

#[tokio::test]
async fn a_server_that_ends_well_is_stopped_well_and_its_daemon_is_killed() {
    let mut spec = with_a_daemon(&recorded("A01"));
    spec.grace.after_close = SOON;
    let server = started(&spec, "stop").await;
    assert_eq!(marked(&rollout("stop")).len(), 2);
    assert_eq!(server.stop().await, Exit::Code(0));
    assert_eq!(marked(&rollout("stop")), [""; 0]);
}

#[tokio::test]
async fn a_server_that_ignores_everything_is_killed() {
    let (stubborn, _file) = written(&json!({"at_eof": [{"sleep": 300}]}));
    let mut spec = with_a_daemon(&stubborn);
    let server = started(&spec, "stubborn").await;
    assert_eq!(
        server.stop().await,
        Exit::Signal(15),
        "closing stdin is not enough, SIGTERM is"
    );
    assert_eq!(marked(&rollout("stubborn")), [""; 0]);

    // A signal that is ignored stays ignored across exec.
    let words = spec.args.iter().skip(1).cloned();
    spec.args = ["-c", "import os, signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); os.execvp('python3', ['python3', '-c'] + sys.argv[1:])"]
        .map(ToOwned::to_owned).into_iter().chain(words).collect();
    spec.grace = Grace {
        after_close: Duration::from_millis(20),
        after_term: Duration::from_millis(20),
    };
    let server = started(&spec, "stubborn").await;
    assert_eq!(server.stop().await, Exit::Signal(9));
    assert_eq!(marked(&rollout("stubborn")), [""; 0]);
}

#[tokio::test]
async fn dropping_a_server_leaves_nothing() {
    let server = started(&with_a_daemon(&recorded("A01")), "drop").await;
    assert_eq!(marked(&rollout("drop")).len(), 2);
    drop(server);
    assert_eq!(marked(&rollout("drop")), [""; 0]);
}

#[tokio::test]
async fn a_cancelled_start_and_a_cancelled_call_leave_nothing() {
    let test = "cancelled";
    let (silent, _file) = written(&json!({"on": {"tools/call": []}}));
    let mute = python(&["-c", "import time; time.sleep(300)"]);
    for spec in [with_a_daemon(&silent), with_a_daemon(&mute)] {
        let work = async {
            let server = Server::start(&spec, &rollout(test)).await.unwrap();
            server.call("echo", json!({})).await
        };
        let both_run = async {
            while marked(&rollout(test)).len() < 2 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        // Whichever of the two it is in by now, the work is dropped there.
        tokio::select! {
            ended = work => panic!("{ended:?}"),
            () = both_run => {}
        }
        assert_eq!(marked(&rollout(test)), [""; 0]);
    }
}

#[test]
fn a_panic_leaves_nothing_even_when_its_runtime_is_gone() {
    let thread = std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let _server = started(&with_a_daemon(&recorded("A01")), "panic").await;
            assert_eq!(marked(&rollout("panic")).len(), 2);
            std::panic::resume_unwind(Box::new("the task panicked"));
        });
    });
    let panic = thread.join().unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"the task panicked"));
    assert_eq!(marked(&rollout("panic")), [""; 0]);
}

#[tokio::test]
async fn stopping_one_server_leaves_the_others_of_its_rollout() {
    let (first, second) = (
        started(&recorded("A01"), "two").await,
        started(&recorded("A01"), "two").await,
    );
    first.stop().await;
    assert_eq!(text(&second, json!({})).await, "ok");
    assert_eq!(marked(&rollout("two")).len(), 1);
}

#[tokio::test]
async fn kill_everything_ends_all_trees_and_admits_no_more() {
    let test = "ends::kill_everything_ends_all_trees_and_admits_no_more";
    if is_a_copy() {
        let spec = with_a_daemon(&recorded("A01"));
        let servers = [
            started(&spec, "signal").await,
            started(&spec, "signal").await,
        ];
        let before = marked(&rollout("signal")).len();
        kill_everything();
        let after = marked(&rollout("signal")).len();
        let refusal = refused(&spec, "signal").await;
        println!("\n{before} then {after}; {refusal}");
        std::mem::forget(servers);
    } else {
        let output = in_a_copy(test, &[]);
        let printed = String::from_utf8_lossy(&output.stdout);
        let expected =
            "4 then 0; server `demo`: `python3` was not started: the run is being stopped";
        assert!(
            output.status.success() && printed.contains(expected),
            "{output:?}"
        );
    }
}

// ---- what a child sees ----

#[tokio::test]
async fn a16_a_child_sees_path_home_and_its_own_variables_and_no_key() {
    let test = "ends::a16_a_child_sees_path_home_and_its_own_variables_and_no_key";
    if is_a_copy() {
        let spec = CommandSpec {
            program: "env".to_owned(),
            args: Vec::new(),
            env: BTreeMap::from([("DB".to_owned(), "x".to_owned())]),
            cwd: None,
            rollout: "a16".to_owned(),
        };
        let mut child = spawn(&spec).unwrap();
        let mut printed = String::new();
        child
            .take_stdout()
            .unwrap()
            .read_to_string(&mut printed)
            .await
            .unwrap();
        println!("\n{printed}");
        assert_eq!(child.stop(Grace::default()).await, Exit::Code(0));
    } else {
        let keys = [
            ("OPENAI_API_KEY", "sk-secret-1"),
            ("AWS_SESSION_TOKEN", "secret-2"),
            ("GIT_DIR", "secret-3"),
        ];
        let output = in_a_copy(test, &[&keys[..], &[("HOME", "/tmp/home-of-a16")]].concat());
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{output:?}");
        for wanted in [
            "\nDB=x\n",
            "\nPATH=",
            "\nHOME=/tmp/home-of-a16\n",
            "\nCROSSBAR_ROLLOUT=a16/",
        ] {
            assert!(printed.contains(wanted), "no {wanted} in {printed}");
        }
        assert!(
            !printed.contains("secret") && !printed.contains("\nCARGO"),
            "{printed}"
        );
    }
}
