//! A test binary that is ended in the middle of its sweep must not look like one that passed: a
//! task, or the code that it tests, can call `process::exit(0)`, and cargo sees only the 0.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a sweep is going on.
static GOING_ON: AtomicBool = AtomicBool::new(false);

/// Says that a sweep is going on, until it is dropped.
pub(super) struct Sweeping;

impl Sweeping {
    pub(super) fn begin() -> Self {
        GOING_ON.store(true, Ordering::SeqCst);
        Self
    }
}

impl Drop for Sweeping {
    fn drop(&mut self) {
        GOING_ON.store(false, Ordering::SeqCst);
    }
}

dtor::declarative::dtor! {
    /// Runs when the process ends, however it was asked to; a signal is no asking.
    #[dtor(unsafe)]
    fn at_the_end() {
        if GOING_ON.load(Ordering::SeqCst) {
            let said = b"error: something called process::exit in the middle of the sweep\n\
                help: a task must return; what was finished is kept, and CROSSBAR_RESUME goes on\n";
            let _ = std::io::stderr().write_all(said);
            std::process::abort();
        }
    }
}
