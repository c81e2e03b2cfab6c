//! `show CELL TASK -r N`: one rollout as a person reads it, step by step.

use super::Styles;
use super::figures::{counted, duration};
use super::page::Page;
use super::styles::Tone;
use super::visible::lines;
use crate::domain::{
    Arguments, CallOutcome, CutShort, Ending, Outcome, Rollout, Step, StepKind, ToolCall, Violation,
};

/// Text of an agent or a tool starts here.
const BODY: usize = 6;
/// Lines of one tool result or message that are shown; the trace file has all.
const SHOWN_LINES: usize = 40;

/// The transcript of a rollout: outcome, `prompt` where the caller has it, steps with their tool calls
/// and results, the answer, checks, score, cost. Control characters are shown as escapes.
#[must_use]
pub fn transcript(rollout: &Rollout, prompt: Option<&str>, styles: Styles) -> String {
    let mut page = Page::new(styles);
    head(&mut page, rollout);
    if let Some(prompt) = prompt {
        page.heading("PROMPT");
        body(&mut page, prompt);
    }
    for step in &rollout.trajectory.steps {
        write_step(&mut page, step);
    }
    page.heading("ANSWER");
    match &rollout.trajectory.final_text {
        Some(text) => body(&mut page, text),
        None => page.item("", BODY, "none"),
    }
    ending(&mut page, rollout);
    checks(&mut page, rollout);
    score(&mut page, rollout);
    page.finish()
}

fn head(page: &mut Page, rollout: &Rollout) {
    let text = format!(
        "{} repeat {} on {}, attempt {}",
        rollout.key.task, rollout.key.repeat, rollout.key.cell, rollout.attempt
    );
    page.paragraph("", 0, &[(Tone::Heading, &text)]);
    let tone = if rollout.outcome.is_accepted() {
        Tone::Good
    } else {
        Tone::Bad
    };
    page.paragraph(
        "outcome",
        12,
        &[
            (tone, rollout.outcome.word()),
            (Tone::Text, &outcome_detail(&rollout.outcome)),
        ],
    );
    let fails = rollout.checks.iter().filter(|check| !check.passed);
    let fails: Vec<_> = fails.map(|check| check.name.as_str()).collect();
    if !fails.is_empty() {
        let all = counted(rollout.checks.len() as u64, "check");
        let text = format!("{} ({} of {all} failed)", fails.join("; "), fails.len());
        page.paragraph("why", 12, &[(Tone::Bad, &text)]);
    }
    page.item(
        "began",
        12,
        &format!(
            "{}, took {} of its own time",
            rollout.started_at,
            duration(rollout.worked_ms)
        ),
    );
    agent(page, rollout);
}

/// The program that drove the model, where one did.
fn agent(page: &mut Page, rollout: &Rollout) {
    let Some(run) = &rollout.trajectory.agent else {
        return;
    };
    let program = run.argv.first().map_or("", String::as_str);
    let version = run.version.as_deref().unwrap_or("of unknown version");
    let tested = match version == run.pinned {
        true => String::new(),
        false => format!(" (crossbar is tested with {})", run.pinned),
    };
    let requests = counted(run.exchanges.len() as u64, "request");
    let end = run.exit.as_deref().unwrap_or("it was ended");
    let text = format!("{program} {version}{tested}, {requests}, {end}");
    page.item("program", 12, &text);
    let given: Vec<&str> = run
        .given
        .iter()
        .filter_map(|one| one.path.as_deref())
        .collect();
    if !given.is_empty() {
        page.item("given", 12, &given.join(", "));
    }
}

/// What an outcome says beside its word; empty where there is no more to say.
pub(super) fn outcome_detail(outcome: &Outcome) -> String {
    match outcome {
        Outcome::AgentCrash { message }
        | Outcome::InfrastructureFailure { message, .. }
        | Outcome::InvalidFixture { message } => message.clone(),
        Outcome::LimitReached { limit } => limit.word().to_owned(),
        Outcome::Skipped { why } => super::notices::skip_reason(*why).to_owned(),
        _ => String::new(),
    }
}

fn body(page: &mut Page, text: &str) {
    let mut count = 0;
    for line in lines(text) {
        count += 1;
        if count <= SHOWN_LINES {
            page.item("", BODY, &line);
        }
    }
    if count > SHOWN_LINES {
        let text = format!("({} more lines: see the trace file)", count - SHOWN_LINES);
        page.paragraph("", BODY, &[(Tone::Faint, &text)]);
    }
}

fn write_step(page: &mut Page, step: &Step) {
    let kind = match step.kind {
        StepKind::Work => "",
        StepKind::Verify => ", self-check",
        StepKind::Correction => ", correction of the form",
    };
    page.heading(&format!(
        "STEP {}{kind}, {} after the start",
        step.index,
        duration(step.at_ms)
    ));
    if !step.text.is_empty() {
        body(page, &step.text);
    }
    for note in notes(step) {
        page.paragraph("", BODY, &[(Tone::Faint, &note)]);
    }
    for call in &step.calls {
        write_call(page, call);
    }
}

