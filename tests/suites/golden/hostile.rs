//! The inputs on which statistics of tools like this one went wrong (`cases/G*`): no figure is more
//! certain than its data, and none stands where nothing was measured.

use crossbar::domain::{LimitKind, Outcome};
use crossbar::stats::{self, Arm, NoiseShare, Padding, Pair, Resampling, Units};
use crossbar_suites::results::{Results, infrastructure};
use serde_json::Value;

use crate::{close, close_option, num, uint};

fn case(file: &str) -> String {
    let path = format!("{}/cases/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn cases(file: &str) -> Vec<Value> {
    serde_json::from_str(&case(file)).unwrap()
}

/// The pass rate of the only cell: value, lower, upper, n.
fn rate(results: &Results) -> (f64, f64, f64, u32) {
    let rate = results.analyze().cells[0].pass_rate.unwrap();
    let interval = rate.interval();
    (rate.value(), interval.lo, interval.hi.unwrap(), rate.n())
}

#[test]
fn g01_all_passed_or_all_failed_is_no_certainty() {
    for one in cases("G01.json") {
        let (k, n) = (uint(&one["k"]), uint(&one["n"]));
        let got = stats::wilson(k, n, 0.05).unwrap();
        close(
            &one.to_string(),
            got.lower,
            num(&one["wilson95"][0]),
            6e-5,
            0.0,
        );
        close(
            &one.to_string(),
            got.upper,
            num(&one["wilson95"][1]),
            6e-5,
            0.0,
        );
        let passes: Vec<u32> = (0..n).map(|task| u32::from(task < k)).collect();
        let (value, lower, upper, tasks) =
            rate(&Results::new(n as usize, 1).cell("a+x", 10, &passes));
        assert!((value - k as f64 / n as f64).abs() < 1e-12);
        assert!(upper - lower > 0.16, "{one} {lower} {upper}");
        assert_eq!(u64::from(tasks), n);
    }
}

#[test]
fn g02_an_outage_is_neither_a_wrong_answer_nor_left_out() {
    let lines: Vec<Value> = case("G02.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let end = |at: usize| match lines[at]["outcome"].as_str().unwrap() {
        "pass" => Outcome::Accepted,
        "infra_error" => infrastructure(),
        _ => Outcome::TaskFailure,
    };
    let results = Results::new(lines.len(), 1)
        .cell("a+x", 5, &vec![1; lines.len()])
        .cell("b+x", 10, &vec![1; lines.len()])
        .baseline("b+x")
        .edit("a+x", |at, row| row.outcome = end(at));
    let analysis = results.analyze();
    let cell = &analysis.cells[0];
    assert_eq!((cell.accepted, cell.measured, cell.finished), (3, 5, 22));
    assert_eq!(analysis.completeness.infrastructure, 17);
    let without = cell.rate_without_infrastructure.unwrap();
    assert!((without.value() - 0.6).abs() < 1e-12 && without.n() == 5);
    let operational = cell.pass_rate.unwrap();
    assert!((operational.value() - 3.0 / 22.0).abs() < 1e-12 && operational.n() == 22);
    let like = analysis.comparisons[0].like.as_ref().unwrap();
    assert!(like.direction.is_none() && like.direction_undetermined);
    assert!(!analysis.verdict().claims(), "{:?}", analysis.verdict());
    assert_eq!(cell.note.to_string(), "missing rollouts decide");

    let slow = results.edit("a+x", |_, row| {
        if !row.outcome.is_accepted() {
            row.outcome = Outcome::LimitReached {
                limit: LimitKind::Seconds,
            };
        }
    });
    let cell = &slow.analyze().cells[0];
    assert_eq!(
        (cell.measured, cell.timeouts),
        (22, 19),
        "a time-out is a failure"
    );
    assert_eq!(cell.rate_without_infrastructure, None);
}

#[test]
fn g04_without_a_success_there_is_no_cost_of_one() {
    let all = cases("G04.json");
    let mut results = Results::new(10, 1);
    for one in &all {
        let (name, passes) = (one["cell"].as_str().unwrap(), uint(&one["passes"]));
        let passed: Vec<u32> = (0..10).map(|task| u32::from(task < passes)).collect();
        let micros = (num(&one["usd"]) * 1e5).round() as i64;
        results = results.cell(&format!("{name}+x"), micros, &passed);
    }
    results.rows.retain(|row| row.key.cell.model() != "empty");
    let json = results.json();
    let line = |at: usize| json["cells"][at]["cost_per_success"].clone();
    let names: Vec<_> = all
        .iter()
        .map(|one| one["cell"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["zero", "empty", "free", "ok"]);
    assert_eq!(
        (&line(0)["estimate"], &line(0)["why_not"]),
        (&Value::Null, &"no_success".into())
    );
    assert_eq!(json["cells"][0]["cost"]["known"], 1_230_000);
    assert_eq!(line(1)["estimate"], Value::Null);
    assert_eq!(line(1)["why_not"], "missing_rollouts");
    assert_eq!(num(&line(2)["estimate"]["value"]), 0.0);
    close("ok", num(&line(3)["estimate"]["value"]), 0.2, 1e-12, 0.0);
    let text = json.to_string();
    assert!(!text.contains("NaN") && !text.contains("nfinity"));
    // what all ten failures of "zero" say is a lower limit, and no upper one
    let arm = Arm::new(&[0; 10], &[1; 10]).unwrap();
    let costs = stats::CostArm::new(arm, &[0.123; 10]).unwrap();
    let zero = stats::cost_per_success(&costs, 0.05, None).unwrap();
    let limits = zero.limits.unwrap();
    assert!(zero.ratio.is_none() && limits.upper.is_none());
    close("lower", limits.lower, 0.123 / zero.pass.upper, 1e-12, 0.0);
}

#[test]
fn g05_a_rate_over_nothing_is_no_zero() {
    let mut results = Results::new(4, 3)
        .cell("ran+x", 10, &[3, 2, 3, 3])
        .cell("none+x", 1, &[3; 4])
        .baseline("ran+x");
    results.question.quality_bar = Some(0.01);
    results.rows.retain(|row| row.key.cell.model() == "ran");
    let json = results.json();
    let cell = &json["cells"][1];
    for figure in ["pass_rate", "pack_rate", "mean_score", "latency"] {
        assert_eq!(cell[figure], Value::Null, "{figure}");
    }
    let (analysis, none) = (results.analyze(), results.question.cells[1].id.clone());
    assert_ne!(analysis.verdict().winner(), Some(&none));
    assert_eq!(analysis.verdict().word(), "CAN'T TELL");
    assert_eq!(analysis.best, None);
    assert!(stats::wilson(0, 0, 0.05).is_ok_and(|all| (all.lower, all.upper) == (0.0, 1.0)));
    assert!(Arm::new(&[], &[]).is_err());
}

#[test]
fn g06_repeats_of_a_task_are_no_further_tasks() {
    let file: Value = serde_json::from_str(&case("G06.json")).unwrap();
    let passes: Vec<u32> = crate::ints(&file["per_task_passes_of_20"]);
    let (value, lower, upper, _) = rate(&Results::new(10, 20).cell("a+x", 10, &passes));
    assert_eq!(value, num(&file["mean"]));
    assert!(lower < num(&file["task_bootstrap95"][0]) && upper > num(&file["task_bootstrap95"][1]));
    let twice: Vec<u32> = passes.iter().map(|k| 2 * k).collect();
    let more = rate(&Results::new(10, 40).cell("a+x", 10, &twice));
    close("more repeats", more.1, lower, 1e-12, 0.0);
    close("more repeats", more.2, upper, 1e-12, 0.0);
    let rates: Vec<f64> = passes.iter().map(|k| f64::from(*k) / 20.0).collect();
    let draws = Resampling {
        resamples: 10_000,
        seed: 1,
    };
    let drawn = stats::bootstrap_means(&[&rates], draws, 0.05).unwrap()[0];
    close(
        "bootstrap",
        drawn.lower,
        num(&file["task_bootstrap95"][0]),
        1e-9,
        0.0,
    );
    close(
        "bootstrap",
        drawn.upper,
        num(&file["task_bootstrap95"][1]),
        1e-9,
        0.0,
    );
    let split = stats::variance_split(Arm::new(&passes, &[20; 10]).unwrap());
    assert_eq!(split.share_of_rollout, NoiseShare::Share(0.0));
}

#[test]
fn g07_pairs_stay_pairs_and_none_that_differs_is_no_error() {
    for one in cases("G07.json") {
        let (b, c) = (uint(&one["b"]), uint(&one["c"]));
        let want = num(&one["p_exact"]);
        close(
            &one.to_string(),
            stats::mcnemar(b, c).exact,
            want,
            5e-7,
            0.0,
        );
        let mut differences = vec![1_i64; b as usize];
        differences.extend(vec![-1; c as usize]);
        differences.extend([0; 5]);
        let flip = stats::sign_flip_counts(&differences);
        close("the same by signs", flip.p_two_sided, want, 5e-7, 0.0);
    }
    let twin = Results::new(8, 3)
        .cell("a+x", 10, &[3, 2, 3, 0, 1, 3, 3, 3])
        .cell("b+x", 10, &[3, 2, 3, 0, 1, 3, 3, 3])
        .baseline("a+x");
    let analysis = twin.analyze();
    let like = analysis.comparisons[0].like.as_ref().unwrap();
    assert_eq!((like.plain.value(), like.pattern_p), (0.0, Some(1.0)));
    let these = analysis.comparisons[0].these.as_ref().unwrap();
    close("stratified p of twins", these.difference.p, 1.0, 1e-12, 0.0);
    assert_eq!(analysis.cells[1].note.to_string(), "~ not separable");
}

#[test]
fn g09_k_of_fewer_than_k_is_not_available() {
    for one in cases("G09.json") {
        let count = |key: &str| uint(&one[key]) as u32;
        let (n, c, k) = (count("n"), count("c"), count("k"));
        let wanted = |key: &str| one[key].as_f64();
        let at = stats::pass_at_k(n, c, k);
        close_option(&one.to_string(), at, wanted("pass_at_k"), 5e-7, 0.0);
        let hat = stats::pass_hat_k(n, c, k);
        close_option(&one.to_string(), hat, wanted("pass_hat_k"), 5e-7, 0.0);
    }
    let mut results = Results::new(3, 2).cell("a+x", 10, &[2, 1, 0]);
    results.question.k = Some(5);
    assert!(results.try_analyze().is_err(), "k above the repeats");
}

#[test]
fn g17_one_task_or_one_repeat_says_less() {
    let one_task = Results::new(1, 20)
        .cell("a+x", 10, &[20])
        .cell("b+x", 100, &[2])
        .baseline("b+x")
        .analyze();
    let rate = one_task.cells[0].pass_rate.unwrap();
    assert_eq!((rate.interval().lo, rate.interval().hi), (0.0, Some(1.0)));
    assert!(one_task.comparisons[0].like.is_none());
    assert!(!one_task.verdict_like.claims());
    let once = Results::new(30, 1)
        .cell("a+x", 10, &[vec![1; 20], vec![0; 10]].concat())
        .cell("b+x", 10, &[1; 30])
        .baseline("b+x")
        .analyze();
    assert_eq!(
        (once.cells[0].noise.of, once.cells[0].noise.share),
        (0, None)
    );
    assert_eq!(once.verdict_these, None);
    let interval = once.cells[0].pass_rate.unwrap().interval();
    assert!(
        interval.lo < 0.5 && interval.hi.unwrap() > 0.8,
        "{interval:?}"
    );
}

#[test]
fn where_no_task_differs_the_interval_still_has_a_width() {
    for (tasks, half) in [(4_usize, 0.60), (20, 0.168)] {
        let (passes, runs) = (vec![5; tasks], vec![5; tasks]);
        let arm = Arm::new(&passes, &runs).unwrap();
        let units = Units::tasks(arm);
        let pair = Pair {
            a: &units,
            b: &units,
        };
        let plain = stats::mover(pair, 0.05, Padding::Unpadded).unwrap();
        assert_eq!((plain.diff, plain.phi), (0.0, 0.0));
        close("half the width", plain.upper, half, 0.01, 0.0);
        let padded = stats::mover(pair, 0.05, Padding::Normal).unwrap();
        assert!(padded.upper >= plain.upper && padded.phi <= 0.0);
        assert_eq!(stats::sign_flip(arm, arm).unwrap().p_two_sided, 1.0);
        assert_eq!(stats::stratified_exact(arm, arm).unwrap().p_two_sided, 1.0);
        let split = stats::variance_split(arm);
        assert_eq!(split.share_of_rollout, NoiseShare::NoVariance);
    }
}

#[test]
fn at_two_units_tasks_that_agree_gain_nothing() {
    let (runs, a, b) = ([5; 2], [5, 1], [4, 0]);
    let units = |passes: &[u32]| Units::tasks(Arm::new(passes, &runs).unwrap());
    let (a, b) = (units(&a), units(&b));
    for padding in [Padding::Unpadded, Padding::Normal, Padding::Strict] {
        let got = stats::mover(Pair { a: &a, b: &b }, 0.05, padding).unwrap();
        assert_eq!(got.phi, 0.0, "{padding:?}");
    }
    let against = stats::mover(
        Pair {
            a: &a,
            b: &units(&[0, 4]),
        },
        0.05,
        Padding::Normal,
    )
    .unwrap();
    assert!(against.phi < 0.0);
}
