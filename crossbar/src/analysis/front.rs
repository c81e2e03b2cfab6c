//! The front of pass rate and cost: the cells that no other cell beats on both, how often each is
//! there when tasks are drawn anew, and which are beaten for certain.

use super::grouping::Grouping;
use super::table::{Row, Table, View};
use super::{AnalysisError, Question};
use crate::domain::CellId;
use crate::stats::{
    CostArm, Limits, OpenLimits, ParetoCell, ParetoLimits, Resampling, Units, cost_per_success,
    dominated, korn_graubard, pareto_front, pareto_shares,
};
use serde::Serialize;

/// The draws of tasks, the same for all cells, with a seed of their own.
const DRAWS: Resampling = Resampling {
    resamples: 2000,
    seed: 0x6672_6f6e_7400_0001,
};

/// The front of pass rate and mean cost of a rollout \[tasks like these\].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Front {
    /// Every cell that was measured, whose costs are known and of which nothing is missing, in
    /// plan order.
    pub cells: Vec<FrontCell>,
    /// The other cells: they can be neither on it nor off it.
    pub left_out: Vec<CellId>,
    /// How often tasks were drawn.
    pub draws: u32,
}

/// One cell and the front.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FrontCell {
    /// The cell.
    pub cell: CellId,
    /// Whether no other cell is at least as good and as cheap, and better or cheaper.
    pub on_front: bool,
    /// In how many of the draws it is on the front.
    pub drawn: u32,
    /// The first cell that beats it for certain: above it in pass rate and below it in cost, with
    /// limits at error alpha over the number of planned cells that do not overlap.
    pub beaten_by: Option<CellId>,
}

