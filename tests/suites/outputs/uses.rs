//! What people come for: the harness was the problem, the evidence is too thin, the reference agent
//! passes everything.

use crossbar_suites::project::{Output, Project, task};
use serde_json::Value;

fn run(project: &Project, args: &[&str]) -> Output {
    let said = project.crossbar(&[&["run"], args].concat());
    assert_eq!(said.code, Some(0), "{said}");
    said
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many rollouts of a cell passed, of how many.
fn passed(project: &Project, cell: &str) -> (usize, usize) {
    let rollouts = project.rollouts("runs/latest");
    let lines = rollouts.of_cell(cell);
    let passed = lines.iter().filter(|line| line["passed"] == "true");
    (passed.count(), lines.len())
}

#[test]
fn the_same_model_under_two_harnesses_shows_the_gain_and_the_mode_that_is_gone() {
    let project = Project::pack();
    for name in ["three", "four"] {
        project.write(&format!("desk/{name}.task.yaml"), &task(name));
    }
    // It forgets half of its steps, and does what it forgot when it is asked to check its work.
    project.write(
        "crossbar.yaml",
        "models: [{id: m, provider: mock, skill: 0.5, recover: 1, price: {input_per_mtok: 1, output_per_mtok: 1}}]\n\
         harnesses: [{id: plain, kind: react}, {id: verify, kind: react, verify: true}]\n\
         run: {repeats: 5, baseline: m+plain}\n",
    );
    let said = run(&project, &[]);
    let (before, of) = passed(&project, "m+plain");
    assert!(before < of / 2, "{before} of {of}: {said}");
    assert_eq!(passed(&project, "m+verify"), (of, of));
    #[expect(clippy::cast_precision_loss, reason = "twenty rollouts")]
    let gain = 100.0 * (of - before) as f64 / of as f64;
    let text = flat(&said.stdout);
    assert!(
        text.contains("QUALITY DELTA m+verify vs baseline"),
        "{said}"
    );
    let delta = format!("+{gain:.1}pp [");
    assert_eq!(
        text.matches(&delta).count(),
        2,
        "in both scopes: {delta}: {said}"
    );

    let mut gone = std::collections::BTreeMap::new();
    for line in project.rollouts("runs/latest").of_cell("m+plain") {
        if line["passed"] == "false" {
            *gone.entry(line["failure_mode"].clone()).or_insert(0) += 1;
        }
    }
    let titles = [
        ("artifact_commitment", "Artifact commitment"),
        ("contract_format", "Contract / format"),
    ];
    let (_, section) = said.stdout.split_once("FAILURE TAXONOMY").unwrap();
    let (_, verified) = section
        .split_once("  m+verify (20 measured rollouts)")
        .unwrap();
    let verified = flat(verified.split("\nNOISE").next().unwrap());
    assert!(
        verified.starts_with("no failures not seen here: "),
        "{verified}"
    );
    assert!(gone.contains_key("artifact_commitment"), "{gone:?}");
    for (mode, count) in gone {
        let title = titles.iter().find(|(word, _)| *word == mode).unwrap().1;
        let line = format!("{title} ({count} of the baseline's 20)");
        assert!(verified.contains(&line), "{line}: {verified}");
    }
}

#[test]
fn four_tasks_are_told_that_three_points_can_not_be_resolved() {
    let project = Project::pack();
    for name in ["three", "four"] {
        project.write(&format!("desk/{name}.task.yaml"), &task(name));
    }
    project
        .replace("crossbar.yaml", "skill: 0.5", "skill: 0.9")
        .replace("crossbar.yaml", "recover: 1", "recover: 0")
        .write(
            "crossbar.yaml",
            &(project.read("crossbar.yaml") + "gate: {margin: 0.03}\n"),
        );
    let said = run(&project, &[]);
    let text = flat(&said.stdout);
    let sweep = project.sweep("runs/latest");
    assert_eq!(sweep["verdict"]["word"], "CAN'T TELL", "{said}");
    assert!(text.contains("CONFIDENCE Low. Only 4 tasks"), "{said}");
    assert!(
        text.contains("within 3 points: not shown [these tasks], not shown [tasks like these]"),
        "{said}"
    );
    // How many tasks three points would take: far more than there are, and more than five would.
    let needed = |project: &Project| {
        let sweep = project.sweep("runs/latest");
        sweep["analysis"]["confidence"]["tasks_needed"]["tasks"]
            .as_u64()
            .unwrap()
    };
    let three = needed(&project);
    assert!(three > 40, "{three}");
    assert!(
        text.contains(&format!(
            "About {three} tasks would show a 3-point difference"
        )),
        "{said}"
    );
    project.replace("crossbar.yaml", "margin: 0.03", "margin: 0.1");
    run(&project, &[]);
    assert!(needed(&project) < three / 4, "{}", needed(&project));
    project.replace("crossbar.yaml", "margin: 0.1", "margin: 0.03");
    let said = run(&project, &[]);

    noise_and_pruning_are_counted_again(&project, &said);
}

/// What disagreed with itself, and what separated nothing, from the rows.
fn noise_and_pruning_are_counted_again(project: &Project, said: &Output) {
    let rollouts = project.rollouts("runs/latest");
    let rate = |cell: &str, task: &str| {
        let lines = rollouts.of_cell(cell).into_iter();
        let of_task: Vec<_> = lines.filter(|line| line["task"] == task).collect();
        let passed = of_task
            .iter()
            .filter(|line| line["passed"] == "true")
            .count();
        (passed, of_task.len())
    };
    let tasks = ["four", "one", "three", "two"].map(|name| format!("desk::{name}"));
    let split = |task: &&String| matches!(rate("poor+react", task), (passed, of) if passed > 0 && passed < of);
    let disagreed = tasks.iter().filter(split).count();
    let noise = format!("good+react 0 of 4; poor+react {disagreed} of 4");
    assert!(flat(&said.stdout).contains(&noise), "{noise}: {said}");
    let same: Vec<_> = tasks
        .iter()
        .filter(|task| rate("poor+react", task).0 == 3)
        .cloned()
        .collect();
    assert!(!same.is_empty() && same.len() < 4, "{same:?}: {said}");
    let pruned = format!("passed by every cell: {}", same.join(", "));
    assert!(flat(&said.stdout).contains(&pruned), "{pruned}: {said}");
}

/// The repository's own pack.
fn own_pack(roster: &str) -> Project {
    let project = Project::of_the_repository();
    project.write("crossbar.yaml", roster);
    project
}

#[test]
fn the_reference_agent_passes_every_draw_of_the_repositorys_pack() {
    let project = own_pack(
        "models: [{id: reference, provider: scripted, price: free}]\n\
         harnesses: [{id: react, kind: react}, {id: text, kind: text-json}]\n\
         run: {repeats: 3, k: 3}\n",
    );
    let said = run(&project, &[]);
    let sweep = project.sweep("runs/latest");
    assert_eq!(sweep["analysis"]["settings"]["k"], 3);
    let tasks = sweep["analysis"]["tasks"].as_u64().unwrap();
    assert!(tasks >= 10, "{tasks}");
    let cells = sweep["analysis"]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    for cell in cells {
        for figure in ["pass_rate", "pass_at_k", "pass_hat_k", "mean_score"] {
            let one = &cell[figure];
            assert_eq!(one["value"], 1.0, "{figure}: {cell}");
            let units = one["n"].as_u64().unwrap();
            assert!(
                (10..=tasks).contains(&units),
                "families of the whole pack: {one}"
            );
            assert!(one["interval"]["lo"].as_f64().unwrap() > 0.5, "{one}");
        }
        assert_eq!(
            (&cell["accepted"], &cell["failures"]),
            (&cell["scheduled"], &Value::Array(vec![]))
        );
    }
    let text = &said.stdout;
    assert!(
        text.contains("PASS@3 (capability)") && text.contains("PASS^3 (reliability)"),
        "{said}"
    );
    let all = format!("{0}/{0} pass", 3 * tasks);
    let rows = text
        .lines()
        .filter(|line| line.contains(&all) && line.matches("100.0% [").count() == 2);
    assert_eq!(rows.count(), 2, "{all}: {said}");
}
