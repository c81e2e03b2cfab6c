//! What is held, sent and settled.

use super::*;
use crate::domain::{BudgetError, Clock, PricePerMtok, Reservation};
use crate::provider::mock::tests::{LIVE, block_on, model};
use crate::provider::work_clock::tests::Hands;
use crate::provider::{ProviderErrorKind, Scripted};
use std::rc::Rc;
use std::sync::Mutex;

/// Holds at most `left` micro-dollars; writes down what it is asked.
#[derive(Default)]
struct Purse {
    left: i64,
    log: Mutex<Vec<String>>,
}

impl Budget for Purse {
    fn reserve(&self, _: &RolloutKey, worst_case: Usd) -> Result<Reservation, BudgetError> {
        self.log
            .lock()
            .unwrap()
            .push(format!("hold {}", worst_case.micros()));
        if worst_case.micros() > self.left {
            return Err(BudgetError::Refused { asked: worst_case });
        }
        Ok(Reservation(1))
    }

    fn settle(&self, _: Reservation, actual: Option<Usd>) -> Result<(), BudgetError> {
        let actual = actual.map(Usd::micros);
        self.log.lock().unwrap().push(format!("settle {actual:?}"));
        Ok(())
    }
}

/// Lets a test look into a scripted provider after it was boxed.
struct Shared(Rc<Scripted>);

impl Provider for Shared {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        self.0.chat(request)
    }
}

fn priced() -> Price {
    Price::PerMtok(PricePerMtok {
        input: Usd::from_micros(1_000_000),
        output: Usd::from_micros(2_000_000),
        cache_read: None,
        cache_write_5m: None,
        cache_write_1h: None,
        as_of: None,
    })
}

fn meter(purse: &Arc<Purse>, limit: BudgetLimit) -> Meter {
    Meter {
        budget: Arc::clone(purse) as Arc<dyn Budget>,
        limit,
        clock: Arc::new(WorkClock::new(Arc::new(Hands::default()))),
        key: RolloutKey {
            cell: crate::domain::CellId::parse("m+react").unwrap(),
            task: crate::domain::TaskId::parse("p::t").unwrap(),
            repeat: 1,
        },
    }
}

struct Paid {
    scripted: Rc<Scripted>,
    purse: Arc<Purse>,
    result: Result<ChatReply, ProviderError>,
}

fn pay(left: i64, price: Price, answer: Result<ChatReply, ProviderError>) -> Paid {
    let scripted = Rc::new(Scripted::with_errors([answer]));
    let purse = Arc::new(Purse {
        left,
        ..Purse::default()
    });
    let limit = match price {
        Price::Unknown => BudgetLimit::Unlimited,
        _ => BudgetLimit::Usd(Usd::from_micros(left)),
    };
    let mut model = model(1.0, 1.0);
    model.price = price;
    let inner = Box::new(Shared(Rc::clone(&scripted)));
    let provider = metered(inner, &model, &LIVE, meter(&purse, limit)).unwrap();
    let result = block_on(provider.chat(&ChatRequest::default()));
    Paid {
        scripted,
        purse,
        result,
    }
}

fn log(paid: &Paid) -> Vec<String> {
    paid.purse.log.lock().unwrap().clone()
}

fn reply_of(input: u64, output: u64) -> ChatReply {
    ChatReply {
        usage: Some(Usage {
            input_uncached: input,
            output,
            ..Usage::default()
        }),
        ..ChatReply::text("ok")
    }
}

#[test]
fn the_worst_case_is_held_and_the_actual_cost_settled() {
    let paid = pay(1_000_000, priced(), Ok(reply_of(10, 5)));
    let sent = paid.scripted.requests().remove(0);
    assert_eq!(sent.params["max_output_tokens"], json!(4096));
    let worst = sent.bytes() + 2 * 4096;
    assert_eq!(
        log(&paid),
        [format!("hold {worst}"), "settle Some(20)".to_owned()]
    );
}

#[test]
fn the_worst_case_is_that_of_the_dearest_bucket_that_input_can_fall_into() {
    let Price::PerMtok(mut price) = priced() else {
        unreachable!()
    };
    price.cache_write_1h = Some(Usd::from_micros(3_000_000));
    let paid = pay(1_000_000, Price::PerMtok(price), Ok(reply_of(1, 1)));
    let bytes = paid.scripted.requests().remove(0).bytes();
    assert_eq!(log(&paid)[0], format!("hold {}", 3 * bytes + 2 * 4096));
}

