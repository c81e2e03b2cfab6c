//! A key stays in crossbar: no artefact has it, and neither the program nor a server sees it.

use super::subjects::{ALL, CLAUDE_CODE, CODEX, GEMINI, OPENCODE, QWEN, Subject};
use super::{KEY, project, run, solves};
use crossbar_suites::project::{Output, Project};
use crossbar_suites::scripted_model::{Ask, Move, ScriptedModel};
use serde_json::json;
use std::collections::BTreeSet;

/// The key as it is, and as texts carry it.
fn forms() -> [String; 4] {
    let json = serde_json::to_string(KEY.1).unwrap();
    [
        KEY.1.to_owned(),
        json[1..json.len() - 1].to_owned(),
        "cb-Qy7%2FpV2%2B%22Jt9%3DZxLm4Wn8Rk".to_owned(),
        "Y2ItUXk3L3BWMisiSnQ5PVp4TG00V244Ums=".to_owned(),
    ]
}

fn nowhere(project: &Project, output: &Output) {
    let printed = format!("{}{}", output.stdout, output.stderr).into_bytes();
    for format in ["atif", "otlp"] {
        let told = project.crossbar(&["export", "--format", format]);
        assert_eq!(told.code, Some(0), "{told}");
    }
    let mut files = project.bytes("runs");
    for name in [
        "sweep.json",
        "atif/scripted+itself/one-r1.json",
        "otlp.jsonl",
    ] {
        assert!(files.keys().any(|path| path.ends_with(name)), "{name}");
    }
    files.insert("the output".to_owned(), printed);
    for (path, bytes) in &files {
        for form in forms() {
            let found = bytes
                .windows(form.len())
                .any(|window| window == form.as_bytes());
            assert!(!found, "{path} holds the key as {form}");
        }
    }
}

#[test]
fn the_endpoint_gets_the_key_and_nothing_else_does() {
    kept(&CLAUDE_CODE);
}

#[test]
fn with_codex_too_the_endpoint_gets_the_key_and_nothing_else_does() {
    kept(&CODEX);
}

#[test]
fn with_gemini_too_the_endpoint_gets_the_key_and_nothing_else_does() {
    kept(&GEMINI);
}

#[test]
fn with_opencode_too_the_endpoint_gets_the_key_and_nothing_else_does() {
    kept(&OPENCODE);
}

#[test]
fn with_qwen_too_the_endpoint_gets_the_key_and_nothing_else_does() {
    kept(&QWEN);
}

fn kept(subject: &Subject) {
    let model = ScriptedModel::start(|ask: &Ask| match ask.turn {
        1 => solves(ask),
        2 => Move::call(
            &ask.named("add_tag"),
            &json!({"id": "T-1001", "tag": forms().join(" ")}),
        ),
        _ => Move::say(&forms().join(" and ")),
    });
    let mut project = project(subject, &model);
    let seen = project.path().join("seen");
    std::fs::create_dir(&seen).unwrap();
    let server = "{name: tickets, command: \"${CROSSBAR_BIN}\", args: [__serve, tickets]}";
    project.replace(
        "desk/one.task.yaml",
        server,
        "{name: tickets, command: sh, env: {OUT: \"${SEEN}\"}, \
         args: [\"-c\", \"env > $OUT/$$$$; exec ${CROSSBAR_BIN} __serve tickets\"]}",
    );
    project.env("SEEN", &seen.to_string_lossy());
    project.env("CROSSBAR_LOG", "trace");
    let output = run(&project);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(
        model
            .asks()
            .iter()
            .all(|ask| ask.key.as_deref() == Some(KEY.1))
    );
    nowhere(&project, &output);
    // Of the program's variables a server sees none: what it sees is what crossbar gives it.
    let starts = project.names("seen");
    let names = |start: &String| {
        let text = project.read(&format!("seen/{start}"));
        let is_token = |word: &str| word.starts_with("crossbar-") && word.len() == 41;
        assert!(!text.split(['=', '\n']).any(is_token), "{text}");
        assert!(!text.contains(KEY.1), "{text}");
        // By its value crossbar finds the processes of a rollout.
        assert!(
            !text.lines().any(|line| line == "CROSSBAR_ROLLOUT="),
            "{text}"
        );
        let lines = text.lines().filter_map(|line| line.split_once('='));
        // A shell adds these to whatever it is given.
        let given = lines.filter(|(name, _)| !["_", "OLDPWD", "PWD", "SHLVL"].contains(name));
        given
            .map(|(name, _)| name.to_owned())
            .collect::<BTreeSet<_>>()
    };
    let seen: Vec<BTreeSet<String>> = starts.iter().map(names).collect();
    // Before the agent, by it, and after it; and by the no-op and the solution.
    assert!(seen.len() >= 3, "{seen:?}");
    assert!(
        seen[0].contains("CROSSBAR_ROLLOUT") && seen[0].contains("OUT"),
        "{seen:?}"
    );
    assert!(seen.iter().all(|one| *one == seen[0]), "{seen:#?}");
}

#[test]
fn a_key_that_the_endpoint_repeats_in_an_error_is_masked() {
    for subject in ALL {
        let refusal = format!("no: {}", forms().join(" "));
        let model = ScriptedModel::start(move |_| Move::Refuse(401, refusal.clone()));
        let project = project(subject, &model);
        let output = run(&project);
        assert_eq!(output.code, Some(4), "{output}");
        nowhere(&project, &output);
    }
}
