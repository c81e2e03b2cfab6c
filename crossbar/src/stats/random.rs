//! The only source of randomness: ChaCha8 from a seed that the caller passes in.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A seeded stream of draws.
pub(crate) struct Draws(ChaCha8Rng);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A stream of its own under the same seed: streams never overlap, so what draws from one does
    /// not depend on how much others drew.
    pub(crate) fn stream(seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Self(rng)
    }

    /// Random bytes into all of `bytes`.
    pub(crate) fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }

    /// An index below `n` (n at most 2^32), by multiplication and shift: no modulo and no
    /// rejection, so a draw always takes exactly one word. The bias is below n / 2^32.
    #[inline]
    pub(crate) fn index(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }

    /// A fraction in [0, 1) with 53 bits.
    pub(crate) fn fraction(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference streams of rand_chacha 0.9: an update that changes them would change every
    /// printed bootstrap figure.
    #[test]
    fn chacha8_streams_are_pinned() {
        for (seed, expected) in [
            (
                0,
                [
                    13080132717333068652_u64,
                    8594738769458413623,
                    12896916468484187878,
                    1109962093070354556,
                ],
            ),
            (
                1,
                [
                    7424550030962593201,
                    1482817706323250795,
                    11004592982271133285,
                    4045824405258374466,
                ],
            ),
            (
                42,
                [
                    12578764544318200737,
                    17529487244874322312,
                    7886285670807131020,
                    11572758976476374866,
                ],
            ),
            (
                0xdead_beef,
                [
                    18375021277806890489,
                    10694743742067356635,
                    108071404945557828,
                    4650010346337213241,
                ],
            ),
        ] {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            assert_eq!(
                [
                    rng.next_u64(),
                    rng.next_u64(),
                    rng.next_u64(),
                    rng.next_u64()
                ],
                expected,
                "seed {seed}"
            );
        }
    }

    #[test]
    fn chacha_key_and_stream_are_pinned() {
        let mut rng = ChaCha8Rng::from_seed([0; 32]);
        assert_eq!(rng.next_u64(), 15438444565445410878);
        let mut rng = ChaCha8Rng::seed_from_u64(42);
        rng.set_stream(7);
        assert_eq!(rng.next_u64(), 2370525664269707216);
        let mut rng = rand_chacha::ChaCha20Rng::from_seed([0; 32]);
        assert_eq!(rng.next_u64(), 10393729187455219830);
        let mut rng = rand_chacha::ChaCha20Rng::seed_from_u64(42);
        assert_eq!(rng.next_u64(), 9482535800248027256);
    }

    #[test]
    fn draws_follow_the_seeded_stream() {
        let first_word = 12578764544318200737_u64 & 0xffff_ffff;
        let expected = ((first_word * 1_000_000) >> 32) as usize;
        assert_eq!(Draws::new(42).index(1_000_000), expected);
    }

    #[test]
    fn a_stream_is_that_of_its_number() {
        let mut bytes = [0; 8];
        Draws::stream(42, 7).fill(&mut bytes);
        assert_eq!(u64::from_le_bytes(bytes), 2370525664269707216);
    }

    #[test]
    fn indices_cover_the_range_evenly() {
        let mut draws = Draws::new(5);
        let mut seen = [0_u32; 7];
        for _ in 0..70_000 {
            seen[draws.index(7)] += 1;
        }
        assert!(
            seen.iter().all(|&n| (9_500..10_500).contains(&n)),
            "{seen:?}"
        );
    }
}
