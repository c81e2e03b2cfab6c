//! A/A: a cell against itself says what it could see.

use super::project;

#[test]
fn it_says_what_it_could_see_and_how_many_tasks_disagreed_with_themselves() {
    let project = project(4, "{mode: regression, allow_mock: true}");
    let said = project.crossbar(&["run", "--aa"]);
    assert_eq!(said.code, Some(0), "{said}");
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("A/A good+react: NO REGRESSION SHOWN +0.0pp ["),
        "{text}"
    );
    assert!(
        text.contains("its even repeats against its odd ones; the smallest drop"),
        "{text}"
    );
    assert!(
        text.contains("0 of 4 tasks disagreed with themselves."),
        "{text}"
    );
    assert!(
        !text.contains("GATE"),
        "one cell alone is held to no gate: {text}"
    );
    assert_eq!(
        project.rollouts("runs/latest").lines.len(),
        4 * 6,
        "twice as often"
    );
    super::never_said(&said.stdout);
    let again = project.crossbar(&["verdict"]);
    assert!(again.stdout.contains("A/A"), "{again}");
    let one = project.crossbar(&["run", "--aa", "--repeats", "1"]);
    assert!(
        one.code == Some(2) && one.stderr.contains("two repeats"),
        "{one}"
    );
}
