//! Small rosters and tasks over the built-in ticket desk, as texts.

use super::{Project, place};
use std::fs;
use std::path::Path;

/// The roster of the packs here: `good` always plays the whole script, `poor` misses steps. Both
/// are mocks, and `poor` costs a hundredth.
pub const ROSTER: &str = "\
models:
  - id: good
    provider: mock
    skill: 1
    price: {input_per_mtok: 10, output_per_mtok: 50}
  - id: poor
    provider: mock
    skill: 0.5
    recover: 1
    price: {input_per_mtok: 0.1, output_per_mtok: 0.5}
harnesses:
  - {id: react, kind: react}
agents:
  - {model: good, harness: react}
  - {model: poor, harness: react}
run:
  repeats: 3
  concurrency: 2
  baseline: good+react
";

/// The server of every task here, as a line of YAML; replace it to give a task another server.
pub const SERVER: &str = "{name: tickets, command: \"${CROSSBAR_BIN}\", args: [__serve, tickets]}";

/// A task with one check, of the state that the agent leaves behind.
pub fn task(id: &str) -> String {
    format!(
        "id: {id}
prompt: Ticket T-1001 is urgent. Say so, and give it to oncall.
environment:
  kind: local
  servers: [{SERVER}]
checks:
  - type: mcp_state
    description: it is urgent and with oncall
    server: tickets
    tool: get_ticket
    args: {{id: T-1001}}
    expect: {{ticket: {{priority: urgent, team: oncall}}}}
demo:
  script:
    - {{tool: tickets.set_priority, args: {{id: T-1001, priority: urgent}}}}
    - {{tool: tickets.assign, args: {{id: T-1001, team: oncall}}}}
  final: T-1001 is urgent and with oncall.
"
    )
}

impl Project {
    /// A project without Rust: the roster, and the tasks `one` and `two` in the folder `desk`.
    pub fn pack() -> Self {
        let project = Self::empty();
        project
            .write("crossbar.yaml", ROSTER)
            .write("desk/one.task.yaml", &task("one"))
            .write("desk/two.task.yaml", &task("two"));
        project
    }

    /// The roster and the pack of this repository, as a clone has them.
    pub fn of_the_repository() -> Self {
        let project = Self::empty();
        let root = crate::tree::root();
        for path in ["crossbar.yaml", "taskpacks"] {
            project.copy(&root, path);
        }
        project
    }

    /// A pack of this repository, alone in a folder without a roster, under its own name.
    pub fn with_pack_of_the_repository(path: &str) -> Self {
        let project = Self::empty();
        let (_, name) = path.rsplit_once('/').expect("a folder in a folder");
        for (file, text) in place::files(&crate::tree::root().join(path)) {
            project.write(&format!("{name}/{file}"), &text);
        }
        project
    }

    /// Copies a file, or a folder with all below it, to the same place.
    fn copy(&self, root: &Path, path: &str) {
        if root.join(path).is_file() {
            self.write(path, &fs::read_to_string(root.join(path)).unwrap());
            return;
        }
        for entry in fs::read_dir(root.join(path)).unwrap() {
            let name = entry.unwrap().file_name();
            self.copy(root, &format!("{path}/{}", name.to_string_lossy()));
        }
    }

    /// Gives every task of `desk` another server.
    pub fn serve(&self, server: &str) -> &Self {
        for name in self.names("desk") {
            self.replace(&format!("desk/{name}"), SERVER, server);
        }
        self
    }
}
