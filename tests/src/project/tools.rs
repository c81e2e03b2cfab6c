//! The programs that a user has: cargo, and crossbar's own binaries, built once for all suites.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What a project's commands see of the surrounding environment.
const KEPT: [&str; 15] = [
    "CARGO_HOME",
    "CARGO_INCREMENTAL",
    "CC",
    "HOME",
    "LANG",
    "LOGNAME",
    "PATH",
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTFLAGS",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "SHELL",
    "TMPDIR",
    "USER",
];

/// The cargo that runs the suites.
pub fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// The target folder that this suite was built into.
pub fn target() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let folder = own.ancestors().nth(3).expect("target/PROFILE/deps/SUITE");
    folder.to_owned()
}

/// The folder with `crossbar` and `cargo-crossbar`, built before the first use.
pub fn binaries() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(build)
}

fn build() -> PathBuf {
    let target = target();
    let lock = lock("binaries");
    let mut command = Command::new(cargo());
    for (name, _) in std::env::vars_os() {
        if is_of_the_test_run(&name.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    let built = command
        .args([
            "build",
            // The profile and the features that `cargo test --workspace` builds, so that only
            // linking is left to do.
            "--profile",
            "test",
            "--workspace",
            "--features",
            "crossbar-test/cli,crossbar-test/http,crossbar-test/mcp-http",
            "--bins",
        ])
        .arg("--target-dir")
        .arg(&target)
        .current_dir(crate::tree::root())
        .output()
        .expect("cargo");
    drop(lock);
    let errors = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "the binaries: {errors}");
    target.join("debug")
}

/// Names that cargo and nextest add for a test. Some build scripts watch them, so a build that sees
/// them is another build.
fn is_of_the_test_run(name: &str) -> bool {
    const KEPT: [&str; 5] = [
        "CARGO",
        "CARGO_HOME",
        "CARGO_NET_OFFLINE",
        "CARGO_TERM_COLOR",
        "CARGO_INCREMENTAL",
    ];
    let ours = ["CROSSBAR_", "NEXTEST", "CARGO"];
    let setting = name.starts_with("CARGO_BUILD_") || name.starts_with("CARGO_PROFILE_");
    let dynamic = name == "LD_LIBRARY_PATH" || name == "DYLD_FALLBACK_LIBRARY_PATH";
    (ours.iter().any(|start| name.starts_with(start)) && !KEPT.contains(&name) && !setting)
        || dynamic
}

/// Holds a lock that all suites of this target folder know, until the file is dropped.
pub(super) fn lock(name: &str) -> File {
    let folder = suites();
    fs::create_dir_all(&folder).unwrap();
    let file = File::create(folder.join(format!("{name}.lock"))).unwrap();
    file.lock().unwrap();
    file
}

/// The folder of what all suites share: locks, and the projects' own folders.
fn suites() -> PathBuf {
    target().join("suites")
}

/// A command in a folder, with the environment of somebody who has just opened a terminal.
pub(super) fn command(program: &Path, folder: &Path) -> Command {
    let mut path = OsString::from(binaries());
    if let Some(rest) = std::env::var_os("PATH") {
        path.push(":");
        path.push(rest);
    }
    let mut command = Command::new(program);
    command.env_clear();
    for name in KEPT {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
        .env("PATH", path)
        // Crates that the suites were built with are not built again for the projects.
        .env("CARGO_TARGET_DIR", target())
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TERM_COLOR", "never")
        .current_dir(folder);
    command
}
