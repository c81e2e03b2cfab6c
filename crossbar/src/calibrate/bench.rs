//! The bench that a simulated sweep is put on: question and record as a real run leaves them, made
//! once for a setting and filled anew for every sweep.

use super::CalibrateError;
use super::truth::{Truth, chance};
use crate::analysis::{
    Analysis, CellInfo, CorrelationPadding, Margin, Question, Record, TaskInfo, analyze,
};
use crate::domain::{
    CellId, Cost, CostSource, FailureMode, ForbiddenCalls, InfrastructureEvidence, Outcome, Price,
    ResultRow, RolloutKey, Score, TaskId, Usd,
};
use crate::stats::{Draws, normal_quantile};

/// How rollouts follow from true rates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rolling {
    /// Each passes at its task's rate.
    Plain,
    /// So too, and then some could not be measured: other shares of those that failed and of those
    /// that passed.
    Losing { failed: f64, passed: f64 },
    /// Each repeat has a day of its own that moves all rates (a shift of the logit with this
    /// standard deviation), the same for every cell.
    SharedDays(f64),
    /// Each cell has one day to itself.
    CellDays(f64),
}

/// Which families of tasks are declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Families {
    /// None.
    None,
    /// So many tasks in each.
    Even(usize),
    /// Ten families of 1, 1, 1, 2, 2, 3, 4, 6, 10 and 20 tasks, again and again.
    Uneven,
}

/// The sizes of ten uneven families.
const UNEVEN: [usize; 10] = [1, 1, 1, 2, 2, 3, 4, 6, 10, 20];

impl Families {
    /// The family of a task, by number.
    pub(super) fn of(self, task: usize) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Even(size) => Some(task / size),
            Self::Uneven => {
                let (round, mut place) = (task / 50, task % 50);
                let within = UNEVEN.iter().position(|size| {
                    let inside = place < *size;
                    place = place.saturating_sub(*size);
                    inside
                });
                Some(round * UNEVEN.len() + within.unwrap_or(0))
            }
        }
    }
}

/// What a sweep is like, whatever is true in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Design {
    pub(super) tasks: usize,
    pub(super) repeats: u32,
    pub(super) challengers: usize,
    pub(super) margin: f64,
    pub(super) padding: CorrelationPadding,
    pub(super) k: Option<u32>,
    pub(super) families: Families,
    pub(super) rolling: Rolling,
}

impl Design {
    /// Margin 10 points, normal padding, nothing special.
    pub(super) fn new(tasks: usize, repeats: u32, challengers: usize) -> Self {
        Self {
            tasks,
            repeats,
            challengers,
            margin: 0.1,
            padding: CorrelationPadding::Normal,
            k: None,
            families: Families::None,
            rolling: Rolling::Plain,
        }
    }
}

/// Micro-dollars of a rollout of the baseline; a challenger's is a tenth.
const MICROS: f64 = 10_000.0;

/// How much dearer a failed rollout is.
const FAILED: f64 = 1.8;

/// A sweep that can be filled again and again.
pub(super) struct Bench {
    question: Question,
    planned: Vec<RolloutKey>,
    rows: Vec<ResultRow>,
    rolling: Rolling,
}

impl Bench {
    pub(super) fn new(design: &Design) -> Result<Self, CalibrateError> {
        let question = question(design)?;
        let mut planned = Vec::new();
        for cell in &question.cells {
            for task in &question.tasks {
                for repeat in 1..=design.repeats {
                    planned.push(RolloutKey {
                        cell: cell.id.clone(),
                        task: task.id.clone(),
                        repeat,
                    });
                }
            }
        }
        let rows = planned.iter().zip(0..).map(|(key, at)| row(key, at));
        Ok(Self {
            rows: rows.collect(),
            question,
            planned,
            rolling: design.rolling,
        })
    }

    /// Rolls every rollout of a sweep anew.
    pub(super) fn roll(&mut self, truth: &Truth, draws: &mut Draws) {
        let repeats = self.question.repeats as usize;
        let tasks = self.question.tasks.len();
        let shifts = self.shifts(draws);
        for (at, row) in self.rows.iter_mut().enumerate() {
            let (cell, task, repeat) = (at / repeats / tasks, at / repeats % tasks, at % repeats);
            let rate = shifted(truth.rates[cell][task], shifts[cell][repeat]);
            let passed = chance(draws, rate);
            let micros = if cell == 0 { MICROS } else { MICROS / 10.0 };
            let dearer = if passed { 1.0 } else { FAILED };
            let micros = micros * dearer * (0.8 + 0.4 * draws.fraction());
            settle(row, passed, micros as i64);
            if let Rolling::Losing {
                failed: of_failed,
                passed: of_passed,
            } = self.rolling
                && chance(draws, if passed { of_passed } else { of_failed })
            {
                lose(row);
            }
        }
    }

