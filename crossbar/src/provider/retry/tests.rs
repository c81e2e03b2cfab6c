//! What is sent again, after which wait, and what it adds up to.

use super::*;
use crate::domain::{Clock, Usage};
use crate::provider::mock::tests::{LIVE, model};
use crate::provider::work_clock::tests::Hands;
use crate::provider::{RetryAfter, Scripted};
use std::rc::Rc;

fn error(kind: ProviderErrorKind) -> ProviderError {
    ProviderError::new(kind, "no")
}

/// An error after which nobody has to wait.
fn at_once(kind: ProviderErrorKind) -> ProviderError {
    ProviderError {
        after: Some(RetryAfter::In(Duration::ZERO)),
        ..error(kind)
    }
}

/// The waits after the same error again and again, in milliseconds, and the error in the end.
fn waits(seed: u64, again: &ProviderError) -> (Vec<u128>, ProviderError) {
    let mut course = Course::new(seed);
    let mut waits = Vec::new();
    loop {
        match course.wait_after(again.clone(), Duration::ZERO) {
            Ok(wait) => waits.push(wait.as_millis()),
            Err(error) => return (waits, error),
        }
    }
}

#[test]
fn waits_double_with_jitter_up_to_half_a_minute() {
    let (found, last) = waits(7, &error(ProviderErrorKind::Refused(429)));
    assert_eq!(
        (found.len(), &last.kind),
        (10, &ProviderErrorKind::RateLimited)
    );
    assert!(last.message.ends_with("no (tried 11 times)"), "{last}");
    for (at, wait) in found.iter().enumerate() {
        let least = (500_u128 << at.min(6)).min(30_000);
        assert!((least..=2 * least + 500).contains(wait), "{at}: {wait}");
    }
    assert_eq!(
        waits(7, &error(ProviderErrorKind::Refused(429))).0,
        found,
        "seeded"
    );
    assert_ne!(waits(8, &error(ProviderErrorKind::Refused(429))).0, found);
}

#[test]
fn trouble_is_tried_five_times_and_what_would_fail_again_once() {
    use ProviderErrorKind as Kind;
    for (kind, retries) in [
        (Kind::Refused(529), 4),
        (Kind::Refused(503), 4),
        (Kind::Status(502), 4),
        (Kind::Status(408), 4),
        (Kind::Unreachable, 4),
        (Kind::Refused(400), 0),
        (Kind::Settings(401), 0),
        (Kind::Status(307), 0),
        (Kind::BadReply, 0),
        (Kind::Configuration, 0),
        (Kind::OffTheEnd, 0),
    ] {
        let (found, last) = waits(1, &error(kind.clone()));
        assert_eq!((found.len(), last.kind), (retries, kind));
    }
}

#[test]
fn the_wait_that_is_asked_for_is_kept_up_to_a_minute() {
    let asked = |seconds| ProviderError {
        after: Some(RetryAfter::In(Duration::from_secs(seconds))),
        ..error(ProviderErrorKind::Refused(429))
    };
    assert_eq!(waits(1, &asked(60)).0, [60_000; 10]);
    assert_eq!(waits(1, &asked(0)).0, [0; 10]);
    let (found, last) = waits(1, &asked(86_400));
    assert_eq!(
        (found.len(), last.kind),
        (0, ProviderErrorKind::RateLimited)
    );
    assert!(
        last.message
            .contains("asks to wait 86400 s, and 60 s is the most")
    );
    let trouble = ProviderError {
        after: Some(RetryAfter::At(Duration::from_secs(61))),
        ..error(ProviderErrorKind::Refused(503))
    };
    let (found, last) = waits(1, &trouble);
    assert_eq!(
        (found.len(), last.kind),
        (0, ProviderErrorKind::Refused(503))
    );
}

/// Lets a test look into a scripted provider, and takes a while for each request.
struct Slow {
    scripted: Rc<Scripted>,
    hands: Arc<Hands>,
}

impl Provider for Slow {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        self.hands.pass(3);
        self.scripted.chat(request)
    }
}

struct Asked {
    result: Result<ChatReply, ProviderError>,
    sent: usize,
    worked: Duration,
}

