//! What a planned sweep would cost and how long it would take: at most, by limits and prices, and
//! probably, by what a pilot measured. What is not known says why.

use super::pilot::{Pilot, cost_of};
use super::{AnalysisError, Bill, CellInfo, Design};
use crate::domain::{CellId, Estimate, Limits, Price, ResultRow, TaskId, Usage, Usd};
use crate::stats::t_quantile;
use std::collections::BTreeMap;

/// Money and time of a planned sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlay {
    /// One for each cell, in plan order.
    pub cells: Vec<CellOutlay>,
    /// The sum of the cells' ceilings; `None` when one of them is not known.
    pub at_most: Option<Usd>,
    /// The most that a second look would add: the sum over the cells that a red would run once more;
    /// `None` when one of them is not known.
    pub second_look_at_most: Option<Usd>,
    /// Dollars that the sweep probably costs; `n` counts the pilot's tasks.
    pub expected: Result<Estimate, NotExpected>,
    /// Seconds after which the tasks' own limits would have ended every rollout.
    pub longest_s: f64,
    /// Seconds that the sweep probably takes; `n` counts the pilot's tasks.
    pub expected_s: Result<Estimate, NotExpected>,
    /// Rollouts at a time that the times are for.
    pub at_a_time: u32,
}

/// What one cell would cost.
#[derive(Debug, Clone, PartialEq)]
pub struct CellOutlay {
    /// The cell.
    pub cell: CellId,
    /// By limits and prices.
    pub ceiling: Ceiling,
    /// Dollars by the pilot; `n` counts its tasks.
    pub expected: Result<Estimate, NotExpected>,
}

/// The most that a cell can cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ceiling {
    /// Nobody is paid: its models are not live.
    NotPaid,
    /// The roster says that it is free.
    Free,
    /// This much, if no request is larger than the token limit of its rollout.
    AtMost(Usd),
    /// Its model has no price.
    NoPrice,
    /// Tasks without `budget_tokens` put no limit to the input.
    NoTokenLimit {
        /// How many tasks have none.
        tasks: u32,
        /// What the output alone can cost: steps x output ceiling.
        output: Usd,
    },
}

/// Why a probable figure is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotExpected {
    /// No pilot was named.
    NoPilot,
    /// The pilot has not all cells, as they are configured now.
    NotInPilot,
    /// The pilot's own figure is not known for every rollout.
    UnknownInPilot,
    /// One task of the pilot says nothing of others.
    OneTask,
}

pub(super) fn of(design: &Design, pilot: Option<&Pilot<'_>>) -> Result<Outlay, AnalysisError> {
    let cells = &design.question.cells;
    let of_cell = |cell: &CellInfo| {
        Ok(CellOutlay {
            cell: cell.id.clone(),
            ceiling: ceiling(design, cell),
            expected: expected(design, pilot, &[cell], &cost_of)?,
        })
    };
    let each = cells
        .iter()
        .map(of_cell)
        .collect::<Result<Vec<_>, AnalysisError>>()?;
    let all: Vec<&CellInfo> = cells.iter().collect();
    let at_a_time = f64::from(design.at_a_time.max(1));
    let seconds = |row: &ResultRow| Some(row.worked_ms? as f64 / 1e3 / at_a_time);
    let again = &design.looked_at_again;
    let again = each.iter().filter(|cell| again.contains(&cell.cell));
    Ok(Outlay {
        at_most: each.iter().map(|cell| cell.ceiling.most()).sum(),
        second_look_at_most: again.map(|cell| cell.ceiling.most()).sum(),
        expected: expected(design, pilot, &all, &cost_of)?,
        longest_s: longest(design),
        expected_s: expected(design, pilot, &all, &seconds)?,
        at_a_time: design.at_a_time,
        cells: each,
    })
}

impl Ceiling {
    fn most(self) -> Option<Usd> {
        match self {
            Self::NotPaid | Self::Free => Some(Usd::ZERO),
            Self::AtMost(usd) => Some(usd),
            Self::NoPrice | Self::NoTokenLimit { .. } => None,
        }
    }
}

fn limits(design: &Design) -> impl Iterator<Item = Limits> {
    let tasks = design.question.tasks.iter();
    tasks.map(|task| design.limits.get(&task.id).cloned().unwrap_or_default())
}

fn longest(design: &Design) -> f64 {
    let once: f64 = limits(design).map(|limits| limits.timeout_s).sum();
    let longest = limits(design)
        .map(|limits| limits.timeout_s)
        .fold(0.0, f64::max);
    let times = design.question.cells.len() as f64 * f64::from(design.question.repeats);
    (once * times / f64::from(design.at_a_time.max(1))).max(longest)
}

