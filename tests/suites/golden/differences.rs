//! Intervals of a difference, the claims made from them, and what is said where nothing can be claimed.

use crossbar::stats::{self, Arm, Direction, Padding, Pair, PairedPhi, PairedTable, Units};
use serde_json::Value;

use crate::{
    bounded, close, close_option, compare_difference, ints, load, num, padding_of, runs_of, uint,
};

/// Equal-repeat cells of one file case as units.
fn units_of(passes: &Value, repeats: &Value) -> Units {
    let passes = ints(passes);
    let runs = runs_of(repeats, passes.len());
    Units::tasks(Arm::new(&passes, &runs).unwrap())
}

#[test]
fn mover_padded() {
    for (i, want) in load("c_mover_padded", 208) {
        let (a, b) = (
            units_of(&i["pass_a"], &i["repeats"]),
            units_of(&i["pass_b"], &i["repeats"]),
        );
        let got = stats::mover(Pair { a: &a, b: &b }, num(&i["alpha"]), padding_of(&i)).unwrap();
        compare_difference(&i.to_string(), got, &want);
    }
}

#[test]
fn mover_without_padding() {
    for (i, want) in load("mover_paired_difference", 22) {
        let (a, b) = (
            units_of(&i["pass_a"], &i["repeats"]),
            units_of(&i["pass_b"], &i["repeats"]),
        );
        let alpha = 1.0 - num(&i["level"]);
        let got = stats::mover(Pair { a: &a, b: &b }, alpha, Padding::Unpadded).unwrap();
        for (name, got) in [
            ("diff", got.diff),
            ("phi", got.phi),
            ("lower", got.lower),
            ("upper", got.upper),
        ] {
            close(&format!("{name} {i}"), got, num(&want[name]), 1e-9, 0.0);
        }
    }
}

#[test]
fn one_outcome_per_task_and_arm() {
    for (i, want) in load("paired_proportions", 30) {
        let table = PairedTable {
            both: uint(&i["both"]),
            only_a: uint(&i["only_a"]),
            only_b: uint(&i["only_b"]),
            neither: uint(&i["neither"]),
        };
        let alpha = 1.0 - num(&i["level"]);
        let newcombe = |phi| stats::newcombe_paired(table, phi, alpha).unwrap();
        let wanted = &want["newcombe"];
        for (got, want) in [
            (
                newcombe(PairedPhi::Corrected),
                &wanted["method10_corrected_phi"],
            ),
            (newcombe(PairedPhi::Plain), &wanted["method10_plain_phi"]),
            (stats::tango(table, alpha).unwrap(), &want["tango"]),
            (
                stats::agresti_min(table, alpha).unwrap(),
                &want["agresti_min"],
            ),
        ] {
            close(&format!("lower {i}"), got.lower, num(&want[0]), 1e-8, 0.0);
            close(&format!("upper {i}"), got.upper, num(&want[1]), 1e-8, 0.0);
        }
        close(
            &i.to_string(),
            table.difference(),
            num(&want["diff"]),
            1e-12,
            0.0,
        );
    }
}

#[test]
fn directional_holm() {
    for (i, want) in load("c_directional_holm", 30) {
        let base = units_of(&i["baseline"], &i["repeats"]);
        let cells: Vec<Units> = i["cells"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| units_of(c, &i["repeats"]))
            .collect();
        let pairs: Vec<Pair<'_>> = cells.iter().map(|a| Pair { a, b: &base }).collect();
        let got = stats::directional_holm(&pairs, num(&i["alpha"]), padding_of(&i)).unwrap();
        for (j, row) in got.iter().enumerate() {
            let what = format!("cell {j} of {i}");
            close(&what, row.p, num(&want["p"][j]), 2e-6, 0.0);
            close(
                &what,
                row.adjusted_p,
                num(&want["adjusted_p"][j]),
                2e-6 * got.len() as f64,
                0.0,
            );
            assert_eq!(
                direction_word(row.claim),
                want["claim"][j].as_str().unwrap(),
                "{what}"
            );
            assert_eq!(uint(&want["holm_order"][row.step]), j as u64, "{what}");
            let limits = &want["step_limits"][row.step];
            close(&what, row.interval.lower, num(&limits[0]), 1e-9, 0.0);
            close(&what, row.interval.upper, num(&limits[1]), 1e-9, 0.0);
        }
    }
}

