//! The rules of ending that hold for every program, and their words.

use super::tools::Tools;
use crate::domain::{
    Ending, Exchange, ExchangeEnd, InfrastructureEvidence, ProgramEnd, ProgramEnded,
};
use crate::harness::DriveError;
use crate::harness::programs::AgentProgram;

/// How much of a standard error a message has, in characters.
const SHOWN: usize = 600;

/// Signals by which a machine ends a program (SIGHUP, SIGINT, SIGKILL, SIGTERM), and which shells
/// and programs add to 128 as their exit code.
const FROM_OUTSIDE: [i32; 4] = [1, 2, 9, 15];

/// The ending of a program that reports success: it counts where its model's last answer came whole.
///
/// # Errors
/// `DriveError::Infrastructure` where it never asked, or where that answer was cut.
pub(in crate::harness) fn answered(
    row: &AgentProgram,
    exchanges: &[Exchange],
) -> Result<Ending, DriveError> {
    let name = row.name;
    match exchanges.last().map(|last| last.end) {
        None => Err(provider(format!(
            "{name} reports success, and has never asked its model"
        ))),
        Some(ExchangeEnd::Complete) => Ok(Ending::Answered),
        Some(_) => Err(provider(format!(
            "{name} reports success, and the last answer of its model did not come whole"
        ))),
    }
}

/// The ending of a program that went away in the middle: by a signal from outside, or by itself.
///
/// # Errors
/// `DriveError::Infrastructure` where a signal from outside ended it.
pub(in crate::harness) fn without_result(
    row: &AgentProgram,
    process: &ProgramEnded,
) -> Result<Ending, DriveError> {
    let signal = match process.end {
        ProgramEnd::Signal(signal) => Some(signal),
        ProgramEnd::Code(code) => Some(code - 128).filter(|signal| FROM_OUTSIDE.contains(signal)),
        ProgramEnd::Unseen => None,
    };
    let message = format!("{} ended without a result{}", row.name, how(process));
    match signal {
        Some(signal) if FROM_OUTSIDE.contains(&signal) => {
            Err(infrastructure(InfrastructureEvidence::AgentKilled, message))
        }
        _ => Ok(Ending::Crashed { message }),
    }
}

/// Why a program that never began its work did not.
pub(in crate::harness) fn never_began(row: &AgentProgram, process: &ProgramEnded) -> DriveError {
    infrastructure(
        InfrastructureEvidence::AgentStart,
        format!("{} never began{}", row.name, how(process)),
    )
}

/// Why a program that began is ended: it does not run as it is meant to.
pub(in crate::harness) fn did_not_start_as_told(row: &AgentProgram, what: &str) -> DriveError {
    infrastructure(
        InfrastructureEvidence::AgentStart,
        format!(
            "{} did not start as it was told: {what} (crossbar is tested with {})",
            row.name, row.version
        ),
    )
}

/// Why a program is ended whose first request offers other tools than the task's. Where a server has
/// none of its tools there, it did not start for the program.
pub(in crate::harness) fn offers_other_tools(
    row: &AgentProgram,
    tools: &Tools,
    offered: &[String],
) -> DriveError {
    let is_there = |name: &str| offered.iter().any(|one| one == name);
    let Some(missing) = tools.names().find(|name| !is_there(name)) else {
        let other = offered.iter().find(|name| !tools.has(name));
        let other = other.map_or("one", String::as_str);
        let what = format!("it offers the tool `{other}`, which the task has not");
        return did_not_start_as_told(row, &what);
    };
    let (server, _) = tools.resolve(missing);
    let mut of_server = tools.names().filter(|name| tools.resolve(name).0 == server);
    match of_server.any(is_there) {
        true => did_not_start_as_told(row, &format!("it does not offer the tool `{missing}`")),
        false => infrastructure(
            InfrastructureEvidence::ServerStart,
            format!(
                "server `{server}` did not start for {}, which would go on without it",
                row.name
            ),
        ),
    }
}

/// Why a program is ended whose model has failed as often in a row as it may be asked again.
pub(in crate::harness) fn failed_each_time(
    row: &AgentProgram,
    tries: u32,
    last: Option<&Exchange>,
) -> DriveError {
    let status = last.and_then(|last| last.status);
    let how = match status {
        None => "without an answer".to_owned(),
        Some(200) => "the answer cut".to_owned(),
        Some(status) => format!("HTTP status {status}"),
    };
    provider(format!(
        "the model of {} failed {tries} times in a row; the last time: {how}",
        row.name
    ))
}

/// Why a program could not be started at all, with the cure.
pub(in crate::harness) fn not_started(row: &AgentProgram, why: &str) -> DriveError {
    infrastructure(
        InfrastructureEvidence::AgentStart,
        format!(
            "{why}; harness `{}` needs the program `{}`: {}",
            row.kind,
            row.program,
            row.install()
        ),
    )
}

/// The end of a process in words, with what it wrote to its standard error.
pub(in crate::harness) fn how(process: &ProgramEnded) -> String {
    let stderr = process.stderr.trim();
    let from = stderr
        .char_indices()
        .rev()
        .nth(SHOWN)
        .map_or(0, |(at, _)| at);
    let stderr = match &stderr[from..] {
        "" => String::new(),
        text => format!("; its standard error ends: {text}"),
    };
    format!(" ({}){stderr}", words(process.end))
}

/// The end of a process in words.
pub(in crate::harness) fn words(end: ProgramEnd) -> String {
    match end {
        ProgramEnd::Code(code) => format!("exit code {code}"),
        ProgramEnd::Signal(signal) => format!("signal {signal}"),
        ProgramEnd::Unseen => "unknown exit status".to_owned(),
    }
}

/// The model's endpoint failed.
pub(in crate::harness) fn provider(message: String) -> DriveError {
    infrastructure(InfrastructureEvidence::Provider, message)
}

/// Something failed that is not the agent.
pub(in crate::harness) fn infrastructure(
    evidence: InfrastructureEvidence,
    message: String,
) -> DriveError {
    DriveError::Infrastructure { evidence, message }
}
