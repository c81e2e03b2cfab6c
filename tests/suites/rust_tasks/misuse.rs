//! Every misuse of the macros fails to compile, at the tokens that are wrong and with a cure: what
//! the compiler says stands beside each file of tests/fixtures/misuse.

use crossbar_suites::tree;
use std::path::Path;
use std::process::Command;

/// The package whose dependencies the misuses are compiled with: crossbar alone, as a user has it.
const USER: &str = "examples/first-test";

/// trybuild builds with the dependencies of the package that it runs in, and those of the suites are
/// many; so this very test runs itself once more as a test of that package.
#[test]
fn every_misuse_is_an_error_at_its_place_with_a_cure() {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap();
    if Path::new(&here).ends_with(USER) {
        let cases = trybuild::TestCases::new();
        return cases.compile_fail("../../tests/fixtures/misuse/*.rs");
    }
    let user = tree::root().join(USER);
    let own = std::env::current_exe().unwrap();
    let name = "misuse::every_misuse_is_an_error_at_its_place_with_a_cure";
    let ran = Command::new(own)
        .args(["--exact", name, "--nocapture"])
        .env("CARGO_MANIFEST_DIR", &user)
        .current_dir(&user)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && said.contains("1 passed"), "{said}");
}