fn ceiling(design: &Design, cell: &CellInfo) -> Ceiling {
    let bill = design.bills.iter().find(|bill| bill.cell == cell.id);
    let Some(bill) = bill.filter(|bill| bill.paid) else {
        return Ceiling::NotPaid;
    };
    let most = |usage: &dyn Fn(&Limits, &Bill) -> Usage| -> Option<Usd> {
        let repeats = design.question.repeats;
        let each = limits(design).map(|limits| cell.price.worst_case(&usage(&limits, bill)));
        let once: Option<Usd> = each.sum();
        once.map(|usd| Usd::from_micros(usd.micros().saturating_mul(repeats.into())))
    };
    let without = limits(design).filter(|limits| limits.budget_tokens.is_none());
    let without = without.count() as u32;
    match (&cell.price, without) {
        (Price::Free, _) => Ceiling::Free,
        (Price::Unknown, _) => Ceiling::NoPrice,
        (Price::PerMtok(_), 0) => {
            let dearest = |limits: &Limits, bill: &Bill| dearest(&cell.price, limits, bill);
            most(&dearest).map_or(Ceiling::NoPrice, Ceiling::AtMost)
        }
        (Price::PerMtok(_), tasks) => match most(&output) {
            Some(output) => Ceiling::NoTokenLimit { tasks, output },
            None => Ceiling::NoPrice,
        },
    }
}

/// Every request answers at full length.
fn output(limits: &Limits, bill: &Bill) -> Usage {
    Usage {
        output: u64::from(limits.max_steps).saturating_mul(bill.max_output_tokens),
        ..Usage::default()
    }
}

/// The dearest rollout that its token limit lets through: just below the limit one more request of
/// the limit's size and its answer, all at the dearest price of a counted token; and every request
/// reads as much from the cache, which the limit does not count.
fn dearest(price: &Price, limits: &Limits, bill: &Bill) -> Usage {
    let limit = limits.budget_tokens.unwrap_or(u64::MAX);
    let counted = limit
        .saturating_mul(2)
        .saturating_add(bill.max_output_tokens);
    let buckets: [fn(u64) -> Usage; 4] = [
        |tokens| Usage {
            input_uncached: tokens,
            ..Usage::default()
        },
        |tokens| Usage {
            cache_write_5m: tokens,
            ..Usage::default()
        },
        |tokens| Usage {
            cache_write_1h: tokens,
            ..Usage::default()
        },
        |tokens| Usage {
            output: tokens,
            ..Usage::default()
        },
    ];
    let all = buckets.map(|bucket| bucket(counted));
    let dearest = all.into_iter().max_by_key(|usage| price.worst_case(usage));
    let read = Usage {
        cache_read: limit.saturating_mul(limits.max_steps.into()),
        ..Usage::default()
    };
    read.plus(&dearest.unwrap_or_default())
}

