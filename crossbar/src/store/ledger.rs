//! The ledger: holds, bills and the ceiling, in whole micro-dollars.
//!
//! A bill above its hold is recorded as it is, so `held + spent` may pass the ceiling;
//! the next reservation is refused then.

use super::StoreError;
use crate::domain::{BudgetLimit, BudgetStatus, RolloutKey, Usd};
use rusqlite::{Connection, OptionalExtension, params};

const HOLD: &str = "UPDATE budget SET held_micro = held_micro + ?2
    WHERE run = ?1 AND (limit_micro IS NULL OR spent_micro + held_micro + ?2 <= limit_micro)";
const PAYS: &str = "UPDATE attempt
    SET paid_started_at = coalesce(paid_started_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE id = ?1 AND state = 'running'";
const RESERVE: &str = "INSERT INTO reservation (attempt, micro, state) VALUES (?1, ?2, 'held')";
const HELD: &str = "SELECT r.micro FROM reservation r JOIN attempt a ON a.id = r.attempt
    WHERE r.id = ?1 AND r.state = 'held' AND a.run = ?2";
const SETTLE: &str = "UPDATE reservation SET state = 'settled', micro = ?2 WHERE id = ?1";
const BILL: &str = "UPDATE budget SET held_micro = held_micro - ?2, spent_micro = spent_micro + ?3
    WHERE run = ?1";

const UNDER_WAY: &str = "SELECT coalesce(sum(r.micro), 0) FROM reservation r
    JOIN attempt a ON a.id = r.attempt
    WHERE a.run = ?1 AND a.id != ?2 AND r.state = 'held' AND a.state = 'running'";
const FITS: &str = "SELECT spent_micro + held_micro - ?2 + ?3 <= limit_micro
    FROM budget WHERE run = ?1 AND limit_micro IS NOT NULL";

/// Whether a refused amount would fit if the calls under way cost nothing.
pub(super) fn may_fit_later(
    conn: &Connection,
    run: i64,
    attempt: i64,
    worst_case: Usd,
) -> Result<bool, StoreError> {
    let under_way: i64 = conn
        .prepare_cached(UNDER_WAY)?
        .query_row(params![run, attempt], |row| row.get(0))?;
    let fits: Option<bool> = conn
        .prepare_cached(FITS)?
        .query_row(params![run, under_way, amount(worst_case)?], |row| {
            row.get(0)
        })
        .optional()?;
    Ok(under_way > 0 && fits == Some(true))
}

fn amount(usd: Usd) -> Result<i64, StoreError> {
    match usd.micros() {
        micros if micros < 0 => Err(StoreError::NegativeAmount(micros)),
        micros => Ok(micros),
    }
}

/// Holds an amount for an attempt and notes that it has begun to pay. `None`: the ceiling, or
/// the lack of one, refuses it, and nothing has changed.
pub(super) fn reserve(
    conn: &Connection,
    run: i64,
    attempt: (i64, &RolloutKey),
    worst_case: Usd,
) -> Result<Option<i64>, StoreError> {
    let micros = amount(worst_case)?;
    let (attempt, key) = attempt;
    if conn.prepare_cached(HOLD)?.execute(params![run, micros])? != 1 {
        return Ok(None);
    }
    if conn.prepare_cached(PAYS)?.execute([attempt])? != 1 {
        return Err(StoreError::NotRunning(Box::new(key.clone())));
    }
    let id = conn
        .prepare_cached(RESERVE)?
        .insert(params![attempt, micros])?;
    Ok(Some(id))
}

/// Replaces a hold by the bill.
pub(super) fn settle(
    conn: &Connection,
    run: i64,
    reservation: i64,
    actual: Usd,
) -> Result<(), StoreError> {
    let bill = amount(actual)?;
    let held: i64 = conn
        .prepare_cached(HELD)?
        .query_row(params![reservation, run], |row| row.get(0))
        .optional()?
        .ok_or(StoreError::NotHeld(reservation))?;
    conn.prepare_cached(SETTLE)?
        .execute(params![reservation, bill])?;
    conn.prepare_cached(BILL)?
        .execute(params![run, held, bill])?;
    Ok(())
}

/// The state of a run's budget; `None` when it has none.
pub(super) fn status(conn: &Connection, run: i64) -> Result<Option<BudgetStatus>, StoreError> {
    let status = conn
        .prepare_cached("SELECT limit_micro, held_micro, spent_micro FROM budget WHERE run = ?1")?
        .query_row([run], |row| {
            let limit: Option<i64> = row.get(0)?;
            Ok(BudgetStatus {
                limit: limit.map_or(BudgetLimit::Unlimited, |micros| {
                    BudgetLimit::Usd(Usd::from_micros(micros))
                }),
                held: Usd::from_micros(row.get(1)?),
                spent: Usd::from_micros(row.get(2)?),
            })
        })
        .optional()?;
    Ok(status)
}
