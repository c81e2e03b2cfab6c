//! Money before the call: the worst case is held, then the request is sent, then it is settled.

use super::{ChatReply, ChatRequest, Provider, ProviderError, WorkClock};
use crate::domain::{
    Budget, BudgetError, BudgetLimit, LocalFuture, Model, Price, ProviderKind, Reservation,
    RolloutKey, Usage, Usd,
};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The output ceiling that is sent with a paid request whose roster sets none: without one, no
/// worst case exists.
pub const DEFAULT_MAX_OUTPUT_TOKENS: u64 = 4096;

/// Where the money of one rollout is accounted for.
#[derive(Clone)]
pub struct Meter {
    /// The ledger.
    pub budget: Arc<dyn Budget>,
    /// The ceiling of the sweep, as a person wrote it.
    pub limit: BudgetLimit,
    /// The rollout that pays.
    pub key: RolloutKey,
    /// The rollout's own time: it stands still while the money is others'.
    pub clock: Arc<WorkClock>,
}

impl Meter {
    /// Holds the worst case of a call, waiting while only calls under way are in the way of it. A
    /// holder that died never settles, so the wait ends. Those calls may be another process's, so
    /// the ledger is looked at, and tells nobody; the wait is not the rollout's own time.
    ///
    /// # Errors
    /// `BudgetError` when the money can't be held; nothing may be sent then.
    pub async fn hold(&self, worst_case: Usd) -> Result<Reservation, BudgetError> {
        let mut waiting = None;
        for _ in 0..PATIENCE {
            match self.budget.reserve(&self.key, worst_case) {
                Err(BudgetError::Busy { .. }) => {
                    waiting.get_or_insert_with(|| self.clock.pause());
                    tokio::time::sleep(LOOK_AGAIN).await;
                }
                held_or_refused => return held_or_refused,
            }
        }
        Err(BudgetError::Refused { asked: worst_case })
    }
}

/// Whether calls to a model are paid for out of a budget.
///
/// # Errors
/// `ProviderErrorKind::Configuration` for a live model of unknown price under a budget in dollars:
/// nobody could say when it is used up.
pub fn is_paid(
    model: &Model,
    kind: &ProviderKind,
    limit: BudgetLimit,
) -> Result<bool, ProviderError> {
    if !kind.live || model.price == Price::Free {
        return Ok(false);
    }
    if model.price == Price::Unknown && limit != BudgetLimit::Unlimited {
        return Err(ProviderError::configuration(format!(
            "model `{}` has no price, so no budget in dollars can hold it: give it a `price`, \
             or write `unlimited` as the budget",
            model.id
        )));
    }
    Ok(true)
}

/// Puts the ledger before a provider. A kind that is not live, and a model that is `free`, come
/// back as they are: they reserve nothing.
///
/// # Errors
/// `ProviderErrorKind::Configuration` for a live model of unknown price under a budget in dollars:
/// nobody could say when it is used up.
pub fn metered(
    inner: Box<dyn Provider>,
    model: &Model,
    kind: &ProviderKind,
    meter: Meter,
) -> Result<Box<dyn Provider>, ProviderError> {
    if !is_paid(model, kind, meter.limit)? {
        return Ok(inner);
    }
    Ok(Box::new(Metered {
        inner,
        price: model.price.clone(),
        meter,
    }))
}

/// The error for a paid model in a sweep that has no budget at all.
#[must_use]
pub fn no_budget(model: &Model) -> ProviderError {
    ProviderError::configuration(format!(
        "model `{}` costs money and the sweep has no budget: set one in dollars, or write `unlimited`",
        model.id
    ))
}

/// How often a busy budget is looked at again, and how many times.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
const PATIENCE: u32 = 1200;

struct Metered {
    inner: Box<dyn Provider>,
    price: Price,
    meter: Meter,
}

impl Metered {
    /// The request with an output ceiling, and the most that it can cost.
    fn bounded(&self, request: &ChatRequest) -> (ChatRequest, Usd) {
        let mut bounded = request.clone();
        let ceiling = request
            .params
            .get("max_output_tokens")
            .and_then(Value::as_u64)
            .unwrap_or(DEFAULT_MAX_OUTPUT_TOKENS);
        bounded
            .params
            .insert("max_output_tokens".to_owned(), json!(ceiling));
        let input = self.inner.wire_bytes(&bounded);
        (bounded, worst_case(&self.price, input, ceiling))
    }

    fn actual(&self, outcome: &Result<ChatReply, ProviderError>) -> Option<Usd> {
        match outcome {
            Ok(reply) => reply.usage.and_then(|usage| self.price.cost(&usage)),
            Err(error) if error.kind.may_cost() => None,
            Err(_) => Some(Usd::ZERO),
        }
    }
}

/// The most that a request can cost, by its tokens of input and of output: all input in the dearest
/// bucket. Without a price (and so with an unlimited budget) that is nothing; it is held all the same,
/// since a hold is what says that the attempt has begun to pay.
#[must_use]
pub fn worst_case(price: &Price, input: u64, output: u64) -> Usd {
    let usages = dearest(input, output);
    let costs = usages.iter().filter_map(|usage| price.worst_case(usage));
    costs.max().unwrap_or(Usd::ZERO)
}

/// The usages of which one costs most: all input in one bucket, since nobody knows beforehand
/// what a cache will do.
fn dearest(input: u64, output: u64) -> [Usage; 4] {
    let none = Usage {
        output,
        ..Usage::default()
    };
    let fresh = Usage {
        input_uncached: input,
        ..none
    };
    let read = Usage {
        cache_read: input,
        ..none
    };
    let for_minutes = Usage {
        cache_write_5m: input,
        ..none
    };
    let for_an_hour = Usage {
        cache_write_1h: input,
        ..none
    };
    [fresh, read, for_minutes, for_an_hour]
}

impl Provider for Metered {
    /// When the future is dropped while the call is under way, the hold stays: what it cost is
    /// unknown.
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        Box::pin(async move {
            let (bounded, worst_case) = self.bounded(request);
            let budget = &self.meter.budget;
            let hold = self.meter.hold(worst_case).await?;
            let outcome = self.inner.chat(&bounded).await;
            budget.settle(hold, self.actual(&outcome))?;
            outcome
        })
    }

    fn wire_bytes(&self, request: &ChatRequest) -> u64 {
        self.inner.wire_bytes(&self.bounded(request).0)
    }
}

#[cfg(test)]
mod tests;
