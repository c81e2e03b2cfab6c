//! What no output says of a side of which nothing was measured: no rate, no p, no advice to run more
//! of it.

use super::fixture::{Sweep, flat};
use super::{FORMATS, Styles};
use crate::domain::{Cost, CostSource, InfrastructureEvidence, Outcome, Usd};
use serde_json::Value;

/// Words that are a claim, or advice that rests on one.
const SAID: [&str; 14] = [
    " 0.0% [",
    " p=",
    " p<",
    "(p=",
    "(p<",
    "SIGNIFICANT",
    "SWITCH",
    "STAY with",
    "REGRESSION",
    "LEANING",
    "more repeat",
    "more task",
    "would show a",
    "not separable",
];

fn dark(sides: &[&str]) -> Sweep {
    let mut sweep = Sweep::of(
        3,
        &[
            ("mock-strong+react", 17_000, &[3, 3, 2, 3]),
            ("mock-weak+react", 150, &[2, 2, 1, 3]),
        ],
    );
    sweep.question.k = Some(2);
    let of_sides = |cell: &str| sides.iter().any(|side| cell.contains(side));
    for rollout in &mut sweep.rollouts {
        if of_sides(&rollout.key.cell.to_string()) {
            rollout.outcome = Outcome::InfrastructureFailure {
                evidence: InfrastructureEvidence::ServerDied,
                message: "exit 3".to_owned(),
            };
            rollout.score = None;
            rollout.failure_mode = None;
            rollout.cost = Cost::Known {
                amount: Usd::ZERO,
                source: CostSource::Modelled,
            };
        }
    }
    sweep.again()
}

const WORLDS: [&[&str]; 3] = [&["weak"], &["strong"], &["weak", "strong"]];

/// A text without the figures that are of something that was measured: how often the machine broke,
/// how many measured rollouts ran late or called what they must not.
fn of_passes(text: &str) -> String {
    let text = flat(text);
    let mut parts = text.split("infrastructure failed in");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rest += part.split_once("Re-run both together").unwrap().1;
    }
    let measured = |word: &str| {
        let zero = rest.find(word).and_then(|at| rest[..at].rfind(" 0.0% ["));
        zero.map(|at| at..at + 5)
    };
    let late = [
        measured("] ran into the limit"),
        measured("] of any one cell's"),
    ];
    for range in late.into_iter().flatten() {
        rest.replace_range(range, " none");
    }
    rest
}

#[test]
fn no_output_says_more_than_was_measured() {
    for sides in WORLDS {
        let sweep = dark(sides);
        for format in FORMATS {
            let mut out = Vec::new();
            (format.render)(&sweep.frozen(), Styles::Plain, &mut out).unwrap();
            let text = of_passes(&String::from_utf8(out).unwrap());
            for said in SAID.iter().filter(|_| format.name != "json") {
                assert!(!text.contains(said), "{} says {said}:\n{text}", format.name);
            }
        }
        let text = flat(&sweep.output("text"));
        assert!(text.contains("no comparison: not one rollout of"), "{text}");
        assert!(text.contains("ended as infrastructure failure and measured nothing."));
        assert!(
            text.contains("would settle it: those rollouts: mend what broke"),
            "{text}"
        );
    }
}

#[test]
fn sweep_json_has_null_where_nothing_was_measured() {
    for sides in WORLDS {
        let json: Value = serde_json::from_str(&dark(sides).output("json")).unwrap();
        let analysis = &json["analysis"];
        let found = &analysis["comparisons"][0];
        assert!(found["unmeasured"].is_string(), "{found}");
        for part in ["like", "these", "took_ms", "influence"] {
            assert_eq!(found[part], Value::Null, "{part}");
        }
        assert_eq!(found["cost"]["ratio"], Value::Null);
        for cell in analysis["cells"].as_array().unwrap() {
            let name = cell["id"].to_string();
            let measured = !sides.iter().any(|side| name.contains(side));
            for rate in [
                "pass_rate",
                "pack_rate",
                "mean_score",
                "pass_at_k",
                "pass_hat_k",
            ] {
                assert_eq!(cell[rate].is_object(), measured, "{name} {rate}");
            }
        }
        assert_eq!(analysis["confidence"]["tasks_needed"], Value::Null);
    }
}

#[test]
fn junit_counts_what_was_measured_of_a_case() {
    let xml = dark(&["weak"]).output("junit");
    assert!(xml.contains(r#"name="passed" value="0 of 0""#), "{xml}");
    assert!(!xml.contains(r#"value="0 of 3""#));
}

#[test]
fn where_some_rollouts_were_not_measured_both_extremes_are_printed() {
    let mut sweep = dark(&[]);
    let lost = |at: &usize| at.is_multiple_of(5);
    let rollouts = sweep.rollouts.iter_mut().enumerate();
    for (_, rollout) in rollouts.filter(|(at, _)| lost(at)) {
        rollout.outcome = Outcome::InfrastructureFailure {
            evidence: InfrastructureEvidence::ServerDied,
            message: "exit 3".to_owned(),
        };
    }
    let text = flat(&sweep.again().output("text"));
    let found = text.find("if what was not measured went against it: -");
    assert!(
        found.is_some_and(|at| text[at..].contains("; if it went for it: +")),
        "{text}"
    );
    assert!(!flat(&dark(&[]).output("text")).contains("if what was not measured"));
}
