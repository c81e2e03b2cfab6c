//! Special functions and the intervals of one cell.

use crossbar::stats::{self, Arm, DrawnMeans, FamilyWeight, Pair, Resampling, Units};
use serde_json::Value;

use crate::{
    bounded, close, close_option, compare_difference, ints, load, num, nums, padding_of, runs_of,
    uint,
};

/// What a file calls a function, of its own arguments; `None` for one that no method here needs.
fn special(i: &Value) -> Option<f64> {
    let at = |key: &str| num(&i[key]);
    let count = |key: &str| uint(&i[key]);
    Some(match i["fn"].as_str().unwrap() {
        "norm_ppf" => stats::normal_quantile(at("p")),
        "norm_cdf" => stats::normal_cdf(at("x")),
        "t_ppf" => stats::t_quantile(at("p"), at("df")),
        "t_cdf" => stats::t_cdf(at("x"), at("df")),
        "betainc" => stats::beta_cdf(at("x"), at("a"), at("b")),
        "beta_ppf" => stats::beta_quantile(at("p"), at("a"), at("b")),
        "lgamma" => stats::ln_gamma(at("x")),
        "binom_pmf" => stats::binomial_mass(count("k"), count("n"), at("rate")),
        "binom_cdf" => {
            let failures = count("n") - count("k");
            stats::binomial_at_least(failures, count("n"), 1.0 - at("rate"))
        }
        "binom_sf" => stats::binomial_at_least(count("k"), count("n"), at("rate")),
        "chi2_sf" => return None,
        other => panic!("unknown function {other}"),
    })
}

#[test]
fn special_functions() {
    let mut compared = 0;
    for (i, want) in load("special_functions", 431) {
        if let Some(got) = special(&i) {
            close(&i.to_string(), got, num(&want), 1e-12, 1e-9);
            compared += 1;
        }
    }
    assert_eq!(compared, 401);
}

#[test]
fn special_functions_far_into_the_tails() {
    for (i, want) in load("special_functions_tails", 542) {
        let got = special(&i).unwrap();
        close(&i.to_string(), got, num(&want), 0.0, 1e-10);
    }
}

#[test]
fn quantile_type7() {
    for (i, want) in load("quantile_type7", 54) {
        let mut x = nums(&i["x"]);
        x.sort_by(f64::total_cmp);
        close(
            &i.to_string(),
            stats::quantile(&x, num(&i["q"])).unwrap(),
            num(&want),
            1e-12,
            0.0,
        );
    }
}

#[test]
fn wilson() {
    for (i, want) in load("wilson", 366) {
        let got = stats::wilson(uint(&i["k"]), uint(&i["n"]), 1.0 - num(&i["level"])).unwrap();
        close(&format!("lower {i}"), got.lower, num(&want[0]), 1e-10, 0.0);
        close(&format!("upper {i}"), got.upper, num(&want[1]), 1e-10, 0.0);
    }
}

#[test]
fn clopper_pearson() {
    for (i, want) in load("clopper_pearson", 366) {
        let got =
            stats::clopper_pearson(uint(&i["k"]), uint(&i["n"]), 1.0 - num(&i["level"])).unwrap();
        close(&format!("lower {i}"), got.lower, num(&want[0]), 1e-9, 0.0);
        close(&format!("upper {i}"), got.upper, num(&want[1]), 1e-9, 0.0);
    }
}

fn compare_cell(what: &str, units: &Units, alpha: f64, want: &Value) {
    let got = stats::korn_graubard(units, alpha).unwrap();
    for (name, got) in [
        ("mean", got.mean),
        ("lower", got.lower),
        ("upper", got.upper),
        ("deff", got.deff),
        ("n_eff", got.n_eff),
        ("n_weight", got.n_weight),
    ] {
        if !want[name].is_null() {
            close(&format!("{name} {what}"), got, num(&want[name]), 1e-9, 0.0);
        }
    }
}

#[test]
fn padded_korn_graubard() {
    for (i, want) in load("padded_korn_graubard", 41) {
        let alpha = 1.0 - num(&i["level"]);
        let units = if i["scores"].is_array() {
            Units::graded(&nums(&i["scores"])).unwrap()
        } else {
            let passes = ints(&i["passes"]);
            let runs = runs_of(&i["repeats"], passes.len());
            Units::tasks(Arm::new(&passes, &runs).unwrap())
        };
        compare_cell(&i.to_string(), &units, alpha, &want);
    }
}

/// The family number of every task, from family sizes.
fn family_of(sizes: &[u32]) -> Vec<usize> {
    sizes
        .iter()
        .enumerate()
        .flat_map(|(family, &size)| vec![family; size as usize])
        .collect()
}

