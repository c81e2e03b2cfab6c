//! The record of a run as one thing, whether it lies in one file or in several that hold parts of
//! it: the partitions of nextest, the shards of a CI.

use super::SessionError;
use super::merged::MERGED;
use super::reached::Asserted;
use crate::domain::{
    BudgetLimit, BudgetStatus, CellId, Outcome, Rollout, RolloutKey, RunEvent, RunId, TaskId, Usd,
};
use crate::fingerprint::{differences, of_list};
use crate::report::{Records, ReportError};
use crate::store::{PlannedCell, PlannedTask, RunHead, RunView, StoreError};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Characters of a hash in the id of a run that is put together.
const ENOUGH: usize = 8;

/// One part, and what a person called it.
pub(super) struct Part {
    pub(super) shown: String,
    pub(super) view: RunView,
}

/// All parts of a run.
pub(super) struct Parts {
    parts: Vec<Part>,
    head: RunHead,
    /// Which part has a rollout's record, by its place in the list; empty where there is one part.
    owners: BTreeMap<RolloutKey, usize>,
    /// How many rollouts are in more than one part.
    repeated: usize,
    /// What every rollout is held to.
    asserted: Asserted,
}

impl Parts {
    /// One run that lies in one file.
    pub(super) fn one(view: RunView) -> Result<Self, SessionError> {
        let head = view.head()?;
        let shown = head.id.to_string();
        Self {
            parts: vec![Part { shown, view }],
            head,
            owners: BTreeMap::new(),
            repeated: 0,
            asserted: Asserted::default(),
        }
        .with_solutions()
    }

    /// Puts the parts of a run together. A rollout that is in several counts once: one that was
    /// measured stands over one that was not, else the earlier. What an agent did has no say.
    ///
    /// # Errors
    /// `SessionError` names what two parts do not agree on.
    pub(super) fn together(mut parts: Vec<Part>) -> Result<Self, SessionError> {
        if parts.len() == 1
            && let Some(part) = parts.pop()
        {
            return Self::one(part.view);
        }
        let mut heads = Vec::new();
        for part in &parts {
            heads.push(part.view.head()?);
        }
        alike(&parts, &heads)?;
        let (mut owners, mut repeated) = (BTreeMap::<_, usize>::new(), BTreeSet::new());
        for (at, part) in parts.iter().enumerate() {
            for key in part.view.keys()? {
                match owners.get(&key) {
                    Some(first) => {
                        let stands = stands_over(part, &parts[*first], &key)?;
                        repeated.insert(key.clone());
                        if stands {
                            owners.insert(key, at);
                        }
                    }
                    None => drop(owners.insert(key, at)),
                }
            }
        }
        let head = head_of(heads).ok_or_else(|| SessionError::new("no run is named"))?;
        Self {
            parts,
            head,
            owners,
            repeated: repeated.len(),
            asserted: Asserted::default(),
        }
        .with_solutions()
    }

    fn with_solutions(mut self) -> Result<Self, SessionError> {
        self.asserted = Asserted::read(&self.keys()?, |key| self.record(key))?;
        Ok(self)
    }

    /// What is worth saying of how the parts were put together.
    pub(super) fn note(&self) -> Option<String> {
        let names: Vec<&str> = self.parts.iter().map(|part| part.shown.as_str()).collect();
        let twice = match self.repeated {
            0 => String::new(),
            1 => "; one rollout is in more than one, and counts once".to_owned(),
            many => format!("; {many} rollouts are in more than one, and count once"),
        };
        (names.len() > 1).then(|| format!("merged from {}{twice}", names.join(", ")))
    }

    /// What surrounds the tasks and the rollouts.
    pub(super) fn head(&self) -> &RunHead {
        &self.head
    }

    /// The tasks of all parts, sorted by id, each made into `T`.
    pub(super) fn tasks<T>(
        &self,
        mut each: impl FnMut(PlannedTask) -> T,
    ) -> Result<Vec<T>, StoreError> {
        if let [one] = self.parts.as_slice() {
            return one.view.tasks(each);
        }
        let mut all: BTreeMap<TaskId, PlannedTask> = BTreeMap::new();
        for part in &self.parts {
            for task in part.view.tasks(|task| task)? {
                all.entry(task.id.clone()).or_insert(task);
            }
        }
        Ok(all.into_values().map(&mut each).collect())
    }

    /// The key of every rollout that has a record, sorted.
    pub(super) fn keys(&self) -> Result<Vec<RolloutKey>, StoreError> {
        match self.parts.as_slice() {
            [one] => one.view.keys(),
            _ => Ok(self.owners.keys().cloned().collect()),
        }
    }

    /// The key of every rollout that a part planned, sorted.
    pub(super) fn planned(&self) -> Result<Vec<RolloutKey>, StoreError> {
        if let [one] = self.parts.as_slice() {
            return one.view.planned();
        }
        let mut all = BTreeSet::new();
        for part in &self.parts {
            all.extend(part.view.planned()?);
        }
        Ok(all.into_iter().collect())
    }

    /// The events of all parts, part by part.
    pub(super) fn events(&self) -> Result<Vec<RunEvent>, StoreError> {
        let mut all = Vec::new();
        for part in &self.parts {
            all.extend(part.view.events()?);
        }
        Ok(all)
    }

