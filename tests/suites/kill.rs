//! SIGKILL at many instants of a sweep, and `--resume`: nothing that had finished is lost or run
//! again, and the end is that of an undisturbed run. The server's own log is the witness.

#[path = "kill/adaptive.rs"]
mod adaptive;
#[path = "kill/looks.rs"]
mod looks;

use crossbar_suites::marked;
use crossbar_suites::project::{Project, Running, binaries};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Two cells, three tasks, ten repeats; and two controls of each task, which are recorded alike.
const PLANNED: usize = 60 + 3 * 2;
/// How often a sweep is killed.
const INSTANTS: usize = 20;

const ROSTER: &str = "models:
  - {id: strong, provider: mock, skill: 0.97, price: {input_per_mtok: 15, output_per_mtok: 75}}
  - {id: weak, provider: mock, skill: 0.8, price: {input_per_mtok: 0.2, output_per_mtok: 0.6}}
harnesses:
  - {id: react, kind: react}
packs: [pack]
run: {repeats: 10, seed: 11, concurrency: 4, baseline: strong+react}
";

fn task(id: &str, ticket: &str) -> String {
    format!(
        "id: {id}
prompt: Hand ticket {ticket} to the team billing and tag it.
environment:
  servers:
    - name: tickets
      command: ${{CROSSBAR_BIN}}
      args: [\"__serve\", tickets, \"--log\", \"${{LOG}}\"]
checks:
  - type: mcp_state
    server: tickets
    tool: get_ticket
    args: {{id: \"{ticket}\"}}
    expect: {{ticket: {{team: billing, tags: [money]}}}}
demo:
  script:
    - {{tool: tickets.assign, args: {{id: \"{ticket}\", team: billing}}}}
    - {{tool: tickets.add_tag, args: {{id: \"{ticket}\", tag: money}}}}
  final: It is with billing.
"
    )
}

fn project() -> Project {
    let project = Project::empty();
    project.write("crossbar.yaml", ROSTER);
    for (id, ticket) in [("one", "T-1001"), ("two", "T-1002"), ("three", "T-1003")] {
        project.write(&format!("pack/{id}.task.yaml"), &task(id, ticket));
    }
    project
}

/// Where one sweep of a project keeps its record and its server's log.
struct Round {
    runs: String,
    log: PathBuf,
}

impl Round {
    fn new(project: &mut Project, name: &str) -> Self {
        let (runs, log) = (
            format!("runs-{name}"),
            project.path().join(format!("{name}.log")),
        );
        let folder = project.path().join(&runs);
        project
            .env("CROSSBAR_RESULTS_DIR", &folder.to_string_lossy())
            .env("LOG", &log.to_string_lossy());
        Self { runs, log }
    }

    fn starts(&self) -> usize {
        lines(&self.log)
            .iter()
            .filter(|line| *line == "start")
            .count()
    }

    fn store(&self, project: &Project) -> Connection {
        Connection::open(project.path().join(&self.runs).join("store.db")).unwrap()
    }
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Every finished rollout: its place with the attempt and the record that stand for it.
fn finished(store: &Connection) -> BTreeMap<(i64, i64, i64), (i64, String)> {
    let mut query = store
        .prepare(
            "SELECT r.cell, r.task, r.repeat, r.final_attempt, hex(d.json)
             FROM rollout r JOIN detail d ON d.attempt = r.final_attempt
             WHERE r.state = 'terminal'",
        )
        .unwrap();
    let rows = query.query_map([], |row| {
        Ok((
            (row.get(0)?, row.get(1)?, row.get(2)?),
            (row.get(3)?, row.get(4)?),
        ))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

fn count(store: &Connection, sql: &str) -> usize {
    let count: u32 = store.query_row(sql, [], |row| row.get(0)).unwrap();
    count as usize
}

/// When a sweep is killed.
#[derive(Debug, Clone, Copy)]
enum Instantly {
    /// After so many progress lines.
    Progress(usize),
    /// After so many lines of the server's log.
    Log(usize),
}

/// Seeded, over the whole length of the sweep: every other by its progress, every other by a call.
fn instant(number: usize) -> Instantly {
    let mut state = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    state ^= state >> 29;
    let dice = usize::try_from(state % 1_000).unwrap();
    if number.is_multiple_of(2) {
        Instantly::Progress(1 + dice * 54 / 1_000)
    } else {
        Instantly::Log(4 + dice * 170 / 1_000)
    }
}

fn wait(running: &mut Running, log: &Path, instant: Instantly) {
    let limit = Instant::now() + Duration::from_secs(60);
    match instant {
        Instantly::Progress(count) => {
            assert!(running.wait_for(count, |line| line.contains("/60 ")));
        }
        Instantly::Log(count) => {
            while lines(log).len() < count {
                assert!(
                    Instant::now() < limit,
                    "the log has {} lines",
                    lines(log).len()
                );
                std::thread::yield_now();
            }
        }
    }
}

#[test]
fn a_sweep_that_is_killed_at_twenty_instants_and_resumed_is_the_undisturbed_one() {
    let mut project = project();
    let whole = Round::new(&mut project, "whole");
    let undisturbed = project.crossbar(&["run"]);
    assert_eq!(undisturbed.code, Some(0), "{undisturbed}");
    assert_eq!(whole.starts(), PLANNED);
    let csv = project.read("runs-whole/latest/rollouts.csv");
    let analysis = |runs: &str| {
        let sweep = project_sweep(&project, runs);
        (
            sweep["analysis"]["verdict_like"].clone(),
            sweep["analysis"]["verdict_these"].clone(),
        )
    };
    let verdict = analysis("runs-whole");
    assert!(
        verdict.0.is_object() || verdict.0.is_string(),
        "{verdict:?}"
    );

    let mut in_the_middle = 0;
    for number in 0..INSTANTS {
        let name = format!("{number:02}");
        let mut copy = Project::empty();
        copy_of(&project, &mut copy);
        let round = Round::new(&mut copy, &name);
        in_the_middle += usize::from(killed_and_resumed(&copy, &round, instant(number)));
        let there = copy.read(&format!("{}/latest/rollouts.csv", round.runs));
        assert_eq!(there, csv, "instant {number}");
        let sweep = project_sweep(&copy, &round.runs);
        let after = (
            sweep["analysis"]["verdict_like"].clone(),
            sweep["analysis"]["verdict_these"].clone(),
        );
        assert_eq!(after, verdict, "instant {number}");
    }
    assert!(
        in_the_middle >= 15,
        "{in_the_middle} of {INSTANTS} were killed in the middle"
    );
}

fn project_sweep(project: &Project, runs: &str) -> serde_json::Value {
    project.sweep(&format!("{runs}/latest"))
}

fn copy_of(project: &Project, copy: &mut Project) {
    copy.write("crossbar.yaml", &project.read("crossbar.yaml"));
    for name in project.names("pack") {
        let path = format!("pack/{name}");
        copy.write(&path, &project.read(&path));
    }
}

/// Whether some rollouts, and not all, had finished when the sweep was killed.
fn killed_and_resumed(project: &Project, round: &Round, instant: Instantly) -> bool {
    let mut running = project.start(&binaries().join("crossbar"), &["run"]);
    wait(&mut running, &round.log, instant);
    let pid = running.id();
    running.kill();
    assert_eq!(running.end().signal, Some(9), "{instant:?}");
    // The servers see the end of their input; what they log until then belongs to the first part.
    assert_eq!(marked::gone(|| marked::of_sweep(pid)), Vec::<u32>::new());

    let store = round.store(project);
    let before = finished(&store);
    let under_way = count(
        &store,
        "SELECT count(*) FROM attempt WHERE state = 'running'",
    );
    let starts = round.starts();
    assert!(
        (before.len()..=before.len() + under_way).contains(&starts),
        "{instant:?}"
    );
    drop(store);

    let resumed = project.crossbar(&["run", "--resume"]);
    assert_eq!(resumed.code, Some(0), "{instant:?} {resumed}");
    // Nothing is lost in the second part, so what was left starts once, and nothing else does.
    assert_eq!(
        round.starts() - starts,
        PLANNED - before.len(),
        "{instant:?}"
    );
    let store = round.store(project);
    let after = finished(&store);
    assert_eq!(after.len(), PLANNED);
    for (place, record) in &before {
        assert_eq!(after.get(place), Some(record), "{instant:?} {place:?}");
    }
    let attempts = count(&store, "SELECT count(*) FROM attempt");
    let places = "SELECT count(*) FROM (SELECT DISTINCT run, cell, task, repeat, n FROM attempt)";
    assert_eq!(count(&store, places), attempts, "{instant:?}");
    let lost = count(&store, "SELECT count(*) FROM attempt WHERE state = 'lost'");
    assert_eq!(
        (lost, attempts),
        (under_way, PLANNED + under_way),
        "{instant:?}"
    );
    let sound: String = store
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(sound, "ok");
    !before.is_empty() && before.len() < PLANNED
}
