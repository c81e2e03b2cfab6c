//! Designs that look several times and stop early: at growing repeats, or at growing tasks. The
//! statistic itself is asked, with fewer drawn signs than a run takes; whole runs are the world
//! `course`.

use crate::calibrate::design::Families;
use crate::calibrate::setting::{Direct, Measure};
use crate::calibrate::truth::{Shared, Truth, average, beta, chance, specialists};
use crate::calibrate::worlds::families;
use crate::calibrate::{CalibrateError, Effort, Figure, Setting, Stand};
use crate::stats::{
    Arm, Direction, Draws, FamilyWeight, FlipDraws, Looks, Padding, Pair, Path, Spending, Units,
    directional_holm, sequential_claim,
};

const NAME: &str = "adaptive";

/// What is true of the cells.
#[derive(Clone, Copy)]
enum Sort {
    /// Equally good, 70% of difficulties shared.
    Equal,
    /// The challengers can never do some tasks; the means are equal.
    Specialist,
    /// Equally good, and tasks come in declared families of five.
    Families,
    /// The challenger is 20 points worse, difficulties are shared.
    Worse,
}

/// What grows from look to look.
#[derive(Clone, Copy)]
enum Grows {
    /// Repeats: 3, 5, 7, 10.
    Repeats,
    /// Tasks with five repeats: a quarter, half, three quarters, all.
    Tasks,
}

/// Tasks, challengers, what is true, what grows.
type Size = (usize, usize, Sort, Grows);

const REPEATS: [u64; 4] = [3, 5, 7, 10];

const QUARTERS: usize = 4;

/// Sign vectors drawn beyond 14 tasks: fewer than a run takes, so that thousands of sweeps fit.
const DRAWN: usize = 999;

/// The share of tasks that a specialist can never do.
const DEAD: f64 = 0.05;

pub(super) fn settings(effort: Effort) -> Vec<Setting> {
    let (nulls, gaps, sweeps): (&[Size], &[Size], _) = match effort {
        Effort::Quick => (
            &[(20, 1, Sort::Specialist, Grows::Repeats)],
            &[(50, 1, Sort::Worse, Grows::Repeats)],
            (300, 100),
        ),
        Effort::Full => (
            &[
                (10, 1, Sort::Equal, Grows::Repeats),
                (20, 1, Sort::Equal, Grows::Repeats),
                (50, 1, Sort::Equal, Grows::Repeats),
                (20, 1, Sort::Specialist, Grows::Repeats),
                (50, 1, Sort::Specialist, Grows::Repeats),
                (20, 5, Sort::Equal, Grows::Repeats),
                (20, 5, Sort::Specialist, Grows::Repeats),
                (50, 1, Sort::Families, Grows::Repeats),
                (100, 1, Sort::Families, Grows::Repeats),
                (40, 1, Sort::Equal, Grows::Tasks),
                (80, 1, Sort::Equal, Grows::Tasks),
                (80, 1, Sort::Specialist, Grows::Tasks),
                (80, 5, Sort::Equal, Grows::Tasks),
            ],
            &[
                (20, 1, Sort::Worse, Grows::Repeats),
                (30, 1, Sort::Worse, Grows::Repeats),
                (50, 1, Sort::Worse, Grows::Repeats),
                (80, 1, Sort::Worse, Grows::Tasks),
            ],
            (1500, 600),
        ),
    };
    let nulls = nulls.iter().map(|size| null(*size, sweeps.0));
    let gaps = gaps.iter().map(|size| gap(*size, sweeps.1));
    nulls.chain(gaps).collect()
}

fn label((tasks, cells, sort, grows): Size) -> String {
    let sort = match sort {
        Sort::Equal => "equal",
        Sort::Specialist => "specialist",
        Sort::Families => "families of 5",
        Sort::Worse => "20 worse",
    };
    let grows = match grows {
        Grows::Repeats => format!("{tasks}x3..10"),
        Grows::Tasks => format!("{}..{tasks}x5", tasks / QUARTERS),
    };
    let cells = match cells {
        1 => String::new(),
        many => format!(", {many} cells"),
    };
    format!("{grows}, {sort}{cells}")
}

