//! What a declared task holds, as YAML does: a Rust task's function stands in its place.

use super::{EnvironmentSpec, SecurityPolicy};
use crate::check::CheckSpec;
use crate::domain::{Broken, Limits, Script};
use serde_json::{Value, json};

/// The work of a task that is written as data.
#[derive(Debug, Clone)]
pub struct Declared {
    /// What the agent is told, as it was written: nothing in it is expanded.
    pub prompt: String,
    /// The line of its key `prompt`, counted from 1: the line that a reader wants to be led to.
    pub prompt_line: u32,
    /// What stands around it.
    pub environment: EnvironmentSpec,
    /// What must hold afterwards.
    pub checks: Vec<CheckSpec>,
    /// The solution. Only mock and scripted models and controls read it.
    pub demo: Option<Script>,
    /// Mistakes that the task must not accept. Only controls read them.
    pub broken: Vec<Broken>,
}

/// Everything about a declared task that can change what a rollout does or how it is judged, for
/// fingerprints. Names, tags and descriptions are left out; the demo is in, since mock and scripted
/// cells act by it, and mistakes are not, since no cell does.
#[must_use]
pub fn canonical(declared: &Declared, limits: &Limits, security: &SecurityPolicy) -> Value {
    let checks: Vec<&Value> = declared
        .checks
        .iter()
        .map(|check| &check.canonical)
        .collect();
    json!({
        "prompt": declared.prompt,
        "environment": declared.environment,
        "checks": checks,
        "demo": declared.demo,
        "limits": limits,
        "security": security,
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::declared;
    use super::*;
    use crate::check::ToolPattern;

    #[test]
    fn every_part_that_counts_changes_the_canonical_form() {
        let (limits, security) = (Limits::default(), SecurityPolicy::default());
        let plain = canonical(&declared(), &limits, &security);
        assert_eq!(plain, canonical(&declared(), &limits, &security));

        let edits: [fn(&mut Declared); 5] = [
            |d| d.prompt.push('!'),
            |d| d.environment.servers[0].args.push("--x".into()),
            |d| d.environment.servers[0].env.push(("A".into(), "b".into())),
            |d| d.checks.truncate(1),
            |d| d.demo = Some(Script::default()),
        ];
        for edit in edits {
            let mut changed = declared();
            edit(&mut changed);
            assert_ne!(plain, canonical(&changed, &limits, &security));
        }
        let fewer = Limits {
            max_steps: 3,
            ..Limits::default()
        };
        assert_ne!(plain, canonical(&declared(), &fewer, &security));
        let strict = SecurityPolicy {
            forbidden: vec![ToolPattern::parse("a.*").unwrap()],
            ..SecurityPolicy::default()
        };
        assert_ne!(plain, canonical(&declared(), &limits, &strict));
    }
}
