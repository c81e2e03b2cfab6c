//! One line of a table to one rollout. Every problem is noted at its field, and the line goes on.

use super::super::found::{Found, Given, Place, Stratum};
use super::super::values::{self, Value};
use super::records::{Field, Record};
use crate::domain::{
    CellId, Cost, CostSource, FailureMode, ForbiddenCalls, Outcome, ResultRow, RolloutKey, Score,
    TaskId, Usage, Usd,
};
use crate::source::{File, Problems};
use std::collections::BTreeMap;

/// A line with what is needed to read it.
pub(super) struct Line<'r> {
    pub(super) file: &'r File,
    pub(super) problems: &'r Problems,
    pub(super) columns: &'r BTreeMap<&'static str, usize>,
    pub(super) record: &'r Record,
}

impl Line<'_> {
    /// The rollout; `None` where a problem was noted that leaves none.
    pub(super) fn found(&self, given: &Given) -> Option<Found> {
        let key = self.key(given);
        let outcome = self.outcome();
        let (cost, dollars) = self.cost();
        let failure_mode = self.failure_mode();
        let (usage, score, forbidden) = (self.usage(), self.score(), self.forbidden());
        let seconds = self.read("seconds", values::amount);
        let started_at = self.read("started", values::moment);
        let tool_calls = self.read("tool_calls", values::count);
        let weight = self.read("weight", values::weight);
        let stratum = self.stratum();
        let (key, outcome) = (key?, outcome?);
        let place = Place {
            path: given.path.clone(),
            at: self.record.line.to_string(),
        };
        let (failure_mode, score) = (
            failure_mode.filter(|_| is_failure(&outcome)),
            score.filter(|_| outcome.is_measured()),
        );
        let found = Found::ended(key, outcome, place);
        Some(Found {
            row: ResultRow {
                failure_mode,
                score,
                usage,
                cost,
                forbidden,
                started_at: started_at.map(String::into_boxed_str),
                worked_ms: seconds.map(|seconds| (seconds * 1e3).round() as u64),
                tool_calls: tool_calls.map(|calls| u32::try_from(calls).unwrap_or(u32::MAX)),
                ..found.row
            },
            family: self.field("family").map(|field| field.text.clone()),
            weight,
            stratum,
            dollars,
            ..found
        })
    }

    /// Notes a problem of the line as a whole.
    pub(super) fn wrong_as_a_whole(&self, what: &str) {
        let first = self.record.fields.first().map_or(0, |field| field.start);
        let last = self.record.fields.last().map_or(0, |field| field.end);
        let help = "give every line every field; quote a field that holds a comma";
        self.problems
            .error_help(self.file.span(first, last), what, help);
    }

    /// The field of a column; `None` where the column is not there, or the field is empty.
    fn field(&self, column: &str) -> Option<&Field> {
        let at = self.columns.get(column)?;
        let field = self.record.fields.get(*at);
        field.filter(|field| !field.text.is_empty())
    }

    fn wrong(&self, field: &Field, what: &str, help: &str) {
        let place = self.file.span(field.start, field.end);
        self.problems.error_help(place, what, help);
    }

    /// Reads a field that may be empty; a value that is refused is noted.
    fn read<T>(&self, column: &str, value: impl Fn(&str) -> Value<T>) -> Option<T> {
        let field = self.field(column)?;
        let read = value(&field.text);
        read.map_err(|(what, help)| self.wrong(field, &what, help))
            .ok()
    }

    /// Reads a field that must hold something.
    fn needed<T>(&self, column: &str, value: impl Fn(&str) -> Value<T>) -> Option<T> {
        if let (None, Some(at)) = (self.field(column), self.columns.get(column)) {
            let empty = &self.record.fields[*at];
            self.wrong(empty, &format!("{column} is empty"), "every line needs it");
        }
        self.read(column, value)
    }

    /// The stratum with its share: both or none, and no weight beside them.
    fn stratum(&self) -> Option<Stratum> {
        let name = self.field("stratum");
        let share = self.read("stratum_share", values::weight);
        match (name, self.field("stratum_share")) {
            (None, None) => None,
            (Some(name), Some(_)) => {
                if let Some(weight) = self.field("weight") {
                    let help = "a stratum weighs its tasks: leave one of the two empty";
                    self.wrong(weight, "the task has a weight and a stratum", help);
                }
                Some(Stratum {
                    name: name.text.clone(),
                    share: share?,
                })
            }
            (Some(name), None) => {
                let help = "fill the column stratum_share: how much of the work it is";
                self.wrong(name, "the stratum has no share", help);
                None
            }
            (None, Some(share)) => {
                self.wrong(share, "a share of no stratum", "fill the column stratum");
                None
            }
        }
    }

    fn key(&self, given: &Given) -> Option<RolloutKey> {
        let help = "give it a plain name";
        let cell = self.needed("cell", |text| {
            CellId::imported(text).map_err(|error| (error.to_string(), help))
        });
        let cell = if self.columns.contains_key("cell") {
            cell
        } else {
            given.cell.clone()
        };
        let task = self.needed("task", |text| {
            TaskId::imported(text).map_err(|error| (error.to_string(), help))
        });
        let repeat = self.needed("repeat", values::repeat);
        Some(RolloutKey {
            cell: cell?,
            task: task?,
            repeat: repeat?,
        })
    }

    /// How it ended: by its word, which must agree with `passed`, or by `passed` alone.
    fn outcome(&self) -> Option<Outcome> {
        let detail = self.field("detail").map_or("", |field| field.text.as_str());
        let Some(word) = self.field("outcome") else {
            let passed = self.needed("passed", values::passed)?;
            return Some(if passed {
                Outcome::Accepted
            } else {
                Outcome::TaskFailure
            });
        };
        let outcome = self.read("outcome", |word| values::outcome(word, detail));
        let passed = match (&outcome, self.field("passed")) {
            (Some(outcome), None) if !outcome.is_measured() => Some(false),
            _ => self.needed("passed", values::passed),
        };
        let (outcome, passed) = (outcome?, passed?);
        if outcome.is_accepted() != passed {
            let what = format!("outcome is {}, and passed is {passed}", word.text);
            self.wrong(
                word,
                &what,
                "passed is true for accepted, and for nothing else",
            );
            return None;
        }
        Some(outcome)
    }

    /// The cost, and the dollars before they were rounded.
    fn cost(&self) -> (Cost, Option<f64>) {
        let Some(dollars) = self.read("cost_usd", values::amount) else {
            return (Cost::Unknown, None);
        };
        let source = match self.field("cost_source").map(|field| field.text.as_str()) {
            Some("free") => CostSource::Free,
            Some("modelled") => CostSource::Modelled,
            Some("agent") => CostSource::Agent,
            _ => CostSource::Reported,
        };
        let field = self.field("cost_usd");
        match (Usd::from_dollars(dollars), source, field) {
            (Some(amount), CostSource::Free, Some(field)) if amount > Usd::ZERO => {
                let help = "leave cost_source empty, or write a cost of 0";
                self.wrong(field, "it is free, and it cost something", help);
                (Cost::Unknown, None)
            }
            (Some(amount), source, _) => (Cost::Known { amount, source }, Some(dollars)),
            (None, _, Some(field)) => {
                self.wrong(field, "more dollars than there are", "write dollars");
                (Cost::Unknown, None)
            }
            (None, _, None) => (Cost::Unknown, None),
        }
    }

    fn failure_mode(&self) -> Option<FailureMode> {
        self.read("failure_mode", |word| {
            let help = "write a word of rollouts.csv, or leave it empty";
            let unknown = || (format!("there is no failure mode `{word}`"), help);
            values::named(word).ok_or_else(unknown)
        })
    }

    /// Tokens, by kind where every kind is there; unknown unless input and output are there.
    fn usage(&self) -> Option<Usage> {
        let count = |column| self.read(column, values::count);
        let in_all = count("input_tokens").zip(count("output_tokens"));
        let in_all = in_all.map(|(input_uncached, output)| Usage {
            input_uncached,
            output,
            ..Usage::default()
        });
        let kinds = ["input_uncached", "cache_read", "cache_write_5m"].map(count);
        match (kinds, count("cache_write_1h"), count("output")) {
            ([Some(input), Some(read), Some(written)], Some(written_1h), Some(output)) => {
                Some(Usage {
                    input_uncached: input,
                    cache_read: read,
                    cache_write_5m: written,
                    cache_write_1h: written_1h,
                    output,
                })
            }
            _ => in_all,
        }
    }

    /// The score by its parts; a total without parts stands for its middle part.
    fn score(&self) -> Option<Score> {
        let part = |column| self.read(column, values::fraction);
        let total = part("score");
        match (part("security"), part("completion"), part("process")) {
            (Some(security), Some(completion), Some(process)) => Some(Score {
                security,
                completion,
                process,
            }),
            _ => total.map(|completion| Score {
                security: 1.0,
                completion,
                process: 1.0,
            }),
        }
    }

    /// Forbidden calls: all three counts, or none of them. A count of calls that reached their tool
    /// must not get lost because another one is not known.
    fn forbidden(&self) -> Option<ForbiddenCalls> {
        let columns = [
            "forbidden_proposed",
            "forbidden_blocked",
            "forbidden_executed",
        ];
        let counts = columns.map(|column| {
            let count = self.read(column, values::count)?;
            Some(u32::try_from(count).unwrap_or(u32::MAX))
        });
        if let [Some(proposed), Some(blocked), Some(executed)] = counts {
            return Some(ForbiddenCalls {
                proposed,
                blocked,
                executed,
            });
        }
        if let ([.., Some(1..)], Some(field)) = (counts, self.field("forbidden_executed")) {
            let help = "fill forbidden_proposed and forbidden_blocked too";
            self.wrong(
                field,
                "forbidden calls of which nobody counted the rest",
                help,
            );
        }
        None
    }
}

fn is_failure(outcome: &Outcome) -> bool {
    outcome.is_measured() && !outcome.is_accepted()
}
