//! examples/order-desk as somebody has it who knows nothing of this repository: a project of its own.

use super::place::{self, Place};
use super::{PROFILE, Project, stranger};
use std::collections::BTreeMap;
use std::fs;

/// How the example names the library.
const LIBRARY: &str = "crossbar = { path = \"../../crossbar\", package = \"crossbar-test\" }\n";

/// How somebody names it who knows it from a registry.
const PUBLISHED: &str =
    "crossbar = { package = \"crossbar-test\", version = \"0.1\", features = [\"http\"] }\n";

/// What the example says of how the library is built.
const OPTIMISED: &str = "[profile.dev.package.crossbar-test]\nopt-level = 3\n";

impl Project {
    /// A copy of examples/order-desk, its dependency rewritten to the packages of this clone as they
    /// are published. One test at a time has the one of a name; `version` tells their builds apart,
    /// since cargo goes by name and version wherever a package lies.
    pub fn order_desk(name: &str, version: &str) -> Self {
        let project = Self {
            place: Place::alone(name),
            env: BTreeMap::new(),
        };
        let root = crate::tree::root();
        let mut files = place::files(&root.join("examples/order-desk"));
        let manifest = files.get_mut("Cargo.toml").expect("the example's manifest");
        let packages = stranger::packages(project.path());
        *manifest = outside(manifest, version) + "\n" + &stranger::patched(&packages);
        // The versions of this workspace, whose crates then serve the project too.
        let lock = fs::read_to_string(root.join("Cargo.lock")).expect("Cargo.lock");
        files.insert("Cargo.lock".to_owned(), lock);
        place::become_exactly(project.path(), &files);
        project
    }
}

/// The manifest with the features and the profile under which the suites have built the library.
fn outside(manifest: &str, version: &str) -> String {
    let mut manifest = manifest.to_owned();
    for (old, new) in [
        (LIBRARY, PUBLISHED),
        (OPTIMISED, ""),
        ("version = \"0.0.0\"", &format!("version = \"{version}\"")),
    ] {
        assert_eq!(manifest.matches(old).count(), 1, "{old} in {manifest}");
        manifest = manifest.replace(old, new);
    }
    format!("{manifest}\n{PROFILE}")
}
