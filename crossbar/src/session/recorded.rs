//! The recorded runs that a person names, wherever their records lie, and waiting until nobody
//! records them any more.

use super::SessionError;
use super::conclude::{Concluded, over};
use super::parts::{Part, Parts};
use super::stored;
use crate::domain::RunId;
use crate::store::{RunView, Store, Writing};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// A runner that starts a process for each case (nextest) has none for a moment.
const BETWEEN: Duration = Duration::from_secs(2);

/// How often it is looked whether the next process is there.
const LOOK: Duration = Duration::from_millis(100);

/// Recorded runs that belong together: the parts of one, or just one.
pub struct RecordedRuns {
    runs: Vec<Recorded>,
}

/// One run in one record.
struct Recorded {
    /// What a person called it.
    shown: String,
    store: Store,
    run: RunId,
}

impl RecordedRuns {
    /// Finds runs by their names: `latest`, an id or the unique beginning of one, which are looked
    /// for in `results_dir`; or a path: a results folder or a file `store.db`, whose newest run is
    /// meant, or a run's own folder in a results folder. A run that is named twice is there once.
    ///
    /// # Errors
    /// `SessionError` when there is no such run.
    pub fn find(results_dir: &Path, names: &[String]) -> Result<Self, SessionError> {
        let (mut runs, mut seen) = (Vec::new(), BTreeSet::new());
        for name in names {
            let (file, text) = place(results_dir, name)?;
            let store = open(&file)?;
            let run = super::named::resolve(&store, &text)?;
            let file = file.canonicalize().unwrap_or(file);
            if seen.insert((file, run.clone())) {
                let shown = name.clone();
                runs.push(Recorded { shown, store, run });
            }
        }
        Ok(Self { runs })
    }

    /// Waits until no process records any of them, `limit` has passed, or nothing is missing. `say`
    /// is told what is waited for.
    ///
    /// # Errors
    /// `SessionError` when a record can't be read.
    pub fn wait(
        &self,
        limit: Option<Duration>,
        say: &mut dyn FnMut(&str),
    ) -> Result<(), SessionError> {
        let until = limit.map(|limit| Instant::now() + limit);
        for recorded in &self.runs {
            recorded.wait(until, &mut |writers| {
                let are = match writers {
                    1 => "one process is".to_owned(),
                    many => format!("{many} processes are"),
                };
                let most = limit.map_or_else(String::new, |limit| {
                    format!(", at most {} s", limit.as_secs())
                });
                say(&format!(
                    "waiting for run {}: {are} still recording it{most}",
                    recorded.run
                ));
            })?;
        }
        Ok(())
    }

    /// The verdict over all of them.
    ///
    /// # Errors
    /// `SessionError` when they are not parts of one run, or can't be read or analysed.
    pub fn conclude(&self, k: Option<u32>) -> Result<Concluded, SessionError> {
        let mut concluded = over(self.parts()?, k)?;
        if let [one] = self.runs.as_slice() {
            concluded.again = one.second_look(k)?.map(Box::new);
        }
        Ok(concluded)
    }

    /// All that is recorded of them, as of now.
    pub(super) fn parts(&self) -> Result<Parts, SessionError> {
        let parts = self.runs.iter().map(|recorded| {
            Ok(Part {
                shown: recorded.shown.clone(),
                view: recorded.view()?,
            })
        });
        Parts::together(parts.collect::<Result<_, SessionError>>()?)
    }
}

impl Recorded {
    /// The second look at it, as far as one was planned.
    fn second_look(&self, k: Option<u32>) -> Result<Option<Concluded>, SessionError> {
        let mut runs = self.store.runs()?.into_iter();
        let Some(again) = runs.find(|run| run.second_look_of.as_ref() == Some(&self.run)) else {
            return Ok(None);
        };
        let view = self.store.view(&again.id)?;
        if view.head()?.cells.is_empty() {
            return Ok(None);
        }
        over(Parts::one(view)?, k).map(Some)
    }

    fn view(&self) -> Result<RunView, SessionError> {
        Ok(self.store.view(&self.run)?)
    }

    fn wait(&self, until: Option<Instant>, say: &mut dyn FnMut(usize)) -> Result<(), SessionError> {
        let mut said = false;
        let mut alone_since = Instant::now();
        loop {
            if stored::is_whole(&Parts::one(self.view()?)?)? {
                return Ok(());
            }
            let writers = self.store.writers(&self.run)?;
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(());
            }
            if writers.is_empty() {
                if alone_since.elapsed() > BETWEEN {
                    return Ok(());
                }
                thread::sleep(LOOK.min(left.unwrap_or(LOOK)));
                continue;
            }
            if !std::mem::replace(&mut said, true) {
                say(writers.len());
            }
            ended(writers, left);
            alone_since = Instant::now();
        }
    }
}

/// Waits until these processes have ended, or `limit` has passed.
fn ended(writers: Vec<Writing>, limit: Option<Duration>) {
    let (tell, told) = mpsc::channel::<()>();
    let waiting = move || {
        writers.into_iter().for_each(Writing::wait);
        drop(tell);
    };
    // Without the thread nothing is told, and the caller looks again at once.
    let started = thread::Builder::new()
        .name("wait".to_owned())
        .spawn(waiting);
    if started.is_err() {
        thread::sleep(LOOK);
    }
    let _ = match limit {
        Some(limit) => told.recv_timeout(limit).is_ok(),
        None => told.recv().is_ok(),
    };
}

/// The record's file, and which of its runs is meant.
fn place(results_dir: &Path, name: &str) -> Result<(PathBuf, String), SessionError> {
    let path = Path::new(name);
    let newest = || "latest".to_owned();
    let is_path = name.contains(['/', std::path::MAIN_SEPARATOR]);
    // A file beside us that happens to be called as a run is means nothing.
    let is_record = is_path || path.extension().is_some_and(|extension| extension == "db");
    if is_record && path.is_file() {
        return Ok((path.to_owned(), newest()));
    }
    if stored::path(path).is_file() {
        return Ok((stored::path(path), newest()));
    }
    if let (true, Some(folder), Some(run)) = (is_path, path.parent(), path.file_name()) {
        let file = stored::path(folder);
        if !file.is_file() {
            return Err(
                SessionError::new(format!("there is no record in {name}")).help(
                    "name a results folder or its store.db, a run's folder in one, or a run's id",
                ),
            );
        }
        return Ok((file, run.to_string_lossy().into_owned()));
    }
    Ok((stored::path(results_dir), name.to_owned()))
}

/// The record in a file, which must be there.
pub(super) fn open(file: &Path) -> Result<Store, SessionError> {
    Store::open_existing(file)?.ok_or_else(|| {
        let folder = file.parent().unwrap_or(file).display();
        SessionError::new(format!("there is no run in {folder}"))
            .help("run `cargo test`, `cargo nextest run` or `crossbar run` first")
    })
}
