//! The section `gate`.

use super::*;
use crate::domain::{GateMode, GateReference, GateScope};

#[test]
fn z08_a_gate_is_read_with_its_defaults() {
    let rules = |gate: &str| good(&with(&format!("gate: {gate}\n"))).gate.rules;
    assert_eq!(rules("{mode: none, noise_threshold: 0.1}"), None);
    let read = rules("{mode: regression}").unwrap();
    assert_eq!(
        (read.mode, read.scope),
        (GateMode::Regression, GateScope::These)
    );
    assert_eq!((read.reference, read.cell), (GateReference::Stored, None));
    assert_eq!((read.noise_threshold, read.max_age_days), (0.02, 14));
    assert!(!read.forbid_removed && !read.allow_mock);
    let said = "{mode: regression, scope: like, max_age_days: 3, forbid_removed: true, allow_mock: true, cell: m+h}";
    let read = rules(said).unwrap();
    assert_eq!((read.scope, read.max_age_days), (GateScope::Like, 3));
    assert!(read.forbid_removed && read.allow_mock && read.cell.is_some());
}

#[test]
fn z08_a_gate_within_one_sweep_needs_two_cells() {
    let two = |gate: &str| {
        format!(
            "models: [{{id: m, provider: mock}}, {{id: n, provider: mock}}]\nharnesses: [{{id: h, kind: react}}]\nrun: {{baseline: m+h}}\ngate: {gate}\n"
        )
    };
    let rules = good(&two("{mode: noninferiority, cell: n+h}"))
        .gate
        .rules
        .unwrap();
    assert_eq!(
        (rules.mode, rules.scope),
        (GateMode::Noninferiority, GateScope::Like)
    );
    assert_eq!(rules.reference, GateReference::Concurrent);
    bad(
        &two("{mode: noninferiority}"),
        &[
            "4:14: `mode` needs `cell`, the cell that is held against the baseline (add `cell: MODEL+HARNESS` to `gate`)",
        ],
    );
    bad(
        &two("{mode: regression, reference: concurrent, cell: m+h}"),
        &["4:55: `cell` is the baseline itself (name the cell that would take its place)"],
    );
    bad(
        &two("{mode: noninferiority, cell: n+h, reference: stored}"),
        &[
            "4:52: `reference` can't be `stored` here: noninferiority compares within one sweep (remove it)",
        ],
    );
    bad(
        &with("gate: {mode: noninferiority, cell: m+h}\n"),
        &[
            "5:14: `mode` needs `run.baseline` to hold a cell against (add `baseline: MODEL+HARNESS` to `run`)",
        ],
    );
}
