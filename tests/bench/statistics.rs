//! The statistics of a large sweep: 40 cells x 500 tasks x 5 repeats, from records in memory to
//! the verdict, on one thread.

use super::Measured;
use super::meter::Cpu;
use crossbar::analysis::{
    CellInfo, CorrelationPadding, Margin, Question, Record, TaskInfo, analyze,
};
use crossbar::domain::{
    CellId, Cost, CostSource, Evidence, ForbiddenCalls, Limits, Outcome, Price, ResultRow, Rollout,
    RolloutKey, Schedule, Score, TaskId, Trajectory, Usage, Usd,
};
use serde_json::json;
use std::error::Error;

const CELLS: usize = 40;
const TASKS: usize = 500;
const REPEATS: u32 = 5;

/// Analyses the same sweep `times` over.
pub fn measure(times: u32) -> Measured {
    let question = question()?;
    let rows: Vec<ResultRow> = rollouts(&question).iter().map(ResultRow::of).collect();
    let planned: Vec<RolloutKey> = rows.iter().map(|row| row.key.clone()).collect();
    let record = Record {
        planned: &planned,
        rows: &rows,
        unknown: &[],
    };
    let before = Cpu::now()?;
    let mut comparisons = 0;
    for _ in 0..times {
        comparisons = analyze(&question, record)?.comparisons.len();
    }
    let used = Cpu::since(before)?.own;
    Ok(json!({
        "rollouts": rows.len(),
        "comparisons": comparisons,
        "times": times,
        "own_s": used,
    }))
}

fn question() -> Result<Question, Box<dyn Error>> {
    let cells = (0..CELLS).map(|at| cell(at).map(|id| info(at, id)));
    let tasks = (0..TASKS).map(|at| {
        Ok::<_, Box<dyn Error>>(TaskInfo {
            id: TaskId::new("bench", &format!("t{at:03}"))?,
            name: format!("task {at}"),
            family: None,
            weight: 1.0,
            fingerprint: "t".to_owned(),
            anchor: false,
            min_pass_rate: None,
        })
    });
    Ok(Question {
        pack_title: "bench".to_owned(),
        cells: cells.collect::<Result<_, _>>()?,
        tasks: tasks.collect::<Result<_, _>>()?,
        repeats: REPEATS,
        baseline: Some(cell(0)?),
        margin: Margin {
            value: 0.05,
            declared: true,
        },
        alpha: 0.05,
        quality_bar: None,
        padding: CorrelationPadding::Normal,
        k: Some(3),
        ci: None,
    })
}

fn cell(at: usize) -> Result<CellId, Box<dyn Error>> {
    Ok(CellId::new(&format!("m{at:02}"), "react")?)
}

fn info(at: usize, id: CellId) -> CellInfo {
    CellInfo {
        fingerprint: "c".to_owned(),
        pretend: false,
        model_label: format!("m{at:02}"),
        requested_model: format!("m{at:02}"),
        price: Price::Unknown,
        harness: "react".to_owned(),
        temperature: None,
        id,
    }
}

fn rollouts(question: &Question) -> Vec<Rollout> {
    let mut draws = Draws(0x9e37_79b9_7f4a_7c15);
    let mut rollouts = Vec::with_capacity(CELLS * TASKS * REPEATS as usize);
    // Most tasks are nearly always passed or nearly never, as in real packs.
    let easy: Vec<f64> = (0..TASKS).map(|_| draws.next().powf(0.3)).collect();
    for (at, cell) in question.cells.iter().enumerate() {
        let weaker = at.saturating_sub(20) as f64 / 100.0;
        for (task, easy) in question.tasks.iter().zip(&easy) {
            let own = draws.next().powf(0.3);
            let mixed = if draws.next() < 0.8 { *easy } else { own };
            for repeat in 1..=REPEATS {
                let passed = draws.next() < mixed - weaker;
                let key = RolloutKey {
                    cell: cell.id.clone(),
                    task: task.id.clone(),
                    repeat,
                };
                let micros = 1000 + 100 * (40 - at as i64) + (draws.next() * 300.0) as i64;
                rollouts.push(rollout(key, passed, micros));
            }
        }
    }
    rollouts
}

fn rollout(key: RolloutKey, passed: bool, micros: i64) -> Rollout {
    Rollout {
        started_at: format!("2026-01-0{}T00:00:00.000Z", key.repeat),
        key,
        attempt: 1,
        outcome: if passed {
            Outcome::Accepted
        } else {
            Outcome::TaskFailure
        },
        score: Some(Score {
            security: 1.0,
            completion: f64::from(u8::from(passed)),
            process: 1.0,
        }),
        failure_mode: None,
        checks: Vec::new(),
        trajectory: Trajectory::default(),
        evidence: Evidence::default(),
        usage: Some(Usage {
            input_uncached: 1000,
            output: 100,
            ..Usage::default()
        }),
        cost: Cost::Known {
            amount: Usd::from_micros(micros),
            source: CostSource::Modelled,
        },
        forbidden: ForbiddenCalls::default(),
        limits: Limits::default(),
        schedule: Schedule {
            position: 0,
            seed: 0,
        },
        stages: Vec::new(),
        worked_ms: 1200,
        evaluator: "1".to_owned(),
    }
}

/// A small generator (SplitMix64): the data must be the same everywhere, and no more.
struct Draws(u64);

impl Draws {
    /// A fraction in [0, 1).
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
