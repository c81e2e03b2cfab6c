//! The section `demo` of a task: its solution, which only mock and scripted models and controls
//! read.

use super::keys;
use super::servers::Servers;
use super::tool_names::{check_dotted, split, unknown_server};
use crate::domain::{Script, ScriptStep};
use crate::source::{Field, Fields};
use serde_json::{Value, json};

/// Reads the solution.
pub(super) fn read(field: &Field<'_>, servers: &Servers) -> Option<Script> {
    let fields = field.section(&keys::DEMO)?;
    let script = script(field, &fields, servers);
    fields.finish();
    Some(script)
}

/// Reads `script` and `final` of a mapping, which `field` is.
pub(super) fn script(field: &Field<'_>, fields: &Fields<'_>, servers: &Servers) -> Script {
    let script = fields.key("script");
    let last = fields.key("final");
    if !script.is_present() && !last.is_present() {
        field.error(
            "holds neither `script` nor `final`",
            "write one of them, or remove it",
        );
    }
    let names = servers.names();
    let items = script.items().unwrap_or_default();
    Script {
        steps: items.iter().filter_map(|item| step(item, &names)).collect(),
        final_text: last.string(),
    }
}

fn step(item: &Field<'_>, servers: &[&str]) -> Option<ScriptStep> {
    let fields = item.section(&keys::STEP)?;
    let tool = fields.key("tool");
    let args = fields.key("args");
    let thought = fields.key("thought").string();
    fields.finish();
    let args = if args.is_present() {
        args.entries().and(args.json())
    } else {
        Some(json!({}))
    };
    Some(ScriptStep {
        tool: full_name(&tool, servers)?,
        args: args.unwrap_or(Value::Null),
        thought,
    })
}

/// The tool as `server.tool`; a bare name stays one unless the task has a single server.
fn full_name(field: &Field<'_>, servers: &[&str]) -> Option<String> {
    let text = field.text()?.value;
    if let Some((server, tool)) = split(text, "__", servers).or(split(text, ".", servers)) {
        return Some(format!("{server}.{tool}"));
    }
    if let Some((server, _)) = text.split_once("__") {
        unknown_server(field, server, servers);
        return None;
    }
    if text.trim().is_empty() {
        field.error("is empty", "write `server.tool`");
        return None;
    }
    match servers {
        [] if !text.contains('.') => {
            field.error(
                &format!("is `{text}`, and this task has no server"),
                "add the server to `environment.servers`",
            );
            None
        }
        [only] if !text.contains('.') => Some(format!("{only}.{text}")),
        _ => check_dotted(field, text, servers).then(|| text.to_owned()),
    }
}
