//! What tokens cost, and the arithmetic from tokens to micro-dollars.

use super::{Usage, Usd};
use serde::{Deserialize, Serialize};

/// How a model is paid for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Price {
    /// Per million tokens.
    PerMtok(PricePerMtok),
    /// Costs nothing, on purpose: written `free` in the roster.
    Free,
    /// Nobody said. A cell with an unknown cost can't win on price.
    Unknown,
}

/// Micro-dollars per million tokens, by usage bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PricePerMtok {
    /// Uncached input.
    pub input: Usd,
    /// Output, reasoning included.
    pub output: Usd,
    /// Cache reads; input's price where the roster names none.
    pub cache_read: Option<Usd>,
    /// Five-minute cache writes; input's price where the roster names none.
    pub cache_write_5m: Option<Usd>,
    /// One-hour cache writes; input's price where the roster names none.
    pub cache_write_1h: Option<Usd>,
    /// The day the prices were read, `YYYY-MM-DD`, as the roster says it.
    pub as_of: Option<String>,
}

/// Micro-dollars per million tokens times tokens gives millionths of a micro-dollar.
const MTOK: i128 = 1_000_000;

impl PricePerMtok {
    fn exact(&self, usage: &Usage) -> i128 {
        let part = |tokens: u64, price: Usd| i128::from(tokens) * i128::from(price.micros());
        part(usage.input_uncached, self.input)
            + part(usage.cache_read, self.cache_read.unwrap_or(self.input))
            + part(
                usage.cache_write_5m,
                self.cache_write_5m.unwrap_or(self.input),
            )
            + part(
                usage.cache_write_1h,
                self.cache_write_1h.unwrap_or(self.input),
            )
            + part(usage.output, self.output)
    }
}

fn micros(exact: i128) -> Usd {
    Usd::from_micros(i64::try_from(exact).unwrap_or(i64::MAX))
}

impl Price {
    /// The cost of a usage, to the nearest micro-dollar (halves up); `None` when unknown.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> Option<Usd> {
        match self {
            Self::PerMtok(price) => Some(micros((price.exact(usage) + MTOK / 2).div_euclid(MTOK))),
            Self::Free => Some(Usd::ZERO),
            Self::Unknown => None,
        }
    }

    /// The cost of a usage rounded up: what must be reserved before a call of that size.
    #[must_use]
    pub fn worst_case(&self, usage: &Usage) -> Option<Usd> {
        match self {
            Self::PerMtok(price) => Some(micros((price.exact(usage) + MTOK - 1).div_euclid(MTOK))),
            Self::Free => Some(Usd::ZERO),
            Self::Unknown => None,
        }
    }

    /// The roster's date of these prices, where it has one.
    #[must_use]
    pub fn as_of(&self) -> Option<&str> {
        match self {
            Self::PerMtok(price) => price.as_of.as_deref(),
            Self::Free | Self::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dollars(amount: f64) -> Usd {
        Usd::from_dollars(amount).unwrap()
    }

    fn cached() -> Price {
        Price::PerMtok(PricePerMtok {
            input: dollars(3.0),
            output: dollars(15.0),
            cache_read: Some(dollars(0.3)),
            cache_write_5m: Some(dollars(3.75)),
            cache_write_1h: Some(dollars(6.0)),
            as_of: None,
        })
    }

    #[test]
    fn buckets_are_priced_apart() {
        let usage = Usage {
            input_uncached: 19,
            cache_read: 39_000,
            cache_write_5m: 3_000,
            cache_write_1h: 5_000,
            output: 700,
        };
        assert_eq!(cached().cost(&usage), Some(Usd::from_micros(63_507)));
    }

    #[test]
    fn a_reservation_is_never_below_the_cost() {
        let usage = Usage {
            input_uncached: 1,
            ..Usage::default()
        };
        let cheap = Price::PerMtok(PricePerMtok {
            input: dollars(0.2),
            output: dollars(0.6),
            cache_read: None,
            cache_write_5m: None,
            cache_write_1h: None,
            as_of: None,
        });
        assert_eq!(cheap.cost(&usage), Some(Usd::ZERO));
        assert_eq!(cheap.worst_case(&usage), Some(Usd::from_micros(1)));
    }

    #[test]
    fn unknown_is_not_free() {
        let usage = Usage::default();
        assert_eq!(Price::Unknown.cost(&usage), None);
        assert_eq!(Price::Free.cost(&usage), Some(Usd::ZERO));
    }
}
