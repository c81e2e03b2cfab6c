//! Whole sweeps, from rollouts to the words on the card.

use super::super::fixture::{Sweep, cell_id};
use super::super::{
    Analysis, Cheaper, ClosedBy, Lack, NeedKind, NoCostPerSuccess, Scope, Undecided, Verdict,
};
use crate::domain::Cost;

fn notes(analysis: &Analysis) -> Vec<String> {
    analysis
        .cells
        .iter()
        .map(|cell| cell.note.to_string())
        .collect()
}

pub(super) fn seed() -> Sweep {
    Sweep::new(4, 5)
        .cell("strong+react-verify", 60_000, &[5, 5, 5, 5])
        .cell("weak+react-verify", 500, &[5, 5, 5, 4])
        .cell("strong+react", 51_000, &[5, 5, 4, 5])
        .cell("weak+react", 500, &[5, 3, 3, 1])
        .baseline("strong+react")
}

/// A cheap twin of the baseline on many tasks, and a cheap cell that is hopeless.
pub(super) fn decided(tasks: usize) -> Sweep {
    Sweep::new(tasks, 5)
        .flat("strong+react", 50_000, 5)
        .flat("weak+react", 500, 1)
        .flat("weak+verify", 600, 5)
        .baseline("strong+react")
}

#[test]
fn the_matrix_of_four_tasks_ranks_nobody() {
    let analysis = seed().analyze();
    assert_eq!(
        notes(&analysis),
        [
            "~ not separable",
            "~ not separable",
            "baseline",
            "~ not separable, on this pack only: worse",
        ]
    );
    assert_eq!(analysis.headline, Scope::TheseTasks);
    assert_eq!(analysis.verdict().word(), "CAN'T TELL");
    assert_eq!(analysis.verdict_like.word(), "CAN'T TELL");
    assert_eq!(analysis.subject(), Some(&cell_id("weak+react-verify")));
    let rate = analysis
        .cell(&cell_id("strong+react"))
        .unwrap()
        .pass_rate
        .unwrap();
    assert!(
        (rate.value() - 0.95).abs() < 1e-12 && rate.interval().lo < 0.36,
        "{rate:?}"
    );
}

#[test]
fn a_cheap_twin_on_many_tasks_is_a_switch_in_both_scopes() {
    let analysis = decided(120).analyze();
    let expected = Verdict::Switch {
        cell: cell_id("weak+verify"),
        qualified: vec![cell_id("weak+verify")],
    };
    assert_eq!(analysis.verdict_like, expected);
    assert_eq!(analysis.verdict_these, Some(expected));
    assert_eq!(analysis.headline, Scope::TasksLikeThese);
    assert_eq!(
        notes(&analysis),
        ["baseline", "worse", "non-inferior (-5pp)"]
    );
    let cost = analysis.comparison(&cell_id("weak+verify")).unwrap().cost;
    assert!(cost.distinguishable && cost.cheaper == Cheaper::Shown);
    assert!((cost.saving.unwrap().value() - 0.988).abs() < 1e-9);
}

#[test]
fn swapping_the_two_models_swaps_the_verdict() {
    let swapped = Sweep::new(120, 5)
        .flat("strong+react", 600, 5)
        .flat("weak+verify", 50_000, 5)
        .baseline("strong+react");
    let analysis = swapped.analyze();
    assert_eq!(analysis.verdict().word(), "STAY");
    let Verdict::Stay { closed } = analysis.verdict() else {
        panic!()
    };
    assert_eq!(closed[0].why, ClosedBy::NotCheaper);
    let back = Sweep::new(120, 5)
        .flat("strong+react", 600, 5)
        .flat("weak+verify", 50_000, 5)
        .baseline("weak+verify");
    assert_eq!(back.analyze().subject(), Some(&cell_id("strong+react")));
    assert_eq!(back.analyze().verdict().word(), "SWITCH");
}