    /// The record of a rollout, held to the checks of its task's solution; `None` where it has none.
    pub(super) fn record(&self, key: &RolloutKey) -> Result<Option<Rollout>, StoreError> {
        let owner = self.owners.get(key).copied().unwrap_or_default();
        match self.parts.get(owner) {
            Some(part) => {
                let record = part.view.record(key)?;
                Ok(record.map(|rollout| self.asserted.hold(rollout)))
            }
            None => Ok(None),
        }
    }
}

impl Records for Parts {
    fn record(&self, key: &RolloutKey) -> Result<Rollout, ReportError> {
        let failed = |why: String| ReportError::Record {
            key: Box::new(key.clone()),
            why,
        };
        match Self::record(self, key) {
            Ok(Some(rollout)) => Ok(rollout),
            Ok(None) => Err(failed("there is none".to_owned())),
            Err(error) => Err(failed(error.to_string())),
        }
    }
}

/// Refuses parts that were made of something else: settings, a cell, a task.
fn alike(parts: &[Part], heads: &[RunHead]) -> Result<(), SessionError> {
    let (mut cells, mut tasks) = (BTreeMap::new(), BTreeMap::new());
    for (part, head) in parts.iter().zip(heads) {
        let refused = |what: String, than: &str| {
            SessionError::new(format!(
                "{} is no part of the run that {than} is a part of: {what}",
                part.shown
            ))
            .help("give the parts of one run alone: one commit, one roster, one set of options")
        };
        if let (Some(first), Some(shown)) = (heads.first(), parts.first())
            && first.settings != head.settings
        {
            let changed = differences(&first.settings, &head.settings);
            return Err(refused(changed.join("; "), &shown.shown));
        }
        for cell in &head.cells {
            let (than, first) = cells
                .entry(cell.id.clone())
                .or_insert_with(|| (part.shown.clone(), cell.clone()));
            if first.fingerprint != cell.fingerprint {
                let changed = differences(&configuration(first), &configuration(cell));
                let what = format!("cell {}: {}", cell.id, changed.join("; "));
                return Err(refused(what, than));
            }
        }
        for (id, fingerprint) in part.view.tasks(|task| (task.id, task.fingerprint))? {
            let (than, first) = tasks
                .entry(id.clone())
                .or_insert_with(|| (part.shown.clone(), fingerprint.clone()));
            if *first != fingerprint {
                let what = format!("task {id} is another one (its fingerprint differs)");
                return Err(refused(what, than));
            }
        }
    }
    Ok(())
}

/// What a cell's fingerprint was made of, as the record keeps it.
fn configuration(cell: &PlannedCell) -> Value {
    let kept = cell.info.pointer("/meta/configuration");
    kept.cloned().unwrap_or_else(|| json!(cell.fingerprint))
}

/// Whether the record of a later part takes the place of that of an earlier one.
fn stands_over(later: &Part, earlier: &Part, key: &RolloutKey) -> Result<bool, SessionError> {
    let (Some(new), Some(old)) = (later.view.record(key)?, earlier.view.record(key)?) else {
        return Ok(false);
    };
    Ok(match (ran(&new), ran(&old)) {
        (true, false) => true,
        (false, true) => false,
        _ => new.started_at < old.started_at,
    })
}

/// Whether a rollout was neither skipped nor stopped by its surroundings; `--resume` runs those again.
fn ran(rollout: &Rollout) -> bool {
    !matches!(
        rollout.outcome,
        Outcome::Skipped { .. } | Outcome::InfrastructureFailure { .. }
    )
}

/// One head of many, which agree; `None` of none.
fn head_of(heads: Vec<RunHead>) -> Option<RunHead> {
    let ids: BTreeSet<RunId> = heads.iter().map(|head| head.id.clone()).collect();
    let mut heads = heads.into_iter();
    let mut all = heads.next()?;
    let mut cells: BTreeMap<CellId, PlannedCell> = by_id(std::mem::take(&mut all.cells));
    for head in heads {
        for (id, cell) in by_id(head.cells) {
            cells.entry(id).or_insert(cell);
        }
        all.created_at = all.created_at.min(head.created_at);
        all.unknown.extend(head.unknown);
        for (key, usd) in head.held {
            let held = all.held.entry(key).or_insert(Usd::ZERO);
            *held = *held + usd;
        }
        all.budget = match (all.budget, head.budget) {
            (Some(one), Some(two)) => Some(both(one, two)),
            (one, two) => one.or(two),
        };
    }
    all.unknown.sort();
    all.unknown.dedup();
    all.cells = cells.into_values().collect();
    if ids.len() > 1 {
        all.id = joined(&ids).unwrap_or(all.id);
    }
    Some(all)
}

fn by_id(cells: Vec<PlannedCell>) -> BTreeMap<CellId, PlannedCell> {
    cells
        .into_iter()
        .map(|cell| (cell.id.clone(), cell))
        .collect()
}

/// Each part had a ceiling of its own.
fn both(one: BudgetStatus, two: BudgetStatus) -> BudgetStatus {
    let limit = match (one.limit, two.limit) {
        (BudgetLimit::Usd(a), BudgetLimit::Usd(b)) => BudgetLimit::Usd(a + b),
        _ => BudgetLimit::Unlimited,
    };
    BudgetStatus {
        limit,
        held: one.held + two.held,
        spent: one.spent + two.spent,
    }
}

/// The id of what is put together of several runs: the same runs give the same.
fn joined(ids: &BTreeSet<RunId>) -> Option<RunId> {
    let hash = of_list(ids.iter().map(|id| json!(id.as_str())));
    RunId::new(&format!("{MERGED}{}", hash.get(..ENOUGH)?)).ok()
}
