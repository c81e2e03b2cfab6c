//! What a person reads of a rollout.

use super::*;
use crate::domain::AgentRun;
use crate::report::fixture;

fn text(change: impl Fn(&mut Rollout)) -> String {
    let sweep = fixture::sweep();
    let mut rollout = sweep
        .rollouts
        .iter()
        .find(|r| !r.outcome.is_accepted())
        .unwrap()
        .clone();
    change(&mut rollout);
    transcript(&rollout, Some("Close ticket 7."), Styles::Plain)
}

#[test]
fn the_whole_story_is_there_in_order() {
    let text = text(|_| {});
    let parts = [
        "desk::reply repeat 1 on mock-strong+react",
        "task_failure",
        "why       ticket closed (1 of 1 check failed)",
        "PROMPT",
        "Close ticket 7.",
        "STEP 1",
        "I close the ticket.",
        "tickets.update {\"id\":7",
        "ok",
        "ANSWER",
        "The ticket is closed.",
        "CHECKS",
        "FAILS ticket closed (mcp_state)",
        "expected \"closed\", got \"open\"",
        "SCORE",
        "0.50 = security 1.00 x completion 0.50 x process 1.00",
        "Contract / format",
        "$0.02",
    ];
    let mut from = 0;
    for part in parts {
        from += text[from..]
            .find(part)
            .unwrap_or_else(|| panic!("`{part}` after {from} in\n{text}"));
    }
}

#[test]
fn a_program_that_drove_the_model_is_named_with_its_version_and_the_tested_one() {
    let text = text(|rollout| {
        rollout.trajectory.agent = Some(Box::new(AgentRun {
            argv: vec!["claude".to_owned(), "-p".to_owned()],
            version: Some("1.0".to_owned()),
            pinned: "2.0".to_owned(),
            ..AgentRun::default()
        }));
    });
    let line = "claude 1.0 (crossbar is tested with 2.0), 0 requests, it was ended";
    assert!(text.contains(line), "{text}");
}

#[test]
fn control_characters_of_an_agent_are_shown_not_sent() {
    let text = text(|rollout| {
        rollout.trajectory.final_text = Some("\u{1b}[2Jgone\u{202e}".to_owned());
        rollout.trajectory.steps[0].calls[0].outcome = CallOutcome::Error {
            text: "\u{7}bell".to_owned(),
            protocol: true,
        };
    });
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text}");
    assert!(
        text.contains("\\u{1b}[2Jgone\\u{202e}") && text.contains("protocol error"),
        "{text}"
    );
}

#[test]
fn what_befell_a_call_is_told() {
    let told = |retries: u32, cut_short: CutShort| {
        text(|rollout| {
            let step = &mut rollout.trajectory.steps[0];
            (step.retries, step.cut_short) = (retries, Some(cut_short.clone()));
        })
    };
    let category = Some("cyber".to_owned());
    let refused = told(2, CutShort::Refused { category });
    for part in [
        "(sent 3 times: the others were refused)",
        "(refused: cyber)",
    ] {
        assert!(refused.contains(part), "{refused}");
    }
    let cut = told(1, CutShort::OutputCeiling);
    for part in ["(sent twice", "(cut off at the ceiling on its output)"] {
        assert!(cut.contains(part), "{cut}");
    }
    assert!(!text(|_| {}).contains("(sent"));
}

#[test]
fn a_long_result_is_cut_with_its_number_of_lines() {
    let text = text(|rollout| rollout.trajectory.final_text = Some("line\n".repeat(100)));
    assert!(
        text.contains("(60 more lines: see the trace file)"),
        "{text}"
    );
}
