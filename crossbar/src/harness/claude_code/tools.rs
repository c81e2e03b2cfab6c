//! The task's tools by the names that Claude Code gives them.

use crate::domain::ToolDef;
use crate::harness::Session;
use crate::task::SecurityPolicy;

/// Under which server's name its own tools stand in a trajectory.
const OWN: &str = "claude-code";

/// Tools of a task, each with the program's name for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Tools {
    named: Vec<Named>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Named {
    name: String,
    server: String,
    tool: String,
    /// The rule that forbids it.
    rule: Option<String>,
}

impl Tools {
    pub(super) fn of(session: &Session<'_>) -> Self {
        Self::new(&session.ports.toolbox.tools(), session.ports.policy)
    }

    pub(super) fn new(tools: &[ToolDef], policy: &SecurityPolicy) -> Self {
        let named = tools.iter().map(|tool| Named {
            name: format!("mcp__{}__{}", cleaned(&tool.server), cleaned(&tool.tool)),
            server: tool.server.clone(),
            tool: tool.tool.clone(),
            rule: policy
                .rule_against(&tool.server, &tool.tool)
                .map(|pattern| pattern.as_str().to_owned()),
        });
        Self {
            named: named.collect(),
        }
    }

    /// The names of the tools that may be called.
    pub(super) fn allowed(&self) -> Vec<&str> {
        let allowed = self.named.iter().filter(|tool| tool.rule.is_none());
        allowed.map(|tool| tool.name.as_str()).collect()
    }

    /// All names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|tool| tool.name.as_str())
    }

    /// Server and tool behind a name; what is no tool of the task is one of the program's own.
    pub(super) fn resolve<'a>(&'a self, name: &'a str) -> (&'a str, &'a str) {
        match self.named.iter().find(|tool| tool.name == name) {
            Some(tool) => (&tool.server, &tool.tool),
            None => (OWN, name),
        }
    }

    /// The program's name for a tool of a server.
    pub(super) fn name<'a>(&'a self, server: &str, tool: &'a str) -> &'a str {
        let mut named = self.named.iter();
        named
            .find(|one| one.server == server && one.tool == tool)
            .map_or(tool, |one| &one.name)
    }

    /// The rule that forbids a tool, or why the program denies it without one.
    pub(super) fn rule(&self, name: &str) -> String {
        let found = self.named.iter().find(|tool| tool.name == name);
        found
            .and_then(|tool| tool.rule.clone())
            .unwrap_or_else(|| "not among the tools that it may use".to_owned())
    }
}

/// As the program writes names of servers and tools.
fn cleaned(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            c if c.is_ascii_alphanumeric() || c == '_' || c == '-' => c,
            _ => '_',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::ToolPattern;
    use serde_json::json;

    fn tool(server: &str, tool: &str) -> ToolDef {
        ToolDef {
            server: server.to_owned(),
            tool: tool.to_owned(),
            description: String::new(),
            input_schema: json!({}),
        }
    }

    #[test]
    fn forbidden_tools_are_not_allowed_and_names_lead_back() {
        let policy = SecurityPolicy {
            forbidden: vec![ToolPattern::parse("desk.drop").unwrap()],
            ..SecurityPolicy::default()
        };
        let tools = Tools::new(&[tool("desk", "get it"), tool("desk", "drop")], &policy);
        assert_eq!(tools.allowed(), ["mcp__desk__get_it"]);
        assert_eq!(tools.names().count(), 2);
        assert_eq!(tools.resolve("mcp__desk__get_it"), ("desk", "get it"));
        assert_eq!(tools.resolve("Read"), ("claude-code", "Read"));
        assert_eq!(tools.rule("mcp__desk__drop"), "desk.drop");
        assert!(tools.rule("Read").contains("may use"));
    }
}
