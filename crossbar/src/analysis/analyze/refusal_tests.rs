//! What must never be claimed, each from a sweep that once got a claim out of us.

use super::super::Scope;
use super::super::fixture::{Sweep, cell_id, infrastructure};
use crate::domain::{Cost, CostSource, Price, Usd};

fn dark(_: usize, rollout: &mut crate::domain::Rollout) {
    rollout.outcome = infrastructure();
    rollout.score = None;
    rollout.cost = Cost::Known {
        amount: Usd::ZERO,
        source: CostSource::Modelled,
    };
}

#[test]
fn a_sweep_in_which_nothing_was_measured_claims_nothing() {
    for (first, second) in [(true, true), (true, false), (false, true)] {
        let mut sweep = Sweep::new(12, 5)
            .flat("strong+react", 50_000, 5)
            .flat("weak+react", 500, 5)
            .baseline("strong+react");
        if first {
            sweep = sweep.edit("strong+react", dark);
        }
        if second {
            sweep = sweep.edit("weak+react", dark);
        }
        let analysis = sweep.analyze();
        assert!(
            !analysis.verdict_like.claims(),
            "{:?}",
            analysis.verdict_like
        );
        assert!(!analysis.verdict_these.unwrap().claims());
    }
}

#[test]
fn one_task_says_nothing_about_the_next_however_often_it_was_repeated() {
    let mut sweep = Sweep::new(1, 10).flat("only+react", 500, 10);
    sweep.question.quality_bar = Some(0.5);
    let analysis = sweep.analyze();
    assert_eq!(analysis.verdict().winner(), None);
    let rate = analysis.cells[0].pass_rate.unwrap();
    assert_eq!((rate.interval().lo, rate.interval().hi), (0.0, Some(1.0)));
}

#[test]
fn where_tasks_weigh_differently_the_pack_line_is_silent() {
    let mut passes = vec![5; 12];
    passes[0] = 0;
    let mut sweep = Sweep::new(12, 5)
        .flat("strong+react", 50_000, 5)
        .cell("weak+react", 500, &passes)
        .baseline("strong+react");
    sweep.question.tasks[0].weight = 100.0;
    let analysis = sweep.analyze();
    assert_eq!(analysis.verdict_these, None);
    assert_eq!(analysis.headline, Scope::TasksLikeThese);
    assert_eq!(analysis.verdict().winner(), None);
}

#[test]
fn a_price_without_any_cost_is_a_wrong_count_and_wins_nothing() {
    let mut sweep = Sweep::new(120, 3)
        .flat("paid+react", 900, 3)
        .flat("odd+react", 0, 3)
        .baseline("paid+react");
    sweep.question.cells[1].price = Price::Unknown;
    let analysis = sweep.analyze();
    assert_ne!(analysis.verdict().winner(), Some(&cell_id("odd+react")));
}
