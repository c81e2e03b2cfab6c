//! What a program is handed is the prompt and the tools: nothing of how its work is judged.

use super::subjects::{ALL, Subject};
use super::{project, run};
use crossbar_suites::scripted_model::{Ask, Move, ScriptedModel};
use serde_json::json;

/// Stands in a check, in the solution and in a mistake, and nowhere else.
const CANARY: &str = "canary-of-the-checks";

/// The server of the task looks for the canary wherever its program can: in the program's folder, in
/// its home, in its command line and in its variables. crossbar starts the server too, and is not
/// looked at: only a program has the token.
const LOOKS: &str = r#"
for q in $PPID $(cut -d' ' -f4 /proc/$PPID/stat); do
    tr '\0' '\n' < /proc/$q/environ > $OUT/$$
    grep -q ^$TOKEN= $OUT/$$ || continue
    home=$(sed -n 's/^HOME=//p' $OUT/$$)
    ls -A /proc/$q/cwd/ $home/ >> $OUT/seen
    grep -rl canary-of-the /proc/$q/cwd/ $home/ /proc/$q/cmdline /proc/$q/environ >> $OUT/found 2> /dev/null
done
exec $BIN __serve tickets
"#;

#[test]
fn neither_the_program_nor_its_model_is_told_the_checks_or_the_solution() {
    for subject in ALL {
        kept(subject);
    }
}

fn kept(subject: &Subject) {
    let model = ScriptedModel::start(|ask: &Ask| match ask.turn {
        1 => Move::call(
            &ask.named("set_priority"),
            &json!({"id": "T-1001", "priority": "urgent"}),
        ),
        _ => Move::say("T-1001 is urgent."),
    });
    let mut project = project(subject, &model);
    let out = project.path().join("out");
    std::fs::create_dir(&out).unwrap();
    project.env("SEEN", &out.to_string_lossy());
    let server = "{name: tickets, command: \"${CROSSBAR_BIN}\", args: [__serve, tickets]}";
    let script = out.join("look.sh");
    std::fs::write(&script, LOOKS).unwrap();
    let looking = format!(
        "{{name: tickets, command: sh, args: [\"{}\"], \
         env: {{OUT: \"${{SEEN}}\", TOKEN: {}, BIN: \"${{CROSSBAR_BIN}}\"}}}}",
        script.display(),
        subject.token
    );
    project
        .replace("desk/one.task.yaml", server, &looking)
        .replace("desk/one.task.yaml", "it is urgent", CANARY)
        .replace(
            "desk/one.task.yaml",
            "demo:\n",
            &format!("broken:\n  - {{name: idle, final: {CANARY}}}\ndemo:\n"),
        )
        .replace(
            "desk/one.task.yaml",
            "final: T-1001 is urgent.",
            &format!("final: {CANARY}"),
        );
    let output = run(&project);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(
        !project.read("out/seen").is_empty(),
        "nothing was looked at"
    );
    assert_eq!(project.read("out/found"), "", "{}", subject.kind);
    let asks = model.asks();
    assert!(!asks.is_empty());
    assert!(!asks.iter().any(|ask| ask.body.to_string().contains(CANARY)));
}
