//! Strata: parts of the work, each with its share, from which tasks were drawn apart. A task of one
//! weighs its stratum's share over the tasks that the stratum has (formula F1), so that a part with
//! many tasks counts for no more than it is.

use super::error::ImportError;
use super::found::{Found, Stratum};
use super::gather::ImportedTask;
use crate::domain::{TaskId, in_steps};
use std::collections::BTreeMap;

/// Weights that differ by less than this part of themselves are the same: they are rounded quotients.
const SAME: f64 = 1e-9;

/// A stratum with its tasks.
struct Part<'f> {
    first: &'f Found,
    share: f64,
    tasks: u32,
}

/// Weighs tasks by their strata, and says how; nothing where no file names one.
///
/// # Errors
/// `ImportError::Contradiction` where a stratum has two shares, or a task has none while others have.
pub(super) fn weigh(
    tasks: &mut [ImportedTask],
    of: &BTreeMap<&TaskId, &Found>,
) -> Result<Option<String>, ImportError> {
    let stratum = |id: &TaskId| {
        let found = of.get(id).copied()?;
        Some((found, found.stratum.as_ref()?))
    };
    let Some((one, _)) = tasks.iter().find_map(|task| stratum(&task.id)) else {
        return Ok(None);
    };
    let mut parts: BTreeMap<&str, Part<'_>> = BTreeMap::new();
    for task in tasks.iter() {
        let Some((found, Stratum { name, share })) = stratum(&task.id) else {
            return Err(without(task, of, one));
        };
        let part = parts.entry(name).or_insert(Part {
            first: found,
            share: *share,
            tasks: 0,
        });
        if part.share != *share {
            return Err(ImportError::Contradiction {
                what: format!(
                    "stratum `{name}` has two shares, {} and {share}",
                    part.share
                ),
                place: found.place.to_string(),
                other: part.first.place.to_string(),
                help: "a stratum is one part of the work, in every line and every file",
            });
        }
        part.tasks += 1;
    }
    let all: f64 = parts.values().map(|part| part.share).sum();
    // of mean 1 over the tasks
    let weight = |part: &Part<'_>| part.share / all * tasks.len() as f64 / f64::from(part.tasks);
    let weights: BTreeMap<String, f64> = parts
        .iter()
        .map(|(name, part)| ((*name).to_owned(), weight(part)))
        .collect();
    let even = weights.values().all(|weight| (weight - 1.0).abs() < SAME);
    let said: Vec<String> = parts
        .iter()
        .map(|(name, part)| {
            format!(
                "{name} {:.1}% over {}",
                in_steps(part.share / all, 1e3) / 10.0,
                part.tasks
            )
        })
        .collect();
    for task in tasks.iter_mut() {
        let own = stratum(&task.id).and_then(|(_, stratum)| weights.get(&stratum.name));
        task.weight = own.filter(|_| !even).copied().unwrap_or(1.0);
    }
    Ok(Some(format!(
        "tasks weigh by their strata: {} of the tasks",
        said.join(", ")
    )))
}

/// A task that is in no stratum.
fn without(task: &ImportedTask, of: &BTreeMap<&TaskId, &Found>, other: &Found) -> ImportError {
    let place = of.get(&task.id).map(|found| found.place.to_string());
    ImportError::Contradiction {
        what: format!("task `{}` is of no stratum, and others are", task.id),
        place: place.unwrap_or_else(|| "no line".to_owned()),
        other: other.place.to_string(),
        help: "fill the column stratum for every task, or leave it out",
    }
}

#[cfg(test)]
mod tests {
    use crate::import::{Given, ImportError, Imported, gather, read};

    fn imported(lines: &str) -> Result<Imported, ImportError> {
        let text = format!("cell,task,repeat,passed,stratum,stratum_share,weight\n{lines}");
        let given = Given {
            cell: None,
            path: "r.csv".to_owned(),
            scorer: None,
            bytes: text.into_bytes(),
            members: Vec::new(),
        };
        gather(vec![read(&given)?])
    }

    fn weights(lines: &str) -> Vec<f64> {
        let tasks = imported(lines).unwrap().tasks;
        tasks.iter().map(|task| task.weight).collect()
    }

    #[test]
    fn a_task_weighs_the_share_of_its_stratum_over_its_tasks() {
        let lines = "a,t1,1,1,easy,60,\na,t2,1,1,easy,60,\na,t3,1,0,hard,20,\n";
        let got = weights(lines);
        // shares 3/4 over two tasks and 1/4 over one, of mean 1
        for (got, want) in got.iter().zip([1.125, 1.125, 0.75]) {
            assert!((got - want).abs() < 1e-12, "{got} {want}");
        }
        let notes = imported(lines).unwrap().notes;
        assert_eq!(
            notes,
            ["tasks weigh by their strata: easy 75.0% over 2, hard 25.0% over 1 of the tasks"]
        );
        // drawn in proportion, no task counts for more than another, to the last bit
        let even = "a,t1,1,1,x,0.1,\na,t2,1,1,y,0.2,\na,t3,1,0,y,0.2,\n";
        assert_eq!(weights(even), [1.0; 3]);
    }

    #[test]
    fn two_shares_and_a_task_without_a_stratum_are_named_at_both_places() {
        let two = imported("a,t1,1,1,x,1,\na,t2,1,1,x,2,\n")
            .unwrap_err()
            .to_string();
        assert!(two.contains("two shares, 1 and 2"), "{two}");
        assert!(
            two.contains("--> r.csv:3\n") && two.contains("and r.csv:2\n"),
            "{two}"
        );
        let none = imported("a,t1,1,1,x,1,\na,t2,1,1,,,\n")
            .unwrap_err()
            .to_string();
        assert!(none.contains("task `t2` is of no stratum"), "{none}");
        let moved = imported("a,t1,1,1,x,1,\na,t1,2,1,y,1,\n")
            .unwrap_err()
            .to_string();
        assert!(moved.contains("two strata"), "{moved}");
    }

    #[test]
    fn a_stratum_needs_its_share_and_takes_the_place_of_a_weight() {
        for (line, at) in [
            ("a,t,1,1,x,,", "r.csv:2:9"),
            ("a,t,1,1,,2,", "r.csv:2:10"),
            ("a,t,1,1,x,0,", "r.csv:2:11"),
        ] {
            let error = imported(&format!("{line}\n")).unwrap_err().to_string();
            assert!(error.contains(&format!("--> {at}\n")), "{line}: {error}");
        }
        let both = imported("a,t,1,1,x,1,2\n").unwrap_err().to_string();
        assert!(both.contains("a weight and a stratum"), "{both}");
    }
}
