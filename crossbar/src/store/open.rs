//! The handle to the file: one reading connection and the writer's thread.

use super::recorder::Recorder;
use super::shapes::Shapes;
use super::writer::{Durability, Writer};
use super::{StoreError, connection};
use crate::domain::RunId;
use rusqlite::{Connection, OptionalExtension};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A store of runs. Cloning it gives another handle to the same connections; the file is
/// closed when the last handle and the last [`Recorder`] are gone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

/// What handles and recorders share.
pub(super) struct Inner {
    path: PathBuf,
    pub(super) writer: Writer,
    reader: Mutex<Reader>,
}

/// The reading connection, with the shapes that it has met.
pub(super) struct Reader {
    pub(super) conn: Connection,
    pub(super) shapes: Shapes,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Store").field(&self.inner.path).finish()
    }
}

impl Store {
    /// Opens the store at `path`; makes its folder and the file where they are missing.
    /// Any number of processes may do so at once.
    ///
    /// # Errors
    /// `StoreError::Open` when the system refuses, `Newer` for a file of a newer crossbar,
    /// `Foreign` for another program's database, `NoWal` on a network file system.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let writing = connection::open_or_create(path)?;
        match connection::open_existing(path)? {
            Some(reading) => Ok(Self::over(path, writing, reading)),
            None => Err(StoreError::Open {
                path: path.to_owned(),
                why: "it vanished while it was being opened".to_owned(),
            }),
        }
    }

    /// Opens the store at `path` if there is one; never makes anything.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_existing(path: &Path) -> Result<Option<Self>, StoreError> {
        let Some(writing) = connection::open_existing(path)? else {
            return Ok(None);
        };
        match connection::open_existing(path)? {
            Some(reading) => Ok(Some(Self::over(path, writing, reading))),
            None => Ok(None),
        }
    }

    fn over(path: &Path, writing: Connection, reading: Connection) -> Self {
        let reader = Mutex::new(Reader {
            conn: reading,
            shapes: Shapes::default(),
        });
        Self {
            inner: Arc::new(Inner {
                path: path.to_owned(),
                writer: Writer::new(writing),
                reader,
            }),
        }
    }

    /// A recorder for a run: the sink and the budget of a sweep, shared by its threads.
    /// While it lives, other processes see its attempts as alive.
    ///
    /// # Errors
    /// `StoreError::UnknownRun`; `StoreError::Worker` when this process can't be announced.
    pub fn recorder(&self, run: &RunId) -> Result<Recorder, StoreError> {
        let no = self.inner.read(|reader| run_number(&reader.conn, run))?;
        Recorder::new(Arc::clone(&self.inner), no)
    }

    /// Runs `work` in a transaction and returns its value once that is committed.
    pub(super) fn write<T, F>(&self, durability: Durability, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut super::writer::Desk) -> Result<T, StoreError> + Send + 'static,
    {
        self.inner.writer.write(durability, work)
    }

    /// Runs `work` on one consistent state of the file.
    pub(super) fn snapshot<T>(
        &self,
        work: impl FnOnce(&mut Reader) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.inner.read(work)
    }

    /// The folder of the workers' files.
    pub(super) fn workers(&self) -> PathBuf {
        self.inner.workers()
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.inner.path
    }
}

impl Inner {
    /// Runs `work` on one consistent state of the file.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&mut Reader) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        reader.conn.execute_batch("BEGIN")?;
        let done = work(&mut reader);
        reader.conn.execute_batch("ROLLBACK")?;
        done
    }

    /// The folder of the workers' files: `workers` beside the store.
    pub(super) fn workers(&self) -> PathBuf {
        self.path
            .parent()
            .unwrap_or_else(|| Path::new(""))
            .join("workers")
    }
}

/// The small number of a run.
pub(super) fn run_number(conn: &Connection, run: &RunId) -> Result<i64, StoreError> {
    conn.prepare_cached("SELECT no FROM run WHERE id = ?1")?
        .query_row([run.as_str()], |row| row.get(0))
        .optional()?
        .ok_or_else(|| StoreError::UnknownRun(run.to_string()))
}
