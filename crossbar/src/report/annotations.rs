//! The commands by which a GitHub workflow shows lines beside the code: errors for tasks whose own
//! drop is shown, warnings for what could not be measured, one notice with the verdict.

use super::comment::place;
use super::{Frozen, gate};
use crate::analysis::MissingReason;
use crate::domain::TaskId;
use std::collections::BTreeMap;

/// GitHub shows ten annotations of a kind.
const SHOWN: usize = 10;

/// The commands, errors first; at most ten of a kind, and where there are more, the tenth says how
/// many are left out.
#[must_use]
pub fn annotations(frozen: &Frozen<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(bounded("error", errors(frozen)));
    lines.extend(bounded("warning", warnings(frozen)));
    let text = match frozen.gate {
        Some(answer) => format!("{} ({})", answer.word, gate::asked(answer)),
        None => {
            let analysis = frozen.analysis;
            format!("{} {}", analysis.verdict().word(), analysis.headline.tag())
        }
    };
    lines.push(command("notice", "title=crossbar", &text));
    lines
}

fn bounded(kind: &str, found: Vec<(String, String)>) -> Vec<String> {
    let all = found.len();
    let shown = if all > SHOWN { SHOWN - 1 } else { all };
    let lines = found.into_iter().take(shown);
    let mut lines: Vec<String> = lines
        .map(|(place, text)| command(kind, &place, &text))
        .collect();
    if all > SHOWN {
        let text = format!("{} more are in the report", all - shown);
        lines.push(command(kind, "title=crossbar", &text));
    }
    lines
}

/// Tasks whose own drop is shown after adjustment over the paired tasks, the largest first.
fn errors(frozen: &Frozen<'_>) -> Vec<(String, String)> {
    let Some(answer) = frozen.gate else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for cell in &answer.cells {
        let shown = cell.tasks.moved.iter();
        for moved in shown.filter(|moved| moved.fell() && moved.adjusted_p <= answer.alpha) {
            let text = format!("{}: {moved}, shown for this task alone", cell.cell);
            found.push((at(frozen, &moved.task), text));
        }
    }
    found
}

/// Tasks of which something could not be measured.
fn warnings(frozen: &Frozen<'_>) -> Vec<(String, String)> {
    let mut tasks: BTreeMap<&TaskId, u32> = BTreeMap::new();
    for task in &frozen.analysis.task_table {
        let failed: u32 = task.cells.iter().map(|cell| cell.infrastructure).sum();
        if failed > 0 {
            *tasks.entry(&task.task).or_default() += failed;
        }
    }
    for missing in &frozen.analysis.completeness.missing {
        if matches!(missing.why, MissingReason::InvalidFixture { .. }) {
            *tasks.entry(&missing.key.task).or_default() += 1;
        }
    }
    let warning = |(task, count): (&TaskId, u32)| {
        (
            at(frozen, task),
            format!("{task}: {count} rollouts could not be measured"),
        )
    };
    tasks.into_iter().map(warning).collect()
}

/// The properties of an annotation: where the task is written, as far as that is known.
fn at(frozen: &Frozen<'_>, task: &TaskId) -> String {
    let title = property(&task.to_string());
    match place(frozen, task) {
        Some((path, line)) => format!("file={},line={line},title={title}", property(path)),
        None => format!("title={title}"),
    }
}

fn command(kind: &str, properties: &str, text: &str) -> String {
    format!("::{kind} {properties}::{}", data(text))
}

/// The text of a command with its line breaks and percent signs written out.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property's value: there a colon and a comma have a meaning too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{InfrastructureEvidence, Outcome};
    use crate::report::fixture;

    #[test]
    fn what_could_not_be_measured_is_a_warning_at_its_place_and_ten_are_shown() {
        let passes = [3; 14];
        let mut sweep = fixture::Sweep::of(3, &[("a+b", 1, &passes), ("c+d", 1, &passes)]);
        for rollout in sweep.rollouts.iter_mut().filter(|one| one.key.repeat == 2) {
            rollout.outcome = Outcome::InfrastructureFailure {
                evidence: InfrastructureEvidence::ServerDied,
                message: "x".to_owned(),
            };
        }
        let sweep = sweep.again();
        let lines = annotations(&sweep.frozen());
        let warnings: Vec<_> = lines
            .iter()
            .filter(|line| line.starts_with("::warning "))
            .collect();
        assert_eq!(warnings.len(), 10, "{lines:?}");
        assert_eq!(
            warnings[0].as_str(),
            "::warning file=desk/close.task.yaml,line=2,title=desk%3A%3Aclose::desk::close: 2 rollouts could not be measured"
        );
        assert!(
            warnings[9].contains("5 more are in the report"),
            "{lines:?}"
        );
        assert!(
            lines
                .last()
                .unwrap()
                .starts_with("::notice title=crossbar::")
        );
    }

    #[test]
    fn a_text_is_one_command_whatever_it_holds() {
        assert_eq!(
            command("error", &property("a,b:c%\n"), "100%\r\n::error::forged"),
            "::error a%2Cb%3Ac%25%0A::100%25%0D%0A::error::forged"
        );
    }
}
