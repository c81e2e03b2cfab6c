//! The command line that cargo and nextest give a test binary.

use crate::domain::CaseId;
use libtest_mimic::{Arguments, Completion, Trial};

/// Reads the command line, as libtest would. A wrong flag ends the process with 2 here.
///
/// # Errors
/// What is wrong, as `error:` and `help:` lines.
pub(super) fn parse() -> Result<Arguments, String> {
    let arguments = Arguments::from_args();
    if arguments.test_threads == Some(0) {
        return Err("error: --test-threads is 0\nhelp: give 1 or more, or leave it out".to_owned());
    }
    Ok(arguments)
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
    pub(super) fn is_wanted(&self, arguments: &Arguments) -> bool {
        !arguments.is_filtered_out(&self.trial())
    }

    /// The name and the flag, without anything to run.
    fn trial(&self) -> Trial {
        Trial::ignorable_test(self.id.to_string(), || Ok(Completion::ignored()))
            .with_ignored_flag(self.withheld || self.ignored.is_some())
    }
}
