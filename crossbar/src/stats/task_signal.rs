//! What each task tells: which ones every cell passes or fails, which ones tell cells apart, and
//! whether a difference hangs on a single task (rows Q-06 and K4-50).

use super::arm::Arm;
use super::error::StatsError;
use super::units::Units;
use super::variance::{NoiseShare, variance_split};

/// What one task said over all cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TaskSignal {
    /// every rollout of every cell passed: no information about differences
    AllPass,
    /// no rollout of any cell passed: none either, and it widens every interval
    AllFail,
    /// something differed
    Mixed {
        /// mean over cells of the pass rate
        mean: f64,
        /// variance between the cells' true rates (analysis of variance), and the share of a single
        /// rollout's variance that is noise
        between: Option<f64>,
        /// as `between`; not estimable with one repeat
        noise: NoiseShare,
    },
}

/// The signal of every task over the cells (same tasks in each), in task order.
/// Errors: no cell, cells over different tasks.
pub fn task_signals(cells: &[Arm<'_>]) -> Result<Vec<TaskSignal>, StatsError> {
    let first = cells.first().ok_or(StatsError::NoTasks)?;
    for cell in cells {
        first.check_same_tasks(cell)?;
    }
    (0..first.tasks())
        .map(|task| {
            let passes: Vec<u32> = cells.iter().map(|cell| cell.passes()[task]).collect();
            let runs: Vec<u32> = cells.iter().map(|cell| cell.runs()[task]).collect();
            // the cells of one task stand where the tasks of one cell stand elsewhere
            let over_cells = Arm::new(&passes, &runs)?;
            if over_cells.all_pass() {
                return Ok(TaskSignal::AllPass);
            }
            if over_cells.all_fail() {
                return Ok(TaskSignal::AllFail);
            }
            let split = variance_split(over_cells);
            Ok(TaskSignal::Mixed {
                mean: over_cells.mean(),
                between: split.between,
                noise: split.share_of_rollout,
            })
        })
        .collect()
}

/// The unit that a difference owes most to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// its position
    pub unit: usize,
    /// the difference of the means with it
    pub difference: f64,
    /// the difference without it
    pub without: f64,
}

impl Influence {
    /// Whether more than half of the difference, or its sign, hangs on that one unit.
    pub fn carries(&self) -> bool {
        self.difference != 0.0 && self.without / self.difference < 0.5
    }
}

/// The unit whose absence brings the difference of a and b closest to 0 or furthest beyond; the
/// first of equal ones. `None` with one unit or where nothing differs.
/// Errors: other units or weights in the two arms.
pub fn influence(a: &Units, b: &Units) -> Result<Option<Influence>, StatsError> {
    a.check_pairs_with(b)?;
    let n = a.len() as f64;
    let difference = a.mean() - b.mean();
    if a.len() < 2 || difference == 0.0 {
        return Ok(None);
    }
    let pairs = a.values().iter().zip(b.values()).zip(a.shares());
    let mut most: Option<Influence> = None;
    for (unit, ((x, y), share)) in pairs.enumerate() {
        let weight = share / n;
        let without = (difference - weight * (x - y)) / (1.0 - weight);
        let further = |than: &Influence| (than.without - without) * difference.signum() > 1e-12;
        if most.as_ref().is_none_or(further) {
            most = Some(Influence {
                unit,
                difference,
                without,
            });
        }
    }
    Ok(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_clean_and_telling_tasks() {
        let runs = [4; 3];
        let (a, b) = ([4, 0, 4], [4, 0, 0]);
        let arm = |passes| Arm::new(passes, &runs).unwrap();
        let signals = task_signals(&[arm(&a), arm(&b)]).unwrap();
        assert_eq!(signals[..2], [TaskSignal::AllPass, TaskSignal::AllFail]);
        let TaskSignal::Mixed { mean, noise, .. } = signals[2] else {
            panic!("{signals:?}")
        };
        assert_eq!((mean, noise), (0.5, NoiseShare::Share(0.0)));
        assert_eq!(task_signals(&[]).unwrap_err(), StatsError::NoTasks);
    }

    #[test]
    fn one_task_can_carry_a_difference() {
        let units = |passes: &[u32]| Units::tasks(Arm::new(passes, &[5; 4]).unwrap());
        let (a, b) = (units(&[5, 5, 5, 0]), units(&[5, 4, 5, 5]));
        let got = influence(&a, &b).unwrap().unwrap();
        assert_eq!(got.unit, 3);
        assert!(got.carries() && got.without > 0.0, "{got:?}");
        let even = influence(&units(&[3; 4]), &units(&[5; 4]))
            .unwrap()
            .unwrap();
        assert!(!even.carries() && (even.without - even.difference).abs() < 1e-12);
        assert_eq!(influence(&a, &a).unwrap(), None);
    }
}