fn asked_in(lines: &Lines, answers: Vec<Result<ChatReply, ProviderError>>) -> Asked {
    let hands = Arc::new(Hands::default());
    let clock = Arc::new(WorkClock::new(Arc::clone(&hands) as Arc<dyn Clock>));
    let scripted = Rc::new(Scripted::with_errors(answers));
    let inner = Box::new(Slow {
        scripted: Rc::clone(&scripted),
        hands,
    });
    let patience = Patience {
        lines: lines.clone(),
        clock: Arc::clone(&clock),
        seed: 1,
        waits: Waits::Real,
    };
    let provider = patient(inner, &model(1.0, 1.0), &LIVE, patience);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let result = runtime.block_on(provider.chat(&ChatRequest::default()));
    Asked {
        result,
        sent: scripted.requests().len(),
        worked: clock.monotonic(),
    }
}

fn asked(answers: Vec<Result<ChatReply, ProviderError>>) -> Asked {
    asked_in(&Lines::default(), answers)
}

fn answer() -> ChatReply {
    let usage = Some(Usage {
        input_uncached: 5,
        ..Usage::default()
    });
    ChatReply {
        usage,
        ..ChatReply::text("42")
    }
}

#[test]
fn refusals_are_tried_again_and_counted_and_their_time_is_work() {
    let busy = || Err(at_once(ProviderErrorKind::Refused(429)));
    let asked = asked(vec![busy(), busy(), Ok(answer())]);
    let reply = asked.result.unwrap();
    assert_eq!(
        (reply.text.as_str(), reply.retries, asked.sent),
        ("42", 2, 3)
    );
    assert_eq!(
        reply.usage,
        answer().usage,
        "what was refused costs nothing"
    );
    assert_eq!(asked.worked, Duration::from_secs(9));
}

#[test]
fn after_a_try_of_unknown_cost_the_whole_call_is_of_unknown_cost() {
    let page = || Err(at_once(ProviderErrorKind::Status(502)));
    let whole = asked(vec![page(), Ok(answer())]);
    let reply = whole.result.unwrap();
    assert_eq!((reply.usage, reply.retries), (None, 1));
    let refused = Err(error(ProviderErrorKind::Settings(401)));
    let failed = asked(vec![page(), refused]).result.unwrap_err();
    assert!(failed.kind.may_cost(), "{failed:?}");
}

#[test]
fn a_part_of_an_answer_is_never_asked_for_again() {
    let cut = Err(error(ProviderErrorKind::BadReply));
    let asked = asked(vec![cut, Ok(answer())]);
    assert_eq!(
        (asked.result.unwrap_err().kind, asked.sent),
        (ProviderErrorKind::BadReply, 1)
    );
}

#[test]
fn what_one_rollout_finds_refused_for_good_no_other_one_sends() {
    let lines = Lines::default();
    let first = asked_in(&lines, vec![Err(error(ProviderErrorKind::Settings(404)))]);
    assert_eq!(first.sent, 1);
    let second = asked_in(&lines, vec![Ok(answer())]);
    let error = second.result.unwrap_err();
    assert_eq!(
        (second.sent, &error.kind),
        (0, &ProviderErrorKind::Settings(404))
    );
    assert!(error.message.contains("was not sent"), "{error}");
}

#[test]
fn pretend_models_never_stand_in_line() {
    let patience = Patience {
        lines: Lines::default(),
        clock: Arc::new(WorkClock::new(Arc::new(Hands::default()))),
        seed: 1,
        waits: Waits::Real,
    };
    let busy = Err(at_once(ProviderErrorKind::Refused(429)));
    let scripted = Box::new(Scripted::with_errors([busy, Ok(answer())]));
    let kind = super::super::scripted::KIND;
    let provider = patient(scripted, &model(1.0, 1.0), &kind, patience);
    let result = crate::provider::mock::tests::block_on(provider.chat(&ChatRequest::default()));
    assert_eq!(result.unwrap_err().kind, ProviderErrorKind::Refused(429));
}

#[test]
fn nobody_waits_for_a_recording() {
    let busy = || Err(error(ProviderErrorKind::Refused(429)));
    let inner = Scripted::with_errors([busy(), busy(), Ok(ChatReply::text("4"))]);
    let patience = Patience {
        lines: Lines::default(),
        clock: Arc::new(WorkClock::new(Arc::new(Hands::default()))),
        seed: 1,
        waits: Waits::Skipped,
    };
    let provider = patient(Box::new(inner), &model(1.0, 1.0), &LIVE, patience);
    // A runtime without time: whoever wants to wait fails.
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.build().unwrap();
    let reply = runtime.block_on(provider.chat(&ChatRequest::default()));
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.retries), ("4", 2));
}
