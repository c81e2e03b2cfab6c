//! A moment as text: RFC 3339 UTC.

use std::time::Duration;

/// A moment, as time since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy)]
pub struct Moment(pub Duration);

impl Moment {
    /// `2026-11-29T20:51:00.000Z`.
    #[must_use]
    pub fn rfc3339(self) -> String {
        let ((year, month, day), (hour, minute, second)) = self.parts();
        let millis = self.0.subsec_millis();
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
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
}
