//! What a person asks of a run beyond the roster: flags, and the environment's twins of them.

use super::{AdHoc, LogLevel, SessionError};
use crate::domain::{BudgetLimit, Usd};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a person asks of a run. `None` leaves it to the roster.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunOptions {
    /// The roster's file.
    pub config: Option<PathBuf>,
    /// A cell that stands in for those of the roster.
    pub ad_hoc: Option<AdHoc>,
    /// The only pack to run.
    pub pack: Option<PathBuf>,
    /// Whether the run is of some packs alone: what the other packs have accepted is not gone.
    pub alone: bool,
    /// Rollouts per case.
    pub repeats: Option<u32>,
    /// Whether cells that are settled early get no more repeats.
    pub adaptive: bool,
    /// The most repeats of an adaptive run.
    pub max_repeats: Option<u32>,
    /// The last repeat that each cell may run now; `None` = all. What is next in an adaptive run
    /// follows from what is recorded, so whoever drives it says so.
    pub upto: Option<BTreeMap<String, u32>>,
    /// The k of pass@k and pass^k.
    pub k: Option<u32>,
    /// Whether to run the baseline alone, twice as often, and hold it against itself.
    pub aa: bool,
    /// The only cells to run; empty = all.
    pub cells: Vec<String>,
    /// The sweep's seed.
    pub seed: Option<u64>,
    /// Rollouts at a time.
    pub concurrency: Option<u32>,
    /// Whether live models may be called at all.
    pub live: bool,
    /// The ceiling for live models.
    pub budget: Option<BudgetLimit>,
    /// Where runs are kept.
    pub results_dir: Option<PathBuf>,
    /// The id of the new run.
    pub run_id: Option<String>,
    /// Whether other processes run other cases of the same run at the same time (nextest).
    pub shared: bool,
    /// Whether nextest tries a case once more: what ended as an infrastructure failure runs again.
    pub retry: bool,
    /// Whether tasks with `#[ignore]` run too.
    pub with_ignored: bool,
    /// The run to go on with: `latest`, an id or a unique beginning of one.
    pub resume: Option<String>,
    /// Whether what passes between agents and live models is kept, to be played again.
    pub record: bool,
    /// The recorded run whose answers are played instead of asking: `latest`, an id or a unique
    /// beginning of one, or the folder of a recording.
    pub replay: Option<String>,
    /// The run that this one is a second look at.
    pub second_look_of: Option<String>,
    /// How much is told of each rollout while it runs; `None` tells nothing.
    pub log: Option<LogLevel>,
    /// Where to write the files besides the run's own folder.
    pub out: Option<PathBuf>,
}

/// Every environment variable that crossbar reads, with what it is for.
pub const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "CROSSBAR_CONFIG",
        "the roster's file, instead of looking for crossbar.yaml upwards",
    ),
    (
        "CROSSBAR_LIVE",
        "1 = live models may be called (a budget is needed too)",
    ),
    (
        "CROSSBAR_BUDGET_USD",
        "the ceiling in dollars for a sweep, or `unlimited`",
    ),
    (
        "CROSSBAR_CELLS",
        "the only cells to run, separated by commas",
    ),
    ("CROSSBAR_REPEATS", "rollouts per case"),
    ("CROSSBAR_SEED", "the sweep's seed"),
    (
        "CROSSBAR_RESULTS_DIR",
        "where runs are kept, instead of runs/ beside the roster",
    ),
    ("CROSSBAR_RUN_ID", "the id of the run"),
    (
        "CROSSBAR_RESUME",
        "the run to go on with: latest, an id or the beginning of one",
    ),
    (
        "CROSSBAR_LOG",
        "error, warn, info, debug or trace: what happens in each rollout, on standard error and in runs/ID/crossbar.log",
    ),
    (
        "CROSSBAR_VERDICT_CASE",
        "1 = under nextest the verdict is one more case, `zz_verdict`",
    ),
    (
        "CROSSBAR_NEXTEST_RUN",
        "set by `crossbar nextest` for the test binaries that it starts: the id of the run",
    ),
    (
        "CROSSBAR_ENGINE",
        "set by `crossbar run` for the test binaries that it starts",
    ),
];

/// Where the id of a run may stand; the first that is there names it. nextest's own, which is new
/// each time, stands over a name that somebody left set: under that, a later run of nextest would
/// find everything measured, and be green without having run anything.
const RUN_IDS: [&str; 3] = ["CROSSBAR_NEXTEST_RUN", "NEXTEST_RUN_ID", "CROSSBAR_RUN_ID"];

