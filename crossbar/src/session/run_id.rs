//! The id of a new run: a moment that sorts, and four digits that tell two of one second apart.

use super::SessionError;
use crate::domain::{Clock, Moment, RunId};
use crate::fingerprint::seed_of;

/// The id that somebody chose, or a new one like `20261129T205100Z-7f3a`.
pub(super) fn run_id(chosen: Option<&str>, clock: &dyn Clock) -> Result<RunId, SessionError> {
    let text = match chosen {
        Some(text) => text.to_owned(),
        None => fresh(clock, std::process::id()),
    };
    RunId::new(&text).map_err(|error| {
        SessionError::new(format!("the run id {error}"))
            .help("set CROSSBAR_RUN_ID to a name of a folder, or leave it out")
    })
}

fn fresh(clock: &dyn Clock, process: u32) -> String {
    let now = clock.since_epoch();
    let mix = seed_of(u64::from(process), &[&now.as_nanos().to_string()]);
    format!("{}-{:04x}", Moment(now).compact(), mix & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    struct At(u64);

    impl Clock for At {
        fn monotonic(&self) -> Duration {
            Duration::ZERO
        }
        fn since_epoch(&self) -> Duration {
            Duration::from_secs(self.0)
        }
    }

    #[test]
    fn a_fresh_id_sorts_by_time_and_differs_by_process() {
        let first = fresh(&At(1_795_985_460), 1);
        assert!(first.starts_with("20261129T205100Z-"), "{first}");
        assert_ne!(first, fresh(&At(1_795_985_460), 2));
        assert!(first < fresh(&At(1_795_985_461), 1));
    }

    #[test]
    fn a_chosen_id_must_be_a_folder_name() {
        assert!(run_id(Some("nightly-7"), &At(0)).is_ok());
        assert!(run_id(Some("../x"), &At(0)).is_err());
    }
}
