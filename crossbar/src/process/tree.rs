//! A child and all that descends from it, as one thing that can be signalled and ended.

use super::live;
use super::scan::{Where, kill_marked};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A tree younger than this has no descendant with a lower process id than its own: no system
/// starts a whole round of process ids, 32768 at least, in this time.
const YOUNG: Duration = Duration::from_secs(2);

/// The processes of one child. The child leads a group whose number is its process id.
#[derive(Debug)]
pub(super) struct Tree {
    pid: u32,
    marker: String,
    born: Instant,
    gone: AtomicBool,
}

/// What a whole group can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tell {
    /// Please end (SIGTERM).
    End,
    /// Be gone (SIGKILL).
    Die,
}

impl Tree {
    pub(super) fn new(pid: u32, marker: String) -> Self {
        Self {
            pid,
            marker,
            born: Instant::now(),
            gone: AtomicBool::new(false),
        }
    }

    pub(super) fn marker(&self) -> &str {
        &self.marker
    }

    /// Signals the group. Nothing happens once the tree is known to be gone, since its number may
    /// be another group's by then.
    pub(super) fn tell(&self, what: Tell) {
        if !self.gone.load(Ordering::SeqCst) {
            signal_group(self.pid, what);
        }
    }

    /// Kills all of it, and returns when no process of it runs. To be called also right after the
    /// child was reaped by itself: what it left behind in its group dies here, before the number
    /// can be given to another process.
    pub(super) fn end(&self) {
        if self.gone.swap(true, Ordering::SeqCst) {
            return;
        }
        signal_group(self.pid, Tell::Die);
        let young = self.born.elapsed() < YOUNG;
        let place = if young {
            Where::After(self.pid)
        } else {
            Where::Everywhere
        };
        kill_marked(&BTreeSet::from([self.marker.clone()]), place);
        live::forget(&self.marker);
    }
}

#[cfg(unix)]
fn signal_group(pid: u32, what: Tell) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = match what {
        Tell::End => Signal::TERM,
        Tell::Die => Signal::KILL,
    };
    // The only failures are "no such group" and "not permitted"; neither leaves us anything to do.
    if let Some(group) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, signal);
    }
}

/// Kills one process.
#[cfg(target_os = "linux")]
pub(super) fn kill_process(pid: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Windows has no groups that a signal reaches: `taskkill` walks the tree by parent ids.
#[cfg(windows)]
fn signal_group(pid: u32, what: Tell) {
    let mut taskkill = std::process::Command::new("taskkill");
    taskkill.args(["/T", "/PID", &pid.to_string()]);
    if what == Tell::Die {
        taskkill.arg("/F");
    }
    let _ = taskkill.output();
}
