//! `tool_called`: counts the calls of a tool that really ran.
//!
//! Only calls that reached the tool count, whether it answered or failed. A call whose arguments
//! were no JSON object, a blocked one, one of an unknown tool and one that a limit cut off never
//! ran, and do not count.
//!
//! Without `min_times` at least one call is asked for, unless `max_times` is 0. A check that holds
//! with no call at all (`max_times: 0`, or `min_times: 0` written beside a `max_times`) holds for
//! an agent that does nothing, so it is a guard by kind.

use super::{
    Check, CheckKind, FieldError, FieldKind, FieldSpec, Fields, GuardByKind, Judgement, ToolPattern,
};
use crate::domain::{Evidence, Trajectory};

/// The row of the table.
pub(super) const KIND: CheckKind = CheckKind {
    name: "tool_called",
    doc: "a tool ran at least, or at most, so many times",
    guard_by_kind: GuardByKind::When {
        doc: "it holds without any call: max_times 0, or min_times 0",
        holds: |fields| matches!(bounds(fields), Ok((0, _))),
    },
    about_state: false,
    fields: &[
        FieldSpec {
            name: "tool",
            kind: FieldKind::Text,
            required: true,
            doc: "`server.tool`, `server.*`, or the bare tool name",
        },
        FieldSpec {
            name: "server",
            kind: FieldKind::Text,
            required: false,
            doc: "the server's name, where `tool` is the bare name",
        },
        FieldSpec {
            name: "min_times",
            kind: FieldKind::Count,
            required: false,
            doc: "calls that must have run at least (default 1, or 0 where max_times is 0)",
        },
        FieldSpec {
            name: "max_times",
            kind: FieldKind::Count,
            required: false,
            doc: "calls that may have run at most (default: no limit)",
        },
    ],
    build,
};

#[derive(Debug)]
struct ToolCalled {
    pattern: ToolPattern,
    min: u32,
    max: Option<u32>,
}

fn build(fields: &Fields) -> Result<Box<dyn Check>, FieldError> {
    let tool = fields.text("tool")?;
    let name = match fields.optional_text("server")? {
        None => tool.to_owned(),
        Some("") => return Err(FieldError::new("server", "is empty: leave it out")),
        Some(server) => format!("{server}.{tool}"),
    };
    if tool.is_empty() {
        return Err(FieldError::new("tool", "is empty"));
    }
    let pattern =
        ToolPattern::parse(&name).map_err(|error| FieldError::new("tool", error.to_string()))?;
    let (min, max) = bounds(fields)?;
    match max {
        Some(max) if max < min => Err(FieldError::new(
            "max_times",
            format!("{max} is below min_times {min}: nothing can satisfy both"),
        )),
        None if min == 0 => Err(FieldError::new(
            "min_times",
            "0 without a max_times always holds: set max_times, or leave the check out",
        )),
        _ => Ok(Box::new(ToolCalled { pattern, min, max })),
    }
}

/// The least and the greatest number of calls.
fn bounds(fields: &Fields) -> Result<(u32, Option<u32>), FieldError> {
    let max = fields.count("max_times")?;
    let least = u32::from(max != Some(0));
    Ok((fields.count("min_times")?.unwrap_or(least), max))
}

