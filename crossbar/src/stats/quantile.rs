//! Quantiles of a sample by linear interpolation (R's type 7).

/// The `q` quantile (q in [0, 1]) of values in ascending order; `None` for an empty list.
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = q.clamp(0.0, 1.0) * last as f64;
    let below = place.floor() as usize;
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    Some(low + (place - below as f64) * (high - low))
}

/// The same of values in any order, which it rearranges: two of them are looked for, which costs less
/// than to sort all.
pub(crate) fn unsorted_quantile(values: &mut [f64], q: f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    let place = q.clamp(0.0, 1.0) * last as f64;
    let below = place.floor() as usize;
    let (_, low, above) = values.select_nth_unstable_by(below, f64::total_cmp);
    let (low, next) = (*low, above.iter().copied().min_by(f64::total_cmp));
    Some(low + (place - below as f64) * (next.unwrap_or(low) - low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpolates_between_neighbours() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), Some(3.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 1.0), Some(4.0));
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn values_in_any_order_have_the_same_quantiles_to_the_last_bit() {
        let values: Vec<f64> = (0..101).map(|i| f64::from(i * 37 % 101) / 7.0).collect();
        let mut sorted = values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        for q in [0.0, 0.025, 0.1, 0.5, 0.77, 0.975, 1.0] {
            let found = unsorted_quantile(&mut values.clone(), q);
            assert_eq!(found, quantile(&sorted, q), "{q}");
        }
        assert_eq!(unsorted_quantile(&mut [], 0.5), None);
    }
}
