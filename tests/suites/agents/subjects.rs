//! The programs that this suite runs, and what is different about each.

/// A program with what a scenario has to know of it.
#[derive(Clone, Copy)]
pub struct Subject {
    /// The harness kind.
    pub kind: &'static str,
    /// The provider of its models.
    pub provider: &'static str,
    /// What the program takes the model for.
    pub model: &'static str,
    /// What only its own command line has, of all processes of a rollout.
    pub argument: &'static str,
    /// What its own command line has as well.
    pub arguments: &'static [&'static str],
    /// The variable that holds the gateway's token.
    pub token: &'static str,
    /// Within these seconds it has asked its model, on a busy machine too.
    pub seconds_until_asked: u32,
    /// What stands before the own name of a tool of the task.
    pub tools: &'static str,
    /// Its own tools that it offers all the same.
    pub own_tools: &'static [&'static str],
    /// Where a request has what bounds its answer.
    pub ceiling: &'static str,
    /// Tokens that are known before a cut: uncached input.
    pub known_before_a_cut: Option<u64>,
    /// Tokens of two answers: uncached input, cache reads, cache writes.
    pub tokens: (u64, u64, u64),
    /// What two answers cost, in millionths of a dollar, and whose figure that is.
    pub cost: (u64, &'static str),
    /// Where its version is learned from.
    pub version_source: &'static str,
}

/// All of them, in the order of the table of programs.
pub const ALL: [&Subject; 5] = [&CLAUDE_CODE, &CODEX, &GEMINI, &OPENCODE, &QWEN];

/// Claude Code. It knows the price of its model.
pub const CLAUDE_CODE: Subject = Subject {
    kind: "claude-code",
    provider: "claude-cli",
    model: "claude-sonnet-4-5",
    argument: "stream-json",
    arguments: &["-p", "--mcp-config", "--strict-mcp-config", "--max-turns"],
    token: "ANTHROPIC_API_KEY",
    seconds_until_asked: 4,
    tools: "mcp__tickets__",
    own_tools: &[],
    ceiling: "/max_tokens",
    known_before_a_cut: Some(1000),
    tokens: (2000, 600, 400),
    cost: (8880, "agent"),
    version_source: "output",
};

/// Codex. Its own list of models has this one, with tools that are not the task's.
pub const CODEX: Subject = Subject {
    kind: "codex",
    provider: "codex-cli",
    model: "gpt-6.2-sol",
    argument: "--ephemeral",
    arguments: &["exec", "--json", "--strict-config"],
    token: "CROSSBAR_GATEWAY_TOKEN",
    seconds_until_asked: 4,
    tools: "mcp__tickets__",
    own_tools: &[
        "list_mcp_resources",
        "list_mcp_resource_templates",
        "read_mcp_resource",
        "request_user_input",
    ],
    ceiling: "/max_output_tokens",
    known_before_a_cut: None,
    tokens: (2400, 600, 0),
    cost: (8580, "modelled"),
    version_source: "asked",
};

/// Gemini CLI. It asks its own version before it starts, and is a program of Node both times.
pub const GEMINI: Subject = Subject {
    kind: "gemini",
    provider: "gemini-cli",
    model: "gemini-2.5-flash",
    argument: "stream-json",
    arguments: &["--output-format", "--model"],
    token: "GEMINI_API_KEY",
    seconds_until_asked: 20,
    tools: "mcp_tickets_",
    own_tools: &[],
    ceiling: "/generationConfig/maxOutputTokens",
    known_before_a_cut: Some(1200),
    tokens: (2400, 600, 0),
    cost: (8580, "modelled"),
    version_source: "asked",
};

/// opencode. It has a prompt of its own for models of this name.
pub const OPENCODE: Subject = Subject {
    kind: "opencode",
    provider: "opencode-cli",
    model: "vendor/gpt-6-nano",
    argument: "--title",
    arguments: &["run", "--format", "json", "--pure"],
    token: "CROSSBAR_GATEWAY_TOKEN",
    seconds_until_asked: 30,
    tools: "tickets_",
    own_tools: &[],
    ceiling: "/max_tokens",
    known_before_a_cut: None,
    tokens: (2400, 600, 0),
    cost: (8580, "modelled"),
    version_source: "asked",
};

/// Qwen Code.
pub const QWEN: Subject = Subject {
    kind: "qwen",
    provider: "qwen-cli",
    model: "qwen4-coder",
    argument: "stream-json",
    arguments: &["--output-format"],
    token: "OPENAI_API_KEY",
    seconds_until_asked: 20,
    tools: "mcp__tickets__",
    own_tools: &[],
    ceiling: "/max_tokens",
    known_before_a_cut: None,
    tokens: (2400, 600, 0),
    cost: (8580, "modelled"),
    version_source: "output",
};
