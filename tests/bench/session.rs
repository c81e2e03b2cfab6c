//! The one path of all faces over a folder with a roster and a pack: what `crossbar run` does,
//! in this process, so that the CPU time of the servers can be told from crossbar's own.

use super::Measured;
use super::meter::{self, Cpu};
use crossbar::session::{self, Brought, Packs, RunOptions, StopHandle, Watch, WithoutRoster};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// Loads, plans, sweeps and records.
pub fn measure(folder: &Path, run: &str) -> Measured {
    let (before, began) = (Cpu::now()?, Instant::now());
    let options = RunOptions {
        config: Some(folder.join("crossbar.yaml")),
        run_id: Some(run.to_owned()),
        ..RunOptions::default()
    };
    let nothing = |_: &str| None;
    let brought = Brought {
        from: folder,
        packs: Packs::Run,
        lookup: &session::variable,
        held: &[],
        without_roster: WithoutRoster::Refuse,
    };
    let loaded = session::load(&options, &brought)?;
    let prepared = session::prepare(&loaded, &options, &nothing)?;
    let prepared_cpu = Cpu::since(before)?;
    let (stop, _watch) = StopHandle::new();
    let watch = Watch {
        listeners: Vec::new(),
        stop,
        log_to: || Box::new(std::io::sink()),
        wanted: &|_| true,
        rest: None,
    };
    session::execute(&prepared, &options, &watch)?;
    let used = Cpu::since(before)?;
    let results = folder.join("runs");
    Ok(json!({
        "rollouts": prepared.rollouts(),
        "prepare_s": prepared_cpu.own,
        "own_s": used.own,
        "servers_s": used.children,
        "wall_s": began.elapsed().as_secs_f64(),
        "peak_kib": meter::peak_kib()?,
        "stored": meter::stored(&results)?,
    }))
}

/// Reads the newest run back, analyses it and writes every output.
pub fn conclude(folder: &Path) -> Measured {
    let before = Cpu::now()?;
    let results = folder.join("runs");
    let concluded = session::conclude(&results, "latest", None)?;
    let read = Cpu::since(before)?;
    session::write(&concluded, &results, None)?;
    let accepted = concluded
        .rows()
        .iter()
        .filter(|row| row.outcome.is_accepted())
        .count();
    Ok(json!({
        "rollouts": concluded.rows().len(),
        "accepted": accepted,
        "conclude_s": read.own,
        "own_s": Cpu::since(before)?.own,
        "peak_kib": meter::peak_kib()?,
    }))
}
