//! A gate over accepted records with a sentinel: the baseline runs a few of its tasks again, first,
//! and what it shows decides whether the records may be compared.

use super::{Project, expect, task};
use crossbar_suites::project::{Output, SERVER};

const WATCH: &str = "references/desk/model+today.jsonl";

/// One model, the harness of today and the next one; the sentinel has two of six tasks.
const ROSTER: &str = "\
models: [{id: model, provider: mock, skill: 1, price: {input_per_mtok: 10, output_per_mtok: 50}}]
harnesses:
  - {id: today, kind: react}
  - {id: next, kind: react, instructions: Be brief.}
run: {repeats: 4, concurrency: 1, baseline: model+today}
gate: {mode: regression, reference: \"sentinel:2\", cell: model+next, allow_mock: true}
";

fn project() -> Project {
    let project = Project::empty();
    project.write("crossbar.yaml", ROSTER);
    for number in 1..=6 {
        let id = format!("t{number}");
        project.write(&format!("desk/{id}.task.yaml"), &task(&id));
    }
    project
}

/// The same with both cells accepted.
fn accepted() -> Project {
    let project = project();
    accept_both(&project);
    project
}

fn accept_both(project: &Project) {
    run(project, 0, "NO REFERENCE");
    let said = project.crossbar(&["accept"]);
    assert_eq!(said.code, Some(0), "{said}");
}

fn text(said: &Output) -> String {
    said.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs, and says what the gate says.
fn run(project: &Project, code: i32, word: &str) -> String {
    let said = project.crossbar(&["run"]);
    expect(project, &said, code, word);
    text(&said)
}

/// The rollouts in the order in which they ended: cell and task.
fn order(said: &Output) -> Vec<(String, String)> {
    let ended = said
        .stderr
        .lines()
        .filter(|line| line.ends_with(" accepted"));
    let words = ended.map(|line| line.split_whitespace().collect::<Vec<_>>());
    words
        .map(|words| (words[1].to_owned(), words[2].to_owned()))
        .collect()
}

#[test]
fn the_sentinel_runs_its_tasks_first_and_stands_in_no_figure() {
    let project = accepted();
    let said = project.crossbar(&["run"]);
    expect(&project, &said, 0, "NO REGRESSION SHOWN");
    let order = order(&said);
    let (first, rest) = order.split_at(8);
    assert!(
        first.iter().all(|(cell, _)| cell == "model+today"),
        "{order:?}"
    );
    let mut tasks: Vec<_> = first.iter().map(|(_, task)| task).collect();
    tasks.sort();
    tasks.dedup();
    assert_eq!(tasks.len(), 2, "{order:?}");
    assert_eq!(rest.len(), 24);
    assert!(
        rest.iter().all(|(cell, _)| cell == "model+next"),
        "{order:?}"
    );
    let card = text(&said);
    for line in [
        "against accepted references with a sentinel",
        "sentinel model+today: no drift shown",
        "over 2 tasks, against the accepted run",
        "the smallest drift that it shows 80 times in 100 is",
    ] {
        assert!(card.contains(line), "{line}: {said}");
    }
    let lines = project.rollouts("runs/latest").lines;
    assert!(
        lines.iter().all(|line| line["cell"] == "model+next"),
        "{}",
        lines.len()
    );
    let gate = &project.sweep("runs/latest")["gate"];
    assert_eq!(gate["reference"], "sentinel:2");
    assert_eq!(gate["sentinel"]["tasks"]["paired"], 2);
    // What it did can be looked at, and it is no run to accept.
    let show = project.crossbar(&["show", "model+today", tasks[0]]);
    assert_eq!(show.code, Some(0), "{show}");
    let kept = project.read(WATCH);
    assert_eq!(project.crossbar(&["accept"]).code, Some(0));
    assert_eq!(project.read(WATCH), kept);
    let plan = project.crossbar(&["plan"]);
    assert!(
        plan.stdout
            .contains("the sentinel model+today adds 8 rollouts"),
        "{plan}"
    );
    let counted = project.crossbar(&["validate"]);
    assert!(counted.stdout.contains("planned: 32 rollouts"), "{counted}");
}

#[test]
fn a_drift_refuses_a_drop_and_the_absence_of_one() {
    let project = accepted();
    // It passes all of them today, and passed none then.
    let mut records = project.read(WATCH);
    for (passed, failed) in [
        ("\"pass\":4", "\"pass\":0"),
        ("e6\":4000000", "e6\":0"),
        ("{\"accepted\":4}", "{\"task_failure\":4}"),
    ] {
        assert!(records.contains(passed), "{records}");
        records = records.replace(passed, failed);
    }
    project.write(WATCH, &records);
    let said = run(&project, 2, "NOT COMPARABLE");
    for line in [
        "sentinel model+today: DRIFT +100",
        "with nothing changed in it: the provider did, or the product",
        "gate.reference: concurrent",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let comment = project.read("runs/latest/comment.md");
    assert!(comment.contains("DRIFT"), "{comment}");
}

#[test]
fn a_sentinel_stands_still_or_is_none() {
    let project = accepted();
    project.replace(
        "crossbar.yaml",
        "{id: today, kind: react}",
        "{id: today, kind: react, instructions: Be kind.}",
    );
    let said = run(&project, 2, "NOT COMPARABLE");
    assert!(said.contains("and a sentinel stands still"), "{said}");
    // Without a record of it, it runs in full, so that there can be one.
    project.remove(WATCH);
    let said = run(&project, 2, "NOT COMPARABLE");
    assert!(
        said.contains("no sentinel ran: the baseline has no accepted reference"),
        "{said}"
    );
    let again = project.crossbar(&["accept", "--cell", "model+today"]);
    assert_eq!(again.code, Some(0), "{again}");
    run(&project, 0, "NO REGRESSION SHOWN");
}

#[test]
fn a_sentinel_that_could_not_be_measured_leaves_the_run_incomplete_until_it_is() {
    let mut project = project();
    // The 13th start of a server fails while there is a file `armed`: after the controls of six
    // tasks it is that of the first rollout.
    let place = project.path().display().to_string();
    let script = format!(
        "cd {place}; echo >> starts; [ -e armed ] && [ $(wc -l < starts) -eq 13 ] && exit 1; exec \"$0\" \"$@\""
    );
    let script = serde_json::to_string(&script.replace('$', "$$")).unwrap();
    let server = SERVER.replace("\"${CROSSBAR_BIN}\"", "sh").replace(
        "[__serve",
        &format!("[-c, {script}, \"${{CROSSBAR_BIN}}\", __serve"),
    );
    project.serve(&server);
    accept_both(&project);
    project.env("CROSSBAR_CELLS", "model+next");
    let said = run(&project, 2, "NOT COMPARABLE");
    assert!(said.contains("no sentinel ran"), "{said}");
    project.unset("CROSSBAR_CELLS");
    project.remove("starts").write("armed", "");
    let said = run(&project, 4, "INCOMPLETE");
    let line = "sentinel model+today: not all of its rollouts were measured";
    assert!(said.contains(line), "{said}");
    project.remove("armed");
    let said = project.crossbar(&["run", "--resume"]);
    expect(&project, &said, 0, "NO REGRESSION SHOWN");
}

#[test]
fn the_roster_says_what_a_sentinel_needs() {
    let refuses = |old: &str, new: &str, why: &[&str]| {
        let project = project();
        project.replace("crossbar.yaml", old, new);
        let said = project.crossbar(&["run"]);
        assert_eq!(said.code, Some(2), "{said}");
        for why in why {
            assert!(said.stderr.contains(why), "{why}: {said}");
        }
    };
    refuses(
        "sentinel:2",
        "sentinel:0",
        &[
            "has `0` sentinel tasks",
            "such as `sentinel:5`",
            "crossbar.yaml:6:",
        ],
    );
    refuses(
        "sentinel:2",
        "sentinel",
        &[
            "`reference` cannot be `sentinel`",
            "did you mean `sentinel:5`?",
        ],
    );
    refuses(
        "mode: regression",
        "mode: noninferiority",
        &["can't be `sentinel:2` here"],
    );
    refuses(", baseline: model+today", "", &["needs `run.baseline`"]);
    refuses("cell: model+next, ", "", &["needs `cell`"]);
    refuses(
        "cell: model+next",
        "cell: model+today",
        &["is the baseline itself"],
    );
    let another = "models: [{id: other, provider: mock}, ";
    let project = project();
    project
        .replace("crossbar.yaml", "models: [", another)
        .replace(
            "crossbar.yaml",
            "baseline: model+today",
            "baseline: other+today",
        );
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr.contains("asks the same model as `model+next`"),
        "{said}"
    );
}
