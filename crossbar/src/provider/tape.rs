//! The tape of one rollout: it writes down what passes between the rollout and its model, or plays
//! what was written down.

use super::sameness::{Difference, Side, differences};
use super::{ProviderError, ProviderErrorKind};
use crate::domain::{BodyEnd, Moment, RecordedAnswer, RecordedExchange, Recording};
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What to do about a request that was not recorded.
const CURE: &str = "help: put back what changed, or record again: run --record";

const DAY: Duration = Duration::from_secs(86_400);

/// Writes down or plays, or does nothing. All clones are one tape.
#[derive(Clone, Default)]
pub struct Tape(Option<Arc<Mutex<Course>>>);

enum Course {
    Recording(Vec<Heard>),
    Playing(Played),
}

/// A request under way, and what has come of it so far.
struct Heard {
    asked: String,
    request: Value,
    answer: HeardAnswer,
}

enum HeardAnswer {
    None(RecordedAnswer),
    Begun {
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
        end: BodyEnd,
    },
}

struct Played {
    /// The exchanges, and whether each was asked for.
    exchanges: Vec<(RecordedExchange, bool)>,
    /// The days that were today then, and are today.
    days: (Vec<String>, Vec<String>),
    /// The requests so far.
    requests: usize,
    /// The first request that the recording does not have.
    trouble: Option<String>,
}

impl Tape {
    /// A tape that writes down.
    #[must_use]
    pub fn recording() -> Self {
        Self::of(Course::Recording(Vec::new()))
    }

    /// A tape that plays a recording; `now` is the time since 1970-01-01T00:00:00Z. Requests may tell
    /// the model the day, and each day is let go for the other.
    #[must_use]
    pub fn playing(recording: Recording, now: Duration) -> Self {
        let then = Moment::read(&recording.begun_at);
        let exchanges = recording.exchanges.into_iter();
        Self::of(Course::Playing(Played {
            exchanges: exchanges.map(|exchange| (exchange, false)).collect(),
            days: (then.map_or_else(Vec::new, days), days(Moment(now))),
            requests: 0,
            trouble: None,
        }))
    }

