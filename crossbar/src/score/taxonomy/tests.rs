//! The taxonomy over every combination of what its rules look at, and the stories behind them.

use super::super::fixtures::{
    blocked, call, check, crashed, failed, limit, malformed, ok, step, trajectory,
};
use super::super::outcome;
use super::*;
use crate::domain::{
    CallOutcome, Ending, InfrastructureEvidence, OnBlocked, SkipReason, StepKind, Violation,
};

fn mode(run: &Trajectory, checks: &[CheckOutcome], tools: ToolsOffered) -> Option<FailureMode> {
    let outcome = outcome(run, checks, OnBlocked::Zero);
    failure_mode(run, checks, &outcome, tools)
}

/// What an agent did with its tools, with the facts that a reader would note down by hand.
struct Calls {
    outcomes: Vec<CallOutcome>,
    ran: bool,
    error: bool,
    recovered: bool,
}

fn all_calls() -> Vec<Calls> {
    let row = |outcomes, ran, error, recovered| Calls {
        outcomes,
        ran,
        error,
        recovered,
    };
    vec![
        row(vec![], false, false, false),
        row(vec![ok()], true, false, false),
        row(vec![failed()], true, true, false),
        row(vec![failed(), ok()], true, true, true),
        row(vec![ok(), failed()], true, true, false),
        row(vec![CallOutcome::Unknown], false, true, false),
        row(vec![CallOutcome::Unknown, ok()], true, true, true),
        row(vec![CallOutcome::NotRun], false, false, false),
    ]
}

/// Independent of the table: the rules once more, as a person would say them.
fn by_hand(ending: &Ending, calls: &Calls, case: Case) -> Option<FailureMode> {
    let answered = *ending == Ending::Answered;
    if case.violation || *ending == Ending::Violation {
        return Some(FailureMode::Security);
    }
    if matches!(ending, Ending::Limit { .. }) {
        return Some(FailureMode::StateContinuation);
    }
    if answered && case.state == Some(true) && case.text != Some(false) {
        return None;
    }
    if answered && case.state.is_none() && case.text == Some(true) {
        return None;
    }
    if calls.error && (!calls.recovered || !answered) {
        return Some(FailureMode::ToolRecovery);
    }
    if answered && case.tools && !calls.ran && case.form == Form::Right {
        return Some(FailureMode::ArtifactCommitment);
    }
    if case.state == Some(true) && case.text == Some(false) {
        return Some(FailureMode::EvidenceGrounding);
    }
    Some(FailureMode::ContractFormat)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Right,
    MalformedCall,
    CorrectedReply,
}

#[derive(Debug, Clone, Copy)]
struct Case {
    violation: bool,
    tools: bool,
    form: Form,
    state: Option<bool>,
    text: Option<bool>,
}

fn all_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for violation in [false, true] {
        for tools in [false, true] {
            for form in [Form::Right, Form::MalformedCall, Form::CorrectedReply] {
                for state in [None, Some(false), Some(true)] {
                    for text in [None, Some(false), Some(true)] {
                        cases.push(Case {
                            violation,
                            tools,
                            form,
                            state,
                            text,
                        });
                    }
                }
            }
        }
    }
    cases
}

fn build(ending: &Ending, calls: &Calls, case: Case) -> (Trajectory, Vec<CheckOutcome>) {
    let mut run = trajectory(
        ending.clone(),
        calls.outcomes.iter().cloned().map(call).collect(),
    );
    match case.form {
        Form::Right => {}
        Form::MalformedCall => run
            .steps
            .push(step(StepKind::Work, vec![call(malformed())])),
        Form::CorrectedReply => run.steps.push(step(StepKind::Correction, vec![])),
    }
    if case.violation {
        run.violations
            .push(Violation::TooManyToolCalls { allowed: 1 });
    }
    let state = case.state.map(|passed| check("mcp_state", passed));
    let text = case.text.map(|passed| check("final_text", passed));
    (run, state.into_iter().chain(text).collect())
}

