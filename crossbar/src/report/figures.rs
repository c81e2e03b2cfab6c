//! Numbers as people read them. Rates and differences come as an `Estimate` only, so none can be
//! written without its interval.

use crate::domain::{Estimate, in_steps};

/// Below this, a distance from 0 or 1 is rounding of the arithmetic, not a rollout.
const DUST: f64 = 1e-9;

/// A rate's point in percent with one decimal, `95.0%`. What is not all is never shown as 100%,
/// and what is not nothing never as 0%.
pub(super) fn rate_point(estimate: &Estimate) -> String {
    format!("{}%", percent(estimate.value()))
}

/// A rate's interval in percent, `[85.0 - 100.0]`.
pub(super) fn rate_interval(estimate: &Estimate) -> String {
    let interval = estimate.interval();
    let hi = interval.hi.map_or_else(|| "unbounded".to_owned(), percent);
    format!("[{} - {hi}]", percent(interval.lo))
}

/// A rate with its interval, `95.0% [85.0 - 100.0]`.
pub(super) fn rate(estimate: &Estimate) -> String {
    format!("{} {}", rate_point(estimate), rate_interval(estimate))
}

fn percent(fraction: f64) -> String {
    let text = format!("{:.1}", in_steps(fraction, 1e3) / 10.0);
    match text.as_str() {
        "100.0" if fraction < 1.0 - DUST => ">99.9".to_owned(),
        "0.0" if fraction > DUST => "<0.1".to_owned(),
        "-0.0" => "0.0".to_owned(),
        _ => text,
    }
}

/// A difference of rates in points with its interval, `+0.0pp [-15.0 to +15.0]`.
pub(super) fn difference(estimate: &Estimate) -> String {
    format!(
        "{}pp {}",
        signed(estimate.value()),
        difference_interval(estimate)
    )
}

/// A difference's interval in points, `[-15.0 to +15.0]`.
pub(super) fn difference_interval(estimate: &Estimate) -> String {
    let interval = estimate.interval();
    let hi = interval.hi.map_or_else(|| "unbounded".to_owned(), signed);
    format!("[{} to {hi}]", signed(interval.lo))
}

/// A fraction in points with its sign.
pub(super) fn signed(fraction: f64) -> String {
    let text = format!("{:+.1}", in_steps(fraction, 1e3) / 10.0);
    if text == "-0.0" {
        "+0.0".to_owned()
    } else {
        text
    }
}

/// A fraction in points, up to two decimals, none where they are 0: `5`, `2.5`.
pub(super) fn points(fraction: f64) -> String {
    format!("{}", in_steps(fraction, 1e4) / 100.0)
}

/// A fraction in points, one decimal, none where it is 0: `5`, `2.5`.
pub(super) fn tenths(fraction: f64) -> String {
    format!("{}", in_steps(fraction, 1e3) / 10.0)
}

/// A level in percent: the error 0.05 is `95%`.
pub(super) fn level(alpha: f64) -> String {
    format!("{}%", points(1.0 - alpha))
}

/// A p-value with three decimals, `p=0.120`, or `p<0.001`; never rounded across `alpha`.
pub(super) fn p_value(p: f64, alpha: f64) -> String {
    if p < 0.001 {
        return "p<0.001".to_owned();
    }
    let text = format!("{p:.3}");
    let shown: f64 = text.parse().unwrap_or(p);
    if (shown <= alpha) == (p <= alpha) {
        format!("p={text}")
    } else {
        format!("p={p:.6}")
    }
}

/// Dollars as people read them: two decimals, and below ten cents two significant digits; what is
/// not nothing never reads as `$0`.
pub(super) fn dollars(amount: f64) -> String {
    let size = amount.abs();
    if size == 0.0 {
        return "$0.00".to_owned();
    }
    if size < 5e-7 {
        return "<$0.000001".to_owned();
    }
    let rounded = format!("{size:.1e}");
    let exponent = rounded.rsplit('e').next().and_then(|e| e.parse().ok());
    let decimals = 1_i32.saturating_sub(exponent.unwrap_or(0)).max(2);
    format!("${amount:.*}", decimals.unsigned_abs() as usize)
}

/// Dollars with their interval, `$0.051 [$0.045 - $0.060]`.
pub(super) fn money(estimate: &Estimate) -> String {
    let interval = estimate.interval();
    let hi = interval.hi.map_or_else(|| "unbounded".to_owned(), dollars);
    format!(
        "{} [{} - {hi}]",
        dollars(estimate.value()),
        dollars(interval.lo)
    )
}

/// A plain number with its interval, three decimals: `0.931 [0.820 - 0.990]`.
pub(super) fn number(estimate: &Estimate) -> String {
    let interval = estimate.interval();
    let hi = interval
        .hi
        .map_or_else(|| "unbounded".to_owned(), |hi| format!("{hi:.3}"));
    format!("{:.3} [{:.3} - {hi}]", estimate.value(), interval.lo)
}

/// Milliseconds for people: `840 ms`, `12.3 s`, `4.1 min`.
pub(super) fn duration(ms: u64) -> String {
    let seconds = ms as f64 / 1000.0;
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..120_000 => format!("{seconds:.1} s"),
        _ => format!("{:.1} min", seconds / 60.0),
    }
}

