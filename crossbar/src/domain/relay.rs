//! A model behind an address on this machine, for a program that asks it by itself, and what is
//! known of each request that passed.

use super::{BudgetError, LimitKind, LocalFuture, Usage, Usd};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The first request of a program, before it is passed on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FirstRequest {
    /// The names of the tools that it offers, in order.
    pub offered: Vec<String>,
    /// Its body.
    pub body: String,
}

/// One request of a program to its model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// The model that the program asked for; `None` when its request does not say.
    pub requested: Option<String>,
    /// The model that answered, as the provider named it.
    pub answered: Option<String>,
    /// The provider's id of the answer, by which the program's own events name it.
    pub message: Option<String>,
    /// The HTTP status; `None` when there was no answer.
    pub status: Option<u16>,
    /// What the provider had counted when the answer ended; a lower bound unless it is complete.
    pub seen: Option<Usage>,
    /// The tokens; `None` as long as a part of them is unknown.
    pub usage: Option<Usage>,
    /// The cost; `None` when tokens or price are unknown.
    pub cost: Option<Usd>,
    /// How it ended.
    pub end: ExchangeEnd,
    /// The tool whose call was taken out of the answer, since it was one too many.
    pub stopped_call: Option<String>,
    /// The names of the tool calls that the answer has begun, in order.
    #[serde(skip)]
    pub calls: Vec<String>,
    /// The rollout's own clock when the request came in.
    #[serde(skip)]
    pub began: Duration,
    /// Milliseconds until its end.
    pub took_ms: u64,
}

#[cfg(test)]
impl Exchange {
    /// A request that was answered with 200, and of which nothing is known but how it ended.
    pub(crate) fn that_ended(end: ExchangeEnd) -> Self {
        Self {
            requested: None,
            answered: None,
            message: None,
            status: Some(200),
            seen: None,
            usage: None,
            cost: None,
            end,
            stopped_call: None,
            calls: Vec::new(),
            began: Duration::ZERO,
            took_ms: 0,
        }
    }
}

/// How far a request came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExchangeEnd {
    /// It is under way, or was when its program was ended.
    UnderWay,
    /// Nothing was generated: no connection, or a refusal.
    Refused,
    /// It failed, or its answer was cut: nobody knows what it took.
    Cut,
    /// The answer came whole.
    Complete,
}

/// What a relay holds a program to that has no means of its own for it, beside the ceilings of the
/// rollout.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Leash {
    /// The tools that its first request has to offer, in any order and no others; `None` where that
    /// does not matter. A first request that offers anything else is not passed on.
    pub tools: Option<Vec<String>>,
    /// After how many failed requests in a row it is not asked again; `None` where the program counts
    /// its retries by itself.
    pub tries: Option<u32>,
}

/// Why a relay passes nothing more on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RelayStop {
    /// A ceiling of the rollout.
    Limit(LimitKind),
    /// One tool call more than are allowed; it never reached the program.
    ToolCalls {
        /// The number allowed.
        allowed: u32,
    },
    /// The money.
    Budget(BudgetError),
    /// The first request offers other tools than it has to: these.
    Offered(Vec<String>),
    /// So many requests in a row have failed.
    Failed {
        /// Their number.
        tries: u32,
    },
}

/// A model behind an address on this machine.
pub trait Relay {
    /// The address, without a path.
    fn base_url(&self) -> &str;

    /// What stands in the key's place: worth nothing to anybody but this relay.
    fn token(&self) -> &str;

    /// Holds the program to this from now on; to be called before it is started.
    fn hold_to(&self, leash: Leash);

    /// The requests so far, oldest first.
    fn exchanges(&self) -> Vec<Exchange>;

    /// Holds the first request of the program back until [`Relay::let_pass`], so that what it says and
    /// offers can be looked at before anything is paid.
    fn hold_first(&self);

    /// Comes back when the first request is held.
    fn first(&self) -> LocalFuture<'_, FirstRequest>;

    /// Lets the first request pass, and all others.
    fn let_pass(&self);

    /// Comes back when the relay passes nothing more on.
    fn stopped(&self) -> LocalFuture<'_, RelayStop>;
}
