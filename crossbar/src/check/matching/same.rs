//! Equality of single values: numbers as numbers, everything else as itself.

use serde_json::{Number, Value};

/// Whether two values that are neither both maps nor both lists are the same.
pub(super) fn same(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::Number(a), Value::Number(b)) => same_number(a, b),
        _ => expected == actual,
    }
}

/// Whether two numbers are the same number. Whole numbers compare without rounding, also with a
/// decimal one, so that neighbours beyond 2^53 stay apart.
fn same_number(a: &Number, b: &Number) -> bool {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a.as_f64() == b.as_f64(),
        _ => false,
    }
}

/// The value of a number that has no fraction and that an `i128` holds.
fn whole(number: &Number) -> Option<i128> {
    let integer = number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from));
    // A whole `f64` is printed digit by digit, and exactly.
    integer.or_else(|| {
        format!("{:.0}", number.as_f64().filter(|n| n.fract() == 0.0)?)
            .parse()
            .ok()
    })
}
