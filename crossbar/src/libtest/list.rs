//! `--list`: names, and nothing else happens.

use super::arguments::{Asked, Listed};
use super::verdict_case;
use libtest_mimic::FormatSetting;
use serde_json::json;
use std::io::{self, BufWriter, Write};

/// Whether the verdict is a case of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WithVerdict {
    /// It is.
    Yes,
    /// It is not.
    No,
}

/// Prints the wanted cases, as libtest's terse list or as the events of its JSON. A reader that has
/// seen enough is no error.
pub(super) fn print(cases: &[Listed], with_verdict: WithVerdict, asked: &Asked) {
    let mut out = BufWriter::new(io::stdout().lock());
    let wanted = cases.iter().filter(|case| case.is_wanted(asked));
    let wanted = wanted.map(|case| (case.id.to_string(), case.withheld));
    let verdict = with_verdict == WithVerdict::Yes && verdict_case::is_listed(asked);
    let wanted = wanted.chain(verdict.then(|| (verdict_case::NAME.to_owned(), false)));
    let printed = if asked.flags.format == Some(FormatSetting::Json) {
        events(wanted, &mut out)
    } else {
        names(wanted, &mut out)
    };
    let _ = printed.and_then(|()| out.flush());
}

fn names(cases: impl Iterator<Item = (String, bool)>, out: &mut impl Write) -> io::Result<()> {
    for (name, _) in cases {
        writeln!(out, "{name}: test")?;
    }
    Ok(())
}

fn events(cases: impl Iterator<Item = (String, bool)>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", json!({"type": "suite", "event": "discovery"}))?;
    let (mut total, mut ignored) = (0, 0);
    for (name, withheld) in cases {
        total += 1;
        ignored += usize::from(withheld);
        let event = json!({
            "type": "test", "event": "discovered", "name": name, "ignore": withheld,
        });
        writeln!(out, "{event}")?;
    }
    let end = json!({
        "type": "suite", "event": "completed",
        "tests": total, "benchmarks": 0, "total": total, "ignored": ignored,
    });
    writeln!(out, "{end}")
}
