//! A user's project in a folder of its own outside the repository, and the commands that its user
//! types: cargo, cargo nextest, crossbar. Nothing of the surrounding test run is visible there.

mod collector;
mod order_desk;
mod outcome;
mod packs;
mod place;
mod running;
mod stranger;
mod tools;

pub use outcome::{Output, Rollouts, XmlCase, card, junit, lasting};
pub use packs::{ROSTER, SERVER, task};
pub use place::bytes;
pub use running::Running;
pub use stranger::Unpacked;
pub use tools::{binaries, cargo, target};

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use place::Place;

/// The profile of this workspace for a project's manifest, said as it is said there: crates of
/// others that were built for one serve the other.
pub const PROFILE: &str = "\
[profile.dev]
debug = \"line-tables-only\"

[profile.dev.build-override]
debug = 0
";

/// A project, and the environment that its commands run in. Its folder goes when it is dropped.
#[derive(Debug)]
pub struct Project {
    place: Place,
    env: BTreeMap<String, String>,
}

impl Project {
    /// A copy of examples/first-test, its dependency rewritten to this clone.
    ///
    /// Projects of this kind share one target folder, so `crossbar` is compiled once for all suites,
    /// and their folders are used again, so the test binary is built again only where it differs.
    pub fn first_test() -> Self {
        let project = Self {
            place: Place::slot(),
            env: BTreeMap::new(),
        };
        let root = crate::tree::root();
        let mut files = place::files(&root.join("examples/first-test"));
        let manifest = files.get_mut("Cargo.toml").expect("the example's manifest");
        *manifest = rewritten(manifest, &root);
        // cargo tells packages of one name apart by their version alone, wherever they lie: with the
        // same one, two projects would take each other's test binary for their own.
        let slot = project.path().file_name().unwrap().to_string_lossy();
        let version = format!("version = \"0.0.{slot}\"");
        *manifest = manifest.replace("version = \"0.0.0\"", &version);
        let lock = fs::read_to_string(root.join("Cargo.lock")).expect("Cargo.lock");
        files.insert("Cargo.lock".to_owned(), lock);
        place::become_exactly(project.path(), &files);
        project
    }

    /// An empty folder: a project without Rust.
    pub fn empty() -> Self {
        Self {
            place: Place::fresh(),
            env: BTreeMap::new(),
        }
    }

    /// The project's folder.
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// Writes a file, making its folders; one that holds this text already is left alone.
    pub fn write(&self, path: &str, text: &str) -> &Self {
        place::write(&self.path().join(path), text);
        self
    }

    /// Writes a file with `old` replaced by `new`; `old` must stand in it exactly once.
    pub fn replace(&self, path: &str, old: &str, new: &str) -> &Self {
        let text = self.read(path);
        assert_eq!(text.matches(old).count(), 1, "`{old}` in {path}");
        self.write(path, &text.replace(old, new))
    }

    /// Deletes a file or a folder.
    pub fn remove(&self, path: &str) -> &Self {
        let path = self.path().join(path);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
        self
    }

    /// The text of a file.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Whether there is such a file or folder.
    pub fn has(&self, path: &str) -> bool {
        self.path().join(path).exists()
    }

    /// The names in a folder, sorted.
    pub fn names(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path().join(path)).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Every file below a folder, by its path from there, with its bytes.
    pub fn bytes(&self, path: &str) -> BTreeMap<String, Vec<u8>> {
        place::bytes(&self.path().join(path))
    }

    /// Sets a variable for all commands that follow.
    pub fn env(&mut self, name: &str, value: &str) -> &mut Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Takes a variable back.
    pub fn unset(&mut self, name: &str) -> &mut Self {
        self.env.remove(name);
        self
    }

    /// Runs `cargo ARGS` to its end.
    pub fn cargo(&self, args: &[&str]) -> Output {
        self.start(&cargo(), args).end()
    }

    /// Runs `cargo nextest ARGS` to its end.
    pub fn nextest(&self, args: &[&str]) -> Output {
        self.cargo(&[&["nextest"], args].concat())
    }

    /// Runs `crossbar ARGS` to its end.
    pub fn crossbar(&self, args: &[&str]) -> Output {
        self.start(&binaries().join("crossbar"), args).end()
    }

    /// The test binary of the project's target `agents`, as cargo would start it.
    pub fn agents(&self) -> PathBuf {
        let built = self.cargo(&[
            "test",
            "--no-run",
            "--test",
            "agents",
            "--message-format=json",
        ]);
        assert_eq!(built.code, Some(0), "{built}");
        let messages = built.stdout.lines();
        let messages =
            messages.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let path = messages
            .filter(|message| message["target"]["name"] == "agents")
            .find_map(|message| message["executable"].as_str().map(PathBuf::from));
        path.expect("an executable called agents")
    }

    /// Starts a program in the project's folder with the project's environment, in a group of its
    /// own.
    pub fn start(&self, program: &Path, args: &[&str]) -> Running {
        let mut command = tools::command(program, self.path());
        command.envs(&self.env).args(args);
        if program == cargo() {
            // It sets it itself, and build scripts that watch it would be run again for every folder.
            command.env_remove("CARGO_MANIFEST_DIR");
        }
        Running::start(command)
    }

    /// The rollouts that a run wrote: the folder of a run, or `runs/latest`.
    pub fn rollouts(&self, run: &str) -> Rollouts {
        Rollouts::parse(&self.read(&format!("{run}/rollouts.csv")))
    }

    /// The file sweep.json of a run.
    pub fn sweep(&self, run: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(&format!("{run}/sweep.json"))).unwrap()
    }
}

/// The manifest as a user has it: what it took from the workspace is written out.
fn rewritten(manifest: &str, root: &Path) -> String {
    let found = "crossbar = { workspace = true }";
    assert!(manifest.contains(found), "{manifest}");
    let path = serde_json::to_string(&root.join("crossbar")).unwrap();
    let ours = format!(
        "crossbar = {{ path = {path}, package = \"crossbar-test\", features = [\"http\"] }}"
    );
    // With the features and the profile of this workspace its crates serve the projects too.
    format!("{}\n{PROFILE}", manifest.replace(found, &ours))
}
