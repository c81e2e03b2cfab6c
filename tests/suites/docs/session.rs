//! Somebody who follows a page from top to bottom: writes its files, types its commands.

use crossbar_suites::project::{Output, Project};
use std::collections::BTreeMap;
use std::path::Path;

use super::console::Command;
use super::followed::{Followed, find};
use super::pages::read;

/// A reader in the middle of a page.
pub struct Session {
    page: &'static Followed,
    /// Commands that were passed over.
    passed: Vec<&'static str>,
    places: BTreeMap<Place, Project>,
    here: Place,
    /// A folder of that place, which the page has made; empty for the place itself.
    inside: String,
    last_code: i32,
}

/// A folder that a page names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A folder with nothing in it.
    Nowhere,
    /// A clone, with the roster and the packs of this repository.
    Clone,
    /// The example in the clone.
    Example,
}

impl Place {
    /// The folder with what is in it at first.
    fn project(self) -> Project {
        match self {
            Self::Nowhere => Project::empty(),
            Self::Clone => Project::of_the_repository(),
            Self::Example => Project::first_test(),
        }
    }

    /// What the pages call it.
    const fn path(self) -> &'static str {
        match self {
            Self::Nowhere => "/home/you",
            Self::Clone => "/home/you/crossbar",
            Self::Example => "/home/you/crossbar/examples/first-test",
        }
    }
}

/// What the reader saw.
pub enum Seen {
    /// The lines of a command.
    Lines(Vec<String>),
    /// The command is on the list of those that are not run.
    NotRun,
}

impl Session {
    /// Where the page begins.
    pub fn new(page: &'static Followed) -> Self {
        let here = page.start;
        Self {
            page,
            passed: Vec::new(),
            places: BTreeMap::from([(here, here.project())]),
            here,
            inside: String::new(),
            last_code: 0,
        }
    }

    fn here(&self) -> &Project {
        &self.places[&self.here]
    }

    /// The commands that the page's table says are not run, and that the page did not have.
    pub fn still_to_be_named(&self) -> Vec<&'static str> {
        let named = self.page.not_run.iter().map(|(text, _)| *text);
        named.filter(|text| !self.passed.contains(text)).collect()
    }

    /// Saves a file of the page.
    pub fn save(&self, path: &str, lines: &[String]) {
        let path = match self.inside.as_str() {
            "" => path.to_owned(),
            folder => format!("{folder}/{path}"),
        };
        self.here().write(&path, &(lines.join("\n") + "\n"));
    }

    /// Types a command. One that fails must be followed by `echo $?` in the page.
    pub fn run(&mut self, command: &Command) -> Result<Seen, String> {
        let text = command.text.as_str();
        if let Some((known, _)) = self.page.not_run.iter().find(|(known, _)| *known == text) {
            self.passed.push(known);
            return Ok(Seen::NotRun);
        }
        if text == "echo $?" {
            let code = std::mem::take(&mut self.last_code);
            return Ok(Seen::Lines(vec![code.to_string()]));
        }
        if self.last_code != 0 {
            return Err(format!("the command before ended with {}", self.last_code));
        }
        if let Some(folder) = text.strip_prefix("cd ") {
            return self.go(folder);
        }
        let output = self.output(text);
        self.last_code = output.code.ok_or("a signal ended it")?;
        let shown = match self.last_code {
            0 => output.stdout,
            _ => output.stderr + &output.stdout,
        };
        Ok(Seen::Lines(self.shown(&shown)))
    }

    fn go(&mut self, folder: &str) -> Result<Seen, String> {
        let place = match (self.here, self.inside.as_str(), folder) {
            (Place::Clone, "", "crossbar")
            | (Place::Nowhere, _, "../crossbar")
            | (Place::Example, "", "../..") => Place::Clone,
            (Place::Clone, "", "examples/first-test") => Place::Example,
            (Place::Nowhere, "", made) if self.here().has(made) => {
                made.clone_into(&mut self.inside);
                return Ok(Seen::Lines(Vec::new()));
            }
            _ => return Err(format!("no page says what is in {folder}")),
        };
        self.places.entry(place).or_insert_with(|| place.project());
        self.here = place;
        self.inside.clear();
        Ok(Seen::Lines(Vec::new()))
    }

    /// The clone's alias is the built binary here: the alias itself is checked below.
    fn output(&self, text: &str) -> Output {
        let text = match text.strip_prefix("cargo xb") {
            Some(rest) => format!("crossbar{rest}"),
            None => text.to_owned(),
        };
        let text = match self.inside.as_str() {
            "" => text,
            folder => format!("cd {folder} && {text}"),
        };
        self.here().start(Path::new("sh"), &["-c", &text]).end()
    }

    fn shown(&self, text: &str) -> Vec<String> {
        let path = self.here().path().to_string_lossy().into_owned();
        let text = text.replace(&path, self.here.path());
        let text = text.trim_end();
        text.lines()
            .map(|line| line.trim_end().to_owned())
            .collect()
    }
}

#[test]
fn the_alias_is_the_binary_that_the_pages_are_tried_with() {
    let config = read(".cargo/config.toml");
    assert!(
        config.contains("xb = \"run -p crossbar-test --features cli --bin crossbar --\""),
        "{config}"
    );
}

#[test]
fn a_command_is_passed_over_only_as_the_table_has_it() {
    let page = find("README.md").unwrap();
    let mut session = Session::new(page);
    let command = |text: &str| Command {
        text: text.to_owned(),
        line: 1,
        output: Vec::new(),
    };
    let all = page.not_run.iter().map(|(text, _)| *text);
    assert!(session.still_to_be_named().into_iter().eq(all));
    let (first, _) = page.not_run[0];
    assert!(matches!(session.run(&command(first)), Ok(Seen::NotRun)));
    assert!(!session.still_to_be_named().contains(&first));
    let near = session.run(&command("cargo test --workspaces"));
    assert!(matches!(near, Ok(Seen::Lines(_))), "it is run, and fails");
}

#[test]
fn a_failed_command_can_not_be_passed_over() {
    let mut session = Session::new(find("README.md").unwrap());
    let command = |text: &str| Command {
        text: text.to_owned(),
        line: 1,
        output: Vec::new(),
    };
    assert!(session.run(&command("exit 3")).is_ok());
    assert!(session.run(&command("true")).is_err());
    match session.run(&command("echo $?")) {
        Ok(Seen::Lines(lines)) => assert_eq!(lines, ["3"]),
        _ => panic!("no lines"),
    }
    assert!(session.run(&command("true")).is_ok());
}
