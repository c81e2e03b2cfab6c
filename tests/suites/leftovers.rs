//! No process outlives its rollout: after a signal, a timeout, a panic and a death, a scan of all
//! environments finds nothing, not even a grandchild that left its session and ignores SIGTERM.

#[path = "leftovers/panics.rs"]
mod panics;
#[path = "leftovers/signals.rs"]
mod signals;

use crossbar_suites::marked;
use crossbar_suites::project::Project;
use std::path::PathBuf;
use std::process::Command;

/// The script that leaves a process behind and becomes a server.
fn daemon_script() -> PathBuf {
    crossbar_suites::tree::root().join("tests/fixtures/leaves_a_daemon.sh")
}

/// The folder in which the servers of a project write their pids.
fn left_dir(project: &mut Project) -> PathBuf {
    let folder = project.path().join("left");
    std::fs::create_dir_all(&folder).unwrap();
    project
        .env("LEFT", &folder.to_string_lossy())
        .env("DAEMON_SCRIPT", &daemon_script().to_string_lossy());
    folder
}

/// Every process that a server of this project started, whatever crossbar calls it.
fn left_of(project: &Project) -> Vec<u32> {
    marked::with(&format!(
        "LEFT_DIR={}",
        project.path().join("left").display()
    ))
}

/// The pids of one kind, `daemon` or `server`, by the order of their names.
fn pids(project: &Project, kind: &str) -> Vec<u32> {
    let names = project.names("left").into_iter();
    names
        .filter(|name| name.starts_with(kind) && !name.ends_with("tmp"))
        .map(|name| {
            project
                .read(&format!("left/{name}"))
                .trim()
                .parse()
                .unwrap()
        })
        .collect()
}

/// Kills what a failed test would leave behind for good.
struct Swept<'a>(&'a Project);

impl Drop for Swept<'_> {
    fn drop(&mut self) {
        for pid in left_of(self.0) {
            kill(pid);
        }
    }
}

fn kill(pid: u32) {
    // Whoever has ended meanwhile needs no signal.
    let mut kill = Command::new("kill");
    kill.args(["-KILL", &pid.to_string()]).output().unwrap();
}
