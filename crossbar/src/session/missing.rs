//! What is worth saying of a run besides its card: how its parts were merged, and which cases are
//! missing, by name.

use super::Concluded;
use super::conclude::Source;
use crate::analysis::{ControlFinding, MissingReason};
use crate::domain::CaseId;
use std::collections::BTreeMap;

/// How many cases are named.
const NAMED: usize = 10;

impl Concluded {
    /// Lines for a person, the merged parts first.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let merged = match &self.source {
            Source::Record(parts) => parts.note(),
            Source::File(_) => None,
        };
        merged.into_iter().chain(self.never_run()).collect()
    }

    /// The cases that nobody ran, or ran to their end.
    fn never_run(&self) -> Option<String> {
        let missing = self.analysis.completeness.missing.iter();
        let missing = missing.filter(|one| one.why == MissingReason::NotFinished);
        let mut cases: BTreeMap<CaseId, u32> = BTreeMap::new();
        for one in missing {
            *cases.entry(one.key.case()).or_default() += 1;
        }
        let controls = self.asked.controls.iter();
        let controls = controls.filter(|line| line.finding == ControlFinding::NotRun);
        cases.extend(controls.map(|line| {
            let case = CaseId {
                task: line.task.clone(),
                cell: line.control.clone(),
            };
            (case, 1)
        }));
        let named = cases.iter().take(NAMED);
        let named: Vec<_> = named
            .map(|(case, count)| match count {
                1 => case.to_string(),
                many => format!("{case} ({many})"),
            })
            .collect();
        let more = match cases.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(", and {more} more cases"),
        };
        (!named.is_empty()).then(|| format!("never run: {}{more}", named.join(", ")))
    }
}