#[test]
fn a_refused_reservation_sends_nothing() {
    let paid = pay(100, priced(), Ok(reply_of(1, 1)));
    assert!(matches!(
        paid.result.as_ref().unwrap_err().kind,
        ProviderErrorKind::Budget(_)
    ));
    assert_eq!(paid.scripted.requests().len(), 0);
    assert_eq!(log(&paid).len(), 1);
}

#[test]
fn what_is_unknown_keeps_its_hold_and_what_was_not_sent_costs_nothing() {
    let error = |kind| Err(ProviderError::new(kind, "x"));
    for (answer, settled) in [
        (Ok(ChatReply::text("ok")), "settle None"),
        (error(ProviderErrorKind::Status(500)), "settle None"),
        (error(ProviderErrorKind::BadReply), "settle None"),
        (error(ProviderErrorKind::Unreachable), "settle Some(0)"),
        (error(ProviderErrorKind::Refused(429)), "settle Some(0)"),
        (error(ProviderErrorKind::Settings(401)), "settle Some(0)"),
    ] {
        assert_eq!(log(&pay(1_000_000, priced(), answer))[1], settled);
    }
}

#[test]
fn an_unknown_price_needs_an_unlimited_budget() {
    let purse = Arc::new(Purse::default());
    let mut model = model(1.0, 1.0);
    model.price = Price::Unknown;
    let limit = BudgetLimit::Usd(Usd::from_micros(5));
    let inner = Box::new(Scripted::default());
    let refused = metered(inner, &model, &LIVE, meter(&purse, limit));
    assert_eq!(
        refused.err().unwrap().kind,
        ProviderErrorKind::Configuration
    );
    let paid = pay(0, Price::Unknown, Ok(reply_of(10, 5)));
    assert_eq!(log(&paid), ["hold 0", "settle None"]);
}

#[test]
fn free_and_pretend_models_reserve_nothing() {
    let free = pay(0, Price::Free, Ok(reply_of(1, 1)));
    assert!(free.result.is_ok() && log(&free).is_empty());
    let purse = Arc::new(Purse::default());
    let mut model = model(1.0, 1.0);
    model.price = priced();
    let limit = BudgetLimit::Usd(Usd::ZERO);
    let inner = Box::new(Scripted::new([reply_of(1, 1)]));
    let mock = metered(
        inner,
        &model,
        &super::super::mock::KIND,
        meter(&purse, limit),
    )
    .unwrap();
    assert!(block_on(mock.chat(&ChatRequest::default())).is_ok());
    assert!(purse.log.lock().unwrap().is_empty());
}

/// Full until it has been asked three times; a minute passes between two of them.
struct Crowded {
    asked: Mutex<u32>,
    hands: Arc<Hands>,
}

impl Budget for Crowded {
    fn reserve(&self, _: &RolloutKey, asked: Usd) -> Result<Reservation, BudgetError> {
        let mut times = self.asked.lock().unwrap();
        *times += 1;
        if *times > 1 {
            self.hands.pass(60);
        }
        if *times < 3 {
            return Err(BudgetError::Busy { asked });
        }
        Ok(Reservation(1))
    }

    fn settle(&self, _: Reservation, _: Option<Usd>) -> Result<(), BudgetError> {
        Ok(())
    }
}

#[test]
fn a_wait_for_money_that_others_hold_is_not_the_rollouts_own_time() {
    let hands = Arc::new(Hands::default());
    let clock = Arc::new(WorkClock::new(Arc::clone(&hands) as Arc<dyn Clock>));
    let budget = Arc::new(Crowded {
        asked: Mutex::new(0),
        hands: Arc::clone(&hands),
    });
    let purse = Arc::new(Purse::default());
    let meter = Meter {
        budget: Arc::clone(&budget) as Arc<dyn Budget>,
        clock: Arc::clone(&clock),
        ..meter(&purse, BudgetLimit::Unlimited)
    };
    let mut model = model(1.0, 1.0);
    model.price = priced();
    let inner = Box::new(Scripted::new([reply_of(1, 1)]));
    let provider = metered(inner, &model, &LIVE, meter).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let reply = runtime.block_on(provider.chat(&ChatRequest::default()));
    assert_eq!(reply.unwrap().text, "ok");
    assert_eq!(
        (*budget.asked.lock().unwrap(), hands.monotonic().as_secs()),
        (3, 120)
    );
    assert_eq!(clock.monotonic(), Duration::ZERO);
    hands.pass(5);
    assert_eq!(clock.monotonic(), Duration::from_secs(5));
}
