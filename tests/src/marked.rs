//! Processes on this machine by what stands in their environment, which no `setsid` takes off.

use std::time::{Duration, Instant};

/// Far longer than a process needs to see the end of its input.
const PATIENCE: Duration = Duration::from_secs(20);

/// Processes of the rollouts that the crossbar process `pid` runs or ran.
#[must_use]
pub fn of_sweep(pid: u32) -> Vec<u32> {
    let owner = format!("/{pid}-");
    found(|pair| pair.starts_with("CROSSBAR_ROLLOUT=") && pair.contains(&owner))
}

/// Processes whose environment holds exactly this `NAME=value`.
#[must_use]
pub fn with(pair: &str) -> Vec<u32> {
    found(|other| other == pair)
}

/// Waits until there are none any more; the last of them when they stay.
pub fn gone(seen: impl Fn() -> Vec<u32>) -> Vec<u32> {
    let limit = Instant::now() + PATIENCE;
    loop {
        let left = seen();
        if left.is_empty() || Instant::now() > limit {
            return left;
        }
        std::thread::yield_now();
    }
}

fn found(wanted: impl Fn(&str) -> bool) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").unwrap();
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let carries = |pid: &u32| {
        let environ = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let mut pairs = environ.split(|byte| *byte == 0);
        pairs.any(|pair| wanted(&String::from_utf8_lossy(pair)))
    };
    pids.filter(carries).collect()
}
