//! What each world shows, at a few fixed sweeps.

use super::*;
use crate::calibrate::{Figure, METHODS, Method, PROMISES, Stand, Tally, Word, judge, promise};
use std::collections::BTreeSet;
use std::ops::Range;

/// The first figure of a setting over its first sweeps.
fn figure(setting: &Setting, method: Method, sweeps: u32, what: &'static str) -> Tally {
    figure_of(setting, method, 0..sweeps, what)
}

fn figure_of(setting: &Setting, method: Method, sweeps: Range<u32>, what: &'static str) -> Tally {
    let tallies = setting.run(method, sweeps).unwrap();
    let place = setting.measures.iter().position(|measure| {
        let promised = measure.stand == Stand::Promised(what);
        promised || measure.what == what
    });
    tallies[place.unwrap()]
}

fn quick(world: &str, at: usize) -> Setting {
    settings(Effort::Quick, Some(world)).swap_remove(at)
}

fn word(setting: &Setting, method: Method, sweeps: u32, id: &'static str) -> Word {
    let tally = figure(setting, method, sweeps, id);
    judge(&tally, Figure::Share, promise(id).unwrap().bound).word
}

#[test]
fn every_promise_is_asked_in_both_efforts_and_every_measure_has_its_promise() {
    for effort in [Effort::Quick, Effort::Full] {
        let mut asked = BTreeSet::new();
        let mut labels = BTreeSet::new();
        for setting in settings(effort, None) {
            assert!(labels.insert((setting.world, setting.label.clone())));
            assert!(setting.sweeps > 0);
            for measure in &setting.measures {
                if let Stand::Promised(id) = measure.stand {
                    assert!(promise(id).is_some(), "{id}");
                    asked.insert(id);
                }
            }
        }
        let promised: BTreeSet<_> = PROMISES.iter().map(|promise| promise.id).collect();
        assert_eq!(asked, promised, "{effort:?}");
    }
}

#[test]
fn a_sweep_depends_on_its_number_alone() {
    let setting = quick("costs", 0);
    let whole = setting.run(Method::Shipped, 0..60).unwrap();
    let mut parts = setting.run(Method::Shipped, 0..25).unwrap();
    let rest = setting.run(Method::Shipped, 25..60).unwrap();
    for (part, rest) in parts.iter_mut().zip(&rest) {
        part.merge(rest);
    }
    assert_eq!(whole, parts);
}

#[test]
fn sign_flip_as_a_direction_is_caught_by_the_specialist() {
    let setting = quick("specialist", 0);
    assert_eq!(
        word(&setting, Method::SignFlipDirection, 60, "direction"),
        Word::Fails
    );
    assert_eq!(
        word(&setting, Method::Shipped, 60, "direction"),
        Word::Holds
    );
}

#[test]
fn the_percentile_bootstrap_is_caught_at_four_tasks() {
    let setting = quick("beta", 0);
    assert_eq!(
        word(&setting, Method::BootstrapPercentile, 40, "cell"),
        Word::Fails
    );
    assert_eq!(word(&setting, Method::Shipped, 40, "cell"), Word::Holds);
}

#[test]
fn only_verdicts_have_other_methods() {
    for (_, method, _) in METHODS {
        assert!(quick("beta", 0).takes(*method));
    }
    assert!(quick("costs", 0).takes(Method::Shipped));
    assert!(!quick("costs", 0).takes(Method::BootstrapPercentile));
}

#[test]
fn a_lost_rollout_decides_nothing() {
    let wrong = figure(&quick("missing", 0), Method::Shipped, 20, "missing");
    assert_eq!((wrong.sum(), wrong.n()), (0.0, 20));
}

#[test]
fn the_cap_covers_what_the_plain_interval_misses() {
    let setting = quick("costs", 0);
    let with = figure(&setting, Method::Shipped, 300, "capped-cost").sum();
    let without = figure(&setting, Method::Shipped, 300, "without a cap").sum();
    assert!(with >= 280.0 && without < 220.0, "{with} {without}");
}

/// Two sweeps in which a specialist among 39 has none of its own dead tasks in the sample. Without
/// the padding of the correlation it is called better.
#[test]
fn the_padding_keeps_a_lucky_specialist_from_being_called_better() {
    let setting = quick("dead", 2);
    for sweep in [2, 6] {
        let wrong = |method| setting.run(method, sweep..sweep + 1).unwrap()[0].sum();
        assert_eq!(wrong(Method::UnpaddedCorrelation), 1.0, "{sweep}");
        assert_eq!(wrong(Method::Shipped), 0.0, "{sweep}");
    }
}

#[test]
fn a_clear_loser_is_seen_before_the_last_look() {
    let all = settings(Effort::Quick, Some("adaptive"));
    let gap = all.iter().find(|one| one.label.contains("worse")).unwrap();
    let saved = figure(gap, Method::Shipped, 4, "adaptive-saving");
    assert!(saved.sum() / 4.0 > 0.3, "{saved:?}");
    // of these two one is seen at the first of the looks 3, 5, 7, 10, the other at the third
    let later = figure_of(gap, Method::Shipped, 10..12, "adaptive-saving");
    assert!((later.sum() - 1.0).abs() < 1e-9, "{later:?}");
}
