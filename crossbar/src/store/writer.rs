//! The one connection of a process that writes: acknowledged group commit.
//!
//! Whoever comes while nobody writes does its own work, without a thread between; whoever comes
//! meanwhile leaves its job and waits. The next one to write takes all that wait into one
//! transaction, each inside its own savepoint, so that one refused job does not undo its neighbours.
//! A caller goes on after the commit.

use super::StoreError;
use super::shapes::Shapes;
use rusqlite::Connection;
use std::collections::VecDeque;
use std::sync::mpsc::{self, TryRecvError};
use std::sync::{Mutex, PoisonError};

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
    /// What the connection is set to.
    durability: Durability,
}

/// Answers the caller once the fate of the transaction is known.
type Answer = Box<dyn FnOnce(Result<(), String>) + Send>;

/// A job, called with the desk, or with the reason why no transaction could begin.
type Work = Box<dyn FnOnce(Result<&mut Desk, String>) -> Answer + Send>;

struct Job {
    durability: Durability,
    work: Work,
}

/// The desk, and those who wait for it. Dropping it closes the file.
pub(super) struct Writer {
    waiting: Mutex<VecDeque<Job>>,
    desk: Mutex<Desk>,
}

impl Writer {
    /// A writer over an open connection.
    pub(super) fn new(conn: Connection) -> Self {
        Self {
            waiting: Mutex::default(),
            desk: Mutex::new(Desk {
                conn,
                shapes: Shapes::default(),
                durability: Durability::Process,
            }),
        }
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
                // The caller holds the other end until it has it.
                let _ = answer.send(result);
            })
        });
        self.waiting().push_back(Job { durability, work });
        // A panic at the desk leaves a transaction that nobody knows the state of.
        let mut desk = self.desk.lock().map_err(|_| StoreError::WriterStopped)?;
        loop {
            match fate.try_recv() {
                Ok(result) => return result,
                Err(TryRecvError::Disconnected) => return Err(StoreError::WriterStopped),
                Err(TryRecvError::Empty) => desk.commit(self.next_group()),
            }
        }
    }

    fn next_group(&self) -> Vec<Job> {
        let mut waiting = self.waiting();
        let size = waiting.len().min(GROUP);
        waiting.drain(..size).collect()
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, VecDeque<Job>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Desk {
    fn commit(&mut self, group: Vec<Job>) {
        let needed = group
            .iter()
            .map(|job| job.durability)
            .max()
            .unwrap_or(Durability::Process);
        let begun = self.begin(needed).map_err(|e| e.to_string());
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

    fn begin(&mut self, needed: Durability) -> rusqlite::Result<()> {
        if needed != self.durability {
            let mode = match needed {
                Durability::Process => "NORMAL",
                Durability::Disk => "FULL",
            };
            self.conn.pragma_update(None, "synchronous", mode)?;
            self.durability = needed;
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
        Writer::new(conn)
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
            // These wait while the desk is taken, so they are one group.
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
            while writer.waiting().len() < group.len() {
                std::thread::yield_now();
            }
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
    fn after_a_panic_nothing_more_is_written_and_those_who_wait_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let writer = writer(&path);
        let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            writer.write::<(), _>(Durability::Process, |desk| {
                note(desk, 1)?;
                panic!("a fault of ours")
            })
        }));
        assert!(broken.is_err());
        let next = writer.write(Durability::Process, |desk| note(desk, 2));
        assert!(matches!(next, Err(StoreError::WriterStopped)), "{next:?}");
        drop(writer);
        let conn = Connection::open(&path).unwrap();
        let kept: i64 = conn
            .query_row("SELECT count(*) FROM shape", [], |row| row.get(0))
            .unwrap();
        assert_eq!(kept, 0);
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