    /// Whether it plays: then no model is asked.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        let course = self.course();
        course.is_some_and(|course| matches!(*course, Course::Playing(_)))
    }

    /// What was written down, as far as it has come; `None` when it does not write down.
    #[must_use]
    pub fn exchanges(&self) -> Option<Vec<RecordedExchange>> {
        match &*self.course()? {
            Course::Recording(heard) => Some(heard.iter().map(Heard::recorded).collect()),
            Course::Playing(_) => None,
        }
    }

    /// The first request that the recording does not have, and where it differs; `None` when all
    /// were there.
    #[must_use]
    pub fn refused(&self) -> Option<String> {
        match &*self.course()? {
            Course::Playing(played) => played.trouble.clone(),
            Course::Recording(_) => None,
        }
    }

    /// That recorded requests were not made; `None` when all were.
    #[must_use]
    pub fn left(&self) -> Option<String> {
        let course = self.course()?;
        let Course::Playing(played) = &*course else {
            return None;
        };
        let all = played.exchanges.len();
        let made = played.exchanges.iter().filter(|(_, asked)| *asked).count();
        (made < all).then(|| format!("only {made} of {all} recorded requests were made; {CURE}"))
    }

    fn of(course: Course) -> Self {
        Self(Some(Arc::new(Mutex::new(course))))
    }

    fn course(&self) -> Option<MutexGuard<'_, Course>> {
        let course = self.0.as_ref()?;
        Some(course.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What whoever carries requests does with it.
impl Tape {
    /// Begins to write a request down; its place on the tape, where it does.
    pub fn ask(&self, asked: &str, body: &[u8]) -> Option<usize> {
        match &mut *self.course()? {
            Course::Recording(heard) => {
                heard.push(Heard {
                    asked: asked.to_owned(),
                    request: value(body),
                    answer: HeardAnswer::None(RecordedAnswer::Pending),
                });
                Some(heard.len() - 1)
            }
            Course::Playing(_) => None,
        }
    }

    /// Writes down that no answer began.
    pub fn failed(&self, at: Option<usize>, error: &ProviderError) {
        let message = error.message.clone();
        let answer = match error.kind {
            ProviderErrorKind::Unreachable => RecordedAnswer::Unreachable { message },
            _ => RecordedAnswer::Silent { message },
        };
        self.write(at, |heard| heard.answer = HeardAnswer::None(answer));
    }

    /// Writes down that an answer began.
    pub fn begun(&self, at: Option<usize>, status: u16, headers: &[(String, String)]) {
        self.write(at, |heard| {
            heard.answer = HeardAnswer::Begun {
                status,
                headers: headers.to_vec(),
                body: Vec::new(),
                end: BodyEnd::LeftThere,
            };
        });
    }

    /// Writes down a piece of an answer's body.
    pub fn piece(&self, at: Option<usize>, piece: &[u8]) {
        self.write(at, |heard| {
            if let HeardAnswer::Begun { body, .. } = &mut heard.answer {
                body.extend_from_slice(piece);
            }
        });
    }

    /// Writes down how the body ended.
    pub fn ended(&self, at: Option<usize>, how: BodyEnd) {
        self.write(at, |heard| {
            if let HeardAnswer::Begun { end, .. } = &mut heard.answer {
                *end = how;
            }
        });
    }

    fn write(&self, at: Option<usize>, write: impl FnOnce(&mut Heard)) {
        if let (Some(at), Some(mut course)) = (at, self.course())
            && let Course::Recording(heard) = &mut *course
            && let Some(heard) = heard.get_mut(at)
        {
            write(heard);
        }
    }

    /// The recorded answer to a request: that of the first recorded one that is the same and was not
    /// asked for yet. Programs make requests side by side, so an earlier one may still be open.
    ///
    /// # Errors
    /// `ProviderErrorKind::Configuration` when there is none; the tape keeps why.
    pub fn play(&self, asked: &str, body: &[u8]) -> Result<RecordedAnswer, ProviderError> {
        let mut course = self.course();
        match course.as_deref_mut() {
            Some(Course::Playing(played)) => played.answer(asked, &value(body)),
            _ => Err(ProviderError::configuration("there is no recording")),
        }
    }
}

impl Played {
    fn answer(&mut self, asked: &str, body: &Value) -> Result<RecordedAnswer, ProviderError> {
        self.requests += 1;
        let (number, recorded) = (self.requests, self.exchanges.len());
        let now = Side {
            asked,
            body,
            days: &self.days.1,
        };
        let differ = |exchange: &RecordedExchange| {
            let then = Side {
                asked: &exchange.asked,
                body: &exchange.request,
                days: &self.days.0,
            };
            differences(then, now)
        };
        let mut left = self.exchanges.iter_mut().filter(|(_, asked)| !asked);
        let mut first = None;
        let found = left.find(|(exchange, _)| {
            let found = differ(exchange);
            let is_same = found.is_empty();
            first.get_or_insert(found);
            is_same
        });
        let what = match (found, first) {
            (Some((exchange, asked)), _) => {
                *asked = true;
                return Ok(exchange.answer.clone());
            }
            (None, Some(differs)) => told(number, &differs),
            (None, None) => format!(
                "request {number} is one too many: the recording has {recorded} for this rollout"
            ),
        };
        Err(self.refused(what))
    }

    fn refused(&mut self, what: String) -> ProviderError {
        let error = ProviderError::configuration(format!("{what}; {CURE}"));
        self.trouble.get_or_insert_with(|| error.message.clone());
        error
    }
}

impl Heard {
    fn recorded(&self) -> RecordedExchange {
        RecordedExchange {
            asked: self.asked.clone(),
            request: self.request.clone(),
            answer: match &self.answer {
                HeardAnswer::None(answer) => answer.clone(),
                HeardAnswer::Begun {
                    status,
                    headers,
                    body,
                    end,
                } => RecordedAnswer::Answered {
                    status: *status,
                    headers: headers.clone(),
                    body: String::from_utf8_lossy(body).into_owned(),
                    end: end.clone(),
                },
            },
        }
    }
}

/// A body as JSON; what is none is a text.
fn value(body: &[u8]) -> Value {
    serde_json::from_slice(body)
        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(body).into_owned()))
}

/// What is said of a request that differs.
fn told(number: usize, differs: &[Difference]) -> String {
    let first = differs.first().map(ToString::to_string).unwrap_or_default();
    let more = match differs.len() {
        0 | 1 => String::new(),
        2 => " (and in one more place)".to_owned(),
        many => format!(" (and in {} more places)", many - 1),
    };
    format!("request {number} differs from the recorded one {first}{more}")
}

/// The days that may be today somewhere on earth.
fn days(now: Moment) -> Vec<String> {
    let around = [now.0.saturating_sub(DAY), now.0, now.0.saturating_add(DAY)];
    let day = |moment: Duration| Moment(moment).rfc3339().chars().take(10).collect();
    around.map(day).into()
}

#[cfg(test)]
mod tests;
