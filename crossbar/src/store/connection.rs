//! One connection to the file, with the settings that every process must share.

use super::StoreError;
use super::schema::{APPLICATION_ID, CREATE, VERSION};
use rusqlite::{Connection, OpenFlags};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a statement waits for other processes.
const BUSY: Duration = Duration::from_secs(60);

/// Statements that are kept prepared, per connection; more than the room has.
const PREPARED: usize = 64;

/// What a store's file turned out to be.
enum Found {
    /// An empty database: no tables yet.
    Empty,
    /// A store of this version.
    Current,
}

fn failed<E: std::fmt::Display>(path: &Path) -> impl Fn(E) -> StoreError + '_ {
    move |error| StoreError::Open {
        path: path.to_owned(),
        why: error.to_string(),
    }
}

/// `<db>.lock`, beside the file.
fn lock_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let conn = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(failed(path))?;
    conn.busy_timeout(BUSY).map_err(failed(path))?;
    conn.set_prepared_statement_cache_capacity(PREPARED);
    conn.execute_batch("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL;")
        .map_err(failed(path))?;
    Ok(conn)
}

fn number(conn: &Connection, pragma: &str) -> rusqlite::Result<i32> {
    conn.pragma_query_value(None, pragma, |row| row.get(0))
}

/// Tells a store from an empty file, a newer store and another program's database.
fn look(conn: &Connection, path: &Path) -> Result<Found, StoreError> {
    let version = number(conn, "user_version").map_err(failed(path))?;
    let marked = number(conn, "application_id").map_err(failed(path))? == APPLICATION_ID;
    let tables: i64 = conn
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(failed(path))?;
    match (tables, marked, version) {
        (0, _, _) => Ok(Found::Empty),
        (_, true, VERSION) => Ok(Found::Current),
        (_, true, found) if found > VERSION => Err(StoreError::Newer {
            path: path.to_owned(),
            found,
            known: VERSION,
            version: written_by(conn),
        }),
        _ => Err(StoreError::Foreign(path.to_owned())),
    }
}

/// The version that made the schema; the file is of a newer one, so nothing is sure about it.
fn written_by(conn: &Connection) -> String {
    conn.query_row("SELECT crossbar FROM written_by", [], |row| row.get(0))
        .unwrap_or_else(|_| format!("{} (its writer is unnamed)", env!("CARGO_PKG_VERSION")))
}

fn use_wal(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let mode: String = conn
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
        .map_err(failed(path))?;
    if mode == "wal" {
        return Ok(());
    }
    Err(StoreError::NoWal {
        path: path.to_owned(),
        mode,
    })
}

fn create_schema(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let version = env!("CARGO_PKG_VERSION");
    conn.execute_batch(&format!(
        "BEGIN IMMEDIATE; {CREATE}
         INSERT INTO written_by (crossbar) VALUES ('{version}');
         PRAGMA application_id = {APPLICATION_ID};
         PRAGMA user_version = {VERSION};
         COMMIT;"
    ))
    .map_err(failed(path))
}

/// Opens the file, and makes it and its folder where they are missing.
///
/// The lock on `<db>.lock` is held meanwhile: SQLite's switch to the write-ahead log
/// answers "locked" at once instead of waiting, so only one process may be there.
pub(super) fn open_or_create(path: &Path) -> Result<Connection, StoreError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed(path))?;
    }
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(lock_path(path))
        .map_err(failed(path))?;
    lock.lock().map_err(failed(path))?;
    let conn = connect(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
    )?;
    if let Found::Empty = look(&conn, path)? {
        use_wal(&conn, path)?;
        create_schema(&conn, path)?;
    }
    Ok(conn)
}

/// Opens the file if it is there and holds a store; `None` otherwise. Never makes anything.
pub(super) fn open_existing(path: &Path) -> Result<Option<Connection>, StoreError> {
    if !path.is_file() {
        return Ok(None);
    }
    let conn = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    match look(&conn, path)? {
        Found::Empty => Ok(None),
        Found::Current => Ok(Some(conn)),
    }
}
