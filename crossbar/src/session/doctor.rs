//! `doctor`: what is on this machine, what this project has, and what is missing for what.

use super::load::{Brought, Loaded, Packs, WithoutRoster, load};
use super::options::ENVIRONMENT;
use super::{RunOptions, SessionError, locate, stored};
use crate::harness::{AgentProgram, PROGRAMS};
use crate::process::Tool;
use crate::provider;
use crate::report::counted;
use crate::store::Store;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The programs that are looked for, with what each is for.
const TOOLS: [(&str, &str); 5] = [
    ("cargo", "builds and runs the tasks written in Rust"),
    ("rustc", "compiles them"),
    ("cargo-nextest", "runs them, a process for each case"),
    ("python3", "runs servers that are written in Python"),
    ("docker", "nothing that this version builds needs it"),
];

/// The optional features that this build has.
const FEATURES: &[&str] = &[
    #[cfg(feature = "cli")]
    "cli",
    #[cfg(feature = "http")]
    "http",
];

/// What was found, section by section.
pub struct Examination {
    /// The sections, in the order of printing.
    pub sections: Vec<Section>,
    /// Why the project can't run as it is.
    pub problem: Option<SessionError>,
}

/// A heading with what was found below it.
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// A name and what there is to say about it. The value of a key is never said.
    pub findings: Vec<(String, String)>,
}

/// Looks at the machine, the project and the environment. Starts no server, sends nothing, and
/// writes nothing.
pub fn examine(
    options: &RunOptions,
    here: &Path,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Examination {
    let brought = Brought {
        from: here,
        packs: Packs::Run,
        held: &[],
        without_roster: WithoutRoster::Refuse,
        lookup,
    };
    let found = locate::roster(options.config.as_deref(), here);
    let loaded = found.as_ref().ok().map(|_| load(options, &brought));
    let (loaded, problem) = match loaded {
        None => (None, None),
        Some(Ok(loaded)) => (Some(loaded), None),
        Some(Err(error)) => (None, Some(error)),
    };
    let mut sections = vec![machine(here)];
    let roster = match &found {
        Ok(path) => path.display().to_string(),
        Err(_) => "none here or above: crossbar init writes one".to_owned(),
    };
    let mut findings = vec![("roster".to_owned(), roster)];
    if let Some(loaded) = &loaded {
        findings.extend(project(options, loaded));
    }
    sections.push(Section {
        title: "PROJECT",
        findings,
    });
    if let Some(loaded) = &loaded {
        sections.push(models(loaded, lookup));
    }
    sections.push(environment(lookup));
    Examination { sections, problem }
}

fn machine(here: &Path) -> Section {
    let version = env!("CARGO_PKG_VERSION");
    let features = FEATURES.join(", ");
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let mut findings = vec![(
        "crossbar".to_owned(),
        format!("{version} on {system}, features: {features}"),
    )];
    findings.extend(TOOLS.map(|(name, purpose)| {
        let found = version_of(name, here);
        let found = found.unwrap_or_else(|| format!("not found ({purpose})"));
        (name.to_owned(), found)
    }));
    findings.extend(PROGRAMS.iter().map(|program| agent(program, here)));
    Section {
        title: "MACHINE",
        findings,
    }
}

/// What a program says of its version; `None` where it can't be started.
fn version_of(name: &str, here: &Path) -> Option<String> {
    let tool = Tool {
        program: OsStr::new(name),
        args: vec![OsString::from("--version")],
        cwd: here,
        env: Vec::new(),
    };
    tool.first_line()
}

/// A program that is a harness of its own, beside the version that crossbar is tested with.
fn agent(program: &AgentProgram, here: &Path) -> (String, String) {
    let (kind, pin) = (program.kind, program.version);
    let install = format!("npm install -g {}@{pin}", program.package);
    let found = match version_of(program.program, here) {
        Some(line) if line.split_whitespace().any(|word| word == pin) => {
            format!("{line}, the version that harness {kind} is tested with")
        }
        Some(line) => format!("{line}; harness {kind} is tested with {pin} ({install})"),
        None => format!("not found (harness {kind} needs it: {install})"),
    };
    (program.program.to_owned(), found)
}

fn project(options: &RunOptions, loaded: &Loaded) -> Vec<(String, String)> {
    let named = Some(loaded.roster.run.results_dir.as_str());
    let results = locate::results_dir(options.results_dir.as_deref(), named, &loaded.root);
    let runs = match Store::open_existing(&stored::path(&results)) {
        Ok(None) => "no run yet".to_owned(),
        Ok(Some(store)) => match store.runs() {
            Ok(runs) => format!("{} recorded", counted(runs.len() as u64, "run")),
            Err(error) => format!("can't be read: {error}"),
        },
        Err(error) => format!("can't be read: {error}"),
    };
    let cells: Vec<String> = loaded
        .roster
        .cells
        .iter()
        .map(|cell| cell.id.to_string())
        .collect();
    let tasks = counted(loaded.tasks.len() as u64, "task");
    let packs = counted(loaded.pack_names.len() as u64, "pack");
    vec![
        ("cells".to_owned(), cells.join(", ")),
        (
            "tasks".to_owned(),
            format!("{tasks} in {packs}, and those in Rust, which the test binaries know"),
        ),
        (
            "results".to_owned(),
            format!("{} ({runs})", results.display()),
        ),
    ]
}

fn models(loaded: &Loaded, lookup: &dyn Fn(&str) -> Option<String>) -> Section {
    let finding = |model: &crate::domain::Model| {
        let pretend = provider::kind(&model.provider).is_some_and(|kind| kind.pretend);
        let kind = if pretend {
            format!("{}, a pretend model", model.provider)
        } else {
            format!("{}, live: it may cost money", model.provider)
        };
        let key = model.api_key_env.as_ref().map(|name| {
            let there = lookup(name).is_some_and(|value| !value.is_empty());
            format!(
                "; its key {name} is {}",
                if there { "set" } else { "not set" }
            )
        });
        (model.id.clone(), kind + &key.unwrap_or_default())
    };
    Section {
        title: "MODELS",
        findings: loaded.roster.models.iter().map(finding).collect(),
    }
}

fn environment(lookup: &dyn Fn(&str) -> Option<String>) -> Section {
    let finding = |(name, purpose): &(&str, &str)| {
        let value = lookup(name).filter(|value| !value.is_empty());
        let value = value.unwrap_or_else(|| format!("not set ({purpose})"));
        ((*name).to_owned(), value)
    };
    Section {
        title: "ENVIRONMENT",
        findings: ENVIRONMENT.iter().map(finding).collect(),
    }
}
