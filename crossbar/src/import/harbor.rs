//! Folders of jobs of Harbor (`jobs/<job>`, with a folder for each trial). Written against what
//! version 0.26.0 writes.
//!
//! A cell is a model with an agent, a task is a task. Harbor does not number its attempts, so they
//! are numbered in the order in which they began.

mod result;
mod trial;

use super::error::ImportError;
use super::found::{Given, Member, Numbering, Read};
use super::json;
use crate::domain::{CellId, TaskId};
use result::{Job, Trial};
use std::collections::BTreeMap;
use trial::Reader;

/// Whose files these are.
const WHO: &str = "Harbor";

/// The file in which a job and each of its trials keep their results.
pub const HARBOR_RESULT: &str = "result.json";

/// Whether it is a folder; no other format is one.
pub(super) fn is_one(given: &Given) -> bool {
    !given.members.is_empty()
}

/// Reads the folder of a job.
///
/// # Errors
/// `ImportError` when there is no trial in it, a trial can't be read, has a graded reward, stands
/// twice, or one cell or task is two things.
pub(super) fn read(given: &Given) -> Result<Read, ImportError> {
    // The job's own; whatever else is called so must be a trial.
    let is_trial = |member: &&Member| !json::has_keys(&member.bytes, &["n_total_trials"]);
    let mut trials = Vec::new();
    for member in given.members.iter().filter(is_trial) {
        let trial: Trial = json::parse(&member.path, WHO, &member.bytes)?;
        trials.push((member, trial));
    }
    if trials.is_empty() {
        return Err(ImportError::Wrong {
            what: "there is no trial of Harbor in the folder".to_owned(),
            place: given.path.clone(),
            help: "give the folder of one job: that with a folder for each trial",
        });
    }
    trials.sort_by(|(_, a), (_, b)| a.order().cmp(&b.order()));
    agree(&trials)?;
    let reader = Reader {
        given,
        reward: reward(given, &trials)?,
    };
    let mut last: BTreeMap<(CellId, TaskId), u32> = BTreeMap::new();
    let mut found = Vec::new();
    for (member, trial) in &trials {
        let mut one = reader.found(member, trial)?;
        let key = &mut one.row.key;
        let repeat = last
            .entry((key.cell.clone(), key.task.clone()))
            .or_default();
        *repeat += 1;
        key.repeat = *repeat;
        found.push(one);
    }
    Ok(Read {
        path: given.path.clone(),
        format: "harbor",
        numbering: Numbering::ByFile,
        found,
        expected: Vec::new(),
        notes: notes(given, &trials),
    })
}

/// A trial stands once; an agent with its model has one configuration, and a task one content.
fn agree(trials: &[(&Member, Trial)]) -> Result<(), ImportError> {
    let mut ids = BTreeMap::new();
    let mut agents = BTreeMap::new();
    let mut tasks = BTreeMap::new();
    for (member, trial) in trials {
        let differs = |what: String, other: &str, help| ImportError::Contradiction {
            what,
            place: member.path.clone(),
            other: other.to_owned(),
            help,
        };
        if let Some(other) = ids.insert(&trial.id, &member.path) {
            let what = format!("trial {} stands twice", trial.trial_name);
            return Err(differs(what, other, "give each trial once"));
        }
        let cell = trial.cell();
        let (other, agent) = *agents
            .entry(cell.clone())
            .or_insert((&member.path, trial.agent()));
        if agent != trial.agent() {
            let what = format!("`{cell}` ran with two configurations");
            let help = "run each configuration as a job of its own, and give it as NAME=FOLDER";
            return Err(differs(what, other, help));
        }
        let (other, sum) = *tasks
            .entry(&trial.task_name)
            .or_insert((&member.path, &trial.task_checksum));
        if *sum != trial.task_checksum {
            let what = format!("task `{}` is not the same in two trials", trial.task_name);
            let help = "run both on the same task; attempts at another one are no repeats";
            return Err(differs(what, other, help));
        }
    }
    Ok(())
}

/// The one reward whose word counts, or the one that was asked for; `None` where no trial has one.
fn reward(given: &Given, trials: &[(&Member, Trial)]) -> Result<Option<String>, ImportError> {
    let mut names: Vec<&str> = trials
        .iter()
        .flat_map(|(_, trial)| trial.rewards().keys().map(String::as_str))
        .collect();
    names.sort_unstable();
    names.dedup();
    let list = names.join(", ");
    let (what, help) = match (given.scorer.as_deref(), names.as_slice()) {
        (Some(wanted), _) if names.contains(&wanted) => return Ok(Some(wanted.to_owned())),
        (None, []) => return Ok(None),
        (None, [one]) => return Ok(Some((*one).to_owned())),
        (Some(wanted), _) => (
            format!("there is no reward `{wanted}`: the trials have {list}"),
            "name one of them with --scorer",
        ),
        (None, _) => (
            format!("there are several rewards: {list}"),
            "name the one that decides with --scorer",
        ),
    };
    Err(ImportError::Wrong {
        what,
        place: given.path.clone(),
        help,
    })
}

fn notes(given: &Given, trials: &[(&Member, Trial)]) -> Vec<String> {
    let mut notes = Vec::new();
    let path = &given.path;
    let jobs = given.members.iter();
    let jobs = jobs.filter_map(|member| serde_json::from_slice::<Job>(&member.bytes).ok());
    let planned: usize = jobs.map(|job| job.n_total_trials).sum();
    if planned > trials.len() {
        notes.push(format!(
            "{path}: the job planned {planned} trials, and {} have a result",
            trials.len()
        ));
    }
    let spoiled = trials.iter().map(|(_, trial)| trial);
    let spoiled = spoiled.filter(|trial| trial.is_valid() && trial.exception().is_some());
    match spoiled.count() {
        0 => {}
        count => notes.push(format!(
            "{path}: trials that ended by an exception and whose reward Harbor takes as valid: \
             {count}; each counts as its reward says"
        )),
    }
    notes
}

#[cfg(test)]
mod tests;
