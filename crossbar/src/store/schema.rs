//! The tables of schema version 1.
//!
//! Runs, cells and tasks have small integers as keys, so that the many rows that
//! refer to them stay short. `rollout` holds the narrow results and is clustered by
//! its key, which makes the table its own covering index. `detail` has the record but
//! for the key, in SQLite's binary JSON (`json(json)` shows it), with the field names
//! written once per kind of object (`shape`).
//! `event` keeps only facts that no other table holds. `written_by` names the version that
//! made the schema, so that an older one can say what to install.

/// The schema version that this crossbar writes, kept in `user_version`.
pub(super) const VERSION: i32 = 1;

/// Marks the file as a crossbar store (`application_id`).
pub(super) const APPLICATION_ID: i32 = 0x6372_6f73;

/// Creates everything. One transaction runs it together with the version.
pub(super) const CREATE: &str = "
CREATE TABLE written_by (
    crossbar TEXT NOT NULL
) STRICT;
CREATE TABLE run (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    settings TEXT NOT NULL,
    settings_hash TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'finished'))
) STRICT;
CREATE TABLE cell (
    no INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run (no),
    id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    info TEXT NOT NULL,
    UNIQUE (run, id)
) STRICT;
CREATE TABLE task (
    no INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run (no),
    id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    info TEXT NOT NULL,
    UNIQUE (run, id)
) STRICT;
CREATE TABLE rollout (
    run INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    task INTEGER NOT NULL,
    repeat INTEGER NOT NULL,
    position INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('planned', 'running', 'terminal', 'unknown')),
    attempts INTEGER NOT NULL DEFAULT 0,
    final_attempt INTEGER,
    outcome TEXT,
    passed INTEGER,
    score REAL,
    cost_micro INTEGER,
    tok_in INTEGER,
    tok_out INTEGER,
    ms INTEGER,
    PRIMARY KEY (run, cell, task, repeat)
) STRICT, WITHOUT ROWID;
CREATE TABLE attempt (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    task INTEGER NOT NULL,
    repeat INTEGER NOT NULL,
    n INTEGER NOT NULL,
    worker TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'terminal', 'unknown', 'lost')),
    paid_started_at TEXT,
    outcome TEXT
) STRICT;
CREATE UNIQUE INDEX attempt_live ON attempt (run, cell, task, repeat) WHERE state = 'running';
CREATE TABLE shape (
    id INTEGER PRIMARY KEY,
    keys TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE detail (
    attempt INTEGER PRIMARY KEY REFERENCES attempt (id),
    json BLOB NOT NULL
) STRICT;
CREATE TABLE event (
    run INTEGER NOT NULL REFERENCES run (no),
    seq INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE budget (
    run INTEGER PRIMARY KEY REFERENCES run (no),
    limit_micro INTEGER,
    held_micro INTEGER NOT NULL DEFAULT 0 CHECK (held_micro >= 0),
    spent_micro INTEGER NOT NULL DEFAULT 0 CHECK (spent_micro >= 0)
) STRICT;
CREATE TABLE reservation (
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    micro INTEGER NOT NULL CHECK (micro >= 0),
    state TEXT NOT NULL CHECK (state IN ('held', 'settled'))
) STRICT;
";
