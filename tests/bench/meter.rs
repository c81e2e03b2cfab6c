//! CPU time and peak memory of this process, and the CPU time of its children, from /proc.

use std::error::Error;
use std::path::Path;

/// The kernel counts in hundredths of a second whatever its own clock is (USER_HZ).
const TICKS_PER_SECOND: f64 = 100.0;

/// Seconds of CPU time so far, user and system together.
#[derive(Clone, Copy)]
pub struct Cpu {
    /// All threads of this process, those that have ended too.
    pub own: f64,
    /// Children that were waited for, with theirs.
    pub children: f64,
}

impl Cpu {
    /// The counters now.
    pub fn now() -> Result<Self, Box<dyn Error>> {
        let text = std::fs::read_to_string("/proc/self/stat")?;
        // The second field is the program's name in brackets and may hold anything.
        let (_, rest) = text.rsplit_once(')').ok_or("no name in /proc/self/stat")?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        // Fields 14 to 17 of the manual: utime, stime, cutime, cstime.
        let ticks = |at: usize| -> Result<f64, Box<dyn Error>> {
            let field = fields.get(at).ok_or("/proc/self/stat is short")?;
            Ok(field.parse::<f64>()?)
        };
        Ok(Self {
            own: (ticks(11)? + ticks(12)?) / TICKS_PER_SECOND,
            children: (ticks(13)? + ticks(14)?) / TICKS_PER_SECOND,
        })
    }

    /// What was used since then.
    pub fn since(before: Self) -> Result<Self, Box<dyn Error>> {
        let now = Self::now()?;
        Ok(Self {
            own: now.own - before.own,
            children: now.children - before.children,
        })
    }
}

/// The most memory that this process has held, in KiB.
pub fn peak_kib() -> Result<u64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/status")?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .ok_or("no VmHWM in /proc/self/status")?;
    let number = line.split_whitespace().next().ok_or("VmHWM is empty")?;
    Ok(number.parse()?)
}

/// Bytes of the record once its last handle is closed.
pub fn stored(folder: &Path) -> Result<u64, Box<dyn Error>> {
    Ok(std::fs::metadata(folder.join("store.db"))?.len())
}
