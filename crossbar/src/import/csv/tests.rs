//! Tables that are read, and tables that are refused at their line and column.

use super::*;
use crate::domain::{CellId, Cost, Outcome};

fn given(text: &str) -> Given {
    Given {
        cell: None,
        path: "r.csv".to_owned(),
        scorer: None,
        bytes: text.as_bytes().to_vec(),
        members: Vec::new(),
    }
}

fn wrong(text: &str) -> String {
    read(&given(text)).unwrap_err().to_string()
}

const HEAD: &str = "cell,task,repeat,passed,cost_usd,outcome,score,started,weight\n";

#[test]
fn what_a_line_does_not_say_is_unknown() {
    let read = read(&given(
        "cell,task,repeat,passed\ngpt,t1,1,true\ngpt,t1,2,0\n",
    ))
    .unwrap();
    let [first, second] = read.found.as_slice() else {
        panic!("{read:?}");
    };
    assert_eq!(first.row.key.cell.to_string(), "gpt");
    assert_eq!(
        (first.row.outcome.clone(), first.place.at.as_str()),
        (Outcome::Accepted, "2")
    );
    assert_eq!(second.row.outcome, Outcome::TaskFailure);
    assert_eq!((first.row.cost, first.row.usage), (Cost::Unknown, None));
    assert_eq!((first.row.forbidden, first.row.tool_calls), (None, None));
    assert_eq!((first.row.worked_ms, &first.row.started_at), (None, &None));
    assert!(read.notes.is_empty());
}

#[test]
fn each_wrong_value_is_named_at_its_line_and_column_with_a_cure() {
    for (line, at, cure) in [
        ("a,t,1,maybe,,,,,", "r.csv:2:7", "write true or false"),
        ("a,t,1,0.5,,,,,", "r.csv:2:7", "decide which scores pass"),
        ("a,t,1,,,,,,", "r.csv:2:7", "every line needs it"),
        ("a,t,0,true,,,,,", "r.csv:2:5", "is 1, the next 2"),
        (",t,1,true,,,,,", "r.csv:2:1", "every line needs it"),
        ("a,t,1,true,nan,,,,", "r.csv:2:12", "leave it empty"),
        ("a,t,1,true,-0.1,,,,", "r.csv:2:12", "leave it empty"),
        ("a,t,1,true,inf,,,,", "r.csv:2:12", "leave it empty"),
        (
            "a,t,1,true,,task_failure,,,",
            "r.csv:2:13",
            "for nothing else",
        ),
        ("a,t,1,false,,accepted,,,", "r.csv:2:14", "for nothing else"),
        ("a,t,1,true,,won,,,", "r.csv:2:13", "accepted, task_failure"),
        ("a,t,1,true,,,7,,", "r.csv:2:14", "0..1"),
        ("a,t,1,true,,,,yesterday,", "r.csv:2:15", "write it like"),
        (
            "a,t,1,true,,,,,0",
            "r.csv:2:16",
            "leave the task's rows out",
        ),
        ("a,t,1,true", "r.csv:2:1", "give every line every field"),
    ] {
        let error = wrong(&format!("{HEAD}{line}\n"));
        assert!(error.contains(&format!("--> {at}\n")), "{line}: {error}");
        assert!(
            error.contains("help: ") && error.contains(cure),
            "{line}: {error}"
        );
    }
}

#[test]
fn all_wrong_lines_are_named_at_once() {
    let error = wrong(&format!("{HEAD}a,t,1,maybe,,,,,\na,t,2,true,-1,,,,\n"));
    assert!(
        error.contains("r.csv:2:7") && error.contains("r.csv:3:12"),
        "{error}"
    );
}

#[test]
fn a_column_that_is_not_there_is_named_with_what_it_holds() {
    assert!(wrong("cell,task,repeat,score\na,t,1,0.5\n").contains("a graded score is no pass"));
    assert!(wrong("cell,tasks,repeat,passed\na,t,1,1\n").contains("is it `tasks`?"));
    assert!(wrong("task,repeat,passed\nt,1,1\n").contains("NAME=FILE"));
    assert!(wrong("cell;task;repeat;passed\na;t;1;1\n").contains("by commas"));
    assert!(wrong("cell,task,task,repeat,passed\n").contains("stands twice"));
}

#[test]
fn columns_that_mean_nothing_here_are_named() {
    let read = read(&given(
        "cell,task,repeat,passed,stratum,Judge\na,t,1,1,x,y\n",
    ))
    .unwrap();
    assert_eq!(
        read.notes,
        ["r.csv: not used: column Judge, stratum (it needs `stratum_share` beside it)"]
    );
}

#[test]
fn a_named_file_needs_no_cell() {
    let mut named = given("task,repeat,passed\nt,1,1\n");
    named.cell = Some(CellId::imported("gpt 5").unwrap());
    let read = read(&named).unwrap();
    assert_eq!(read.found[0].row.key.cell.to_string(), "gpt 5");
}

#[test]
fn an_outcome_that_measured_nothing_needs_no_passed() {
    let text = format!("{HEAD}a,t,1,,,infrastructure_failure,,,\n");
    let read = read(&given(&text)).unwrap();
    assert!(!read.found[0].row.outcome.is_measured());
    assert!(wrong(&format!("{HEAD}a,t,1,,,task_failure,,,\n")).contains("r.csv:2:7"));
}

#[test]
fn the_table_of_a_replay_is_refused() {
    let told = wrong("cell,task,repeat,passed,replay_of\na,t,1,1,recorded\n");
    assert!(told.contains("r.csv:1:25"), "{told}");
    assert!(told.contains("the table of a replay"), "{told}");
    assert!(told.contains("help: give the table of the run"), "{told}");
}
