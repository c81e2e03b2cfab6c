//! `verdict --wait` waits for whoever records the run, and no longer.

use crossbar_suites::project::{Project, SERVER, binaries};
use std::fs::{self, File};
use std::process::Command;

#[test]
fn a_verdict_waits_for_the_process_that_records_the_run_and_no_longer_than_asked() {
    let project = Project::pack();
    let [begun, gate, open] = ["begun", "gate", "open"].map(|name| project.path().join(name));
    for fifo in [&begun, &gate] {
        assert!(Command::new("mkfifo").arg(fifo).status().unwrap().success());
    }
    // The first server says that it is there, and waits until somebody opens the gate.
    let script =
        format!("[ -e {open:?} ] || {{ echo > {begun:?}; cat {gate:?}; }}; exec \"$0\" \"$@\"");
    let argument = serde_json::to_string(&script.replace('$', "$$")).unwrap();
    let server = SERVER
        .replace("\"${CROSSBAR_BIN}\"", "sh, start_timeout_s: 600")
        .replace(
            "[__serve",
            &format!("[\"-c\", {argument}, \"${{CROSSBAR_BIN}}\", __serve"),
        );
    project.serve(&server);
    project.replace("crossbar.yaml", "concurrency: 2", "concurrency: 1");

    let crossbar = binaries().join("crossbar");
    let sweep = project.start(&crossbar, &["run"]);
    fs::read(&begun).unwrap();
    let short = project.crossbar(&["verdict", "--wait=1"]);
    assert_eq!(short.code, Some(4), "{short}");
    assert!(
        short
            .stderr
            .contains("one process is still recording it, at most 1 s"),
        "{short}"
    );

    let mut verdict = project.start(&crossbar, &["verdict", "--wait"]);
    assert!(verdict.wait_for(1, |line| line.starts_with("waiting for run ")));
    fs::write(&open, "").unwrap();
    drop(File::options().write(true).open(&gate).unwrap());
    let verdict = verdict.end();
    assert_eq!(verdict.code, Some(0), "{verdict}");
    assert_eq!(project.rollouts("runs/latest").lines.len(), 12);
    assert_eq!(sweep.end().code, Some(0));
}
