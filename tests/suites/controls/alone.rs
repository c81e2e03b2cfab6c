//! Without a roster, without a model, or with live models that nobody has allowed, the tasks prove
//! themselves all the same.

use crossbar_suites::project::{Output, Project};

const LIVE: &str = "\
models: [{id: far, provider: openai, model: m, base_url: \"http://127.0.0.1:9/v1\", price: free}]
harnesses: [{id: react, kind: react}]
";

fn proven(said: &Output) {
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stdout.contains("controls: 7 of 7 hold"), "{said}");
    assert!(!said.stdout.contains("CROSSBAR VERDICT"), "{said}");
}

#[test]
fn a_project_without_a_roster_proves_its_tasks_and_says_how_to_go_on() {
    let project = Project::first_test();
    project.remove("crossbar.yaml");
    let said = project.cargo(&["test"]);
    proven(&said);
    let smallest =
        "  models: [{id: mock, provider: mock}]\n  harnesses: [{id: react, kind: react}]\n";
    assert!(said.stdout.contains(smallest), "{said}");
    assert!(project.has("runs/store.db"));
    project.write("crossbar.yaml", smallest);
    let measured = project.cargo(&["test"]);
    assert_eq!(measured.code, Some(0), "what it says works: {measured}");
    assert!(measured.stdout.contains("CROSSBAR VERDICT"), "{measured}");
}

#[test]
fn a_roster_without_a_model_does_the_same() {
    let project = Project::first_test();
    project.write("crossbar.yaml", "models: []\n");
    proven(&project.cargo(&["test"]));
    let run = project.crossbar(&["run"]);
    assert_eq!(run.code, Some(2), "nothing was measured: {run}");
    assert!(run.stderr.contains("the roster names no model"), "{run}");
    let verdict = project.crossbar(&["verdict"]);
    assert_eq!(verdict.code, Some(2), "{verdict}");
    assert!(
        verdict.stderr.contains("holds controls alone: 7 of 7 hold"),
        "{verdict}"
    );
}

#[test]
fn live_models_stay_ignored_and_the_controls_run() {
    let project = Project::first_test();
    project.write("crossbar.yaml", LIVE);
    let said = project.cargo(&["test"]);
    proven(&said);
    assert!(said.stdout.contains("2 ignored"), "{said}");
    assert!(!said.stdout.contains("there is no model to run"), "{said}");
}

#[test]
fn a_red_control_is_red_there_too() {
    let project = Project::first_test();
    project.remove("crossbar.yaml");
    project.replace("tasks/route-billing.task.yaml", "    guard: true\n", "");
    let said = project.cargo(&["test"]);
    assert_eq!(said.code, Some(101), "{said}");
    assert!(said.stdout.contains("controls: 6 of 7 hold"), "{said}");
}
