//! What accepting a run does to the references of a cell, task by task.
//!
//! A difference that is not decided pools with what is there instead of replacing it, so that a
//! lucky run can't ratchet the reference up; only what has changed is replaced.

use super::rates::estimate;
use super::{AnalysisError, GateWord};
use crate::domain::{Estimate, Reference, TaskId};
use crate::stats::newcombe;
use std::collections::{BTreeMap, BTreeSet};

/// A run's records of one cell beside the accepted ones.
#[derive(Debug, Clone, Copy)]
pub struct Proposal<'a> {
    /// What was accepted before.
    pub old: &'a [Reference],
    /// What the run measured.
    pub new: &'a [Reference],
    /// How the run stands against what was accepted, over the tasks that are the same.
    pub word: GateWord,
    /// The tasks whose drop is accepted, with the reason.
    pub drops: &'a BTreeMap<TaskId, String>,
}

/// What becomes of one task's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskChange {
    /// The task.
    pub task: TaskId,
    /// What was there.
    pub old: Option<Reference>,
    /// What the run measured.
    pub new: Option<Reference>,
    /// What happens.
    pub kind: ChangeKind,
}

/// What happens to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// There was none.
    New,
    /// The run is in it already.
    Same,
    /// Old and new are added up.
    Pooled,
    /// The new one takes the place of the old.
    Replaced(Replaced),
    /// The task is gone.
    Removed,
}

/// Why a record is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// The task is another one now.
    TaskChanged,
    /// The cell's configuration is another one now.
    CellChanged,
    /// The two can't be compared: another model, another agent, or too old.
    NotComparable,
    /// A rise is shown.
    Improvement,
    /// A drop is accepted with a reason.
    AcceptedDrop,
}

impl TaskChange {
    /// The record that stands afterwards; `None` where the task is gone.
    #[must_use]
    pub fn record(&self, drops: &BTreeMap<TaskId, String>) -> Option<Reference> {
        let (old, new) = (self.old.as_ref(), self.new.as_ref());
        match self.kind {
            ChangeKind::Removed => None,
            ChangeKind::Same => old.cloned(),
            ChangeKind::New => new.cloned(),
            ChangeKind::Pooled => Some(old?.pooled(new?)),
            ChangeKind::Replaced(Replaced::AcceptedDrop) => Some(Reference {
                accepted_drop: drops.get(&self.task).cloned(),
                ..new?.clone()
            }),
            ChangeKind::Replaced(_) => new.cloned(),
        }
    }
}

/// What happens to every task of either side, by task.
#[must_use]
pub fn changes(proposal: &Proposal<'_>) -> Vec<TaskChange> {
    let by_task = |records: &[Reference]| -> BTreeMap<TaskId, Reference> {
        let pairs = records.iter().map(|one| (one.task.clone(), one.clone()));
        pairs.collect()
    };
    let (mut old, mut new) = (by_task(proposal.old), by_task(proposal.new));
    let tasks: BTreeSet<TaskId> = old.keys().chain(new.keys()).cloned().collect();
    let change = |task: TaskId| {
        let (old, new) = (old.remove(&task), new.remove(&task));
        let kind = match (&old, &new) {
            (Some(old), Some(new)) => kind(proposal, old, new),
            (None, _) => ChangeKind::New,
            (_, None) => ChangeKind::Removed,
        };
        TaskChange {
            task,
            old,
            new,
            kind,
        }
    };
    tasks.into_iter().map(change).collect()
}

fn kind(proposal: &Proposal<'_>, old: &Reference, new: &Reference) -> ChangeKind {
    let replaced = if old.run == new.run && old.task_fp == new.task_fp {
        return ChangeKind::Same;
    } else if old.task_fp != new.task_fp {
        Replaced::TaskChanged
    } else if proposal.drops.contains_key(&old.task) {
        Replaced::AcceptedDrop
    } else if old.cell_fp != new.cell_fp {
        Replaced::CellChanged
    } else if proposal.word == GateWord::NotComparable || old.answered != new.answered {
        Replaced::NotComparable
    } else if proposal.word == GateWord::Improvement {
        Replaced::Improvement
    } else {
        return ChangeKind::Pooled;
    };
    ChangeKind::Replaced(replaced)
}

