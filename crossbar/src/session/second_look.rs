//! The second look of `run`: where the gate sees a drop side by side, the baseline and the red cells
//! meet the same tasks once more, in a run of its own with another seed, and only a drop that both
//! runs show fails. What is next follows from the record, so a run that was killed goes on.

use super::{Concluded, Exit, Outlook, Prepared, RunOptions, SessionError, is_recorded};
use crate::analysis::GateAnswer;
use crate::domain::{BudgetLimit, CellId, Cost, GateMode, GateReference, GateRules, RunId, Usd};
use crate::fingerprint::seed_of;
use std::path::Path;

/// What a second look's id has after that of its first.
const SUFFIX: &str = "-second";

/// What follows on a first look that is red.
#[derive(Debug)]
pub enum SecondLook {
    /// A second one runs, or goes on.
    Due {
        /// What is asked of it.
        options: Box<RunOptions>,
        /// A line for a person.
        note: String,
    },
    /// None is begun, since what is left of the budget would not pay it: one look decides.
    Unpaid {
        /// A line for a person.
        note: String,
    },
}

impl Concluded {
    /// What follows on this run, which was asked for with `options`; `None` where one look decides,
    /// and where both have.
    ///
    /// # Errors
    /// `SessionError` when the record can't be read, or the run's name is none to make another of.
    pub fn second_look(&self, options: &RunOptions) -> Result<Option<SecondLook>, SessionError> {
        let red = self.gate.as_ref().map(GateAnswer::to_look_at_again);
        let red = red.filter(|red| !red.is_empty() && self.measured() == Exit::Done);
        let (Some(red), Some(baseline)) = (red, &self.asked.question.baseline) else {
            return Ok(None);
        };
        let again = self.again.as_ref();
        if again.is_some_and(|again| again.measured() == Exit::Done) {
            return Ok(None);
        }
        let cells: Vec<CellId> = [baseline.clone()].into_iter().chain(red.clone()).collect();
        let left = self.left();
        if let (Some(left), None) = (left, again)
            && let Some(note) = self.unpaid(left, &cells)
        {
            return Ok(Some(SecondLook::Unpaid { note }));
        }
        let run = self.named_second()?;
        let results_dir = options.results_dir.as_deref().unwrap_or(Path::new(""));
        let begun = is_recorded(results_dir, run.as_str())?;
        let rollouts = cells.len() * self.asked.question.tasks.len();
        let note = format!(
            "note: {} red in the first look, so a second one decides: {} meet the tasks once more, \
             {} rollouts (run {run})",
            are(&red),
            listed(&cells),
            rollouts * self.asked.question.repeats as usize
        );
        let options = RunOptions {
            cells: cells.iter().map(ToString::to_string).collect(),
            repeats: Some(self.asked.question.repeats),
            seed: Some(self.second_seed()),
            budget: left.map(BudgetLimit::Usd).or(options.budget),
            run_id: (!begun).then(|| run.to_string()),
            resume: begun.then(|| run.to_string()),
            second_look_of: Some(self.run.to_string()),
            ..options.clone()
        };
        Ok(Some(SecondLook::Due {
            options: Box::new(options),
            note,
        }))
    }

    /// Another seed, so that mocks and orders are drawn anew; small enough to be exact in JSON.
    fn second_seed(&self) -> u64 {
        seed_of(self.asked.seed, &["second look"]) >> 32
    }

    fn named_second(&self) -> Result<RunId, SessionError> {
        RunId::new(&format!("{}{SUFFIX}", self.run)).map_err(|error| {
            SessionError::new(format!("no second look can be named: {error}"))
                .help("give the run a shorter name (CROSSBAR_RUN_ID)")
        })
    }

    /// What is left of the ceiling in dollars; `None` without one. What is held for attempts whose
    /// end nobody knows may have been spent.
    fn left(&self) -> Option<Usd> {
        let status = self.meta.budget?;
        match status.limit {
            BudgetLimit::Usd(limit) => Some((limit - status.held - status.spent).max(Usd::ZERO)),
            BudgetLimit::Unlimited => None,
        }
    }

