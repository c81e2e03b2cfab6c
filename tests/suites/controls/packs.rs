//! Every pack of this repository proves itself: doing nothing scores 0.00, the solution 1.00, and
//! each mistake, by its name, less than 1.00.

use crossbar_suites::project::{Output, Project};
use crossbar_suites::tree::{self, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// The pack whose servers have to be installed first.
const REAL: &str = "examples/real-servers/jobs";

/// Tasks that are wrong for a reason, which another test looks at.
const WRONG: &str = "tests/fixtures/admission/bad/";

/// The folders with task files, each with the names of its tasks' mistakes.
fn packs() -> BTreeMap<String, BTreeMap<String, Vec<String>>> {
    let tree = Tree::load(&tree::root()).unwrap();
    let mut found: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for (path, text) in tree.files() {
        let Some(file) = path.strip_suffix(".task.yaml") else {
            continue;
        };
        if !path.starts_with(WRONG) {
            let (folder, id) = file.rsplit_once('/').unwrap();
            let tasks = found.entry(folder.to_owned()).or_default();
            tasks.insert(id.to_owned(), mistakes(text));
        }
    }
    found
}

/// The sorted names below `broken`, which stands last in every task file here.
fn mistakes(text: &str) -> Vec<String> {
    let (_, broken) = text.split_once("\nbroken:\n").unwrap_or((text, ""));
    let names = broken.lines();
    let names = names.filter_map(|line| line.strip_prefix("  - name: "));
    let mut names: Vec<_> = names.map(str::to_owned).collect();
    names.sort();
    assert_eq!(
        names.len(),
        broken.matches("\n  - ").count() + 1,
        "{broken}"
    );
    names
}

fn validated(pack: &str, flags: &[&str]) -> Output {
    let mut project = Project::with_pack_of_the_repository(pack);
    for name in ["REAL_SERVERS", "REAL_GIT", "REAL_SQLITE"] {
        project.env(name, "/nowhere");
    }
    let folder = pack.rsplit('/').next().unwrap();
    project.crossbar(&[&["validate", "--pack", folder], flags].concat())
}

/// The row of a task: its three columns, the last with a score for each mistake.
fn row<'o>(said: &'o Output, task: &str) -> [&'o str; 3] {
    let start = format!("{task} ");
    let row = said.stdout.lines().find(|line| line.starts_with(&start));
    let row = row.unwrap_or_else(|| panic!("no row of {task}: {said}"));
    let (nothing, rest) = row[start.len()..].trim().split_once(' ').unwrap();
    let (solution, broken) = rest.trim().split_once(' ').unwrap();
    [nothing, solution, broken.trim()]
}

fn proves_itself(pack: &str, tasks: &BTreeMap<String, Vec<String>>) {
    let said = validated(pack, &["--controls"]);
    assert_eq!(said.code, Some(0), "{pack}: {said}");
    let folder = pack.rsplit('/').next().unwrap();
    for (id, mistakes) in tasks {
        let task = format!("{folder}::{id}");
        let [nothing, solution, broken] = row(&said, &task);
        assert_eq!((nothing, solution), ("0.00", "1.00"), "{task}");
        let scores = broken.split(", ").map(|one| match one.rsplit_once(' ') {
            Some((name, score)) => (Some(name), score),
            None => (None, one),
        });
        let scores: Vec<_> = scores.collect();
        assert_eq!(scores.len(), mistakes.len(), "{task}: {broken}");
        for ((name, score), mistake) in scores.into_iter().zip(mistakes) {
            assert!(name.is_none_or(|name| name == mistake), "{task}: {broken}");
            assert!(score.parse::<f64>().unwrap() < 1.0, "{task}: {broken}");
        }
    }
    let all: usize = tasks.values().map(|mistakes| 2 + mistakes.len()).sum();
    let end = format!("controls: {all} of {all} hold\n");
    assert!(said.stdout.ends_with(&end), "{pack}: {said}");
}

#[test]
fn every_pack_of_the_repository_proves_itself() {
    let packs = packs();
    let names: BTreeSet<_> = packs.keys().map(String::as_str).collect();
    for expected in [
        "crossbar/starter/tasks",
        "examples/first-test/tasks",
        "taskpacks/quick-facts",
        "taskpacks/support-triage",
    ] {
        assert!(names.contains(expected), "{names:?}");
    }
    for (pack, tasks) in &packs {
        assert!(!tasks.values().any(Vec::is_empty), "{pack}: no mistake");
        if pack != REAL {
            proves_itself(pack, tasks);
        }
    }
}

/// Its servers come from registries, so `.ci/run` plays its controls (tests/real.sh), and counts
/// them; here it is read, and the count compared.
#[test]
fn the_pack_on_real_servers_is_read_and_all_its_controls_are_counted() {
    let tasks = &packs()[REAL];
    let said = validated(REAL, &[]);
    assert_eq!(said.code, Some(0), "{said}");
    let all: usize = tasks.values().map(|mistakes| 2 + mistakes.len()).sum();
    assert!(
        said.stdout.contains(&format!("and {all} controls")),
        "{said}"
    );
    let read = |path: &str| std::fs::read_to_string(tree::root().join(path)).unwrap();
    let counted = format!("TASKS, CONTROLS = {}, {all}\n", tasks.len());
    assert!(read("examples/real-servers/claims.py").contains(&counted));
    assert!(read("tests/real.sh").contains(" examples/real-servers "));
    assert!(read(".ci/run").contains(" tests/real.sh "));
}
