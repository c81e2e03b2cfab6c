//! sweep.json, report.md, rollouts.csv and junit.xml, beside the printed card.

use crossbar_suites::project::{Output, Project, ROSTER, XmlCase, junit, task};

fn run(project: &Project) -> Output {
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    said
}

#[test]
fn the_verdict_is_a_function_of_the_record() {
    let project = Project::pack();
    let said = run(&project);
    let files = project.bytes("runs/latest");
    for _ in 0..2 {
        let again = project.crossbar(&["verdict"]);
        assert_eq!(again.code, Some(0), "{again}");
        assert_eq!(
            again.stdout, said.stdout,
            "the report that sweep.json belongs to"
        );
        assert_eq!(project.bytes("runs/latest"), files);
    }
    project.remove("runs/latest").remove("crossbar.yaml");
    project.write("crossbar.yaml", ROSTER);
    assert_eq!(project.crossbar(&["verdict"]).stdout, said.stdout);
    assert_eq!(project.bytes("runs/latest"), files);
}

#[test]
fn sweep_json_holds_every_rollout_and_a_version() {
    let project = Project::pack();
    run(&project);
    let sweep = project.sweep("runs/latest");
    assert_eq!(sweep["schema_version"], 1);
    let rollouts = sweep["rollouts"].as_array().unwrap();
    let lines = project.rollouts("runs/latest").lines;
    assert_eq!((rollouts.len(), lines.len()), (12, 12));
    for (rollout, line) in rollouts.iter().zip(&lines) {
        let key = &rollout["key"];
        assert_eq!(key["cell"], line["cell"].as_str());
        assert_eq!(key["task"], line["task"].as_str());
        assert_eq!(key["repeat"].to_string(), line["repeat"]);
        assert_eq!(rollout["outcome"]["kind"], line["outcome"].as_str());
        let parts = &rollout["score"];
        let product: f64 = ["security", "completion", "process"]
            .iter()
            .map(|part| parts[part].as_f64().unwrap())
            .product();
        assert_eq!(product, line["score"].parse::<f64>().unwrap(), "{line:?}");
    }
}

#[test]
fn report_md_is_the_printed_text_without_colours() {
    let project = Project::pack();
    let said = run(&project);
    let report = project.read("runs/latest/report.md");
    assert!(report.contains(said.stdout.trim_end()), "{report}");
    assert!(!report.contains('\u{1b}'));
    assert!(
        said.stdout.lines().all(|line| line.chars().count() <= 100),
        "{said}"
    );
    let coloured = project.crossbar(&["verdict", "--color", "always"]).stdout;
    assert!(coloured.contains('\u{1b}'));
    assert_eq!(without_colours(&coloured), said.stdout);
    nothing_unseen_is_coloured(&coloured);
    assert_eq!(project.read("runs/latest/report.md"), report);
}

/// Between a colour and its end stands something to see.
fn nothing_unseen_is_coloured(text: &str) {
    const ENDS: [&str; 3] = ["[0", "[39", "[22"];
    for part in text.split('\u{1b}').skip(1) {
        let (code, shown) = part.split_once('m').unwrap();
        assert!(
            ENDS.contains(&code) || !shown.trim().is_empty(),
            "{code:?} {shown:?}"
        );
    }
}

/// The text without `ESC [ .. m`.
fn without_colours(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        let (_, rest) = part.split_once('m').unwrap();
        plain + rest
    })
}

#[test]
fn every_output_names_the_one_data_set() {
    let project = Project::pack();
    let said = run(&project);
    let hash = project.sweep("runs/latest")["dataset_hash"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(said.stdout.contains(&hash), "{said}");
    for (path, bytes) in project.bytes("runs/latest") {
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains(&hash), "{path}");
    }
}

fn case<'a>(cases: &'a [XmlCase], class: &str, name: &str) -> &'a XmlCase {
    let mut found = cases
        .iter()
        .filter(|case| case.class == class && case.name == name);
    let case = found
        .next()
        .unwrap_or_else(|| panic!("{class} {name}: {cases:?}"));
    assert_eq!(found.next(), None);
    case
}

#[test]
fn junit_has_a_case_for_each_cell_and_task_and_one_for_the_verdict() {
    let project = Project::pack();
    project.write("desk/three.task.yaml", &task("three"));
    project.replace("desk/two.task.yaml", "__serve, tickets", "__serve, nothing");
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(4), "{said}");
    let cases = junit(&project.read("runs/latest/junit.xml"));
    assert_eq!(cases.len(), 2 * 3 + 3 * 2 + 1, "{cases:?}");
    for cell in ["good+react", "poor+react"] {
        for task in ["one", "three"] {
            let case = case(&cases, cell, &format!("desk::{task}"));
            assert_eq!(
                case.status, "pass",
                "a challenger that loses is data: {case:?}"
            );
            assert!(
                case.time
                    .as_ref()
                    .is_some_and(|time| time.parse::<f64>().is_ok()),
                "{case:?}"
            );
            let rate = &case.properties["cell_pass_rate [tasks like these]"];
            assert!(rate.contains('%') && rate.contains('['), "{rate}");
            assert!(case.properties["cost"].starts_with('$'), "{case:?}");
        }
        let broken = case(&cases, cell, "desk::two");
        assert_eq!(broken.status, "error", "{broken:?}");
        assert!(!broken.message.is_empty(), "{broken:?}");
    }
    let verdict = case(&cases, "crossbar", "verdict");
    assert_ne!(verdict.status, "pass", "{verdict:?}");
    let complete = Project::pack();
    run(&complete);
    let cases = junit(&complete.read("runs/latest/junit.xml"));
    let verdict = case(&cases, "crossbar", "verdict");
    assert_eq!(verdict.status, "pass", "{verdict:?}");
    assert_eq!(
        verdict.properties["word"],
        complete.sweep("runs/latest")["verdict"]["word"]
            .as_str()
            .unwrap()
    );
}

#[test]
fn a_cell_with_a_name_of_300_characters_has_all_its_files() {
    let project = Project::pack();
    let long = "n".repeat(300);
    let roster = ROSTER.replace("id: poor", &format!("id: {long}"));
    project.write(
        "crossbar.yaml",
        &roster.replace("model: poor", &format!("model: {long}")),
    );
    run(&project);
    let cases = junit(&project.read("runs/latest/junit.xml"));
    case(&cases, &format!("{long}+react"), "desk::one");
    let files = project.bytes("runs/latest");
    let traces = files.keys().filter(|path| path.contains("nnn"));
    assert_eq!(traces.count(), 2 * 3, "{:?}", files.keys());
    for name in [
        "comment.md",
        "junit.xml",
        "report.md",
        "rollouts.csv",
        "sweep.json",
    ] {
        assert!(files.contains_key(name), "{name}");
    }
}

#[test]
fn what_an_agent_says_adds_no_case() {
    let project = Project::pack();
    let forged = "]]></system-out></testcase><testcase name=\\\"forged\\\" classname=\\\"good+react\\\"/>\\u0000\\u001b[32m\\uFFFF";
    project.replace(
        "desk/one.task.yaml",
        "final: T-1001 is urgent and with oncall.",
        &format!("final: \"{forged}\""),
    );
    run(&project);
    let cases = junit(&project.read("runs/latest/junit.xml"));
    assert_eq!(cases.len(), 2 * 2 + 2 * 2 + 1, "{cases:?}");
    assert!(cases.iter().all(|case| case.name != "forged"));
    for (path, bytes) in project.bytes("runs/latest") {
        assert!(!bytes.contains(&0x1b), "{path}");
    }
}
