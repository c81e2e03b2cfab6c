//! crossbar's own junit.xml: a suite per cell, a case per task with the counts of its rollouts.
//! Which rollout ended how is not in it, and no figure asks for that, so they are numbered by
//! outcome.

use super::super::error::ImportError;
use super::super::found::{Found, Given, Numbering, Read, money};
use super::super::values;
use super::case::Case;
use crate::domain::{
    CellId, Cost, CostSource, InfrastructureEvidence, Outcome, ResultRow, RolloutKey, SkipReason,
    Usd,
};

/// What the properties that count outcomes begin with.
const OUTCOME: &str = "outcome.";
/// The count of rollouts that were planned and have no end.
const NOT_FINISHED: &str = "not_finished";

/// What to do about a file that contradicts itself.
const CHANGED: &str = "give junit.xml as crossbar wrote it, or rollouts.csv beside it";

/// Whether crossbar wrote it: it has a case for the verdict.
pub(super) fn is_one(cases: &[Case<'_>]) -> bool {
    let is_verdict = |case: &Case<'_>| {
        (case.attribute("classname"), case.attribute("name")) == (Some("crossbar"), Some("verdict"))
    };
    cases.iter().any(is_verdict)
}

pub(super) fn read(given: &Given, cases: &[Case<'_>]) -> Result<Read, ImportError> {
    if let Some((case, run)) = replayed(cases) {
        let what = format!("run {run} was replayed here, which says nothing about the models");
        return Err(case.wrong_as_a_whole(what, "give the junit.xml of the run that asked them"));
    }
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    // The verdict and the controls count no rollouts.
    for case in cases.iter().filter(|case| case.text("passed").is_some()) {
        let tally = Tally::of(case)?;
        found.extend(tally.found(case)?);
        expected.extend((1..=tally.planned()).map(|repeat| tally.key(repeat)));
    }
    Ok(Read {
        path: given.path.clone(),
        format: "junit",
        numbering: Numbering::Written,
        found,
        expected,
        notes: Vec::new(),
    })
}

/// The case that names the recorded run whose answers were played, where one was.
fn replayed<'c, 'd>(cases: &'c [Case<'d>]) -> Option<(&'c Case<'d>, &'d str)> {
    let named = |case: &'c Case<'d>| Some((case, case.text("replay_of")?));
    cases.iter().find_map(named)
}

/// What a case says of its rollouts.
struct Tally {
    first: RolloutKey,
    /// The outcomes of those that ended.
    ended: Vec<Outcome>,
    not_finished: u32,
}

impl Tally {
    fn of(case: &Case<'_>) -> Result<Self, ImportError> {
        let cell = case.attribute("classname").unwrap_or_default();
        let cell = CellId::parse(cell)
            .map_err(|error| case.wrong_as_a_whole(error.to_string(), CHANGED))?;
        let task = crate::domain::TaskId::parse(case.attribute("name").unwrap_or_default())
            .map_err(|error| case.wrong_as_a_whole(error.to_string(), CHANGED))?;
        let mut tally = Self {
            first: RolloutKey {
                cell,
                task,
                repeat: 1,
            },
            ended: Vec::new(),
            not_finished: 0,
        };
        for (name, value) in case.properties() {
            let Some(word) = name.strip_prefix(OUTCOME) else {
                continue;
            };
            let wrong = || {
                let what = format!("property {name} is `{value}`");
                case.wrong_as_a_whole(what, CHANGED)
            };
            let count: u16 = value.parse().map_err(|_| wrong())?;
            if word == NOT_FINISHED {
                tally.not_finished = count.into();
                continue;
            }
            let outcome = outcome(word).ok_or_else(wrong)?;
            tally.ended.extend((0..count).map(|_| outcome.clone()));
        }
        tally.agrees(case)?;
        Ok(tally)
    }

    /// `passed` says the same as the counts.
    fn agrees(&self, case: &Case<'_>) -> Result<(), ImportError> {
        let accepted = self.ended.iter().filter(|one| one.is_accepted()).count();
        let finished = self.ended.iter().filter(|one| !is_skipped(one)).count();
        let counted = format!("{accepted} of {finished}");
        match case.text("passed") {
            Some(said) if said == counted => Ok(()),
            said => {
                let said = said.unwrap_or_default();
                let what = format!("passed is {said}, and the outcomes come to {counted}");
                Err(case.wrong_as_a_whole(what, CHANGED))
            }
        }
    }

    fn planned(&self) -> u32 {
        self.ended.len() as u32 + self.not_finished
    }

    fn key(&self, repeat: u32) -> RolloutKey {
        RolloutKey {
            repeat,
            ..self.first.clone()
        }
    }

    fn found(&self, case: &Case<'_>) -> Result<Vec<Found>, ImportError> {
        let weight = case.read("weight", values::weight)?;
        let dollars = case.read("cost_usd", values::amount)?;
        let is_free = case.text("cost_source") == Some("free");
        let shares = shares(dollars.and_then(Usd::from_dollars), self.ended.len());
        let ended = self.ended.iter().zip(1..).zip(shares);
        let found = ended.map(|((outcome, repeat), share)| {
            let cost = money(share);
            let found = Found::ended(self.key(repeat), outcome.clone(), case.place());
            Found {
                row: ResultRow {
                    cost: if is_free { free(cost) } else { cost },
                    ..found.row
                },
                family: case.text("family").map(str::to_owned),
                weight,
                dollars: share,
                ..found
            }
        });
        Ok(found.collect())
    }
}

/// A cost among so many rollouts, in dollars, so that the sum is the cost again.
fn shares(cost: Option<Usd>, rollouts: usize) -> Vec<Option<f64>> {
    let Some(micros) = cost.map(Usd::micros) else {
        return vec![None; rollouts];
    };
    let count = rollouts.max(1) as i64;
    let (each, more) = (micros / count, micros % count);
    (0..rollouts as i64)
        .map(|at| Some(Usd::from_micros(each + i64::from(at < more)).dollars()))
        .collect()
}

fn free(cost: Cost) -> Cost {
    match cost {
        Cost::Known { amount, .. } => Cost::Known {
            amount,
            source: CostSource::Free,
        },
        Cost::Unknown => Cost::Unknown,
    }
}

fn is_skipped(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Skipped { .. })
}

/// An outcome by its word. Which limit was reached the file doesn't say, and no figure asks.
fn outcome(word: &str) -> Option<Outcome> {
    let message = String::new();
    Some(match word {
        "accepted" => Outcome::Accepted,
        "task_failure" | "limit_reached" => Outcome::TaskFailure,
        "safety_failure" => Outcome::SafetyFailure,
        "agent_crash" => Outcome::AgentCrash { message },
        "invalid_fixture" => Outcome::InvalidFixture { message },
        "infrastructure_failure" => Outcome::InfrastructureFailure {
            evidence: InfrastructureEvidence::Reported,
            message,
        },
        "skipped" => Outcome::Skipped {
            why: SkipReason::Reported,
        },
        _ => return None,
    })
}
