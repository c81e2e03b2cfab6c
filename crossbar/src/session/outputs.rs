//! Writing the files of a run: its own folder, `latest`, and wherever else somebody wants them.

use super::{Concluded, SessionError};
use crate::fingerprint::of_bytes;
use crate::report::{FORMATS, Styles, TracePaths, trace_text};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes every file of a run and says where: the run's folder first.
///
/// # Errors
/// `SessionError` names the file that could not be written.
pub fn write(
    concluded: &Concluded,
    results_dir: &Path,
    out: Option<&Path>,
) -> Result<PathBuf, SessionError> {
    make_results(results_dir)?;
    let _alone = alone(results_dir)?;
    let own = results_dir.join(concluded.run().as_str());
    let latest = results_dir.join("latest");
    if let Some(again) = &concluded.again {
        fill(again, &[&results_dir.join(again.run().as_str())])?;
    }
    let folders = [Some(own.as_path()), Some(latest.as_path()), out];
    fill(
        concluded,
        &folders.into_iter().flatten().collect::<Vec<_>>(),
    )?;
    Ok(own)
}

/// Writes every file of a run into each of these folders.
fn fill(concluded: &Concluded, folders: &[&Path]) -> Result<(), SessionError> {
    for folder in folders {
        clear(folder)?;
    }
    for format in FORMATS {
        if let (Some(file), [own, copies @ ..]) = (format.file, folders) {
            let first = own.join(file);
            put(&first, &|out| {
                concluded.render(format.name, Styles::Plain, out)
            })?;
            for folder in copies {
                copy(&first, &folder.join(file))?;
            }
        }
    }
    traces(concluded, folders)
}

/// Makes the folder of all runs, and its `.gitignore`, where they are missing.
pub(super) fn make_results(results_dir: &Path) -> Result<(), SessionError> {
    let failed = |error: std::io::Error| {
        SessionError::new(format!(
            "failed to write {}: {error}",
            results_dir.display()
        ))
        .help("check run.results_dir, or set CROSSBAR_RESULTS_DIR to a folder you can write")
    };
    std::fs::create_dir_all(results_dir).map_err(failed)?;
    let ignore = results_dir.join(".gitignore");
    if !ignore.is_file() {
        std::fs::write(&ignore, "*\n").map_err(failed)?;
    }
    Ok(())
}

/// Waits until no other process writes files of runs here: two that fill `latest` at once would
/// clear each other's traces away. The lock ends with its process, however that ends.
fn alone(results_dir: &Path) -> Result<File, SessionError> {
    let path = results_dir.join(".writing");
    let held = File::create(&path).and_then(|file| file.lock().map(|()| file));
    held.map_err(|error| failed(&path, &error))
}

fn traces(concluded: &Concluded, folders: &[&Path]) -> Result<(), SessionError> {
    let paths = TracePaths::new(concluded.rows(), of_bytes);
    let frozen = concluded.frozen();
    for row in concluded.rows() {
        let text = frozen
            .records
            .record(&row.key)
            .and_then(|rollout| trace_text(&frozen, &rollout, of_bytes))
            .map_err(|error| {
                SessionError::new(format!("failed to write the trace of {}: {error}", row.key))
            })?;
        for folder in folders {
            let path = folder.join(paths.path(&row.key));
            put(&path, &|out| {
                out.write_all(text.as_bytes())
                    .map_err(|error| failed(&path, &error))
            })?;
        }
    }
    Ok(())
}

/// Traces of an earlier run must not stay beside these. A folder without a sweep.json was not
/// written by us, and what it calls `traces` is somebody's own.
fn clear(folder: &Path) -> Result<(), SessionError> {
    let traces = folder.join("traces");
    if traces.is_dir() && folder.join("sweep.json").is_file() {
        std::fs::remove_dir_all(&traces).map_err(|error| failed(&traces, &error))?;
    }
    Ok(())
}

/// What fills a file.
pub(super) type Fill<'a> = &'a dyn Fn(&mut dyn Write) -> Result<(), SessionError>;

/// Writes a file beside its place and moves it there once it is whole, so that under its name
/// there is never half of one.
pub(super) fn put(path: &Path, fill: Fill<'_>) -> Result<(), SessionError> {
    let beside = beside(path)?;
    let done = File::create(&beside)
        .map_err(|error| failed(path, &error))
        .and_then(|file| {
            let mut out = BufWriter::new(file);
            fill(&mut out)?;
            out.flush().map_err(|error| failed(path, &error))
        });
    moved(&beside, path, done)
}

/// Puts a copy of a whole file in its place, in the same way.
fn copy(from: &Path, path: &Path) -> Result<(), SessionError> {
    let beside = beside(path)?;
    let done = std::fs::copy(from, &beside).map_err(|error| failed(path, &error));
    moved(&beside, path, done.map(drop))
}

/// Where a file lies until it is whole, in a folder that exists. Two processes that write the
/// files of one run at once do not meet there.
fn beside(path: &Path) -> Result<PathBuf, SessionError> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
    }
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}", std::process::id()));
    Ok(path.with_file_name(name))
}

fn moved(beside: &Path, path: &Path, done: Result<(), SessionError>) -> Result<(), SessionError> {
    let done =
        done.and_then(|()| std::fs::rename(beside, path).map_err(|error| failed(path, &error)));
    if done.is_err() {
        // What is said is why it can't be written, not why its rest can't go.
        let _ = std::fs::remove_file(beside);
    }
    done
}

pub(super) fn failed(path: &Path, error: &std::io::Error) -> SessionError {
    SessionError::new(format!("failed to write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_traces_are_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let trace = folder.path().join("traces/mine.txt");
        std::fs::create_dir(folder.path().join("traces")).unwrap();
        std::fs::write(&trace, "kept").unwrap();
        clear(folder.path()).unwrap();
        assert!(trace.is_file(), "somebody's own folder");
        std::fs::write(folder.path().join("sweep.json"), "{}").unwrap();
        clear(folder.path()).unwrap();
        assert!(!trace.exists(), "an earlier run's");
    }

    #[test]
    fn one_process_at_a_time_writes_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let held = alone(folder.path()).unwrap();
        let other = File::open(folder.path().join(".writing")).unwrap();
        assert!(other.try_lock().is_err(), "somebody is writing");
        drop(held);
        other.try_lock().unwrap();
    }

    #[test]
    fn a_file_that_could_not_be_finished_leaves_the_old_one_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/sweep.json");
        put(&path, &|out| {
            out.write_all(b"old").map_err(|error| failed(&path, &error))
        })
        .unwrap();
        let broken = put(&path, &|out| {
            out.write_all(&[b'x'; 100_000])
                .map_err(|error| failed(&path, &error))?;
            Err(SessionError::new("the disk is full"))
        });
        assert!(broken.is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        let beside = std::fs::read_dir(path.parent().unwrap()).unwrap();
        assert_eq!(beside.count(), 1);
    }
}