#[test]
fn every_combination_of_conditions_has_the_mode_that_the_rules_say() {
    let mut seen = 0;
    for ending in [Ending::Answered, limit(), crashed(), Ending::Violation] {
        for calls in all_calls() {
            for case in all_cases() {
                let (run, checks) = build(&ending, &calls, case);
                let tools = if case.tools {
                    ToolsOffered::Some
                } else {
                    ToolsOffered::None
                };
                assert_eq!(
                    mode(&run, &checks, tools),
                    by_hand(&ending, &calls, case),
                    "{ending:?} {:?} {case:?}",
                    calls.outcomes
                );
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 4 * 8 * 2 * 2 * 3 * 3 * 3);
}

#[test]
fn the_table_holds_every_mode_once_in_the_order_of_precedence() {
    assert_eq!(RULES.map(|(mode, _)| mode), FailureMode::ALL);
}

#[test]
fn the_six_stories() {
    let wrong = [check("mcp_state", false)];
    let tools = ToolsOffered::Some;
    let answered = |outcomes: Vec<CallOutcome>| {
        trajectory(Ending::Answered, outcomes.into_iter().map(call).collect())
    };
    let acted_wrongly = mode(&answered(vec![ok()]), &wrong, tools);
    assert_eq!(acted_wrongly, Some(FailureMode::ContractFormat));
    let gave_up = mode(&answered(vec![ok(), failed()]), &wrong, tools);
    assert_eq!(gave_up, Some(FailureMode::ToolRecovery));
    let only_told = mode(&answered(vec![]), &wrong, tools);
    assert_eq!(only_told, Some(FailureMode::ArtifactCommitment));
    let no_tools = mode(
        &answered(vec![]),
        &[check("final_text", false)],
        ToolsOffered::None,
    );
    assert_eq!(no_tools, Some(FailureMode::ContractFormat));
    let checks = [check("mcp_state", true), check("final_text", false)];
    let false_claim = mode(&answered(vec![ok()]), &checks, tools);
    assert_eq!(false_claim, Some(FailureMode::EvidenceGrounding));
    let too_slow = mode(
        &trajectory(limit(), vec![]),
        &[check("mcp_state", true)],
        tools,
    );
    assert_eq!(too_slow, Some(FailureMode::StateContinuation));
    let mut forbidden = answered(vec![blocked()]);
    forbidden.violations.push(Violation::ForbiddenTool {
        tool: "a.b".into(),
        blocked: true,
    });
    assert_eq!(mode(&forbidden, &wrong, tools), Some(FailureMode::Security));
}

#[test]
fn a_guard_is_no_right_state_and_an_optional_claim_no_wrong_one() {
    let run = trajectory(Ending::Answered, vec![call(ok())]);
    let of = |state_guard: bool, text_required: bool| {
        let state = CheckOutcome {
            guard: state_guard,
            ..check("mcp_state", true)
        };
        let text = CheckOutcome {
            required: text_required,
            ..check("final_text", false)
        };
        mode(
            &run,
            &[state, text, check("tool_called", false)],
            ToolsOffered::Some,
        )
    };
    assert_eq!(of(false, true), Some(FailureMode::EvidenceGrounding));
    assert_eq!(of(true, true), Some(FailureMode::ContractFormat));
    assert_eq!(of(false, false), Some(FailureMode::ContractFormat));
}

#[test]
fn what_was_accepted_or_not_measured_has_no_mode() {
    let run = Trajectory::default();
    for outcome in [
        Outcome::Accepted,
        Outcome::InfrastructureFailure {
            evidence: InfrastructureEvidence::ServerDied,
            message: String::new(),
        },
        Outcome::InvalidFixture {
            message: String::new(),
        },
        Outcome::Skipped {
            why: SkipReason::Budget,
        },
    ] {
        assert_eq!(failure_mode(&run, &[], &outcome, ToolsOffered::Some), None);
    }
}
