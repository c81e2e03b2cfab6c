//! One run by `cargo test` and one by nextest, whose figures are the same; each test looks at a part.

use crossbar::stats::{Arm, variance_split};
use crossbar_suites::blocks::blocks;
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Output, Project, card, lasting};
use crossbar_suites::tree;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock, PoisonError};

const CELLS: [&str; 3] = [
    "mock-strong+react",
    "mock-weak+react",
    "mock-weak+react-verify",
];

/// The five jobs that are written out.
const FIVE: [&str; 5] = [
    "order-desk::address-change-pending",
    "order-desk::cancel-pending-lookup",
    "order-desk::cancel-shipped-refusal",
    "order-desk::refund-damaged-shipped",
    "order-desk::refund-delivered",
];

/// What the tests look at together.
struct Ran {
    said: Output,
    /// What reached the only way out of this machine.
    connections: usize,
    figures: Figures,
}

/// What every door must agree on: the record, the analysis, the card.
type Figures = (String, serde_json::Value, String);

fn figures(said: &Output) -> Figures {
    let project = project();
    let analysis = lasting(&project.sweep("runs/latest")["analysis"]);
    let lines = project.read("runs/latest/rollouts.csv");
    (lines, analysis, card(&said.stdout).to_owned())
}

fn project() -> &'static Project {
    &begun().0
}

/// The project, whose only way out leads to a server that counts who takes it.
fn begun() -> &'static (Project, CountingServer) {
    static BEGUN: OnceLock<(Project, CountingServer)> = OnceLock::new();
    BEGUN.get_or_init(|| {
        let server = CountingServer::start(|_| Reply::text("nobody asked"));
        let mut project = Project::order_desk("order-desk", "0.0.1");
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            project.env(name, &server.base_url());
        }
        (project, server)
    })
}

/// The cases that a list names; it is made before anything has run.
fn listed() -> &'static [String] {
    static LISTED: OnceLock<Vec<String>> = OnceLock::new();
    LISTED.get_or_init(|| {
        let said = typed(1);
        assert!(!project().has("runs"), "a list runs nothing: {said}");
        let names = said.stdout.lines();
        let names = names.filter_map(|line| line.strip_suffix(": test"));
        names.map(str::to_owned).collect()
    })
}

fn ran() -> &'static Ran {
    static RAN: OnceLock<Ran> = OnceLock::new();
    RAN.get_or_init(|| {
        listed();
        let said = typed(0);
        Ran {
            connections: begun().1.connections(),
            figures: figures(&said),
            said,
        }
    })
}

/// The tasks of the list, each with the names of its cells and controls.
fn tasks() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut tasks: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for case in listed() {
        let (task, of) = case.rsplit_once("::").unwrap();
        assert!(tasks.entry(task).or_default().insert(of), "twice: {case}");
    }
    tasks
}

#[test]
fn the_list_has_five_jobs_and_a_family_of_eight_for_each_situation() {
    let tasks = tasks();
    for task in FIVE {
        assert!(tasks.contains_key(task), "{task}");
    }
    let mut situations: BTreeMap<&str, usize> = BTreeMap::new();
    for task in tasks.keys().filter(|task| task.matches('.').count() == 2) {
        let (situation, _) = task.rsplit_once('.').unwrap();
        *situations.entry(situation).or_default() += 1;
    }
    assert!(situations.len() >= 12, "{situations:?}");
    assert!(
        situations.values().all(|count| *count == 8),
        "{situations:?}"
    );
    assert!(situations.values().sum::<usize>() >= 120);
    let refusals = situations.keys();
    let refusals = refusals.filter(|one| one.starts_with("order-desk::refusals."));
    assert!(refusals.count() >= 5);
    for (task, of) in &tasks {
        for name in CELLS.iter().chain(&["control+noop", "control+solution"]) {
            assert!(of.contains(name), "{task} has no {name}");
        }
        let broken = of.iter().any(|name| name.starts_with("control+broken"));
        assert!(broken, "{task} shows no mistake");
    }
}

