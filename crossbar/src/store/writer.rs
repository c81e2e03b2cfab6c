//! The one thread of a process that writes: acknowledged group commit.
//!
//! Jobs that wait together share one transaction, each inside its own savepoint, so
//! one refused job does not undo its neighbours. A caller is answered after the commit.

use super::StoreError;
use super::shapes::Shapes;
use rusqlite::Connection;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

/// Jobs that share a transaction at most.
const GROUP: usize = 64;

/// How far a commit must have come before the caller is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Durability {
    /// In the log: outlives the process.
    Process,
    /// Synced to the disk: outlives a power cut. Whatever touches money.
    Disk,
}

/// What a job works with, inside a transaction.
pub(super) struct Desk {
    /// The writing connection.
    pub(super) conn: Connection,
    /// Known kinds of objects in records.
    pub(super) shapes: Shapes,
}

/// Answers the caller once the fate of the transaction is known.
type Answer = Box<dyn FnOnce(Result<(), String>) + Send>;

/// A job, called with the desk, or with the reason why no transaction could begin.
type Work = Box<dyn FnOnce(Result<&mut Desk, String>) -> Answer + Send>;

struct Job {
    durability: Durability,
    work: Work,
}

/// The handle to the writing thread. Dropping it finishes what waits and closes the file.
pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread over an open connection.
    pub(super) fn start(conn: Connection) -> std::io::Result<Self> {
        let (jobs, waiting) = mpsc::channel();
        let mut desk = Desk {
            conn,
            shapes: Shapes::default(),
        };
        let thread = std::thread::Builder::new()
            .name("crossbar-store".to_owned())
            .spawn(move || desk.serve(&waiting))?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
        })
    }

    /// Runs `work` in a transaction and returns its value once that is committed.
    pub(super) fn write<T, F>(&self, durability: Durability, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Desk) -> Result<T, StoreError> + Send + 'static,
    {
        let (answer, fate) = mpsc::sync_channel(1);
        let work: Work = Box::new(move |desk| {
            let done = match desk {
                Ok(desk) => desk.in_savepoint(work),
                Err(why) => Err(StoreError::Commit(why)),
            };
            Box::new(move |commit| {
                let result = match commit {
                    Ok(()) => done,
                    Err(why) => done.and(Err(StoreError::Commit(why))),
                };
                // A caller that no longer waits has no use for the answer.
                let _ = answer.send(result);
            })
        });
        let jobs = self.jobs.as_ref().ok_or(StoreError::WriterStopped)?;
        jobs.send(Job { durability, work })
            .map_err(|_| StoreError::WriterStopped)?;
        fate.recv().map_err(|_| StoreError::WriterStopped)?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // It ends by itself once no sender is left; a panic in it has been reported.
            let _ = thread.join();
        }
    }
}

impl Desk {
    fn serve(&mut self, waiting: &Receiver<Job>) {
        let mut current = Durability::Process;
        while let Ok(first) = waiting.recv() {
            let mut group = vec![first];
            while group.len() < GROUP
                && let Ok(next) = waiting.try_recv()
            {
                group.push(next);
            }
            self.commit(group, &mut current);
        }
    }

    fn commit(&mut self, group: Vec<Job>, current: &mut Durability) {
        let needed = group
            .iter()
            .map(|job| job.durability)
            .max()
            .unwrap_or(Durability::Process);
        let begun = self.begin(needed, current).map_err(|e| e.to_string());
        let answers: Vec<Answer> = group
            .into_iter()
            .map(|job| match &begun {
                Ok(()) => (job.work)(Ok(self)),
                Err(why) => (job.work)(Err(why.clone())),
            })
            .collect();
        let fate = begun.and_then(|()| self.end().map_err(|e| e.to_string()));
        for answer in answers {
            answer(fate.clone());
        }
    }

    fn begin(&mut self, needed: Durability, current: &mut Durability) -> rusqlite::Result<()> {
        if needed != *current {
            let mode = match needed {
                Durability::Process => "NORMAL",
                Durability::Disk => "FULL",
            };
            self.conn.pragma_update(None, "synchronous", mode)?;
            *current = needed;
        }
        self.run("BEGIN IMMEDIATE")
    }

    fn end(&mut self) -> rusqlite::Result<()> {
        self.run("COMMIT").inspect_err(|_| {
            self.shapes.forget();
            // Where SQLite has rolled back by itself there is nothing left to do.
            let _ = self.run("ROLLBACK");
        })
    }

    fn run(&self, sql: &str) -> rusqlite::Result<()> {
        self.conn.prepare_cached(sql)?.execute([]).map(|_| ())
    }

    fn in_savepoint<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.conn.is_autocommit() {
            // A neighbour's failure, a full disk for one, ended the shared transaction.
            return Err(StoreError::Commit(
                "the transaction was rolled back".to_owned(),
            ));
        }
        self.run("SAVEPOINT job")?;
        let done = work(self);
        if done.is_err() {
            self.shapes.forget();
            self.run("ROLLBACK TO job")?;
        }
        self.run("RELEASE job")?;
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writer(path: &std::path::Path) -> Writer {
        let conn = super::super::connection::open_or_create(path).unwrap();
        Writer::start(conn).unwrap()
    }

    fn note(desk: &Desk, id: i64) -> Result<(), StoreError> {
        desk.conn
            .execute("INSERT INTO shape (id, keys) VALUES (?1, ?1 || '')", [id])?;
        Ok(())
    }

    #[test]
    fn a_refused_job_does_not_undo_those_that_share_its_transaction() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let writer = writer(&path);
        let (release, held) = mpsc::channel::<()>();
        let (entered, inside) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let writer = &writer;
            scope.spawn(move || {
                writer
                    .write(Durability::Process, move |desk| {
                        entered.send(()).unwrap();
                        held.recv().unwrap();
                        note(desk, 1)
                    })
                    .unwrap();
            });
            inside.recv().unwrap();
            // These wait while the writer is held, so they are one group.
            let group: Vec<_> = (2..=4)
                .map(|seq| {
                    scope.spawn(move || {
                        writer.write(Durability::Process, move |desk| {
                            note(desk, seq)?;
                            if seq == 3 {
                                Err(StoreError::NoRuns)
                            } else {
                                Ok(())
                            }
                        })
                    })
                })
                .collect();
            release.send(()).unwrap();
            let results: Vec<bool> = group
                .into_iter()
                .map(|job| job.join().unwrap().is_ok())
                .collect();
            assert_eq!(results, [true, false, true]);
        });
        drop(writer);
        let conn = Connection::open(&path).unwrap();
        let kept: String = conn
            .query_row("SELECT group_concat(id) FROM shape", [], |row| row.get(0))
            .unwrap();
        assert_eq!(kept, "1,2,4");
    }

    #[test]
    fn money_is_synced_to_the_disk_and_free_work_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let writer = writer(&folder.path().join("store.db"));
        let mode = |durability| {
            writer
                .write(durability, |desk| {
                    Ok(desk
                        .conn
                        .pragma_query_value(None, "synchronous", |row| row.get::<_, i64>(0))?)
                })
                .unwrap()
        };
        let modes = [Durability::Process, Durability::Disk, Durability::Process].map(mode);
        assert_eq!(modes, [1, 2, 1]);
    }
}
