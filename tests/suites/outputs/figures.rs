//! Figures that can be defended: each in the report is found again in the traces.

use crossbar_suites::project::{Output, Project, task};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) fn run(project: &Project, args: &[&str]) -> Output {
    let said = project.crossbar(&[&["run"], args].concat());
    assert_eq!(said.code, Some(0), "{said}");
    said
}

/// A text on one line, words apart by one space.
pub(super) fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every trace of a run.
fn traces(project: &Project) -> Vec<Value> {
    let files = project.bytes("runs/latest/traces");
    let files = files.values();
    files
        .map(|bytes| serde_json::from_slice::<Value>(bytes).unwrap()["rollout"].clone())
        .collect()
}

/// What a cell's traces add up to.
#[derive(Default)]
struct Sum {
    rollouts: u32,
    accepted: u32,
    micros: u64,
    calls: usize,
    failures: BTreeMap<String, u32>,
}

pub(super) fn calls(rollout: &Value) -> Vec<Value> {
    let steps = rollout["trajectory"]["steps"].as_array().unwrap();
    let calls = steps
        .iter()
        .flat_map(|step| step["calls"].as_array().unwrap());
    calls.cloned().collect()
}

fn sums(traces: &[Value]) -> BTreeMap<String, Sum> {
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    for trace in traces {
        let sum = sums
            .entry(trace["key"]["cell"].as_str().unwrap().to_owned())
            .or_default();
        sum.rollouts += 1;
        sum.accepted += u32::from(trace["outcome"]["kind"] == "accepted");
        let steps = trace["trajectory"]["steps"].as_array().unwrap();
        sum.micros += steps
            .iter()
            .map(|step| step["cost"].as_u64().unwrap())
            .sum::<u64>();
        sum.calls += calls(trace).len();
        if let Some(mode) = trace["failure_mode"].as_str() {
            *sum.failures.entry(mode.to_owned()).or_default() += 1;
        }
    }
    sums
}

/// Whether `$0.018` is what this amount rounds to.
fn is_shown(text: &str, dollars: f64) -> bool {
    let digits = text.trim_start_matches('$');
    let places = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
    let unit = 10_f64.powi(-i32::try_from(places).unwrap());
    (digits.parse::<f64>().unwrap() - dollars).abs() <= 0.5001 * unit
}

#[test]
fn every_figure_of_the_report_is_found_again_in_the_traces() {
    let project = Project::pack();
    for name in ["three", "four"] {
        project.write(&format!("desk/{name}.task.yaml"), &task(name));
    }
    let said = run(&project, &["--repeats", "5"]);
    let report = project.read("runs/latest/report.md");
    let traces = traces(&project);
    assert_eq!(traces.len(), 2 * 4 * 5);
    for (cell, sum) in sums(&traces) {
        assert_eq!(sum.rollouts, 20);
        let row = |section: &str| {
            let (_, after) = report
                .split_once(section)
                .unwrap_or_else(|| panic!("{said}"));
            let line = after.lines().find(|line| line.starts_with(&cell)).unwrap();
            line.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let matrix = row("\nMATRIX\n");
        let percent = f64::from(sum.accepted) / f64::from(sum.rollouts) * 100.0;
        assert_eq!(matrix[1], format!("{percent:.1}%"), "{matrix:?}");
        #[expect(clippy::cast_precision_loss, reason = "a few thousand micro-dollars")]
        let dollars = sum.micros as f64 / 1e6;
        // The interval is three words: `[39.8`, `-`, `100.0]`.
        assert!(is_shown(&matrix[5], dollars), "{matrix:?}: {dollars}");
        let each = dollars / f64::from(sum.accepted);
        assert!(is_shown(&matrix[6], each), "{matrix:?}: {each}");
        let time = row("\nCOST AND TIME\n");
        assert!(
            time.contains(&sum.calls.to_string()),
            "{time:?}: {}",
            sum.calls
        );
        failures_are_counted(&report, &cell, &sum);
    }
    rows_are_traces(&project, &traces);
}

/// The failures of a cell in the report are those of its traces.
fn failures_are_counted(report: &str, cell: &str, sum: &Sum) {
    let (_, taxonomy) = report.split_once("\nFAILURE TAXONOMY\n").unwrap();
    let (_, of_cell) = taxonomy
        .split_once(&format!("  {cell} (20 measured rollouts)"))
        .unwrap();
    let block: Vec<_> = of_cell
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with("    "))
        .collect();
    let failed: u32 = sum.failures.values().sum();
    assert_eq!(failed, sum.rollouts - sum.accepted);
    for (mode, title) in [
        ("artifact_commitment", "Artifact commitment"),
        ("contract_format", "Contract / format"),
    ] {
        let count = sum.failures.get(mode).copied().unwrap_or(0);
        let line = block
            .iter()
            .find(|line| line.trim_start().starts_with(title));
        let shown = line.map_or(0, |line| {
            line.replace(title, "")
                .split_whitespace()
                .next()
                .unwrap()
                .parse()
                .unwrap()
        });
        assert_eq!(shown, count, "{cell} {title}: {block:?}");
    }
}

/// Each line of rollouts.csv is the trace of its cell, task and repeat.
fn rows_are_traces(project: &Project, traces: &[Value]) {
    let lines = project.rollouts("runs/latest").lines;
    assert_eq!(lines.len(), traces.len());
    for line in lines {
        let is = |trace: &&Value| {
            let key = &trace["key"];
            key["cell"] == *line["cell"]
                && key["task"] == *line["task"]
                && key["repeat"].as_u64() == line["repeat"].parse().ok()
        };
        let found: Vec<_> = traces.iter().filter(is).collect();
        let [trace] = found[..] else {
            panic!("{line:?}: {} traces", found.len())
        };
        assert_eq!(trace["outcome"]["kind"], *line["outcome"]);
        assert_eq!(trace["usage"]["output"].to_string(), line["output"]);
        assert_eq!(calls(trace).len().to_string(), line["tool_calls"]);
        let dollars: f64 = line["cost_usd"].parse().unwrap();
        assert_eq!(
            trace["cost"]["amount"],
            json!((dollars * 1e6).round() as u64)
        );
        let path = format!(
            "runs/latest/traces/{}/{}-r{}.json",
            line["cell"],
            line["task"].trim_start_matches("desk::"),
            line["repeat"]
        );
        assert!(project.has(&path), "{path}");
    }
}
