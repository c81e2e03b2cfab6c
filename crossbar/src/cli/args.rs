//! The flags, and the table from a command to its file.

use super::{
    accept, analyze, calibrate, completions, doctor, export, init, nextest, output, plan,
    regression, report, review, run, schema, show, validate, verdict,
};
use crate::session::{self, Exit, RunOptions, SessionError};
use clap::error::{ContextKind, ContextValue};
use clap::{ColorChoice, CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Decide with evidence whether a cheaper model, harness or instruction file does the job.
#[derive(Parser)]
#[command(name = "crossbar", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// The roster, instead of looking for crossbar.yaml upwards.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Colours: auto, always or never.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

#[derive(Subcommand)]
enum Command {
    /// Run the sweep, print the verdict, write runs/.
    Run(run::RunArgs),
    /// Read everything and say what would run; with --controls the tasks prove themselves.
    Validate(validate::ValidateArgs),
    /// Say what a sweep of this size can show, what it would take and cost; runs nothing.
    Plan(plan::PlanArgs),
    /// Print the verdict of a run that is recorded already.
    Verdict(verdict::VerdictArgs),
    /// Run `cargo nextest run` with these arguments, and print the verdict over what it recorded.
    Nextest(nextest::NextestArgs),
    /// Print the verdict over results that other tools produced.
    Analyze(analyze::AnalyzeArgs),
    /// Print a run again in another format, or tell GitHub of it.
    Report(report::ReportArgs),
    /// Write what agents did in a run for other tools: ATIF, OTLP/JSON.
    Export(export::ExportArgs),
    /// Make a run's results the reference that later runs are held against.
    Accept(accept::AcceptArgs),
    /// Show a run beside the accepted references, and what accepting it would do.
    Review(review::ReviewArgs),
    /// Say whether a cell became worse between two runs; ends with 1 when a drop is shown.
    Regression(regression::RegressionArgs),
    /// Simulate worlds and hold the statistics to what docs/statistics.md promises.
    Calibrate(calibrate::CalibrateArgs),
    /// Print the transcript of one rollout.
    Show(show::ShowArgs),
    /// Write a roster and tasks to begin with; what is there is never written over.
    Init(init::InitArgs),
    /// Say what this machine and this project have, and what is missing for what.
    Doctor(doctor::DoctorArgs),
    /// Print what a shell needs to complete commands and flags.
    Completions(completions::CompletionsArgs),
    /// Print the JSON Schema of a file, for editors, or of what `analyze --json` prints.
    Schema(schema::SchemaArgs),
}

/// What all commands share.
pub(super) struct Shared {
    pub(super) config: Option<PathBuf>,
    pub(super) color: ColorChoice,
}

impl Shared {
    /// What a command that reads a recorded run is asked by the environment and by the flags that
    /// all commands share, and the folder in which it was given.
    pub(super) fn asked(&self) -> Result<(RunOptions, PathBuf), SessionError> {
        let environment = RunOptions::from_environment(&|name| std::env::var(name).ok())?;
        let flags = RunOptions {
            config: self.config.clone(),
            ..RunOptions::default()
        };
        Ok((flags.over(environment), output::here()?))
    }
}

/// The `main` of both binaries. `cargo crossbar` passes its own name as the first argument.
#[must_use]
pub fn main() -> ExitCode {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    if args.get(1).is_some_and(|arg| arg == "crossbar") && is_subcommand_of_cargo(&args) {
        args.remove(1);
    }
    if let Some(code) = session::serve_if_asked(&args[1..]) {
        return ExitCode::from(u8::try_from(code).unwrap_or(2));
    }
    let cli = parsed(&split(args));
    let shared = Shared {
        config: cli.config,
        color: cli.color,
    };
    let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    for warning in session::stray_variables(names) {
        output::note(&warning);
    }
    let done = match cli.command {
        Command::Run(args) => run::main(&args, &shared),
        Command::Validate(args) => validate::main(&args, &shared),
        Command::Plan(args) => plan::main(&args, &shared),
        Command::Verdict(args) => verdict::main(&args, &shared),
        Command::Nextest(args) => nextest::main(&args, &shared),
        Command::Accept(args) => accept::main(&args, &shared),
        Command::Review(args) => review::main(&args, &shared),
        Command::Regression(args) => regression::main(&args, &shared),
        Command::Analyze(args) => analyze::main(&args, &shared),
        Command::Report(args) => report::main(&args, &shared),
        Command::Calibrate(args) => calibrate::main(&args),
        Command::Export(args) => export::main(&args, &shared),
        Command::Show(args) => show::main(&args, &shared),
        Command::Init(args) => init::main(&args),
        Command::Doctor(args) => doctor::main(&args, &shared),
        Command::Completions(args) => completions::main(&args, Cli::command()),
        Command::Schema(args) => schema::main(&args),
    };
    ExitCode::from(finish(done).code())
}

/// The flags; where they are wrong clap ends the process with 2. A folder that stands alone was
/// meant as a pack.
fn parsed(args: &[OsString]) -> Cli {
    Cli::try_parse_from(args).unwrap_or_else(|mut error| {
        let wrong = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(wrong)) => wrong.clone(),
            _ => String::new(),
        };
        let takes = ["run", "validate", "plan"];
        let takes = args.iter().any(|arg| takes.iter().any(|verb| arg == verb));
        if takes && Path::new(&wrong).is_dir() {
            let tip = format!("a folder of tasks is named by a flag: --pack {wrong}");
            let tip = ContextValue::StyledStrs(vec![tip.into()]);
            error.insert(ContextKind::Suggested, tip);
        }
        error.exit()
    })
}

/// Whatever follows `nextest` is nextest's, even where crossbar has a flag of that name. Help is
/// crossbar's.
fn split(mut args: Vec<OsString>) -> Vec<OsString> {
    let mut place = 1;
    while let Some(arg) = args.get(place).and_then(|arg| arg.to_str()) {
        match arg {
            "nextest" => {
                let next = args.get(place + 1).and_then(|arg| arg.to_str());
                if !matches!(next, None | Some("-h" | "--help" | "--")) {
                    args.insert(place + 1, OsString::from("--"));
                }
                break;
            }
            "--config" | "--color" => place += 2,
            flag if flag.starts_with('-') => place += 1,
            _ => break,
        }
    }
    args
}

fn finish(done: Result<Exit, SessionError>) -> Exit {
    done.unwrap_or_else(|error| {
        output::note(&error.to_string());
        Exit::CannotRun
    })
}

fn is_subcommand_of_cargo(args: &[OsString]) -> bool {
    let name = args.first().map(PathBuf::from);
    let stem = name.as_deref().and_then(std::path::Path::file_stem);
    stem.is_some_and(|stem| stem == "cargo-crossbar")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_nextest_is_nextests() {
        let of = |line: &str| {
            let args = split(line.split(' ').map(OsString::from).collect());
            let args = args.iter().map(|arg| arg.to_string_lossy().into_owned());
            args.collect::<Vec<_>>().join(" ")
        };
        let given = "crossbar --config nextest nextest --config k=v -- --exact x";
        let taken = "crossbar --config nextest nextest -- --config k=v -- --exact x";
        assert_eq!(of(given), taken);
        for same in [
            "crossbar nextest",
            "crossbar nextest --help",
            "crossbar run nextest -x",
        ] {
            assert_eq!(of(same), same);
        }
    }

    #[test]
    fn the_flags_make_a_valid_command_line() {
        Cli::command().debug_assert();
    }
}
