//! What is written down, and what is played again.

use super::*;
use crate::domain::{CellId, RolloutKey, TaskId};
use serde_json::json;

const NOW: Duration = Duration::from_secs(1_795_982_400);

fn played(exchanges: Vec<RecordedExchange>) -> Tape {
    let recording = Recording {
        key: RolloutKey {
            cell: CellId::parse("m+react").unwrap(),
            task: TaskId::parse("desk::one").unwrap(),
            repeat: 1,
        },
        begun_at: "2026-11-01T10:00:00.000Z".to_owned(),
        exchanges,
    };
    Tape::playing(recording, NOW)
}

/// What comes of a request that says this and is answered with that.
fn exchange(says: &str, answer: &str) -> RecordedExchange {
    let tape = Tape::recording();
    let at = tape.ask("messages", body(says).as_bytes());
    tape.begun(at, 200, &[]);
    let (first, rest) = answer.split_at(1);
    tape.piece(at, first.as_bytes());
    tape.piece(at, rest.as_bytes());
    tape.ended(at, BodyEnd::Whole);
    tape.exchanges().unwrap().remove(0)
}

fn body(says: &str) -> String {
    json!({"says": says}).to_string()
}

/// The body of the answer to a request, or why there is none.
fn ask(tape: &Tape, says: &str) -> Result<String, String> {
    match tape.play("messages", body(says).as_bytes()) {
        Ok(RecordedAnswer::Answered { body, .. }) => Ok(body),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error.message),
    }
}

#[test]
fn what_passes_is_written_down_as_far_as_it_came() {
    let tape = Tape::recording();
    assert!(!tape.is_playing());
    let at = tape.ask("messages", b"no JSON");
    assert_eq!(tape.exchanges().unwrap()[0].answer, RecordedAnswer::Pending);
    let error = ProviderError::new(ProviderErrorKind::Unreachable, "nobody");
    tape.failed(at, &error);
    let at = tape.ask("messages", b"{\"a\": 1}");
    tape.begun(at, 200, &[("content-type".to_owned(), "x".to_owned())]);
    tape.piece(at, "h\u{e9}".as_bytes());
    let exchanges = tape.exchanges().unwrap();
    let message = "nobody".to_owned();
    assert_eq!(exchanges[0].request, json!("no JSON"));
    assert_eq!(exchanges[0].answer, RecordedAnswer::Unreachable { message });
    assert_eq!(exchanges[1].request, json!({"a": 1}));
    let answered = RecordedAnswer::Answered {
        status: 200,
        headers: vec![("content-type".to_owned(), "x".to_owned())],
        body: "h\u{e9}".to_owned(),
        end: BodyEnd::LeftThere,
    };
    assert_eq!(exchanges[1].answer, answered);
    let text = serde_json::to_string(&exchanges).unwrap();
    let read: Vec<RecordedExchange> = serde_json::from_str(&text).unwrap();
    assert_eq!(read, exchanges);
}

#[test]
fn the_same_requests_have_the_same_answers_each_once() {
    let tape = played(vec![
        exchange("a", "1"),
        exchange("b", "2"),
        exchange("a", "3"),
    ]);
    assert!(tape.is_playing() && tape.exchanges().is_none());
    // Programs ask side by side: what comes first is not fixed.
    let answers = ["b", "a", "a"].map(|says| ask(&tape, says).unwrap());
    assert_eq!(answers, ["2", "1", "3"]);
    assert_eq!((tape.refused(), tape.left()), (None, None));
    let message = ask(&tape, "a").unwrap_err();
    assert!(
        message.starts_with("request 4 is one too many: the recording has 3"),
        "{message}"
    );
    assert_eq!(tape.refused(), Some(message));
}

#[test]
fn a_request_that_differs_is_refused_with_the_first_recorded_one_that_is_left() {
    let exchanges = ["a", "b", "z"].map(|says| exchange(says, "1"));
    let tape = played(exchanges.into());
    ask(&tape, "a").unwrap();
    let message = ask(&tape, "c").unwrap_err();
    let told = "request 2 differs from the recorded one at /says: recorded \"b\", now \"c\"; help:";
    assert!(message.starts_with(told), "{message}");
    ask(&tape, "d").unwrap_err();
    assert_eq!(tape.refused(), Some(message), "the first stays");
}

#[test]
fn recorded_requests_that_were_not_made_are_counted() {
    let tape = played(vec![exchange("a", "1"), exchange("b", "2")]);
    ask(&tape, "b").unwrap();
    let left = tape.left().unwrap();
    assert!(
        left.starts_with("only 1 of 2 recorded requests were made"),
        "{left}"
    );
    assert_eq!(played(Vec::new()).left(), None);
}

#[test]
fn the_day_of_a_request_is_let_go_and_no_other() {
    let says = |day: &str| format!("today is {day}");
    let tape = played(vec![exchange(&says("2026-11-01"), "1")]);
    assert!(ask(&tape, &says("2026-11-27")).is_err());
    // Somewhere on earth it is tomorrow already.
    assert_eq!(ask(&tape, &says("2026-11-30")).unwrap(), "1");
}
