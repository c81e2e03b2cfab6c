//! The exit codes of the command line: 0, 2, 4 and 130, each with what it must leave behind.

use crossbar_suites::project::{Project, ROSTER, XmlCase, binaries, junit, task};

#[test]
fn a_missing_server_makes_the_sweep_incomplete() {
    let project = Project::pack();
    project.serve("{name: tickets, command: no-such-server-anywhere}");
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(4), "{said}");
    assert_eq!(project.crossbar(&["verdict"]).code, Some(4));
    for line in project.rollouts("runs/latest").lines {
        assert_eq!(line["outcome"], "infrastructure_failure");
        assert_eq!(line["score"], "", "what was not measured has no score");
    }
    let cases = junit(&project.read("runs/latest/junit.xml"));
    let of_cells = |case: &&XmlCase| case.name.starts_with("desk::") && case.class != "control";
    let measured = cases.iter().filter(of_cells);
    assert!(
        measured.clone().count() == 4 && measured.into_iter().all(|case| case.status == "error"),
        "{cases:?}"
    );
    assert!(
        !said.stdout.contains(">> STAY"),
        "nothing is known of either cell: {said}"
    );
    // The cure, and the same run again.
    for name in project.names("desk") {
        let path = format!("desk/{name}");
        let id = name.trim_end_matches(".task.yaml");
        project.write(&path, &task(id));
    }
    let fresh = project.crossbar(&["run"]);
    assert_eq!(fresh.code, Some(0), "{fresh}");
}

#[test]
fn a_first_ctrl_c_keeps_what_has_finished_and_the_run_goes_on() {
    let project = Project::pack();
    let crossbar = binaries().join("crossbar");
    let mut sweep = project.start(&crossbar, &["run", "--repeats", "100"]);
    assert!(sweep.wait_for(20, |line| line.contains("/400 ")));
    sweep.signal("INT");
    let said = sweep.end();
    assert_eq!(said.code, Some(130), "{said}");
    let kept = project.rollouts("runs/latest").lines.len();
    assert!((20..400).contains(&kept), "{kept}");
    let resumed = project.crossbar(&["run", "--repeats", "100", "--resume"]);
    assert_eq!(resumed.code, Some(0), "{resumed}");
    assert!(
        resumed
            .stderr
            .contains("of 400 rollouts are finished already"),
        "{resumed}"
    );
    assert_eq!(project.rollouts("runs/latest").lines.len(), 400);
}

#[test]
fn a_run_id_that_is_used_is_refused_and_its_run_stays() {
    let mut project = Project::pack();
    project.env("CROSSBAR_RUN_ID", "nightly-7");
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    let before = project.bytes("runs/nightly-7");
    let again = project.crossbar(&["run"]);
    assert_eq!(again.code, Some(2), "{again}");
    assert!(
        again.stderr.contains("nightly-7") && again.stderr.contains("help: "),
        "{again}"
    );
    assert_eq!(project.bytes("runs/nightly-7"), before);
    let resumed = project.crossbar(&["run", "--resume", "nightly-7"]);
    assert_eq!(resumed.code, Some(0), "{resumed}");
    project.env("CROSSBAR_RUN_ID", "nightly-8");
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
}

#[test]
fn a_sweep_in_which_nothing_would_run_is_no_success() {
    let project = Project::pack();
    project.write(
        "crossbar.yaml",
        "models: [{id: far, provider: openai, model: m, base_url: \"http://127.0.0.1:9/v1\", price: free}]\n\
         harnesses: [{id: react, kind: react}]\n",
    );
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr.contains("every cell is live") && said.stderr.contains("--budget"),
        "{said}"
    );
    let without_a_budget = project.crossbar(&["run", "--live"]);
    assert_eq!(without_a_budget.code, Some(2), "{without_a_budget}");
    project.write("crossbar.yaml", ROSTER).remove("desk");
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stderr.contains("there is no task to run"), "{said}");
    assert!(!project.has("runs"));
}

