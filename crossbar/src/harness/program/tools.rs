//! The task's tools by the names that programs give them.

use crate::domain::ToolDef;
use crate::harness::Session;
use crate::task::SecurityPolicy;

/// How a program spells the names of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::harness) struct Spelling {
    /// Under which server's name the program's own tools stand in a trajectory.
    pub(in crate::harness) own: &'static str,
    /// What a name may have beside letters and digits; everything else becomes `_`.
    pub(in crate::harness) marks: &'static str,
    /// What stands before the server's name, and between it and the tool's.
    pub(in crate::harness) joins: (&'static str, &'static str),
}

impl Spelling {
    /// A name of a server or a tool as the program writes it.
    pub(in crate::harness) fn cleaned(self, text: &str) -> String {
        let is_kept = |c: &char| c.is_ascii_alphanumeric() || self.marks.contains(*c);
        text.chars()
            .map(|c| if is_kept(&c) { c } else { '_' })
            .collect()
    }
}

/// Tools of a task, each with the program's name for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::harness) struct Tools {
    spelling: Spelling,
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
    pub(super) fn of(spelling: Spelling, session: &Session<'_>) -> Self {
        Self::new(
            spelling,
            &session.ports.toolbox.tools(),
            session.ports.policy,
        )
    }

    pub(in crate::harness) fn new(
        spelling: Spelling,
        tools: &[ToolDef],
        policy: &SecurityPolicy,
    ) -> Self {
        let (before, between) = spelling.joins;
        let named = tools.iter().map(|tool| Named {
            name: format!(
                "{before}{}{between}{}",
                spelling.cleaned(&tool.server),
                spelling.cleaned(&tool.tool)
            ),
            server: tool.server.clone(),
            tool: tool.tool.clone(),
            rule: policy
                .rule_against(&tool.server, &tool.tool)
                .map(|pattern| pattern.as_str().to_owned()),
        });
        Self {
            spelling,
            named: named.collect(),
        }
    }

    /// The names of the tools that may be called.
    pub(in crate::harness) fn allowed(&self) -> Vec<&str> {
        let allowed = self.named.iter().filter(|tool| tool.rule.is_none());
        allowed.map(|tool| tool.name.as_str()).collect()
    }

    /// The tools of a server that may be called, by their own names.
    pub(in crate::harness) fn allowed_of(&self, server: &str) -> impl Iterator<Item = &str> {
        let of_server = self.named.iter().filter(move |tool| tool.server == server);
        let allowed = of_server.filter(|tool| tool.rule.is_none());
        allowed.map(|tool| tool.tool.as_str())
    }

    /// All names.
    pub(in crate::harness) fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|tool| tool.name.as_str())
    }

    /// Server and tool behind a name; what is no tool of the task is one of the program's own.
    pub(super) fn resolve<'a>(&'a self, name: &'a str) -> (&'a str, &'a str) {
        match self.named.iter().find(|tool| tool.name == name) {
            Some(tool) => (&tool.server, &tool.tool),
            None => (self.spelling.own, name),
        }
    }

    /// The program's name for a tool of a server.
    pub(super) fn name<'a>(&'a self, server: &str, tool: &'a str) -> &'a str {
        let mut named = self.named.iter();
        named
            .find(|one| one.server == server && one.tool == tool)
            .map_or(tool, |one| &one.name)
    }

    /// The program's name for a tool, where it tells of the server by its cleaned name and of the
    /// tool by its own; one of the program's own keeps its name.
    pub(in crate::harness) fn told_as<'a>(&'a self, server: &str, tool: &'a str) -> &'a str {
        let mut named = self.named.iter();
        named
            .find(|one| self.spelling.cleaned(&one.server) == server && one.tool == tool)
            .map_or(tool, |one| &one.name)
    }

    /// How the program spells a server's name.
    pub(in crate::harness) fn server(&self, name: &str) -> String {
        self.spelling.cleaned(name)
    }

    /// Whether a name is that of a tool of the task.
    pub(in crate::harness) fn has(&self, name: &str) -> bool {
        self.named.iter().any(|tool| tool.name == name)
    }

    /// The rule that forbids a tool, or why the program denies it without one.
    pub(super) fn rule(&self, name: &str) -> String {
        let found = self.named.iter().find(|tool| tool.name == name);
        found
            .and_then(|tool| tool.rule.clone())
            .unwrap_or_else(|| "not among the tools that it may use".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::ToolPattern;
    use serde_json::json;

    const SPELLING: Spelling = Spelling {
        own: "own",
        marks: "_",
        joins: ("mcp__", "__"),
    };

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
        let tools = Tools::new(
            SPELLING,
            &[tool("desk", "get-it"), tool("desk", "drop")],
            &policy,
        );
        assert_eq!(tools.allowed(), ["mcp__desk__get_it"]);
        assert_eq!(tools.names().count(), 2);
        assert_eq!(tools.resolve("mcp__desk__get_it"), ("desk", "get-it"));
        assert_eq!(tools.resolve("Read"), ("own", "Read"));
        assert_eq!(tools.told_as("desk", "get-it"), "mcp__desk__get_it");
        let dashed = Spelling {
            marks: "_-",
            ..SPELLING
        };
        assert_eq!(dashed.cleaned("get-it.x"), "get-it_x");
        assert_eq!(tools.told_as("codex", "list"), "list");
        assert_eq!(tools.allowed_of("desk").collect::<Vec<_>>(), ["get-it"]);
        assert_eq!(tools.rule("mcp__desk__drop"), "desk.drop");
        assert!(tools.rule("Read").contains("may use"));
    }
}
