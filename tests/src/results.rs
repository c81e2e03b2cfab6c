//! Results of a sweep as values, from passes task by task: what suites analyse without running
//! anything.

use crossbar::analysis::{Analysis, AnalysisError, CellInfo, Question, Record, TaskInfo, analyze};
use crossbar::domain::{
    CellId, Cost, CostSource, ForbiddenCalls, InfrastructureEvidence, Outcome, Price, ResultRow,
    RolloutKey, TaskId, Usd,
};

/// A question with the rollouts that answer it.
#[derive(Clone)]
pub struct Results {
    /// What is asked: no baseline, a declared margin of 0.05.
    pub question: Question,
    /// What was planned.
    pub planned: Vec<RolloutKey>,
    /// What came of it.
    pub rows: Vec<ResultRow>,
}

impl Results {
    /// No cell yet.
    pub fn new(tasks: usize, repeats: u32) -> Self {
        let question = Question {
            tasks: (0..tasks).map(task).collect(),
            ..Question::new("Pack", repeats)
        };
        Self {
            question,
            planned: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Adds a cell: micro-dollars of each rollout (0: a free model), and its passes task by task.
    pub fn cell(mut self, id: &str, micros: i64, passes: &[u32]) -> Self {
        let cell = CellId::parse(id).unwrap();
        self.question.cells.push(info(&cell, micros));
        for (at, passes) in passes.iter().enumerate() {
            for repeat in 1..=self.question.repeats {
                let key = RolloutKey {
                    cell: cell.clone(),
                    task: task(at).id,
                    repeat,
                };
                // spread over the repeats, so that none is better than another
                let turn = (repeat - 1 + at as u32) % self.question.repeats;
                self.planned.push(key.clone());
                self.rows.push(row(key, turn < *passes, micros));
            }
        }
        self
    }

    /// The cell used today.
    pub fn baseline(mut self, id: &str) -> Self {
        self.question.baseline = Some(CellId::parse(id).unwrap());
        self
    }

    /// Changes every rollout of a cell; `change` gets its place in the cell.
    pub fn edit(mut self, id: &str, mut change: impl FnMut(usize, &mut ResultRow)) -> Self {
        let cell = CellId::parse(id).unwrap();
        let of_cell = self.rows.iter_mut().filter(|row| row.key.cell == cell);
        for (at, row) in of_cell.enumerate() {
            change(at, row);
        }
        self
    }

    /// The answer, or why there is none.
    pub fn try_analyze(&self) -> Result<Analysis, AnalysisError> {
        let record = Record {
            planned: &self.planned,
            rows: &self.rows,
            unknown: &[],
        };
        analyze(&self.question, record)
    }

    /// The answer.
    pub fn analyze(&self) -> Analysis {
        self.try_analyze().unwrap()
    }

    /// The answer as sweep.json holds it.
    pub fn json(&self) -> serde_json::Value {
        serde_json::to_value(self.analyze()).unwrap()
    }
}

/// How a rollout ends that the machine broke.
pub fn infrastructure() -> Outcome {
    Outcome::InfrastructureFailure {
        evidence: InfrastructureEvidence::ServerDied,
        message: "exit 3".to_owned(),
    }
}

fn task(at: usize) -> TaskInfo {
    TaskInfo {
        id: TaskId::new("pack", &format!("t{at:03}")).unwrap(),
        name: format!("task {at}"),
        family: None,
        weight: 1.0,
        fingerprint: "f".to_owned(),
        anchor: false,
        min_pass_rate: None,
    }
}

fn info(id: &CellId, micros: i64) -> CellInfo {
    CellInfo {
        id: id.clone(),
        fingerprint: "c".to_owned(),
        pretend: false,
        model_label: id.to_string(),
        requested_model: id.to_string(),
        price: if micros == 0 {
            Price::Free
        } else {
            Price::Unknown
        },
        harness: "react".to_owned(),
        temperature: None,
    }
}

fn row(key: RolloutKey, passed: bool, micros: i64) -> ResultRow {
    ResultRow {
        started_at: Some(format!("2026-01-0{}T00:00:00.000Z", key.repeat % 9 + 1).into()),
        worked_ms: Some(1000 + u64::from(key.repeat)),
        timeout_ms: Some(120_000),
        key,
        outcome: if passed {
            Outcome::Accepted
        } else {
            Outcome::TaskFailure
        },
        score: None,
        failure_mode: None,
        usage: None,
        cost: Cost::Known {
            amount: Usd::from_micros(micros),
            source: CostSource::Modelled,
        },
        forbidden: Some(ForbiddenCalls::default()),
        tool_calls: Some(1),
        answered_models: Box::default(),
        refused: false,
        spoken: 0,
    }
}