#[test]
fn challengers_that_are_all_worse_or_dearer_mean_stay() {
    let analysis = Sweep::new(40, 5)
        .flat("base+react", 1_000, 5)
        .flat("bad+react", 10, 1)
        .flat("dear+react", 90_000, 5)
        .baseline("base+react")
        .analyze();
    let Verdict::Stay { closed } = analysis.verdict() else {
        panic!("{:?}", analysis.verdict())
    };
    let why: Vec<ClosedBy> = closed.iter().map(|c| c.why).collect();
    assert_eq!(why, [ClosedBy::Worse, ClosedBy::NotCheaper]);
}

#[test]
fn one_hopeless_cell_of_forty_does_not_hide_the_answer() {
    let mut sweep = Sweep::new(150, 3).flat("base+react", 50_000, 3);
    for i in 0..38 {
        sweep = sweep.flat(&format!("m{i}+react"), 400, 1);
    }
    let half: Vec<u32> = (0..150).map(|i| if i % 6 == 0 { 2 } else { 3 }).collect();
    let sweep = sweep
        .flat("good+react", 900, 3)
        .cell("open+react", 300, &half);
    let analysis = sweep.baseline("base+react").analyze();
    let expected = Verdict::Switch {
        cell: cell_id("good+react"),
        qualified: vec![cell_id("good+react")],
    };
    assert_eq!(analysis.verdict(), &expected);
}

#[test]
fn no_baseline_picks_the_cheapest_cell_over_the_bar() {
    let mut sweep = decided(60);
    sweep.question.baseline = None;
    assert_eq!(sweep.analyze().verdict().word(), "CAN'T TELL");
    sweep.question.quality_bar = Some(0.9);
    let analysis = sweep.analyze();
    assert_eq!(analysis.verdict_like.word(), "PICK");
    assert_eq!(analysis.verdict().winner(), Some(&cell_id("weak+verify")));
    sweep.question.quality_bar = Some(0.99);
    let Verdict::CannotTell { why, open, closed } = sweep.analyze().verdict_like else {
        panic!()
    };
    assert_eq!(why, Undecided::NoneClearsBar);
    assert_eq!((open.len(), closed.len()), (2, 1));
    assert_eq!(open[0].needs[0].what, NeedKind::Tasks);
}

#[test]
fn an_unknown_cost_never_wins() {
    let sweep = decided(120).edit("weak+verify", |i, r| {
        if i == 0 {
            r.cost = Cost::Unknown;
        }
    });
    let analysis = sweep.analyze();
    let Verdict::CannotTell { open, .. } = analysis.verdict() else {
        panic!("{:?}", analysis.verdict())
    };
    assert_eq!(open[0].lacks, [Lack::Cost]);
    let line = analysis.cells[2].cost_per_success;
    assert_eq!(
        (line.estimate, line.why_not),
        (None, Some(NoCostPerSuccess::UnknownCost))
    );
    assert_eq!(analysis.cells[2].cost.total(), None);
}

#[test]
fn what_is_free_on_purpose_is_cheaper_for_certain() {
    let analysis = Sweep::new(120, 3)
        .flat("paid+react", 900, 3)
        .flat("own+react", 0, 3)
        .baseline("paid+react")
        .analyze();
    assert_eq!(analysis.verdict().winner(), Some(&cell_id("own+react")));
}

#[test]
fn a_score_decides_nothing() {
    let sweep = |scored: &str, half: f64| {
        let cells = Sweep::new(120, 5).flat("strong+react", 50_000, 5);
        let cells = cells.flat("one+x", 600, 5).flat("two+x", 500, 5);
        cells.baseline("strong+react").edit(scored, |_, rollout| {
            rollout.score.as_mut().unwrap().completion = half;
        })
    };
    for (scored, completion) in [("one+x", 1.0), ("one+x", 0.5), ("two+x", 0.5)] {
        let analysis = sweep(scored, completion).analyze();
        let winner = analysis.verdict().winner();
        assert_eq!(winner, Some(&cell_id("two+x")), "{scored} {completion}");
    }
}
