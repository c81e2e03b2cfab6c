//! Small sweeps for tests: cells with given passes per task, every rollout a whole record.

use super::{
    Analysis, AnalysisError, CellInfo, Design, Question, Record, TaskInfo, UnknownAttempt, analyze,
};
use crate::domain::{
    CellId, Cost, CostSource, Evidence, FailureMode, ForbiddenCalls, InfrastructureEvidence,
    Limits, Outcome, Price, ResultRow, Rollout, RolloutKey, Schedule, Score, TaskId, Trajectory,
    Usage, Usd,
};

/// A seeded stream of fractions (SplitMix64).
pub(crate) struct Stream(pub(crate) u64);

impl Stream {
    /// The next one, in 0..1.
    pub(crate) fn fraction(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Passes of so many rollouts at this rate.
    pub(crate) fn passes(&mut self, rollouts: u32, rate: f64) -> u32 {
        let passed = |_| u32::from(self.fraction() < rate);
        (0..rollouts).map(passed).sum()
    }
}

/// What a sweep of this question would be made of: no limit, no bill, one rollout at a time.
pub(crate) fn design(question: Question) -> Design {
    let tasks = question.tasks.iter();
    Design {
        limits: tasks
            .map(|task| (task.id.clone(), Limits::default()))
            .collect(),
        bills: Vec::new(),
        at_a_time: 1,
        budget: None,
        looked_at_again: Vec::new(),
        question,
    }
}

pub(crate) struct Sweep {
    pub(crate) question: Question,
    pub(crate) planned: Vec<RolloutKey>,
    pub(crate) rollouts: Vec<Rollout>,
    pub(crate) unknown: Vec<UnknownAttempt>,
}

pub(crate) fn cell_id(cell: &str) -> CellId {
    CellId::parse(cell).unwrap()
}

fn task_id(index: usize) -> TaskId {
    TaskId::new("pack", &format!("t{index:03}")).unwrap()
}

pub(crate) fn infrastructure() -> Outcome {
    Outcome::InfrastructureFailure {
        evidence: InfrastructureEvidence::ServerDied,
        message: "exit 3".to_owned(),
    }
}

impl Sweep {
    /// No cell yet; margin 0.05, declared.
    pub(crate) fn new(tasks: usize, repeats: u32) -> Self {
        let task = |index| TaskInfo {
            id: task_id(index),
            name: format!("task {index}"),
            family: None,
            weight: 1.0,
            fingerprint: "f".to_owned(),
            anchor: false,
            min_pass_rate: None,
        };
        Self {
            question: Question {
                tasks: (0..tasks).map(task).collect(),
                ..Question::new("Pack", repeats)
            },
            planned: Vec::new(),
            rollouts: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// Adds a cell: what each rollout costs in micro-dollars, and its passes task by task.
    pub(crate) fn cell(mut self, id: &str, micros: i64, passes: &[u32]) -> Self {
        assert_eq!(passes.len(), self.question.tasks.len());
        self.question.cells.push(CellInfo {
            id: cell_id(id),
            fingerprint: "c".to_owned(),
            pretend: false,
            model_label: id.to_owned(),
            requested_model: id.to_owned(),
            price: if micros == 0 {
                Price::Free
            } else {
                Price::Unknown
            },
            harness: "react".to_owned(),
            temperature: None,
        });
        for (task, &passes) in passes.iter().enumerate() {
            for repeat in 0..self.question.repeats {
                // spread the passes over the repeats, so that no repeat is better than another
                let passed = (repeat + task as u32) % self.question.repeats < passes;
                self.add(cell_id(id), task, repeat + 1, (passed, micros));
            }
        }
        self
    }

    fn add(&mut self, cell: CellId, task: usize, repeat: u32, (passed, micros): (bool, i64)) {
        let key = RolloutKey {
            cell,
            task: task_id(task),
            repeat,
        };
        self.planned.push(key.clone());
        self.rollouts.push(rollout(key, passed, micros));
    }

    /// The same passes on every task.
    pub(crate) fn flat(self, id: &str, micros: i64, passes: u32) -> Self {
        let passes = vec![passes; self.question.tasks.len()];
        self.cell(id, micros, &passes)
    }

    pub(crate) fn baseline(mut self, id: &str) -> Self {
        self.question.baseline = Some(cell_id(id));
        self
    }

    /// Changes the rollouts of a cell.
    pub(crate) fn edit(mut self, cell: &str, mut change: impl FnMut(usize, &mut Rollout)) -> Self {
        let id = cell_id(cell);
        let of_cell = self.rollouts.iter_mut().filter(|r| r.key.cell == id);
        for (index, rollout) in of_cell.enumerate() {
            change(index, rollout);
        }
        self
    }

    pub(crate) fn try_analyze(&self) -> Result<Analysis, AnalysisError> {
        let rows: Vec<_> = self.rollouts.iter().map(ResultRow::of).collect();
        analyze(
            &self.question,
            Record {
                planned: &self.planned,
                rows: &rows,
                unknown: &self.unknown,
            },
        )
    }

    pub(crate) fn analyze(&self) -> Analysis {
        self.try_analyze().unwrap()
    }
}

fn rollout(key: RolloutKey, passed: bool, micros: i64) -> Rollout {
    let started_at = format!("2026-01-0{}T00:00:00.000Z", key.repeat % 9 + 1);
    Rollout {
        attempt: 1,
        outcome: if passed {
            Outcome::Accepted
        } else {
            Outcome::TaskFailure
        },
        score: Some(Score {
            security: 1.0,
            completion: if passed { 1.0 } else { 0.5 },
            process: 1.0,
        }),
        failure_mode: (!passed).then_some(FailureMode::ContractFormat),
        checks: Vec::new(),
        trajectory: Trajectory::default(),
        evidence: Evidence::default(),
        usage: Some(Usage {
            output: 10,
            ..Usage::default()
        }),
        cost: Cost::Known {
            amount: Usd::from_micros(micros),
            source: CostSource::Modelled,
        },
        forbidden: ForbiddenCalls::default(),
        limits: Limits::default(),
        schedule: Schedule {
            position: key.repeat,
            seed: 7,
        },
        stages: Vec::new(),
        started_at,
        worked_ms: 1000 + u64::from(key.repeat),
        evaluator: "1".to_owned(),
        key,
    }
}
