//! A moment as text: RFC 3339 UTC.

use std::time::Duration;

/// A moment, as time since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub Duration);

impl Moment {
    /// `2026-11-29T20:51:00.000Z`.
    #[must_use]
    pub fn rfc3339(self) -> String {
        let ((year, month, day), (hour, minute, second)) = self.parts();
        let millis = self.0.subsec_millis();
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
    }

    /// Reads what [`Moment::rfc3339`] writes, with or without its milliseconds; `None` for anything
    /// else.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let part = |from: usize, to: usize| text.get(from..to)?.parse::<u64>().ok();
        let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
        let (hour, minute, second) = (part(11, 13)?, part(14, 16)?, part(17, 19)?);
        if year < 1970 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let days = days_since_1970(year, month, day);
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second;
        let millis = match text.get(19..)? {
            "Z" => 0,
            fraction if fraction.len() == 5 && fraction.starts_with('.') => part(20, 23)?,
            _ => return None,
        };
        let moment = Duration::from_secs(seconds) + Duration::from_millis(millis);
        text.ends_with('Z').then_some(Self(moment))
    }

    /// So many milliseconds later.
    #[must_use]
    pub fn plus_ms(self, ms: u64) -> Self {
        Self(self.0.saturating_add(Duration::from_millis(ms)))
    }

    /// `20261129T205100Z`.
    #[must_use]
    pub fn compact(self) -> String {
        let ((year, month, day), (hour, minute, second)) = self.parts();
        format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
    }

    fn parts(self) -> ((u64, u64, u64), (u64, u64, u64)) {
        let seconds = self.0.as_secs();
        let day_second = seconds % 86_400;
        let time = (day_second / 3600, day_second / 60 % 60, day_second % 60);
        (civil(seconds / 86_400), time)
    }
}

/// The Gregorian date of a day number: eras of 400 years that begin on the first of March, so
/// that the leap day is the last of its year.
fn civil(days_since_1970: u64) -> (u64, u64, u64) {
    let days = days_since_1970 + 719_468;
    let era = days / 146_097;
    let in_era = days % 146_097;
    let year_of_era = (in_era - in_era / 1460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

/// The day number of a Gregorian date from 1970 on: the way back of [`civil`].
fn days_since_1970(year: u64, month: u64, day: u64) -> u64 {
    let (year, march_month) = match month {
        ..=2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let (era, year_of_era) = (year / 400, year % 400);
    let in_year = (153 * march_month + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + in_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        let at = |seconds| Moment(Duration::from_secs(seconds)).rfc3339();
        assert_eq!(at(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00.000Z");
        assert_eq!(at(1_795_985_460), "2026-11-29T20:51:00.000Z");
        assert_eq!(at(4_107_542_399), "2100-02-28T23:59:59.000Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00.000Z");
    }
    #[test]
    fn what_is_written_reads_back() {
        for seconds in [0, 951_782_400, 951_868_799, 1_795_985_460, 4_107_542_400] {
            let moment = Moment(Duration::from_secs(seconds)).plus_ms(seconds % 1000);
            assert_eq!(Moment::read(&moment.rfc3339()), Some(moment));
        }
        let whole = Moment::read("2026-11-29T20:51:00Z");
        assert_eq!(whole, Moment::read("2026-11-29T20:51:00.000Z"));
        for other in [
            "",
            "yesterday",
            "1969-12-31T23:59:59Z",
            "2026-13-01T00:00:00Z",
            "2026-11-29T20:51:00+01:00",
            "2026-11-29T20:51:00.0000Z",
        ] {
            assert!(Moment::read(other).is_none(), "{other}");
        }
    }
}
