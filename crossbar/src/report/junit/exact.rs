//! What a case must say besides its counts, so that whoever reads the file back has the figures of
//! the sweep again.

use super::super::csv::{cost_source, decimal_dollars};
use super::super::frozen::Frozen;
use super::property;
use crate::analysis::TaskSummary;
use crate::domain::{Cost, CostSource, ResultRow, Usd};
use quick_junit::Property;

/// The task's family where it has one, its weight where it is not 1, the cost to the micro-dollar
/// where all of it is known, and that it is free where all of it is.
pub(super) fn properties(
    frozen: &Frozen<'_>,
    task: &TaskSummary,
    rows: &[ResultRow],
) -> Vec<Property> {
    let mut properties = Vec::new();
    if let Some(family) = &task.family {
        properties.push(property("family", family));
    }
    let tasks = &frozen.question.tasks;
    let weight = tasks.iter().find(|one| one.id == task.task);
    let weight = weight.map(|one| one.weight).filter(|weight| *weight != 1.0);
    properties.extend(weight.map(|weight| property("weight", &weight.to_string())));
    let spent = rows.iter().map(|row| row.cost.amount());
    if let Some(spent) = spent.sum::<Option<Usd>>().filter(|_| !rows.is_empty()) {
        properties.push(property("cost_usd", &decimal_dollars(spent.micros())));
    }
    if let Some(first) = rows.first().filter(|_| rows.iter().all(is_free)) {
        properties.push(property("cost_source", &cost_source(&first.cost)));
    }
    properties
}

fn is_free(row: &ResultRow) -> bool {
    let source = CostSource::Free;
    matches!(row.cost, Cost::Known { source: from, .. } if from == source)
}
