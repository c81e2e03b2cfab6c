//! What is said of a pair whose rollouts are not all there, by the whole analysis.

use crossbar::analysis::{CorrelationPadding, Shown, Unmeasured};
use crossbar::domain::{Outcome, ResultRow, SkipReason};
use crossbar::stats::Padding;
use crossbar_suites::results::Results;
use serde_json::Value;

use crate::{close, ints, load, num, padding_of, uint};

/// A pair whose rollouts up to `done` of each task are there, through the whole analysis.
fn partly_there(i: &Value) -> Results {
    let list = |key: &str| ints(&i[key]);
    let repeats = uint(&i["repeats"]) as u32;
    let arms = [
        ("a+x", list("pass_a"), list("done_a")),
        ("b+x", list("pass_b"), list("done_b")),
    ];
    let mut results = Results::new(arms[0].1.len(), repeats).baseline("b+x");
    for (cell, passes, _) in &arms {
        results = results.cell(cell, 5, passes);
    }
    let place = |row: &ResultRow| row.key.task.task()[1..].parse::<usize>().unwrap();
    for (cell, passes, done) in &arms {
        results = results.edit(cell, |_, row| {
            let at = place(row);
            row.outcome = if row.key.repeat <= passes[at] {
                Outcome::Accepted
            } else if row.key.repeat <= done[at] {
                Outcome::TaskFailure
            } else {
                Outcome::Skipped {
                    why: SkipReason::Budget,
                }
            };
        });
    }
    results.question.alpha = num(&i["alpha"]);
    results.question.margin.value = num(&i["margin"]);
    results.question.padding = match padding_of(i) {
        Padding::Strict => CorrelationPadding::Strict,
        _ => CorrelationPadding::Normal,
    };
    results
}

/// F6 is no function of its own: the verdict's comparison is held to the reference values.
#[test]
fn missing_bounds() {
    let (mut decided, mut absent) = (0, 0);
    for (i, want) in load("c_missing_bounds", 20) {
        let near = |what: &str, got: f64, want: &Value| {
            close(&format!("{what} {i}"), got, num(want), 1e-9, 0.0);
        };
        let analysis = partly_there(&i).analyze();
        let found = &analysis.comparisons[0];
        let Some(like) = found.like.as_ref() else {
            // no claim in the file, and no figure here
            assert_eq!(found.unmeasured, Some(Unmeasured::Challenger), "{i}");
            assert_eq!(ints(&i["done_a"]).iter().sum::<u32>(), 0);
            absent += 1;
            continue;
        };
        let plain = like.plain;
        let bounds = like.bounds.map_or([plain; 2], |b| [b.worst, b.best]);
        for (name, bound) in ["low", "high"].into_iter().zip(bounds) {
            near("diff", bound.value(), &want[name]["diff"]);
            near("lower", bound.interval().lo, &want[name]["lower"]);
            near("upper", bound.interval().hi.unwrap(), &want[name]["upper"]);
        }
        let one_sided = like.non_inferior.estimate.interval().lo;
        near("one-sided", one_sided, &want["low"]["lower_one_sided"]);
        let direction = match like.direction {
            _ if like.direction_undetermined => "missing_decide",
            Some(Shown::Better) => "better",
            Some(Shown::Worse) => "worse",
            None => "none",
        };
        assert_eq!(direction, want["direction"].as_str().unwrap(), "{i}");
        let within = match like.non_inferior.shown {
            _ if like.non_inferior_undetermined => "missing_decide",
            true => "yes",
            false => "no",
        };
        assert_eq!(within, want["noninferior"].as_str().unwrap(), "{i}");
        for (cell, name) in analysis.cells.iter().zip(["cell_a", "cell_b"]) {
            let interval = cell.pass_rate.unwrap().interval();
            near(name, interval.lo, &want[name]["lower"]);
            near(name, interval.hi.unwrap(), &want[name]["upper"]);
        }
        decided += usize::from(direction == "missing_decide" || within == "missing_decide");
    }
    assert_eq!((decided, absent), (6, 1));
}
