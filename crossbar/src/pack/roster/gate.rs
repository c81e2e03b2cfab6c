//! The section `gate` of a roster: what CI is held to.

use super::settings::{cell, section};
use super::{Cell, GateSettings, keys};
use crate::domain::{CellId, GateMode, GateReference, GateRules, GateScope};
use crate::source::{Field, Fields};

/// Keys of `gate` that this version does not carry out.
const UNBUILT: &[&str] = &["order", "undecided"];

/// The cells of a roster and the one used today; `None` while the cells can't be worked out.
type Known<'a> = (Option<&'a [Cell]>, Option<&'a CellId>);

/// Reads `gate`. `cells` are what can be held; `None` when they could not be worked out.
pub(super) fn read(
    field: &Field<'_>,
    cells: Option<&[Cell]>,
    baseline: Option<&CellId>,
) -> GateSettings {
    let default = GateSettings::default();
    let Some(fields) = section(field, &keys::GATE, UNBUILT) else {
        return default;
    };
    let margin = fields.key("margin").declared_number();
    let alpha = fields.key("alpha").declared_number();
    let quality_bar = fields.key("quality_bar").declared_number();
    let rules = rules(&fields, (cells, baseline));
    fields.finish();
    GateSettings {
        margin: margin.map(|one| one.value),
        alpha: alpha.map_or(default.alpha, |one| one.value),
        quality_bar: quality_bar.map(|one| one.value),
        rules,
    }
}

/// The rules; `None` without a mode, or with the mode `none`.
fn rules(fields: &Fields<'_>, known: Known<'_>) -> Option<GateRules> {
    let mode = fields.key("mode");
    let scope = fields.key("scope").declared_word();
    let held = fields.key("cell");
    let against = fields.key("reference");
    let noise = fields.key("noise_threshold").declared_number();
    let age = fields.key("max_age_days").declared_integer::<u32>();
    let forbid_removed = fields.key("forbid_removed").bool();
    let allow_mock = fields.key("allow_mock").bool();
    let cell = known.0.and_then(|cells| cell(&held, cells));
    let word = mode.declared_word();
    let reference = against.declared_word();
    let stored = reference.is_none_or(|word| word.value == "stored");
    let (mode_of, reference) = match word?.value {
        "regression" if stored => (GateMode::Regression, GateReference::Stored),
        "regression" => (GateMode::Regression, GateReference::Concurrent),
        "noninferiority" => {
            if against.is_present() && stored {
                against.error(
                    "can't be `stored` here: noninferiority compares within one sweep",
                    "remove it",
                );
            }
            (GateMode::Noninferiority, GateReference::Concurrent)
        }
        _ => return None,
    };
    if reference == GateReference::Concurrent {
        needs_two_cells(&mode, &held, (cell.as_ref(), known));
    }
    let usual = GateRules::regression();
    let scope = match (scope.map(|word| word.value), mode_of) {
        (Some("these"), _) | (None, GateMode::Regression) => GateScope::These,
        _ => GateScope::Like,
    };
    Some(GateRules {
        mode: mode_of,
        scope,
        cell,
        reference,
        noise_threshold: noise.map_or(usual.noise_threshold, |one| one.value),
        max_age_days: age.map_or(usual.max_age_days, |one| one.value),
        forbid_removed: forbid_removed.is_some_and(|one| one.value),
        allow_mock: allow_mock.is_some_and(|one| one.value),
    })
}

/// A comparison within one sweep needs the cell that is held, and another one as the baseline.
fn needs_two_cells(mode: &Field<'_>, held: &Field<'_>, found: (Option<&CellId>, Known<'_>)) {
    let (cell, (cells, baseline)) = found;
    if cells.is_none() {
        return;
    }
    match (cell, baseline) {
        (None, _) if !held.is_present() => mode.error(
            "needs `cell`, the cell that is held against the baseline",
            "add `cell: MODEL+HARNESS` to `gate`",
        ),
        (_, None) => mode.error(
            "needs `run.baseline` to hold a cell against",
            "add `baseline: MODEL+HARNESS` to `run`",
        ),
        (Some(cell), Some(baseline)) if cell == baseline => held.error(
            "is the baseline itself",
            "name the cell that would take its place",
        ),
        _ => {}
    }
}
