//! `run --adaptive`: looks that are fixed beforehand, and what runs after each.

use super::parts::Parts;
use super::recorded::open;
use super::{Concluded, Loaded, Prepared, RunOptions, SessionError, conclude, stored};
use crate::analysis::{Course, Question, Record, UnknownAttempt, course};
use crate::domain::{LookPlan, ResultRow, RolloutKey};
use std::collections::BTreeMap;
use std::path::Path;

/// The looks of a run that begins with `repeats`; `None` where it is not adaptive.
pub(super) fn looks(
    loaded: &Loaded,
    options: &RunOptions,
    repeats: u32,
) -> Result<Option<LookPlan>, SessionError> {
    if !options.adaptive {
        return Ok(None);
    }
    let refused = |what: &str, help: &str| Err(SessionError::new(what).help(help));
    let roster = &loaded.roster;
    if options.aa || options.shared {
        return refused(
            "--adaptive and --aa do not go together",
            "leave one of them out",
        );
    }
    if roster.gate.rules.is_some() {
        return refused(
            "a gate needs the repeats fixed, and --adaptive leaves them open",
            "take a roster without `gate.mode`, or leave out --adaptive",
        );
    }
    if loaded
        .tasks
        .values()
        .any(|entry| entry.task.min_pass_rate.is_some())
    {
        return refused(
            "`min_pass_rate` needs the repeats fixed, and --adaptive leaves them open",
            "leave out --adaptive, or the floors",
        );
    }
    let Some(most) = options.max_repeats.or(roster.run.max_repeats) else {
        return refused(
            "--adaptive needs to know when to end",
            "give --max-repeats N, or run.max_repeats in the roster",
        );
    };
    match LookPlan::between(repeats, most) {
        Ok(looks) => Ok(Some(looks)),
        Err(_) => refused(
            &format!("an adaptive run from {repeats} to {most} repeats has nothing to add"),
            "give a --max-repeats above the repeats that it begins with",
        ),
    }
}

impl Prepared {
    /// Whether a rollout may run now.
    pub(super) fn is_due(&self, options: &RunOptions, key: &RolloutKey) -> bool {
        let last = match (&options.upto, &self.looks) {
            (Some(upto), _) => upto.get(&key.cell.to_string()).copied().unwrap_or_default(),
            (None, Some(looks)) => looks.repeats().first().copied().unwrap_or_default(),
            (None, None) => return true,
        };
        key.repeat <= last
    }
}

/// How far an adaptive run has come; `None` of any other.
pub(super) fn course_of(
    question: &Question,
    rows: &[ResultRow],
    unknown: &[UnknownAttempt],
) -> Result<Option<Course>, SessionError> {
    let Some(looks) = &question.looks else {
        return Ok(None);
    };
    let record = Record {
        planned: &[],
        rows,
        unknown,
    };
    let found = course(question, looks, record);
    let found = found.map_err(|error| {
        SessionError::new(format!("what is next in the run can't be said: {error}"))
    })?;
    Ok(Some(found))
}

/// The last repeat that each cell may run next in an adaptive run, as `RunOptions::upto`; `None`
/// when it has ended, when its money has, or when it is not adaptive.
///
/// # Errors
/// `SessionError` when there is no such run, or its record can't be read.
pub fn next_upto(
    results_dir: &Path,
    run: &str,
) -> Result<Option<BTreeMap<String, u32>>, SessionError> {
    let Some((question, course, rows)) = recorded(results_dir, run)? else {
        return Ok(None);
    };
    let goes_on = course.next.is_some() && !rows.iter().any(ResultRow::is_skipped);
    Ok(goes_on.then(|| upto(&course, &question)))
}

/// The last repeat that each cell has come to, or would run next: what was not measured of it runs
/// again when the run goes on. `None` when it is not adaptive.
///
/// # Errors
/// As of `next_upto`.
pub fn ran_upto(
    results_dir: &Path,
    run: &str,
) -> Result<Option<BTreeMap<String, u32>>, SessionError> {
    let found = recorded(results_dir, run)?;
    Ok(found.map(|(question, course, _)| upto(&course, &question)))
}

fn upto(course: &Course, question: &Question) -> BTreeMap<String, u32> {
    let cells = course.upto(question).into_iter();
    cells.map(|(cell, upto)| (cell.to_string(), upto)).collect()
}

/// A recorded run that is adaptive, with how far it has come.
fn recorded(
    results_dir: &Path,
    run: &str,
) -> Result<Option<(Question, Course, Vec<ResultRow>)>, SessionError> {
    let store = open(&stored::path(results_dir))?;
    let id = super::named::resolve(&store, run)?;
    let parts = Parts::one(store.view(&id)?)?;
    let question = stored::asked(&parts, None)?.question;
    let (rows, unknown) = conclude::results(&parts)?;
    let course = course_of(&question, &rows, &unknown)?;
    Ok(course.map(|course| (question, course, rows)))
}

impl Concluded {
    /// Refuses a run whose repeats were not fixed beforehand.
    ///
    /// # Errors
    /// `SessionError` says what can't be done with it.
    pub(super) fn must_be_fixed(&self, what: &str) -> Result<(), SessionError> {
        if self.asked.question.looks.is_none() {
            return Ok(());
        }
        Err(SessionError::new(format!(
            "run {} is adaptive, and {what}: a cell that stopped early looks further from the \
             others than it is",
            self.run()
        ))
        .help("run it again without --adaptive"))
    }
}
