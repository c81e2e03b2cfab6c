//! The smallest drop that a design of a given size can call a drop at all, whatever it shows: known
//! before any money is spent.

use super::arm::Arm;
use super::beta::ln_choose;
use super::error::StatsError;
use super::limits::{check_alpha, in_range};
use super::mover::{Padding, Pair, mover};
use super::units::Units;

/// Levels of the baseline that are tried; a design of more repeats has more, and none is better by
/// much than its neighbours.
const LEVELS: u32 = 40;

/// The fewest rollouts that a challenger must lose on exactly `tasks` tasks of `repeats` repeats for
/// the two-sided stratified p to be at most `alpha`; `None` where losing all of them is not enough.
/// Fewest where whole tasks are lost: c rollouts of one task, which the baseline passes, have a
/// chance of C(R, c) / C(2R, c) of falling on the challenger alone.
/// Errors: no task or repeat, alpha outside (0, 1].
pub fn smallest_loss(tasks: u64, repeats: u32, alpha: f64) -> Result<Option<u64>, StatsError> {
    check_alpha(alpha)?;
    in_range("tasks", tasks as f64, tasks > 0)?;
    in_range("repeats", f64::from(repeats), repeats > 0)?;
    let (r, needed) = (u64::from(repeats), (2.0 / alpha).ln() - 1e-9);
    let surprise = |lost: u64| ln_choose(2 * r, lost) - ln_choose(r, lost);
    let whole = (needed / surprise(r)).floor().max(0.0);
    let rest = needed - whole * surprise(r);
    let part = (0..=r).find(|lost| surprise(*lost) >= rest).unwrap_or(r);
    let loss = whole as u64 * r + part;
    Ok((loss <= tasks * r).then_some(loss))
}

/// The smallest drop (a fraction) whose MOVER interval at two-sided error `alpha` leaves out 0
/// where all tasks lose alike, from that level of the baseline at which the least is enough; `None`
/// where no such drop is. `units` makes the units of an arm of `tasks` tasks.
/// Errors: no task or repeat, and as [`mover`](super::mover()).
pub fn smallest_even_drop(
    (tasks, repeats): (usize, u32),
    alpha: f64,
    padding: Padding,
    units: &dyn Fn(Arm<'_>) -> Result<Units, StatsError>,
) -> Result<Option<f64>, StatsError> {
    let runs = vec![repeats; tasks];
    let of = |passes: u32| units(Arm::new(&spread(passes, tasks), &runs)?);
    let all = tasks as u32 * repeats;
    let mut best: Option<u32> = None;
    let step = repeats.div_ceil(LEVELS).max(1);
    for level in (1..=repeats).rev().step_by(step as usize) {
        let base_passes = level * tasks as u32;
        let base = of(base_passes)?;
        let shown = |lost: u32| -> Result<bool, StatsError> {
            let challenger = of(base_passes - lost)?;
            let pair = Pair {
                a: &challenger,
                b: &base,
            };
            Ok(mover(pair, alpha, padding)?.upper < 0.0)
        };
        // nothing is gained by a level at which less than the best is not enough
        let most = best.map_or(base_passes, |best| (best - 1).min(base_passes));
        if most == 0 || !shown(most)? {
            continue;
        }
        let (mut not, mut enough) = (0, most);
        while enough - not > 1 {
            let middle = not + (enough - not) / 2;
            if shown(middle)? {
                enough = middle;
            } else {
                not = middle;
            }
        }
        best = Some(enough);
    }
    Ok(best.map(|lost| f64::from(lost) / f64::from(all)))
}

/// Passes dealt out to tasks as evenly as they go.
fn spread(passes: u32, tasks: usize) -> Vec<u32> {
    let (each, over) = (passes / tasks as u32, passes as usize % tasks);
    (0..tasks).map(|at| each + u32::from(at < over)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::stratified_exact;
    use super::*;

    /// The fewest lost rollouts by trying every pair of arms.
    fn by_search(tasks: u32, repeats: u32, alpha: f64) -> Option<u64> {
        let side = (repeats + 1).pow(tasks);
        let arm = |code: u32| -> Vec<u32> {
            (0..tasks)
                .map(|t| code / (repeats + 1).pow(t) % (repeats + 1))
                .collect()
        };
        let runs = vec![repeats; tasks as usize];
        let mut best: Option<u64> = None;
        for (a, b) in (0..side).flat_map(|a| (0..side).map(move |b| (arm(a), arm(b)))) {
            let lost = i64::from(b.iter().sum::<u32>()) - i64::from(a.iter().sum::<u32>());
            let (a, b) = (Arm::new(&a, &runs).unwrap(), Arm::new(&b, &runs).unwrap());
            let found = lost > 0 && stratified_exact(a, b).unwrap().p_two_sided <= alpha;
            if found && best.is_none_or(|best| (lost as u64) < best) {
                best = Some(lost as u64);
            }
        }
        best
    }

    #[test]
    fn no_pattern_shows_a_smaller_loss() {
        for (tasks, repeats, alpha) in [
            (1, 3, 0.05),
            (1, 4, 0.05),
            (2, 3, 0.05),
            (2, 4, 0.025),
            (3, 2, 0.05),
            (3, 3, 0.05),
            (3, 3, 0.005),
        ] {
            let found = smallest_loss(tasks.into(), repeats, alpha).unwrap();
            assert_eq!(
                found,
                by_search(tasks, repeats, alpha),
                "{tasks} x {repeats}"
            );
        }
        assert_eq!(smallest_loss(5, 1, 0.05).unwrap(), None);
        assert_eq!(smallest_loss(6, 1, 0.05).unwrap(), Some(6));
        assert!(smallest_loss(0, 5, 0.05).is_err() && smallest_loss(5, 0, 0.05).is_err());
    }

    #[test]
    fn one_task_shows_what_fishers_exact_test_shows() {
        // none, 80, 50 and 25 points
        let lost = |repeats| smallest_loss(1, repeats, 0.05).unwrap();
        assert_eq!([3, 5, 10, 20].map(lost), [None, Some(4), Some(5), Some(5)]);
    }

    #[test]
    fn more_tasks_show_a_smaller_drop_and_four_show_none() {
        let plain = |arm: Arm<'_>| Ok(Units::tasks(arm));
        let drop = |tasks, repeats| {
            smallest_even_drop((tasks, repeats), 0.05, Padding::Normal, &plain).unwrap()
        };
        let all: Vec<f64> = [6, 12, 24, 48]
            .iter()
            .map(|n| drop(*n, 5).unwrap())
            .collect();
        assert!(all.windows(2).all(|pair| pair[1] < pair[0]), "{all:?}");
        // one rollout less is not enough
        let lost = (all[1] * 60.0).round() as u32;
        let runs = [5; 12];
        let shown = |lost: u32| {
            (1..=5_u32).any(|level| {
                let base = spread(level * 12, 12);
                let Some(passes) = (level * 12).checked_sub(lost) else {
                    return false;
                };
                let challenger = spread(passes, 12);
                let of = |passes: &[u32]| Units::tasks(Arm::new(passes, &runs).unwrap());
                let (a, b) = (of(&challenger), of(&base));
                mover(Pair { a: &a, b: &b }, 0.05, Padding::Normal)
                    .unwrap()
                    .upper
                    < 0.0
            })
        };
        assert!(shown(lost) && !shown(lost - 1), "{all:?}");
        assert_eq!(drop(2, 1), None);
    }
}
