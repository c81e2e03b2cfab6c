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
