//! Exact tests and the correction for several of them.

use crossbar::stats::{self, Arm};

use crate::{close, ints, load, num, nums, uint};

#[test]
fn stratified_exact() {
    for (i, want) in load("stratified_exact", 11) {
        let list = |key: &str| ints(&i[key]);
        let (pass_a, runs_a, pass_b, runs_b) =
            (list("pass_a"), list("n_a"), list("pass_b"), list("n_b"));
        let (a, b) = (
            Arm::new(&pass_a, &runs_a).unwrap(),
            Arm::new(&pass_b, &runs_b).unwrap(),
        );
        let got = stats::stratified_exact(a, b).unwrap();
        for (name, got) in [
            ("two_sided_distance", got.p_two_sided),
            ("two_sided_distance_mid_p", got.mid_p),
            ("greater", got.p_greater),
            ("less", got.p_less),
            ("expected_sum", got.expected),
            ("observed_sum", got.observed as f64),
        ] {
            close(&format!("{name} {i}"), got, num(&want[name]), 1e-11, 0.0);
        }
    }
}

#[test]
fn sign_flip() {
    for (i, want) in load("signflip_exact", 35) {
        let differences: Vec<i64> = nums(&i["diff_counts"])
            .into_iter()
            .map(|d| d as i64)
            .collect();
        let got = stats::sign_flip_counts(&differences);
        close(
            &i.to_string(),
            got.p_two_sided,
            num(&want["two_sided"]),
            1e-12,
            0.0,
        );
        close(
            &i.to_string(),
            got.mid_p,
            num(&want["two_sided_mid_p"]),
            1e-12,
            0.0,
        );
        close(
            &i.to_string(),
            got.p_greater,
            num(&want["greater"]),
            1e-12,
            0.0,
        );
    }
}

#[test]
fn sign_flip_unequal_repeats() {
    for (i, want) in load("c_signflip_unequal", 20) {
        let list = |key: &str| ints(&i[key]);
        let (pass_a, runs_a, pass_b, runs_b) = (
            list("pass_a"),
            list("runs_a"),
            list("pass_b"),
            list("runs_b"),
        );
        let (a, b) = (
            Arm::new(&pass_a, &runs_a).unwrap(),
            Arm::new(&pass_b, &runs_b).unwrap(),
        );
        let got = match i["family"].as_array() {
            None => stats::sign_flip(a, b).unwrap(),
            Some(names) => {
                let family: Vec<usize> = names
                    .iter()
                    .map(|name| names.iter().position(|n| n == name).unwrap())
                    .collect();
                stats::sign_flip_families(a, b, &family).unwrap()
            }
        };
        assert_eq!(got.scale, uint(&want["lcm"]), "{i}");
        assert_eq!(serde_json::json!(got.units), want["units"], "{i}");
        close(
            &i.to_string(),
            got.p_two_sided,
            num(&want["two_sided"]),
            1e-12,
            0.0,
        );
        close(
            &i.to_string(),
            got.mid_p,
            num(&want["two_sided_mid_p"]),
            1e-12,
            0.0,
        );
    }
}

#[test]
fn binomial() {
    for (i, want) in load("binomial", 173) {
        let (k, n, p) = (uint(&i["k"]), uint(&i["n"]), num(&i["p"]));
        for (name, got) in [
            ("pmf", stats::binomial_mass(k, n, p)),
            ("cdf", stats::binomial_at_least(n - k, n, 1.0 - p)),
            ("sf_ge", stats::binomial_at_least(k, n, p)),
        ] {
            close(&format!("{name} {i}"), got, num(&want[name]), 1e-13, 1e-9);
        }
    }
}

#[test]
fn mcnemar() {
    for (i, want) in load("mcnemar", 20) {
        let got = stats::mcnemar(uint(&i["b"]), uint(&i["c"]));
        close(&i.to_string(), got.exact, num(&want["exact"]), 1e-12, 0.0);
        close(&i.to_string(), got.mid_p, num(&want["mid_p"]), 1e-12, 0.0);
    }
}

#[test]
fn fisher_exact() {
    for (i, want) in load("fisher_exact", 76) {
        let cell = |key: &str| uint(&i[key]);
        let got = stats::fisher_exact([[cell("a"), cell("b")], [cell("c"), cell("d")]]);
        close(
            &format!("two-sided {i}"),
            got.two_sided,
            num(&want["two_sided"]),
            1e-12,
            1e-8,
        );
        close(
            &format!("less {i}"),
            got.less,
            num(&want["less"]),
            1e-12,
            1e-8,
        );
        close(
            &format!("greater {i}"),
            got.greater,
            num(&want["greater"]),
            1e-12,
            1e-8,
        );
    }
}
