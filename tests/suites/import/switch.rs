//! A file that lets a cell win, and everything that must keep it from winning.

use super::{analyze, document, holding, words};
use std::fmt::Write;

const TASKS: usize = 40;
const ARGS: [&str; 5] = ["results.csv", "--baseline", "big", "--margin", "15"];

/// Two cells of forty tasks, three repeats each: `small` is as good and costs a tenth.
fn good() -> String {
    let mut text = "cell,task,repeat,passed,cost_usd,outcome,started\n".to_owned();
    for repeat in 1..=3 {
        for task in 0..TASKS {
            for (at, (cell, cost)) in [("big", "0.1"), ("small", "0.01")].iter().enumerate() {
                let passed = (task + repeat) % 20 != 0;
                let minute = task + at;
                writeln!(
                    text,
                    "{cell},t{task},{repeat},{passed},{cost},,2026-11-0{repeat}T10:{minute:02}:00Z"
                )
                .unwrap();
            }
        }
    }
    text
}

/// The lines that stay where this holds.
fn without(gone: impl Fn(&str) -> bool) -> String {
    let text = good();
    let lines: Vec<_> = text.lines().filter(|line| !gone(line)).collect();
    lines.join("\n") + "\n"
}

/// The text with one line of it changed.
fn with(old: &str, new: &str) -> String {
    assert_eq!(good().matches(old).count(), 1, "{old}");
    good().replace(old, new)
}

#[test]
fn a_whole_file_lets_the_cheaper_cell_win() {
    let document = document(&holding(&good()), &ARGS, 0);
    assert_eq!(words(&document), ["SWITCH"; 2]);
    assert_eq!(document["verdicts"][0]["winner"], "small");
    assert_eq!(document["watch"], serde_json::json!([]));
    assert_eq!(document["notes"], serde_json::json!([]));
}

#[test]
fn missing_rollouts_are_counted_and_nothing_is_claimed() {
    for (text, lost) in [
        (without(|line| line.starts_with("small,t7,")), 3),
        (without(|line| line.starts_with("small,t7,2")), 1),
        (without(|line| line.starts_with("big,t7,")), 3),
        (without(|line| line.contains(",t7,3")), 2),
    ] {
        let project = holding(&text);
        let document = document(&project, &ARGS, 4);
        assert!(
            words(&document).iter().all(|word| *word == "CAN'T TELL"),
            "{document:#}"
        );
        assert_eq!(document["missing"].as_array().unwrap().len(), lost);
        assert_eq!(document["complete"], false);
        let card = analyze(&project, &ARGS).stdout;
        assert!(
            card.contains(&format!("INCOMPLETE: {lost} of 240 planned rollouts")),
            "{card}"
        );
        assert!(
            card.contains("rollouts are not in the files: t7 r"),
            "{card}"
        );
    }
}

#[test]
fn a_rollout_without_a_result_decides_nothing_in_favour() {
    let lost = |line: &str| {
        format!(
            "{},infrastructure_failure,",
            line.rsplit_once(",,").unwrap().0
        )
    };
    let text: Vec<String> = good()
        .lines()
        .map(|line| {
            let is_lost = line.starts_with("small,t3");
            if is_lost {
                lost(&line.replace("true", "").replace("false", ""))
            } else {
                line.to_owned()
            }
        })
        .collect();
    let document = document(&holding(&(text.join("\n") + "\n")), &ARGS, 4);
    assert!(
        words(&document).iter().all(|word| *word != "SWITCH"),
        "{document:#}"
    );
}

#[test]
fn costs_that_are_not_known_win_nothing() {
    let text = without(|_| false).replace("small,t5,1,true,0.01", "small,t5,1,true,");
    let document = document(&holding(&text), &ARGS, 0);
    assert!(
        words(&document).iter().all(|word| *word == "CAN'T TELL"),
        "{document:#}"
    );
    assert_eq!(document["cells"][1]["cost_usd"], serde_json::Value::Null);
}

#[test]
fn a_safety_failure_whose_calls_nobody_counted_keeps_a_cell_out() {
    let text = good().replace(
        "small,t19,1,false,0.01,,",
        "small,t19,1,false,0.01,safety_failure,",
    );
    let document = document(&holding(&text), &ARGS, 0);
    assert!(
        words(&document).iter().all(|word| *word == "STAY"),
        "{document:#}"
    );
}