/// A task's share of passes, the run minus the record, with the interval of its rollouts alone.
///
/// # Errors
/// `AnalysisError` when the counts can't be.
pub fn task_difference(
    old: &Reference,
    new: &Reference,
    alpha: f64,
) -> Result<Estimate, AnalysisError> {
    let counts = |one: &Reference| (u64::from(one.pass), u64::from(one.n));
    let share = |one: &Reference| f64::from(one.pass) / f64::from(one.n.max(1));
    let limits = newcombe(counts(new), counts(old), alpha)?;
    estimate(share(new) - share(old), limits.lower, Some(limits.upper), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(run: &str, pass: u32) -> Reference {
        Reference {
            task: TaskId::new("desk", "one").unwrap(),
            task_fp: "t".to_owned(),
            cell_fp: "c".to_owned(),
            n: 5,
            pass,
            score_e6: u64::from(pass) * 1_000_000,
            score_sq_e6: u64::from(pass) * 1_000_000,
            usd_e6: Some(10),
            usd_sq_e12: Some(u64::MAX - 5),
            ended: BTreeMap::from([("accepted".to_owned(), pass)]),
            requested: "m".to_owned(),
            answered: BTreeSet::new(),
            agent: "react".to_owned(),
            day: "2026-01-02".to_owned(),
            run: run.to_owned(),
            accepted_drop: None,
        }
    }

    fn one(old: &Reference, new: &Reference, word: GateWord) -> (ChangeKind, Option<Reference>) {
        let drops = BTreeMap::new();
        let proposal = Proposal {
            old: std::slice::from_ref(old),
            new: std::slice::from_ref(new),
            word,
            drops: &drops,
        };
        let change = changes(&proposal).remove(0);
        (change.kind, change.record(&drops))
    }

    #[test]
    fn an_undecided_difference_pools_and_a_lucky_run_is_no_new_bar() {
        let (old, mut new) = (record("a", 3), record("b", 5));
        new.day = "2026-01-09".to_owned();
        let (kind, kept) = one(&old, &new, GateWord::NoRegressionShown);
        let kept = kept.unwrap();
        assert_eq!(kind, ChangeKind::Pooled);
        assert_eq!(
            (kept.n, kept.pass, kept.day.as_str()),
            (10, 8, "2026-01-02")
        );
        assert_eq!(
            (kept.usd_e6, kept.usd_sq_e12),
            (Some(20), None),
            "a sum that does not fit"
        );
        assert_eq!(kept.run, "b");
    }

    #[test]
    fn what_changed_or_is_shown_is_replaced_and_a_run_is_accepted_once() {
        let old = record("a", 3);
        let with = |change: &dyn Fn(&mut Reference), word| {
            let mut new = record("b", 5);
            change(&mut new);
            one(&old, &new, word).0
        };
        let none = GateWord::NoRegressionShown;
        let replaced = ChangeKind::Replaced;
        assert_eq!(
            with(&|new| new.task_fp = "u".to_owned(), none),
            replaced(Replaced::TaskChanged)
        );
        assert_eq!(
            with(&|new| new.cell_fp = "d".to_owned(), none),
            replaced(Replaced::CellChanged)
        );
        assert_eq!(
            with(&|_| (), GateWord::Improvement),
            replaced(Replaced::Improvement)
        );
        assert_eq!(
            with(&|_| (), GateWord::NotComparable),
            replaced(Replaced::NotComparable)
        );
        assert_eq!(
            with(&|new| new.run = "a".to_owned(), none),
            ChangeKind::Same
        );
    }
}
