//! What is to be started.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The environment variable that marks every process of a rollout. Its value is the rollout's id,
/// a slash, and a number that tells the children of one rollout apart.
pub const MARKER: &str = "CROSSBAR_ROLLOUT";

/// A program with all that it may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSpec {
    /// A path, or a name that is looked up in PATH.
    pub program: String,
    /// Its arguments, the program's own name not among them.
    pub args: Vec<String>,
    /// Variables on top of the allow-listed ones (PATH, HOME, locale and the like). Nothing else
    /// of our own environment reaches the program.
    pub env: BTreeMap<String, String>,
    /// Where it runs; ours when `None`.
    pub cwd: Option<PathBuf>,
    /// Id of the rollout that it belongs to. Opaque; may hold anything but NUL.
    pub rollout: String,
}
