//! What a server printed on its protocol stream that is no protocol.

/// How many lines are kept, and how much of each, in bytes.
const LINES: usize = 20;
const WIDTH: usize = 500;

/// Lines that were skipped. They are shown in traces, never to the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Noise {
    /// How many.
    pub count: u64,
    /// The first 20 of them, each cut at 500 bytes.
    pub sample: Vec<String>,
}

impl Noise {
    pub(super) fn add(&mut self, line: &[u8]) {
        self.count += 1;
        if self.sample.len() < LINES {
            let text = String::from_utf8_lossy(line.trim_ascii_end());
            self.sample
                .push(text[..text.floor_char_boundary(WIDTH)].to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_all_and_keeps_little() {
        let mut noise = Noise::default();
        for _ in 0..1000 {
            noise.add("é".repeat(4000).as_bytes());
        }
        assert_eq!(
            (noise.count, noise.sample.len(), noise.sample[0].len()),
            (1000, 20, 500)
        );
    }
}
