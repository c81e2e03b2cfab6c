//! The rules by which a run is understood, without a program.

use super::DIALECT;
use super::ending::judge;
use crate::domain::{
    Ending, Exchange, ExchangeEnd, InfrastructureEvidence, LimitKind, ProgramEnd, ProgramEnded,
    ToolDef,
};
use crate::harness::DriveError;
use crate::harness::program::stream_json::{
    Began, Ended, Event, Facts, Intended, as_intended, read,
};
use crate::harness::program::tools::{Spelling, Tools};
use crate::task::SecurityPolicy;
use serde_json::json;

fn ended_by(end: ProgramEnd) -> ProgramEnded {
    ProgramEnded {
        end,
        stderr: "it says why".to_owned(),
    }
}

fn success() -> Ended {
    Ended {
        subtype: "success".to_owned(),
        text: Some("done".to_owned()),
        ..Ended::default()
    }
}

/// The judgement of a program that began, ended with code 0, and reported this.
fn judged(ended: Option<&Ended>, last: Option<ExchangeEnd>) -> Result<Ending, DriveError> {
    let exchanges: Vec<Exchange> = last.map(Exchange::that_ended).into_iter().collect();
    judge(&Facts {
        has_begun: true,
        ended,
        process: &ended_by(ProgramEnd::Code(0)),
        exchanges: &exchanges,
    })
}

fn evidence(judged: Result<Ending, DriveError>) -> InfrastructureEvidence {
    match judged {
        Err(DriveError::Infrastructure { evidence, .. }) => evidence,
        other => panic!("{other:?}"),
    }
}

#[test]
fn success_counts_only_with_an_answer_that_came_whole() {
    let complete = Some(ExchangeEnd::Complete);
    assert_eq!(judged(Some(&success()), complete), Ok(Ending::Answered));
    for last in [None, Some(ExchangeEnd::Cut), Some(ExchangeEnd::Refused)] {
        let provider = InfrastructureEvidence::Provider;
        assert_eq!(
            evidence(judged(Some(&success()), last)),
            provider,
            "{last:?}"
        );
    }
}

#[test]
fn an_error_under_success_is_the_providers_or_its_own() {
    let refused = Ended {
        is_error: true,
        api_status: Some(401),
        ..success()
    };
    let judgement = judged(Some(&refused), Some(ExchangeEnd::Refused));
    assert_eq!(evidence(judgement), InfrastructureEvidence::Provider);
    let own = Ended {
        is_error: true,
        subtype: "error_during_execution".to_owned(),
        text: None,
        ..success()
    };
    let crashed = judged(Some(&own), Some(ExchangeEnd::Complete)).unwrap();
    let Ending::Crashed { message } = crashed else {
        panic!("{crashed:?}");
    };
    assert!(message.contains("error_during_execution"), "{message}");
}

#[test]
fn an_answer_that_is_always_too_long_is_the_models_doing() {
    let too_long = Ended {
        is_error: true,
        terminal_reason: Some("api_error".to_owned()),
        text: Some(
            "API Error: Claude's response exceeded the 32 output token maximum. To configure"
                .to_owned(),
        ),
        ..success()
    };
    let crashed = judged(Some(&too_long), Some(ExchangeEnd::Complete)).unwrap();
    assert!(matches!(crashed, Ending::Crashed { .. }), "{crashed:?}");
    let cut = Ended {
        text: Some("API Error: connection closed".to_owned()),
        ..too_long
    };
    let judgement = judged(Some(&cut), Some(ExchangeEnd::Cut));
    assert_eq!(evidence(judgement), InfrastructureEvidence::Provider);
}

#[test]
fn its_turns_are_the_steps_of_the_task() {
    let turns = Ended {
        is_error: true,
        subtype: "error_max_turns".to_owned(),
        ..Ended::default()
    };
    let limit = LimitKind::Steps;
    assert_eq!(
        judged(Some(&turns), Some(ExchangeEnd::Complete)),
        Ok(Ending::Limit { limit })
    );
}

