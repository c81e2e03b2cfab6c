//! What other tools are told of a run, and where that lies.

use crossbar_suites::project::task;

use super::page::{Page, typed};

#[test]
fn exports() {
    if typed() {
        return;
    }
    Page::new("exports")
        .file("desk/one.task.yaml", &task("one"))
        .follow("exports::exports");
}
