//! How long a provider asks to wait before the next try.

use crate::provider::RetryAfter;
use reqwest::header::HeaderMap;
use std::time::Duration;

/// `retry-after-ms`, else `Retry-After` (RFC 9110, section 10.2.3; fractions of a second are
/// taken too). `None` for no header and for nonsense: the caller then waits as it likes.
pub(super) fn of(headers: &HeaderMap) -> Option<RetryAfter> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let in_ms = text("retry-after-ms").and_then(|ms| number(ms, 1000.0));
    in_ms.or_else(|| {
        let text = text("retry-after")?;
        number(text, 1.0).or_else(|| moment(text).map(RetryAfter::At))
    })
}

fn number(text: &str, units_a_second: f64) -> Option<RetryAfter> {
    let is_plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let seconds = text.parse::<f64>().ok().filter(|_| is_plain)? / units_a_second;
    let wait = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    Some(RetryAfter::In(wait))
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// A date of HTTP: `Sun, 29 Nov 2026 20:00:09 GMT`, or the older `Sunday, 29-Nov-26 20:00:09 GMT`.
fn moment(text: &str) -> Option<Duration> {
    let (_, date) = text.split_once(", ")?;
    let date = date.strip_suffix(" GMT")?.replace('-', " ");
    let parts: Vec<&str> = date.split_whitespace().collect();
    let [day, month, year, time] = parts.as_slice() else {
        return None;
    };
    let month = MONTHS.iter().position(|name| name == month)? as u64 + 1;
    let day: u64 = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    let year: u64 = match (year.len(), year.parse().ok()?) {
        (2, short) => 2000 + short,
        (4, long) if long >= 1970 => long,
        _ => return None,
    };
    let clock: Vec<u64> = time
        .split(':')
        .map_while(|part| part.parse().ok())
        .collect();
    let [hours, minutes, seconds] = clock.as_slice() else {
        return None;
    };
    let of_day = hours
        .checked_mul(3600)?
        .checked_add(minutes.checked_mul(60)?)?;
    let days = days_since_1970(year, month, day);
    Some(Duration::from_secs(
        days * 86400 + of_day.checked_add(*seconds)?,
    ))
}

/// Days from 1970-01-01, in years counted from March
/// (<https://howardhinnant.github.io/date_algorithms.html>, `days_from_civil`).
fn days_since_1970(year: u64, month: u64, day: u64) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year / 400;
    let of_era = year % 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    /// Sun, 29 Nov 2026 20:00:00 GMT.
    const NOW: Duration = Duration::from_secs(1_795_982_400);

    fn wait(name: &'static str, value: &str) -> Option<f64> {
        let mut headers = HeaderMap::new();
        let value = HeaderValue::from_str(value).unwrap();
        headers.insert(HeaderName::from_static(name), value);
        of(&headers).map(|after| after.wait(NOW).as_secs_f64())
    }

    #[test]
    fn b13_numbers_fractions_and_dates_are_read_and_nonsense_is_none() {
        for (value, expected) in [
            ("7", Some(7.0)),
            ("1.2", Some(1.2)),
            ("86400", Some(86400.0)),
            ("Sun, 29 Nov 2026 20:00:09 GMT", Some(9.0)),
            ("Sunday, 29-Nov-26 20:00:09 GMT", Some(9.0)),
            ("Mon, 30 Nov 2026 20:00:00 GMT", Some(86400.0)),
            ("Mon, 01 Mar 2027 00:00:00 GMT", Some(7_876_800.0)),
            ("Sun, 29 Nov 2026 19:00:00 GMT", Some(0.0)),
            ("-5", None),
            ("soon", None),
            ("", None),
            ("1e999", None),
            ("inf", None),
            ("Sun, 29 Foo 2026 20:00:09 GMT", None),
            ("Sun, 29 Nov 2026 99999999999999999999:0:0 GMT", None),
            ("Sun, 29 Nov 2026 18446744073709551615:0:0 GMT", None),
            ("Sun, 29 Nov 1926 20:00:09 GMT", None),
        ] {
            assert_eq!(wait("retry-after", value), expected, "{value:?}");
        }
        assert_eq!(wait("retry-after-ms", "250"), Some(0.25));
        assert_eq!(wait("retry-after-ms", "soon"), None);
        let longest = wait("retry-after", &"9".repeat(300)).unwrap();
        assert!(longest > 1e18, "{longest}");
    }

    #[test]
    fn milliseconds_win_over_seconds() {
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", HeaderValue::from_static("7"));
        headers.insert("retry-after-ms", HeaderValue::from_static("40"));
        let after = of(&headers).unwrap();
        assert_eq!(after, RetryAfter::In(Duration::from_millis(40)));
    }
}
