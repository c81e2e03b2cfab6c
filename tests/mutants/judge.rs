//! Which tests reach a place, and what they say when a mutant is on there.

use crate::Done;
use crate::build::{Binary, Woven};
use crate::memory::Memory;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The first tests of a mutant run together for as long as this: most mutants are found by one.
const QUICK: Duration = Duration::from_millis(100);

/// Seconds of a processor after which a process of tests is stopped, so that a busy machine finds
/// nothing: the slowest takes a tenth of it.
const PATIENCE: &str = "--cpu=60:61";

/// Seconds after which one is stopped that waits for ever.
const WAIT: &str = "1200";

/// What the kernel sends when the seconds of the processor are over: SIGXCPU, then SIGKILL.
const OVER: [i32; 2] = [24, 9];

/// One test, how long it takes, and the places that it reaches.
#[derive(Debug, Clone)]
pub struct Test {
    binary: Binary,
    name: String,
    time: Duration,
    places: BTreeSet<u32>,
}

/// What the tests said of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A test turned red.
    Found(String),
    /// A test did not end.
    Stopped,
    /// All tests that reach it stayed green.
    Survived,
    /// No test gets there.
    Unreached,
    /// It does not compile.
    Unviable,
    /// This way of trying has no place for it.
    Unplaced,
}

fn run(binary: &Binary, names: &[&str], envs: &[(&str, &str)]) -> Done<Output> {
    let mut command = Command::new("timeout");
    command.args(["-k", "1", WAIT, "prlimit", PATIENCE]);
    command.arg(&binary.path);
    command.args(["--exact", "--test-threads", "1"]).args(names);
    command.current_dir(&binary.folder);
    command.env("CARGO_MANIFEST_DIR", &binary.folder);
    command.envs(envs.iter().copied());
    Ok(command.output()?)
}

/// Runs every test once by itself, with no mutant on.
///
/// # Errors
///
/// A test is red as it stands.
pub fn reached(binaries: &[Binary], place: &Path) -> Done<Vec<Test>> {
    let mut names = Vec::new();
    for binary in binaries {
        let said = Command::new(&binary.path).arg("--list").output()?;
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        let tests = said.lines().filter_map(|line| line.strip_suffix(": test"));
        names.extend(tests.map(|test| (binary, test.to_owned())));
    }
    let tests = each(&names, |at, (binary, name)| {
        let file = place.join(format!("reached-{at}"));
        let _ = fs::remove_file(&file);
        let begun = Instant::now();
        let path = file.to_string_lossy();
        let said = run(binary, &[name], &[("CROSSBAR_SUITES_REACHED", &path)]);
        let time = begun.elapsed();
        let places = fs::read_to_string(&file).unwrap_or_default();
        let _ = fs::remove_file(&file);
        match said {
            Ok(said) if said.status.success() => Some(Test {
                binary: (*binary).clone(),
                name: name.clone(),
                time,
                places: places.lines().filter_map(|one| one.parse().ok()).collect(),
            }),
            _ => None,
        }
    });
    let red = names.iter().zip(&tests).filter(|(_, test)| test.is_none());
    let red: Vec<_> = red.map(|((_, name), _)| name.as_str()).collect();
    if !red.is_empty() {
        return Err(format!("red without a mutant: {}", red.join(", ")).into());
    }
    let mut tests: Vec<_> = tests.into_iter().flatten().collect();
    tests.retain(|test| !test.places.is_empty());
    tests.sort_by_key(|test| test.time);
    eprintln!("{} tests reach a mutant", tests.len());
    Ok(tests)
}

