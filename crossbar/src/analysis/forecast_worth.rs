//! How many repeats of a task are worth their money, beside one more task: what somebody says that a
//! new task costs against what the pilot's rollouts cost.

use super::AnalysisError;
use super::design::Design;
use super::forecast_chance::Assumed;
use super::outlay::NotExpected;
use super::rates::estimate;
use crate::domain::Estimate;
use crate::stats::{DesignCost, PairDesign, cost_optimal_repeats};

/// The repeats that give the most precision for the money.
#[derive(Debug, Clone, PartialEq)]
pub struct Worth {
    /// Dollars of a new task before its first rollout, as somebody said.
    pub task: f64,
    /// Dollars of one repeat of a task in all planned cells, by the pilot; `n` counts its tasks.
    pub repeat: Estimate,
    /// How many repeats; `None` where tasks don't differ in what they say of two cells: then every
    /// repeat is as good as a new task.
    pub repeats: Option<u32>,
}

/// Why nothing is said of what is worth its money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotWorth {
    /// What a rollout costs is not known.
    Cost(NotExpected),
    /// The pilot's rollouts cost nothing, so money puts no limit to them.
    Free,
}

/// The repeats at `task` dollars for a new task; `expected` is what all planned rollouts cost.
pub(super) fn of(
    design: &Design,
    assumed: &Assumed,
    expected: Result<Estimate, NotExpected>,
    task: f64,
) -> Result<Result<Worth, NotWorth>, AnalysisError> {
    let all = match expected {
        Ok(all) if all.value() > 0.0 => all,
        Ok(_) => return Ok(Err(NotWorth::Free)),
        Err(why) => return Ok(Err(NotWorth::Cost(why))),
    };
    let question = &design.question;
    let repeats = question.tasks.len() as f64 * f64::from(question.repeats);
    let interval = all.interval();
    let upper = interval.hi.map(|hi| hi / repeats);
    let repeat = estimate(
        all.value() / repeats,
        interval.lo / repeats,
        upper,
        all.n() as usize,
    )?;
    let pair = assumed.design(0.0, question.repeats)?;
    let cost = DesignCost {
        task,
        repeat: repeat.value(),
    };
    let best = cost_optimal_repeats(pair, cost)?;
    Ok(Ok(Worth {
        task,
        repeat,
        repeats: best.map(|best| whole(best, pair, cost)),
    }))
}

/// The whole number beside the best one at which the money buys more: the least of variance x cost.
fn whole(best: f64, pair: PairDesign, cost: DesignCost) -> u32 {
    let price = |repeats: f64| {
        let noise = (pair.rollout_variance_a + pair.rollout_variance_b) / repeats;
        (pair.task_variance + noise) * (cost.task + repeats * cost.repeat)
    };
    let (below, above) = (best.floor().max(1.0), best.ceil());
    let best = if price(below) <= price(above) {
        below
    } else {
        above
    };
    // a cast saturates
    best as u32
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, design};
    use super::super::outlay;
    use super::super::pilot::Pilot;
    use super::*;
    use crate::domain::ResultRow;

    fn worth(micros: i64, task: f64) -> Result<Worth, NotWorth> {
        let base: Vec<u32> = (0..40).map(|task| [4, 3, 0, 4][task % 4]).collect();
        let new: Vec<u32> = (0..40).map(|task| [2, 3, 4, 4][task % 4]).collect();
        let sweep = Sweep::new(40, 4).cell("base+x", micros, &base);
        let sweep = sweep.cell("new+x", micros, &new).baseline("base+x");
        let rows: Vec<_> = sweep.rollouts.iter().map(ResultRow::of).collect();
        let pilot = Pilot {
            question: &sweep.question,
            rows: &rows,
        };
        let design = design(sweep.question.clone());
        let assumed = Assumed::of(&design.question, Some(&pilot));
        let expected = outlay::of(&design, Some(&pilot)).unwrap().expected;
        of(&design, &assumed, expected, task).unwrap()
    }

    #[test]
    fn dear_tasks_are_worth_more_repeats_and_the_number_is_the_best_of_all() {
        let found = worth(10_000, 0.5).unwrap();
        assert!((found.repeat.value() - 0.02).abs() < 1e-12 && found.repeat.n() == 40);
        // by hand: rollouts 1/3 in half and 1/4 in a quarter of the tasks of each cell
        let price = |repeats: u32| {
            let base = [0.0, 0.25, 0.0, 0.0].iter().sum::<f64>() / 4.0;
            let new = [1.0 / 3.0, 0.25, 0.0, 0.0].iter().sum::<f64>() / 4.0;
            let differences = [-0.5, 0.0, 1.0, 0.0];
            let mean = 0.125;
            let squares: f64 = differences.iter().map(|d: &f64| (d - mean).powi(2)).sum();
            let tasks = squares * 10.0 / 39.0 - (base + new) / 4.0;
            (tasks + (base + new) / f64::from(repeats)) * (0.5 + 0.02 * f64::from(repeats))
        };
        let best = (1..100).min_by(|a, b| price(*a).total_cmp(&price(*b)));
        assert_eq!(found.repeats, best);
        assert!(worth(10_000, 8.0).unwrap().repeats > found.repeats);
        assert_eq!(worth(10_000, 0.0).unwrap().repeats, Some(1));
        assert_eq!(worth(0, 0.5), Err(NotWorth::Free));
    }
}
