//! Seeds that depend on names alone: the same on every machine, thread count and order.

use super::canonical::digest;

/// A seed from the sweep's seed and some names: the first eight bytes, little-endian, of the
/// SHA-256 of the parts, each with its length before it so that no two lists collide.
#[must_use]
pub fn seed_of(sweep: u64, parts: &[&str]) -> u64 {
    let mut bytes = sweep.to_le_bytes().to_vec();
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    let hash = digest(&bytes);
    hash.iter()
        .take(8)
        .rev()
        .fold(0, |seed, byte| (seed << 8) | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_bits_hold_everywhere() {
        assert_eq!(seed_of(0, &["m+h", "p::t", "1"]), 7_316_767_985_500_858_404);
        assert_ne!(seed_of(0, &["ab", "c"]), seed_of(0, &["a", "bc"]));
        assert_ne!(seed_of(0, &["a"]), seed_of(1, &["a"]));
    }
}