#[test]
fn a_file_that_contradicts_itself_is_refused_at_its_line() {
    let line = "small,t5,1,true,0.01,,";
    let place = good()
        .lines()
        .position(|other| other.starts_with(line))
        .unwrap()
        + 1;
    for (new, said) in [
        ("small,t5,1,maybe,0.01,,", "passed is `maybe`"),
        ("small,t5,1,true,NaN,,", "`NaN` is no amount"),
        ("small,t5,1,true,-0.01,,", "`-0.01` is no amount"),
        (
            "small,t5,2,true,0.01,,",
            "cell `small`, task `t5`, repeat 2 stands twice",
        ),
        (
            "small,t5,1,true,0.01,task_failure,",
            "outcome is task_failure, and passed is true",
        ),
        ("small,,1,true,0.01,,", "task is empty"),
    ] {
        let output = analyze(&holding(&with(line, new)), &ARGS);
        assert_eq!(
            (output.code, output.stdout.as_str()),
            (Some(2), ""),
            "{new}: {output}"
        );
        assert!(
            output.stderr.contains(said) && output.stderr.contains("help: "),
            "{output}"
        );
        let named = output.stderr.contains(&format!("results.csv:{place}"));
        // The second of two lines that say the same is the one named first.
        let other = output
            .stderr
            .contains(&format!("and results.csv:{place}\n"));
        assert!(named || other, "line {place}: {output}");
    }
}

#[test]
fn a_baseline_that_is_not_there_is_answered_with_those_that_are() {
    let project = holding(&good());
    let said = analyze(&project, &["results.csv", "--baseline", "bigg"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.stderr.contains("there is no cell `bigg` in the files"),
        "{said}"
    );
    assert!(
        said.stderr
            .contains("did you mean `big`? the cells are big, small"),
        "{said}"
    );
}

#[test]
fn a_margin_and_a_bar_count_points() {
    for flags in [
        ["--margin", "0.05"],
        ["--quality-bar", "0.9"],
        ["--margin", "100"],
    ] {
        let said = analyze(&holding(&good()), &[&["results.csv"], &flags[..]].concat());
        assert_eq!(said.code, Some(2), "{said}");
        assert!(
            said.stderr.contains("it counts percentage points"),
            "{said}"
        );
    }
}

#[test]
fn a_scorer_is_asked_for_where_there_are_some() {
    let said = analyze(&holding(&good()), &["results.csv", "--scorer", "match"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr.contains("no file has scorers to choose from"),
        "{said}"
    );
}

#[test]
fn cells_that_ran_on_different_days_are_warned_about() {
    let text: Vec<String> = good()
        .lines()
        .map(|line| {
            if line.starts_with("small") {
                line.replace("2026-11", "2026-12")
            } else {
                line.to_owned()
            }
        })
        .collect();
    let project = holding(&(text.join("\n") + "\n"));
    let card = analyze(&project, &ARGS).stdout;
    let line = "small and big ran in two stretches of time";
    assert!(
        card.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains(line),
        "{card}"
    );
    let document = document(&project, &ARGS, 0);
    assert_eq!(document["watch"][0]["kind"], "ran_apart");
}

#[test]
fn two_files_are_two_cells_where_they_are_named() {
    let text = good();
    let of = |cell: &str| {
        let rows = text
            .lines()
            .filter(|line| line.starts_with(cell) || line.starts_with("cell"));
        let rows = rows.map(|line| line.split_once(',').unwrap().1);
        rows.collect::<Vec<_>>().join("\n") + "\n"
    };
    let project = holding("");
    project
        .write("a.csv", &of("big"))
        .write("b.csv", &of("small"));
    let args = [
        "gpt large=a.csv",
        "org/small=b.csv",
        "--baseline",
        "gpt large",
        "--margin",
        "15",
    ];
    let document = document(&project, &args, 0);
    assert_eq!(document["verdicts"][0]["winner"], "org/small");
    assert_eq!(document["files"].as_array().unwrap().len(), 2);
}

#[test]
fn families_are_the_unit_and_can_be_insisted_on() {
    let head = "cell,task,repeat,passed,family\n";
    let project = holding(&format!("{head}a,t1,1,1,x\na,t2,1,1,x\na,t3,1,0,y\n"));
    let family = document(&project, &["results.csv", "--cluster", "family"], 0);
    assert_eq!(family["settings"]["unit"], "family");
    assert_eq!(family["cells"][0]["pass_rate"]["n"], 2);
    let project = holding(&format!("{head}a,t1,1,1,x\na,t2,1,1,\n"));
    let said = analyze(&project, &["results.csv", "--cluster", "family"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("task `t2` names no family"), "{said}");
}
