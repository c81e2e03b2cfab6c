//! The bench that a simulated sweep is put on: question and record as a real run leaves them, made
//! once for a setting and filled anew for every sweep.

use super::CalibrateError;
use super::design::{Design, Rolling};
use super::truth::{Truth, chance};
use crate::analysis::{
    Analysis, CellInfo, Course, Margin, Question, Record, TaskInfo, analyze, course,
};
use crate::domain::{
    CellId, Cost, CostSource, FailureMode, ForbiddenCalls, InfrastructureEvidence, LookPlan,
    Outcome, Price, ResultRow, RolloutKey, Score, TaskId, Usd,
};
use crate::stats::{Draws, normal_quantile};
use std::collections::BTreeMap;

/// Micro-dollars of a rollout of the baseline.
const MICROS: f64 = 10_000.0;

/// How much dearer a failed rollout is.
const FAILED: f64 = 1.8;

/// A sweep that can be filled again and again.
pub(super) struct Bench {
    question: Question,
    planned: Vec<RolloutKey>,
    rows: Vec<ResultRow>,
    /// Cell, task and repeat of every row, from 0.
    places: Vec<(usize, usize, usize)>,
    rolling: Rolling,
    price: f64,
}

impl Bench {
    pub(super) fn new(design: &Design) -> Result<Self, CalibrateError> {
        let question = question(design)?;
        let (mut planned, mut places) = (Vec::new(), Vec::new());
        for (cell, of_cell) in question.cells.iter().enumerate() {
            for (task, of_task) in question.tasks.iter().enumerate() {
                for repeat in 1..=design.uneven.repeats((cell, task), design.repeats) {
                    places.push((cell, task, repeat as usize - 1));
                    planned.push(RolloutKey {
                        cell: of_cell.id.clone(),
                        task: of_task.id.clone(),
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
            places,
            rolling: design.rolling,
            price: design.price,
        })
    }

    /// Rolls every rollout of a sweep anew.
    pub(super) fn roll(&mut self, truth: &Truth, draws: &mut Draws) {
        let shifts = self.shifts(draws);
        for (row, &(cell, task, repeat)) in self.rows.iter_mut().zip(&self.places) {
            let rate = shifted(truth.rates[cell][task], shifts[cell][repeat]);
            let passed = chance(draws, rate);
            let micros = MICROS * if cell == 0 { 1.0 } else { self.price };
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
        let mine = self.places.iter().copied().zip(0..);
        let mine: BTreeMap<(usize, usize, usize), usize> = mine.collect();
        for (row, place) in earlier.rows.iter().zip(&earlier.places) {
            let Some(at) = mine.get(place) else { continue };
            let into = &mut self.rows[*at];
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

    /// How far an adaptive run comes that could have had every rollout of the sweep.
    pub(super) fn course(&self, looks: &LookPlan) -> Result<Course, CalibrateError> {
        let record = Record {
            planned: &[],
            rows: &self.rows,
            unknown: &[],
        };
        Ok(course(&self.question, looks, record)?)
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
            weight: design.weights.of(task),
            fingerprint: String::new(),
            anchor: false,
            min_pass_rate: None,
        })
    });
    let cells: Vec<CellInfo> = cells.collect::<Result<_, CalibrateError>>()?;
    Ok(Question {
        baseline: Some(cells[0].id.clone()),
        cells,
        tasks: tasks.collect::<Result<_, CalibrateError>>()?,
        margin: Margin {
            value: design.margin,
            declared: true,
        },
        alpha: design.alpha,
        padding: design.padding,
        k: design.k,
        ..Question::new("world", design.repeats)
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
        refused: false,
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
    fn a_shift_leaves_what_always_or_never_passes() {
        assert_eq!([shifted(0.0, 1.0), shifted(1.0, -1.0)], [0.0, 1.0]);
        let up = shifted(0.5, 1.0);
        assert!((up - 1.0 / (1.0 + (-1.0_f64).exp())).abs() < 1e-12);
        assert!((shifted(up, -1.0) - 0.5).abs() < 1e-12);
    }
}
