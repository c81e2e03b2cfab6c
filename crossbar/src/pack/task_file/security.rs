//! The section `security` of a task.

use super::keys;
use super::servers::Servers;
use super::tool_names::check_dotted;
use crate::domain::{Limits, OnBlocked};
use crate::source::{Field, Problems};
use crate::task::{SecurityPolicy, ToolPattern};

/// Reads the rules; `max_tool_calls` goes to the limits.
pub(super) fn read(
    field: &Field<'_>,
    servers: &Servers,
    limits: &mut Limits,
    problems: &Problems,
) -> SecurityPolicy {
    let Some(fields) = field.section(&keys::SECURITY) else {
        return SecurityPolicy::default();
    };
    let forbidden = fields.key("forbidden_tools").items();
    let calls = fields.key("max_tool_calls").declared_integer::<u32>();
    let on_blocked = fields.key("on_blocked").declared_word();
    fields.finish();
    limits.max_tool_calls = calls.map(|one| one.value);
    let names = servers.names();
    let forbidden = forbidden.unwrap_or_default();
    SecurityPolicy {
        forbidden: forbidden
            .iter()
            .filter_map(|item| pattern(item, &names, problems))
            .collect(),
        on_blocked: match on_blocked.map(|word| word.value) {
            Some("record") => OnBlocked::Record,
            _ => OnBlocked::Zero,
        },
    }
}

/// `server.tool`, `server.*` or a bare tool name. A rule against a server that is not there would
/// forbid nothing, silently.
fn pattern(item: &Field<'_>, servers: &[&str], problems: &Problems) -> Option<ToolPattern> {
    let text = item.text()?;
    match ToolPattern::parse(text.value) {
        Ok(pattern) => check_dotted(item, pattern.as_str(), servers).then_some(pattern),
        Err(error) => {
            problems.error(text.span, error.to_string());
            None
        }
    }
}
