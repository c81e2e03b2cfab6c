//! Costs in whole micro-dollars where the rounding doesn't matter, and unknown where it does.

use super::found::Found;
use crate::domain::{CellId, Cost};
use std::collections::BTreeMap;

/// The part of a cell's cost that rounding may change.
const ROUNDING: f64 = 0.01;

/// Makes the costs of a cell unknown whose total the rounding of single rollouts changed by more
/// than a hundredth, since a comparison of prices would be one of roundings; a note for each.
pub(super) fn hold_rounding(found: &mut [Found]) -> Vec<String> {
    let mut sums: BTreeMap<CellId, (f64, f64)> = BTreeMap::new();
    for one in found.iter() {
        if let (Some(dollars), Some(amount)) = (one.dollars, one.row.cost.amount()) {
            let sum = sums.entry(one.row.key.cell.clone()).or_default();
            *sum = (sum.0 + dollars, sum.1 + amount.dollars());
        }
    }
    sums.retain(|_, (exact, rounded)| (*exact - *rounded).abs() > ROUNDING * *exact);
    for one in found.iter_mut() {
        if sums.contains_key(&one.row.key.cell) {
            one.row.cost = Cost::Unknown;
        }
    }
    let cells = sums.keys();
    cells
        .map(|cell| {
            format!(
                "{cell}: costs are counted in millionths of a dollar, and its rollouts cost so \
                 little that rounding would change the total; they are taken as unknown"
            )
        })
        .collect()
}
