//! Single values as other tools write them: each is read whole or refused with the cure.

use super::time;
use crate::domain::{InfrastructureEvidence, LimitKind, Outcome, SkipReason};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

/// Why a value is refused: what is wrong, and the cure.
pub(super) type Refused = (String, &'static str);

/// A value, or why it is refused.
pub(super) type Value<T> = Result<T, Refused>;

/// Whether a rollout passed.
pub(super) fn passed(text: &str) -> Value<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "1.0" | "yes" | "pass" | "passed" => Ok(true),
        "false" | "0" | "0.0" | "no" | "fail" | "failed" => Ok(false),
        other if other.parse::<f64>().is_ok() => Err((
            format!("passed is `{text}`, which neither passed nor failed"),
            "decide which scores pass when you make the file; a graded score goes into the column score",
        )),
        _ => Err((
            format!("passed is `{text}`"),
            "write true or false; a rollout without a result has an outcome of infrastructure_failure",
        )),
    }
}

/// A number that is at least 0.
pub(super) fn amount(text: &str) -> Value<f64> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        Ok(_) => Err((
            format!("`{text}` is no amount"),
            "write a finite number, 0 or more; leave it empty where it is not known",
        )),
        Err(_) => Err((
            format!("`{text}` is no number"),
            "write it like 0.0125, without a currency and with a point; leave it empty where it is not known",
        )),
    }
}

/// A number within 0..=1.
pub(super) fn fraction(text: &str) -> Value<f64> {
    amount(text).and_then(|number| {
        let wrong = || {
            (
                format!("`{text}` is not within 0 to 1"),
                "scale scores to 0..1",
            )
        };
        (number <= 1.0).then_some(number).ok_or_else(wrong)
    })
}

/// A whole number, 0 or more. Tables write those with gaps as `12.0`.
pub(super) fn count(text: &str) -> Value<u64> {
    let digits = text.strip_suffix(".0").unwrap_or(text);
    let wrong = |_| (format!("`{text}` is no whole number"), "write digits alone");
    digits.parse::<u64>().map_err(wrong)
}

/// A repeat, from 1.
pub(super) fn repeat(text: &str) -> Value<u32> {
    let number = count(text)?;
    let wrong = || {
        let help = "the first rollout of a cell on a task is 1, the next 2";
        (format!("repeat is `{text}`"), help)
    };
    u32::try_from(number)
        .ok()
        .filter(|number| *number > 0)
        .ok_or_else(wrong)
}

/// A weight above 0.
pub(super) fn weight(text: &str) -> Value<f64> {
    amount(text).and_then(|number| {
        let wrong = || {
            (
                "a weight is above 0".to_owned(),
                "leave the task's rows out instead",
            )
        };
        (number > 0.0).then_some(number).ok_or_else(wrong)
    })
}

/// A moment, as UTC.
pub(super) fn moment(text: &str) -> Value<String> {
    let help = "write it like 2026-11-30T07:44:23Z";
    time::utc(text).ok_or_else(|| (format!("`{text}` is no moment"), help))
}

/// An outcome by its word, with the word that explains it.
pub(super) fn outcome(word: &str, detail: &str) -> Value<Outcome> {
    Ok(match word {
        "accepted" => Outcome::Accepted,
        "task_failure" => Outcome::TaskFailure,
        "safety_failure" => Outcome::SafetyFailure,
        "agent_crash" => Outcome::AgentCrash {
            message: detail.to_owned(),
        },
        "limit_reached" => Outcome::LimitReached {
            limit: named::<LimitKind>(detail).ok_or_else(|| {
                let help = "write steps, seconds or tokens into the column detail";
                (
                    format!("limit_reached does not say which limit: `{detail}`"),
                    help,
                )
            })?,
        },
        "infrastructure_failure" => Outcome::InfrastructureFailure {
            evidence: named(detail).unwrap_or(InfrastructureEvidence::Reported),
            message: detail.to_owned(),
        },
        "invalid_fixture" => Outcome::InvalidFixture {
            message: detail.to_owned(),
        },
        "skipped" => Outcome::Skipped {
            why: named(detail).unwrap_or(SkipReason::Reported),
        },
        _ => {
            return Err((
                format!("there is no outcome `{word}`"),
                "accepted, task_failure, safety_failure, agent_crash, limit_reached, infrastructure_failure, invalid_fixture or skipped; or leave it empty",
            ));
        }
    })
}

/// A value of an enum by the word that the record writes for it.
pub(super) fn named<'w, T: Deserialize<'w>>(word: &'w str) -> Option<T> {
    let word: StrDeserializer<'w, Error> = word.into_deserializer();
    T::deserialize(word).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_yes_or_no_is_refused() {
        for yes in ["true", "True", "1", "1.0", "yes", "PASS"] {
            assert_eq!(passed(yes), Ok(true));
        }
        for no in ["false", "FALSE", "0", "0.0", "no", "failed"] {
            assert_eq!(passed(no), Ok(false));
        }
        for neither in ["maybe", "", "0.5", "2", "nan", "-1"] {
            assert!(passed(neither).is_err(), "{neither}");
        }
        assert!(passed("0.5").unwrap_err().1.contains("which scores pass"));
    }

    #[test]
    fn amounts_are_finite_and_not_below_nothing() {
        assert_eq!(amount("1e-3"), Ok(0.001));
        for wrong in ["NaN", "inf", "-0.01", "$1", "1,5", ""] {
            assert!(amount(wrong).is_err(), "{wrong}");
        }
        assert!(fraction("1.01").is_err() && fraction("1").is_ok());
        assert!(weight("0").is_err() && weight("0.5").is_ok());
        assert_eq!(count("12.0"), Ok(12));
        assert!(count("12.5").is_err() && count("-1").is_err());
        assert!(repeat("0").is_err() && repeat("4294967296").is_err());
    }

    #[test]
    fn every_word_that_the_record_writes_is_read_again() {
        for (word, detail) in [
            ("accepted", ""),
            ("task_failure", ""),
            ("safety_failure", ""),
            ("agent_crash", ""),
            ("limit_reached", "seconds"),
            ("infrastructure_failure", "server_died"),
            ("invalid_fixture", ""),
            ("skipped", "budget"),
        ] {
            assert_eq!(outcome(word, detail).unwrap().word(), word);
        }
        assert!(outcome("limit_reached", "").is_err() && outcome("pass", "").is_err());
        let known = Outcome::InfrastructureFailure {
            evidence: InfrastructureEvidence::ServerDied,
            message: "server_died".to_owned(),
        };
        assert_eq!(outcome("infrastructure_failure", "server_died"), Ok(known));
    }
}
