//! Recordings in files: which run is meant, what every process of it must know, and one file for each
//! rollout.
//!
//! A recording lies in the folder of its run, beside the files that a verdict writes, and is made of
//! no record: it can be copied elsewhere and kept in a repository.

use super::outputs::put;
use super::{RunOptions, SessionError};
use crate::domain::{CellId, Recording, RecordingError, Recordings, RolloutKey, RunId};
use crate::fingerprint::of_bytes;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};

/// The version of the files' layout.
const SCHEMA_VERSION: u32 = 1;

/// The folder's name in that of its run, and the file that says what it is a recording of.
const FOLDER: &str = "recording";
const HEAD: &str = "recording.json";

/// What is the same for all rollouts of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Head {
    schema_version: u32,
    /// The run that was recorded.
    pub(super) run: RunId,
    /// When it was begun, RFC 3339 UTC.
    created_at: String,
    /// The version that recorded it.
    crossbar: String,
    /// Its rollouts per case.
    repeats: u32,
    /// Its seed.
    seed: u64,
    /// All its cells, those that are not live too.
    cells: Vec<CellId>,
}

/// A recording of a run.
pub(super) struct RecordedRun {
    folder: PathBuf,
    pub(super) head: Head,
}

impl RecordedRun {
    /// Begins the recording of a run, or goes on with it.
    ///
    /// # Errors
    /// `SessionError` when the folder can't be written.
    pub(super) fn begin(
        results_dir: &Path,
        (run, created_at): (&RunId, String),
        prepared: &super::Prepared,
    ) -> Result<Self, SessionError> {
        let folder = of_run(results_dir, run.as_str());
        if folder.join(HEAD).is_file() {
            return Self::open(&folder);
        }
        let head = Head {
            schema_version: SCHEMA_VERSION,
            run: run.clone(),
            created_at,
            crossbar: env!("CARGO_PKG_VERSION").to_owned(),
            repeats: prepared.matrix.repeats,
            seed: prepared.seed,
            cells: prepared.cells.iter().map(|cell| cell.id.clone()).collect(),
        };
        write(&folder.join(HEAD), &head).map_err(|error| SessionError::new(error.to_string()))?;
        Ok(Self { folder, head })
    }

    /// Whether a run is being recorded, or was.
    pub(super) fn is_of(results_dir: &Path, run: &RunId) -> bool {
        of_run(results_dir, run.as_str()).join(HEAD).is_file()
    }

    /// Opens the recording in a folder.
    ///
    /// # Errors
    /// `SessionError` when there is none, or another version of crossbar wrote it.
    pub(super) fn open(folder: &Path) -> Result<Self, SessionError> {
        let path = folder.join(HEAD);
        let head: Option<Head> =
            read(&path).map_err(|error| SessionError::new(error.to_string()))?;
        let Some(head) = head else {
            return Err(SessionError::new(format!(
                "there is no recording in {}",
                folder.display()
            ))
            .help("record a run: crossbar run --record"));
        };
        if head.schema_version != SCHEMA_VERSION {
            let (found, by) = (head.schema_version, &head.crossbar);
            return Err(SessionError::new(format!(
                "{} has layout {found}, and this version of crossbar knows {SCHEMA_VERSION}",
                path.display()
            ))
            .help(format!(
                "use crossbar {by}, which wrote it, or record again"
            )));
        }
        let folder = folder.to_owned();
        Ok(Self { folder, head })
    }

    fn file(&self, key: &RolloutKey) -> PathBuf {
        let task = format!("{}+{}", key.task.pack(), key.task.task());
        let name = format!("{}-r{}.json", part(&task), key.repeat);
        self.folder.join(part(&key.cell.to_string())).join(name)
    }
}

impl Recordings for RecordedRun {
    fn keep(&self, recording: &Recording) -> Result<(), RecordingError> {
        write(&self.file(&recording.key), recording)
    }

    fn of(&self, key: &RolloutKey) -> Result<Option<Recording>, RecordingError> {
        read(&self.file(key))
    }
}

