//! Tests of several comparisons at once: step-down max-T, the false discovery rate, and the
//! streams that random methods draw from.

use crossbar::stats::{self, MaxT, Resampling};
use rand_chacha::rand_core::{Rng, SeedableRng};
use rand_chacha::{ChaCha8Rng, ChaCha12Rng, ChaCha20Rng};
use serde_json::Value;

use crate::{bounded, close, close_option, load, nums, uint};

/// Both files enumerate all sign vectors, so nothing is drawn.
fn max_t(input: &Value) -> Vec<MaxT> {
    let rows = input["diff_counts"].as_array().unwrap();
    let rows: Vec<Vec<i64>> = rows
        .iter()
        .map(|row| nums(row).into_iter().map(|d| d as i64).collect())
        .collect();
    let rows: Vec<&[i64]> = rows.iter().map(Vec::as_slice).collect();
    let resampling = Resampling {
        resamples: 1,
        seed: 0,
    };
    stats::max_t(&rows, resampling).unwrap()
}

#[test]
fn max_t_exact() {
    for (i, want) in load("c_maxt_exact", 24) {
        for (j, row) in max_t(&i).iter().enumerate() {
            let what = format!("comparison {j} of {i}");
            let t_squared = nums(&want["t_squared"][j]);
            assert_eq!(row.numerator, t_squared[0] as i128, "{what}");
            assert_eq!(row.denominator, t_squared[1] as i128, "{what}");
            assert_eq!(uint(&want["order"][row.step]), j as u64, "{what}");
            let (top, bottom) = fraction(&want["adjusted_p_fraction"][j]);
            assert_eq!(row.hits * bottom, top * row.of, "{what}");
            let statistic = bounded(&want["statistic"][j]);
            close_option(&what, row.statistic(), statistic, 1e-12, 0.0);
            let p = [row.adjusted_p(), row.unadjusted_p];
            for (got, name) in p.into_iter().zip(["adjusted_p", "unadjusted_p"]) {
                close(&what, got, want[name][j].as_f64().unwrap(), 1e-12, 0.0);
            }
        }
    }
}

fn fraction(value: &Value) -> (u64, u64) {
    let text = value.as_str().unwrap();
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    (top.parse().unwrap(), bottom.parse().unwrap())
}

#[test]
fn max_t_sign_flip() {
    for (i, want) in load("maxt_signflip", 7) {
        for (j, row) in max_t(&i).iter().enumerate() {
            let what = format!("comparison {j} of {i}");
            // infinite by rule A10; the file's floor on the radicand makes it 6000000
            let statistic = bounded(&want["statistic"][j]).filter(|t| *t < 1e6);
            close_option(&what, row.statistic(), statistic, 1e-12, 1e-12);
            let p = [row.adjusted_p(), row.unadjusted_p];
            for (got, name) in p.into_iter().zip(["adjusted_p", "unadjusted_p"]) {
                close(&what, got, want[name][j].as_f64().unwrap(), 1e-12, 0.0);
            }
        }
    }
}

#[test]
fn multiple_testing() {
    let methods = [
        ("holm", stats::holm as fn(&[f64]) -> Vec<f64>),
        ("bh", |p| stats::benjamini_hochberg(p, 0)),
    ];
    for (i, want) in load("multiple_testing", 12) {
        for (name, method) in methods {
            let adjusted = method(&nums(&i["p"]));
            for (got, want) in adjusted.into_iter().zip(nums(&want[name])) {
                close(&format!("{name} {i}"), got, want, 1e-12, 0.0);
            }
        }
    }
}

/// The streams of the generator that this project draws from. The two mappings of another crate
/// (`random_range`, `random::<f64>`) are in the file as a warning; nothing here uses them.
#[test]
fn chacha_streams() {
    let mut compared = 0;
    for (i, want) in load("rand_chacha", 18) {
        if i["call"] != "next_u64" {
            continue;
        }
        let parts: Vec<&str> = i["stream"].as_str().unwrap().split('/').collect();
        let got = match parts[0] {
            "ChaCha8" => {
                let mut rng: ChaCha8Rng = seeded(&parts);
                if parts.get(3).is_some_and(|stream| *stream == "stream7") {
                    rng.set_stream(7);
                }
                words(rng)
            }
            "ChaCha12" => words(seeded::<ChaCha12Rng>(&parts)),
            _ => words(seeded::<ChaCha20Rng>(&parts)),
        };
        let want: Vec<u64> = want
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap().parse().unwrap())
            .collect();
        assert_eq!(got, want, "{i}");
        compared += 1;
    }
    assert_eq!(compared, 16);
}

fn seeded<R: SeedableRng<Seed = [u8; 32]>>(parts: &[&str]) -> R {
    match parts[1] {
        "from_seed_zero" => R::from_seed([0; 32]),
        _ => R::seed_from_u64(parts[2].parse().unwrap()),
    }
}

fn words(mut rng: impl Rng) -> Vec<u64> {
    (0..8).map(|_| rng.next_u64()).collect()
}
