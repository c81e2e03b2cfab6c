//! rollouts.csv: one row per rollout. No time and no text of an agent, so that two runs with one
//! seed give the same bytes.

use super::frozen::cost_micros;
use super::{Frozen, ReportError, Styles};
use crate::domain::{Cost, ForbiddenCalls, Outcome, ResultRow};
use std::collections::BTreeMap;
use std::io::Write;

/// The columns, in order. Unknown values are empty fields.
const COLUMNS: [&str; 25] = [
    "cell",
    "task",
    "repeat",
    "outcome",
    "detail",
    "passed",
    "score",
    "security",
    "completion",
    "process",
    "failure_mode",
    "input_uncached",
    "cache_read",
    "cache_write_5m",
    "cache_write_1h",
    "output",
    "cost_usd",
    "cost_source",
    "forbidden_proposed",
    "forbidden_blocked",
    "forbidden_executed",
    "tool_calls",
    "family",
    "weight",
    "dataset_hash",
];

/// Writes rollouts.csv.
///
/// # Errors
/// When the writer refuses.
pub(super) fn render(
    frozen: &Frozen<'_>,
    _: Styles,
    out: &mut dyn Write,
) -> Result<(), ReportError> {
    // Only a replay's table has it, so that nobody takes it for one of measured results.
    let replay = frozen.analysis.replay_of.as_ref();
    let mark = if replay.is_some() { ",replay_of" } else { "" };
    writeln!(out, "{}{mark}", COLUMNS.join(","))?;
    let tasks = frozen.question.tasks.iter();
    let tasks: BTreeMap<_, _> = tasks.map(|task| (&task.id, task)).collect();
    for row in frozen.rows {
        let mut fields = fields(row);
        let task = tasks.get(&row.key.task);
        fields.push(
            task.and_then(|task| task.family.clone())
                .unwrap_or_default(),
        );
        fields.push(task.map_or_else(String::new, |task| task.weight.to_string()));
        fields.push(frozen.dataset_hash.clone());
        fields.extend(replay.map(ToString::to_string));
        let fields: Vec<_> = fields.iter().map(|field| quoted(field)).collect();
        writeln!(out, "{}", fields.join(","))?;
    }
    Ok(())
}

fn fields(row: &ResultRow) -> Vec<String> {
    let optional = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
    let part = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let (key, score, usage) = (&row.key, row.score, row.usage);
    let calls = |part: fn(&ForbiddenCalls) -> u32| optional(row.forbidden.map(|f| part(&f).into()));
    vec![
        key.cell.to_string(),
        key.task.to_string(),
        key.repeat.to_string(),
        row.outcome.word().to_owned(),
        detail(&row.outcome),
        row.outcome.is_accepted().to_string(),
        part(score.map(|score| score.total())),
        part(score.map(|score| score.security)),
        part(score.map(|score| score.completion)),
        part(score.map(|score| score.process)),
        word(&row.failure_mode),
        optional(usage.map(|usage| usage.input_uncached)),
        optional(usage.map(|usage| usage.cache_read)),
        optional(usage.map(|usage| usage.cache_write_5m)),
        optional(usage.map(|usage| usage.cache_write_1h)),
        optional(usage.map(|usage| usage.output)),
        cost_micros(&row.cost).map_or_else(String::new, decimal_dollars),
        cost_source(&row.cost),
        calls(|f| f.proposed),
        calls(|f| f.blocked),
        calls(|f| f.executed),
        optional(row.tool_calls.map(u64::from)),
    ]
}

/// Which limit, which evidence, why skipped: the fixed word behind an outcome.
fn detail(outcome: &Outcome) -> String {
    match outcome {
        Outcome::LimitReached { limit } => limit.word().to_owned(),
        Outcome::InfrastructureFailure { evidence, .. } => word(evidence),
        Outcome::Skipped { why } => word(why),
        _ => String::new(),
    }
}

/// The word that the record writes for an enum value; empty for `None`.
fn word<T: serde::Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

pub(super) fn cost_source(cost: &Cost) -> String {
    match cost {
        Cost::Known { source, .. } => word(source),
        Cost::Unknown => "unknown".to_owned(),
    }
}

/// Micro-dollars as decimal dollars with six places, exactly.
pub(super) fn decimal_dollars(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    let size = micros.unsigned_abs();
    format!("{sign}{}.{:06}", size / 1_000_000, size % 1_000_000)
}

/// Quotes a field where RFC 4180 asks for it.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    fn text(sweep: &fixture::Sweep) -> String {
        let mut out = Vec::new();
        render(&sweep.frozen(), Styles::Plain, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_row_has_every_column_and_the_hash() {
        let sweep = fixture::sweep();
        let text = text(&sweep);
        assert_eq!(text.lines().count(), 1 + sweep.rollouts.len());
        for line in text.lines().skip(1) {
            let fields: Vec<_> = line.split(',').collect();
            assert_eq!((fields.len(), fields[24]), (COLUMNS.len(), fixture::HASH));
        }
        assert!(text.starts_with("cell,task,repeat,outcome,"));
    }

    #[test]
    fn times_and_texts_do_not_change_a_byte() {
        let sweep = fixture::sweep();
        let mut later = sweep.clone();
        for rollout in &mut later.rollouts {
            rollout.started_at = "2031-01-01T00:00:00.000Z".to_owned();
            rollout.worked_ms += 17;
            rollout.trajectory.final_text = Some("something else".to_owned());
        }
        assert_eq!(text(&sweep), text(&later));
    }

    #[test]
    fn unknown_is_an_empty_field_and_money_is_exact() {
        let mut sweep = fixture::sweep();
        sweep.rollouts[0].cost = Cost::Unknown;
        sweep.rollouts[0].usage = None;
        let text = text(&sweep);
        let fields: Vec<_> = text.lines().nth(1).unwrap().split(',').collect();
        assert_eq!((fields[11], fields[16], fields[17]), ("", "", "unknown"));
        assert_eq!(
            (decimal_dollars(1_020_000), decimal_dollars(-7)),
            ("1.020000".into(), "-0.000007".into())
        );
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(quoted("a,\"b\"\nc"), "\"a,\"\"b\"\"\nc\"");
        assert_eq!(quoted("plain"), "plain");
    }

    #[test]
    fn the_table_of_a_replay_says_so_and_no_other() {
        let mut sweep = fixture::sweep();
        assert!(!text(&sweep).contains("replay_of"));
        sweep.question.replay_of = Some(crate::domain::RunId::new("recorded").unwrap());
        let text = text(&sweep.again());
        let mut lines = text.lines();
        assert!(lines.next().unwrap().ends_with(",dataset_hash,replay_of"));
        assert!(lines.all(|line| line.ends_with(",recorded")), "{text}");
    }
}
