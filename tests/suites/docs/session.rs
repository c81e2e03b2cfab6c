//! Somebody who follows a page from top to bottom: writes its files, types its commands.

use crossbar_suites::project::{Output, Project};
use std::path::Path;

use super::console::Command;
use super::pages::read;

/// Where the pages' reader keeps the clone and the example.
const CLONE: &str = "/home/you/crossbar";
const EXAMPLE: &str = "/home/you/crossbar/examples/first-test";

/// Commands that are not run, each with the reason.
const NOT_RUN: [(&str, &str); 4] = [
    ("git clone ", "it needs the network"),
    ("cargo test --workspace", "it would run this very test"),
    ("cargo install ", "it needs the network"),
    (
        "CROSSBAR_LIVE=1 ",
        "it calls a model that somebody pays for",
    ),
];

/// A reader in the middle of a page.
pub struct Session {
    clone: Project,
    example: Option<Project>,
    /// Whether the reader is in the example's folder.
    in_example: bool,
    last_code: i32,
}

/// What the reader saw.
pub enum Seen {
    /// The lines of a command.
    Lines(Vec<String>),
    /// The command is on the list of those that are not run.
    NotRun,
}

impl Session {
    /// In a clone with the roster and the packs of this repository.
    pub fn new() -> Self {
        Self {
            clone: Project::of_the_repository(),
            example: None,
            in_example: false,
            last_code: 0,
        }
    }

    fn here(&self) -> &Project {
        match &self.example {
            Some(example) if self.in_example => example,
            _ => &self.clone,
        }
    }

    /// Saves a file of the page.
    pub fn save(&self, path: &str, lines: &[String]) {
        self.here().write(path, &(lines.join("\n") + "\n"));
    }

    /// Types a command. One that fails must be followed by `echo $?` in the page.
    pub fn run(&mut self, command: &Command) -> Result<Seen, String> {
        let text = command.text.as_str();
        if NOT_RUN.iter().any(|(start, _)| text.starts_with(start)) {
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
        match folder {
            "crossbar" | "../.." => self.in_example = false,
            "examples/first-test" => {
                self.example.get_or_insert_with(Project::first_test);
                self.in_example = true;
            }
            other => return Err(format!("no page says what is in {other}")),
        }
        Ok(Seen::Lines(Vec::new()))
    }

    /// The clone's alias is the built binary here: the alias itself is checked below.
    fn output(&self, text: &str) -> Output {
        let text = match text.strip_prefix("cargo xb") {
            Some(rest) => format!("crossbar{rest}"),
            None => text.to_owned(),
        };
        self.here().start(Path::new("sh"), &["-c", &text]).end()
    }

    fn shown(&self, text: &str) -> Vec<String> {
        let place = if self.in_example { EXAMPLE } else { CLONE };
        let text = text.replace(&*self.here().path().to_string_lossy(), place);
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
fn a_failed_command_can_not_be_passed_over() {
    let mut session = Session::new();
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
