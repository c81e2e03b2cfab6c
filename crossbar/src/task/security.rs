//! Which tools a task forbids, and what a call counts as that was stopped.

use crate::check::ToolPattern;
use crate::domain::OnBlocked;
use serde::{Deserialize, Serialize};

/// The rules of a task. The number of tool calls is among its limits (`max_tool_calls`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SecurityPolicy {
    /// The forbidden tools.
    pub forbidden: Vec<ToolPattern>,
    /// What a blocked call counts as.
    pub on_blocked: OnBlocked,
}

impl SecurityPolicy {
    /// Whether a tool of a server may not be called.
    #[must_use]
    pub fn forbids(&self, server: &str, tool: &str) -> bool {
        self.rule_against(server, tool).is_some()
    }

    /// The first rule that forbids a tool of a server.
    #[must_use]
    pub fn rule_against(&self, server: &str, tool: &str) -> Option<&ToolPattern> {
        self.forbidden
            .iter()
            .find(|pattern| pattern.matches(server, tool))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_pattern_forbids_and_the_first_one_is_named() {
        let policy = SecurityPolicy {
            forbidden: ["orders.*", "orders.drop", "delete_all"]
                .map(|text| ToolPattern::parse(text).unwrap())
                .to_vec(),
            on_blocked: OnBlocked::Zero,
        };
        assert_eq!(
            policy.rule_against("orders", "drop").unwrap().as_str(),
            "orders.*"
        );
        assert!(policy.forbids("tickets", "delete_all"));
        assert!(!policy.forbids("tickets", "get"));
        assert!(!SecurityPolicy::default().forbids("orders", "drop"));
    }
}
