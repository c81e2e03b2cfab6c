//! The table of harnesses: one line for each, and the one place that builds them.

use super::{BuildError, DriveError, Session, command, react, single_shot, text_json};
#[cfg(feature = "http")]
use super::{claude_code, codex, gemini, opencode, qwen};
use crate::domain::{HarnessKind, HarnessSpec, LocalFuture};

/// A loop around a model.
pub trait Harness {
    /// Works on one prompt until the model answers or something ends it. A second call with the
    /// same conversation goes on with it; once a limit or a violation has ended it, further calls
    /// do nothing.
    ///
    /// # Errors
    /// `DriveError` when the machine or the money failed. The session's conversation then holds
    /// what happened until there.
    fn drive<'a>(
        &'a self,
        session: &'a mut Session<'_>,
        prompt: &'a str,
    ) -> LocalFuture<'a, Result<(), DriveError>>;
}

type Build = fn(&HarnessSpec) -> Box<dyn Harness>;

const ROWS: &[(HarnessKind, Build)] = &[
    (react::KIND, react::build),
    (single_shot::KIND, single_shot::build),
    (text_json::KIND, text_json::build),
    (command::KIND, command::build),
    #[cfg(feature = "http")]
    (claude_code::KIND, claude_code::build),
    #[cfg(feature = "http")]
    (codex::KIND, codex::build),
    #[cfg(feature = "http")]
    (gemini::KIND, gemini::build),
    #[cfg(feature = "http")]
    (opencode::KIND, opencode::build),
    #[cfg(feature = "http")]
    (qwen::KIND, qwen::build),
];

const ALL: [HarnessKind; ROWS.len()] = {
    let mut all = [react::KIND; ROWS.len()];
    let mut at = 0;
    while at < ROWS.len() {
        all[at] = ROWS[at].0;
        at += 1;
    }
    all
};

/// Every harness kind that this build has.
pub const KINDS: &[HarnessKind] = &ALL;

/// The row of a name, if there is one.
#[must_use]
pub fn kind(name: &str) -> Option<&'static HarnessKind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// Kinds that a feature adds, with the feature.
const FEATURES: &[(&str, &str)] = &[
    ("claude-code", "http"),
    ("codex", "http"),
    ("gemini", "http"),
    ("opencode", "http"),
    ("qwen", "http"),
];

/// The feature that would add a kind that this build lacks; `None` when the kind is here, or when
/// no feature adds it.
#[must_use]
pub fn behind_feature(name: &str) -> Option<&'static str> {
    let mut behind = FEATURES.iter();
    let row = behind.find(|(added, _)| *added == name && kind(name).is_none())?;
    Some(row.1)
}

/// Builds a harness of the roster.
///
/// # Errors
/// `BuildError` when no kind has that name, or when the spec wants a self-check turn (`verify`) of
/// a kind that has none. The roster's reader refuses both earlier, with their place.
pub fn build(spec: &HarnessSpec) -> Result<Box<dyn Harness>, BuildError> {
    let (id, kind) = (spec.id.clone(), spec.kind.clone());
    let Some((row, build)) = ROWS.iter().find(|(row, _)| row.name == spec.kind) else {
        let known: Vec<&str> = KINDS.iter().map(|row| row.name).collect();
        let known = known.join(", ");
        return Err(BuildError::UnknownKind { id, kind, known });
    };
    if spec.verify && !row.can_verify {
        return Err(BuildError::CannotVerify { id, kind });
    }
    Ok(build(spec))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Ending, LimitKind, Limits, Script};
    use crate::harness::test_bench::{Bench, replies};
    use serde_json::json;

    #[test]
    fn every_harness_is_held_to_the_same_limits() {
        let limit = |limits: Limits| {
            let endings = KINDS.iter().map(|kind| {
                let mut bench = Bench::of(kind.name);
                bench.limits = limits.clone();
                let provider = replies([]);
                let driven = bench.drive(&provider);
                assert_eq!(provider.requests().len(), 0, "{}", kind.name);
                driven.conversation.into_trajectory().ending
            });
            let endings: Vec<Option<Ending>> = endings.collect();
            assert!(
                endings.iter().all(|ending| *ending == endings[0]),
                "{endings:?}"
            );
            match endings.into_iter().next() {
                Some(Some(Ending::Limit { limit })) => limit,
                other => panic!("{other:?}"),
            }
        };
        let base = Limits::default;
        assert_eq!(
            limit(Limits {
                max_steps: 0,
                ..base()
            }),
            LimitKind::Steps
        );
        assert_eq!(
            limit(Limits {
                budget_tokens: Some(0),
                ..base()
            }),
            LimitKind::Tokens
        );
        assert_eq!(
            limit(Limits {
                timeout_s: 0.0,
                ..base()
            }),
            LimitKind::Seconds
        );
    }

    #[test]
    fn tool_limits_bind_wherever_there_are_tools() {
        let mut script = Script::default();
        script
            .call("desk.echo", json!({}))
            .call("desk.echo", json!({}))
            .say("ok");
        for kind in ["react", "text-json"] {
            let mut bench = Bench::of(kind);
            bench.limits.max_tool_calls = Some(1);
            let driven = bench.play("scripted", &script);
            assert_eq!(driven.calls.len(), 1, "{kind}");
            assert_eq!(
                driven.conversation.into_trajectory().ending,
                Some(Ending::Violation)
            );
        }
    }

    #[test]
    fn a_spec_that_no_kind_can_meet_builds_nothing() {
        let spec = |kind: &str, verify| HarnessSpec {
            id: "h".to_owned(),
            kind: kind.to_owned(),
            verify,
            instructions: None,
            additions: Default::default(),
            command: None,
        };
        for kind in KINDS {
            assert!(build(&spec(kind.name, false)).is_ok());
            assert_eq!(build(&spec(kind.name, true)).is_ok(), kind.can_verify);
        }
        let error = build(&spec("nonsense", false)).err().unwrap();
        assert!(
            error.to_string().contains("react, single-shot, text-json"),
            "{error}"
        );
    }
}