/// Does the work on every processor and keeps the order.
fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    let result = work(at, item);
                    if let Ok(mut done) = done.lock() {
                        done.push((at, result));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

impl Outcome {
    /// What [`Display`](fmt::Display) wrote.
    pub fn read(text: &str) -> Option<Self> {
        match text.split_once('\t')? {
            ("found", test) => Some(Self::Found(test.to_owned())),
            ("stopped", _) => Some(Self::Stopped),
            ("survived", "") => Some(Self::Survived),
            ("survived", _) => Some(Self::Unreached),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found(test) => write!(f, "found\t{test}"),
            Self::Stopped => f.write_str("stopped\t"),
            Self::Survived => f.write_str("survived\t"),
            Self::Unreached => f.write_str("survived\tno test gets there"),
            Self::Unviable => f.write_str("does not compile\t"),
            Self::Unplaced => f.write_str("not tried\t"),
        }
    }
}

/// What became of every mutant, by its number.
///
/// # Errors
///
/// A test can't be started.
pub fn all(woven: &Woven, tests: &[Test], memory: &mut Memory) -> Done<BTreeMap<u32, Outcome>> {
    let mut outcomes = memory.known.clone();
    outcomes.extend(woven.unviable.iter().map(|id| (*id, Outcome::Unviable)));
    outcomes.extend(woven.unplaced.iter().map(|id| (*id, Outcome::Unplaced)));
    let new = woven
        .places
        .iter()
        .filter(|(id, _)| !outcomes.contains_key(*id));
    let mutants: Vec<_> = new.collect();
    let tried = Mutex::new((0, memory));
    let found = each(&mutants, |_, (id, place)| {
        let outcome = judged(**id, **place, tests).map_err(|error| error.to_string())?;
        let mut tried = tried.lock().map_err(|error| error.to_string())?;
        tried.0 += 1;
        if tried.0 % 100 == 0 {
            eprintln!("{} of {} mutants", tried.0, mutants.len());
        }
        let kept = tried.1.keep(**id, &outcome);
        kept.map_err(|error| error.to_string())?;
        Ok::<_, String>(outcome)
    });
    for ((id, _), outcome) in mutants.iter().zip(found) {
        outcomes.insert(**id, outcome?);
    }
    Ok(outcomes)
}

fn judged(id: u32, place: u32, tests: &[Test]) -> Done<Outcome> {
    let reaching = tests.iter().filter(|test| test.places.contains(&place));
    let batches = batches(reaching);
    if batches.is_empty() {
        return Ok(Outcome::Unreached);
    }
    for batch in batches {
        let names: Vec<_> = batch.iter().map(|test| test.name.as_str()).collect();
        let on = id.to_string();
        let said = run(&batch[0].binary, &names, &[("CROSSBAR_SUITES_MUTANT", &on)])?;
        match (said.status.code(), said.status.signal()) {
            (Some(0), _) => {}
            (Some(124 | 137 | 152), _) => return Ok(Outcome::Stopped),
            (None, Some(signal)) if OVER.contains(&signal) => return Ok(Outcome::Stopped),
            _ => return Ok(Outcome::Found(red(&said))),
        }
    }
    Ok(Outcome::Survived)
}

/// The tests in their order, by processes: each takes about as long as all before it, so that what a
/// quick test finds costs little, and what none finds starts few processes.
fn batches<'t>(tests: impl Iterator<Item = &'t Test>) -> Vec<Vec<&'t Test>> {
    let mut batches: Vec<Vec<&Test>> = Vec::new();
    let mut before = Duration::ZERO;
    let mut time = Duration::ZERO;
    for test in tests {
        let goes_on = |batch: &&mut Vec<&Test>| {
            time + test.time <= before.max(QUICK) && batch[0].binary.path == test.binary.path
        };
        match batches.last_mut().filter(goes_on) {
            Some(batch) => {
                batch.push(test);
                time += test.time;
            }
            None => {
                batches.push(vec![test]);
                before += time;
                time = test.time;
            }
        }
    }
    batches
}

/// The test that a report names as failed.
fn red(said: &Output) -> String {
    let text = String::from_utf8_lossy(&said.stdout);
    let failed = text
        .lines()
        .find_map(|line| line.strip_suffix(" ... FAILED"));
    let failed = failed.and_then(|line| line.strip_prefix("test "));
    failed.unwrap_or("its process ended").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_takes_as_long_as_all_before_it() {
        let test = |binary: &str, time| Test {
            binary: Binary {
                path: binary.into(),
                folder: ".".into(),
            },
            name: String::new(),
            time: Duration::from_millis(time),
            places: BTreeSet::new(),
        };
        let times = [40, 50, 60, 70, 80, 900];
        let tests = times.map(|time| test("one", time));
        let sizes = |tests: &[Test]| {
            batches(tests.iter())
                .iter()
                .map(Vec::len)
                .collect::<Vec<_>>()
        };
        assert_eq!(sizes(&tests), [2, 1, 2, 1]);
        let two = [test("one", 1), test("two", 1), test("two", 1)];
        assert_eq!(sizes(&two), [1, 2]);
        assert!(batches([].iter()).is_empty());
    }
}
