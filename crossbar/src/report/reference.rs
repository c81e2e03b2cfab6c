//! The text of a reference file: JSON Lines, one record per task, sorted, a blank line between
//! records and nothing above them, so that two branches that accept different tasks merge.

use super::ReportError;
use crate::domain::Reference;
use std::collections::BTreeMap;

/// The marks that git leaves in a file with a conflict.
const CONFLICT: [&str; 4] = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];

/// The text of a file.
///
/// # Errors
/// When a record can't be JSON.
pub fn write_references(records: &[Reference]) -> Result<String, ReportError> {
    let sorted: BTreeMap<_, _> = records.iter().map(|one| (&one.task, one)).collect();
    let lines: Result<Vec<String>, _> = sorted.values().map(serde_json::to_string).collect();
    let mut text = lines?.join("\n\n");
    if !text.is_empty() {
        text.push('\n');
    }
    Ok(text)
}

/// The records of a file of this pack, by task.
///
/// # Errors
/// `ReportError::Reference` with the line: a conflict mark, a task twice or of another pack, an
/// unknown key, counts that can't be.
pub fn read_references(text: &str, pack: &str) -> Result<Vec<Reference>, ReportError> {
    let mut found: BTreeMap<_, (usize, Reference)> = BTreeMap::new();
    for (line, text) in (1_usize..).zip(text.lines()) {
        let failed = |what: String| ReportError::Reference { line, what };
        if text.trim().is_empty() {
            continue;
        }
        if CONFLICT.iter().any(|mark| text.starts_with(mark)) {
            return Err(failed("a merge conflict is left in the file".to_owned()));
        }
        let record: Reference =
            serde_json::from_str(text).map_err(|error| failed(format!("no record: {error}")))?;
        if let Some(what) = impossible(&record, pack) {
            return Err(failed(what));
        }
        if let Some((first, _)) = found.get(&record.task) {
            let what = format!("`{}` stands in line {first} already", record.task);
            return Err(failed(what));
        }
        found.insert(record.task.clone(), (line, record));
    }
    Ok(found.into_values().map(|(_, record)| record).collect())
}

fn impossible(record: &Reference, pack: &str) -> Option<String> {
    let (n, pass) = (record.n, record.pass);
    let ended: u64 = record.ended.values().copied().map(u64::from).sum();
    let accepted = record.ended.get("accepted").copied().unwrap_or(0);
    let most = u64::from(n) * 1_000_000;
    let digits = |from: usize, to: usize| {
        let part = record.day.get(from..to);
        part.is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_day = record.day.len() == 10 && digits(0, 4) && digits(5, 7) && digits(8, 10);
    if record.task.pack() != pack {
        Some(format!("`{}` is not of the pack `{pack}`", record.task))
    } else if n == 0 || pass > n {
        Some(format!("`pass` is {pass} and `n` is {n}"))
    } else if ended != u64::from(n) || accepted != pass {
        Some(format!(
            "`ended` does not add up to {n} rollouts with {pass} accepted"
        ))
    } else if record.score_e6 > most
        || record.score_sq_e6 > record.score_e6.saturating_add(u64::from(n))
    {
        Some("the sums of scores can't be".to_owned())
    } else if !is_day {
        Some(format!("`day` is `{}`, not YYYY-MM-DD", record.day))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::TaskId;
    use std::collections::BTreeSet;

    fn record(task: &str) -> Reference {
        Reference {
            task: TaskId::new("desk", task).unwrap(),
            task_fp: "0123456789abcdef".to_owned(),
            cell_fp: "fedcba9876543210".to_owned(),
            n: 3,
            pass: 2,
            score_e6: 2_333_333,
            score_sq_e6: 2_111_111,
            usd_e6: None,
            usd_sq_e12: None,
            ended: BTreeMap::from([("accepted".to_owned(), 2), ("task_failure".to_owned(), 1)]),
            requested: "m\u{1b}[31m\"quoted\"".to_owned(),
            answered: BTreeSet::from(["m-1".to_owned()]),
            agent: "react (crossbar 0.1.0)".to_owned(),
            day: "2026-11-30".to_owned(),
            run: "0a1b2c3d".to_owned(),
            accepted_drop: None,
        }
    }

    fn text(tasks: &[&str]) -> String {
        let records: Vec<_> = tasks.iter().map(|task| record(task)).collect();
        write_references(&records).unwrap()
    }

    fn problem(text: &str) -> String {
        read_references(text, "desk").unwrap_err().to_string()
    }

    #[test]
    fn a_file_is_sorted_spaced_and_the_same_after_a_round_trip() {
        let text = text(&["b", "a"]);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!((lines.len(), lines[1]), (3, ""));
        assert!(lines[0].starts_with(r#"{"task":"desk::a","#), "{text}");
        let read = read_references(&text, "desk").unwrap();
        assert_eq!(write_references(&read).unwrap(), text);
        assert_eq!(write_references(&[]).unwrap(), "");
    }

    #[test]
    fn a_poisoned_record_is_an_error_at_its_line() {
        let good = text(&["a", "b"]);
        let bad = |old: &str, new: &str| problem(&good.replacen(old, new, 1));
        for (old, new, want) in [
            (
                "\"pass\":2",
                "\"pass\":4",
                "line 1: `pass` is 4 and `n` is 3",
            ),
            ("\"pass\":2", "\"pass\":NaN", "line 1: no record"),
            ("\"n\":3", "\"n\":3,\"extra\":1", "unknown field `extra`"),
            ("\"n\":3", "\"n\":4", "does not add up"),
            ("desk::a", "other::a", "not of the pack `desk`"),
            ("2026-11-30", "yesterday!", "not YYYY-MM-DD"),
            ("2333333", "9333333", "sums of scores"),
        ] {
            let said = bad(old, new);
            assert!(said.contains(want), "{said}");
        }
        let twice = problem(&format!("{good}\n{}", text(&["b"])));
        assert!(
            twice.contains("line 5: `desk::b` stands in line 3 already"),
            "{twice}"
        );
        let conflict = problem(&format!("{}<<<<<<< HEAD\n", text(&["a"])));
        assert!(conflict.contains("line 2: a merge conflict"), "{conflict}");
    }

    #[test]
    fn what_goes_in_is_a_line_whatever_it_holds() {
        let text = text(&["a"]);
        assert_eq!(text.lines().count(), 1);
        assert!(!text.contains('\u{1b}'));
    }
}