impl RunOptions {
    /// Reads the environment through `lookup`.
    ///
    /// # Errors
    /// `SessionError` names the variable whose value can't be used.
    pub fn from_environment(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, SessionError> {
        let get = |name: &str| lookup(name).filter(|value| !value.is_empty());
        Ok(Self {
            config: get("CROSSBAR_CONFIG").map(PathBuf::from),
            repeats: number(&get, "CROSSBAR_REPEATS")?,
            cells: get("CROSSBAR_CELLS")
                .map(|cells| {
                    cells
                        .split(',')
                        .map(|cell| cell.trim().to_owned())
                        .collect()
                })
                .unwrap_or_default(),
            seed: number(&get, "CROSSBAR_SEED")?,
            live: live(&get)?,
            budget: get("CROSSBAR_BUDGET_USD")
                .map(|text| budget(&text))
                .transpose()?,
            results_dir: get("CROSSBAR_RESULTS_DIR").map(PathBuf::from),
            shared: get("NEXTEST_RUN_ID").is_some(),
            retry: get("NEXTEST_RUN_ID").is_some() && again(&get),
            run_id: RUN_IDS.into_iter().find_map(get),
            resume: get("CROSSBAR_RESUME"),
            log: match get("CROSSBAR_LOG") {
                Some(text) => LogLevel::parse(&text)?,
                None => None,
            },
            ..Self::default()
        })
    }

    /// These options where they say something, else `below`.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        Self {
            config: self.config.or(below.config),
            ad_hoc: self.ad_hoc.or(below.ad_hoc),
            pack: self.pack.or(below.pack),
            alone: self.alone || below.alone,
            repeats: self.repeats.or(below.repeats),
            adaptive: self.adaptive || below.adaptive,
            max_repeats: self.max_repeats.or(below.max_repeats),
            upto: self.upto.or(below.upto),
            k: self.k.or(below.k),
            aa: self.aa || below.aa,
            cells: if self.cells.is_empty() {
                below.cells
            } else {
                self.cells
            },
            seed: self.seed.or(below.seed),
            concurrency: self.concurrency.or(below.concurrency),
            live: self.live || below.live,
            budget: self.budget.or(below.budget),
            results_dir: self.results_dir.or(below.results_dir),
            run_id: self.run_id.or(below.run_id),
            shared: self.shared || below.shared,
            retry: self.retry || below.retry,
            with_ignored: self.with_ignored || below.with_ignored,
            resume: self.resume.or(below.resume),
            record: self.record || below.record,
            replay: self.replay.or(below.replay),
            second_look_of: self.second_look_of.or(below.second_look_of),
            log: self.log.or(below.log),
            out: self.out.or(below.out),
        }
    }
}

/// Reads a ceiling: dollars above 0, or the word `unlimited`.
///
/// # Errors
/// `SessionError` for anything else.
pub fn budget(text: &str) -> Result<BudgetLimit, SessionError> {
    if text == "unlimited" {
        return Ok(BudgetLimit::Unlimited);
    }
    let dollars = text
        .parse::<f64>()
        .ok()
        .filter(|d| d.is_finite() && *d > 0.0);
    dollars
        .and_then(Usd::from_dollars)
        .map(BudgetLimit::Usd)
        .ok_or_else(|| {
            SessionError::new(format!("`{text}` is not a budget"))
                .help("give dollars above 0, like 2.50, or the word unlimited")
        })
}

fn live(get: &dyn Fn(&str) -> Option<String>) -> Result<bool, SessionError> {
    match get("CROSSBAR_LIVE").as_deref() {
        None | Some("0") => Ok(false),
        Some("1") => Ok(true),
        Some(other) => Err(SessionError::new(format!("CROSSBAR_LIVE is `{other}`"))
            .help("set it to 1 to let live models be called, to 0 or nothing to forbid it")),
    }
}

/// Whether this is a further attempt of nextest's at a case.
fn again(get: &dyn Fn(&str) -> Option<String>) -> bool {
    get("NEXTEST_ATTEMPT").is_some_and(|attempt| attempt.parse().is_ok_and(|n: u32| n > 1))
}

fn number<T: std::str::FromStr>(
    get: &dyn Fn(&str) -> Option<String>,
    name: &str,
) -> Result<Option<T>, SessionError> {
    let Some(text) = get(name) else {
        return Ok(None);
    };
    text.parse()
        .map(Some)
        .map_err(|_| SessionError::new(format!("{name} is `{text}`")).help("give a whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<RunOptions, SessionError> {
        RunOptions::from_environment(&|name| {
            pairs
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn nothing_is_live_by_default_and_nothing_but_1_makes_it_so() {
        assert!(!read(&[]).unwrap().live);
        assert!(!read(&[("CROSSBAR_LIVE", "0")]).unwrap().live);
        assert!(read(&[("CROSSBAR_LIVE", "1")]).unwrap().live);
        assert!(read(&[("CROSSBAR_LIVE", "yes")]).is_err());
    }

    #[test]
    fn a_name_that_was_left_set_does_not_join_two_runs_of_nextest() {
        let id = |pairs: &[(&str, &str)]| read(pairs).unwrap().run_id;
        let left = ("CROSSBAR_RUN_ID", "nightly");
        let nextest = ("NEXTEST_RUN_ID", "fresh");
        assert_eq!(id(&[left]).as_deref(), Some("nightly"));
        assert_eq!(id(&[left, nextest]).as_deref(), Some("fresh"));
        let ours = ("CROSSBAR_NEXTEST_RUN", "chosen");
        assert_eq!(id(&[left, nextest, ours]).as_deref(), Some("chosen"));
    }

    #[test]
    fn a_budget_is_above_zero_or_the_word() {
        for bad in ["0", "-1", "NaN", "inf", "1e400", "much", ""] {
            assert!(budget(bad).is_err(), "{bad}");
        }
        assert_eq!(budget("unlimited").unwrap(), BudgetLimit::Unlimited);
        assert_eq!(
            budget("0.5").unwrap(),
            BudgetLimit::Usd(Usd::from_micros(500_000))
        );
    }

    #[test]
    fn a_flag_stands_over_the_environment() {
        let flags = RunOptions {
            repeats: Some(9),
            ..RunOptions::default()
        };
        let below = read(&[("CROSSBAR_REPEATS", "2"), ("CROSSBAR_SEED", "7")]).unwrap();
        let both = flags.over(below);
        assert_eq!((both.repeats, both.seed), (Some(9), Some(7)));
    }

    #[test]
    fn a_value_that_is_no_number_names_its_variable() {
        let error = read(&[("CROSSBAR_REPEATS", "many")])
            .unwrap_err()
            .to_string();
        assert!(error.contains("CROSSBAR_REPEATS"), "{error}");
    }
}
