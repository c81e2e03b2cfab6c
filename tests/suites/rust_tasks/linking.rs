//! Tasks of several crates: all are there in a stable order, and one that is missing is an error.

use crossbar_suites::project::Project;
use crossbar_suites::tree;

/// A crate of tasks, whose dependency on crossbar has another name.
const SHARED: &str = "\
//! Tasks that several packages share.
#![forbid(unsafe_code)]

/// Says hello.
#[bar::task(crate = bar, family = \"greetings\")]
async fn greets(cx: &mut bar::Context) -> bar::Result {
    let answer = cx.agent(\"Say hello.\").await?;
    cx.check(\"it is said\", answer == \"hello\");
    Ok(())
}

#[bar::solution(greets, crate = bar)]
fn hello(s: &mut bar::Script) {
    s.say(\"hello\");
}
";

const AGENTS: &str = "\
//! One task of its own.

#[crossbar::task]
async fn zebra(cx: &mut crossbar::Context) -> crossbar::Result {
    cx.agent(\"Say hello.\").await?;
    cx.check(\"it ran\", true);
    Ok(())
}

#[crossbar::task]
async fn aardvark(cx: &mut crossbar::Context) -> crossbar::Result {
    cx.agent(\"Say hello.\").await?;
    cx.check(\"it ran\", true);
    Ok(())
}

crossbar::main!(packs = [shared_tasks]);
";

fn project() -> Project {
    let project = crate::project(AGENTS);
    let path = serde_json::to_string(&tree::root().join("crossbar")).unwrap();
    let manifest = project.read("Cargo.toml");
    let version = manifest
        .split('"')
        .find(|text| text.starts_with("0.0."))
        .unwrap();
    let shared = manifest.replace(
        "[dev-dependencies]\n",
        "[dev-dependencies]\nshared-tasks = { path = \"shared\" }\n",
    );
    project
        .write("Cargo.toml", &shared)
        .write(
            "shared/Cargo.toml",
            &format!(
                "[package]\nname = \"shared-tasks\"\nversion = \"{version}\"\nedition = \"2024\"\n\n\
                 [dependencies]\nbar = {{ path = {path}, package = \"crossbar-test\", features = [\"http\"] }}\n"
            ),
        )
        .write("shared/src/lib.rs", SHARED);
    project
}

fn list(project: &Project) -> String {
    let said = project.cargo(&["test", "--test", "agents", "--", "--list"]);
    assert_eq!(said.code, Some(0), "{said}");
    let cells = said.stdout.split_inclusive('\n');
    cells.filter(|line| !line.contains("::control+")).collect()
}

#[test]
fn the_tasks_of_two_crates_are_listed_in_the_order_of_their_ids() {
    let project = project();
    assert_eq!(
        list(&project),
        "first-test::aardvark::played+react: test\n\
         first-test::zebra::played+react: test\n\
         shared-tasks::greets::played+react: test\n"
    );
    // What nobody names the linker leaves out: that is why `packs` is there.
    project.replace("tests/agents.rs", "packs = [shared_tasks]", "");
    assert!(!list(&project).contains("shared-tasks"));
}

#[test]
fn a_crate_that_brings_no_task_is_an_error_at_main() {
    let project = project();
    project.write(
        "shared/src/lib.rs",
        &format!(
            "#![cfg_attr(not(test), allow(unused))]\n#[cfg(test)]\nmod inner {{\n{}}}\n",
            SHARED
                .replace("//!", "//")
                .replace("#![forbid(unsafe_code)]", "")
        ),
    );
    let said = project.cargo(&["test", "--test", "agents"]);
    assert_ne!(said.code, Some(0), "{said}");
    assert!(
        said.stderr
            .contains("tests/agents.rs:17: the crate `shared_tasks` brought no task"),
        "{said}"
    );
    assert!(!project.has("runs"));
}

#[test]
fn two_tasks_of_one_id_and_two_cases_of_one_name_are_errors_with_their_places() {
    let project = project();
    project.replace(
        "tests/agents.rs",
        "#[crossbar::task]\nasync fn aardvark",
        "#[crossbar::task(id = \"zebra\")]\nasync fn aardvark",
    );
    let said = project.cargo(&["test", "--test", "agents"]);
    assert_ne!(said.code, Some(0), "{said}");
    assert!(
        said.stderr
            .contains("two tasks are called `first-test::zebra`")
            && said.stderr.contains("tests/agents.rs:3")
            && said.stderr.contains("tests/agents.rs:10"),
        "{said}"
    );
    project
        .replace("tests/agents.rs", "(id = \"zebra\")", "(cases = names())")
        .replace(
            "tests/agents.rs",
            "fn aardvark(cx: &mut crossbar::Context)",
            "fn aardvark(cx: &mut crossbar::Context, _case: &u8)",
        )
        .replace(
            "tests/agents.rs",
            "crossbar::main!",
            "fn names() -> Vec<(String, u8)> {\n    vec![(\"one\".into(), 1), (\"One\".into(), 2)]\n}\n\ncrossbar::main!",
        );
    let said = project.cargo(&["test", "--test", "agents"]);
    assert_ne!(said.code, Some(0), "{said}");
    assert!(
        said.stderr
            .contains("tests/agents.rs:10: `aardvark` has two cases named `One`"),
        "{said}"
    );
}