#[test]
fn without_a_result_the_signal_decides() {
    let without = |end, has_begun| {
        judge(&Facts {
            has_begun,
            ended: None,
            process: &ended_by(end),
            exchanges: &[],
        })
    };
    for end in [
        ProgramEnd::Code(143),
        ProgramEnd::Code(130),
        ProgramEnd::Signal(9),
        ProgramEnd::Signal(15),
    ] {
        let killed = InfrastructureEvidence::AgentKilled;
        assert_eq!(evidence(without(end, true)), killed, "{end:?}");
    }
    for end in [
        ProgramEnd::Code(0),
        ProgramEnd::Code(1),
        ProgramEnd::Code(134),
        ProgramEnd::Signal(11),
    ] {
        let crashed = without(end, true).unwrap();
        assert!(matches!(crashed, Ending::Crashed { .. }), "{end:?}");
    }
    let never = without(ProgramEnd::Code(1), false);
    let DriveError::Infrastructure { message, .. } = never.clone().unwrap_err() else {
        panic!("{never:?}");
    };
    assert_eq!(evidence(never), InfrastructureEvidence::AgentStart);
    assert!(
        message.contains("exit code 1") && message.contains("it says why"),
        "{message}"
    );
}

fn tools() -> Tools {
    let tool = ToolDef {
        server: "desk".to_owned(),
        tool: "get".to_owned(),
        description: String::new(),
        input_schema: json!({}),
    };
    let spelling = Spelling {
        own: "claude-code",
        marks: "_-",
        joins: ("mcp__", "__"),
    };
    Tools::new(spelling, &[tool], &SecurityPolicy::default())
}

fn began(status: &str, tools: &[&str]) -> Began {
    let event = json!({
        "subtype": "init", "type": "system", "claude_code_version": "9.9.9", "tools": tools,
        "skills": ["loop", "greet"],
        "mcp_servers": [{"source": "dynamic", "status": status, "name": "desk"}],
    });
    match read(&event.to_string(), &DIALECT) {
        Some(Event::Began(began)) => began,
        other => panic!("{other:?}"),
    }
}

fn intended(skills: Option<&[&str]>) -> Intended {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Intended {
        servers: vec!["desk".to_owned()],
        tools: tools(),
        skills: skills.map(owned),
    }
}

#[test]
fn a_skill_that_it_was_given_is_there_with_its_tool_or_it_does_not_run() {
    let held = |tools: &[&str], skills| {
        let held = as_intended(&began("connected", tools), &intended(skills), &DIALECT);
        held.err().map(|error| error.to_string())
    };
    let (with, without) = (&["mcp__desk__get", "Skill"][..], &["mcp__desk__get"][..]);
    assert_eq!(held(with, Some(&["greet"])), None);
    assert_eq!(held(with, Some(&[])), None);
    for (tools, skills, want) in [
        (with, Some(&["greet", "other"][..]), "the skill `other`"),
        (without, Some(&["greet"]), "does not offer the tool `Skill`"),
        (
            with,
            None,
            "offers the tool `Skill`, which the task has not",
        ),
    ] {
        let error = held(tools, skills).unwrap_or_default();
        assert!(error.contains(want), "{want}: {error}");
    }
}

#[test]
fn it_runs_as_intended_or_not_at_all() {
    let intended = intended(None);
    let held = |began: &Began| as_intended(began, &intended, &DIALECT).map(|()| Ending::Answered);
    let good = began("connected", &["mcp__desk__get"]);
    assert_eq!(good.version.as_deref(), Some("9.9.9"));
    assert!(held(&good).is_ok());
    for status in ["failed", "pending", "needs-auth"] {
        let judgement = held(&began(status, &["mcp__desk__get"]));
        assert_eq!(evidence(judgement), InfrastructureEvidence::ServerStart);
    }
    let absent = Began {
        servers: Vec::new(),
        ..good.clone()
    };
    assert_eq!(evidence(held(&absent)), InfrastructureEvidence::ServerStart);
    for offered in [&["mcp__desk__get", "Bash"][..], &[]] {
        let judgement = held(&began("connected", offered));
        assert_eq!(
            evidence(judgement),
            InfrastructureEvidence::AgentStart,
            "{offered:?}"
        );
    }
}