/// What befell a model call besides its answer.
fn notes(step: &Step) -> Vec<String> {
    let retried = match step.retries {
        0 => None,
        1 => Some("(sent twice: the first request was refused)".to_owned()),
        more => Some(format!(
            "(sent {} times: the others were refused)",
            more + 1
        )),
    };
    let cut_short = step.cut_short.as_ref().map(|why| match why {
        CutShort::OutputCeiling => "(cut off at the ceiling on its output)".to_owned(),
        CutShort::ContextFull => "(cut off at the end of the model's context)".to_owned(),
        CutShort::Paused => "(paused by the provider)".to_owned(),
        CutShort::Refused { category: None } => "(refused)".to_owned(),
        CutShort::Refused {
            category: Some(category),
        } => format!("(refused: {category})"),
    });
    retried.into_iter().chain(cut_short).collect()
}

fn write_call(page: &mut Page, call: &ToolCall) {
    let name = match call.server.is_empty() {
        true => call.tool.clone(),
        false => call.full_name(),
    };
    let arguments = match &call.arguments {
        Arguments::Json(value) => value.to_string(),
        Arguments::Malformed(text) => text.clone(),
    };
    page.paragraph(
        "call",
        8,
        &[(Tone::Heading, &name), (Tone::Text, &arguments)],
    );
    match &call.outcome {
        CallOutcome::Result { text, .. } => body(page, text),
        CallOutcome::Error { text, protocol } => {
            let who = if *protocol {
                "protocol error"
            } else {
                "tool error"
            };
            page.paragraph("", BODY, &[(Tone::Bad, who)]);
            body(page, text);
        }
        CallOutcome::Blocked { rule } => bad(page, &format!("blocked: {rule}")),
        CallOutcome::Malformed { why } => {
            bad(page, &format!("not executed, malformed arguments: {why}"))
        }
        CallOutcome::Unknown => bad(page, "no such tool"),
        CallOutcome::NotRun => bad(page, "not run: a limit ended the rollout first"),
    }
}

fn bad(page: &mut Page, text: &str) {
    page.paragraph("", BODY, &[(Tone::Bad, text)]);
}

fn ending(page: &mut Page, rollout: &Rollout) {
    let text = match &rollout.trajectory.ending {
        Some(Ending::Answered) | None => return violations(page, rollout),
        Some(Ending::Limit { limit }) => format!("ended by its limit of {}", limit.word()),
        Some(Ending::Violation) => "ended by a violation".to_owned(),
        Some(Ending::Crashed { message }) => format!("crashed: {message}"),
    };
    bad(page, &text);
    violations(page, rollout);
}

fn violations(page: &mut Page, rollout: &Rollout) {
    for violation in &rollout.trajectory.violations {
        let text = match violation {
            Violation::ForbiddenTool {
                tool,
                blocked: true,
            } => format!("violation: {tool} is forbidden, blocked"),
            Violation::ForbiddenTool {
                tool,
                blocked: false,
            } => format!("violation: {tool} is forbidden, and ran"),
            Violation::TooManyToolCalls { allowed } => {
                format!("violation: more than {allowed} tool calls")
            }
        };
        bad(page, &text);
    }
    for (server, noise) in &rollout.trajectory.server_noise {
        page.item(
            "",
            BODY,
            &format!("server {server} wrote {noise} line(s) that were no messages"),
        );
    }
}

fn checks(page: &mut Page, rollout: &Rollout) {
    page.heading("CHECKS");
    if rollout.checks.is_empty() {
        page.item("", BODY, "none was judged");
    }
    for check in &rollout.checks {
        let (word, tone) = if check.passed {
            ("holds", Tone::Good)
        } else {
            ("FAILS", Tone::Bad)
        };
        let guard = if check.guard { " (guard)" } else { "" };
        let name = format!("{}{guard}", check.name);
        page.paragraph(
            "",
            BODY,
            &[
                (tone, word),
                (Tone::Text, &name),
                (Tone::Faint, &format!("({})", check.kind)),
            ],
        );
        if let Some(message) = &check.message {
            body(page, message);
        }
    }
}

fn score(page: &mut Page, rollout: &Rollout) {
    page.heading("SCORE");
    match rollout.score {
        Some(score) => {
            let text = format!(
                "{:.2} = security {:.2} x completion {:.2} x process {:.2}",
                score.total(),
                score.security,
                score.completion,
                score.process
            );
            page.item("", BODY, &text);
        }
        None => page.item("", BODY, "not measured"),
    }
    if let Some(mode) = rollout.failure_mode {
        page.item(
            "",
            BODY,
            &format!(
                "failure: {}; typical fix: {}",
                mode.title(),
                mode.typical_fix()
            ),
        );
    }
    let cost = rollout
        .cost
        .amount()
        .map_or_else(|| "unknown".to_owned(), |usd| usd.to_string());
    let tokens = match rollout.usage {
        Some(usage) => format!("{} tokens in, {} out", usage.input(), usage.output),
        None => "tokens unknown".to_owned(),
    };
    let forbidden = rollout.forbidden;
    page.item(
        "",
        BODY,
        &format!(
            "cost {cost}; {tokens}; forbidden calls: {} proposed, {} blocked, {} executed",
            forbidden.proposed, forbidden.blocked, forbidden.executed
        ),
    );
}

#[cfg(test)]
mod tests;
