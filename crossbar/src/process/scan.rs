//! Finds and kills processes by the marker in their environment.
//!
//! A process group is left by `setsid`; the environment that a program was started with is not.
//! Out of reach: a program that starts others with an emptied environment in a session of their
//! own, or that writes over its environment block.

use std::collections::BTreeSet;

/// Where to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    /// Everywhere: 17 µs for each process of the machine.
    Everywhere,
    /// Among the processes started after this one. The system gives out process ids in ascending
    /// order and starts again at the top, so this finds all descendants of a process as long as
    /// the ids have not gone round a whole time since its start.
    After(u32),
}

/// Kills every process that carries one of `markers`, and waits until none does. Where there is no
/// `/proc`, the process group is all that can be reached.
pub(super) fn kill_marked(markers: &BTreeSet<String>, place: Where) {
    #[cfg(target_os = "linux")]
    linux::kill_marked(markers, place);
    #[cfg(not(target_os = "linux"))]
    let _ = (markers, place);
}

#[cfg(target_os = "linux")]
mod linux {
    use super::Where;
    use crate::process::spec::MARKER;
    use crate::process::tree::kill_process;
    use std::collections::BTreeSet;
    use std::time::Duration;

    /// A killed process keeps its environment until the kernel has torn it down, mostly for less
    /// than a millisecond; one in an uninterruptible sleep is given up after `ROUNDS`.
    const PAUSE: Duration = Duration::from_millis(1);
    const ROUNDS: u32 = 500;

    /// Up to this many ids, asking for each is cheaper than listing all of `/proc`.
    const FEW: u32 = 256;

    /// Kills until no process carries one of `markers`, so that a fork during the scan is caught
    /// by the next round.
    pub(super) fn kill_marked(markers: &BTreeSet<String>, place: Where) {
        // A `/proc` of another namespace would name the wrong processes.
        let own = std::fs::read_link("/proc/self").ok();
        if own.and_then(|pid| pid.to_str()?.parse().ok()) != Some(std::process::id()) {
            return;
        }
        for _ in 0..ROUNDS {
            let mut found = candidates(place);
            found.retain(|pid| carries(*pid, markers));
            if found.is_empty() {
                return;
            }
            for pid in found {
                kill_process(pid);
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn candidates(place: Where) -> Vec<u32> {
        let (Where::After(first), Some(last)) = (place, last_pid()) else {
            return listed(|_| true);
        };
        if (first..=first.saturating_add(FEW)).contains(&last) {
            return (first..=last).collect();
        }
        listed(|pid| between(first, last, pid))
    }

    /// Whether `pid` was given out from `first` on and up to `last`, which may be in the next round.
    fn between(first: u32, last: u32, pid: u32) -> bool {
        if first <= last {
            (first..=last).contains(&pid)
        } else {
            pid >= first || pid <= last
        }
    }

    /// The id that was given out last: the fifth field of `/proc/loadavg`.
    fn last_pid() -> Option<u32> {
        let text = std::fs::read_to_string("/proc/loadavg").ok()?;
        text.split_whitespace().nth(4)?.parse().ok()
    }

    fn listed(wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let Ok(entries) = std::fs::read_dir("/proc") else {
            return Vec::new();
        };
        let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        pids.filter(|pid| wanted(*pid)).collect()
    }

    fn carries(pid: u32, markers: &BTreeSet<String>) -> bool {
        // Another user's process cannot be read, and could not be killed either.
        let Ok(environ) = std::fs::read(format!("/proc/{pid}/environ")) else {
            return false;
        };
        environ
            .split(|byte| *byte == 0)
            .filter_map(|pair| pair.strip_prefix(MARKER.as_bytes())?.strip_prefix(b"="))
            .any(|value| str::from_utf8(value).is_ok_and(|value| markers.contains(value)))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn ids_that_were_given_out_since_are_searched_also_after_the_last_id_of_all() {
            let found = |first, last| -> Vec<u32> {
                [1, 9, 10, 20, 21, 30]
                    .into_iter()
                    .filter(|pid| between(first, last, *pid))
                    .collect()
            };
            assert_eq!(found(10, 20), [10, 20]);
            assert_eq!(found(21, 9), [1, 9, 21, 30]);
        }

        #[test]
        fn the_own_process_is_found_where_the_search_begins_at_it_or_long_before() {
            let own = std::process::id();
            // Not from 1: after the last id of all, ids begin there again.
            for first in [own, own.saturating_sub(1000).max(1)] {
                assert!(
                    candidates(Where::After(first)).contains(&own),
                    "from {first}"
                );
            }
            assert!(candidates(Where::Everywhere).contains(&own));
        }
    }
}
