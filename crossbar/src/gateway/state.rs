//! What a gateway knows of its rollout: the requests so far, the ceilings, and why it stopped.

use super::protocol::{Asked, Told};
use crate::domain::{
    BudgetError, Clock, Exchange, ExchangeEnd, Leash, LimitKind, Limits, Price, RelayStop, Usd,
};
use crate::provider::worst_case;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Shared by all connections of a gateway.
pub(super) struct State {
    limits: Limits,
    price: Price,
    clock: Arc<dyn Clock>,
    book: Mutex<Vec<Exchange>>,
    calls: Mutex<u32>,
    leash: Mutex<Leash>,
    stop: watch::Sender<Option<RelayStop>>,
}

impl State {
    pub(super) fn new(limits: Limits, price: Price, clock: Arc<dyn Clock>) -> Self {
        Self {
            limits,
            price,
            clock,
            book: Mutex::default(),
            calls: Mutex::default(),
            leash: Mutex::default(),
            stop: watch::Sender::new(None),
        }
    }

    /// Stops it for good; the first reason stays.
    pub(super) fn stop(&self, why: RelayStop) {
        self.stop.send_if_modified(|stopped| {
            let first = stopped.is_none();
            stopped.get_or_insert(why);
            first
        });
    }

    pub(super) fn watch(&self) -> watch::Receiver<Option<RelayStop>> {
        self.stop.subscribe()
    }

    pub(super) fn hold_to(&self, leash: Leash) {
        *self.leash() = leash;
    }

    /// Opens the record of a request, if one more is allowed; its place in the book.
    pub(super) fn open(&self, asked: &Asked) -> Option<usize> {
        if self.stop.borrow().is_some() {
            return None;
        }
        let mut book = self.book();
        let limit = self.reached(&book).map(RelayStop::Limit);
        if let Some(why) = limit.or_else(|| self.strays(&book, asked)) {
            drop(book);
            self.stop(why);
            return None;
        }
        book.push(Exchange {
            requested: asked.model.clone(),
            answered: None,
            message: None,
            status: None,
            seen: None,
            usage: None,
            cost: None,
            end: ExchangeEnd::UnderWay,
            stopped_call: None,
            calls: Vec::new(),
            began: self.clock.monotonic(),
            took_ms: 0,
        });
        Some(book.len() - 1)
    }

    /// Whether this is the first request, and offers other tools than it has to.
    fn strays(&self, book: &[Exchange], asked: &Asked) -> Option<RelayStop> {
        let leash = self.leash();
        let due = leash.tools.as_ref().filter(|_| book.is_empty())?;
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort();
            names
        };
        let is_due = sorted(due) == sorted(&asked.tools);
        (!is_due).then(|| RelayStop::Offered(asked.tools.clone()))
    }

    /// Whether the last requests have all failed, and the program is not to try again.
    fn gave_up(&self, book: &[Exchange]) -> Option<RelayStop> {
        let tries = self.leash().tries?;
        let has_failed =
            |one: &&Exchange| matches!(one.end, ExchangeEnd::Refused | ExchangeEnd::Cut);
        let failed = book.iter().rev().take_while(has_failed).count();
        (failed as u64 >= u64::from(tries)).then_some(RelayStop::Failed { tries })
    }

    /// The ceiling that forbids another request. Requests that were refused, or whose answer was
    /// cut, are asked again: they are no step of the agent.
    fn reached(&self, book: &[Exchange]) -> Option<LimitKind> {
        let complete = book
            .iter()
            .filter(|one| one.end == ExchangeEnd::Complete)
            .count();
        if complete as u64 >= u64::from(self.limits.max_steps) {
            return Some(LimitKind::Steps);
        }
        let budget = self.limits.budget_tokens?;
        (tokens(book) >= budget).then_some(LimitKind::Tokens)
    }

    /// Writes down what an answer has told so far.
    pub(super) fn note(&self, at: usize, status: u16, told: &Told) {
        if let Some(exchange) = self.book().get_mut(at) {
            exchange.status = Some(status);
            exchange.message.clone_from(&told.message);
            exchange.answered.clone_from(&told.model);
            exchange.seen = told.usage;
            exchange.calls.clone_from(&told.calls);
        }
    }

    /// Ends the record of a request, and returns what it cost: nothing for one that was refused,
    /// `None` where that is unknown.
    pub(super) fn close(&self, at: usize, end: ExchangeEnd) -> Option<Usd> {
        let now = self.clock.monotonic();
        let mut book = self.book();
        let exchange = book.get_mut(at)?;
        exchange.end = end;
        exchange.took_ms =
            u64::try_from(now.saturating_sub(exchange.began).as_millis()).unwrap_or(u64::MAX);
        match end {
            ExchangeEnd::Complete => {
                exchange.usage = exchange.seen;
                exchange.cost = exchange.usage.and_then(|usage| self.price.cost(&usage));
            }
            ExchangeEnd::Refused => exchange.cost = Some(Usd::ZERO),
            ExchangeEnd::Cut | ExchangeEnd::UnderWay => {
                exchange.cost = (self.price == Price::Free).then_some(Usd::ZERO);
            }
        }
        let cost = exchange.cost;
        let over = self.limits.budget_tokens;
        let over = over.is_some_and(|budget| tokens(&book) > budget);
        let over = over.then_some(RelayStop::Limit(LimitKind::Tokens));
        let why = over.or_else(|| self.gave_up(&book));
        drop(book);
        if let Some(why) = why {
            self.stop(why);
        }
        cost
    }

    /// Counts tool calls of an answer. False when the last of them is one too many: the answer must
    /// not go on then.
    pub(super) fn count_calls(&self, at: usize, new: &[String]) -> bool {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for name in new {
            *calls = calls.saturating_add(1);
            if let Some(allowed) = self.limits.max_tool_calls
                && *calls > allowed
            {
                if let Some(exchange) = self.book().get_mut(at) {
                    exchange.stopped_call = Some(name.clone());
                }
                self.stop(RelayStop::ToolCalls { allowed });
                return false;
            }
        }
        true
    }

    /// The most that a request can cost: every byte of it a token, and as much output as it allows.
    pub(super) fn worst_case(&self, bytes: u64, output: u64) -> Usd {
        worst_case(&self.price, bytes, output)
    }

    pub(super) fn exchanges(&self) -> Vec<Exchange> {
        self.book().clone()
    }

    pub(super) fn out_of_money(&self, error: BudgetError) {
        self.stop(RelayStop::Budget(error));
    }

    fn leash(&self) -> MutexGuard<'_, Leash> {
        self.leash.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn book(&self) -> MutexGuard<'_, Vec<Exchange>> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tokens that count against the budget, as far as they are known.
fn tokens(book: &[Exchange]) -> u64 {
    book.iter()
        .filter_map(|one| one.usage.or(one.seen))
        .fold(0, |sum, usage| sum.saturating_add(usage.budgeted()))
}
