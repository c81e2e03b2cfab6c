//! The modes `subset` and `exact`: values compared by their structure.

use super::mismatch::{Miss, Side, text_of};
use super::{at_key, same::same};
use serde_json::{Map, Value};

/// Whether everything that is expected is there.
pub(super) fn subset<'v>(expected: &'v Value, actual: &'v Value) -> Result<(), Miss<'v>> {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            for (key, wanted) in expected {
                let found = at_key(actual, key, Side::Value(wanted))?;
                subset(wanted, found).map_err(|miss| miss.under_key(key))?;
            }
            Ok(())
        }
        (Value::Array(wanted), Value::Array(found)) => items_in_any_order(wanted, found),
        _ => leaf(expected, actual),
    }
}

/// Whether exactly the expected is there.
pub(super) fn exact<'v>(expected: &'v Value, actual: &'v Value) -> Result<(), Miss<'v>> {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => exact_map(expected, actual),
        (Value::Array(wanted), Value::Array(found)) => {
            for (index, (wanted, found)) in wanted.iter().zip(found).enumerate() {
                exact(wanted, found).map_err(|miss| miss.under_item(index))?;
            }
            if wanted.len() == found.len() {
                Ok(())
            } else {
                Err(Miss::new(
                    Side::Words(count(wanted.len())),
                    Side::Words(count(found.len())),
                ))
            }
        }
        _ => leaf(expected, actual),
    }
}

fn exact_map<'v>(
    expected: &'v Map<String, Value>,
    actual: &'v Map<String, Value>,
) -> Result<(), Miss<'v>> {
    for (key, wanted) in expected {
        let found = at_key(actual, key, Side::Value(wanted))?;
        exact(wanted, found).map_err(|miss| miss.under_key(key))?;
    }
    match actual.iter().find(|(key, _)| !expected.contains_key(*key)) {
        None => Ok(()),
        Some((key, more)) => Err(Miss::new(Side::Nothing, Side::Value(more)).under_key(key)),
    }
}

fn leaf<'v>(expected: &'v Value, actual: &'v Value) -> Result<(), Miss<'v>> {
    if same(expected, actual) {
        Ok(())
    } else {
        Err(Miss::of(expected, actual))
    }
}

fn count(items: usize) -> String {
    match items {
        1 => "1 item".to_owned(),
        n => format!("{n} items"),
    }
}

/// Whether each expected item can be given an actual item of its own. Taking the first that fits
/// is not enough (`[{}, {a: 1}]` in `[{a: 1}, {b: 2}]`), so this is a matching in a bipartite
/// graph, grown by augmenting paths.
fn items_in_any_order<'v>(wanted: &'v [Value], found: &'v [Value]) -> Result<(), Miss<'v>> {
    let mut fits: Vec<Vec<usize>> = Vec::with_capacity(wanted.len());
    for item in wanted {
        let fitting: Vec<usize> = (0..found.len())
            .filter(|&index| subset(item, &found[index]).is_ok())
            .collect();
        if fitting.is_empty() {
            return Err(nearest(item, found));
        }
        fits.push(fitting);
    }
    let mut taken_by: Vec<Option<usize>> = vec![None; found.len()];
    for (item, unseated) in wanted.iter().enumerate() {
        let mut seen = vec![false; found.len()];
        if !seat(item, &fits, &mut taken_by, &mut seen) {
            return Err(Miss::new(
                Side::Words(format!("an item of its own for {}", text_of(unseated))),
                Side::Words(format!(
                    "{} of which those that fit answer for other expected items",
                    count(found.len())
                )),
            ));
        }
    }
    Ok(())
}

/// Finds an actual item for an expected one, moving others where they can be moved.
fn seat(
    item: usize,
    fits: &[Vec<usize>],
    taken_by: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    if let Some(&free) = fits[item].iter().find(|&&index| taken_by[index].is_none()) {
        taken_by[free] = Some(item);
        return true;
    }
    for &index in &fits[item] {
        if std::mem::replace(&mut seen[index], true) {
            continue;
        }
        let moved = taken_by[index].is_some_and(|other| seat(other, fits, taken_by, seen));
        if moved {
            taken_by[index] = Some(item);
            return true;
        }
    }
    false
}

/// The miss of an item that fits nowhere: told about the actual item that shares most of its keys,
/// since that is the one the author means.
fn nearest<'v>(item: &'v Value, found: &'v [Value]) -> Miss<'v> {
    let closest = found
        .iter()
        .enumerate()
        .map(|(index, candidate)| (shared(item, candidate), index, candidate))
        .filter(|(shared, ..)| *shared > 0)
        .max_by_key(|(shared, index, _)| (*shared, std::cmp::Reverse(*index)));
    if let Some((_, index, candidate)) = closest
        && let Err(miss) = subset(item, candidate)
    {
        return miss.under_item(index);
    }
    Miss::new(
        Side::Words(format!("an item {}", text_of(item))),
        Side::Words(match found {
            [] => "no items".to_owned(),
            items => format!("{}, none like it", count(items.len())),
        }),
    )
}

/// How many entries of an expected map hold in a candidate.
fn shared(item: &Value, candidate: &Value) -> usize {
    match (item, candidate) {
        (Value::Object(item), Value::Object(candidate)) => item
            .iter()
            .filter(|(key, wanted)| {
                candidate
                    .get(*key)
                    .is_some_and(|found| subset(wanted, found).is_ok())
            })
            .count(),
        _ => 0,
    }
}