/// The options of a run that plays a recording: its folder in the place of what a person called it,
/// and the repeats, the seed and the cells that were recorded.
///
/// # Errors
/// `SessionError` when there is no such recording.
pub(super) fn settled(
    mut options: RunOptions,
    results_dir: &Path,
    here: &Path,
) -> Result<RunOptions, SessionError> {
    let Some(text) = &options.replay else {
        return Ok(options);
    };
    if options.resume.is_some() {
        return Err(
            SessionError::new("a replay is a run of its own and goes on with none")
                .help("leave --resume and CROSSBAR_RESUME out"),
        );
    }
    let folder = find(results_dir, here, text)?;
    let head = RecordedRun::open(&folder)?.head;
    options.replay = Some(folder.to_string_lossy().into_owned());
    options.repeats = Some(head.repeats);
    options.seed = Some(head.seed);
    (options.live, options.budget) = (false, None);
    if options.cells.is_empty() {
        options.cells = head.cells.iter().map(ToString::to_string).collect();
    }
    Ok(options)
}

/// The folder of the recording that a person means: a path to one or to the folder of its run, a
/// run's id or the unique beginning of one, or `latest`, the newest run that was recorded.
fn find(results_dir: &Path, here: &Path, text: &str) -> Result<PathBuf, SessionError> {
    if text.contains(['/', std::path::MAIN_SEPARATOR]) {
        let path = here.join(text);
        let within = path.join(FOLDER);
        return Ok(match within.join(HEAD).is_file() {
            true => within,
            false => path,
        });
    }
    let mut recorded = recorded(results_dir);
    if text == "latest" {
        let newest = recorded
            .into_iter()
            .max_by_key(|run| run.head.created_at.clone());
        return newest.map(|run| run.folder).ok_or_else(|| {
            SessionError::new(format!("no run in {} was recorded", results_dir.display()))
                .help("record one: crossbar run --record --live --budget USD")
        });
    }
    let known: Vec<String> = recorded
        .iter()
        .map(|run| run.head.run.to_string())
        .collect();
    if known.iter().any(|run| run == text) {
        recorded.retain(|run| run.head.run.as_str() == text);
    } else {
        recorded.retain(|run| run.head.run.as_str().starts_with(text));
    }
    match recorded.as_slice() {
        [one] => Ok(one.folder.clone()),
        [] => Err(
            SessionError::new(format!("no recorded run is called `{text}`")).help(
                match known.as_slice() {
                    [] => "none was recorded yet: crossbar run --record".to_owned(),
                    _ => format!("the recorded runs are {}", known.join(", ")),
                },
            ),
        ),
        many => Err(
            SessionError::new(format!("{} recorded runs begin with `{text}`", many.len())).help(
                format!("they are among {}; name one in full", known.join(", ")),
            ),
        ),
    }
}

/// Every recording in a results folder, by run.
fn recorded(results_dir: &Path) -> Vec<RecordedRun> {
    let entries = std::fs::read_dir(results_dir)
        .into_iter()
        .flatten()
        .flatten();
    let folders = entries.map(|entry| entry.path().join(FOLDER));
    let mut found: Vec<_> = folders
        .filter_map(|one| RecordedRun::open(&one).ok())
        .collect();
    found.sort_by(|a, b| a.head.run.cmp(&b.head.run));
    found
}

fn of_run(results_dir: &Path, run: &str) -> PathBuf {
    results_dir.join(run).join(FOLDER)
}

/// A name that every file system takes. Ids hold no `~`, so a shortened one is never another's.
fn part(name: &str) -> String {
    const LONGEST: usize = 150;
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let digest = of_bytes(name.as_bytes());
    let digest = digest.get(..16).unwrap_or(&digest);
    format!(
        "{}~{digest}",
        &name[..name.floor_char_boundary(LONGEST - 17)]
    )
}

fn write(path: &Path, value: &impl Serialize) -> Result<(), RecordingError> {
    let failed = |why: &dyn std::fmt::Display| {
        RecordingError(format!(
            "failed to keep the recording {}: {why}",
            path.display()
        ))
    };
    let text = serde_json::to_string_pretty(value).map_err(|error| failed(&error))? + "\n";
    let fill = |out: &mut dyn std::io::Write| {
        let written = out.write_all(text.as_bytes());
        written.map_err(|error| super::outputs::failed(path, &error))
    };
    put(path, &fill).map_err(|error| RecordingError(error.to_string()))
}

/// What a file holds; `None` where there is none.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, RecordingError> {
    let failed = |why: String| {
        RecordingError(format!(
            "the recording {} can't be read: {why}",
            path.display()
        ))
    };
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| failed(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error.to_string())),
    }
}

#[cfg(test)]
mod tests;