    /// Takes over what an earlier, smaller sweep left behind: its tasks and repeats come first.
    pub(super) fn adopt(&mut self, earlier: &Self) {
        let tasks = (self.question.tasks.len(), earlier.question.tasks.len());
        let repeats = (
            self.question.repeats as usize,
            earlier.question.repeats as usize,
        );
        for (at, row) in earlier.rows.iter().enumerate() {
            let (case, repeat) = (at / repeats.1, at % repeats.1);
            let (cell, task) = (case / tasks.1, case % tasks.1);
            let into = &mut self.rows[(cell * tasks.0 + task) * repeats.0 + repeat];
            into.outcome = row.outcome.clone();
            into.failure_mode = row.failure_mode;
            into.score = row.score;
            into.cost = row.cost;
        }
    }

    /// The shift of the logit of every cell in every repeat.
    fn shifts(&self, draws: &mut Draws) -> Vec<Vec<f64>> {
        let repeats = self.question.repeats as usize;
        let cells = self.question.cells.len();
        let mut day = |sd: f64| sd * normal_quantile((draws.fraction()).clamp(1e-12, 1.0 - 1e-12));
        match self.rolling {
            Rolling::Plain | Rolling::Losing { .. } => vec![vec![0.0; repeats]; cells],
            Rolling::SharedDays(sd) => vec![(0..repeats).map(|_| day(sd)).collect(); cells],
            Rolling::CellDays(sd) => (0..cells).map(|_| vec![day(sd); repeats]).collect(),
        }
    }

    /// The verdict on the sweep, by the function that every run calls.
    pub(super) fn analyze(&self) -> Result<Analysis, CalibrateError> {
        let record = Record {
            planned: &self.planned,
            rows: &self.rows,
            unknown: &[],
        };
        Ok(analyze(&self.question, record)?)
    }
}

/// A rate whose logit is shifted; 0 and 1 stay.
fn shifted(rate: f64, shift: f64) -> f64 {
    if shift == 0.0 || rate <= 0.0 || rate >= 1.0 {
        return rate;
    }
    1.0 / (1.0 + (1.0 - rate) / rate * (-shift).exp())
}

fn settle(row: &mut ResultRow, passed: bool, micros: i64) {
    let completion = if passed { 1.0 } else { 0.5 };
    row.outcome = if passed {
        Outcome::Accepted
    } else {
        Outcome::TaskFailure
    };
    row.failure_mode = (!passed).then_some(FailureMode::ContractFormat);
    row.score = Some(Score {
        security: 1.0,
        completion,
        process: 1.0,
    });
    row.cost = Cost::Known {
        amount: Usd::from_micros(micros),
        source: CostSource::Modelled,
    };
}

fn lose(row: &mut ResultRow) {
    row.outcome = Outcome::InfrastructureFailure {
        evidence: InfrastructureEvidence::ServerDied,
        message: String::new(),
    };
    row.failure_mode = None;
    row.score = None;
}

fn question(design: &Design) -> Result<Question, CalibrateError> {
    let names = (0..=design.challengers).map(|cell| match cell {
        0 => "baseline".to_owned(),
        _ => format!("c{cell:02}"),
    });
    let cells = names.map(|name| {
        Ok(CellInfo {
            id: CellId::new(&name, "simulated")?,
            fingerprint: String::new(),
            pretend: true,
            model_label: name.clone(),
            requested_model: name,
            price: Price::Unknown,
            harness: "simulated".to_owned(),
            temperature: None,
        })
    });
    let tasks = (0..design.tasks).map(|task| {
        let name = format!("t{task:04}");
        Ok(TaskInfo {
            id: TaskId::new("world", &name)?,
            name,
            family: design
                .families
                .of(task)
                .map(|family| format!("f{family:04}")),
            weight: 1.0,
            fingerprint: String::new(),
            anchor: false,
            min_pass_rate: None,
        })
    });
    let cells: Vec<CellInfo> = cells.collect::<Result<_, CalibrateError>>()?;
    Ok(Question {
        pack_title: "world".to_owned(),
        baseline: Some(cells[0].id.clone()),
        cells,
        tasks: tasks.collect::<Result<_, CalibrateError>>()?,
        repeats: design.repeats,
        margin: Margin {
            value: design.margin,
            declared: true,
        },
        alpha: 0.05,
        quality_bar: None,
        padding: design.padding,
        k: design.k,
        ci: None,
        looks: None,
    })
}

