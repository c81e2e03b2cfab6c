//! An executable of one's own as a harness: the example, and what can be wrong with such a thing.

use crossbar_suites::project::{Output, Project};
use crossbar_suites::tree;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The example, whole.
fn example() -> Project {
    let project = Project::empty();
    let folder = tree::root().join("examples/command-harness");
    for name in ["", "desk"] {
        for entry in fs::read_dir(folder.join(name)).unwrap().flatten() {
            if entry.path().is_file() {
                let to = Path::new(name).join(entry.file_name());
                let text = fs::read_to_string(entry.path()).unwrap();
                project.write(&to.to_string_lossy(), &text);
                let rights = entry.metadata().unwrap().permissions();
                fs::set_permissions(project.path().join(to), rights).unwrap();
            }
        }
    }
    project
}

fn run(project: &Project, more: &[&str]) -> Output {
    project.crossbar(&[&["run"], more].concat())
}

fn outcomes(project: &Project, cell: &str) -> Vec<String> {
    let rollouts = project.rollouts("runs/latest").lines;
    let of_cell = rollouts.iter().filter(|line| line["cell"] == cell);
    of_cell.map(|line| line["outcome"].clone()).collect()
}

fn first(project: &Project, cell: &str) -> Value {
    let sweep = project.sweep("runs/latest");
    let rollouts = sweep["rollouts"].as_array().unwrap();
    let mut rollouts = rollouts.iter().filter(|one| one["key"]["cell"] == cell);
    rollouts.next().unwrap().clone()
}

#[test]
fn a_sound_loop_is_accepted_everywhere_and_an_idle_model_nowhere() {
    let project = example();
    let said = run(&project, &[]);
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(
        outcomes(&project, "scripted+mine"),
        ["accepted"; 10],
        "{said}"
    );
    assert_eq!(
        outcomes(&project, "idle+mine"),
        ["task_failure"; 10],
        "{said}"
    );
    let trajectory = &first(&project, "scripted+mine")["trajectory"];
    let agent = &trajectory["agent"];
    assert_eq!(agent["version"], "1.0");
    assert!(agent["stream"].as_array().unwrap().len() > 3, "{agent}");
    let names = agent["environment"].to_string();
    assert!(
        names.contains("HOME") && !names.contains("CROSSBAR_CONFIG"),
        "{names}"
    );
    let configuration = project.sweep("runs/latest")["meta"]["cells"].to_string();
    assert!(configuration.contains("./loop.py"), "{configuration}");
    assert!(
        !configuration.contains(&*project.path().to_string_lossy()),
        "{configuration}"
    );
}

#[test]
fn another_loop_is_another_cell() {
    let project = example();
    let print = |project: &Project| {
        let said = run(project, &["--repeats", "1"]);
        assert_eq!(said.code, Some(0), "{said}");
        project.sweep("runs/latest")["question"]["cells"][0]["fingerprint"].clone()
    };
    let before = print(&project);
    assert_eq!(before, print(&project));
    project.replace("loop.py", "smallest loop", "least loop");
    assert_ne!(before, print(&project));
}

#[test]
fn what_a_loop_does_wrong_is_its_own_fault_and_said() {
    let project = example();
    for (old, new, why) in [
        (
            "tell(type=\"answer\", text=reply[\"text\"])",
            "sys.exit(\"no more\")",
            "it ended without an answer (exit code 1): no more",
        ),
        (
            "sys.exit(\"no more\")",
            "print(\"done\")",
            "no message of the protocol",
        ),
    ] {
        project.replace("loop.py", old, new);
        let said = run(&project, &["--repeats", "1"]);
        assert_eq!(said.code, Some(0), "{said}");
        assert_eq!(
            outcomes(&project, "scripted+mine"),
            ["agent_crash"; 5],
            "{said}"
        );
        let outcome = first(&project, "scripted+mine")["outcome"].to_string();
        let ending = first(&project, "scripted+mine")["trajectory"]["ending"].to_string();
        assert!(
            format!("{outcome}{ending}").contains(why),
            "{outcome}{ending}"
        );
    }
}

#[test]
fn a_loop_that_is_not_there_or_not_the_one_that_was_meant_measures_nothing() {
    let project = example();
    project.replace("crossbar.yaml", "\"1.0\"", "\"2.0\"");
    let other = run(&project, &["--repeats", "1"]);
    assert_eq!(other.code, Some(4), "{other}");
    assert!(
        other.stderr.contains("is 1.0, and the roster says 2.0"),
        "{other}"
    );
    project.remove("loop.py");
    let gone = run(&project, &[]);
    assert_eq!(gone.code, Some(2), "{gone}");
    assert!(gone.stderr.contains("./loop.py can't be read"), "{gone}");
}

#[test]
fn a_loop_that_never_ends_is_stopped_with_all_that_it_started() {
    let project = example();
    project.replace("loop.py", "start = hear()", "import subprocess\nsubprocess.Popen([\"sleep\", \"4141\"])\nimport time\ntime.sleep(4141)\nstart = hear()");
    for task in [
        "one-call",
        "in-order",
        "many-calls",
        "what-was-said",
        "not-that-one",
    ] {
        let file = format!("desk/{task}.task.yaml");
        project.replace(&file, "environment:", "timeout_s: 1\nenvironment:");
    }
    let said = run(&project, &["--repeats", "1", "--agent", "scripted+mine"]);
    assert_eq!(
        outcomes(&project, "scripted+mine"),
        ["limit_reached"; 5],
        "{said}"
    );
    let left = fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
        let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains("sleep\x004141")
    });
    assert_eq!(left.count(), 0, "{said}");
}
