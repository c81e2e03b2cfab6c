//! Why the store could not do what it was asked.

use crate::domain::RolloutKey;
use std::path::PathBuf;

/// Why the store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file or its folder could not be opened, made or locked.
    #[error("failed to open the store `{path}`: {why}")]
    Open {
        /// The store's file.
        path: PathBuf,
        /// What the system or SQLite said.
        why: String,
    },
    /// A newer crossbar wrote the file.
    #[error(
        "the store `{path}` has schema {found} and this crossbar knows up to {known}: \
         install crossbar-test {version} or newer"
    )]
    Newer {
        /// The store's file.
        path: PathBuf,
        /// The file's schema version.
        found: i32,
        /// The newest schema version known here.
        known: i32,
        /// The version that wrote it, which is the one to install.
        version: String,
    },
    /// The file is an SQLite database of something else.
    #[error("`{0}` is a database of another program, not a crossbar store: name another folder")]
    Foreign(PathBuf),
    /// The file system can't hold a write-ahead log.
    #[error(
        "the store `{path}` can't use a write-ahead log here (journal mode `{mode}`): \
         set CROSSBAR_RESULTS_DIR to a folder on a local disk"
    )]
    NoWal {
        /// The store's file.
        path: PathBuf,
        /// The journal mode that SQLite offered.
        mode: String,
    },
    /// SQLite refused a statement.
    #[error("the store's database refused a statement: {0}")]
    Database(#[from] rusqlite::Error),
    /// A group of writes could not be committed; none of them happened.
    #[error("failed to commit to the store, nothing of it was kept: {0}")]
    Commit(String),
    /// A panic broke off an earlier write.
    #[error("the store's writer has stopped; open the store again")]
    WriterStopped,
    /// A stored value can't be read back.
    #[error("the store holds {what} that can't be read: {why}")]
    Corrupt {
        /// What is unreadable.
        what: String,
        /// Why.
        why: String,
    },
    /// A value could not be written as JSON.
    #[error("failed to write {what} as JSON: {why}")]
    Encode {
        /// What.
        what: String,
        /// Why.
        why: String,
    },
    /// The run exists with other settings.
    #[error(
        "run `{run}` exists with other settings (stored {stored}, asked {asked}): \
         use another run id, or the settings it was begun with"
    )]
    SettingsDiffer {
        /// The run.
        run: String,
        /// The hash in the store.
        stored: String,
        /// The hash that was asked for.
        asked: String,
    },
    /// A cell or task of the run has another fingerprint than before.
    #[error(
        "{kind} `{id}` has changed since the run began (fingerprint {stored}, now {asked}): \
         begin a new run"
    )]
    FingerprintDiffers {
        /// `cell` or `task`.
        kind: &'static str,
        /// Its id.
        id: String,
        /// The fingerprint in the store.
        stored: String,
        /// The fingerprint that was asked for.
        asked: String,
    },
    /// No run has this id or prefix.
    #[error("no run `{0}` in the store")]
    UnknownRun(String),
    /// There is no run at all.
    #[error("the store holds no run yet")]
    NoRuns,
    /// Several runs begin with this text.
    #[error("`{text}` is the beginning of several runs: {}", .candidates.join(", "))]
    AmbiguousRun {
        /// What was asked for.
        text: String,
        /// The runs that begin with it.
        candidates: Vec<String>,
    },
    /// The rollout, or its cell or task, is not in the run's plan.
    #[error("rollout `{0}` is not in the run's plan")]
    NotPlanned(Box<RolloutKey>),
    /// The rollout has its terminal record already.
    #[error("rollout `{0}` is finished already; its record stands")]
    AlreadyDone(Box<RolloutKey>),
    /// An attempt at the rollout is under way.
    #[error("rollout `{key}` is under way already, in worker `{worker}`")]
    AlreadyRunning {
        /// The rollout.
        key: Box<RolloutKey>,
        /// Whose attempt it is.
        worker: String,
    },
    /// A paid attempt at the rollout has an unknown end.
    #[error(
        "an earlier attempt at rollout `{0}` may have been paid for and its end is unknown: \
         it is not sent again"
    )]
    PaidUnknown(Box<RolloutKey>),
    /// No attempt of this recorder is under way for the rollout.
    #[error("no attempt at rollout `{0}` is under way here: begin it first")]
    NotRunning(Box<RolloutKey>),
    /// The caller counts attempts differently.
    #[error("rollout `{key}` is at attempt {stored}, and the event says {asked}")]
    AttemptDiffers {
        /// The rollout.
        key: Box<RolloutKey>,
        /// The store's count.
        stored: u32,
        /// The event's count.
        asked: u32,
    },
    /// The reservation is not held in this run.
    #[error("reservation {0} is not held in this run")]
    NotHeld(i64),
    /// An amount of money below zero.
    #[error("an amount of money is below zero: {0} micro-dollars")]
    NegativeAmount(i64),
    /// The worker's own file could not be made or locked.
    #[error("failed to make this process known to others under `{path}`: {why}")]
    Worker {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
}
