//! The order of a sweep: a seeded cyclic Latin square over shuffled tasks, repeat by repeat.

use super::Matrix;
use crate::domain::{CellId, RolloutKey, TaskId};
use crate::fingerprint::seed_of;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A rollout with its place and its seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRollout {
    /// Which.
    pub key: RolloutKey,
    /// Its place in the sweep, from 0.
    pub position: u32,
    /// Its own seed: a function of the sweep's seed, cell, task and repeat alone.
    pub seed: u64,
}

/// The rollouts of a matrix in the order in which they should run, or those of some of its tasks:
/// each has the place and the seed that it has among all.
#[must_use]
pub fn order(matrix: &Matrix, seed: u64, of: &dyn Fn(&TaskId) -> bool) -> Vec<PlannedRollout> {
    let sentinel = matrix.sentinel.as_ref();
    let is_sentinel = |cell: &&CellId| sentinel.is_some_and(|one| one.cell == **cell);
    let (watching, mut cells): (Vec<_>, Vec<_>) = matrix.cells.iter().partition(is_sentinel);
    shuffle(&mut cells, seed_of(seed, &["cells"]));
    let mut sorted: Vec<_> = matrix.tasks.iter().map(|task| (task, of(task))).collect();
    sorted.sort();
    let mut planned = Vec::new();
    // The sentinel runs before all else.
    let (mut block, mut watched) = (0, 0);
    let first = matrix.watched().count() * matrix.repeats as usize;
    for repeat in 1..=matrix.repeats {
        let mut tasks = sorted.clone();
        shuffle(&mut tasks, seed_of(seed, &["tasks", &repeat.to_string()]));
        for (task, asked) in tasks {
            let key = |cell: &CellId| RolloutKey {
                cell: cell.clone(),
                task: task.clone(),
                repeat,
            };
            for cell in watching.iter().filter(|_| matrix.is_watched(task)) {
                planned.extend(asked.then(|| placed(key(cell), watched, seed)));
                watched += 1;
            }
            let steps = if asked { cells.len() } else { 0 };
            for step in 0..steps {
                let cell = cells[(block + step) % cells.len()];
                let position = first + block * cells.len() + step;
                planned.push(placed(key(cell), position, seed));
            }
            block += 1;
        }
    }
    planned.sort_by_key(|one| one.position);
    planned
}

fn placed(key: RolloutKey, position: usize, seed: u64) -> PlannedRollout {
    let position = u32::try_from(position).unwrap_or(u32::MAX);
    let seed = rollout_seed(seed, &key);
    PlannedRollout {
        key,
        position,
        seed,
    }
}

fn rollout_seed(sweep: u64, key: &RolloutKey) -> u64 {
    seed_of(
        sweep,
        &[
            &key.cell.to_string(),
            &key.task.to_string(),
            &key.repeat.to_string(),
        ],
    )
}

/// Fisher-Yates; an index is the high half of a 64 x 64 bit product, so it needs no division
/// and is the same on every platform (its bias is below 2^-50 for any real matrix).
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut stream = ChaCha8Rng::seed_from_u64(seed);
    for last in (1..items.len()).rev() {
        let wide = u128::from(stream.next_u64()) * (last as u128 + 1);
        items.swap(last, (wide >> 64) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{CellId, Sentinel};
    use std::collections::{BTreeMap, BTreeSet};

    fn tasks(count: usize) -> Vec<TaskId> {
        (0..count)
            .map(|i| TaskId::new("p", &format!("t{i}")).unwrap())
            .collect()
    }

    fn all(matrix: &Matrix, seed: u64) -> Vec<PlannedRollout> {
        order(matrix, seed, &|_| true)
    }

    fn matrix(tasks: &[TaskId], cells: usize, repeats: u32) -> Matrix {
        Matrix {
            cells: (0..cells)
                .map(|i| CellId::new(&format!("m{i}"), "h").unwrap())
                .collect(),
            tasks: tasks.to_vec(),
            repeats,
            sentinel: None,
        }
    }

    #[test]
    fn every_rollout_is_planned_once() {
        let tasks = tasks(5);
        let plan = all(&matrix(&tasks, 3, 4), 7);
        let keys: BTreeSet<_> = plan.iter().map(|p| p.key.clone()).collect();
        assert_eq!((plan.len(), keys.len()), (60, 60));
        assert!(
            plan.iter()
                .enumerate()
                .all(|(i, p)| p.position as usize == i)
        );
    }

    #[test]
    fn each_cell_comes_first_equally_often_and_none_runs_in_one_stretch() {
        let tasks = tasks(5);
        let plan = all(&matrix(&tasks, 3, 4), 7);
        let mut firsts: BTreeMap<String, usize> = BTreeMap::new();
        for block in plan.chunks(3) {
            *firsts.entry(block[0].key.cell.to_string()).or_default() += 1;
            let same: BTreeSet<_> = block.iter().map(|p| (&p.key.task, p.key.repeat)).collect();
            assert_eq!(same.len(), 1, "a block holds one task of one repeat");
        }
        assert!(firsts.values().all(|n| (6..=7).contains(n)), "{firsts:?}");
        let repeats: Vec<_> = plan.iter().map(|p| p.key.repeat).collect();
        assert!(repeats.is_sorted(), "repeat by repeat");
    }

    #[test]
    fn a_sentinel_has_its_own_tasks_alone_and_comes_first() {
        let tasks = tasks(5);
        let mut watched = matrix(&tasks, 3, 2);
        let cell = watched.cells[1].clone();
        watched.sentinel = Some(Sentinel {
            cell: cell.clone(),
            tasks: [tasks[1].clone(), tasks[4].clone()].into(),
        });
        let plan = all(&watched, 7);
        assert_eq!((plan.len(), watched.rollouts()), (24, 24));
        let (first, rest) = plan.split_at(4);
        assert!(first.iter().all(|one| one.key.cell == cell));
        assert!(rest.iter().all(|one| one.key.cell != cell));
        let positions: BTreeSet<_> = plan.iter().map(|one| one.position).collect();
        assert_eq!(positions.len(), 24);
        let few = |task: &TaskId| *task == tasks[1] || *task == tasks[2];
        let of_few = order(&watched, 7, &few);
        assert!(of_few.iter().all(|one| plan.contains(one)));
        assert_eq!(
            of_few.len(),
            2 + 8,
            "a process of a few tasks plans them as the whole does"
        );
    }

    #[test]
    fn the_seed_decides_the_order_and_a_rollout_keeps_its_seed_in_any_company() {
        let tasks = tasks(5);
        let whole = all(&matrix(&tasks, 3, 2), 7);
        assert_eq!(whole, all(&matrix(&tasks, 3, 2), 7));
        assert_ne!(whole, all(&matrix(&tasks, 3, 2), 8));
        let alone = all(&matrix(&tasks, 1, 1), 7);
        for one in alone {
            let same = whole.iter().find(|p| p.key == one.key).unwrap();
            assert_eq!(same.seed, one.seed);
        }
    }

    #[test]
    fn the_rollouts_of_a_few_tasks_are_those_of_the_whole_order() {
        let tasks = tasks(7);
        let matrix = matrix(&tasks, 3, 4);
        let few = |task: &TaskId| *task == tasks[2] || *task == tasks[5];
        let mut whole = all(&matrix, 7);
        assert_eq!(whole.len(), matrix.rollouts());
        whole.retain(|planned| few(&planned.key.task));
        assert_eq!(order(&matrix, 7, &few), whole);
    }
}
