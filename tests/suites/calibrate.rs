//! `crossbar calibrate`: simulated worlds hold the shipped statistics to their promises, and the
//! instrument is seen to fail where it must.

use crossbar_suites::project::{Output, Project};

fn calibrate(flags: &[&str]) -> Output {
    let project = Project::empty();
    let args: Vec<&str> = ["calibrate", "--quick"]
        .iter()
        .chain(flags)
        .copied()
        .collect();
    let said = project.crossbar(&args);
    assert!(!project.has("runs"), "nothing is recorded");
    said
}

#[test]
fn the_shipped_method_keeps_its_promises() {
    let said = calibrate(&["--world", "pass-k"]);
    assert_eq!(said.code, Some(0), "{said}");
    for line in [
        "pass-k: at least 94.5%",
        "no promise of 1 is broken",
        "of 800",
    ] {
        assert!(said.stdout.contains(line), "{line}: {said}");
    }
    assert!(said.stderr.contains("1 of 1: pass-k"), "{said}");
}

#[test]
fn a_method_that_is_known_to_fail_fails() {
    for (method, world, promise) in [
        ("bootstrap-percentile", "mixture", "cell"),
        ("sign-flip-direction", "specialist", "direction"),
    ] {
        let said = calibrate(&["--world", world, "--method", method]);
        assert_eq!(said.code, Some(1), "{said}");
        let ending = said.stdout.trim_end().lines().last().unwrap_or_default();
        assert!(
            ending.contains(" promises fail: ") && ending.contains(promise),
            "{said}"
        );
        assert!(said.stdout.contains("  FAILS"), "{said}");
    }
}

#[test]
fn what_there_is_not_can_not_be_simulated() {
    for (flag, name, known) in [
        ("--method", "t-test", "sign-flip-direction"),
        ("--world", "flat", "specialist"),
    ] {
        let said = calibrate(&[flag, name]);
        assert_eq!(said.code, Some(2), "{said}");
        assert!(said.stdout.is_empty(), "{said}");
        let refused = said.stderr.contains(&format!("`{name}`"));
        assert!(refused && said.stderr.contains(known), "{said}");
    }
}
