//! Every flag of libtest, with what becomes of it here. libtest-mimic knows some of them; an editor
//! or a CI script that passes another one must not be turned away.

use crate::session::closest;
use std::ffi::OsString;

/// A flag, what it is called, and what becomes of it.
struct Flag {
    names: &'static [&'static str],
    /// Whether a value follows.
    valued: bool,
    fate: Fate,
    doc: &'static str,
}

/// What becomes of a flag.
#[derive(Clone, Copy)]
enum Fate {
    /// libtest-mimic carries it out.
    Passed,
    /// It is taken, and nothing follows from it.
    Taken,
}

const fn flag(names: &'static [&'static str], fate: Fate, doc: &'static str) -> Flag {
    Flag {
        names,
        valued: false,
        fate,
        doc,
    }
}

const fn valued(names: &'static [&'static str], fate: Fate, doc: &'static str) -> Flag {
    Flag {
        names,
        valued: true,
        fate,
        doc,
    }
}

/// The flags of libtest in the order of its own help.
const TABLE: [Flag; 23] = [
    flag(
        &["--include-ignored"],
        Fate::Passed,
        "runs what is ignored too, but never a live cell that is not allowed and funded, nor a task \
         that needs what this build has not",
    ),
    flag(
        &["--ignored"],
        Fate::Passed,
        "runs only what is ignored; a live cell that is not allowed and funded stays ignored, and so does \
         a task that needs what this build has not",
    ),
    flag(
        &["--force-run-in-process"],
        Fate::Taken,
        "changes nothing: cases run in this process",
    ),
    flag(
        &["--exclude-should-panic"],
        Fate::Taken,
        "changes nothing: no case should panic",
    ),
    flag(
        &["--test"],
        Fate::Passed,
        "changes nothing: every case is a test",
    ),
    flag(
        &["--bench"],
        Fate::Passed,
        "runs nothing: no case is a benchmark",
    ),
    flag(
        &["--list"],
        Fate::Passed,
        "lists the cases and starts nothing; with `--format json` as libtest's events",
    ),
    flag(
        &["--fail-fast"],
        Fate::Taken,
        "changes nothing: a sweep that stops early has no verdict",
    ),
    flag(&["-h", "--help"], Fate::Passed, "prints the flags"),
    valued(
        &["--logfile"],
        Fate::Passed,
        "writes the lines of the cases to the file instead",
    ),
    flag(
        &["--no-capture", "--nocapture"],
        Fate::Taken,
        "changes nothing: what a task prints is never held back",
    ),
    valued(
        &["--test-threads"],
        Fate::Passed,
        "bounds how many cases wait at a time; `run.concurrency` bounds the sweep",
    ),
    valued(
        &["--skip"],
        Fate::Passed,
        "leaves out cases whose names contain the text; may be given several times",
    ),
    flag(
        &["-q", "--quiet"],
        Fate::Passed,
        "one character for each case",
    ),
    flag(
        &["--exact"],
        Fate::Passed,
        "filters and `--skip` are whole names",
    ),
    valued(
        &["--color"],
        Fate::Passed,
        "colours of the lines of the cases: auto, always or never",
    ),
    valued(
        &["--format"],
        Fate::Passed,
        "pretty, terse or json; `junit` changes nothing, since runs/latest/junit.xml is always written",
    ),
    flag(
        &["--show-output"],
        Fate::Passed,
        "changes nothing: what a task prints is never held back",
    ),
    valued(
        &["-Z"],
        Fate::Passed,
        "taken, for the flags that libtest calls unstable",
    ),
    flag(
        &["--report-time"],
        Fate::Taken,
        "changes nothing: COST AND TIME has the times of the rollouts",
    ),
    flag(
        &["--ensure-time"],
        Fate::Taken,
        "changes nothing: `timeout_s` bounds a task",
    ),
    flag(
        &["--shuffle"],
        Fate::Taken,
        "changes nothing: the sweep has its own order, from `run.seed`",
    ),
    valued(
        &["--shuffle-seed"],
        Fate::Taken,
        "changes nothing: the sweep has its own order, from `run.seed`",
    ),
];

