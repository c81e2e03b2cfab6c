//! Alpha spending and the joint sign-flip test over several looks.

use crossbar::stats::{self, FlipDraws, Looks, SequentialFlip, Spending};
use serde_json::Value;

use crate::{close, load, num, nums};

fn spending(input: &Value) -> Spending {
    match input["kind"].as_str().unwrap() {
        "pocock" => Spending::Pocock,
        _ => Spending::OBrienFleming,
    }
}

/// All cases are small enough that every sign vector is taken.
fn test(input: &Value) -> (Looks, SequentialFlip) {
    let amounts: Vec<u64> = nums(&input["looks"]).iter().map(|r| *r as u64).collect();
    let looks = Looks::new(spending(input), num(&input["alpha"]), &amounts).unwrap();
    let tasks = input["cum_diff_counts"].as_array().unwrap();
    let at_look: Vec<Vec<i64>> = (0..amounts.len())
        .map(|k| tasks.iter().map(|path| path[k].as_i64().unwrap()).collect())
        .collect();
    let at_look: Vec<&[i64]> = at_look.iter().map(Vec::as_slice).collect();
    let draws = FlipDraws { drawn: 1, seed: 0 };
    let got = stats::sequential_flip(&at_look, &looks, draws).unwrap();
    (looks, got)
}

fn stop_of(want: &Value) -> Option<usize> {
    want["stop_index"].as_u64().map(|stop| stop as usize)
}

#[test]
fn spending_and_stops() {
    for (i, want) in load("group_sequential", 52) {
        if want.is_number() {
            let spent = spending(&i).spent(num(&i["alpha"]), num(&i["t"])).unwrap();
            close(&i.to_string(), spent, num(&want), 1e-12, 0.0);
            continue;
        }
        let (looks, got) = test(&i);
        for (got, want) in looks.spent().iter().zip(nums(&want["cumulative_alpha"])) {
            close(&i.to_string(), *got, want, 1e-12, 0.0);
        }
        assert_eq!(got.stop, stop_of(&want), "{i}");
    }
}

#[test]
fn traces_of_the_adopted_rule() {
    let mut told_apart = 0;
    for (i, want) in load("c_group_sequential", 26) {
        let (_, got) = test(&i);
        assert_eq!(got.stop, stop_of(&want), "{i}");
        told_apart += u32::from(want["stop_index"] != want["stop_index_of_wrong_rule"]);
        let trace = want["trace"].as_array().unwrap();
        assert_eq!(got.looks.len(), trace.len(), "{i}");
        for (got, want) in got.looks.iter().zip(trace) {
            let got = serde_json::json!([got.allowed, got.cut, got.rejected]);
            assert_eq!(&got, want, "{i}");
        }
    }
    assert_eq!(told_apart, 16);
}
