//! Tasks that the tests of this room are made with.

use super::{Declared, EnvironmentSpec, Place, SecurityPolicy, ServerSpec, Task, canonical};
use crate::check::{CheckSpec, Fields, kind};
use crate::domain::{Limits, TaskId};
use serde_json::json;

/// A check of a kind; one of the state asks the server `tickets`.
pub(super) fn check(name: &str) -> CheckSpec {
    let mut fields = Fields::default();
    if name == "mcp_state" {
        fields
            .set("server", json!("tickets"))
            .set("tool", json!("get"))
            .set("expect", json!({"id": "T-1"}));
    }
    CheckSpec::new(kind(name).unwrap(), &fields, 1).unwrap()
}

/// Work with the server `tickets`, a check of the state and a guard.
pub(super) fn declared() -> Declared {
    Declared {
        prompt: "Close the ticket.".into(),
        prompt_line: 2,
        environment: EnvironmentSpec {
            servers: vec![ServerSpec::new("tickets", "server", vec![])],
        },
        checks: vec![check("mcp_state"), check("no_tool_errors")],
        demo: None,
        broken: vec![],
    }
}

/// A sound task at a line of `p.yaml`.
pub(super) fn task(pack: &str, id: &str, line: u32) -> Task {
    let (declared, limits, security) = (declared(), Limits::default(), SecurityPolicy::default());
    Task {
        id: TaskId::new(pack, id).unwrap(),
        name: id.into(),
        family: None,
        anchor: false,
        min_pass_rate: None,
        tags: vec![],
        weight: 1.0,
        ignored: None,
        canonical: canonical(&declared, &limits, &security),
        limits,
        security,
        place: Place {
            path: "p.yaml".into(),
            line,
        },
        declared: Some(declared),
        unbuilt: vec![],
        unmet: std::collections::BTreeSet::new(),
    }
}
