//! `doctor`: what is on this machine, what this project has, and what is missing for what.

mod examples;
mod machine;
mod project;

use super::load::{Brought, Loaded, Packs, WithoutRoster, load};
use super::options::ENVIRONMENT;
use super::{RunOptions, SessionError, locate};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// What was found, section by section.
#[derive(Debug, Serialize)]
pub struct Examination {
    /// The sections, in the order of printing.
    pub sections: Vec<Section>,
    /// Why the project can't run as it is: roster or packs can't be read, or something that they
    /// need is not there.
    #[serde(serialize_with = "as_text")]
    pub problem: Option<SessionError>,
}

/// A heading with what was found below it.
#[derive(Debug, Serialize)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// What was looked for.
    pub findings: Vec<Finding>,
}

/// Something that was looked for.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// Its name.
    pub name: String,
    /// Whether it is there.
    pub state: State,
    /// What there is to say about it. The value of a key is never said.
    pub text: String,
    /// What to do when it is wanted and not there.
    pub help: Option<String>,
}

/// Whether something is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It is.
    There,
    /// It is not, and this project does without it.
    Absent,
    /// It is not, and the roster or its packs need it.
    Needed,
}

impl Finding {
    fn there(name: &str, text: impl Into<String>) -> Self {
        Self::new(State::There, name, text)
    }

    fn new(state: State, name: &str, text: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            state,
            text: text.into(),
            help: None,
        }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Looks at the machine, the project and the environment. Starts no server, sends nothing, and
/// writes nothing; programs are asked for their version.
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
    let roster = locate::roster(options.config.as_deref(), here);
    let named = options.config.is_some();
    let (loaded, problem) = match &roster {
        // A roster that somebody named and that is not there is a mistake; none at all is not.
        Err(_) if !named => (None, None),
        _ => match load(options, &brought) {
            Ok(loaded) => (Some(loaded), None),
            Err(error) => (None, Some(error)),
        },
    };
    let used: BTreeSet<&str> = loaded.iter().flat_map(project::harness_kinds).collect();
    let mut sections = vec![
        section("MACHINE", machine::tools(here, lookup, &used)),
        section("PROJECT", project(roster.ok().as_deref(), options, &loaded)),
    ];
    if let Some(loaded) = &loaded {
        sections.push(section("MODELS", project::models(loaded, lookup)));
        sections.push(section("SERVERS", project::servers(loaded, lookup)));
    }
    sections.push(section("EXAMPLES", examples::installed(here, lookup)));
    sections.push(section("ENVIRONMENT", environment(lookup)));
    sections.retain(|section| !section.findings.is_empty());
    let problem = problem.or_else(|| needed(&sections));
    Examination { sections, problem }
}

fn section(title: &'static str, findings: Vec<Finding>) -> Section {
    Section { title, findings }
}

fn project(roster: Option<&Path>, options: &RunOptions, loaded: &Option<Loaded>) -> Vec<Finding> {
    let Some(path) = roster else {
        let none = Finding::new(State::Absent, "roster", "none here or above");
        return vec![none.help("crossbar init writes one to begin with; --config names another")];
    };
    let mut findings = vec![Finding::there("roster", path.display().to_string())];
    match loaded {
        Some(loaded) => findings.extend(project::contents(options, loaded)),
        None => {
            let broken = Finding::new(State::Needed, "tasks", "roster or packs can't be read");
            findings.push(broken.help("mend what the errors below name"));
        }
    }
    findings
}

/// What the roster needs and does not find, as one error.
fn needed(sections: &[Section]) -> Option<SessionError> {
    let all = sections.iter().flat_map(|section| &section.findings);
    let missing: Vec<&str> = all
        .filter(|finding| finding.state == State::Needed)
        .map(|finding| finding.name.as_str())
        .collect();
    let error = || {
        let text = format!("the roster needs what is not there: {}", missing.join(", "));
        SessionError::new(text).help("each line above that says `needed` says what to do")
    };
    (!missing.is_empty()).then(error)
}

fn environment(lookup: &dyn Fn(&str) -> Option<String>) -> Vec<Finding> {
    let finding =
        |(name, purpose): &(&str, &str)| match lookup(name).filter(|value| !value.is_empty()) {
            Some(value) => Finding::there(name, value),
            None => Finding::new(State::Absent, name, format!("not set ({purpose})")),
        };
    ENVIRONMENT.iter().map(finding).collect()
}

fn as_text<S: serde::Serializer>(
    problem: &Option<SessionError>,
    out: S,
) -> Result<S::Ok, S::Error> {
    problem.as_ref().map(ToString::to_string).serialize(out)
}
