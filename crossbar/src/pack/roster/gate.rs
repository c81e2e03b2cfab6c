//! The section `gate` of a roster: what CI is held to.

use super::settings::{cell, section};
use super::{Cell, GateSettings, keys};
use crate::domain::{CellId, GateMode, GateReference, GateRules, GateScope, Model};
use crate::source::{Field, Fields};

/// Keys of `gate` that this version does not carry out.
const UNBUILT: &[&str] = &["order", "undecided"];

/// What a gate can name.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// The cells, which can be held; `None` when they could not be worked out.
    pub(super) cells: Option<&'a [Cell]>,
    /// The cell used today.
    pub(super) baseline: Option<&'a CellId>,
    /// The models, in the order in which cells count them.
    pub(super) models: &'a [&'a Model],
}

/// Reads `gate`.
pub(super) fn read(field: &Field<'_>, known: Known<'_>) -> GateSettings {
    let default = GateSettings::default();
    let Some(fields) = section(field, &keys::GATE, UNBUILT) else {
        return default;
    };
    let margin = fields.key("margin").declared_number();
    let alpha = fields.key("alpha").declared_number();
    let quality_bar = fields.key("quality_bar").declared_number();
    let rules = rules(&fields, known);
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
    let cell = known.cells.and_then(|cells| cell(&held, cells));
    let word = mode.declared_word();
    let said = reference(&against);
    let (mode_of, reference) = match word?.value {
        "regression" => (GateMode::Regression, said.unwrap_or(GateReference::Stored)),
        "noninferiority" => {
            if let Some(other) = said.filter(|one| *one != GateReference::Concurrent) {
                against.error(
                    &format!("can't be `{other}` here: noninferiority compares within one sweep"),
                    "remove it",
                );
            }
            (GateMode::Noninferiority, GateReference::Concurrent)
        }
        _ => return None,
    };
    if reference != GateReference::Stored {
        needs_two_cells(&mode, &held, (cell.as_ref(), known));
    }
    if let GateReference::Sentinel { .. } = reference {
        asks_the_same_model(&against, (cell.as_ref(), known));
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

/// What a cell is held against; `None` where nobody says so, or says it in no known form.
fn reference(field: &Field<'_>) -> Option<GateReference> {
    if !field.is_present() {
        return None;
    }
    let text = field.text()?.value;
    let read = GateReference::parse(text);
    match (read, text.strip_prefix(GateReference::SENTINEL)) {
        (None, Some(number)) => {
            field.error(
                &format!("has `{number}` sentinel tasks"),
                "write a whole number from 1, such as `sentinel:5`",
            );
        }
        (None, None) => drop(field.one_of(&["stored", "concurrent", "sentinel:5"])),
        (Some(_), _) => {}
    }
    read
}

/// A sentinel of another model would say nothing of the provider behind the held one.
fn asks_the_same_model(field: &Field<'_>, found: (Option<&CellId>, Known<'_>)) {
    let (Some(held), known) = found else {
        return;
    };
    let (Some(baseline), Some(cells)) = (known.baseline, known.cells) else {
        return;
    };
    let model = |id: &CellId| {
        let cell = cells.iter().find(|cell| cell.id == *id)?;
        let model = known.models.get(cell.model)?;
        Some((&model.provider, &model.model, &model.base_url))
    };
    if model(held) != model(baseline) {
        field.error(
            &format!("needs a baseline that asks the same model as `{held}`, and `{baseline}` asks another"),
            "name a baseline of the same model with the harness that stands still, or write `concurrent`",
        );
    }
}

/// A comparison with the baseline, or beside it, needs the cell that is held and another one.
fn needs_two_cells(mode: &Field<'_>, held: &Field<'_>, found: (Option<&CellId>, Known<'_>)) {
    let (cell, known) = found;
    if known.cells.is_none() {
        return;
    }
    match (cell, known.baseline) {
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
