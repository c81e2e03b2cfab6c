//! The programs that are harnesses of their own, with the one version of each that crossbar is
//! tested with.

/// A program that drives a model by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentProgram {
    /// The harness kind.
    pub kind: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// The provider kind of its models.
    pub provider: &'static str,
    /// How it is called; looked up in PATH.
    pub program: &'static str,
    /// Its package at npm.
    pub package: &'static str,
    /// The version that crossbar is tested with.
    pub version: &'static str,
    /// Where the version that ran is learned from.
    pub version_is: VersionIs,
    /// How often it asks its model again by itself after a failed request, as crossbar sets it.
    pub retries: u32,
}

/// Where a program's version is learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionIs {
    /// What a run writes has it.
    InOutput,
    /// No run writes it: the program is asked with `--version` before it is started.
    Asked,
}

impl AgentProgram {
    /// The command that installs the version that crossbar is tested with.
    #[must_use]
    pub fn install(&self) -> String {
        format!("npm install -g {}@{}", self.package, self.version)
    }
}

/// The program of a harness kind; `None` for a loop of crossbar's own.
#[must_use]
pub fn program_of(kind: &str) -> Option<&'static AgentProgram> {
    PROGRAMS.iter().find(|program| program.kind == kind)
}

/// Every program that this build can drive.
pub const PROGRAMS: &[AgentProgram] = &[
    #[cfg(feature = "http")]
    CLAUDE_CODE,
    #[cfg(feature = "http")]
    CODEX,
    #[cfg(feature = "http")]
    GEMINI,
    #[cfg(feature = "http")]
    OPENCODE,
    #[cfg(feature = "http")]
    QWEN,
];

#[cfg(feature = "http")]
pub(super) const CLAUDE_CODE: AgentProgram = AgentProgram {
    kind: "claude-code",
    name: "Claude Code",
    provider: "claude-cli",
    program: "claude",
    package: "@anthropic-ai/claude-code",
    version: "2.1.332",
    retries: 2,
    version_is: VersionIs::InOutput,
};

#[cfg(feature = "http")]
pub(super) const CODEX: AgentProgram = AgentProgram {
    kind: "codex",
    name: "Codex",
    provider: "codex-cli",
    program: "codex",
    package: "@openai/codex",
    version: "0.171.0",
    version_is: VersionIs::Asked,
    retries: 2,
};

#[cfg(feature = "http")]
pub(super) const GEMINI: AgentProgram = AgentProgram {
    kind: "gemini",
    name: "Gemini CLI",
    provider: "gemini-cli",
    program: "gemini",
    package: "@google/gemini-cli",
    version: "0.61.0",
    version_is: VersionIs::Asked,
    retries: 2,
};

#[cfg(feature = "http")]
pub(super) const OPENCODE: AgentProgram = AgentProgram {
    kind: "opencode",
    name: "opencode",
    provider: "opencode-cli",
    program: "opencode",
    package: "opencode-ai",
    version: "1.18.33",
    version_is: VersionIs::Asked,
    retries: 2,
};

#[cfg(feature = "http")]
pub(super) const QWEN: AgentProgram = AgentProgram {
    kind: "qwen",
    name: "Qwen Code",
    provider: "qwen-cli",
    program: "qwen",
    package: "@qwen-code/qwen-code",
    version: "0.15.10",
    version_is: VersionIs::InOutput,
    retries: 2,
};
