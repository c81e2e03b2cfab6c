//! Where the programs look for skills and instruction files: a row for each that can be given some.
//! The place is all that is a program's own about it; whoever starts it puts the files there.

use crate::domain::Places;

/// Every kind of harness that can be given something on top.
pub const PLACES: &[Places] = &[
    #[cfg(feature = "http")]
    Places {
        kind: super::programs::CLAUDE_CODE.kind,
        skills: Some(".claude/skills"),
        instruction_file: Some("CLAUDE.md"),
        can_be_bare: true,
    },
    #[cfg(feature = "http")]
    Places {
        kind: super::programs::CODEX.kind,
        skills: Some(".agents/skills"),
        instruction_file: Some("AGENTS.md"),
        can_be_bare: false,
    },
];

/// The places of a harness kind; `None` where it can be given nothing.
#[cfg(feature = "http")]
pub(super) fn places(kind: &str) -> Option<&'static Places> {
    PLACES.iter().find(|places| places.kind == kind)
}
