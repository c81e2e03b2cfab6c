//! `cargo nextest run` with what crossbar adds to it: a run's id, the verdict as the last case, and
//! no stop at the first red case.

use super::{RunOptions, SessionError};
use crate::process::Tool;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

/// Below the user's own settings in rank, above those that nextest brings along. The verdict comes
/// last, alone; whoever asked for the run prints it.
const CONFIG: &str = "\
[profile.default]
fail-fast = false

[[profile.default.overrides]]
filter = 'test(=zz_verdict)'
priority = -100
threads-required = 'num-test-threads'
retries = 0
success-output = 'never'
failure-output = 'never'
";

/// Runs `cargo nextest run` with these arguments over a run that is settled, and comes back with its
/// exit code; `None` when a signal ended it.
///
/// # Errors
/// `SessionError` when nextest is not installed or can't be started.
pub fn nextest(
    options: &RunOptions,
    args: &[OsString],
    here: &Path,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<i32>, SessionError> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut tool = Tool {
        program: &program,
        args: ["nextest", "--version"].map(OsString::from).to_vec(),
        cwd: here,
        env: Vec::new(),
    };
    if tool.first_line().is_none() {
        return Err(SessionError::new("cargo has no nextest").help(
            "cargo install cargo-nextest --locked; `crossbar run` and `cargo test` do without it",
        ));
    }
    let failed = |error: std::io::Error| {
        SessionError::new(format!("failed to write the settings of nextest: {error}"))
    };
    let mut config = tempfile::Builder::new()
        .prefix("crossbar-nextest-")
        .suffix(".toml")
        .tempfile()
        .map_err(failed)?;
    config.write_all(CONFIG.as_bytes()).map_err(failed)?;
    let mut ours = OsString::from("crossbar:");
    ours.push(config.path());
    tool.args = ["nextest", "run", "--tool-config-file"]
        .map(OsString::from)
        .to_vec();
    tool.args.push(ours);
    tool.args.extend_from_slice(args);
    tool.env = variables(options);
    tool.status_while(go_on)
        .map(|status| status.code())
        .map_err(|error| SessionError::new(format!("failed to start cargo: {error}")))
}

/// What makes every test binary mean this run.
fn variables(options: &RunOptions) -> Vec<(OsString, OsString)> {
    let run = options.run_id.as_ref().map(OsString::from);
    let config = options.config.as_ref().map(OsString::from);
    let pairs = [
        ("CROSSBAR_VERDICT_CASE", Some(OsString::from("1"))),
        ("CROSSBAR_NEXTEST_RUN", run),
        ("CROSSBAR_CONFIG", config),
    ];
    let set = pairs.into_iter();
    set.filter_map(|(name, value)| Some((OsString::from(name), value?)))
        .collect()
}
