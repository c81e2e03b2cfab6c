//! In a workspace with other test binaries, whoever runs one of their tests sees nothing of crossbar.

use crossbar_suites::project::{Output, Project};

/// All that the test binary of the tasks says of itself: libtest's own lines of no test.
fn says_nothing(project: &Project, said: &Output) {
    assert_eq!(said.code, Some(0), "{said}");
    let libtest = |line: &str| {
        let line = line.trim();
        line.is_empty() || line.starts_with("running ") || line.starts_with("test ")
    };
    let other: Vec<_> = said.stdout.lines().filter(|line| !libtest(line)).collect();
    let doctests = other
        .iter()
        .all(|line| line.starts_with("all doctests ran in "));
    assert!(doctests, "{other:?} {said}");
    for word in ["note: pack", "partial", "crossbar: ", "verdict"] {
        assert!(!said.stderr.contains(word), "{word}: {said}");
    }
    assert!(!project.has("runs"), "{said}");
}

#[test]
fn a_unit_test_and_the_doc_tests_are_untouched() {
    let project = Project::collector();
    let task = project.read("agent-tests/desk/one.task.yaml");
    // A note is due on whoever runs it.
    project.write(
        "agent-tests/desk/one.task.yaml",
        &format!("{task}split: pilot\n"),
    );
    let shop =
        "//! A shop.\n//!\n//! ```\n//! assert_eq!(1 + 1, 2);\n//! ```\n\n#[test]\nfn open() {}\n";
    project.write("shop/src/lib.rs", shop);
    let unit = project.cargo(&["test", "open", "--", "--exact"]);
    says_nothing(&project, &unit);
    assert!(unit.stdout.contains("test open ... ok"), "{unit}");
    assert!(
        unit.stderr.contains("tests/agents.rs"),
        "it was asked too: {unit}"
    );

    let doc = project.cargo(&["test", "--doc"]);
    says_nothing(&project, &doc);
    assert!(doc.stdout.contains("1 passed"), "{doc}");

    // Nor is it stopped by what is wrong with them, but for a word that a case could have.
    let roster = project.read("crossbar.yaml");
    for broken in [
        roster.replace("kind: react", "kind: reactor"),
        "models: [\n".to_owned(),
    ] {
        project.write("crossbar.yaml", &broken);
        for args in [&["open", "--", "--exact"][..], &["open"], &["tests::open"]] {
            let said = project.cargo(&[&["test"], args].concat());
            says_nothing(&project, &said);
        }
        for filter in ["one", "desk::one::mo", "models", "control+noop"] {
            let said = project.cargo(&["test", "--test", "agents", filter]);
            assert_eq!(said.code, Some(2), "{filter}: {said}");
            assert!(said.stderr.contains("crossbar.yaml:"), "{said}");
        }
    }
    project.write("crossbar.yaml", &roster);

    let own = project.cargo(&["test", "one::good"]);
    assert!(
        own.stderr.contains("note: pack desk: split recorded"),
        "{own}"
    );
}