#[test]
fn wrong_usage_is_2_and_help_is_0() {
    let project = Project::pack();
    let wrong: [&[&str]; 6] = [
        &["bogus"],
        &["run", "--bogus"],
        &["run", "extra"],
        &["show"],
        &[],
        &["run", "--budget", "0"],
    ];
    for args in wrong {
        let said = project.crossbar(args);
        assert_eq!(said.code, Some(2), "{args:?} {said}");
        assert!(
            said.stdout.is_empty() && !said.stderr.is_empty(),
            "{args:?} {said}"
        );
    }
    for args in [&["--help"][..], &["run", "--help"], &["--version"]] {
        let said = project.crossbar(args);
        assert_eq!(said.code, Some(0), "{args:?} {said}");
    }
    let help = project.crossbar(&["--help"]).stdout;
    let verbs: Vec<_> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .map_while(|line| line.split_whitespace().next())
        .collect();
    for verb in &verbs {
        let said = project.crossbar(&["help", verb]);
        assert_eq!(said.code, Some(0), "{verb}: a verb that is listed exists");
    }
    let under_cargo = project.cargo(&["crossbar", "--help"]);
    assert_eq!(under_cargo.code, Some(0), "{under_cargo}");
    assert!(!project.has("runs"));
}

#[test]
fn a_verdict_needs_a_run_that_is_there() {
    let project = Project::pack();
    let none = project.crossbar(&["verdict"]);
    assert_eq!(none.code, Some(2), "{none}");
    assert!(none.stderr.contains("help: "), "{none}");
    let resumed = project.crossbar(&["run", "--resume"]);
    assert_eq!(resumed.code, Some(2), "{resumed}");
    assert!(!project.has("runs"), "asking makes nothing");
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    let other = project.crossbar(&["verdict", "20010101"]);
    assert_eq!(other.code, Some(2), "{other}");
    assert!(other.stderr.contains("20010101"), "{other}");
    let known = project.sweep("runs/latest")["run_id"].clone();
    let help = format!("help: the runs are {}", known.as_str().unwrap());
    assert!(other.stderr.contains(&help), "{other}");
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    for (args, word) in [
        (&["verdict", "zzz"][..], "no run `zzz`"),
        (&["verdict", "2"], "`2` is the beginning of several runs"),
        (
            &["show", "good+react", "one", "--run", "zzz"],
            "no run `zzz`",
        ),
        (&["run", "--resume", "zzz"], "no run `zzz`"),
    ] {
        let said = project.crossbar(args);
        assert_eq!(said.code, Some(2), "{said}");
        assert!(
            said.stderr.contains(word) && said.stderr.contains("\nhelp: the runs are "),
            "{said}"
        );
    }
}

#[test]
fn a_resumed_run_names_the_cells_and_tasks_that_are_gone() {
    let project = Project::pack();
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    let whole = project.crossbar(&["run", "--resume"]);
    assert_eq!(whole.code, Some(0), "{whole}");
    assert!(!whole.stderr.contains("not here now"), "{whole}");
    project.remove("desk/two.task.yaml").replace(
        "crossbar.yaml",
        "  - {model: poor, harness: react}\n",
        "",
    );
    let said = project.crossbar(&["run", "--resume"]);
    assert_eq!(said.code, Some(0), "{said}");
    let note = "has the cell poor+react, the task desk::two too, and they are not here now";
    assert!(said.stderr.contains(note), "{said}");
    let chosen = project.crossbar(&["run", "--resume", "--agent", "good+react"]);
    assert!(!chosen.stderr.contains("not here now"), "{chosen}");
}

#[test]
fn a_sweep_whose_program_is_deleted_stops_at_once_with_one_error_and_goes_on_later() {
    let project = Project::pack();
    let copy = project.path().join("crossbar-of-yesterday");
    std::fs::copy(binaries().join("crossbar"), &copy).unwrap();
    let mut sweep = project.start(&copy, &["run", "--repeats", "100"]);
    assert!(sweep.wait_for(20, |line| line.contains("/400 ")));
    std::fs::remove_file(&copy).unwrap();
    let said = sweep.end();
    assert_eq!(said.code, Some(2), "{said}");
    let errors = said.stderr.matches("error: ").count();
    let error = "error: the program that runs this sweep is gone: ";
    assert!(said.stderr.contains(error) && errors == 1, "{said}");
    assert!(said.stderr.contains("go on with --resume"), "{said}");
    let lost = said.stderr.matches(" infrastructure_failure").count();
    // One for each rollout that was under way, and no more.
    assert!((1..=4).contains(&lost), "{lost}: {said}");
    let resumed = project.crossbar(&["run", "--repeats", "100", "--resume"]);
    assert_eq!(resumed.code, Some(0), "{resumed}");
    assert_eq!(project.rollouts("runs/latest").lines.len(), 400);
}
