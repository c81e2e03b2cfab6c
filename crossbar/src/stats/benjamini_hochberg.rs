//! Benjamini and Hochberg's correction (1995): the share of false finds among the finds. Only for
//! slices that nobody announced, printed as exploratory; claims are corrected by Holm.

/// Adjusted p-values in the order of the input: a find at `q` is one of those whose expected share
/// of false ones is at most `q` (p-values independent or positively dependent). `absent` further ones
/// were planned and have no p-value: they count as if theirs were 1.
pub fn benjamini_hochberg(p: &[f64], absent: usize) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let count = (p.len() + absent) as f64;
    let mut adjusted = vec![1.0; p.len()];
    let mut lowest = 1.0_f64;
    for (place, &j) in order.iter().enumerate().rev() {
        lowest = lowest.min(count * p[j] / (place as f64 + 1.0));
        adjusted[j] = lowest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_p_stays_and_smaller_ones_never_pass_it() {
        assert_eq!(benjamini_hochberg(&[0.5, 0.9, 0.02], 0), [0.75, 0.9, 0.06]);
        assert_eq!(benjamini_hochberg(&[0.5, 0.5], 0), [0.5, 0.5]);
        assert!(benjamini_hochberg(&[], 0).is_empty());
    }

    #[test]
    fn an_absent_one_counts_as_one_whose_p_is_1() {
        let with = benjamini_hochberg(&[0.5, 0.9, 0.02, 1.0, 1.0], 0);
        assert_eq!(benjamini_hochberg(&[0.5, 0.9, 0.02], 2), with[..3]);
    }
}