#[test]
fn weighted_units() {
    for (i, want) in load("c_weighted_kg", 54) {
        match i["kind"].as_str().unwrap() {
            "strata" => compare_cell(&i.to_string(), &strata(&i), num(&i["alpha"]), &want),
            "families" => {
                let weight = match i["estimand"].as_str().unwrap() {
                    "task_weighted" => FamilyWeight::ByTasks,
                    _ => FamilyWeight::Equal,
                };
                let units = families(&i, "passes", weight);
                compare_cell(&i.to_string(), &units, num(&i["alpha"]), &want);
            }
            "mover" => {
                let weights = nums(&i["task_weights"]);
                let weighted = |key: &str| {
                    let passes = ints(&i[key]);
                    let runs = runs_of(&i["repeats"], passes.len());
                    Units::weighted(Arm::new(&passes, &runs).unwrap(), &weights).unwrap()
                };
                compare_pair(&i, &weighted("pass_a"), &weighted("pass_b"), &want);
            }
            _ => {
                let by_tasks = |key| families(&i, key, FamilyWeight::ByTasks);
                compare_pair(&i, &by_tasks("pass_a"), &by_tasks("pass_b"), &want);
            }
        }
    }
}

fn strata(i: &Value) -> Units {
    let (passes, sizes) = (ints(&i["passes"]), ints(&i["stratum_sizes"]));
    let shares = nums(&i["stratum_weights"]);
    let weight = |h: usize| shares[h] / f64::from(sizes[h]);
    let weights: Vec<f64> = family_of(&sizes).into_iter().map(weight).collect();
    let runs = runs_of(&i["repeats"], passes.len());
    Units::weighted(Arm::new(&passes, &runs).unwrap(), &weights).unwrap()
}

fn families(i: &Value, key: &str, weight: FamilyWeight) -> Units {
    let (passes, family) = (ints(&i[key]), family_of(&ints(&i["family_sizes"])));
    let runs = runs_of(&i["repeats"], passes.len());
    Units::families(Arm::new(&passes, &runs).unwrap(), &family, weight).unwrap()
}

fn compare_pair(i: &Value, a: &Units, b: &Units, want: &Value) {
    let what = i.to_string();
    let got = stats::mover(Pair { a, b }, num(&i["alpha"]), padding_of(i)).unwrap();
    close(&what, a.n_weight(), num(&want["n_weight"]), 1e-9, 0.0);
    compare_difference(&what, got, want);
}

/// Means of fifths move in steps of this; those of other values in none.
fn lattice_step(x: &[f64]) -> f64 {
    let fifths = x.iter().all(|v| ((v * 5.0).round() - v * 5.0).abs() < 1e-9);
    if fifths {
        0.2 / x.len() as f64 + 1e-9
    } else {
        0.0
    }
}

#[test]
fn bootstrap_percentile() {
    for (i, want) in load("bootstrap", 4) {
        let (x, want) = (nums(&i["x"]), &want["percentile"]);
        let resampling = Resampling {
            resamples: 40_000,
            seed: 20,
        };
        let got = stats::bootstrap_means(&[&x], resampling, 0.05).unwrap()[0];
        let sd = nums(&want["seed_sd_at_40000"]);
        let step = lattice_step(&x);
        close(
            &format!("low {i}"),
            got.lower,
            num(&want["low"]),
            6.0 * sd[0] + step,
            0.0,
        );
        close(
            &format!("high {i}"),
            got.upper,
            num(&want["high"]),
            6.0 * sd[1] + step,
            0.0,
        );
    }
}

#[test]
fn bootstrap_bca() {
    for (i, want) in load("bootstrap", 4) {
        let x = nums(&i["x"]);
        let resampling = Resampling {
            resamples: 40_000,
            seed: 21,
        };
        let drawn = DrawnMeans::new(&[&x], resampling).unwrap();
        let got = drawn.bca(0.05).unwrap()[0];
        let acceleration = num(&want["bca_acceleration"]);
        close(&i.to_string(), got.acceleration, acceleration, 1e-10, 0.0);
        let (limits, want) = (got.limits.unwrap(), &want["BCa"]);
        let sd = nums(&want["seed_sd_at_40000"]);
        let step = lattice_step(&x);
        let ends = [(limits.lower, "low"), (limits.upper, "high")];
        for ((got, name), sd) in ends.into_iter().zip(sd) {
            let what = format!("{name} {i}");
            close(&what, got, num(&want[name]), 6.0 * sd + step, 0.0);
        }
    }
}

#[test]
fn pass_k() {
    for (i, want) in load("pass_k", 200) {
        let at = |key: &str| uint(&i[key]) as u32;
        let (n, c, k) = (at("n"), at("c"), at("k"));
        let both = [
            ("pass_at_k", stats::pass_at_k(n, c, k)),
            ("pass_hat_k", stats::pass_hat_k(n, c, k)),
        ];
        for (name, got) in both {
            let want = if want.is_null() || want[name] == "nan" {
                None
            } else {
                bounded(&want[name])
            };
            close_option(&format!("{name} {i}"), got, want, 1e-13, 0.0);
        }
    }
}