/// Every flag as a person writes it, with what becomes of it.
#[must_use]
pub fn flags() -> Vec<(String, &'static str)> {
    TABLE
        .iter()
        .map(|flag| (flag.names.join(", "), flag.doc))
        .collect()
}

/// A command line, sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sorted {
    /// What libtest-mimic is given.
    pub(super) passed: Vec<OsString>,
    /// The filters: a case that one of them means is wanted.
    pub(super) filters: Vec<String>,
    /// The first long flag that libtest does not have.
    pub(super) unknown: Option<String>,
}

/// Sorts a command line without its program. Short flags that nobody knows are passed on: they may
/// be several in one.
pub(super) fn sort(args: impl IntoIterator<Item = OsString>) -> Sorted {
    let mut sorted = Sorted::default();
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let text = arg.to_string_lossy().into_owned();
        if text == "--" {
            sorted
                .filters
                .extend(args.map(|arg| arg.to_string_lossy().into_owned()));
            break;
        }
        if !text.starts_with('-') {
            sorted.filters.push(text);
            continue;
        }
        let (name, inline) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text.as_str(), None),
        };
        let Some(flag) = TABLE.iter().find(|flag| flag.names.contains(&name)) else {
            if name.starts_with("--") {
                sorted.unknown.get_or_insert(name.to_owned());
            }
            sorted.passed.push(arg);
            continue;
        };
        let apart = (flag.valued && inline.is_none())
            .then(|| args.next())
            .flatten();
        let value = inline.or_else(|| apart.as_ref().map(|v| v.to_string_lossy().into_owned()));
        let junit = name == "--format" && value.as_deref() == Some("junit");
        if matches!(flag.fate, Fate::Passed) && !junit {
            sorted.passed.push(arg);
            sorted.passed.extend(apart);
        }
    }
    sorted
}

/// The words for a flag that libtest does not have, with the one that was meant.
pub(super) fn refused(unknown: &str) -> String {
    let names = TABLE.iter().flat_map(|flag| flag.names.iter().copied());
    let help = match closest(unknown, names) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => {
            "--help names the flags; a filter that begins with `-` stands behind `--`".to_owned()
        }
    };
    format!("error: there is no flag `{unknown}`\nhelp: {help}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(args: &[&str]) -> (Vec<String>, Vec<String>) {
        let sorted = sort(args.iter().map(OsString::from));
        let passed = sorted.passed.iter();
        let passed = passed.map(|arg| arg.to_string_lossy().into_owned());
        (passed.collect(), sorted.filters)
    }

    #[test]
    fn values_are_no_filters_and_filters_are_many() {
        let (passed, filters) = sorted(&[
            "a",
            "--skip",
            "b",
            "--shuffle-seed",
            "7",
            "c",
            "--color=never",
            "--",
            "-d",
        ]);
        assert_eq!(passed, ["--skip", "b", "--color=never"]);
        assert_eq!(filters, ["a", "c", "-d"]);
    }

    #[test]
    fn a_flag_that_nobody_knows_is_told_the_near_one() {
        let unknown = |args: &[&str]| sort(args.iter().map(OsString::from)).unknown;
        let given = [
            "a",
            "--skip",
            "--x",
            "--reporttime=plain",
            "--other",
            "--",
            "--last",
        ];
        assert_eq!(unknown(&given).as_deref(), Some("--reporttime"));
        assert_eq!(unknown(&["-qx", "--list", "--", "--last"]), None);
        let said = refused("--reporttime");
        assert!(
            said.ends_with("help: did you mean `--report-time`?"),
            "{said}"
        );
        let said = refused("--colour-of-the-sky");
        assert!(said.contains("\nhelp: --help names the flags"), "{said}");
    }

    #[test]
    fn what_libtest_mimic_does_not_know_is_taken() {
        let known = [
            "--no-capture",
            "--report-time=plain",
            "--ensure-time",
            "--shuffle",
            "--fail-fast",
            "--format=junit",
        ];
        assert_eq!(sorted(&known), (vec![], vec![]));
        assert_eq!(sorted(&["-x"]).0, ["-x"]);
        assert_eq!(
            sorted(&["--format", "junit", "x"]),
            (vec![], vec!["x".to_owned()])
        );
    }
}