#[test]
fn cargo_test_runs_all_that_is_listed_spends_nothing_and_ends_with_the_verdict() {
    let Ran {
        said, connections, ..
    } = ran();
    let listed = listed();
    let ok = said.stdout.lines().filter_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["test", case, "...", "ok"] if case.contains("::") => Some(case),
            _ => None,
        }
    });
    let ok: BTreeSet<_> = ok.filter(|case| case.contains('+')).collect();
    assert_eq!(ok, listed.iter().map(String::as_str).collect());
    let controls = listed.iter().filter(|case| case.contains("::control+"));
    let controls = controls.count();
    let hold = format!("CONTROLS       {controls} of {controls} hold");
    assert!(said.stdout.contains(&hold), "{hold}: {said}");
    assert!(said.stdout.contains("\n  >> "), "{said}");
    assert_eq!(*connections, 0, "a free run");
}

#[test]
fn nextest_and_a_verdict_print_the_figures_of_cargo_test() {
    let alone = &ran().figures;
    let _alone = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
    let crowd = typed(3);
    // Those of the agent, and the unit tests of the shop.
    let passed = format!("{} passed, 0 skipped", listed().len() + 7);
    assert!(crowd.stderr.contains(&passed), "{passed}: {crowd}");
    let said = typed(4);
    assert_eq!(&figures(&said), alone);
    let shown = typed(5);
    assert!(
        shown.stdout.contains(" repeat 1 on mock-weak+react"),
        "{shown}"
    );
}

#[test]
fn tasks_differ_for_a_model_that_carries_out_four_steps_of_five() {
    let lines = &ran().figures.0;
    let mut tasks: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for line in lines
        .lines()
        .filter(|line| line.starts_with("mock-weak+react,"))
    {
        let fields: Vec<_> = line.split(',').collect();
        let (passes, runs) = tasks.entry(fields[1]).or_default();
        *passes += u32::from(fields[5] == "true");
        *runs += 1;
    }
    assert!(tasks.len() >= 125, "{}", tasks.len());
    let (passes, runs): (Vec<_>, Vec<_>) = tasks.into_values().unzip();
    let split = variance_split(Arm::new(&passes, &runs).unwrap());
    assert!(split.between.unwrap() > 0.0, "{split:?}");
    // Which is what the report prints: less than all of the variance is noise.
    let cells = ran().figures.1["cells"].as_array().unwrap();
    let weak = cells.iter().find(|cell| cell["id"] == "mock-weak+react");
    let share = &weak.unwrap()["noise"]["share"]["value"];
    assert!(share.as_f64().unwrap() < 1.0, "{share}");
}

/// The commands of the example's page, as they stand there.
const COMMANDS: [&str; 6] = [
    "cargo test",
    "cargo test --test agents -- --list",
    "cargo test --test agents -- refusals.cancel_shipped",
    "cargo nextest run",
    "cargo crossbar verdict",
    "cargo crossbar show mock-weak+react order-desk::cancel-shipped-refusal -r 1",
];

/// Types a command of the page.
fn typed(at: usize) -> Output {
    let words: Vec<_> = COMMANDS[at].split(' ').skip(1).collect();
    let said = project().cargo(&words);
    assert_eq!(said.code, Some(0), "{said}");
    said
}

/// Held while a run is made of which a later command speaks.
static LATEST: Mutex<()> = Mutex::new(());

#[test]
fn the_commands_of_its_page_are_those_that_are_typed_here() {
    let page = tree::root().join("examples/order-desk/README.md");
    let page = blocks(&std::fs::read_to_string(page).unwrap());
    let shown = page.iter().filter(|block| block.language == "console");
    let shown = shown.flat_map(|block| &block.lines);
    let shown: Vec<_> = shown.map(|line| line.trim_start_matches("$ ")).collect();
    assert_eq!(shown, COMMANDS);
}

#[test]
fn some_of_the_cases_run_alone_and_are_no_verdict() {
    ran();
    let _alone = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
    let some = typed(2).stdout;
    assert!(some.contains("partial: no verdict"), "{some}");
    // Eight customers, each with three cells and four controls.
    assert!(some.contains("56 passed; 0 failed;"), "{some}");
}
