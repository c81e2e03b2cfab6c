//! Several files as one matrix, and what keeps them from being one.

use super::*;
use crate::import::{Given, read};

fn imported(texts: &[&str]) -> Result<Imported, ImportError> {
    let files = texts.iter().enumerate().map(|(at, text)| {
        read(&Given {
            cell: None,
            path: format!("{at}.csv"),
            scorer: None,
            bytes: text.as_bytes().to_vec(),
            members: Vec::new(),
        })
    });
    gather(files.collect::<Result<_, _>>()?)
}

const HEAD: &str = "cell,task,repeat,passed,family,cost_usd,cost_source\n";

#[test]
fn files_make_one_matrix_with_sorted_tasks() {
    let one = format!("{HEAD}b,t2,1,1,,,\nb,t1,1,1,,,\n");
    let two = format!("{HEAD}a,t1,1,0,,,\na,t2,1,1,,,\n");
    let all = imported(&[&one, &two]).unwrap();
    let cells: Vec<_> = all.cells.iter().map(ToString::to_string).collect();
    let tasks: Vec<_> = all.tasks.iter().map(|task| task.id.to_string()).collect();
    assert_eq!(
        (cells.join(" "), tasks.join(" ")),
        ("b a".into(), "t1 t2".into())
    );
    assert_eq!((all.planned.len(), all.rows.len()), (4, 4));
    assert_eq!(all.notes, [""; 0]);
}

#[test]
fn a_rollout_that_stands_twice_is_named_at_both_places() {
    let one = format!("{HEAD}a,t1,1,1,,,\n");
    let error = imported(&[&one, &one]).unwrap_err().to_string();
    assert!(
        error.contains("--> 1.csv:2\n") && error.contains("and 0.csv:2\n"),
        "{error}"
    );
    assert!(
        error.contains("cell `a`, task `t1`, repeat 1 stands twice"),
        "{error}"
    );
}

#[test]
fn a_task_of_two_families_is_named() {
    let error = imported(&[&format!("{HEAD}a,t1,1,1,x,,\na,t1,2,1,y,,\n")]).unwrap_err();
    assert!(error.to_string().contains("two families"), "{error}");
}

#[test]
fn what_one_cell_lacks_is_planned_and_noted() {
    let all = imported(&[&format!("{HEAD}a,t1,1,1,,,\na,t2,1,1,,,\nb,t1,1,1,,,\n")]).unwrap();
    assert_eq!((all.planned.len(), all.rows.len()), (4, 3));
    assert_eq!(
        all.notes,
        ["b: 1 of 2 rollouts are not in the files: t2 r1"]
    );
}

#[test]
fn repeats_with_gaps_are_noted() {
    let all = imported(&[&format!("{HEAD}a,t1,1,1,,,\na,t1,3,1,,,\n")]).unwrap();
    assert_eq!(all.repeats.len(), 2);
    assert!(
        all.notes[0].contains("numbered up to 3, and only 2"),
        "{:?}",
        all.notes
    );
}

#[test]
fn costs_below_what_is_counted_are_unknown_and_free_is_free() {
    let tiny = format!("{HEAD}a,t1,1,1,,0.0000004,\nb,t1,1,1,,0,free\nc,t1,1,1,,0.01,\n");
    let all = imported(&[&tiny]).unwrap();
    let costs: Vec<_> = all
        .rows
        .iter()
        .map(|row| row.cost.amount().map(|c| c.micros()))
        .collect();
    assert_eq!(costs, [None, Some(0), Some(10_000)]);
    assert!(
        all.notes[0].starts_with("a: costs are counted in millionths"),
        "{:?}",
        all.notes
    );
    let free: Vec<_> = all.free.iter().map(ToString::to_string).collect();
    assert_eq!(free, ["b"]);
}

#[test]
fn no_rollout_is_no_matrix() {
    assert!(matches!(imported(&[HEAD]), Err(ImportError::Empty(_))));
}