/// Milliseconds with their interval, `1.2 s [0.9 s - 2.0 min]`; a difference below 0 has its sign,
/// and one above 0 where its interval goes below.
pub(super) fn span(estimate: &Estimate) -> String {
    let interval = estimate.interval();
    let signed = interval.lo < 0.0;
    let one = |ms: f64| {
        let text = duration(ms.abs().round() as u64);
        match (signed, ms.round() < 0.0) {
            (_, true) => format!("-{text}"),
            (true, false) => format!("+{text}"),
            (false, false) => text,
        }
    };
    let hi = interval.hi.map_or_else(|| "unbounded".to_owned(), one);
    format!("{} [{} to {hi}]", one(estimate.value()), one(interval.lo))
}

/// `1 task`, `2 tasks`.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, lo: f64, hi: Option<f64>) -> Estimate {
        Estimate::new(value, lo, hi, 10).unwrap()
    }

    #[test]
    fn a_failure_is_never_rounded_away() {
        assert_eq!(
            rate_point(&estimate(1999.0 / 2000.0, 0.9, Some(1.0))),
            ">99.9%"
        );
        assert_eq!(rate_point(&estimate(0.9994, 0.9, Some(1.0))), "99.9%");
        assert_eq!(
            rate_point(&estimate(499.0 / 500.0, 0.9, Some(1.0))),
            "99.8%"
        );
        assert_eq!(
            rate_point(&estimate(4999.0 / 5000.0, 0.9, Some(1.0))),
            ">99.9%"
        );
        assert_eq!(
            rate(&estimate(1.0, 0.9, Some(1.0))),
            "100.0% [90.0 - 100.0]"
        );
        assert_eq!(rate_point(&estimate(1.0 - 1e-16, 0.9, Some(1.0))), "100.0%");
        assert_eq!(rate_point(&estimate(0.0002, 0.0, Some(1.0))), "<0.1%");
    }

    #[test]
    fn a_ratio_reads_the_same_in_every_figure() {
        let beside = 0.1625 - 1e-15;
        assert_eq!(rate_point(&estimate(0.1625, 0.0, Some(1.0))), "16.3%");
        assert_eq!(rate_point(&estimate(beside, 0.0, Some(1.0))), "16.3%");
        assert_eq!(
            (signed(-beside), tenths(beside)),
            ("-16.3".into(), "16.3".into())
        );
        assert_eq!(
            rate_interval(&estimate(0.5, 0.00025, Some(0.999_999_999_9))),
            "[<0.1 - 100.0]"
        );
    }

    #[test]
    fn differences_carry_their_sign_and_interval() {
        assert_eq!(
            difference(&estimate(-0.0001, -0.15, Some(0.15))),
            "+0.0pp [-15.0 to +15.0]"
        );
        assert_eq!(
            difference(&estimate(-0.35, -0.6, None)),
            "-35.0pp [-60.0 to unbounded]"
        );
    }

    #[test]
    fn a_p_value_stays_on_its_side_of_alpha() {
        assert_eq!(p_value(0.05001, 0.05), "p=0.050010");
        assert_eq!(p_value(0.05, 0.05), "p=0.050");
        assert_eq!(p_value(0.00001, 0.05), "p<0.001");
        assert_eq!(p_value(1.0, 0.05), "p=1.000");
    }

    #[test]
    fn small_money_is_not_nothing() {
        assert_eq!(
            money(&estimate(0.051, 0.0000001, None)),
            "$0.051 [<$0.000001 - unbounded]"
        );
        assert_eq!(
            (dollars(0.0), dollars(12.3)),
            ("$0.00".to_owned(), "$12.30".to_owned())
        );
        assert_eq!(dollars(0.000_819), "$0.00082");
        assert_eq!(dollars(0.009_96), "$0.010");
        assert_eq!(
            (dollars(0.25), dollars(0.0417)),
            ("$0.25".into(), "$0.042".into())
        );
    }

    #[test]
    fn levels_points_times_and_counts() {
        assert_eq!(
            (level(0.05), level(0.1), points(0.05), points(0.025)),
            ("95%".into(), "90%".into(), "5".into(), "2.5".into())
        );
        assert_eq!(
            (duration(840), duration(12_340), duration(246_000)),
            ("840 ms".into(), "12.3 s".into(), "4.1 min".into())
        );
        let spans = [(1_200.0, 900.0), (-300.0, -1_500.0), (200.0, -50.0)];
        let spans = spans.map(|(value, lo)| span(&estimate(value, lo, Some(246_000.0))));
        assert_eq!(
            spans,
            [
                "1.2 s [900 ms to 4.1 min]",
                "-300 ms [-1.5 s to +4.1 min]",
                "+200 ms [-50 ms to +4.1 min]"
            ]
        );
        assert_eq!(
            (counted(1, "task"), counted(2, "task")),
            ("1 task".into(), "2 tasks".into())
        );
        assert_eq!(
            number(&estimate(0.9, 0.5, Some(1.0))),
            "0.900 [0.500 - 1.000]"
        );
    }
}
