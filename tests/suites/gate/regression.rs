//! `crossbar regression`: two runs, one after the other in time.

use super::project;
use crossbar_suites::project::{Output, Project};

const STORED: &str = "{mode: regression, cell: good+react, allow_mock: true}";

fn run(project: &mut Project, name: &str) {
    project.env("CROSSBAR_RUN_ID", name);
    let said = project.crossbar(&["run", "--agent", "good+react"]);
    assert_eq!(said.code, Some(0), "{said}");
    project.unset("CROSSBAR_RUN_ID");
}

/// `regression` with these flags ends with this code and says this.
fn says(project: &Project, args: &[&str], code: i32, words: &[&str]) -> Output {
    let said = project.crossbar(&[&["regression"], args].concat());
    assert_eq!(said.code, Some(code), "{args:?} {said}");
    let text = format!("{}\n{}", said.stdout, said.stderr);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for word in words {
        assert!(text.contains(word), "{args:?} {word}: {said}");
    }
    super::never_said(&said.stdout);
    said
}

#[test]
fn a_drop_since_the_last_run_of_another_configuration_is_1_and_the_way_back_a_rise() {
    let mut project = project(6, STORED);
    run(&mut project, "one");
    says(&project, &[], 2, &["no run before one", "--reference RUN"]);
    project.replace("crossbar.yaml", "skill: 1\n", "skill: 0.3\n");
    run(&mut project, "two");
    run(&mut project, "three");
    let drop = [
        "good+react: REGRESSION -",
        "over 6 tasks",
        "against run one",
    ];
    says(&project, &[], 1, &drop);
    let file = ["--reference", "runs/one/sweep.json"];
    says(&project, &file, 1, &drop);
    // The rules of its gate stand in the file: a mock that was allowed is allowed here too.
    let files = [&file[..], &["--current", "runs/three/sweep.json"]].concat();
    says(&project, &files, 1, &drop);
    says(
        &project,
        &["--reference", "two", "--current", "one"],
        0,
        &["IMPROVEMENT", "against run two"],
    );
    says(
        &project,
        &["--reference", "two"],
        0,
        &[
            "NO REGRESSION SHOWN",
            "the smallest drop",
            "the same configuration in both runs",
        ],
    );
}

#[test]
fn runs_that_differ_in_more_than_the_configuration_are_refused() {
    let mut project = project(3, STORED);
    run(&mut project, "one");
    project.replace(
        "crossbar.yaml",
        "skill: 1\n",
        "skill: 1\n    model: another\n",
    );
    run(&mut project, "two");
    says(
        &project,
        &["--reference", "one"],
        2,
        &["NOT COMPARABLE", "the model that is asked for was good"],
    );
    project.replace("desk/t01.task.yaml", "is urgent.", "is very urgent.");
    project.remove("desk/t02.task.yaml");
    run(&mut project, "three");
    says(
        &project,
        &["--reference", "two"],
        2,
        &[
            "runs two and three have other tasks: desk::t01, desk::t02",
            "the same tasks",
        ],
    );
    says(
        &project,
        &["--reference", "none"],
        2,
        &["the runs are three, two, one"],
    );
    project.write("crossbar.yaml", &super::roster("{margin: 0.05}"));
    run(&mut project, "four");
    says(
        &project,
        &["--reference", "three"],
        2,
        &["NOT COMPARABLE", "gate.allow_mock: true"],
    );
}