    /// What each rollout of these cells was paid in this run.
    fn paid_for(&self, cells: &[CellId]) -> Vec<Cost> {
        let infos = &self.asked.question.cells;
        let is_paid = |id: &CellId| {
            let info = infos.iter().find(|info| info.id == *id);
            cells.contains(id) && info.is_some_and(|info| !info.pretend)
        };
        let paid = self.rows.iter().filter(|row| is_paid(&row.key.cell));
        paid.map(|row| row.cost).collect()
    }

    /// Why what is left of a ceiling is no money for the same rollouts once more; `None` where it
    /// is. A sum of the known costs alone would promise a look that it may not pay.
    fn unpaid(&self, left: Usd, cells: &[CellId]) -> Option<String> {
        let paid = self.paid_for(cells);
        let (known, run) = (paid.iter().filter_map(Cost::amount), &self.run);
        let (count, cost): (usize, Usd) = (known.clone().count(), known.sum());
        if count < paid.len() {
            return Some(format!(
                "note: no second look, so one decides: what {} of the same {} rollouts cost in this \
                 one is unknown, so nobody can tell whether the {left} that is left of the budget \
                 would pay them. To have it, go on without a ceiling: crossbar run --resume {run} \
                 --live --budget unlimited",
                paid.len() - count,
                paid.len(),
            ));
        }
        (left < cost).then(|| {
            format!(
                "note: no second look, so one decides: the same rollouts cost {cost} in this one, \
                 and {left} of the budget is left. To have it, go on with a larger one: crossbar \
                 run --resume {run} --live --budget USD"
            )
        })
    }

    /// Lets the second look decide, where there is one, on what the first saw red.
    pub(super) fn looked_at_again(
        &mut self,
        answer: GateAnswer,
        references: &Path,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<GateAnswer, SessionError> {
        let Some(again) = self.again.take() else {
            return Ok(answer);
        };
        let again = again.held(references, lookup)?;
        let look = crate::analysis::SecondLook {
            run: again.run.clone(),
            seed: again.asked.seed,
            dataset_hash: again.hash.clone(),
        };
        let whole = again.measured() == Exit::Done;
        let answer = answer.after(look, again.gate.as_ref().filter(|_| whole));
        self.again = Some(Box::new(again));
        Ok(answer)
    }
}

fn listed(cells: &[CellId]) -> String {
    let names: Vec<String> = cells.iter().map(ToString::to_string).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn are(cells: &[CellId]) -> String {
    let verb = if cells.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", listed(cells))
}

impl Prepared {
    /// The cells that a red of the gate would run once more; empty where one look decides.
    pub(super) fn to_look_at_again(&self) -> Vec<CellId> {
        let rules = self.settings.get("gate").cloned();
        let rules = rules.and_then(|rules| serde_json::from_value::<GateRules>(rules).ok());
        let side_by_side = rules.filter(|rules| {
            (rules.mode, rules.reference) == (GateMode::Regression, GateReference::Concurrent)
        });
        let held = side_by_side.and_then(|rules| rules.cell);
        let held = held.filter(|id| self.chosen.iter().any(|cell| cell.id == *id));
        let both = self.baseline.clone().zip(held);
        both.into_iter().flat_map(<[CellId; 2]>::from).collect()
    }
}

impl Outlook {
    /// What a red of the gate would run besides, on one line; `None` where one look decides.
    #[must_use]
    pub fn second_look(&self) -> Option<String> {
        let design = self.design.as_ref()?;
        let rollouts = design.rollouts_of_a_second_look();
        (rollouts > 0).then(|| {
            format!(
                "a red regression takes a second look: {rollouts} rollouts more, under the same \
                 budget; `crossbar plan` says what they cost at most"
            )
        })
    }
}
