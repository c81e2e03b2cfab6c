//! rollouts.csv of a sweep gives the sweep's own figures, to the last bit.

use super::document;
use crossbar_suites::project::{Project, task};
use serde_json::{Value, json};

/// A sweep of mock cells over five tasks in three families.
pub(super) fn swept() -> Project {
    let project = Project::pack();
    for name in ["three", "four", "five"] {
        project.write(&format!("desk/{name}.task.yaml"), &task(name));
    }
    for (at, name) in project.names("desk").iter().enumerate() {
        let path = format!("desk/{name}");
        let family = format!("\nfamily: f{}\n", at / 2);
        project.write(&path, &project.read(&path).replacen('\n', &family, 1));
    }
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    project
}

/// An estimate of sweep.json as the document writes it.
fn figure(estimate: &Value) -> Value {
    if estimate.is_null() {
        return Value::Null;
    }
    let interval = &estimate["interval"];
    json!({
        "value": estimate["value"],
        "interval": [interval["lo"], interval["hi"]],
        "n": estimate["n"],
    })
}

pub(super) fn cell(cell: &Value) -> Value {
    json!({
        "cell": cell["id"],
        "planned": cell["scheduled"],
        "finished": cell["finished"],
        "accepted": cell["accepted"],
        "pass_rate": figure(&cell["pass_rate"]),
        "pass_rate_these_tasks": figure(&cell["pack_rate"]),
        "mean_score": figure(&cell["mean_score"]),
        "cost_per_success": figure(&cell["cost_per_success"]["estimate"]),
    })
}

pub(super) fn comparison(pair: &Value) -> Vec<Value> {
    let one = |scope: &str, side: &Value| {
        json!({
            "cell": pair["cell"],
            "scope": scope,
            "difference": figure(&side["difference"]["estimate"]),
            "p_sign_flip": side["pattern_p"],
            "p_stratified": if scope == "these_tasks" { side["difference"]["p"].clone() } else { Value::Null },
            "adjusted_p": side["difference"]["adjusted_p"],
            "direction": side["direction"],
            "non_inferior": side["non_inferior"]["shown"],
            "cost_ratio": figure(&pair["cost"]["ratio"]),
            "cheaper": pair["cost"]["cheaper"],
        })
    };
    vec![
        one("these_tasks", &pair["these"]),
        one("tasks_like_these", &pair["like"]),
    ]
}

pub(super) fn by_name(mut list: Vec<Value>) -> Vec<Value> {
    list.sort_by_key(|one| (one["cell"].to_string(), one["scope"].to_string()));
    list
}

#[test]
fn rollouts_csv_gives_the_figures_of_its_sweep_to_the_last_bit() {
    let project = swept();
    let sweep = project.sweep("runs/latest");
    let baseline = sweep["question"]["baseline"].as_str().unwrap();
    let document = document(
        &project,
        &["runs/latest/rollouts.csv", "--baseline", baseline],
        0,
    );
    assert_eq!(document["dataset_hash"], sweep["dataset_hash"]);
    let analysis = &sweep["analysis"];
    let wanted = analysis["cells"].as_array().unwrap().iter().map(cell);
    let mut cells = document["cells"].as_array().unwrap().clone();
    for one in &mut cells {
        let one = one.as_object_mut().unwrap();
        one.remove("note");
        one.remove("cost_usd");
    }
    assert_eq!(by_name(cells), by_name(wanted.collect()));
    let wanted = analysis["comparisons"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(comparison);
    let comparisons = document["comparisons"].as_array().unwrap().clone();
    assert!(!comparisons.is_empty());
    assert_eq!(by_name(comparisons), by_name(wanted.collect()));
    assert_eq!(document["settings"]["unit"], "family");
    let verdicts = document["verdicts"].as_array().unwrap();
    let headline = verdicts.iter().find(|one| one["headline"] == true).unwrap();
    assert_eq!(headline["word"], sweep["verdict"]["word"]);
    assert_eq!(headline["winner"], sweep["verdict"]["winner"]);
}
