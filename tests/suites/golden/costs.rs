//! Cost per success, cost ratios, the variance split and sample sizes.

use crossbar::stats::{self, Arm, CostArm, NoiseShare, PairDesign, Power, Ratio};
use serde_json::Value;

use crate::{bounded, close, close_option, ints, load, num, nums, runs_of, uint};

#[test]
fn cost_per_success() {
    for (i, want) in load("cost_per_success", 8) {
        let passes = ints(&i["passes_per_task"]);
        let runs = runs_of(&i["repeats"], passes.len());
        let costs = nums(&i["cost_per_task"]);
        let arm = CostArm::new(Arm::new(&passes, &runs).unwrap(), &costs).unwrap();
        let got = stats::cost_per_success(&arm, 1.0 - num(&i["level"]), None).unwrap();
        let limits = got.limits.unwrap();
        close_option(
            &format!("ratio {i}"),
            got.ratio,
            bounded(&want["ratio"]),
            0.0,
            1e-8,
        );
        close(&format!("rho {i}"), got.rho, num(&want["rho"]), 1e-12, 1e-8);
        close(
            &format!("lower {i}"),
            limits.lower,
            num(&want["lower"]),
            0.0,
            1e-8,
        );
        close_option(
            &format!("upper {i}"),
            limits.upper,
            bounded(&want["upper"]),
            0.0,
            1e-8,
        );
    }
}

#[test]
fn cost_per_success_with_a_cap() {
    for (i, want) in load("c_cost_capped", 33) {
        let passes = ints(&i["passes_per_task"]);
        let runs = runs_of(&i["repeats"], passes.len());
        let costs = nums(&i["cost_sum_per_task"]);
        let arm = CostArm::new(Arm::new(&passes, &runs).unwrap(), &costs).unwrap();
        let cap = i["cap_per_rollout"].as_f64();
        let got = stats::cost_per_success(&arm, num(&i["alpha"]), cap).unwrap();
        let (cost, limits) = (got.cost.unwrap(), got.limits.unwrap());
        for (name, got) in [
            ("mean_cost", Some(got.mean_cost)),
            ("cost_lower", Some(cost.lower)),
            ("cost_upper", cost.upper),
            ("log_t_upper", cost.log_t_upper),
            ("capped_upper", cost.capped_upper),
            ("pass_rate", Some(got.pass.mean)),
            ("pass_lower", Some(got.pass.lower)),
            ("pass_upper", Some(got.pass.upper)),
            ("ratio", got.ratio),
            ("rho", Some(got.rho)),
            ("lower", Some(limits.lower)),
            ("upper", limits.upper),
        ] {
            close_option(
                &format!("{name} {i}"),
                got,
                bounded(&want[name]),
                1e-12,
                1e-9,
            );
        }
    }
}

#[test]
fn cost_ratio() {
    for (i, want) in load("c_cost_ratio", 27) {
        let (a, b) = (ints(&i["pass_a"]), ints(&i["pass_b"]));
        let runs = runs_of(&i["repeats"], a.len());
        let (cost_a, cost_b) = (nums(&i["cost_sum_a"]), nums(&i["cost_sum_b"]));
        let a = CostArm::new(Arm::new(&a, &runs).unwrap(), &cost_a).unwrap();
        let b = CostArm::new(Arm::new(&b, &runs).unwrap(), &cost_b).unwrap();
        let alpha = num(&i["alpha"]) / num(&i["comparisons"]);
        let got = stats::cost_ratio(&a, &b, alpha, i["cap_per_rollout"].as_f64())
            .unwrap()
            .unwrap();
        let ratio = match got.ratio {
            Ratio::Finite(ratio) => ratio,
            Ratio::Infinite => f64::INFINITY,
            Ratio::Undefined => f64::NAN,
        };
        let wanted = num(&want["success_cost_ratio"]);
        assert!(ratio.is_nan() == wanted.is_nan(), "{i}");
        if !ratio.is_nan() {
            close(&format!("ratio {i}"), ratio, wanted, 1e-9, 1e-9);
        }
        let (saving_lower, saving_upper) = got.saving_limits();
        for (name, got) in [
            ("level", Some(1.0 - alpha)),
            ("cost_ratio", Some(got.mean_ratio)),
            ("cost_ratio_lower", Some(got.mean_limits.lower)),
            ("cost_ratio_upper", Some(got.mean_limits.upper)),
            ("p_cheaper_one_sided", Some(got.mean_p_cheaper)),
            ("phi", Some(got.phi)),
            ("success_cost_ratio_lower", Some(got.limits.lower)),
            ("success_cost_ratio_upper", got.limits.upper),
            ("saving", got.saving()),
            ("saving_lower", saving_lower),
            ("saving_upper", Some(saving_upper)),
        ] {
            close_option(
                &format!("{name} {i}"),
                got,
                bounded(&want[name]),
                1e-9,
                1e-9,
            );
        }
        assert_eq!(
            got.distinguishable(),
            want["distinguishable"].as_bool().unwrap(),
            "{i}"
        );
    }
}

fn compare_split(rows: &Value, want: &Value) {
    let rows: Vec<Vec<u32>> = rows.as_array().unwrap().iter().map(ints).collect();
    let passes: Vec<u32> = rows.iter().map(|row| row.iter().sum()).collect();
    let runs: Vec<u32> = rows.iter().map(|row| row.len() as u32).collect();
    let got = stats::variance_split(Arm::new(&passes, &runs).unwrap());
    let share = |share: NoiseShare| match share {
        NoiseShare::Share(share) => Some(share),
        NoiseShare::NoVariance | NoiseShare::NotEstimable => None,
    };
    for (name, got) in [
        ("ms_within", got.ms_within),
        ("ms_between", got.ms_between),
        ("var_within_unbiased", got.ms_within),
        ("var_between_unbiased", got.between),
        ("n0", got.n0),
        ("noise_share_single_rollout", share(got.share_of_rollout)),
        ("noise_share_of_cell_mean", share(got.share_of_mean)),
    ] {
        if !want[name].is_null() {
            close_option(
                &format!("{name} {rows:?}"),
                got,
                bounded(&want[name]),
                1e-10,
                0.0,
            );
        }
    }
}

#[test]
fn variance_decomposition() {
    for (i, want) in load("variance_decomposition", 6) {
        compare_split(&i["matrix"], &want);
    }
    for (i, want) in load("variance_decomposition_ragged", 3) {
        compare_split(&i["ragged"], &want);
    }
}

#[test]
fn tasks_needed() {
    let mut compared = 0;
    for (i, want) in load("power", 70) {
        if i["kind"] != "tasks_needed" {
            continue; // noncentral t, which nothing here uses
        }
        let design = PairDesign {
            task_variance: num(&i["omega2"]),
            rollout_variance_a: num(&i["sigma2_a"]),
            rollout_variance_b: num(&i["sigma2_b"]),
            repeats: uint(&i["repeats"]) as u32,
        };
        let power = Power {
            alpha: num(&i["alpha"]),
            power: num(&i["power"]),
        };
        let got = stats::tasks_for_design(design, num(&i["delta"]), power).unwrap();
        close(&i.to_string(), got, num(&want), 0.0, 1e-6);
        compared += 1;
    }
    assert!(compared >= 20, "only {compared} cases of the closed form");
}
