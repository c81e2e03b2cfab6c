//! A matrix of four cells and four tasks whose figures are known from elsewhere.

use super::{analyze, document, holding};
use crossbar_suites::project::Project;
use crossbar_suites::tree;
use serde_json::Value;

const BASELINE: &str = "mock-strong+react";

fn demo() -> Project {
    let path = tree::root().join("tests/fixtures/import/demo.csv");
    holding(&std::fs::read_to_string(path).unwrap())
}

/// An entry of `cells` or `comparisons` by its cell, and its scope where it has one.
fn entry<'d>(list: &'d Value, cell: &str, scope: Option<&str>) -> &'d Value {
    let mut entries = list.as_array().unwrap().iter();
    let found =
        entries.find(|one| one["cell"] == cell && scope.is_none_or(|scope| one["scope"] == scope));
    found.unwrap_or_else(|| panic!("no {cell} {scope:?} in {list:#}"))
}

#[test]
fn four_tasks_separate_no_cell_but_on_this_pack_one_is_worse() {
    let said = analyze(
        &demo(),
        &["results.csv", "--baseline", BASELINE, "--margin", "10"],
    );
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{said}");
    let matrix = said.stdout.split("\nMATRIX\n").nth(1).unwrap();
    for row in [
        "mock-strong+react-verify  100.0%   [39.8 - 100.0]      $1.20      $0.060  ~ not separable",
        "mock-strong+react          95.0%   [34.8 - >99.9]      $1.02      $0.054  baseline",
        "mock-weak+react-verify     95.0%   [34.8 - >99.9]     $0.010    $0.00053  ~ not separable",
        "mock-weak+react            60.0%    [17.4 - 93.2]     $0.010    $0.00083  ~ not separable\n",
    ] {
        assert!(matrix.contains(row), "{row}\n{matrix}");
    }
    let below = matrix
        .split("mock-weak+react            60.0%")
        .nth(1)
        .unwrap();
    let next = below.lines().nth(1).unwrap().trim();
    assert_eq!(next, "on this pack only: worse");
    assert_eq!(matrix.matches("on this pack only: worse").count(), 1);
    assert!(
        said.stdout
            .contains("  >> CAN'T TELL yet, so keep mock-strong+react")
    );
}

#[test]
fn the_card_says_that_it_measured_nothing_itself() {
    let said = analyze(&demo(), &["results.csv", "--baseline", BASELINE]).stdout;
    assert!(said.starts_with("IMPORTED: another tool measured this. crossbar ran no control"));
    for absent in [
        "CONTROLS",
        "ENVIRONMENT",
        "fingerprint",
        "SAFETY",
        "BUDGET",
        "seed",
    ] {
        assert!(!said.contains(absent), "{absent}: {said}");
    }
    assert!(said.contains("EXPLORATORY: the margin of 5 points is the default"));
    assert!(said.contains("results.csv: csv, 80 rollouts, hash "));
    assert!(
        said.lines().all(|line| line.chars().count() <= 100),
        "{said}"
    );
}

#[test]
fn a_known_interval_of_another_tool_can_be_had_with_what_it_holds() {
    let args = [
        "results.csv",
        "--baseline",
        BASELINE,
        "--ci",
        "bootstrap-percentile",
    ];
    let said = analyze(&demo(), &args).stdout;
    let section = said.split("\nCROSS-CHECK\n").nth(1).unwrap();
    for line in [
        "    mock-strong+react: 95.0% [85.0 - 100.0] at 95%\n",
        "    mock-weak+react: 60.0% [30.0 - 90.0] at 95%\n",
        "    mock-weak+react vs baseline: -35.0pp [",
        "    mock-weak+react-verify vs baseline: +0.0pp [-15.0 to +15.0] at 95%\n",
        "Where it says 95% it was\n  measured to cover 19 to 70% at 4 tasks",
    ] {
        assert!(section.contains(line), "{line}\n{section}");
    }
    let document = document(&demo(), &args, 0);
    let named = &document["named_intervals"];
    assert_eq!(named["method"], "bootstrap-percentile");
    let weak = entry(&named["cells"], "mock-weak+react", None);
    assert!((weak["pass_rate"]["interval"][0].as_f64().unwrap() - 0.3).abs() < 1e-9);
}

#[test]
fn the_document_has_each_figure_with_its_interval() {
    let document = document(&demo(), &["results.csv", "--baseline", BASELINE], 0);
    let near = |value: &Value, wanted: f64| {
        assert!(
            (value.as_f64().unwrap() - wanted).abs() < 5e-4,
            "{value} {wanted}"
        );
    };
    let weak = entry(&document["cells"], "mock-weak+react", None);
    near(&weak["pass_rate"]["value"], 0.6);
    near(&weak["pass_rate"]["interval"][0], 0.1744);
    near(&weak["pass_rate"]["interval"][1], 0.9323);
    assert_eq!(weak["pass_rate"]["n"], 4);
    let here = entry(
        &document["comparisons"],
        "mock-weak+react",
        Some("these_tasks"),
    );
    near(&here["difference"]["value"], -0.35);
    assert!(here["p_stratified"].as_f64().unwrap() < 0.05);
    assert!(here["p_sign_flip"].is_null());
    let like = entry(
        &document["comparisons"],
        "mock-weak+react",
        Some("tasks_like_these"),
    );
    assert!(like["direction"].is_null() && like["p_stratified"].is_null());
    near(&like["p_sign_flip"], 0.25);
    assert_eq!(like["non_inferior"], false);
    assert_eq!(document["settings"]["margin_declared"], false);
    assert_eq!(
        (&document["complete"], &document["window"]),
        (&true.into(), &Value::Null)
    );
}
