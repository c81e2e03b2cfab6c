//! `calibrate`: the simulated worlds, dealt out over threads. Every sweep has a seed of its own, and
//! parts are added up in their order, so the figures are the same on any number of threads.

use super::{Exit, SessionError};
use crate::calibrate::{
    Calibration, Effort, METHODS, Measured, Method, Setting, Tally, WORLDS, settings, text,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Sweeps that one thread takes at a time.
const PART: u32 = 20;

/// What is to be simulated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalibrateOptions {
    /// Seconds instead of all sizes.
    pub effort: Effort,
    /// The method by name.
    pub method: String,
    /// One world by name; `None`: all.
    pub world: Option<String>,
    /// Threads; `None`: one per processor.
    pub threads: Option<usize>,
}

/// What came out.
pub struct Calibrated {
    /// The table, for a person.
    pub text: String,
    /// For the shell: failed where a promise is broken.
    pub exit: Exit,
}

/// A part of a setting that one thread does.
struct Part {
    setting: usize,
    sweeps: std::ops::Range<u32>,
}

/// Simulates the worlds and holds the method to the promises; `tell` is called once for each
/// setting that is done, with a line for a person who waits.
///
/// # Errors
/// `SessionError` for a method or world that there is not.
pub fn calibrate(
    options: &CalibrateOptions,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<Calibrated, SessionError> {
    let method = method(&options.method)?;
    let settings = chosen(options, method)?;
    let tallies = simulate(&settings, method, (threads(options), tell))?;
    let measured = settings.iter().zip(tallies);
    let calibration = Calibration {
        method,
        effort: options.effort,
        settings: measured
            .map(|(setting, tallies)| Measured::of(setting, tallies))
            .collect(),
    };
    let exit = if calibration.broken().is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    };
    Ok(Calibrated {
        text: text(&calibration),
        exit,
    })
}

fn method(name: &str) -> Result<Method, SessionError> {
    Method::parse(name).ok_or_else(|| {
        let known = METHODS
            .iter()
            .map(|(name, _, doc)| format!("{name} ({doc})"));
        SessionError::new(format!("there is no method `{name}`")).help(format!(
            "name one of these: {}",
            known.collect::<Vec<_>>().join(", ")
        ))
    })
}

fn chosen(options: &CalibrateOptions, method: Method) -> Result<Vec<Setting>, SessionError> {
    let world = options.world.as_deref();
    if let Some(name) = world.filter(|name| !WORLDS.iter().any(|one| one.name == *name)) {
        let known: Vec<&str> = WORLDS.iter().map(|world| world.name).collect();
        return Err(SessionError::new(format!("there is no world `{name}`"))
            .help(format!("name one of these: {}", known.join(", "))));
    }
    let mut settings = settings(options.effort, world);
    settings.retain(|setting| setting.takes(method));
    if settings.is_empty() {
        return Err(
            SessionError::new("this method has no figures of its own in this world")
                .help("leave --method or --world out"),
        );
    }
    Ok(settings)
}

fn threads(options: &CalibrateOptions) -> usize {
    options
        .threads
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}

fn parts(settings: &[Setting]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (setting, one) in settings.iter().enumerate() {
        for from in (0..one.sweeps).step_by(PART as usize) {
            let sweeps = from..one.sweeps.min(from + PART);
            parts.push(Part { setting, sweeps });
        }
    }
    parts
}

type Done = Mutex<Vec<Option<Result<Vec<Tally>, String>>>>;

fn simulate(
    settings: &[Setting],
    method: Method,
    (threads, tell): (usize, &(dyn Fn(&str) + Sync)),
) -> Result<Vec<Vec<Tally>>, SessionError> {
    let parts = parts(settings);
    let open: Vec<AtomicUsize> = (0..settings.len())
        .map(|at| AtomicUsize::new(parts.iter().filter(|part| part.setting == at).count()))
        .collect();
    let (next, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let done: Done = Mutex::new(parts.iter().map(|_| None).collect());
    let work = || {
        while let Some((at, part)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            parts.get(at).map(|part| (at, part))
        } {
            let setting = &settings[part.setting];
            let tallies = setting.run(method, part.sweeps.clone());
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done[at] = Some(tallies.map_err(|error| error.to_string()));
            if open[part.setting].fetch_sub(1, Ordering::Relaxed) == 1 {
                let ended = ended.fetch_add(1, Ordering::Relaxed) + 1;
                let Setting {
                    world,
                    label,
                    sweeps,
                    ..
                } = setting;
                tell(&format!(
                    "  {ended} of {}: {world}, {label}: {sweeps} sweeps",
                    settings.len()
                ));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    gathered(settings, &parts, done)
}

/// Adds the parts up, each setting's in the order of its sweeps.
fn gathered(
    settings: &[Setting],
    parts: &[Part],
    done: Vec<Option<Result<Vec<Tally>, String>>>,
) -> Result<Vec<Vec<Tally>>, SessionError> {
    let mut sums: Vec<Vec<Tally>> = settings
        .iter()
        .map(|setting| vec![Tally::default(); setting.measures.len()])
        .collect();
    for (part, tallies) in parts.iter().zip(done) {
        let setting = &settings[part.setting];
        let unsound = |why: String| {
            let place = format!("{}, {}", setting.world, setting.label);
            SessionError::new(format!("the world {place} can't be simulated: {why}"))
        };
        let tallies = match tallies {
            Some(tallies) => tallies.map_err(unsound)?,
            None => return Err(unsound("a thread ended early".to_owned())),
        };
        for (sum, tally) in sums[part.setting].iter_mut().zip(&tallies) {
            sum.merge(tally);
        }
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_and_eight_come_to_the_same_figures() {
        let mut settings = settings(Effort::Quick, Some("beta"));
        settings.truncate(1);
        settings[0].sweeps = 70;
        let with = |threads| {
            let told = Mutex::new(Vec::new());
            let tell = |line: &str| told.lock().unwrap().push(line.to_owned());
            let sums = simulate(&settings, Method::Shipped, (threads, &tell)).unwrap();
            (sums, told.into_inner().unwrap())
        };
        let (one, told) = with(1);
        assert_eq!(one, with(8).0);
        assert_eq!(one[0][0].n(), 70);
        assert_eq!(told.len(), 1);
    }

    #[test]
    fn what_there_is_not_is_answered_with_what_there_is() {
        let options = |method: &str, world: Option<&str>| CalibrateOptions {
            effort: Effort::Quick,
            method: method.to_owned(),
            world: world.map(str::to_owned),
            threads: Some(1),
        };
        let said = |options| match calibrate(&options, &|_| {}) {
            Err(error) => error.to_string(),
            Ok(_) => String::new(),
        };
        let said_of_method = said(options("bootstrap", None));
        assert!(
            said_of_method.contains("help: name one of these: shipped"),
            "{said_of_method}"
        );
        for (name, _, _) in METHODS {
            assert!(said_of_method.contains(name));
        }
        assert!(said(options("shipped", Some("gamma"))).contains("beta, mixture, specialist"));
    }
}
