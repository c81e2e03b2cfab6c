//! The mutants of the rooms `stats` and `analysis`, all compiled into one build and switched on one
//! at a time by a variable, so that a mutant costs a run of the tests that reach it and no build.
//!
//!     cargo run -p crossbar-suites --features mutants --bin crossbar-mutants [FILE..]
//!
//! What was tried is kept under target/mutants, so that a run that was stopped goes on, until the code
//! or a test changes: then all is tried again.
//!
//! cargo-mutants says which mutants there are (`--list`); FILE is a part of a path. Ends with 1 when
//! a mutant survives that docs/decisions/mutants.md gives no reason for.

mod build;
mod judge;
mod listing;
mod memory;
mod render;
mod source;
mod tree;
mod verdict;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

type Done<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    match run(&wanted) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("mutants: error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether every mutant was found by a test or has its reason.
fn run(wanted: &[String]) -> Done<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .ok_or("no workspace")?;
    let mutants = listing::of(root, wanted)?;
    let place = root.join("target/mutants");
    let tree = place.join("tree");
    let kept = place.join(tree::state(root)?);
    std::fs::create_dir_all(&kept)?;
    let woven = build::woven(root, &tree, &kept, &mutants)?;
    let tests = build::tests(&tree, &place.join("build"))?;
    let reached = judge::reached(&tests, &place)?;
    let outcomes = judge::all(&woven, &reached, &mut memory::open(&kept, &mutants)?)?;
    verdict::said(root, &place, &mutants, &outcomes)
}
