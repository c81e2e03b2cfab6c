//! The statistics of large sweeps, 40 cells x 500 tasks x 5 repeats and others, from records in memory
//! to the verdict, on one thread; and the single methods in it.

use super::Measured;
use super::meter::{Cpu, peak_kib};
use crossbar::analysis::{CellInfo, NamedInterval, Question, Record, TaskInfo, analyze};
use crossbar::domain::{
    CellId, Cost, CostSource, Evidence, ForbiddenCalls, Limits, Outcome, Price, ResultRow, Rollout,
    RolloutKey, Schedule, Score, TaskId, Trajectory, Usage, Usd,
};
use crossbar::stats::{Arm, Resampling, SignFlip, StatsError, bootstrap_means, max_t, sign_flip};
use serde_json::json;
use std::error::Error;

const REPEATS: u32 = 5;

/// How large a sweep is.
#[derive(Clone, Copy)]
pub struct Size {
    /// Cells, the first of them the baseline.
    pub cells: usize,
    /// Tasks, each with five repeats.
    pub tasks: usize,
}

/// The size that the bar speaks of.
pub const BAR: Size = Size {
    cells: 40,
    tasks: 500,
};

/// Analyses the same sweep `times` over, with the named interval of `ci` where there is one.
pub fn measure(size: Size, times: u32, ci: Option<&str>) -> Measured {
    let mut question = question(size)?;
    question.ci = ci.and_then(NamedInterval::named);
    let mut rows = Vec::with_capacity(size.cells * size.tasks * REPEATS as usize);
    rollouts(&question, |rollout| rows.push(ResultRow::of(&rollout)));
    let planned: Vec<RolloutKey> = rows.iter().map(|row| row.key.clone()).collect();
    let record = Record {
        planned: &planned,
        rows: &rows,
        unknown: &[],
    };
    let held = peak_kib()?;
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
        "own_s_each": used / f64::from(times),
        "peak_kib_of_the_record": held,
        "peak_kib_more": peak_kib()? - held,
    }))
}

/// The single methods over the same counts, `times` over: 10,000 resamples shared by 40 cells and 39
/// differences, 39 exact sign-flip tests, max-T with 10,000 signs.
pub fn parts(times: u32) -> Measured {
    let question = question(BAR)?;
    let mut counts = vec![vec![0_u32; BAR.tasks]; BAR.cells];
    let mut place = 0;
    rollouts(&question, |rollout| {
        let (cell, task) = (place / (BAR.tasks * 5), place / 5 % BAR.tasks);
        counts[cell][task] += u32::from(rollout.outcome.is_accepted());
        place += 1;
    });
    let runs = vec![REPEATS; BAR.tasks];
    let arms: Vec<Arm<'_>> = counts
        .iter()
        .map(|passes| Arm::new(passes, &runs))
        .collect::<Result<_, _>>()?;
    let rates: Vec<Vec<f64>> = arms.iter().map(Arm::rates).collect();
    let apart = |cell: &Vec<f64>| cell.iter().zip(&rates[0]).map(|(a, b)| a - b).collect();
    let differences: Vec<Vec<f64>> = rates[1..].iter().map(apart).collect();
    let columns: Vec<&[f64]> = rates
        .iter()
        .chain(&differences)
        .map(Vec::as_slice)
        .collect();
    let draws = |resamples| Resampling { resamples, seed: 1 };
    let bootstrap = timed(times, || {
        bootstrap_means(&columns, draws(10_000), 0.05).map(drop)
    })?;
    let flip = |arm: &Arm<'_>| sign_flip(*arm, arms[0]);
    let flips: Vec<SignFlip> = arms[1..].iter().map(flip).collect::<Result<_, _>>()?;
    let flipped = timed(times, || {
        arms[1..].iter().try_for_each(|arm| flip(arm).map(drop))
    })?;
    let units: Vec<&[i64]> = flips.iter().map(|flip| flip.units.as_slice()).collect();
    let screened = timed(times, || max_t(&units, draws(9_999)).map(drop))?;
    Ok(json!({
        "bootstrap_s": bootstrap,
        "sign_flip_s": flipped,
        "max_t_s": screened,
    }))
}

/// CPU seconds of one of `times` runs.
fn timed(
    times: u32,
    mut work: impl FnMut() -> Result<(), StatsError>,
) -> Result<f64, Box<dyn Error>> {
    let before = Cpu::now()?;
    for _ in 0..times {
        work()?;
    }
    Ok(Cpu::since(before)?.own / f64::from(times))
}

fn question(size: Size) -> Result<Question, Box<dyn Error>> {
    let cells = (0..size.cells).map(|at| cell(at).map(|id| info(at, id)));
    let tasks = (0..size.tasks).map(|at| {
        Ok::<_, Box<dyn Error>>(TaskInfo {
            id: TaskId::new("bench", &format!("t{at:06}"))?,
            name: format!("task {at}"),
            family: None,
            weight: 1.0,
            fingerprint: "t".to_owned(),
            anchor: false,
            min_pass_rate: None,
        })
    });
    Ok(Question {
        cells: cells.collect::<Result<_, _>>()?,
        tasks: tasks.collect::<Result<_, _>>()?,
        baseline: Some(cell(0)?),
        k: Some(3),
        ..Question::new("bench", REPEATS)
    })
}

fn cell(at: usize) -> Result<CellId, Box<dyn Error>> {
    Ok(CellId::new(&format!("m{at:03}"), "react")?)
}

fn info(at: usize, id: CellId) -> CellInfo {
    CellInfo {
        fingerprint: "c".to_owned(),
        pretend: false,
        model_label: format!("m{at:03}"),
        requested_model: format!("m{at:03}"),
        price: Price::Unknown,
        harness: "react".to_owned(),
        temperature: None,
        id,
    }
}

/// Every rollout of the matrix, cell by cell and task by task.
fn rollouts(question: &Question, mut give: impl FnMut(Rollout)) {
    let mut draws = Draws(0x9e37_79b9_7f4a_7c15);
    // Most tasks are nearly always passed or nearly never, as in real packs.
    let easy: Vec<f64> = question
        .tasks
        .iter()
        .map(|_| draws.next().powf(0.3))
        .collect();
    for (at, cell) in question.cells.iter().enumerate() {
        let weaker = (at % 40).saturating_sub(20) as f64 / 100.0;
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
                let micros = 1000 + 100 * (40 - at as i64 % 40) + (draws.next() * 300.0) as i64;
                give(rollout(key, passed, micros));
            }
        }
    }
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
        worked_ms: 1000 + (micros as u64 * 7) % 900,
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
