//! The cells: which model runs in which harness.

use super::super::names;
use super::Cell;
use super::harnesses::ReadHarness;
use super::keys;
use super::models::ReadModel;
use crate::domain::CellId;
use crate::source::{Field, Problems};

/// Both axes of the matrix.
type Axes<'s, 'a> = (&'s [ReadModel<'a>], &'s [ReadHarness<'a>]);

/// The cells that `agents` lists, in its order; every compatible pair when it is absent.
pub(super) fn read(agents: &Field<'_>, axes: Axes<'_, '_>, problems: &Problems) -> Vec<Cell> {
    if agents.is_present() && axes.0.is_empty() {
        agents.error(
            "pairs models, and `models` names none",
            "name them, or remove it",
        );
        Vec::new()
    } else if agents.is_present() {
        listed(agents, axes, problems)
    } else {
        every_pair(agents, axes)
    }
}

fn every_pair(agents: &Field<'_>, (models, harnesses): Axes<'_, '_>) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (m, model) in models.iter().enumerate() {
        for (h, harness) in harnesses.iter().enumerate() {
            if fits(model, harness) {
                cells.extend(cell((m, model), (h, harness)));
            }
        }
    }
    if cells.is_empty() && !models.is_empty() && !harnesses.is_empty() {
        agents.error(
            "would be empty: no model of this roster goes with any of its harnesses",
            "add a harness of a kind that one of the providers goes with",
        );
    }
    cells
}

fn listed(agents: &Field<'_>, axes: Axes<'_, '_>, problems: &Problems) -> Vec<Cell> {
    let items = agents.items().unwrap_or_default();
    if items.is_empty() && agents.items().is_some() {
        agents.error("is empty", "remove it to run every compatible pair");
    }
    let mut cells: Vec<Cell> = Vec::new();
    for item in &items {
        let Some(cell) = pair(item, axes, problems) else {
            continue;
        };
        if cells.iter().any(|one| one.id == cell.id) {
            item.error(&format!("names `{}` again", cell.id), "remove it");
        } else {
            cells.push(cell);
        }
    }
    cells
}

fn pair(item: &Field<'_>, (models, harnesses): Axes<'_, '_>, problems: &Problems) -> Option<Cell> {
    let fields = item.section(&keys::AGENT)?;
    let model_field = fields.key("model");
    let harness_field = fields.key("harness");
    let span = fields.span();
    fields.finish();
    let m = position(&model_field, models.iter().map(|one| one.model.id.as_str()));
    let h = position(
        &harness_field,
        harnesses.iter().map(|one| one.spec.id.as_str()),
    );
    let (m, h) = (m?, h?);
    let (model, harness) = (models.get(m)?, harnesses.get(h)?);
    if let (Some(provider), false) = (model.kind, fits(model, harness)) {
        problems.error_help(
            span,
            format!(
                "model `{}` does not go with harness `{}` (provider `{}`, kind `{}`)",
                model.model.id, harness.spec.id, provider.name, harness.spec.kind
            ),
            format!(
                "provider `{}` goes with {}",
                provider.name,
                names::listed(provider.harnesses.iter().copied())
            ),
        );
    }
    cell((m, model), (h, harness))
}

/// The index of the id that the field names; an unknown one is an error.
fn position<'s>(field: &Field<'_>, ids: impl Iterator<Item = &'s str>) -> Option<usize> {
    let ids: Vec<&str> = ids.collect();
    let word = field.one_of(&ids)?;
    ids.iter().position(|id| *id == word.value)
}

/// Whether the provider goes with the harness kind; a side that had a problem counts as fitting,
/// so that one mistake is one message.
fn fits(model: &ReadModel<'_>, harness: &ReadHarness<'_>) -> bool {
    match (model.kind, harness.kind) {
        (Some(provider), Some(kind)) => provider.harnesses.contains(&kind.name),
        _ => true,
    }
}

fn cell(
    (m, model): (usize, &ReadModel<'_>),
    (h, harness): (usize, &ReadHarness<'_>),
) -> Option<Cell> {
    let id = CellId::new(&model.model.id, &harness.spec.id).ok()?;
    Some(Cell {
        id,
        model: m,
        harness: h,
    })
}
