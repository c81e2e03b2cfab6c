//! Listing the cases of a pack inside the binary: what the collector knew is enough.

use super::listed;
use crossbar_suites::project::Project;

/// A build script that writes what a collector writes, for a task whose text can't be read.
const UNREADABLE: &str = r##"fn main() {
    let packs = "&[(\"mark:/desk\", \"desk\", None, &[(\"one.task.yaml\", \"id: [\", \
        Some((\"one\", 1, &[\"control+noop\", \"control+solution\"], None)))])]";
    let out = std::env::var("OUT_DIR").unwrap();
    std::fs::write(out + "/crossbar-packs.rs", packs).unwrap();
}
"##;

#[test]
fn a_list_reads_no_task_that_its_collector_has_read() {
    let project = Project::collector();
    project
        .remove("agent-tests/desk")
        .write("agent-tests/build.rs", UNREADABLE);
    assert_eq!(listed(&project), ["desk::one"]);
    let ran = project.cargo(&["test", "-p", "agent-tests", "--test", "agents"]);
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(ran.stderr.contains("desk/one.task.yaml:1:5"), "{ran}");
}

#[test]
fn a_list_names_the_cases_that_run_and_refuses_an_id_that_is_taken() {
    let project = Project::collector();
    let agents = ["test", "-p", "agent-tests", "--test", "agents"];
    let cases = |args: &[&str], end: &str| -> Vec<String> {
        let said = project.cargo(&[&agents[..], args].concat());
        assert_eq!(said.code, Some(0), "{said}");
        let named = said
            .stdout
            .lines()
            .filter_map(|line| line.strip_suffix(end));
        let mut names: Vec<_> = named
            .map(|name| name.trim_start_matches("test ").trim_end().to_owned())
            .collect();
        names.sort();
        names
    };
    let listed = cases(&["--", "--list"], ": test");
    assert_eq!(listed.len(), 2 * (2 + 2));
    assert_eq!(listed, cases(&[], "... ok"));

    project.write(
        "agent-tests/tests/agents.rs",
        "crossbar::include_taskpack!();\n\n#[crossbar::task(id = \"one\")]\nasync fn other(cx: &mut crossbar::Context) -> crossbar::Result {\n    cx.agent(\"hello\").await?;\n    Ok(())\n}\n\ncrossbar::main!(pack = \"desk\");\n",
    );
    let said = project.cargo(&[&agents[..], &["--", "--list"]].concat());
    assert_eq!(said.code, Some(2), "{said}");
    for place in ["desk/one.task.yaml:1", "agent-tests/tests/agents.rs:3"] {
        assert!(said.stderr.contains(place), "{place}: {said}");
    }
}
