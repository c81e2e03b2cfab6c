//! The programs that are harnesses of their own, with the one version of each that crossbar is
//! tested with.

/// A program that drives a model by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentProgram {
    /// The harness kind.
    pub kind: &'static str,
    /// How it is called; looked up in PATH.
    pub program: &'static str,
    /// Its package at npm.
    pub package: &'static str,
    /// The version that crossbar is tested with.
    pub version: &'static str,
}

/// Every program that this build can drive.
pub const PROGRAMS: &[AgentProgram] = &[
    #[cfg(feature = "http")]
    CLAUDE_CODE,
];

#[cfg(feature = "http")]
pub(super) const CLAUDE_CODE: AgentProgram = AgentProgram {
    kind: "claude-code",
    program: "claude",
    package: "@anthropic-ai/claude-code",
    version: "2.1.332",
};
