//! `crossbar plan`: what a sweep can show, would take and would cost, before anything is run or paid.

use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Project, task};

#[test]
fn it_says_what_can_be_shown_and_starts_nothing() {
    let project = Project::pack();
    let mark = project.path().join("mark");
    project.serve(&format!(
        "{{name: tickets, command: touch, args: [{mark:?}]}}"
    ));
    let said = project.crossbar(&["plan", "--mde", "30"]);
    assert_eq!(said.code, Some(0), "{said}");
    for part in [
        "good+react as the baseline and 1 challenger; 2 tasks, 3 repeats: 12 rollouts",
        "worse, from a drop of 66.7 points on, if it falls on as few tasks as it\n",
        "not worse, not even if all is lost [tasks like these]",
        "that a cell 30 points worse is called worse: ",
        "Shares of 400 simulated sweeps.",
        "a pass rate of 80%",
        "nothing is paid: no cell is live",
        "unknown, no pilot is named (--pilot RUN)",
    ] {
        assert!(said.stdout.contains(part), "{part}: {said}");
    }
    assert!(!project.has("runs") && !project.has("mark"), "{said}");
    let again = project.crossbar(&["plan", "--mde", "30"]);
    assert_eq!(said.stdout, again.stdout);
    let line = project.crossbar(&["validate"]).stdout;
    let reach = "can be shown at this size: worse from a drop of 66.7 points on, nothing within 5 \
                 points [these tasks]; no drop worse, nothing within 5 points [tasks like these]";
    assert!(line.contains(reach), "{line}");
}

#[test]
fn a_pilot_tells_what_it_measured_and_is_left_as_it_is() {
    let project = Project::pack();
    for id in ["three", "four", "five", "six"] {
        project.write(&format!("desk/{id}.task.yaml"), &task(id));
    }
    let run = project.crossbar(&["run"]);
    assert_eq!(run.code, Some(0), "{run}");
    let before = project.bytes("runs");
    let said = project.crossbar(&["plan", "--pilot", "latest", "--repeats", "5"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(before == project.bytes("runs"), "the record has changed");
    let rollouts = project.rollouts("runs/latest");
    let costs = rollouts.of_cell("good+react");
    let costs = costs
        .iter()
        .map(|row| row["cost_usd"].parse::<f64>().expect("a cost"));
    let measured: f64 = costs.sum();
    // the pilot's 18 rollouts of a cell are 30 of the plan
    let expected = measured * 30.0 / 18.0;
    let line = said
        .stdout
        .lines()
        .find(|line| line.contains("good+react: not live"));
    let line = line.expect("a line of that cell");
    assert!(
        line.contains(&format!("about ${expected:.2} [$")),
        "{expected}: {line}"
    );
    assert!(said.stdout.contains("by 6 tasks of the pilot"), "{said}");
    assert!(!said.stdout.contains("no pilot is named"), "{said}");
    let file = project.crossbar(&[
        "plan",
        "--pilot",
        "runs/latest/sweep.json",
        "--repeats",
        "5",
    ]);
    assert_eq!(said.stdout, file.stdout);
}

#[test]
fn a_live_cell_is_planned_without_its_key_and_without_a_request() {
    let server = CountingServer::start(|_| Reply::text("4"));
    let mut project = Project::pack();
    let live = format!(
        "models:\n  - id: paid\n    provider: openai\n    base_url: {}\n    api_key_env: \
         PLAN_SUITE_KEY\n    price: {{input_per_mtok: 1, output_per_mtok: 10}}\n    params: \
         {{max_output_tokens: 100}}\n",
        server.base_url()
    );
    project
        .replace("crossbar.yaml", "models:\n", &live)
        .replace(
            "crossbar.yaml",
            "agents:\n",
            "agents:\n  - {model: paid, harness: react}\n",
        );
    project.env("CROSSBAR_LIVE", "1");
    // 6 rollouts x 20 requests x 100 tokens at $10 a million
    let open = project.crossbar(&["plan"]);
    assert_eq!(open.code, Some(0), "{open}");
    let text = words(&open.stdout);
    for part in [
        "paid+react: at most: unknown, since 2 tasks are without budget_tokens; its output alone is \
         at most $0.12",
        "No budget is set, so live cells would be left out.",
        "2 challengers",
    ] {
        assert!(text.contains(part), "{part}: {open}");
    }
    for id in ["one", "two"] {
        let path = format!("desk/{id}.task.yaml");
        project.replace(&path, "prompt: ", "budget_tokens: 1000\nprompt: ");
    }
    let closed = project.crossbar(&["plan", "--budget", "0.50"]);
    // 6 rollouts x (2,100 tokens at $10 and 20,000 read again at $1, a million)
    let text = words(&closed.stdout);
    assert!(
        text.contains("paid+react: at most $0.25, if no request"),
        "{closed}"
    );
    assert!(
        text.contains("The budget of $0.50 holds whatever happens"),
        "{closed}"
    );
    assert_eq!(server.requests().len(), 0);
    assert!(!project.has("runs"), "{closed}");
}

/// The text without its line breaks.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_cannot_be_planned_is_2_with_its_cure() {
    let project = Project::pack();
    for (args, cure) in [
        (
            &["plan", "--mde", "90"][..],
            "give a smaller drop in points",
        ),
        (&["plan", "--mde", "0"], "give points above 0, at most 100"),
        (&["plan", "--pilot", "latest"], "first"),
        (
            &["plan", "--agent", "sonnet+single"],
            "its cells are: good+react, poor+react",
        ),
    ] {
        let said = project.crossbar(args);
        assert_eq!(said.code, Some(2), "{said}");
        assert!(
            said.stderr.contains(cure) && said.stdout.is_empty(),
            "{said}"
        );
    }
    project.remove("crossbar.yaml");
    let said = project.crossbar(&["plan"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stderr.contains("names no model"), "{said}");
}

#[test]
fn tasks_in_rust_are_planned_with_those_in_yaml() {
    let project = Project::first_test();
    let said = project.crossbar(&["plan"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stdout.contains("2 tasks, 3 repeats: 18"), "{said}");
}
