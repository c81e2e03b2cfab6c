//! The measuring program of tests/bench/run.sh: each command does one kind of work and prints one
//! JSON line with its CPU time, its peak memory and what it left on the disk. Linux only, since
//! it reads /proc.

mod floor;
mod meter;
mod session;
mod statistics;
mod tool_loop;

use std::error::Error;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Whatever goes wrong ends the measurement: half a figure is none.
type Measured = Result<serde_json::Value, Box<dyn Error>>;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    // A pack's `${CROSSBAR_BIN}` is this very program.
    if let Some(code) = crossbar::session::serve_if_asked(&args) {
        return ExitCode::from(u8::try_from(code).unwrap_or(2));
    }
    let words: Vec<String> = args
        .iter()
        .map(|arg| arg.to_string_lossy().into_owned())
        .collect();
    match measure(&words) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(words: &[String]) -> Measured {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["loop", folder, rollouts, times] => {
            tool_loop::measure(Path::new(folder), rollouts.parse()?, times.parse()?)
        }
        ["session", folder, run] => session::measure(Path::new(folder), run),
        ["conclude", folder] => session::conclude(Path::new(folder)),
        ["floor", times] => floor::measure(times.parse()?),
        ["statistics", times] => statistics::measure(statistics::BAR, times.parse()?, None),
        ["statistics", times, ci] => statistics::measure(statistics::BAR, times.parse()?, Some(ci)),
        ["statistics-of", cells, tasks] => {
            let (cells, tasks) = (cells.parse()?, tasks.parse()?);
            statistics::measure(statistics::Size { cells, tasks }, 1, None)
        }
        ["statistics-parts", times] => statistics::parts(times.parse()?),
        _ => Err(
            "usage: loop DIR ROLLOUTS TIMES | session DIR RUN | conclude DIR | floor TIMES \
             | statistics TIMES [CI] | statistics-of CELLS TASKS | statistics-parts TIMES"
                .into(),
        ),
    }
}
