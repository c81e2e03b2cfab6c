//! How much a verdict holds: its figures, not the records that they are made from.

use crossbar_suites::project::{Project, binaries};
use std::fs;
use std::io::{self, Read};
use std::process::{Command, Stdio};

/// KiB that one rollout more may add to the peak, of which the database's cache takes half a KiB
/// until it is full. docs/performance.md has the bar, which is measured from there on. With one
/// whole record held for each rollout it is above 2.
const MOST: f64 = 1.5;

/// What a pipe takes at most while nobody reads.
const PIPE: u64 = 64 * 1024;

const ROSTER: &str = "\
models: [{id: m, provider: mock, skill: 1, price: free}]
harnesses: [{id: h, kind: single-shot}]
packs: [desk]
run: {seed: 0, baseline: m+h}
";

const TASKS: u64 = 20;

fn project() -> Project {
    let project = Project::empty();
    project.write("crossbar.yaml", ROSTER);
    for at in 0..TASKS {
        let text = format!(
            "id: t{at:02}\nprompt: What is 1 + 2?\nchecks: [{{type: final_text, value: \"3\"}}]\ndemo: {{final: \"3\"}}\n"
        );
        project.write(&format!("desk/t{at:02}.task.yaml"), &text);
    }
    project
}

/// The most that `crossbar verdict --json` holds over that many repeats, in KiB.
fn peak(repeats: u64) -> u64 {
    let project = project();
    let ran = project.crossbar(&["run", "--repeats", &repeats.to_string()]);
    assert_eq!(ran.code, Some(0), "{ran}");
    let sweep = project.path().join("runs/latest/sweep.json");
    let printed = fs::metadata(&sweep).unwrap().len();
    fs::remove_file(&sweep).unwrap();
    let mut child = Command::new(binaries().join("crossbar"))
        .args(["verdict", "--json"])
        .current_dir(project.path())
        .env_clear()
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    // All files are written by now, and all but the rest of the document is printed: with more left
    // than the pipe takes, the program stands still and can be looked at.
    let most = printed - 2 * PIPE;
    let read = io::copy(&mut out.by_ref().take(most), &mut io::sink()).unwrap();
    assert_eq!(read, most, "what is printed is what sweep.json is");
    assert!(sweep.is_file(), "the files come first");
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    io::copy(&mut out, &mut io::sink()).unwrap();
    assert!(child.wait().unwrap().success());
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap_or_else(|| panic!("no peak in {status}"));
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn a_verdict_with_all_its_files_takes_little_memory_for_one_rollout_more() {
    let (few, many) = (10, 60);
    let (small, large) = (peak(few), peak(many));
    let each = (large as f64 - small as f64) / (TASKS * (many - few)) as f64;
    assert!(
        each <= MOST,
        "{each:.2} KiB for a rollout: {small} KiB, then {large} KiB"
    );
}
