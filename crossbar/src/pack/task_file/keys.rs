//! The keys of a task file: what the readers beside it read by, and what the schema is printed from.

use crate::source::{Key, Section, Shape};

/// The name of the table of check kinds, for whoever resolves [`Shape::Table`].
pub(in crate::pack) const CHECK: &str = "check";

/// A task file.
pub(in crate::pack) const TASK: Section = Section {
    what: "a task",
    keys: &[
        Key::required(
            "id",
            Shape::Id,
            "with the pack it names the task in every result",
        ),
        Key::optional("name", Shape::Filled, "for people (default: the id)"),
        Key::required(
            "prompt",
            Shape::Filled,
            "what the agent is told, never filled in with variables",
        ),
        Key::optional(
            "family",
            Shape::Filled,
            "tasks that are variations of one another share it",
        ),
        Key::optional("anchor", Shape::Flag, "recorded"),
        Key::optional("tags", Shape::List(&Shape::Filled), "words"),
        Key::optional(
            "weight",
            Shape::Number(0.0, 1_000_000.0),
            "its share of a rate, above 0 (default 1)",
        ),
        Key::optional(
            "min_pass_rate",
            Shape::Number(0.01, 1.0),
            "the rate that a case must not conclusively miss",
        ),
        Key::optional(
            "timeout_s",
            Shape::Number(0.1, 86_400.0),
            "seconds of its own time (default 120)",
        ),
        Key::optional(
            "max_steps",
            Shape::Integer(1, 10_000),
            "model calls (default 20)",
        ),
        Key::optional(
            "budget_tokens",
            Shape::Integer(1, 1_000_000_000_000),
            "uncached input, cache writes and output together (default: no limit)",
        ),
        Key::optional(
            "environment",
            Shape::Section(&ENVIRONMENT),
            "what stands around the agent",
        ),
        Key::optional(
            "security",
            Shape::Section(&SECURITY),
            "what must not happen",
        ),
        Key::required(
            "checks",
            Shape::List(&Shape::Table(CHECK)),
            "what must hold afterwards; at least one that is no guard",
        ),
        Key::optional(
            "demo",
            Shape::Section(&DEMO),
            "the solution; mock and scripted models play it",
        ),
        Key::optional(
            "broken",
            Shape::List(&Shape::Section(&BROKEN)),
            "mistakes that must not be accepted; only controls play them",
        ),
        Key::optional("category", Shape::Filled, "recorded"),
        Key::optional("difficulty", Shape::Filled, "recorded"),
        Key::optional("risk", Shape::Filled, "recorded"),
        Key::optional("repository", Shape::Filled, "recorded"),
        Key::optional("split", Shape::Filled, "recorded"),
        Key::optional("adversarial", Shape::Flag, "recorded"),
        Key::optional("public", Shape::Flag, "recorded"),
        Key::optional(
            "version",
            Shape::Integer(1, u32::MAX as u64),
            "raise it when something changes that the file does not show",
        ),
    ],
};

/// `environment`.
pub(super) const ENVIRONMENT: Section = Section {
    what: "`environment`",
    keys: &[
        Key::optional(
            "kind",
            Shape::Word(&["local", "docker"]),
            "where servers run (default local); a task with docker is recorded, and never runs yet",
        ),
        Key::optional(
            "image",
            Shape::Filled,
            "the container's image; recorded, and the task never runs yet",
        ),
        Key::optional(
            "servers",
            Shape::List(&Shape::Section(&SERVER)),
            "MCP servers, started anew for every rollout",
        ),
    ],
};

/// An item of `environment.servers`.
pub(super) const SERVER: Section = Section {
    what: "a server",
    keys: &[
        Key::required("name", Shape::Id, "its tools are called `name.tool`"),
        Key::optional(
            "command",
            Shape::Filled,
            "the program; with a slash it is a path from the task's folder on; it or `url` is needed",
        ),
        Key::optional(
            "url",
            Shape::Filled,
            "the http or https address of a server that runs already, in place of a `command`",
        ),
        Key::optional(
            "headers",
            Shape::Map(&Shape::Text),
            "what every request to the `url` carries besides what the protocol needs",
        ),
        Key::optional("args", Shape::List(&Shape::Text), "its arguments"),
        Key::optional(
            "env",
            Shape::Map(&Shape::Text),
            "variables that it sees besides `PATH`, `HOME` and the like",
        ),
        Key::optional(
            "cwd",
            Shape::Filled,
            "its folder, from the task's folder on",
        ),
        Key::optional(
            "start_timeout_s",
            Shape::Number(0.1, 3_600.0),
            "seconds until it must answer (default 60)",
        ),
        Key::optional(
            "error_pattern",
            Shape::Filled,
            "a regular expression: an answer with a match is a tool's error, for servers that tell theirs as text",
        ),
    ],
};

/// `security`.
pub(super) const SECURITY: Section = Section {
    what: "`security`",
    keys: &[
        Key::optional(
            "forbidden_tools",
            Shape::List(&Shape::Text),
            "`server.tool`, `server.*` or a tool's name",
        ),
        Key::optional(
            "max_tool_calls",
            Shape::Integer(0, 1_000_000),
            "one call more is a violation (default: no limit)",
        ),
        Key::optional(
            "on_blocked",
            Shape::Word(&["zero", "record"]),
            "what a stopped call does to the score (default zero)",
        ),
    ],
};

/// `demo`.
pub(super) const DEMO: Section = Section {
    what: "`demo`",
    keys: &[
        Key::optional(
            "script",
            Shape::List(&Shape::Section(&STEP)),
            "the calls, in order",
        ),
        Key::optional("final", Shape::Text, "the last answer"),
    ],
};

/// An item of `broken`.
pub(super) const BROKEN: Section = Section {
    what: "a broken script",
    keys: &[
        Key::optional(
            "name",
            Shape::Id,
            "what the mistake is (default: its number)",
        ),
        Key::optional(
            "script",
            Shape::List(&Shape::Section(&STEP)),
            "the calls, in order",
        ),
        Key::optional("final", Shape::Text, "the last answer"),
    ],
};

/// An item of a script.
pub(super) const STEP: Section = Section {
    what: "a step",
    keys: &[
        Key::required("tool", Shape::Text, "`server.tool`"),
        Key::optional(
            "args",
            Shape::Map(&Shape::Json),
            "its arguments (default {})",
        ),
        Key::optional(
            "thought",
            Shape::Text,
            "what the agent says beside the call",
        ),
    ],
};

/// What every check takes besides the fields of its kind and those of all kinds.
pub(in crate::pack) const SEVERITY: Key = Key::optional("severity", Shape::Text, "recorded only");
