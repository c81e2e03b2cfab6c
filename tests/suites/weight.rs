//! What crossbar costs whoever depends on it: how many crates the default features bring along,
//! which never come with them, which features there are, and how large the two packages are.

use crossbar_suites::tree::root;
use std::collections::BTreeSet;
use std::process::{Command, Output};

/// Crates of the default features, build scripts' own included, our two counted.
const CRATES: usize = 130;

/// Crates of the collector for build scripts alone.
const COLLECTOR: usize = 28;

/// What only a feature may bring: TLS, HTTP clients, terminal interfaces, databases with a server.
const ABSENT: [&str; 9] = [
    "aws-lc-rs",
    "aws-lc-sys",
    "hyper",
    "hyper-util",
    "ratatui",
    "reqwest",
    "ring",
    "rustls",
    "sqlx",
];

/// Every feature. What is not built has none; a new one gets its weight measured here.
const FEATURES: [&str; 7] = [
    "build", "cli", "default", "http", "import", "mcp-http", "run",
];

/// Bytes of both packages together, as they are uploaded.
const PACKAGES: u64 = 1_000_000;

fn cargo(args: &[&str]) -> Output {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(program)
        .args(args)
        .current_dir(root())
        .output()
        .unwrap();
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {args:?}:\n{problem}");
    output
}

/// `name version` of everything that these features of the library bring along.
fn crates(features: &[&str]) -> BTreeSet<String> {
    let mut args = vec![
        "tree",
        "--offline",
        "--locked",
        "--package",
        "crossbar-test",
    ];
    args.extend(["--edges", "normal,build", "--prefix", "none"]);
    args.extend(features);
    let text = String::from_utf8(cargo(&args).stdout).unwrap();
    let two_words = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().take(2).collect();
        words.join(" ")
    };
    text.lines().map(two_words).collect()
}

fn has(crates: &BTreeSet<String>, name: &str) -> bool {
    crates.iter().any(|one| one.split(' ').next() == Some(name))
}

#[test]
fn the_default_features_are_light() {
    let crates = crates(&[]);
    assert!(has(&crates, "crossbar-test") && has(&crates, "rusqlite"));
    assert!(
        crates.len() <= CRATES,
        "{} crates: {crates:#?}",
        crates.len()
    );
    for name in ABSENT {
        assert!(!has(&crates, name), "the default features bring {name}");
    }
}

#[test]
fn the_collector_alone_is_light() {
    let crates = crates(&["--no-default-features", "--features", "build"]);
    assert!(has(&crates, "granit-parser"));
    assert!(
        crates.len() <= COLLECTOR,
        "{} crates: {crates:#?}",
        crates.len()
    );
    for name in ["rusqlite", "tokio", "inventory"] {
        assert!(!has(&crates, name), "the collector brings {name}");
    }
}

#[test]
fn the_commands_bring_no_network() {
    let crates = crates(&["--features", "cli"]);
    assert!(has(&crates, "clap"));
    for name in ABSENT {
        assert!(!has(&crates, name), "the feature `cli` brings {name}");
    }
}

#[test]
fn servers_at_an_address_bring_no_crate_that_models_do_not_bring() {
    let both = crates(&["--features", "http,mcp-http"]);
    assert_eq!(both, crates(&["--features", "http"]));
    let alone = crates(&["--features", "mcp-http"]);
    assert!(has(&alone, "reqwest") && alone.len() < both.len());
}

#[test]
fn what_is_looked_for_would_be_found() {
    let crates = crates(&["--features", "http"]);
    for name in ["reqwest", "ring", "rustls"] {
        assert!(has(&crates, name), "`cargo tree` no longer shows {name}");
    }
    for name in ["aws-lc-rs", "aws-lc-sys"] {
        assert!(!has(&crates, name), "the feature `http` brings {name}");
    }
}

#[test]
fn there_is_no_feature_that_does_nothing() {
    let args = [
        "metadata",
        "--offline",
        "--no-deps",
        "--format-version",
        "1",
    ];
    let metadata: serde_json::Value = serde_json::from_slice(&cargo(&args).stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let library = packages
        .iter()
        .find(|package| package["name"] == "crossbar-test")
        .unwrap();
    let features = library["features"].as_object().unwrap();
    let features: BTreeSet<&str> = features.keys().map(String::as_str).collect();
    assert_eq!(features, BTreeSet::from(FEATURES));
}

#[test]
fn both_packages_are_small() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().to_str().unwrap();
    let mut args = vec!["package", "--offline", "--no-verify", "--allow-dirty"];
    args.extend(["--package", "crossbar-test", "--package"]);
    args.extend(["crossbar-test-macros", "--target-dir", target]);
    cargo(&args);
    let sizes: Vec<u64> = std::fs::read_dir(folder.path().join("package"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "crate"))
        .map(|entry| entry.metadata().unwrap().len())
        .collect();
    assert_eq!(sizes.len(), 2, "{sizes:?}");
    let total: u64 = sizes.iter().sum();
    assert!(total <= PACKAGES, "{sizes:?}");
}
