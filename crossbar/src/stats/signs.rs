//! Sign vectors, one sign per task, and the sums that many of them give at once. All vectors where
//! tasks are few, seeded ones elsewhere; the first vector leaves every sign as it is.

use super::error::StatsError;
use super::limits::in_range;
use super::random::Draws;

/// Up to this many tasks all 2^n sign vectors are taken.
pub(crate) const MOST_EXHAUSTIVE: usize = 14;

/// Tasks per table of partial sums: a byte of signs picks its entry.
const BLOCK: usize = 8;

/// The number of tasks of some columns of differences: one difference a task, within `-most..=most`.
pub(crate) fn tasks_of(columns: &[&[i64]], most: i64) -> Result<usize, StatsError> {
    let tasks = columns.first().map_or(0, |column| column.len());
    if tasks == 0 {
        return Err(StatsError::NoTasks);
    }
    for column in columns {
        if column.len() != tasks {
            return Err(StatsError::LengthMismatch {
                left: tasks,
                right: column.len(),
            });
        }
        for &d in *column {
            in_range("difference", d as f64, (-most..=most).contains(&d))?;
        }
    }
    Ok(tasks)
}

/// Sign vectors over tasks: a set bit turns the task's sign.
pub(crate) struct Signs {
    vectors: usize,
    /// for each block of eight tasks, one byte per vector
    blocks: Vec<Vec<u8>>,
}

impl Signs {
    /// All 2^n vectors up to [`MOST_EXHAUSTIVE`] tasks, else the identity and `drawn` seeded ones.
    pub(crate) fn of(tasks: usize, drawn: usize, seed: u64) -> Self {
        if tasks <= MOST_EXHAUSTIVE {
            Self::all(tasks)
        } else {
            Self::drawn(tasks, drawn, seed)
        }
    }

    fn all(tasks: usize) -> Self {
        let vectors = 1_usize << tasks;
        let byte = |block: usize| (0..vectors).map(move |v| (v >> (BLOCK * block)) as u8);
        let blocks = tasks.div_ceil(BLOCK);
        Self {
            vectors,
            blocks: (0..blocks).map(|block| byte(block).collect()).collect(),
        }
    }

    /// Every block of tasks has a stream of its own, so that tasks added at the end leave the
    /// signs of the others alone.
    fn drawn(tasks: usize, drawn: usize, seed: u64) -> Self {
        let block = |block: usize| {
            let mut draws = Draws::stream(seed, block as u64);
            let mut bytes = vec![0; drawn + 1];
            draws.fill(&mut bytes[1..]);
            bytes
        };
        Self {
            vectors: drawn + 1,
            blocks: (0..tasks.div_ceil(BLOCK)).map(block).collect(),
        }
    }

    /// How many vectors there are, the identity among them.
    pub(crate) fn len(&self) -> usize {
        self.vectors
    }

    /// For the vectors `from..to`, row by row, the signed sum of every column (all as long as
    /// there are tasks). Eight tasks at a time: the 256 sums that their signs can give are made
    /// once, and every vector then picks one.
    pub(crate) fn sums(&self, columns: &[&[i64]], from: usize, to: usize) -> Vec<i64> {
        let width = columns.len();
        let mut sums = vec![0_i64; (to - from) * width];
        let mut table = vec![0_i64; (1 << BLOCK) * width];
        for (block, bytes) in self.blocks.iter().enumerate() {
            fill_table(&mut table, columns, block * BLOCK);
            for (row, &byte) in sums.chunks_exact_mut(width).zip(&bytes[from..to]) {
                let part = &table[usize::from(byte) * width..][..width];
                for (sum, part) in row.iter_mut().zip(part) {
                    *sum += part;
                }
            }
        }
        sums
    }
}

/// The signed sums of eight tasks from `first` on, for each of the 256 bytes of signs.
fn fill_table(table: &mut [i64], columns: &[&[i64]], first: usize) {
    let width = columns.len();
    let value = |task: usize, column: usize| columns[column].get(task).copied().unwrap_or(0);
    for (column, sum) in table[..width].iter_mut().enumerate() {
        *sum = (first..first + BLOCK).map(|task| value(task, column)).sum();
    }
    for byte in 1..1_usize << BLOCK {
        let task = first + byte.trailing_zeros() as usize;
        let fewer = byte & (byte - 1);
        for column in 0..width {
            table[byte * width + column] = table[fewer * width + column] - 2 * value(task, column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_bits() {
        let columns: [&[i64]; 2] = [&[1, -2, 3, 0, 5, 6, 7, 8, 9, -10], &[1; 10]];
        let signs = Signs::of(10, 0, 0);
        let sums = signs.sums(&columns, 0, signs.len());
        for vector in 0..1 << 10 {
            for (column, values) in columns.iter().enumerate() {
                let sign = |i: usize| if vector >> i & 1 == 1 { -1 } else { 1 };
                let want: i64 = values.iter().enumerate().map(|(i, v)| sign(i) * v).sum();
                assert_eq!(sums[vector * 2 + column], want);
            }
        }
    }

    #[test]
    fn added_tasks_leave_the_signs_of_others_alone() {
        let (few, many) = (Signs::of(16, 99, 7), Signs::of(40, 99, 7));
        let ones = [1; 16];
        let mut padded = vec![1; 16];
        padded.resize(40, 0);
        assert_eq!(few.len(), 100);
        let sums = few.sums(&[&ones], 0, 100);
        assert_eq!(sums, many.sums(&[&padded], 0, 100));
        assert_eq!(sums[0], 16);
        assert!(sums[1..].iter().any(|s| *s < 0) && sums[1..].iter().any(|s| *s > 0));
        assert_eq!(sums[40..60], few.sums(&[&ones], 40, 60));
    }
}
