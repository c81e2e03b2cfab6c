//! Moments as other tools write them (RFC 3339, ISO 8601) to the one way in which crossbar does.

/// `YYYY-MM-DDTHH:MM:SS[.fraction]` with `Z`, an offset or neither (then it is UTC), a space for
/// the `T` allowed, as `YYYY-MM-DDTHH:MM:SS.mmmZ`. `None` for anything else.
pub(super) fn utc(text: &str) -> Option<String> {
    let (seconds, millis) = moment(text)?;
    Some(written(seconds, millis))
}

/// The milliseconds from one moment to a later one; `None` where either is none, or the later one
/// is not later.
pub(super) fn millis_between(first: &str, last: &str) -> Option<u64> {
    let millis = |text| moment(text).map(|(seconds, millis)| seconds * 1000 + millis);
    u64::try_from(millis(last)? - millis(first)?).ok()
}

/// Seconds since 1970, and milliseconds.
fn moment(text: &str) -> Option<(i64, i64)> {
    let date = text.get(..10)?;
    let separator = text.get(10..11)?;
    let clock = text.get(11..19)?;
    if !matches!(separator, "T" | "t" | " ") {
        return None;
    }
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    let fine = (1..=12).contains(&month)
        && (1..=month_length(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    if !fine {
        return None;
    }
    let (millis, zone) = fraction(text.get(19..)?)?;
    let seconds = day_number(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    Some((seconds - offset(zone)?, millis))
}

fn numbers<const N: usize>(text: &str, separator: char, digits: [usize; N]) -> Option<[i64; N]> {
    let mut found = [0; N];
    let mut parts = text.split(separator);
    for (number, digits) in found.iter_mut().zip(digits) {
        let part = parts.next().filter(|part| part.len() == digits)?;
        *number = whole(part)?;
    }
    parts.next().is_none().then_some(found)
}

fn whole(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// The milliseconds of `.123456` and what follows them.
fn fraction(text: &str) -> Option<(i64, &str)> {
    let Some(rest) = text.strip_prefix(['.', ',']) else {
        return Some((0, text));
    };
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (digits, zone) = rest.split_at(end);
    let three: String = digits.chars().chain("000".chars()).take(3).collect();
    Some((whole(&three).filter(|_| !digits.is_empty())?, zone))
}

/// Seconds east of UTC.
fn offset(zone: &str) -> Option<i64> {
    if matches!(zone, "" | "Z" | "z") {
        return Some(0);
    }
    let sign = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits = zone.get(1..)?.replace(':', "");
    let number = whole(&digits).filter(|_| digits.len() == 4)?;
    let (hours, minutes) = (number / 100, number % 100);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01, Gregorian; the year is taken to begin in March, so that the day that
/// leap years add is its last.
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    days + (153 * month + 2) / 5 + day - 1 - 719_468
}

fn written(seconds: i64, millis: i64) -> String {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // The year that holds the day: the guess is at most one off.
    let guess = 1970 + days.div_euclid(366);
    let mut year = guess;
    while day_number(year + 1, 1, 1) <= days {
        year += 1;
    }
    let mut month = 1;
    let mut left = days - day_number(year, 1, 1);
    while left >= month_length(year, month) {
        left -= month_length(year, month);
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let day = left + 1;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_in_utc_with_milliseconds() {
        for (text, wanted) in [
            ("2026-11-30T07:44:23Z", "2026-11-30T07:44:23.000Z"),
            ("2026-11-30 07:44:23.5", "2026-11-30T07:44:23.500Z"),
            (
                "2026-11-30T07:44:23.123456+00:00",
                "2026-11-30T07:44:23.123Z",
            ),
            ("2027-01-01T01:30:00+02:00", "2026-12-31T23:30:00.000Z"),
            ("2028-02-28T23:30:00-0100", "2028-02-29T00:30:00.000Z"),
            ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59.000Z"),
            ("2000-03-01T00:00:00Z", "2000-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(utc(text).as_deref(), Some(wanted), "{text}");
        }
    }

    #[test]
    fn between_two_moments_are_milliseconds() {
        let between = |last| millis_between("2026-11-30T10:00:59.900Z", last);
        assert_eq!(between("2026-11-30T10:01:00.150Z"), Some(250));
        assert_eq!(between("2026-11-30T11:01:00.150+01:00"), Some(250));
        assert_eq!(between("2026-11-30T10:00:59Z"), None);
        assert_eq!(between("later"), None);
    }

    #[test]
    fn what_is_no_moment_is_none() {
        for text in [
            "",
            "2026-11-30",
            "1764488663",
            "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-11-30T24:00:00Z",
            "2026-11-30T07:44:23.Z",
            "2026-11-30T07:44:23 UTC",
            "2026-11-30T07:44:23+1:00",
            "2026-1 -30T07:44:23Z",
            "20é6-11-30T07:44:23Z",
        ] {
            assert_eq!(utc(text), None, "{text}");
        }
    }
}
