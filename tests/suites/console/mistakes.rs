//! Mistakes that users make, each with the whole text that they are told.

use crossbar_suites::project::{Project, task};

use super::page::{Page, typed};

fn follow(page: &str, test: &str) {
    if typed() {
        return;
    }
    Page::new(page)
        .file("desk/sound.task.yaml", &task("sound"))
        .follow(test);
}

/// The test target of the example.
const TARGET: &str = "tests/agents.rs";

/// A page in the folder of examples/first-test, with its test binary as `agents`.
fn at_the_test_face(page: &str, test: &str) {
    if typed() {
        return;
    }
    let project = Project::first_test();
    let mut page = Page::new(page);
    if let Some(target) = page.shown(TARGET) {
        project.write(TARGET, &target);
    }
    for file in ["crossbar.yaml", "tasks/route-billing.task.yaml"] {
        page.file(file, &project.read(file));
    }
    page.program("agents", &project.agents()).follow(test);
}

#[test]
fn tasks() {
    follow("mistakes/tasks", "mistakes::tasks");
}

#[test]
fn roster() {
    follow("mistakes/roster", "mistakes::roster");
}

#[test]
fn listing() {
    at_the_test_face("mistakes/listing", "mistakes::listing");
}

#[test]
fn flags() {
    at_the_test_face("mistakes/flags", "mistakes::flags");
}

#[test]
fn linking() {
    at_the_test_face("mistakes/linking", "mistakes::linking");
}

#[test]
fn partial() {
    at_the_test_face("mistakes/partial", "mistakes::partial");
}