/// The front; `None` with fewer than two cells of known cost, and of a replay.
pub(super) fn of(
    question: &Question,
    grouping: &Grouping,
    table: &Table<'_>,
) -> Result<Option<Front>, AnalysisError> {
    if question.replay_of.is_some() {
        return Ok(None);
    }
    let (mut ids, mut arms, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    let mut at_best = Vec::new();
    for (cell, row) in question.cells.iter().zip(&table.rows) {
        match costed(row, grouping)? {
            Some(arm) => {
                ids.push(cell.id.clone());
                arms.push(arm);
                let best = (row.undetermined() > 0).then(|| row.counts(View::Best));
                let best = best.map(|counts| grouping.units(counts.arm()?));
                at_best.push(best.transpose()?);
            }
            None => left_out.push(cell.id.clone()),
        }
    }
    if arms.len() < 2 {
        return Ok(None);
    }
    let on_front = {
        let rates: Vec<f64> = arms.iter().map(|arm| arm.pass.mean()).collect();
        let costs: Vec<f64> = arms.iter().map(CostArm::mean_cost).collect();
        pareto_front(&rates, &[&costs])?
    };
    let drawn = drawn(&arms)?;
    let beaten = beaten(
        &arms,
        &at_best,
        question.alpha / question.cells.len() as f64,
    )?;
    let cells = ids.iter().enumerate().map(|(at, id)| FrontCell {
        cell: id.clone(),
        on_front: on_front.contains(&at),
        drawn: drawn[at],
        beaten_by: beaten[at].map(|by| ids[by].clone()),
    });
    Ok(Some(Front {
        cells: cells.collect(),
        left_out,
        draws: DRAWS.resamples as u32,
    }))
}

fn costed(row: &Row<'_>, grouping: &Grouping) -> Result<Option<CostArm>, AnalysisError> {
    match row.costs() {
        Some(costs) if row.missing() == 0 && row.is_measured() => {
            let counts = row.counts(View::Worst);
            Ok(Some(grouping.costed(counts.arm()?, &costs)?))
        }
        _ => Ok(None),
    }
}

/// In how many draws of units each cell is on the front. A unit that is drawn brings its weight.
fn drawn(arms: &[CostArm]) -> Result<Vec<u32>, AnalysisError> {
    let weighted = |arm: &CostArm, values: &[f64]| -> Vec<f64> {
        let shares = arm.pass.shares();
        values
            .iter()
            .zip(shares)
            .map(|(x, share)| x * share)
            .collect()
    };
    let columns: Vec<(Vec<f64>, Vec<f64>)> = arms
        .iter()
        .map(|arm| (weighted(arm, arm.pass.values()), weighted(arm, &arm.costs)))
        .collect();
    let cells: Vec<ParetoCell<'_>> = columns
        .iter()
        .map(|(pass_rates, costs)| ParetoCell { pass_rates, costs })
        .collect();
    let shares = pareto_shares(&cells, DRAWS)?;
    let times = shares
        .iter()
        .map(|share| (share * DRAWS.resamples as f64).round() as u32);
    Ok(times.collect())
}

/// The first cell that beats each for certain. Where rollouts were not measured (then `at_best` has
/// the rates with all of them passed), they may have passed, and there is no telling what they cost.
fn beaten(
    arms: &[CostArm],
    at_best: &[Option<Units>],
    alpha: f64,
) -> Result<Vec<Option<usize>>, AnalysisError> {
    let mut limits = Vec::with_capacity(arms.len());
    for (arm, best) in arms.iter().zip(at_best) {
        let cell = cost_per_success(arm, alpha, None)?;
        let highest = match best {
            Some(units) => korn_graubard(units, alpha)?.upper,
            None => cell.pass.upper,
        };
        let few = arm.pass.len() < 2;
        // one unit says nothing about others; what is free is free for certain
        let unlimited = if arm.mean_cost() > 0.0 {
            None
        } else {
            Some(0.0)
        };
        limits.push(ParetoLimits {
            pass_rate: Limits {
                lower: if few { 0.0 } else { cell.pass.lower },
                upper: if few { 1.0 } else { highest },
            },
            cost: cell.cost.map_or(
                OpenLimits {
                    lower: 0.0,
                    upper: unlimited,
                },
                |cost| OpenLimits {
                    lower: cost.lower,
                    upper: cost.upper.filter(|_| best.is_none()),
                },
            ),
        });
    }
    Ok(dominated(&limits))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, cell_id};
    use crate::domain::Cost;

    #[test]
    fn the_front_names_who_is_on_it_how_often_and_who_is_beaten_for_certain() {
        let sweep = Sweep::new(60, 5)
            .flat("good+x", 1_000, 5)
            .flat("cheap+x", 10, 2)
            .flat("bad+x", 2_000, 1)
            .flat("dark+x", 1, 5)
            .edit("dark+x", |i, r| {
                if i == 0 {
                    r.cost = Cost::Unknown;
                }
            });
        let front = sweep.analyze().front.unwrap();
        let told: Vec<_> = front
            .cells
            .iter()
            .map(|c| {
                (
                    c.cell.model(),
                    c.on_front,
                    c.drawn,
                    c.beaten_by.as_ref().map(|b| b.model()),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("good", true, 2000, None),
                ("cheap", true, 2000, None),
                ("bad", false, 0, Some("good")),
            ]
        );
        assert_eq!(
            (front.left_out, front.draws),
            (vec![cell_id("dark+x")], 2000)
        );
    }

    #[test]
    fn what_one_draw_says_is_not_said_for_certain() {
        let (a, b) = (vec![5, 4, 5, 3, 5, 0], vec![4, 5, 3, 5, 5, 1]);
        let sweep = Sweep::new(6, 5).cell("a+x", 100, &a).cell("b+x", 110, &b);
        let front = sweep.analyze().front.unwrap();
        assert!(front.cells[0].drawn == 2000 && front.cells[1].drawn < 2000);
        assert!(front.cells[1].drawn > 200, "{front:?}");
        assert!(front.cells.iter().all(|cell| cell.beaten_by.is_none()));
        let alone = Sweep::new(6, 5).cell("a+x", 100, &a);
        assert_eq!(alone.analyze().front, None);
    }
}