fn row(key: &RolloutKey, at: u64) -> ResultRow {
    ResultRow {
        key: key.clone(),
        outcome: Outcome::TaskFailure,
        score: None,
        failure_mode: None,
        usage: None,
        cost: Cost::Unknown,
        forbidden: Some(ForbiddenCalls::default()),
        started_at: Some("2000-01-01T00:00:00.000Z".into()),
        worked_ms: Some(1000),
        timeout_ms: None,
        tool_calls: Some(0),
        answered_models: Box::default(),
        // no two rollouts say the same
        spoken: at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_is_what_the_truth_says() {
        let design = Design::new(3, 4, 1);
        let mut bench = Bench::new(&design).unwrap();
        let truth = Truth {
            rates: vec![vec![1.0, 0.0, 1.0], vec![0.0, 0.0, 1.0]],
            means: vec![0.7, 0.3],
        };
        bench.roll(&truth, &mut Draws::new(1));
        let analysis = bench.analyze().unwrap();
        let passed = |task: usize, cell: usize| analysis.task_table[task].cells[cell].accepted;
        assert_eq!([passed(0, 0), passed(1, 0), passed(2, 0)], [4, 0, 4]);
        assert_eq!([passed(0, 1), passed(1, 1), passed(2, 1)], [0, 0, 4]);
        let cost = |cell: usize| analysis.cells[cell].cost.total().unwrap().dollars();
        assert!(cost(0) > 6.0 * cost(1), "the challenger is the cheaper one");
    }

    #[test]
    fn lost_rollouts_are_no_failures() {
        let design = Design {
            rolling: Rolling::Losing {
                failed: 1.0,
                passed: 0.0,
            },
            ..Design::new(2, 3, 1)
        };
        let mut bench = Bench::new(&design).unwrap();
        let truth = Truth {
            rates: vec![vec![1.0, 0.0], vec![1.0, 1.0]],
            means: vec![0.5, 1.0],
        };
        bench.roll(&truth, &mut Draws::new(1));
        let analysis = bench.analyze().unwrap();
        assert_eq!(analysis.completeness.infrastructure, 3);
        assert_eq!(analysis.task_table[1].cells[0].infrastructure, 3);
    }

    #[test]
    fn a_larger_sweep_keeps_what_the_smaller_one_saw() {
        let truth = |tasks: usize, rate: f64| Truth {
            rates: vec![vec![rate; tasks]; 2],
            means: vec![rate; 2],
        };
        let mut earlier = Bench::new(&Design::new(2, 2, 1)).unwrap();
        earlier.roll(&truth(2, 1.0), &mut Draws::new(1));
        let mut later = Bench::new(&Design::new(3, 4, 1)).unwrap();
        later.roll(&truth(3, 0.0), &mut Draws::new(2));
        later.adopt(&earlier);
        let analysis = later.analyze().unwrap();
        for cell in 0..2 {
            let accepted = |task: usize| analysis.task_table[task].cells[cell].accepted;
            assert_eq!([accepted(0), accepted(1), accepted(2)], [2, 2, 0]);
        }
    }

    #[test]
    fn uneven_families_have_their_sizes() {
        let size = |family| {
            let tasks = (0..100).filter(|task| Families::Uneven.of(*task) == Some(family));
            tasks.count()
        };
        assert_eq!([size(0), size(3), size(9), size(19)], [1, 2, 20, 20]);
        assert_eq!(Families::Even(5).of(9), Some(1));
    }

    #[test]
    fn a_shift_leaves_what_always_or_never_passes() {
        assert_eq!([shifted(0.0, 1.0), shifted(1.0, -1.0)], [0.0, 1.0]);
        let up = shifted(0.5, 1.0);
        assert!((up - 1.0 / (1.0 + (-1.0_f64).exp())).abs() < 1e-12);
        assert!((shifted(up, -1.0) - 0.5).abs() < 1e-12);
    }
}
