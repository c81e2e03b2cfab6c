//! What holds over all outputs together: one width, no escape byte, the same figures everywhere,
//! no rate without its interval, files that read back.

use super::fixture::{HASH, Sweep, rows, sweep};
use super::visible::{COLUMNS, width};
use super::{FORMATS, Format, Styles, figures, narrow_row, read_sweep, summary, transcript};
use crate::domain::{
    BudgetLimit, BudgetStatus, CellId, Cost, Outcome, Price, SkipReason, Usd, in_steps,
};
use proptest::prelude::*;
use serde_json::Value;

fn painted(format: &Format, sweep: &Sweep, styles: Styles) -> String {
    let mut out = Vec::new();
    (format.render)(&sweep.frozen(), styles, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn unmeasured() -> Sweep {
    let mut sweep = sweep();
    sweep.question.k = Some(2);
    for rollout in sweep
        .rollouts
        .iter_mut()
        .filter(|r| r.key.repeat == 3 && r.key.task.task() == "close")
    {
        rollout.outcome = Outcome::Skipped {
            why: SkipReason::Budget,
        };
        rollout.cost = Cost::Unknown;
    }
    sweep.question.cells[2].price = Price::Unknown;
    sweep.meta.budget = Some(BudgetStatus {
        limit: BudgetLimit::Usd(Usd::from_micros(5_000_000)),
        held: Usd::ZERO,
        spent: Usd::from_micros(1_030_000),
    });
    sweep.again()
}

fn worst_names() -> Sweep {
    let long = format!("mock-{}+{}", "m".repeat(120), "h".repeat(120));
    let other = format!("mock-{}x+{}", "m".repeat(119), "h".repeat(120));
    let mut sweep = Sweep::of(
        2,
        &[
            ("mock-a+b", 5, &[2, 2, 1]),
            (&long, 2, &[1, 0, 0]),
            (&other, 1, &[2, 2, 2]),
        ],
    );
    sweep.question.pack_title = "字\u{1b}[31m\n".repeat(60);
    let mut machine = sweep.meta.made.machines.pop_first().unwrap();
    machine.system = "s".repeat(300);
    sweep.meta.made.machines.insert(machine);
    sweep.again()
}

#[test]
fn the_printed_report_is_the_known_one() {
    assert_eq!(sweep().output("text"), include_str!("snapshots/report.txt"));
}

#[test]
fn rollouts_csv_is_the_known_one() {
    assert_eq!(
        sweep().output("csv"),
        include_str!("snapshots/rollouts.csv")
    );
}

#[test]
fn no_line_is_wider_than_the_page() {
    for sweep in [sweep(), unmeasured(), worst_names()] {
        for format in ["text", "markdown"] {
            for line in sweep.output(format).lines() {
                assert!(width(line) <= COLUMNS, "{} columns: {line}", width(line));
            }
        }
        for rollout in &sweep.rollouts {
            let out = transcript(rollout, Some(&"prompt ".repeat(80)), Styles::Plain);
            assert!(out.lines().all(|line| width(line) <= COLUMNS), "{out}");
        }
    }
}

#[test]
fn plain_outputs_hold_no_escape_byte() {
    let mut sweep = worst_names();
    for rollout in &mut sweep.rollouts {
        rollout.trajectory.final_text = Some("\u{1b}[2J".to_owned());
    }
    for format in FORMATS {
        assert!(
            !painted(format, &sweep, Styles::Plain).contains('\u{1b}'),
            "{}",
            format.name
        );
        let coloured = painted(format, &sweep, Styles::Coloured).contains('\u{1b}');
        assert_eq!(
            coloured,
            format.file.is_none(),
            "{}: only what is printed has colours",
            format.name
        );
    }
}

#[test]
fn every_output_prints_the_data_set() {
    for format in FORMATS {
        assert!(
            sweep().output(format.name).contains(HASH),
            "{}",
            format.name
        );
    }
    assert!(summary(&sweep().frozen()).unwrap().contains(HASH));
}

#[test]
fn colour_changes_nothing_but_colour() {
    let sweep = sweep();
    let text = super::format("text").unwrap();
    let coloured = super::xml::clean(&painted(text, &sweep, Styles::Coloured));
    assert_eq!(coloured, painted(text, &sweep, Styles::Plain));
}

#[test]
fn report_md_is_the_printed_text() {
    let sweep = sweep();
    assert!(
        sweep
            .output("markdown")
            .contains(&format!("```text\n{}```\n", sweep.output("text")))
    );
}

#[test]
fn the_figures_are_the_same_everywhere() {
    let sweep = sweep();
    let outputs =
        ["text", "markdown", "junit"].map(|format| sweep.output(format).replace("&gt;", ">"));
    let json: Value = serde_json::from_str(&sweep.output("json")).unwrap();
    for (index, cell) in sweep.analysis.cells.iter().enumerate() {
        let rate = cell.pass_rate.unwrap();
        for output in &outputs {
            assert!(
                output.contains(&figures::rate_interval(&rate)),
                "{} {}",
                cell.id,
                figures::rate(&rate)
            );
        }
        let read = &json["analysis"]["cells"][index]["pass_rate"];
        assert_eq!(
            figures::rate_point(&rate),
            format!(
                "{:.1}%",
                in_steps(read["value"].as_f64().unwrap(), 1e3) / 10.0
            )
        );
        assert!((read["interval"]["lo"].as_f64().unwrap() - rate.interval().lo).abs() < 1e-12);
    }
    assert_eq!(
        json["verdict"]["word"],
        Value::from(sweep.analysis.verdict().word())
    );
}

#[test]
fn sweep_json_reads_back_into_the_same_report() {
    let mut cut_short = sweep();
    cut_short.rollouts.truncate(30);
    for before in [sweep(), unmeasured(), cut_short.again()] {
        let text = before.output("json");
        let read = read_sweep(&text).unwrap();
        assert_eq!(
            (&read.rollouts, &read.planned),
            (&before.rollouts, &before.planned)
        );
        let mut after = before.clone();
        (after.question, after.planned, after.rollouts) =
            (read.question, read.planned, read.rollouts);
        (after.meta, after.unknown) = (read.meta, read.unknown);
        let after = after.again();
        for format in FORMATS {
            assert_eq!(
                after.output(format.name),
                before.output(format.name),
                "{}",
                format.name
            );
        }
    }
}

#[test]
fn sweep_json_of_another_schema_is_refused_with_its_version() {
    let text = sweep()
        .output("json")
        .replacen("\"schema_version\": 1", "\"schema_version\": 7", 1);
    assert!(
        read_sweep(&text)
            .unwrap_err()
            .to_string()
            .contains("schema_version 7")
    );
    assert!(read_sweep("{}").is_err());
}

#[test]
fn nothing_passed_is_n_a_and_null() {
    let sweep = Sweep::of(2, &[("mock-a+b", 5, &[2, 2]), ("mock-c+d", 2, &[0, 0])]);
    let text = sweep.output("text");
    let row = text
        .lines()
        .find(|line| line.starts_with("mock-c+d "))
        .unwrap();
    assert!(row.contains(" n/a "), "{row}");
    assert!(
        text.contains("cost per success: none (0 successes)"),
        "{text}"
    );
    let json: Value = serde_json::from_str(&sweep.output("json")).unwrap();
    assert_eq!(
        json["analysis"]["cells"][1]["cost_per_success"]["estimate"],
        Value::Null
    );
}

#[test]
fn an_unknown_cost_is_called_unknown_and_an_unfinished_sweep_incomplete() {
    let text = unmeasured().output("text");
    let row = text
        .lines()
        .find(|line| line.starts_with("mock-weak+react "))
        .unwrap();
    assert!(row.contains("unknown") && !row.contains("$0.00 "), "{row}");
    assert!(
        text.contains("INCOMPLETE: 3 of 36 planned rollouts have no result (3 skipped: the budget"),
        "{text}"
    );
    assert!(
        text.contains(
            "$1.03 spent and $0.00 held of $5.00; price: unknown for mock-weak+react-verify"
        ),
        "{text}"
    );
    assert!(
        text.contains("PASS@2 (capability)") && text.contains("TRIALS"),
        "{text}"
    );
}

#[test]
fn free_cells_say_so_in_the_budget_line() {
    let mut sweep = Sweep::of(
        2,
        &[
            ("smol+single-shot", 0, &[2, 1]),
            ("smol+text-json", 0, &[1, 1]),
        ],
    );
    for cell in &mut sweep.question.cells {
        cell.price = Price::Free;
    }
    let text = sweep.again().output("text");
    assert!(
        text.lines()
            .any(|line| line.contains("BUDGET") && line.contains("price: free")),
        "{text}"
    );
    assert!(text.contains("all cells: price: free"), "{text}");
    assert!(!text.contains("DEMO"));
}

#[test]
fn a_winner_is_named_only_by_a_switch_or_a_pick() {
    let all = [5_u32; 60];
    let switch = Sweep::of(5, &[("a+h", 20_000, &all), ("b+h", 100, &all)]);
    let text = switch.output("text");
    assert_eq!(switch.analysis.verdict().word(), "SWITCH");
    assert!(
        text.contains("  WINNER         b+h") && !text.contains("CONTENDER"),
        "{text}"
    );
    assert!(
        text.contains(">> SWITCH to b+h") && text.contains("Savings: 99."),
        "{text}"
    );
    let open = sweep().output("text");
    assert!(
        open.contains("CONTENDER") && !open.contains("WINNER") && open.contains("Savings: $0.00")
    );
}

#[test]
fn a_clear_loss_is_significant_and_stays_with_the_baseline() {
    let sweep = Sweep::of(5, &[("a+h", 20_000, &[5; 40]), ("b+h", 100, &[0; 40])]);
    let text = sweep.output("text");
    assert!(
        text.contains("SIGNIFICANT at 95%: worse (MOVER, p<0.001, Holm)"),
        "{text}"
    );
    assert!(
        text.contains(">> STAY with a+h") && text.contains("OUT            b+h: shown worse"),
        "{text}"
    );
}

#[test]
fn one_cell_alone_is_reported_without_a_comparison() {
    let mut sweep = Sweep::of(2, &[("mock-a+b", 5, &[2, 1])]);
    sweep.question.baseline = None;
    let text = sweep.again().output("text");
    assert!(
        text.contains("  CELL           mock-a+b")
            && text.contains(">> NOTHING TO COMPARE")
            && !text.contains("QUALITY DELTA"),
        "{text}"
    );
}

#[test]
fn cells_that_are_not_separable_get_no_rank_and_no_superlative() {
    let text = sweep().output("text");
    assert!(
        !text.contains(" best") && !text.contains("rank ") && !text.contains("#1"),
        "{text}"
    );
    assert!(text.contains("~ not separable from the baseline by the paired test"));
}

#[test]
fn the_hash_covers_results_and_neither_times_nor_texts() {
    let sweep = sweep();
    let hashed =
        |sweep: &Sweep| -> Vec<Value> { rows(&sweep.rollouts).iter().map(narrow_row).collect() };
    let before = hashed(&sweep);
    let mut later = sweep.clone();
    later.rollouts[0].started_at = "2030-01-01T00:00:00.000Z".to_owned();
    later.rollouts[0].worked_ms = 9;
    assert_eq!(hashed(&later), before);
    let failed = later
        .rollouts
        .iter()
        .position(|r| r.outcome == Outcome::TaskFailure)
        .unwrap();
    later.rollouts[failed].outcome = Outcome::SafetyFailure;
    assert_ne!(hashed(&later), before);
    later = sweep.clone();
    later.rollouts[0].key.cell = CellId::new("other", "cell").unwrap();
    assert_ne!(hashed(&later), before);
}

/// Every percentage in a text: the words before the sign and what follows it.
fn percentages(text: &str) -> Vec<(String, String)> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let at = text.match_indices('%').map(|(at, _)| at);
    at.map(|at| {
        let before: Vec<_> = text[..at].split(' ').rev().take(2).collect();
        (
            before.into_iter().rev().collect::<Vec<_>>().join(" "),
            text[at + 1..].chars().take(4).collect(),
        )
    })
    .collect()
}

fn above_failures(sweep: &Sweep) -> String {
    let text = sweep.output("text");
    text.split("\nFAILURE TAXONOMY").next().unwrap().to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_percentage_stands_without_its_interval(
        passes in prop::collection::vec(prop::array::uniform3(0_u32..=3), 2..12),
        costs in prop::array::uniform3(0_i64..50_000),
    ) {
        let arm = |cell: usize| passes.iter().map(|task| task[cell]).collect::<Vec<_>>();
        let (a, b, c) = (arm(0), arm(1), arm(2));
        let sweep = Sweep::of(3, &[("a+h", costs[0], &a), ("b+h", costs[1], &b), ("c+h", costs[2], &c)]);
        let text = above_failures(&sweep);
        for (before, after) in percentages(&text) {
            let is_level = before.ends_with("at 95") || after == " CI " || after == " pow";
            prop_assert!(is_level || after.starts_with(" ["), "{}% {} in\n{}", before, after, text);
        }
        for line in text.lines() {
            prop_assert!(width(line) <= COLUMNS, "{}", line);
        }
        for cell in &sweep.analysis.cells {
            let all = cell.accepted == cell.finished;
            prop_assert_eq!(figures::rate_point(&cell.pass_rate.unwrap()) == "100.0%", all);
        }
    }
}
