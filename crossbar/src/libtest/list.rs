//! `--list`: names, and nothing else happens.

use super::arguments::{Asked, Ignored};
use super::verdict_case;
use crate::session::Prepared;
use libtest_mimic::FormatSetting;
use serde_json::json;
use std::io::{self, Write};

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
pub(super) fn print(prepared: &Prepared, with_verdict: WithVerdict, asked: &Asked) {
    let mut list = List::begin(asked);
    let mut name = String::new();
    prepared.each_case(&mut |case| {
        name.clear();
        case.write_name(&mut name);
        if asked.wants(&name, Ignored::of(case)) {
            list.add(&name, case.withheld);
        }
    });
    if with_verdict == WithVerdict::Yes && verdict_case::is_listed(asked) {
        list.add(verdict_case::NAME, false);
    }
    let text = list.end();
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// What is printed, in one piece: a list may have ten thousand lines.
struct List {
    text: String,
    events: bool,
    total: usize,
    ignored: usize,
}

impl List {
    fn begin(asked: &Asked) -> Self {
        let mut list = Self {
            text: String::new(),
            events: asked.flags.format == Some(FormatSetting::Json),
            total: 0,
            ignored: 0,
        };
        if list.events {
            list.line(&json!({"type": "suite", "event": "discovery"}).to_string());
        }
        list
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn add(&mut self, name: &str, withheld: bool) {
        self.total += 1;
        self.ignored += usize::from(withheld);
        if self.events {
            let event = json!({
                "type": "test", "event": "discovered", "name": name, "ignore": withheld,
            });
            self.line(&event.to_string());
        } else {
            self.text.push_str(name);
            self.line(": test");
        }
    }

    fn end(mut self) -> String {
        if self.events {
            let end = json!({
                "type": "suite", "event": "completed", "tests": self.total, "benchmarks": 0,
                "total": self.total, "ignored": self.ignored,
            });
            self.line(&end.to_string());
        }
        self.text
    }
}