impl Check for ToolCalled {
    fn judge(&self, trajectory: &Trajectory, _evidence: &Evidence) -> Judgement {
        let (mut ran, mut asked) = (0_usize, 0_usize);
        for call in trajectory.calls() {
            if self.pattern.matches(&call.server, &call.tool) {
                asked += 1;
                ran += usize::from(call.executed());
            }
        }
        let (min, max) = (self.min as usize, self.max.map(|max| max as usize));
        if ran >= min && max.is_none_or(|max| ran <= max) {
            return Judgement::pass();
        }
        let idle = match asked - ran {
            0 => String::new(),
            n => format!(" ({n} more asked for, never run)"),
        };
        let expected = match max {
            Some(max) if max == min => format!("{min}"),
            Some(max) if min == 0 => format!("at most {max}"),
            Some(max) => format!("{min} to {max}"),
            None => format!("at least {min}"),
        };
        Judgement::fail(format!(
            "calls of `{}`: expected {expected}, got {ran}{idle}",
            self.pattern
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::spec::tests::{call, trajectory};
    use super::super::{CheckSpec, kind};
    use super::*;
    use crate::domain::CallOutcome;
    use serde_json::{Value, json};

    fn spec(fields: &Value) -> Result<CheckSpec, FieldError> {
        let mut set = Fields::default();
        for (name, value) in fields.as_object().unwrap() {
            set.set(name, value.clone());
        }
        CheckSpec::new(kind("tool_called").unwrap(), &set, 1)
    }

    fn holds(fields: &Value, outcomes: &[CallOutcome]) -> bool {
        let calls = outcomes.iter().cloned().map(call).collect();
        let row = spec(fields)
            .unwrap()
            .judge(&trajectory(calls), &Evidence::default());
        assert_eq!(row.passed, row.message.is_none());
        row.passed
    }

    fn ok() -> CallOutcome {
        CallOutcome::Result {
            text: String::new(),
            structured: None,
        }
    }

    fn failed() -> CallOutcome {
        CallOutcome::Error {
            text: "no".into(),
            protocol: false,
        }
    }

    #[test]
    fn the_default_is_at_least_once_and_bounds_are_inclusive() {
        let tool = json!({"tool": "tickets.get"});
        assert!(!holds(&tool, &[]));
        assert!(holds(&tool, &[ok()]));
        let once = json!({"tool": "get", "max_times": 1});
        assert!(!holds(&once, &[]));
        assert!(holds(&once, &[ok()]));
        assert!(!holds(&once, &[ok(), ok()]));
        let between = json!({"tool": "*", "server": "tickets", "min_times": 2, "max_times": 3});
        let seen: Vec<bool> = (0..5).map(|n| holds(&between, &vec![ok(); n])).collect();
        assert_eq!(seen, [false, false, true, true, false]);
        assert!(!holds(&json!({"tool": "orders.get"}), &[ok()]));
    }

    #[test]
    fn only_calls_that_reached_the_tool_count() {
        let tool = json!({"tool": "tickets.get"});
        assert!(holds(&tool, &[failed()]));
        for idle in [
            CallOutcome::Malformed { why: "no".into() },
            CallOutcome::Blocked { rule: "r".into() },
            CallOutcome::Unknown,
            CallOutcome::NotRun,
        ] {
            assert!(!holds(&tool, std::slice::from_ref(&idle)), "{idle:?}");
            assert!(holds(&json!({"tool": "get", "max_times": 0}), &[idle]));
        }
        assert!(!holds(&json!({"tool": "get", "max_times": 0}), &[failed()]));
    }

    #[test]
    fn what_holds_with_no_call_is_a_guard() {
        for (fields, guard) in [
            (json!({"tool": "get"}), false),
            (json!({"tool": "get", "max_times": 3}), false),
            (json!({"tool": "get", "max_times": 0}), true),
            (json!({"tool": "get", "min_times": 0, "max_times": 3}), true),
        ] {
            assert_eq!(spec(&fields).unwrap().guard, guard, "{fields}");
        }
    }

    #[test]
    fn bounds_that_nothing_or_everything_satisfies_are_refused() {
        for (fields, field) in [
            (json!({"tool": "get", "min_times": 0}), "min_times"),
            (
                json!({"tool": "get", "min_times": 3, "max_times": 2}),
                "max_times",
            ),
            (json!({"tool": "get", "min_times": -1}), "min_times"),
            (json!({"tool": "get", "min_times": 1.5}), "min_times"),
            (json!({"tool": "del_*"}), "tool"),
            (json!({"tool": ""}), "tool"),
            (
                json!({"tool": "get", "max_times": 0, "guard": false}),
                "guard",
            ),
        ] {
            assert_eq!(spec(&fields).unwrap_err().field, field, "{fields}");
        }
    }
}
