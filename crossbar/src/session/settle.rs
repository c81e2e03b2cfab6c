//! Settling what several processes must agree on before any of them begins.

use super::clock::SystemClock;
use super::load::read_roster_quietly;
use super::run_id::run_id;
use super::{ReferencePlaces, RunOptions, SessionError, locate, stored};
use crate::domain::RunId;
use crate::store::Store;
use std::path::{Path, PathBuf};

/// The options with every path absolute and the run named, so that this process and the test
/// binaries that it starts mean the same run.
///
/// # Errors
/// `SessionError` when there is no roster, or no run to go on with.
pub fn settled(options: &RunOptions, here: &Path) -> Result<RunOptions, SessionError> {
    let results_dir = results_of(options, here)?;
    let mut options = super::recording::settled(options.clone(), &results_dir, here)?;
    options.config = locate::roster_or_ad_hoc(&options, here)?;
    options.out = options.out.map(|out| here.join(out));
    if let Some(out) = &options.out {
        // Better now than after the sweep.
        std::fs::create_dir_all(out).map_err(|error| {
            SessionError::new(format!(
                "failed to make the folder {}: {error}",
                out.display()
            ))
            .help("check --out")
        })?;
    }
    options.pack = options.pack.map(|pack| here.join(pack));
    match &options.resume {
        Some(text) => options.resume = Some(resumed(&results_dir, text)?),
        None => {
            let chosen = options.run_id.as_deref();
            options.run_id = Some(run_id(chosen, &SystemClock::running())?.to_string());
        }
    }
    options.results_dir = Some(results_dir);
    Ok(options)
}

fn resumed(results_dir: &Path, text: &str) -> Result<String, SessionError> {
    let store = Store::open_existing(&stored::path(results_dir))?.ok_or_else(|| {
        SessionError::new(format!("there is no run in {}", results_dir.display()))
            .help("leave out --resume to begin one")
    })?;
    let run = super::named::resolve(&store, text)?;
    // Going on with a second look is going on with the run that it belongs to.
    let found = store.runs()?.into_iter().find(|one| one.id == run);
    let first = found.and_then(|one| one.second_look_of);
    Ok(first.unwrap_or(run).to_string())
}

/// Whether a results folder holds a run of this id.
///
/// # Errors
/// `SessionError` when the record can't be read.
pub fn is_recorded(results_dir: &Path, run: &str) -> Result<bool, SessionError> {
    let Some(store) = Store::open_existing(&stored::path(results_dir))? else {
        return Ok(false);
    };
    Ok(store.runs()?.iter().any(|one| one.id.as_str() == run))
}

/// Where the runs of a roster are kept. A roster with a problem, which whoever runs it will be
/// told, does not hide the results in the usual place.
///
/// # Errors
/// `SessionError` when there is no roster.
pub fn results_of(options: &RunOptions, here: &Path) -> Result<PathBuf, SessionError> {
    let roster = locate::roster_or_ad_hoc(options, here)?;
    let root = locate::root(roster.as_deref(), here);
    let read = roster.as_deref().and_then(read_roster_quietly);
    let named = read.map(|roster| roster.run.results_dir);
    Ok(locate::results_dir(
        options.results_dir.as_deref(),
        named.as_deref(),
        &root,
    ))
}

/// Where the references of a roster are, and where those of a run wait.
///
/// # Errors
/// `SessionError` when there is no roster.
pub fn reference_places(
    options: &RunOptions,
    here: &Path,
    run: &RunId,
) -> Result<ReferencePlaces, SessionError> {
    Ok(ReferencePlaces {
        accepted: references_of(options, here)?,
        pending: results_of(options, here)?
            .join(run.as_str())
            .join("pending"),
    })
}

/// Where the accepted references of a roster are kept.
///
/// # Errors
/// `SessionError` when there is no roster.
pub fn references_of(options: &RunOptions, here: &Path) -> Result<PathBuf, SessionError> {
    let roster = locate::roster_or_ad_hoc(options, here)?;
    Ok(locate::references_dir(&locate::root(
        roster.as_deref(),
        here,
    )))
}
