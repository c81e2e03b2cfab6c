//! What a program that drove a model by itself was given, and what it wrote.

use super::{Exchange, Usd};
use serde::{Deserialize, Serialize};

/// The most of a program's output that is kept, in bytes; what comes after it is counted.
const LONGEST: usize = 4 << 20;

/// How a program's version was learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VersionSource {
    /// What the run itself wrote names it.
    #[default]
    Output,
    /// What a run writes does not name it: the program was asked before its start.
    Asked,
}

/// A text that the program was given for its model, besides the task. What it says stands in the
/// cell's configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// What it was given as.
    #[serde(rename = "as")]
    pub given_as: GivenAs,
    /// The file below the workspace; `None` for what is no file of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// What a text was given as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GivenAs {
    /// The program's own system prompt.
    OwnPrompt,
    /// `instructions` of the roster, in the place of its own.
    Instructions,
    /// Its instruction file.
    InstructionFile,
    /// A skill, which it reads when it is used.
    Skill,
}

/// What a program says of its own run: kept as it says it, beside what was metered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OwnFigures {
    /// Input that was neither read from a cache nor written to one, in tokens.
    pub input_tokens: Option<u64>,
    /// Input that was read from a cache.
    pub cache_read_tokens: Option<u64>,
    /// Input that was written to a cache.
    pub cache_write_tokens: Option<u64>,
    /// Output.
    pub output_tokens: Option<u64>,
    /// Its cost, guessed or not.
    pub cost: Option<Usd>,
    /// Milliseconds that it took.
    pub took_ms: Option<u64>,
    /// Milliseconds that it waited for its model.
    pub waited_ms: Option<u64>,
    /// Turns.
    pub turns: Option<u64>,
}

/// One run of a program that drove a model by itself.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct AgentRun {
    /// The program, and all its arguments.
    pub argv: Vec<String>,
    /// The NAMES of the variables that it was given; never a value.
    pub environment: Vec<String>,
    /// What it was told.
    pub prompt: String,
    /// Its version, as it says; `None` when it did not come so far.
    pub version: Option<String>,
    /// How that was learned.
    #[serde(default)]
    pub version_source: VersionSource,
    /// The version that crossbar is tested with.
    pub pinned: String,
    /// Its own figure for the cost; `None` unless it says that it knows the price.
    pub cost: Option<Usd>,
    /// What it says of its run; `None` when it did not come so far, or never says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<OwnFigures>,
    /// The texts that it was given for its model besides the task, each before those that it stands
    /// over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Given>,
    /// The skills that it said it has, its own among them; `None` where it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<String>>,
    /// Every request to its model.
    pub exchanges: Vec<Exchange>,
    /// What it wrote to its standard output, line by line.
    pub stream: Vec<String>,
    /// Bytes of its output that are not kept.
    pub left_out: u64,
    /// The end of its standard error.
    pub stderr: String,
    /// How it ended, in words; `None` when it was ended.
    pub exit: Option<String>,
}

impl AgentRun {
    /// Keeps a line of its output, or counts it once there are too many.
    pub fn hear(&mut self, line: &str) {
        let kept: usize = self.stream.iter().map(String::len).sum();
        if self.left_out == 0 && kept + line.len() <= LONGEST {
            self.stream.push(line.to_owned());
        } else {
            self.left_out += line.len() as u64 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_kept_up_to_a_limit_and_counted_beyond_it() {
        let mut run = AgentRun::default();
        run.hear("first");
        run.hear(&"x".repeat(LONGEST));
        run.hear("last");
        assert_eq!(run.stream, ["first"]);
        assert_eq!(run.left_out, LONGEST as u64 + 1 + 5);
    }
}
