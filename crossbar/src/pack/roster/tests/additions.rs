//! Skills, instruction files and isolation of a harness.

use super::*;
use crate::domain::Isolation;

/// A roster whose one harness is of this kind, with these keys at the end of line 2.
fn harness(kind: &str, keys: &str) -> String {
    let provider = match kind {
        "cli-loop" => "cli",
        _ => "mock",
    };
    format!(
        "models: [{{id: m, provider: {provider}, model: x}}]\nharnesses: [{{id: h, kind: {kind}, {keys}}}]\n"
    )
}

#[test]
fn a_program_takes_skills_and_an_instruction_file_with_their_places() {
    let keys = "skills: [a/greet, b], instructions: {file: AGENTS.md}, isolation: default";
    let roster = good(&harness("cli-loop", keys));
    let paths = &roster.paths[0];
    let skills = paths.skills.as_ref().unwrap();
    let found: Vec<_> = skills
        .iter()
        .map(|one| (&*one.path, one.span.line, one.span.column))
        .collect();
    assert_eq!(found, [("a/greet", 2, 46), ("b", 2, 55)]);
    assert_eq!(paths.instructions.as_ref().unwrap().path, "AGENTS.md");
    assert_eq!(roster.harnesses[0].instructions, None);
    let none = good(&harness("cli-loop", "skills: [], instructions: Be brief."));
    assert_eq!(none.paths[0].skills, Some(Vec::new()));
    assert_eq!(none.harnesses[0].instructions.as_deref(), Some("Be brief."));
    let unsaid = good(&harness("cli-loop", "isolation: bare"));
    assert_eq!(unsaid.paths[0].skills, None);
    assert_eq!(unsaid.harnesses[0].additions.isolation, Isolation::Bare);
}

#[test]
fn what_a_kind_can_not_meet_is_refused_at_its_place() {
    for (kind, keys, want) in [
        (
            "react",
            "skills: [a]",
            "2:42: `skills` is not for kind `react` (remove it, or use `cli-loop`)",
        ),
        (
            "react",
            "instructions: {file: a.md}",
            "2:48: `instructions` is not for kind `react` (remove it, or use `cli-loop`)",
        ),
        (
            "react",
            "isolation: bare",
            "2:45: `isolation` is not for kind `react` (remove it, or use `cli-loop`)",
        ),
        (
            "cli-loop",
            "skills: [], isolation: bare",
            "2:60: `isolation` is `bare` beside skills, which a bare program does not look for (leave one of them out)",
        ),
        (
            "cli-loop",
            "instructions: {file: a}, isolation: bare",
            "2:73: `isolation` is `bare` beside an instruction file, which a bare program does not look for (leave one of them out)",
        ),
        (
            "cli-loop",
            "isolation: alone",
            "2:48: `isolation` cannot be `alone` (write one of `default`, `bare`)",
        ),
        (
            "cli-loop",
            "instructions: {path: a}",
            "2:52: key `file` is missing in `instructions` (add `file: ...`)",
        ),
    ] {
        let (roster, problems) = read(&harness(kind, keys));
        assert!(
            problems.iter().any(|one| one == want),
            "{keys}: {problems:#?}"
        );
        assert_eq!(roster, None);
    }
}