#[test]
fn noninferiority_holm() {
    for (i, want) in load("c_noninferiority_holm", 34) {
        let base = units_of(&i["baseline"], &i["repeats"]);
        let cells: Vec<Units> = i["cells"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| units_of(c, &i["repeats"]))
            .collect();
        let pairs: Vec<Pair<'_>> = cells.iter().map(|a| Pair { a, b: &base }).collect();
        let alpha = num(&i["alpha_one_sided"]);
        let got =
            stats::noninferiority_holm(&pairs, num(&i["margin"]), alpha, padding_of(&i)).unwrap();
        for (j, row) in got.iter().enumerate() {
            let what = format!("cell {j} of {i}");
            close(&what, row.p, num(&want["p_one_sided"][j]), 2e-6, 0.0);
            close(
                &what,
                row.adjusted_p,
                num(&want["adjusted_p"][j]),
                2e-6 * got.len() as f64,
                0.0,
            );
            assert_eq!(row.passed, want["passed"][j].as_bool().unwrap(), "{what}");
            assert_eq!(uint(&want["holm_order"][row.step]), j as u64, "{what}");
            close(
                &what,
                row.lower,
                num(&want["step_lower"][row.step]),
                1e-9,
                0.0,
            );
        }
    }
}

#[test]
fn pack_line() {
    for (i, want) in load("c_pack_line", 36) {
        let (a, b) = (ints(&i["pass_a"]), ints(&i["pass_b"]));
        let runs = runs_of(&i["repeats"], a.len());
        let (a, b) = (Arm::new(&a, &runs).unwrap(), Arm::new(&b, &runs).unwrap());
        let (line, alpha) = (stats::pack_line(a, b).unwrap(), num(&i["alpha"]));
        let exact = stats::stratified_exact(a, b).unwrap();
        for (name, got) in [
            ("diff", line.diff),
            ("s_a", line.s_a),
            ("s_b", line.s_b),
            ("se", line.se),
            ("lower_one_sided", line.lower_one_sided(alpha)),
            ("upper_one_sided", line.upper_one_sided(alpha)),
            ("lower_two_sided", line.limits(alpha).lower),
            ("upper_two_sided", line.limits(alpha).upper),
        ] {
            close(&format!("{name} {i}"), got, num(&want[name]), 1e-9, 0.0);
        }
        close(
            &i.to_string(),
            exact.p_two_sided,
            num(&want["stratified_p"]),
            0.0,
            1e-9,
        );
        let worse = exact.p_two_sided <= 0.05 && line.diff < 0.0;
        assert_eq!(worse, want["pack_worse"].as_bool().unwrap(), "{i}");
    }
}

#[test]
fn leaning() {
    for (i, want) in load("c_leaning", 45) {
        let (a, b) = (
            units_of(&i["pass_a"], &i["repeats"]),
            units_of(&i["pass_b"], &i["repeats"]),
        );
        let got = stats::leaning(&a, &b, num(&i["margin"])).unwrap();
        for (name, got) in [
            ("mean", got.mean),
            ("scale", got.scale),
            ("df", got.df),
            ("p_within_margin", got.p_within_margin),
            ("expected_drop", got.expected_drop),
        ] {
            close(&format!("{name} {i}"), got, num(&want[name]), 1e-9, 0.0);
        }
    }
}

fn direction_word(direction: Direction) -> &'static str {
    match direction {
        Direction::Better => "better",
        Direction::Worse => "worse",
        Direction::Unsettled => "none",
    }
}

#[test]
fn winner() {
    for (i, want) in load("c_winner", 26) {
        let cells: Vec<Vec<u32>> = i["cells"].as_array().unwrap().iter().map(ints).collect();
        let runs = runs_of(&i["repeats"], cells[0].len());
        let units = |c: &Vec<u32>| Units::tasks(Arm::new(c, &runs).unwrap());
        let units: Vec<Units> = cells.iter().map(units).collect();
        let got = stats::winner(&units, num(&i["alpha"])).unwrap();
        assert_eq!(got.index as u64, uint(&want["winner"]), "{i}");
        for (name, got) in [
            ("rate", got.simultaneous.mean),
            ("grand_mean", got.grand_mean),
            ("var_means", got.var_means),
            ("shrink_factor", got.shrink_factor),
            ("shrunk_rate", got.shrunk_rate),
            ("simultaneous_lower", got.simultaneous.lower),
            ("simultaneous_upper", got.simultaneous.upper),
        ] {
            close(&format!("{name} {i}"), got, num(&want[name]), 1e-9, 0.0);
        }
        close_option(
            &i.to_string(),
            got.ms_interaction,
            bounded(&want["ms_interaction"]),
            1e-9,
            0.0,
        );
    }
}
