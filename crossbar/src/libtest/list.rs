//! `--list`: names, and nothing else happens.

use super::arguments::{Asked, Listed};
use libtest_mimic::FormatSetting;
use serde_json::json;
use std::io::{self, BufWriter, Write};

/// Prints the wanted cases, as libtest's terse list or as the events of its JSON. A reader that has
/// seen enough is no error.
pub(super) fn print(cases: &[Listed], asked: &Asked) {
    let mut out = BufWriter::new(io::stdout().lock());
    let wanted = cases.iter().filter(|case| case.is_wanted(asked));
    let printed = if asked.flags.format == Some(FormatSetting::Json) {
        events(wanted, &mut out)
    } else {
        names(wanted, &mut out)
    };
    let _ = printed.and_then(|()| out.flush());
}

fn names<'a>(cases: impl Iterator<Item = &'a Listed>, out: &mut impl Write) -> io::Result<()> {
    for case in cases {
        writeln!(out, "{}: test", case.id)?;
    }
    Ok(())
}

fn events<'a>(cases: impl Iterator<Item = &'a Listed>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", json!({"type": "suite", "event": "discovery"}))?;
    let (mut total, mut ignored) = (0, 0);
    for case in cases {
        total += 1;
        ignored += usize::from(case.withheld);
        let name = case.id.to_string();
        let event = json!({
            "type": "test", "event": "discovered", "name": name, "ignore": case.withheld,
        });
        writeln!(out, "{event}")?;
    }
    let end = json!({
        "type": "suite", "event": "completed",
        "tests": total, "benchmarks": 0, "total": total, "ignored": ignored,
    });
    writeln!(out, "{end}")
}
