//! `mcp_state`: calls a tool after the agent ended, and compares what it answers.

use super::matching::Matcher;
use super::{
    Check, CheckKind, FieldError, FieldKind, FieldSpec, Fields, GuardByKind, Judgement, MatchMode,
};
use crate::domain::{Evidence, Observation, Probe, Trajectory};
use serde_json::{Map, Value};

/// The row of the table.
pub(super) const KIND: CheckKind = CheckKind {
    name: "mcp_state",
    doc: "the world ended up right: a tool that is called after the agent ended answers as expected",
    guard_by_kind: GuardByKind::Never,
    about_state: true,
    fields: &[
        FieldSpec {
            name: "server",
            kind: FieldKind::Text,
            required: true,
            doc: "the server's name in the task",
        },
        FieldSpec {
            name: "tool",
            kind: FieldKind::Text,
            required: true,
            doc: "the tool's own name",
        },
        FieldSpec {
            name: "args",
            kind: FieldKind::Map,
            required: false,
            doc: "its arguments (default {})",
        },
        FieldSpec {
            name: "expect",
            kind: FieldKind::Json,
            required: true,
            doc: "what the answer is held against: its structured content, else the JSON of its text, else its text",
        },
        FieldSpec {
            name: "match",
            kind: FieldKind::Mode(MatchMode::ALL),
            required: false,
            doc: "how it is compared (default subset)",
        },
    ],
    build,
};

#[derive(Debug)]
struct McpState {
    server: String,
    tool: String,
    args: Map<String, Value>,
    expected: Matcher,
}

fn build(fields: &Fields) -> Result<Box<dyn Check>, FieldError> {
    let mode = fields
        .mode("match", MatchMode::ALL)?
        .unwrap_or(MatchMode::Subset);
    Ok(Box::new(McpState {
        server: name(fields, "server")?,
        tool: name(fields, "tool")?,
        args: fields.map("args")?.cloned().unwrap_or_default(),
        expected: Matcher::new(mode, demanding(mode, fields.json("expect")?)?)
            .map_err(|why| FieldError::new("expect", format!("is {why}")))?,
    }))
}

fn name(fields: &Fields, field: &'static str) -> Result<String, FieldError> {
    match fields.text(field)? {
        "" => Err(FieldError::new(field, "is empty")),
        name => Ok(name.to_owned()),
    }
}

impl McpState {
    fn probe(&self) -> Probe {
        Probe::CallTool {
            server: self.server.clone(),
            tool: self.tool.clone(),
            args: Value::Object(self.args.clone()),
        }
    }
}

impl Check for McpState {
    fn probes(&self) -> Vec<Probe> {
        vec![self.probe()]
    }

    fn judge(&self, _trajectory: &Trajectory, evidence: &Evidence) -> Judgement {
        let (server, tool) = (&self.server, &self.tool);
        match evidence.of(&self.probe()) {
            None => Judgement::fail(format!("`{server}.{tool}` was not observed")),
            Some(Observation::Failed(why)) => Judgement::fail(format!(
                "`{server}.{tool}` failed when the state was read: {}",
                super::matching::shorten(why)
            )),
            Some(Observation::Value(value)) => match self.expected.test(value) {
                Ok(()) => Judgement::pass(),
                Err(mismatch) => Judgement::fail(format!("`{server}.{tool}` {mismatch}")),
            },
        }
    }
}

/// What is expected, unless every answer would hold against it.
fn demanding(mode: MatchMode, expected: &Value) -> Result<Value, FieldError> {
    let empty = match expected {
        Value::Object(map) => map.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    if mode == MatchMode::Subset && empty {
        return Err(FieldError::new(
            "expect",
            "is empty, so every answer holds: name what must be there, or say `match: exact`",
        ));
    }
    Ok(expected.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Observed;
    use serde_json::json;

    fn check(expect: Value, mode: &str) -> Box<dyn Check> {
        let mut fields = Fields::default();
        fields
            .set("server", json!("orders"))
            .set("tool", json!("get_order"))
            .set("args", json!({"id": "O1"}))
            .set("expect", expect)
            .set("match", json!(mode));
        build(&fields).unwrap()
    }

    fn judge(check: &dyn Check, observation: Observation) -> Judgement {
        let probe = check.probes().remove(0);
        let evidence = Evidence(vec![Observed { probe, observation }]);
        check.judge(&Trajectory::default(), &evidence)
    }

    #[test]
    fn the_state_is_compared_and_a_mismatch_names_path_expected_and_actual() {
        let check = check(json!({"order": {"refunded": 80}}), "subset");
        let right = json!({"order": {"refunded": 80.0, "id": "O1"}});
        assert_eq!(judge(&*check, Observation::Value(right)), Judgement::pass());
        let wrong = json!({"order": {"refunded": 7.99}});
        assert_eq!(
            judge(&*check, Observation::Value(wrong)).message.unwrap(),
            "`orders.get_order` at `order.refunded`: expected 80, got 7.99"
        );
    }

    #[test]
    fn a_tool_that_fails_and_an_observation_that_is_absent_fail_the_check() {
        let check = check(json!({}), "exact");
        let failed = judge(&*check, Observation::Failed("no such order".into()));
        assert!(!failed.passed && failed.message.unwrap().contains("no such order"));
        let absent = check.judge(&Trajectory::default(), &Evidence::default());
        assert!(!absent.passed && absent.message.unwrap().contains("not observed"));
    }

    #[test]
    fn an_observation_of_other_arguments_does_not_count() {
        let check = check(json!({}), "exact");
        let evidence = Evidence(vec![Observed {
            probe: Probe::CallTool {
                server: "orders".into(),
                tool: "get_order".into(),
                args: json!({"id": "O2"}),
            },
            observation: Observation::Value(json!({})),
        }]);
        assert!(!check.judge(&Trajectory::default(), &evidence).passed);
    }

    #[test]
    fn a_pattern_that_is_none_is_refused_when_it_is_read() {
        let mut fields = Fields::default();
        fields
            .set("server", json!("orders"))
            .set("tool", json!("get_order"))
            .set("expect", json!({"id": "(unclosed"}))
            .set("match", json!("regex"));
        let error = build(&fields).unwrap_err();
        assert_eq!(error.field, "expect");
        assert!(error.message.contains("unclosed group"), "{error}");
    }

    #[test]
    fn an_expectation_that_every_answer_meets_is_refused() {
        for empty in [json!({}), json!([])] {
            let mut fields = Fields::default();
            fields
                .set("server", json!("orders"))
                .set("tool", json!("get_order"))
                .set("expect", empty.clone());
            assert_eq!((KIND.build)(&fields).err().unwrap().field, "expect");
            fields.set("match", json!("exact"));
            assert!((KIND.build)(&fields).is_ok());
        }
    }
}
