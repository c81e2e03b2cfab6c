//! The command line that cargo and nextest give a test binary.

use super::flags::{Sorted, refused, sort};
use crate::domain::CaseId;
use crate::session::Reading;
use libtest_mimic::{Arguments, Completion, Trial};
use std::ffi::OsString;

/// What was asked of the test binary.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    /// The flags that libtest-mimic carries out; its own filter is never set.
    pub(super) flags: Arguments,
    /// A case that one of them means is wanted; none = every case.
    pub(super) filters: Vec<String>,
}

/// Reads the command line, as libtest would. A wrong flag ends the process with 2 here.
///
/// # Errors
/// What is wrong, as `error:` and `help:` lines.
pub(super) fn parse(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Asked, String> {
    let mut args = std::env::args_os();
    let program = args.next().unwrap_or_else(|| OsString::from("crossbar"));
    let Sorted {
        passed,
        filters,
        unknown,
    } = sort(args);
    if let Some(unknown) = unknown {
        return Err(refused(&unknown));
    }
    let mut flags = Arguments::from_iter(std::iter::once(program).chain(passed));
    if flags.test_threads == Some(0) {
        return Err("error: --test-threads is 0\nhelp: give 1 or more, or leave it out".to_owned());
    }
    if flags.test_threads.is_none() {
        flags.test_threads = threads(lookup("RUST_TEST_THREADS"))?;
    }
    Ok(Asked { flags, filters })
}

fn threads(text: Option<String>) -> Result<Option<usize>, String> {
    let Some(text) = text else { return Ok(None) };
    match text.parse() {
        Ok(threads) if threads > 0 => Ok(Some(threads)),
        _ => Err(format!(
            "error: RUST_TEST_THREADS is `{text}`\nhelp: give 1 or more, or unset it"
        )),
    }
}

impl Asked {
    /// Whether something on the command line can leave cases out.
    pub(super) fn selects(&self) -> bool {
        !self.filters.is_empty()
            || !self.flags.skip.is_empty()
            || self.flags.ignored
            || self.flags.bench
    }

    /// How much of the packs has to be read.
    pub(super) fn reading(&self) -> Reading {
        match self.flags.list {
            true => Reading::ToList,
            false => Reading::Whole,
        }
    }

    /// Whether one of the filters means a name.
    pub(super) fn means(&self, name: &str) -> bool {
        let one = |filter: &String| match self.flags.exact {
            true => filter == name,
            false => name.contains(filter.as_str()),
        };
        self.filters.is_empty() || self.filters.iter().any(one)
    }
}

/// A case as the runner knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) id: CaseId,
    /// Live, and not allowed or not funded: it is ignored, and nothing can make it run.
    pub(super) withheld: bool,
    /// Why its task is ignored; empty where no reason is given.
    pub(super) ignored: Option<String>,
}

impl Listed {
    /// Whether the command line leaves this case in; with `--list` that is whether it is listed.
    pub(super) fn is_wanted(&self, asked: &Asked) -> bool {
        let benchmarks_only = asked.flags.bench && !asked.flags.test;
        // A `Trial` is dear, and a list may have ten thousand cases.
        if !asked.selects() {
            return true;
        }
        let means = asked.means(&self.id.to_string()) && !benchmarks_only;
        means && !asked.flags.is_filtered_out(&self.trial())
    }

    /// The name and the flag, without anything to run.
    fn trial(&self) -> Trial {
        Trial::ignorable_test(self.id.to_string(), || Ok(Completion::ignored()))
            .with_ignored_flag(self.withheld || self.ignored.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_the_environment_are_a_number_above_zero() {
        assert_eq!(threads(None), Ok(None));
        assert_eq!(threads(Some("3".to_owned())), Ok(Some(3)));
        for wrong in ["0", "", "two", "-1"] {
            let error = threads(Some(wrong.to_owned())).unwrap_err();
            assert!(error.contains("RUST_TEST_THREADS"), "{error}");
        }
    }
}
