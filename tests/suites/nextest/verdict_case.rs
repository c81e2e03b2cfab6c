//! The verdict as a case of nextest's, and `cargo crossbar nextest`, which ends with it.

use crossbar_suites::project::{Project, card};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const CASE: &str = "zz_verdict";

#[test]
fn the_variable_makes_the_verdict_the_last_case_and_nothing_else_does() {
    let mut project = Project::first_test();
    let list = ["list", "--message-format", "oneline"];
    let without = project.nextest(&list);
    assert_eq!(without.code, Some(0), "{without}");
    assert!(!without.stdout.contains(CASE), "{without}");

    project.env("CROSSBAR_VERDICT_CASE", "1");
    let with = project.nextest(&list);
    assert!(
        with.stdout.lines().last().unwrap().ends_with(CASE),
        "{with}"
    );
    let by_cargo = project.cargo(&["test", "--test", "agents"]);
    assert_eq!(by_cargo.code, Some(0), "{by_cargo}");
    assert!(!by_cargo.stdout.contains(CASE), "{by_cargo}");

    // One at a time, in the order of their names.
    let alone = [
        "run",
        "-j1",
        "--success-output",
        "immediate",
        "--no-output-indent",
    ];
    let said = project.nextest(&alone);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stderr.contains("14 passed"), "{said}");
    assert_eq!(card(&said.stderr), card(&by_cargo.stdout));

    let cells = [
        "run",
        "-j1",
        "--no-fail-fast",
        "-E",
        "not test(control) & not test(verify)",
    ];
    let partial = project.nextest(&cells);
    assert_eq!(partial.code, Some(100), "{partial}");
    assert!(partial.stderr.contains("4 passed, 1 failed"), "{partial}");
    assert!(partial.stderr.contains("never run: "), "{partial}");

    project.env("CROSSBAR_VERDICT_CASE", "yes");
    let wrong = project.cargo(&["test", "--test", "agents"]);
    assert!(
        wrong
            .stderr
            .contains("error: CROSSBAR_VERDICT_CASE is `yes`\nhelp: "),
        "{wrong}"
    );
}

#[test]
fn cargo_crossbar_nextest_ends_with_the_verdict_and_hides_no_red_case() {
    let mut project = Project::first_test();
    let by_cargo = project.cargo(&["test", "--test", "agents"]);
    let said = project.cargo(&["crossbar", "nextest"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stderr.contains("14 passed"), "{said}");
    assert_eq!(card(&said.stdout), card(&by_cargo.stdout));
    assert!(
        !said.stderr.contains("CROSSBAR VERDICT"),
        "it is printed once: {said}"
    );

    project.env("CROSSBAR_RUN_ID", "nightly");
    let named = project.cargo(&["crossbar", "nextest"]);
    assert_eq!(named.code, Some(0), "{named}");
    let again = project.cargo(&["crossbar", "nextest"]);
    assert_eq!(again.code, Some(2), "{again}");
    assert!(
        again.stderr.contains("run nightly is recorded already"),
        "{again}"
    );
    project.unset("CROSSBAR_RUN_ID");

    let part = project.cargo(&["crossbar", "nextest", "run", "-E", "test(route-billing)"]);
    assert_eq!(part.code, Some(4), "{part}");
    let none = [
        "crossbar",
        "nextest",
        "--no-tests",
        "pass",
        "-E",
        "test(no-such-case)",
    ];
    let none = project.cargo(&none);
    assert_eq!(none.code, Some(2), "{none}");
    assert!(
        none.stderr
            .contains("error: nextest ran no case of crossbar"),
        "{none}"
    );

    let unit = "#[test]\nfn red() { panic!(\"a unit test\") }\n";
    project.write("tests/unit.rs", unit);
    let red = project.cargo(&["crossbar", "nextest"]);
    assert_eq!(red.code, Some(100), "{red}");
    assert!(
        red.stderr.contains("14 passed, 1 failed"),
        "it goes on: {red}"
    );
    assert!(red.stdout.contains("CROSSBAR VERDICT"), "{red}");
    project.remove("tests/unit.rs");

    let fake = project.path().join("fake-cargo");
    project.write("fake-cargo", "#!/bin/sh\nexit 101\n");
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    project.env("CARGO", fake.to_str().unwrap());
    let missing = project.crossbar(&["nextest"]);
    assert_eq!(missing.code, Some(2), "{missing}");
    let said = "error: cargo has no nextest\nhelp: cargo install cargo-nextest --locked";
    assert!(missing.stderr.contains(said), "{missing}");
}