/// Whatever is claimed is wrong.
fn null(size: Size, sweeps: u32) -> Setting {
    let difficulties = beta(0.8, 1.0);
    let direct: Direct = Box::new(move |draws| {
        let run = Run::new(draws, &difficulties, size)?;
        let mut claimed = false;
        for cell in 1..=size.1 {
            claimed |= run.stop(cell)?.claim != Direction::Unsettled;
        }
        Ok(vec![Some(f64::from(u8::from(claimed)))])
    });
    let measures = vec![Measure::promised("adaptive", "")];
    Setting::direct((NAME, label(size), sweeps), measures, direct)
}

/// How soon a clear loser is seen, beside a fixed design.
fn gap(size: Size, sweeps: u32) -> Setting {
    let difficulties = beta(0.8, 1.0);
    let direct: Direct = Box::new(move |draws| {
        let run = Run::new(draws, &difficulties, size)?;
        let stop = run.stop(1)?;
        let says = |holds: bool| Some(f64::from(u8::from(holds)));
        Ok(vec![
            Some(1.0 - stop.used),
            says(run.fixed()? == Direction::Worse),
            says(stop.claim == Direction::Worse),
        ])
    });
    let measures = vec![
        Measure {
            what: "saved",
            figure: Figure::Mean,
            stand: stand(size),
        },
        Measure::shown("fixed power"),
        Measure::shown("power with looks"),
    ];
    Setting::direct((NAME, label(size), sweeps), measures, direct)
}

/// A saving is promised where the fixed design has 75% power.
fn stand((tasks, _, _, grows): Size) -> Stand {
    match grows {
        Grows::Repeats if tasks >= ENOUGH => Stand::Promised("adaptive-saving"),
        _ => Stand::Shown,
    }
}

/// Tasks at which a gap of 20 points has 75% power with ten repeats.
const ENOUGH: usize = 30;

/// What a design that may stop early came to.
struct Stop {
    claim: Direction,
    /// The share of all rollouts that were run.
    used: f64,
}

/// One run, as far as it could go: passes of every cell on every task at every look.
struct Run {
    /// By look, cell and task.
    passes: Vec<Vec<Vec<u32>>>,
    /// Rollouts of each task at every look.
    repeats: Vec<u32>,
    family: Option<Vec<usize>>,
    looks: Looks,
    amounts: Vec<u64>,
    seed: u64,
}

impl Run {
    fn new(
        draws: &mut Draws,
        difficulties: &[f64],
        (tasks, cells, sort, grows): Size,
    ) -> Result<Self, CalibrateError> {
        let truth = truth(draws, difficulties, (tasks, cells, sort));
        let rounds = match grows {
            Grows::Repeats => 10,
            Grows::Tasks => 5,
        };
        let roll = |draws: &mut Draws, rate: f64| -> Vec<bool> {
            (0..rounds).map(|_| chance(draws, rate)).collect()
        };
        let mut rolled: Vec<Vec<Vec<bool>>> = Vec::new();
        for cell in &truth.rates {
            rolled.push(cell.iter().map(|rate| roll(draws, *rate)).collect());
        }
        let (repeats, here): (Vec<u32>, Vec<usize>) = match grows {
            Grows::Repeats => (vec![3, 5, 7, 10], vec![tasks; 4]),
            Grows::Tasks => (
                vec![5; QUARTERS],
                (1..=QUARTERS).map(|part| tasks * part / QUARTERS).collect(),
            ),
        };
        let passes = repeats.iter().zip(&here).map(|(repeats, here)| {
            let count = |runs: &Vec<bool>| {
                runs[..*repeats as usize]
                    .iter()
                    .map(|r| u32::from(*r))
                    .sum()
            };
            let cell = |cell: &Vec<Vec<bool>>| cell[..*here].iter().map(count).collect();
            rolled.iter().map(cell).collect()
        });
        let amounts: Vec<u64> = match grows {
            Grows::Repeats => REPEATS.to_vec(),
            Grows::Tasks => here.iter().map(|tasks| *tasks as u64 * 5).collect(),
        };
        let kind = Families::Even(5);
        let declared = matches!(sort, Sort::Families);
        let family = declared.then(|| (0..tasks).filter_map(|task| kind.of(task)).collect());
        Ok(Self {
            passes: passes.collect(),
            repeats,
            family,
            looks: Looks::new(Spending::Pocock, 0.05 / cells as f64, &amounts)?,
            amounts,
            seed: draws.index(1 << 30) as u64,
        })
    }

