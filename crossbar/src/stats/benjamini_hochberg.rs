//! Benjamini and Hochberg's correction (1995): the share of false finds among the finds. Only for
//! slices that nobody announced, printed as exploratory; claims are corrected by Holm.

/// Adjusted p-values in the order of the input: a find at `q` is one of those whose expected share
/// of false ones is at most `q` (p-values independent or positively dependent).
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let count = p.len() as f64;
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
        assert_eq!(benjamini_hochberg(&[0.5, 0.9, 0.02]), [0.75, 0.9, 0.06]);
        assert_eq!(benjamini_hochberg(&[0.5, 0.5]), [0.5, 0.5]);
        assert!(benjamini_hochberg(&[]).is_empty());
    }
}
