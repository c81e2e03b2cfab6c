//! The command line that cargo and nextest give a test binary.

use super::flags::{Sorted, refused, sort};
use crate::domain::CaseId;
use crate::session::{Case, Reading};
use libtest_mimic::Arguments;
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

    /// How much of the packs has to be read, where cases are processes of nextest's or all run in
    /// this one.
    pub(super) fn reading(&self, runner: Runner) -> Reading<'_> {
        match (self.flags.list, runner, self.filters.as_slice()) {
            (true, ..) => Reading::ToList,
            (false, Runner::Nextest, [case]) if self.flags.exact => Reading::ToRun(case),
            _ => Reading::Whole,
        }
    }

    /// Whether the command line leaves a case in; with `--list` that is whether it is listed. As
    /// libtest-mimic decides it, which takes a `Trial` for each case, and a list may have ten
    /// thousand.
    pub(super) fn wants(&self, name: &str, ignored: Ignored) -> bool {
        let skipped = |skip: &String| match self.flags.exact {
            true => skip == name,
            false => name.contains(skip.as_str()),
        };
        let out = (self.flags.bench && !self.flags.test)
            || (self.flags.ignored && ignored == Ignored::No)
            || self.flags.skip.iter().any(skipped);
        !out && self.means(name)
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

/// Whose processes the cases are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runner {
    /// One for each case, started by nextest.
    Nextest,
    /// All cases run in this one.
    Libtest,
}

impl Runner {
    /// Who started this process.
    pub(super) fn here() -> Self {
        match std::env::var_os("NEXTEST_EXECUTION_MODE") {
            Some(mode) if mode == "process-per-test" => Self::Nextest,
            _ => Self::Libtest,
        }
    }
}

/// Whether a case is ignored, for whatever reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ignored {
    /// It is.
    Yes,
    /// It is not.
    No,
}

impl Ignored {
    /// Whether a case is.
    pub(super) fn of(case: &Case<'_>) -> Self {
        match case.withheld || case.ignored.is_some() {
            true => Self::Yes,
            false => Self::No,
        }
    }
}

/// A case that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) id: CaseId,
    /// Live, and not allowed or not funded: it is ignored, and nothing can make it run.
    pub(super) withheld: bool,
    /// Why its task is ignored; empty where no reason is given.
    pub(super) ignored: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_wanted_as_libtest_mimic_decides_it() {
        use libtest_mimic::Trial;
        for line in [
            &[][..],
            &["desk"],
            &["--exact", "desk::one"],
            &["--exact", "desk::on"],
            &["--skip", "one"],
            &["--skip", "one", "desk"],
            &["--exact", "--skip", "desk::one"],
            &["--exact", "--skip", "one"],
            &["--ignored"],
            &["--ignored", "two"],
            &["--include-ignored"],
        ] {
            let Sorted {
                passed, filters, ..
            } = sort(line.iter().map(OsString::from));
            let program = std::iter::once(OsString::from("agents"));
            let flags = Arguments::from_iter(program.chain(passed));
            let theirs = Arguments {
                filter: filters.first().cloned(),
                ..flags.clone()
            };
            let asked = Asked { flags, filters };
            for (name, ignored) in [("desk::one", Ignored::No), ("desk::two", Ignored::Yes)] {
                let trial = Trial::test(name, || Ok(()));
                let trial = trial.with_ignored_flag(ignored == Ignored::Yes);
                let out = theirs.is_filtered_out(&trial);
                assert_eq!(asked.wants(name, ignored), !out, "{line:?} {name}");
            }
        }
    }

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