    fn units(&self, look: usize, cell: usize) -> Result<Units, CalibrateError> {
        let passes = &self.passes[look][cell];
        let runs = vec![self.repeats[look]; passes.len()];
        let arm = Arm::new(passes, &runs)?;
        Ok(match &self.family {
            Some(family) => Units::families(arm, family, FamilyWeight::ByTasks)?,
            None => Units::tasks(arm),
        })
    }

    /// Differences of a look by unit; units that join later have none yet.
    fn differences(&self, look: usize, cell: usize) -> Vec<i64> {
        let last = &self.passes[self.passes.len() - 1][0];
        let units = match &self.family {
            Some(family) => family.iter().max().map_or(0, |last| last + 1),
            None => last.len(),
        };
        let mut sums = vec![0; units];
        let (a, b) = (&self.passes[look][cell], &self.passes[look][0]);
        for (task, (a, b)) in a.iter().zip(b).enumerate() {
            let unit = self.family.as_ref().map_or(task, |family| family[task]);
            sums[unit] += i64::from(*a) - i64::from(*b);
        }
        sums
    }

    /// Looks until something is claimed about a cell, or to the end.
    fn stop(&self, cell: usize) -> Result<Stop, CalibrateError> {
        let all: Vec<Vec<i64>> = (0..self.looks.spent().len())
            .map(|look| self.differences(look, cell))
            .collect();
        let paths: Vec<&[i64]> = all.iter().map(Vec::as_slice).collect();
        let draws = FlipDraws {
            drawn: DRAWN,
            seed: self.seed,
        };
        let total = self.amounts[self.amounts.len() - 1] as f64;
        for look in 0..self.looks.spent().len() {
            let (a, b) = (self.units(look, cell)?, self.units(look, 0)?);
            let path = Path {
                pair: Pair { a: &a, b: &b },
                at_look: &paths[..=look],
            };
            let claim = sequential_claim(path, &self.looks, draws, Padding::Normal)?.claim;
            if claim != Direction::Unsettled {
                let used = self.amounts[look] as f64 / total;
                return Ok(Stop { claim, used });
            }
        }
        let (claim, used) = (Direction::Unsettled, 1.0);
        Ok(Stop { claim, used })
    }

    /// What a design that looks once, at the end, claims about the first challenger.
    fn fixed(&self) -> Result<Direction, CalibrateError> {
        let last = self.passes.len() - 1;
        let (a, b) = (self.units(last, 1)?, self.units(last, 0)?);
        let claims = directional_holm(&[Pair { a: &a, b: &b }], 0.05, Padding::Normal)?;
        Ok(claims
            .first()
            .map_or(Direction::Unsettled, |claim| claim.claim))
    }
}

fn truth(
    draws: &mut Draws,
    difficulties: &[f64],
    (tasks, cells, sort): (usize, usize, Sort),
) -> Truth {
    let shared = |shared, factor| {
        let world = Shared {
            difficulties,
            shared,
        };
        (world, vec![factor; cells])
    };
    let (world, factors) = match sort {
        Sort::Families => {
            return families::draw(draws, difficulties, (Families::Even(5), tasks, 0.6));
        }
        Sort::Specialist => return specialists(draws, (tasks, cells), DEAD),
        Sort::Equal => shared(0.7, 1.0),
        Sort::Worse => shared(0.8, 1.0 - 0.2 / average(difficulties)),
    };
    world.draw(draws, tasks, &factors)
}
