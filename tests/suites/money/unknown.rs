//! What a rollout cost: exactly, or unknown, or free on purpose; and unknown never wins.

use super::{PRICE, paid, project};
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Output, Project};
use serde_json::Value;

const TASKS: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

fn costs(project: &Project, cell: &str) -> Vec<(String, String)> {
    let rollouts = project.rollouts("runs/latest");
    let of_cell = rollouts.of_cell(cell).into_iter();
    of_cell
        .map(|line| (line["cost_usd"].clone(), line["cost_source"].clone()))
        .collect()
}

/// The word, and the winner where there is one.
fn verdict(project: &Project) -> (String, Value) {
    let verdict = project.sweep("runs/latest")["verdict"].clone();
    (
        verdict["word"].as_str().unwrap().to_owned(),
        verdict["winner"].clone(),
    )
}

/// A live challenger against an expensive baseline that passes everything too.
fn challenged(reply: Reply, price: &str, budget: &str) -> (Project, Output) {
    let server = CountingServer::start(move |_| reply.clone());
    let models = paid("paid", &server, price)
        + "  - {id: now, provider: mock, price: {input_per_mtok: 9000, output_per_mtok: 9000}}\n";
    let project = project(&models, "{repeats: 3, baseline: now+ask}", &TASKS);
    project.replace("crossbar.yaml", "packs:", "gate: {margin: 0.4}\npacks:");
    let output = project.crossbar(&["run", "--live", "--budget", budget]);
    (project, output)
}

#[test]
fn a_cost_is_the_tokens_of_each_bucket_at_its_price() {
    let price = "{input_per_mtok: 3, output_per_mtok: 15, cache_read_per_mtok: 0.3}";
    let (project, output) = challenged(Reply::text("4").usage(1_000, 70).cached(900), price, "9");
    assert_eq!(output.code, Some(0), "{output}");
    // 100 x $3 + 900 x $0.30 + 70 x $15, each for a million: 300 + 270 + 1050 micro-dollars.
    let exact = ("0.001620".to_owned(), "modelled".to_owned());
    assert_eq!(costs(&project, "paid+ask"), vec![exact; 36]);
    assert!(output.stdout.contains("cost is modelled"), "{output}");
    assert!(output.stdout.contains("per success"), "{output}");
    assert_eq!(verdict(&project), ("SWITCH".to_owned(), "paid+ask".into()));
}

#[test]
fn a_reply_without_usage_costs_an_unknown_amount_and_its_cell_never_wins() {
    let (project, output) = challenged(Reply::text("4"), PRICE, "9");
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(
        costs(&project, "paid+ask"),
        vec![(String::new(), "unknown".to_owned()); 36]
    );
    assert_eq!(verdict(&project), ("CAN'T TELL".to_owned(), Value::Null));
    let analysis = project.sweep("runs/latest")["analysis"].to_string();
    assert!(analysis.contains(r#""lacks":["cost"]"#), "{analysis}");
    assert!(output.stdout.contains("paid+ask: unknown"), "{output}");
    // Its money stays held: nobody knows how much of it is gone.
    assert!(
        output
            .stdout
            .contains("$0.00 spent and $0.04 held of $9.00"),
        "{output}"
    );
}

#[test]
fn a_usage_that_no_request_can_have_is_unknown_and_not_nothing() {
    for (input, output) in [(0, 0), (1 << 41, 1), (1, 1 << 41)] {
        let (project, said) = challenged(Reply::text("4").usage(input, output), PRICE, "9");
        assert_eq!(said.code, Some(0), "{said}");
        assert_eq!(
            costs(&project, "paid+ask"),
            vec![(String::new(), "unknown".to_owned()); 36],
            "{input} and {output}"
        );
        assert_eq!(verdict(&project).1, Value::Null);
        for line in project.rollouts("runs/latest").of_cell("paid+ask") {
            assert_eq!((&*line["input_uncached"], &*line["output"]), ("", ""));
        }
    }
}

#[test]
fn a_model_without_a_price_is_refused_under_a_budget_and_never_wins_without_one() {
    let (project, output) = challenged(Reply::text("4").usage(20, 7), "unknown", "9");
    assert_eq!(output.code, Some(2), "{output}");
    assert!(
        output.stderr.contains("model `paid` has no price"),
        "{output}"
    );
    assert!(!project.has("runs"));
    let (project, output) = challenged(Reply::text("4").usage(20, 7), "unknown", "unlimited");
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(
        costs(&project, "paid+ask"),
        vec![(String::new(), "unknown".to_owned()); 36]
    );
    assert!(
        output.stdout.contains("price: unknown for paid+ask"),
        "{output}"
    );
    assert_eq!(verdict(&project).1, Value::Null);
}

#[test]
fn a_free_model_says_so_and_costs_nothing_on_purpose() {
    let (project, output) = challenged(Reply::text("4"), "free", "9");
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(
        costs(&project, "paid+ask"),
        vec![("0.000000".to_owned(), "free".to_owned()); 36]
    );
    assert!(
        output.stdout.contains("price: free for paid+ask"),
        "{output}"
    );
    assert!(
        output
            .stdout
            .contains("$0.00 spent and $0.00 held of $9.00"),
        "{output}"
    );
}
