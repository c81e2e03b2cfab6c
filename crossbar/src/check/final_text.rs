//! `final_text`: compares the agent's last answer. It checks a claim, not a fact.
//!
//! An agent that gave no answer fails it. In the mode `exact` white space around the answer and
//! around the expected text is not compared.

use super::matching::Matcher;
use super::{
    Check, CheckKind, FieldError, FieldKind, FieldSpec, Fields, GuardByKind, Judgement, MatchMode,
};
use crate::domain::{Evidence, Trajectory};
use serde_json::Value;

const MODES: &[MatchMode] = &[MatchMode::Contains, MatchMode::Regex, MatchMode::Exact];

/// The row of the table.
pub(super) const KIND: CheckKind = CheckKind {
    name: "final_text",
    doc: "the agent's last answer says something: a claim, not a fact",
    guard_by_kind: GuardByKind::Never,
    about_state: false,
    fields: &[
        FieldSpec {
            name: "value",
            kind: FieldKind::Text,
            required: true,
            doc: "the text, or the regular expression",
        },
        FieldSpec {
            name: "match",
            kind: FieldKind::Mode(MODES),
            required: false,
            doc: "how it is compared (default contains)",
        },
    ],
    build,
};

#[derive(Debug)]
struct FinalText {
    trim: bool,
    expected: Matcher,
}

fn build(fields: &Fields) -> Result<Box<dyn Check>, FieldError> {
    let mode = fields.mode("match", MODES)?.unwrap_or(MatchMode::Contains);
    let trim = mode == MatchMode::Exact;
    let value = fields.text("value")?;
    let value = if trim { value.trim() } else { value };
    let expected = Matcher::new(mode, Value::String(value.to_owned()))
        .map_err(|why| FieldError::new("value", format!("is {why}")))?;
    Ok(Box::new(FinalText { trim, expected }))
}

impl Check for FinalText {
    fn judge(&self, trajectory: &Trajectory, _evidence: &Evidence) -> Judgement {
        let Some(text) = &trajectory.final_text else {
            return Judgement::fail("the agent gave no final answer");
        };
        let text = if self.trim { text.trim() } else { text };
        match self.expected.test(&Value::String(text.to_owned())) {
            Ok(()) => Judgement::pass(),
            Err(mismatch) => Judgement::fail(format!("final answer: {mismatch}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn judge(mode: Option<&str>, value: &str, answer: Option<&str>) -> Judgement {
        let mut fields = Fields::default();
        fields.set("value", json!(value));
        if let Some(mode) = mode {
            fields.set("match", json!(mode));
        }
        let trajectory = Trajectory {
            final_text: answer.map(str::to_owned),
            ..Trajectory::default()
        };
        build(&fields)
            .unwrap()
            .judge(&trajectory, &Evidence::default())
    }

    #[test]
    fn the_three_modes_and_the_default() {
        for (mode, value, answer, passed) in [
            (None, "REFUNDED", "It was refunded.", true),
            (None, "refunded", "It was not.", false),
            (Some("contains"), "o1001", "Order O1001.", true),
            (Some("regex"), r"\b2\b", "there are 2 left", true),
            (Some("regex"), r"\b2\b", "there are 12 left", false),
            (Some("exact"), "42\n", " 42 ", true),
            (Some("exact"), "42", "It is 42", false),
        ] {
            assert_eq!(
                judge(mode, value, Some(answer)).passed,
                passed,
                "{mode:?} {value}"
            );
        }
    }

    #[test]
    fn no_answer_fails_whatever_is_expected() {
        for mode in MODES {
            let judgement = judge(Some(mode.word()), ".*", None);
            assert!(!judgement.passed && judgement.message.is_some());
        }
    }

    #[test]
    fn a_bad_pattern_an_empty_text_and_the_mode_subset_are_refused_when_read() {
        for (mode, value, field) in [
            ("regex", "(", "value"),
            ("contains", "", "value"),
            ("subset", "x", "match"),
        ] {
            let mut fields = Fields::default();
            fields.set("value", json!(value)).set("match", json!(mode));
            assert_eq!(build(&fields).unwrap_err().field, field);
        }
    }
}