/// A figure over all planned rollouts of some cells from its mean on the pilot's tasks, with the
/// t interval over tasks; its lower limit is at least 0.
fn expected(
    design: &Design,
    pilot: Option<&Pilot<'_>>,
    cells: &[&CellInfo],
    figure: &dyn Fn(&ResultRow) -> Option<f64>,
) -> Result<Result<Estimate, NotExpected>, AnalysisError> {
    let Some(pilot) = pilot else {
        return Ok(Err(NotExpected::NoPilot));
    };
    let mut sums: BTreeMap<&TaskId, (f64, usize)> = BTreeMap::new();
    for cell in cells {
        if !pilot.has(cell) {
            return Ok(Err(NotExpected::NotInPilot));
        }
        let Some(means) = pilot.means(&cell.id, figure) else {
            return Ok(Err(NotExpected::UnknownInPilot));
        };
        for (task, mean) in means {
            let (sum, of) = sums.entry(task).or_default();
            *sum += mean;
            *of += 1;
        }
    }
    let whole = sums.into_values().filter(|(_, of)| *of == cells.len());
    let tasks: Vec<f64> = whole.map(|(sum, _)| sum).collect();
    let n = tasks.len() as f64;
    if tasks.len() < 2 {
        return Ok(Err(NotExpected::OneTask));
    }
    let mean = tasks.iter().sum::<f64>() / n;
    let squares: f64 = tasks.iter().map(|sum| (sum - mean).powi(2)).sum();
    let reach = t_quantile(1.0 - design.question.alpha / 2.0, n - 1.0);
    let half = reach * (squares / (n - 1.0) / n).sqrt();
    let times = design.question.tasks.len() as f64 * f64::from(design.question.repeats);
    let (low, high) = ((mean - half).max(0.0) * times, (mean + half) * times);
    Ok(Ok(Estimate::new(
        mean * times,
        low,
        Some(high),
        tasks.len() as u32,
    )?))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Sweep;
    use super::*;
    use crate::domain::{Cost, CostSource, PricePerMtok};

    fn priced(input: f64, output: f64) -> Price {
        let dollars = |amount| Usd::from_dollars(amount).unwrap();
        Price::PerMtok(PricePerMtok {
            input: dollars(input),
            output: dollars(output),
            cache_read: Some(dollars(input / 10.0)),
            cache_write_5m: None,
            cache_write_1h: None,
            as_of: None,
        })
    }

    /// Two tasks, three repeats, a live cell and a mock.
    fn design(price: Price, budget_tokens: Option<u64>) -> Design {
        let mut sweep = Sweep::new(2, 3).flat("live+x", 9, 3).flat("mock+x", 9, 3);
        sweep.question.cells[0].price = price;
        let limits = Limits {
            max_steps: 5,
            timeout_s: 60.0,
            budget_tokens,
            max_tool_calls: None,
        };
        let tasks = sweep.question.tasks.iter();
        let bill = |cell: &CellInfo, paid| Bill {
            cell: cell.id.clone(),
            paid,
            max_output_tokens: 1_000,
        };
        let cells = &sweep.question.cells;
        Design {
            limits: tasks
                .map(|task| (task.id.clone(), limits.clone()))
                .collect(),
            bills: vec![bill(&cells[0], true), bill(&cells[1], false)],
            at_a_time: 4,
            budget: None,
            looked_at_again: Vec::new(),
            question: sweep.question,
        }
    }

    fn ceiling_of(design: &Design) -> Ceiling {
        of(design, None).unwrap().cells[0].ceiling
    }

    #[test]
    fn the_most_is_known_only_where_every_part_of_it_is() {
        assert_eq!(ceiling_of(&design(Price::Free, None)), Ceiling::Free);
        assert_eq!(
            ceiling_of(&design(Price::Unknown, Some(9))),
            Ceiling::NoPrice
        );
        let open = design(priced(1.0, 10.0), None);
        // 6 rollouts x 5 requests x 1,000 tokens at $10 a million
        let output = Usd::from_micros(300_000);
        assert_eq!(
            ceiling_of(&open),
            Ceiling::NoTokenLimit { tasks: 2, output }
        );
        assert_eq!(of(&open, None).unwrap().at_most, None);
        // 6 x (2 x 2,000 + 1,000 at $10, and 5 x 2,000 read from the cache at $0.1)
        let closed = of(&design(priced(1.0, 10.0), Some(2_000)), None).unwrap();
        let most = Usd::from_micros(6 * (50_000 + 1_000));
        assert_eq!(closed.cells[0].ceiling, Ceiling::AtMost(most));
        assert_eq!(closed.cells[1].ceiling, Ceiling::NotPaid);
        assert_eq!(closed.at_most, Some(most));
        // 12 rollouts of a minute, 4 at a time
        assert!((closed.longest_s - 180.0).abs() < 1e-9);
    }

    #[test]
    fn a_planted_pilot_tells_cost_and_time() {
        let design = design(priced(1.0, 10.0), None);
        let mut run = Sweep::new(4, 2).flat("live+x", 1, 2).flat("mock+x", 1, 2);
        run = run.edit("live+x", |at, rollout| {
            let micros = [1_000, 3_000, 2_000, 2_000, 4_000, 4_000, 5_000, 3_000][at];
            rollout.cost = Cost::Known {
                amount: Usd::from_micros(micros),
                source: CostSource::Modelled,
            };
            rollout.worked_ms = 2_000;
        });
        run = run.edit("mock+x", |_, rollout| rollout.worked_ms = 0);
        let told = |run: &Sweep| {
            let rows: Vec<_> = run.rollouts.iter().map(ResultRow::of).collect();
            let question = &run.question;
            of(
                &design,
                Some(&Pilot {
                    question,
                    rows: &rows,
                }),
            )
            .unwrap()
        };
        let found = told(&run);
        let live = found.cells[0].expected.unwrap();
        // task means .002, .002, .004, .004: mean .003, t(3) x .0011547 / 2, over 6 rollouts
        assert!(
            (live.value() - 0.018).abs() < 1e-9 && live.n() == 4,
            "{live:?}"
        );
        let half = 3.182_446_305 * 0.001_154_700_538 / 2.0 * 6.0;
        assert!(
            (live.interval().lo - (0.018 - half)).abs() < 1e-9,
            "{live:?}"
        );
        // 6 rollouts of 2 s, 4 at a time
        assert!((found.expected_s.unwrap().value() - 3.0).abs() < 1e-9);
        assert_eq!(
            of(&design, None).unwrap().expected,
            Err(NotExpected::NoPilot)
        );
        let unknown = run.edit("live+x", |at, rollout| {
            if at == 5 {
                rollout.cost = Cost::Unknown;
            }
        });
        let found = told(&unknown);
        assert_eq!(found.expected, Err(NotExpected::UnknownInPilot));
        assert!(found.cells[1].expected.is_ok() && found.expected_s.is_ok());
        let mut other = Sweep::new(4, 2).flat("live+x", 1, 2).flat("mock+x", 1, 2);
        other.question.cells[0].fingerprint = "then".to_owned();
        assert_eq!(told(&other).expected, Err(NotExpected::NotInPilot));
        let one = Sweep::new(1, 2).flat("live+x", 1, 2).flat("mock+x", 1, 2);
        assert_eq!(told(&one).expected, Err(NotExpected::OneTask));
    }
}
