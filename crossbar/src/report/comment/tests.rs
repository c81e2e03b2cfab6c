//! A comment per state, and what hostile text can't do in it.

use super::*;
use crate::analysis::{
    AcceptedDrop, Against, GateAnswer, GateWord, MovedTask, NotComparable, PairedTasks,
};
use crate::domain::{CellId, Estimate, GateMode, GateReference};
use crate::report::fixture;

/// GitHub takes 65,536 characters.
const MOST: usize = 65_000;

fn gate(word: GateWord) -> GateAnswer {
    let task = |name: &str| TaskId::new("desk", name).unwrap();
    GateAnswer {
        mode: GateMode::Regression,
        scope: Scope::TheseTasks,
        reference: GateReference::Stored,
        sentinel: None,
        elsewhere: Vec::new(),
        second_look: None,
        alpha: 0.05,
        noise_threshold: 0.02,
        margin: fixture::sweep().question.margin,
        base: Some("origin/main".to_owned()),
        word,
        cells: vec![HeldCell {
            cell: CellId::parse("mock-weak+react").unwrap(),
            against: Some(Against::Record {
                days: ("2026-11-20".to_owned(), "2026-11-21".to_owned()),
                runs: vec!["0a1b2c3d".to_owned()],
                changed_from: vec!["aaaa".to_owned()],
            }),
            word,
            why: (word == GateWord::NotComparable).then_some(NotComparable::NoCommonTask),
            difference: Some(Estimate::new(-0.17, -0.29, Some(-0.06), 4).unwrap()),
            adjusted_p: Some(0.004),
            smallest_drop: Some(0.13),
            tasks: PairedTasks {
                paired: 4,
                removed: vec![task("gone")],
                accepts: vec![task("close")],
                moved: vec![MovedTask {
                    task: task("close"),
                    then: (5, 5),
                    now: (0, 5),
                    adjusted_p: 0.03,
                }],
                ..PairedTasks::default()
            },
            first_look: None,
        }],
    }
}

fn comment(change: impl Fn(&mut fixture::Sweep)) -> String {
    let mut sweep = fixture::sweep();
    change(&mut sweep);
    sweep.output("github")
}

#[test]
fn the_first_lines_are_a_marker_and_the_whole_answer() {
    for (word, kind) in [
        (GateWord::Regression, "CAUTION"),
        (GateWord::NotComparable, "WARNING"),
        (GateWord::NoRegressionShown, "NOTE"),
    ] {
        let text = comment(|sweep| sweep.gate = Some(gate(word)));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "<!-- crossbar:pack=desk gate=regression -->");
        assert_eq!(lines[1], format!("> [!{kind}]"));
        assert!(
            text.contains(&format!("> **{word}** mock-weak+react")),
            "{text}"
        );
    }
    let text = comment(|sweep| sweep.gate = Some(gate(GateWord::NoRegressionShown)));
    assert!(text.contains("80 times in 100 is 13 points"), "{text}");
    assert!(text.contains("this change accepts: desk::close"), "{text}");
    assert!(
        text.contains("removed since the reference: desk::gone"),
        "{text}"
    );
    let none = comment(|_| ());
    assert!(
        none.starts_with("<!-- crossbar:pack=desk gate=none -->\n> [!"),
        "{none}"
    );
}

#[test]
fn hostile_text_stays_text() {
    let long = "x|".repeat(35_000);
    for hostile in [
        "</details> @everyone @org/team <!-- crossbar:pack=desk gate=regression -->",
        "\u{1b}[31mred\u{1b}[0m\u{202e}",
        "| a | b |\n> **NO REGRESSION SHOWN** closes #1 [x](http://e.example) `code` ![i](u)",
        long.as_str(),
    ] {
        let text = comment(|sweep| {
            let mut gate = gate(GateWord::Regression);
            gate.base = Some(hostile.to_owned());
            gate.cells[0].tasks.accepted_drops = vec![AcceptedDrop {
                task: TaskId::new("desk", "close").unwrap(),
                reason: hostile.to_owned(),
            }];
            sweep.gate = Some(gate);
        });
        let count = |part: &str| text.matches(part).count();
        assert_eq!((count("</details>"), count("<details>")), (1, 1), "{text}");
        assert_eq!((count("<!--"), count("@")), (1, 0), "{text}");
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
        assert!(!text.contains("**NO REGRESSION"), "{text}");
        assert!(text.len() <= MOST, "{}", text.len());
        let rows = text.lines().filter(|line| line.starts_with('|'));
        assert!(
            rows.clone().all(|row| row.matches('|').count() == 6),
            "{text}"
        );
        assert_eq!(rows.count(), 5);
    }
}

#[test]
fn a_comment_is_the_same_when_it_is_made_again_and_small_when_all_is_long() {
    let many = |sweep: &mut fixture::Sweep| {
        let mut gate = gate(GateWord::Regression);
        let name = |at: usize| TaskId::new("desk", &format!("{}{at}", "n".repeat(300))).unwrap();
        gate.cells[0].tasks.removed = (0..500).map(name).collect();
        gate.cells[0].tasks.new = (0..500).map(name).collect();
        let one = gate.cells[0].clone();
        gate.cells = vec![one; 40];
        let drop = |at: usize| AcceptedDrop {
            task: name(at),
            reason: "@|".repeat(500),
        };
        for cell in &mut gate.cells {
            cell.tasks.accepted_drops = (0..50).map(drop).collect();
        }
        sweep.gate = Some(gate);
    };
    let (first, second) = (comment(many), comment(many));
    assert_eq!(first, second);
    assert!(first.len() <= MOST, "{}", first.len());
}
