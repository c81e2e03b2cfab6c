//! `traces/<cell>/<task>-r<n>.json`: the whole recording of one rollout, with huge tool results cut.

use super::clip::clip;
use super::{Frozen, ReportError};
use crate::domain::{CallOutcome, ResultRow, Rollout, RolloutKey, TaskId, ToolCall};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A tool result longer than this many bytes keeps head and tail only.
const RESULT: usize = 64 * 1024;
/// The longest part of a path that is made from a name.
const NAME: usize = 120;

/// Bytes to the hexadecimal digits of their SHA-256.
pub type HashBytes = fn(&[u8]) -> String;

/// Where the traces of one sweep lie.
#[derive(Debug, Clone)]
pub struct TracePaths {
    /// Task ids (without their pack) that more than one pack has.
    shared: BTreeSet<String>,
    hash: HashBytes,
}

impl TracePaths {
    /// For a sweep with these results; `hash` shortens names that no file system takes.
    #[must_use]
    pub fn new(rows: &[ResultRow], hash: HashBytes) -> Self {
        let mut packs: BTreeMap<&str, &TaskId> = BTreeMap::new();
        let mut shared = BTreeSet::new();
        for row in rows {
            let task = &row.key.task;
            if packs
                .insert(task.task(), task)
                .is_some_and(|other| other != task)
            {
                shared.insert(task.task().to_owned());
            }
        }
        Self { shared, hash }
    }

    /// The path below the run's folder, with `/`: `traces/<cell>/<task>-r<n>.json`; a task id that
    /// two packs have becomes `<pack>+<task>`. Every name is one plain path part.
    #[must_use]
    pub fn path(&self, key: &RolloutKey) -> String {
        self.path_in("traces", key)
    }

    /// The same below another folder than `traces`.
    #[must_use]
    pub fn path_in(&self, folder: &str, key: &RolloutKey) -> String {
        let task = match self.shared.contains(key.task.task()) {
            true => format!("{}+{}", key.task.pack(), key.task.task()),
            false => key.task.task().to_owned(),
        };
        let (cell, task) = (self.part(&key.cell.to_string()), self.part(&task));
        format!("{folder}/{cell}/{task}-r{}.json", key.repeat)
    }

    /// Ids hold no `~`, so a shortened name is never another one's.
    fn part(&self, name: &str) -> String {
        if name.len() <= NAME {
            return name.to_owned();
        }
        let digest = (self.hash)(name.as_bytes());
        let digest = digest.get(..16).unwrap_or(&digest);
        format!("{}~{digest}", &name[..name.floor_char_boundary(NAME - 17)])
    }
}

#[derive(Serialize)]
struct Trace<'a> {
    schema_version: u32,
    run_id: &'a str,
    dataset_hash: &'a str,
    /// Tool results that were cut, in order.
    cut: Vec<Cut>,
    rollout: &'a Rollout,
}

/// A tool result of which head and tail are kept.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Cut {
    step: u32,
    call: String,
    /// `text` or `structured`.
    part: &'static str,
    bytes: usize,
    sha256: String,
}

/// The trace file of one rollout: JSON that reads back as the record, with a list of the tool
/// results that were cut, each with its size and the SHA-256 of the whole. Ends with a line break.
///
/// # Errors
/// When the record can't be JSON.
pub fn trace_text(
    frozen: &Frozen<'_>,
    rollout: &Rollout,
    hash: HashBytes,
) -> Result<String, ReportError> {
    let (rollout, cut) = shortened(rollout, hash);
    let trace = Trace {
        schema_version: 1,
        run_id: frozen.run_id.as_str(),
        dataset_hash: &frozen.dataset_hash,
        cut,
        rollout: &rollout,
    };
    Ok(serde_json::to_string_pretty(&trace)? + "\n")
}

/// The record with head and tail of its huge tool results, and what was cut, in order.
pub(super) fn shortened(rollout: &Rollout, hash: HashBytes) -> (Rollout, Vec<Cut>) {
    let mut rollout = rollout.clone();
    let mut cut = Vec::new();
    for step in &mut rollout.trajectory.steps {
        for call in &mut step.calls {
            cut.extend(cut_result(step.index, call, hash));
        }
    }
    (rollout, cut)
}

