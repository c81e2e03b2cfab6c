//! A reader that has seen enough (`cargo test | head`) is no reason to panic, nor to stop a sweep
//! half way: what was begun is recorded.

use libtest_mimic::{Arguments, Conclusion, Trial};
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::thread;

/// Runs the trials; `None` when the reader of our output went away.
pub(super) fn run(flags: &Arguments, trials: Vec<Trial>) -> Option<Conclusion> {
    let ours = thread::current().id();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // libtest-mimic unwraps what printing gives it, on the thread that called it.
        let unwrapped = info.payload_as_str().is_some_and(is_closed_pipe);
        if !(unwrapped && thread::current().id() == ours) {
            before(info);
        }
    }));
    panic::catch_unwind(AssertUnwindSafe(|| libtest_mimic::run(flags, trials))).ok()
}

/// Whether a panic's message is that of a result with a broken pipe.
fn is_closed_pipe(message: &str) -> bool {
    let kind = format!("{:?}", io::ErrorKind::BrokenPipe);
    message.contains(&kind) || message.contains("Broken pipe")
}
