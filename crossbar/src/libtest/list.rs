//! `--list`: names, and nothing else happens.

use super::arguments::Listed;
use libtest_mimic::Arguments;
use std::io::{self, BufWriter, Write};

/// Prints the wanted cases as libtest's terse list. A reader that has seen enough is no error.
pub(super) fn print(cases: &[Listed], arguments: &Arguments) {
    let mut out = BufWriter::new(io::stdout().lock());
    for case in cases.iter().filter(|case| case.is_wanted(arguments)) {
        if writeln!(out, "{}: test", case.id).is_err() {
            return;
        }
    }
    let _ = out.flush();
}
