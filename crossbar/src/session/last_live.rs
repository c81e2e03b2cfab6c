//! What the last run with live cells said, for whoever runs the tests without them.

use super::{Prepared, conclude, stored};
use crate::analysis::Status;
use crate::domain::{CellId, Clock, Moment};
use crate::store::{Store, StoreError};
use std::time::Duration;

/// One line on the newest recorded run that holds one of the live cells which are left out now, with
/// its age by the clock; `None` where there is none. A record that can't be read is told by whoever
/// asks for it.
#[must_use]
pub fn last_live(prepared: &Prepared, clock: &dyn Clock) -> Option<String> {
    if prepared.withheld.is_empty() {
        return None;
    }
    let store = Store::open_existing(&stored::path(&prepared.results_dir)).ok()??;
    let (run, created_at) = newest(&store, &prepared.withheld).ok()??;
    drop(store);
    let concluded = conclude(&prepared.results_dir, &run, None).ok()?;
    let analysis = concluded.analysis();
    let verdict = analysis.verdict();
    let word = match (analysis.completeness.status, verdict.winner()) {
        (Status::Incomplete, _) => "INCOMPLETE".to_owned(),
        (_, Some(cell)) => format!("{} {cell}", verdict.word()),
        (_, None) => verdict.word().to_owned(),
    };
    let age = since(&created_at, clock);
    Some(format!(
        "last live verdict: {word} (run {run}, {age}), not re-measured"
    ))
}

/// How old what was begun at a moment (RFC 3339 UTC) is by the clock.
fn since(begun: &str, clock: &dyn Clock) -> String {
    let passed = |begun: Moment| age(clock.since_epoch().saturating_sub(begun.0));
    Moment::read(begun).map_or_else(|| "of unknown age".to_owned(), passed)
}

/// The newest run with one of these cells that asked their models and is no second look, and when
/// it was begun.
fn newest(store: &Store, cells: &[CellId]) -> Result<Option<(String, String)>, StoreError> {
    for run in store
        .runs()?
        .into_iter()
        .filter(|run| run.second_look_of.is_none())
    {
        let head = store.view(&run.id)?.head()?;
        if head.settings.get("replay_of").is_some() {
            continue;
        }
        if head.cells.iter().any(|cell| cells.contains(&cell.id)) {
            return Ok(Some((run.id.to_string(), run.created_at)));
        }
    }
    Ok(None)
}

/// An age in its largest whole unit.
fn age(passed: Duration) -> String {
    let minutes = passed.as_secs() / 60;
    let (count, unit) = match minutes {
        0 => return "under a minute old".to_owned(),
        1..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural} old")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock that stands still.
    struct Stopped(Duration);

    impl Clock for Stopped {
        fn monotonic(&self) -> Duration {
            self.0
        }

        fn since_epoch(&self) -> Duration {
            self.0
        }
    }

    #[test]
    fn n03_the_clock_that_is_given_says_how_old_a_run_is() {
        let begun = "2026-11-29T20:51:00.000Z";
        let at = Moment::read(begun).unwrap().0;
        let told = |later| since(begun, &Stopped(at + Duration::from_secs(later)));
        assert_eq!(told(0), "under a minute old");
        assert_eq!(told(2 * 86_400), "2 days old");
        assert_eq!(since(begun, &Stopped(Duration::ZERO)), "under a minute old");
        assert_eq!(since("yesterday", &Stopped(at)), "of unknown age");
    }

    #[test]
    fn an_age_is_told_in_its_largest_whole_unit() {
        let of = |seconds| age(Duration::from_secs(seconds));
        assert_eq!(of(59), "under a minute old");
        assert_eq!(of(60), "1 minute old");
        assert_eq!(of(7199), "1 hour old");
        assert_eq!(of(86_399), "23 hours old");
        assert_eq!(of(3 * 86_400), "3 days old");
    }
}
