//! The price of a model: `free`, `unknown`, or dollars per million tokens.

use super::keys;
use crate::domain::{Price, PricePerMtok, Usd};
use crate::source::{Field, Problems, Value};

/// Reads a price; absent is [`Price::Unknown`], never nothing.
pub(super) fn read(field: &Field<'_>, problems: &Problems) -> Price {
    match field.node().map(|node| &node.value) {
        None => Price::Unknown,
        Some(Value::Scalar(_)) => word(field),
        Some(_) => per_mtok(field, problems).unwrap_or(Price::Unknown),
    }
}

fn word(field: &Field<'_>) -> Price {
    if field
        .text()
        .is_some_and(|text| text.value == "subscription")
    {
        field.error("`subscription` is not built yet", "write `unknown`");
        return Price::Unknown;
    }
    match field.one_of(keys::PRICE_WORDS).map(|word| word.value) {
        Some("free") => Price::Free,
        _ => Price::Unknown,
    }
}

fn per_mtok(field: &Field<'_>, problems: &Problems) -> Option<Price> {
    let fields = field.section(&keys::PRICE)?;
    let input = dollars(&fields.key("input_per_mtok"));
    let output = dollars(&fields.key("output_per_mtok"));
    let cache_read = dollars(&fields.key("cache_read_per_mtok"));
    let both = fields.key("cache_write_per_mtok");
    let short = fields.key("cache_write_5m_per_mtok");
    let long = fields.key("cache_write_1h_per_mtok");
    if both.is_present() && (short.is_present() || long.is_present()) {
        both.error(
            "stands beside a price for 5m or 1h",
            "name one price for both, or one for each",
        );
    }
    let both = dollars(&both);
    let price = PricePerMtok {
        cache_write_5m: dollars(&short).or(both),
        cache_write_1h: dollars(&long).or(both),
        as_of: day(&fields.key("as_of"), problems),
        input: input.unwrap_or(Usd::ZERO),
        output: output.unwrap_or(Usd::ZERO),
        cache_read,
    };
    fields.finish();
    input.and(output).map(|_| Price::PerMtok(price))
}

/// Dollars as micro-dollars. What would round to nothing is refused: only `free` says 0.
fn dollars(field: &Field<'_>) -> Option<Usd> {
    let value = field.declared_number()?.value;
    let amount = Usd::from_dollars(value)?;
    if value > 0.0 && amount == Usd::ZERO {
        field.error(
            "is below a micro-dollar",
            "write dollars per million tokens",
        );
        return None;
    }
    Some(amount)
}

/// A day as `YYYY-MM-DD`.
fn day(field: &Field<'_>, problems: &Problems) -> Option<String> {
    let text = field.text()?;
    if is_day(text.value) {
        return Some(text.value.to_owned());
    }
    problems.error_help(
        text.span,
        format!("`as_of` is `{}`, expected a day", text.value),
        "write it as YYYY-MM-DD",
    );
    None
}

fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    let number = |part: &str, length: usize| {
        (part.len() == length && part.bytes().all(|b| b.is_ascii_digit()))
            .then(|| part.parse::<u32>().ok())
            .flatten()
    };
    number(year, 4).is_some()
        && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
        && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
}

#[cfg(test)]
mod tests {
    use super::is_day;

    #[test]
    fn a_day_is_a_day() {
        assert!(is_day("2026-11-29"));
        for bad in [
            "2026-13-01",
            "2026-1-01",
            "29.11.2026",
            "2026-11-32",
            "2026-11",
            "+026-11-01",
        ] {
            assert!(!is_day(bad), "{bad}");
        }
    }
}