fn cut_result(step: u32, call: &mut ToolCall, hash: HashBytes) -> Vec<Cut> {
    let (text, structured) = match &mut call.outcome {
        CallOutcome::Result { text, structured } => (text, structured.as_mut()),
        CallOutcome::Error { text, .. } => (text, None),
        _ => return Vec::new(),
    };
    let mut cuts = Vec::new();
    let mut shorten = |whole: &str, part: &'static str| {
        let (bytes, sha256) = (whole.len(), hash(whole.as_bytes()));
        let mark = |left_out: usize| {
            format!("\n[{left_out} of {bytes} bytes left out; sha256 of the whole {sha256}]\n")
        };
        let short = clip(whole, RESULT, mark)?;
        cuts.push(Cut {
            step,
            call: call.id.clone(),
            part,
            bytes,
            sha256,
        });
        Some(short)
    };
    if let Some(short) = shorten(text, "text") {
        *text = short;
    }
    // What is cut out of the middle is no JSON any more, so it is kept as text.
    if let Some(value) = structured
        && let Some(short) = shorten(&value.to_string(), "structured")
    {
        *value = Value::String(short);
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{CellId, TaskId};
    use crate::report::fixture;
    use serde_json::json;

    fn hash(bytes: &[u8]) -> String {
        format!(
            "{:016x}{:048}",
            bytes.iter().map(|b| u64::from(*b)).sum::<u64>(),
            0
        )
    }

    fn key(cell: &str, task: &str) -> RolloutKey {
        RolloutKey {
            cell: CellId::parse(cell).unwrap(),
            task: TaskId::parse(task).unwrap(),
            repeat: 2,
        }
    }

    #[test]
    fn a_trace_lies_under_its_cell_and_packs_stay_apart() {
        let mut sweep = fixture::sweep();
        let paths = TracePaths::new(sweep.frozen().rows, hash);
        assert_eq!(
            paths.path(&key("mock-weak+react", "desk::close")),
            "traces/mock-weak+react/close-r2.json"
        );
        let mut other = sweep.rollouts[0].clone();
        other.key.task = TaskId::new("other", sweep.rollouts[0].key.task.task()).unwrap();
        let task = other.key.task.clone();
        sweep.rollouts.push(other);
        let paths = TracePaths::new(sweep.frozen().rows, hash);
        assert_eq!(
            paths.path(&key("a+b", &task.to_string())),
            format!("traces/a+b/other+{}-r2.json", task.task())
        );
    }

    #[test]
    fn long_names_are_shortened_and_stay_different() {
        let paths = TracePaths::new(&[], hash);
        let (one, two) = (
            format!("{}a+h", "m".repeat(300)),
            format!("{}b+h", "m".repeat(300)),
        );
        let (one, two) = (
            paths.path(&key(&one, "p::..")),
            paths.path(&key(&two, "p::..")),
        );
        assert_ne!(one, two);
        assert!(
            one.split('/').all(|part| part.len() <= 140 && part != ".."),
            "{one}"
        );
    }

    #[test]
    fn a_trace_reads_back_as_the_record() {
        let sweep = fixture::sweep();
        for rollout in &sweep.rollouts {
            let trace: Value =
                serde_json::from_str(&trace_text(&sweep.frozen(), rollout, hash).unwrap()).unwrap();
            let read: Rollout = serde_json::from_value(trace["rollout"].clone()).unwrap();
            assert_eq!(
                (&read, trace["dataset_hash"].as_str()),
                (rollout, Some(fixture::HASH))
            );
        }
    }

    #[test]
    fn a_huge_result_keeps_head_tail_and_the_hash_of_the_whole() {
        let sweep = fixture::sweep();
        let mut rollout = sweep.rollouts[0].clone();
        let whole = format!("HEAD{}TAIL", "x".repeat(200_000));
        rollout.trajectory.steps[0].calls[0].outcome = CallOutcome::Result {
            text: whole.clone(),
            structured: Some(json!({ "all": whole })),
        };
        let text = trace_text(&sweep.frozen(), &rollout, hash).unwrap();
        let trace: Value = serde_json::from_str(&text).unwrap();
        assert!(text.len() < 150_000, "{}", text.len());
        assert_eq!(
            trace["cut"][0]["sha256"],
            Value::from(hash(whole.as_bytes()))
        );
        assert_eq!(trace["cut"][1]["part"], "structured");
        assert_eq!(trace["cut"][0]["bytes"], Value::from(whole.len()));
        let shown = trace["rollout"]["trajectory"]["steps"][0]["calls"][0]["outcome"]["text"]
            .as_str()
            .unwrap();
        assert!(
            shown.starts_with("HEADx")
                && shown.ends_with("xTAIL")
                && shown.contains("bytes left out")
        );
    }
}
