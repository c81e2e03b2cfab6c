//! Skills and instruction files: what one arm is given and the other is not, seen by the model, by a
//! server in the workspace, and in the record.

use super::subjects::{CLAUDE_CODE, CODEX, Subject};
use super::{KEY, project, run};
use crossbar_suites::project::{Output, Project};
use crossbar_suites::scripted_model::{Ask, Move, ScriptedModel};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;

const SKILL: &str = "---\nname: desk-rules\ndescription: How tickets are handled. Use it for every ticket.\n---\n\
                     Urgent tickets are set to urgent before anybody answers.\n";
const INSTRUCTIONS: &str = "# Desk\nAnswer in the words of the harbour master of Elsinore.\n";

/// A project in which harness `with` has `keys`, and harness `without` has the others. Each start of
/// the server writes down what lies in the workspace.
fn arms(subject: &Subject, model: &ScriptedModel, (with, without): (&str, &str)) -> Project {
    let mut project = project(subject, model);
    let one = format!("- {{id: itself, kind: {}}}", subject.kind);
    let both = format!(
        "- {{id: with, kind: {0}{with}}}\n  - {{id: without, kind: {0}{without}}}",
        subject.kind
    );
    project.replace("crossbar.yaml", &one, &both);
    project.replace(
        "crossbar.yaml",
        "repeats: 1",
        "repeats: 1, concurrency: 1, baseline: scripted+without",
    );
    project.write("skills/desk-rules/SKILL.md", SKILL);
    project.write("skills/desk-rules/words/harbour.md", "Ahoy.\n");
    project.write(
        "skills/desk-rules/evals/secret.yaml",
        "what it is judged by\n",
    );
    project.write("house/rules.md", INSTRUCTIONS);
    let seen = project.path().join("seen");
    std::fs::create_dir(&seen).unwrap();
    let server = "{name: tickets, command: \"${CROSSBAR_BIN}\", args: [__serve, tickets]}";
    let other = "{name: tickets, command: sh, env: {OUT: \"${SEEN}\"}, args: [\"-c\", \
                 \"find . -type f | sort > $OUT/$(date +%s%N); exec ${CROSSBAR_BIN} __serve tickets\"]}";
    project.replace("desk/one.task.yaml", server, other);
    project.env("SEEN", &seen.to_string_lossy());
    project
}

fn solves(ask: &Ask) -> Move {
    match ask.turn {
        1 => Move::call(
            &ask.named("set_priority"),
            &json!({"id": "T-1001", "priority": "urgent"}),
        ),
        _ => Move::say("T-1001 is urgent."),
    }
}

/// What each start of a server has seen, in order, of the cells run one after the other.
fn seen(project: &Project) -> Vec<String> {
    let starts = project.names("seen");
    let read = |start: &String| project.read(&format!("seen/{start}"));
    starts.iter().map(read).collect()
}

fn ran(project: &Project) -> Output {
    let output = project.crossbar(&["run", "--live", "--budget", "50"]);
    assert_eq!(output.code, Some(0), "{output}");
    output
}

/// The rollout of a cell of the last run.
fn rollout(project: &Project, cell: &str) -> Value {
    let sweep = project.sweep("runs/latest");
    let mut rollouts = sweep["rollouts"].as_array().unwrap().iter();
    let found = rollouts.find(|one| one["key"]["cell"] == cell);
    found.unwrap_or_else(|| panic!("{sweep:#}")).clone()
}

/// The requests that carry a text.
fn that_say<'a>(asks: &'a [Ask], text: &str) -> Vec<&'a Ask> {
    let says = |ask: &&Ask| ask.body.to_string().contains(text);
    asks.iter().filter(says).collect()
}

#[test]
fn a_skill_lies_in_the_workspace_of_its_arm_alone_and_only_while_the_program_runs() {
    for (subject, folder) in [(&CLAUDE_CODE, ".claude/skills"), (&CODEX, ".agents/skills")] {
        let model = ScriptedModel::start(solves);
        let project = arms(
            subject,
            &model,
            (", skills: [skills/desk-rules]", ", skills: []"),
        );
        ran(&project);
        let seen = seen(&project);
        let there =
            format!("./{folder}/desk-rules/SKILL.md\n./{folder}/desk-rules/words/harbour.md\n");
        let with: Vec<usize> = (0..seen.len())
            .filter(|at| seen[*at].contains(&there))
            .collect();
        let any: Vec<&String> = seen.iter().filter(|one| one.contains("skills")).collect();
        assert_eq!((with.len(), any.len()), (1, 1), "{seen:#?}");
        assert!(!any[0].contains("evals"), "{any:?}");
        // The servers of the checks are started after it, over the same workspace.
        assert!(seen.len() > with[0] + 1, "{seen:#?}");
    }
}

#[test]
fn the_arm_shows_neither_in_the_folder_nor_in_the_names_of_variables() {
    let model = ScriptedModel::start(solves);
    let project = arms(
        &CLAUDE_CODE,
        &model,
        (", skills: [skills/desk-rules]", ", skills: []"),
    );
    ran(&project);
    let agents = ["scripted+with", "scripted+without"]
        .map(|cell| rollout(&project, cell)["trajectory"]["agent"].clone());
    assert_eq!(agents[0]["environment"], agents[1]["environment"]);
    let folder = |agent: &Value| {
        let first = agent["stream"][0].as_str().unwrap();
        let first: Value = serde_json::from_str(first).unwrap();
        let path = first["cwd"].as_str().unwrap().to_owned();
        assert!(path.ends_with("/work"), "{path}");
        path.len()
    };
    assert_eq!(folder(&agents[0]), folder(&agents[1]));
    let argv = |agent: &Value| {
        let home = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
        let words = agent["argv"].as_array().unwrap().iter();
        words
            .map(|word| home(word.as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(argv(&agents[0]), argv(&agents[1]));
    let sources = ["--setting-sources".to_owned(), "project".to_owned()];
    assert!(argv(&agents[0]).windows(2).any(|two| two == sources));
}

#[test]
fn claude_code_reads_a_skill_by_its_own_tool_and_says_what_it_has() {
    let model =
        ScriptedModel::start(
            |ask| match (ask.turn, ask.tools().contains(&"Skill".to_owned())) {
                (1, true) => Move::call("Skill", &json!({"skill": "desk-rules"})),
                (1, false) | (2, true) => Move::call(
                    &ask.named("set_priority"),
                    &json!({"id": "T-1001", "priority": "urgent"}),
                ),
                _ => Move::say("T-1001 is urgent."),
            },
        );
    let project = arms(&CLAUDE_CODE, &model, (", skills: [skills/desk-rules]", ""));
    ran(&project);
    let asks = model.asks();
    assert!(!that_say(&asks, "Use it for every ticket.").is_empty());
    assert!(!that_say(&asks, "set to urgent before anybody answers").is_empty());
    let with = rollout(&project, "scripted+with");
    let call = &with["trajectory"]["steps"][0]["calls"][0];
    assert_eq!(
        (&call["server"], &call["tool"], &call["outcome"]["kind"]),
        (&json!("claude-code"), &json!("Skill"), &json!("result")),
        "{call:#}"
    );
    let agent = &with["trajectory"]["agent"];
    let given = json!([{"as": "own_prompt"}, {"as": "skill", "path": ".claude/skills/desk-rules/SKILL.md"}]);
    assert_eq!(agent["given"], given);
    // The program's own are there in both arms.
    let names = |cell: &str| {
        let agent = &rollout(&project, cell)["trajectory"]["agent"];
        let names = agent["skills"].as_array().unwrap().iter();
        names
            .map(|name| name.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let (mut with, without) = (names("scripted+with"), names("scripted+without"));
    assert!(
        with.contains(&"desk-rules".to_owned()) && without.len() > 3,
        "{with:?}"
    );
    with.retain(|name| name != "desk-rules");
    assert_eq!(with, without);
}

#[test]
fn codex_is_told_what_a_skill_says_before_it_works() {
    let model = ScriptedModel::start(solves);
    let project = arms(&CODEX, &model, (", skills: [skills/desk-rules]", ""));
    ran(&project);
    let asks = model.asks();
    let told = that_say(&asks, "set to urgent before anybody answers");
    assert_eq!(told.len(), 2, "both requests of one arm: {}", asks.len());
    let agent = &rollout(&project, "scripted+with")["trajectory"]["agent"];
    assert_eq!(
        agent["prompt"],
        "$desk-rules\n\nTicket T-1001 is urgent. Say so."
    );
    assert_eq!(agent["stderr"], "", "{agent:#}");
}

#[test]
fn an_instruction_file_reaches_the_model_of_its_arm_alone() {
    for (subject, name) in [(&CLAUDE_CODE, "CLAUDE.md"), (&CODEX, "AGENTS.md")] {
        let model = ScriptedModel::start(solves);
        let project = arms(
            subject,
            &model,
            (", instructions: {file: house/rules.md}", ""),
        );
        ran(&project);
        let asks = model.asks();
        let told = that_say(&asks, "harbour master of Elsinore");
        assert_eq!((asks.len(), told.len()), (4, 2), "{name}");
        let seen = seen(&project);
        let with = seen
            .iter()
            .filter(|one| one.contains(&format!("./{name}\n")));
        assert_eq!(with.count(), 1, "{seen:#?}");
        let agent = &rollout(&project, "scripted+with")["trajectory"]["agent"];
        let given = json!([{"as": "own_prompt"}, {"as": "instruction_file", "path": name}]);
        assert_eq!(agent["given"], given);
        let shown = project.crossbar(&["show", "scripted+with", "one"]);
        let line = shown
            .stdout
            .lines()
            .find(|line| line.contains("given"))
            .unwrap_or_default();
        assert!(line.ends_with(name), "{shown}");
    }
}

#[test]
fn two_cells_that_differ_by_a_skill_are_a_pair_with_its_difference_and_what_differs() {
    // A model that knows what to do once the skill has told it.
    let model = ScriptedModel::start(|ask| {
        let says = |text: &str| ask.body.to_string().contains(text);
        match (
            says("desk-rules: "),
            says("before anybody answers"),
            ask.turn,
        ) {
            (true, false, _) => Move::call("Skill", &json!({"skill": "desk-rules"})),
            (_, true, 2) => Move::call(
                &ask.named("set_priority"),
                &json!({"id": "T-1001", "priority": "urgent"}),
            ),
            _ => Move::say("Done."),
        }
    });
    let project = arms(
        &CLAUDE_CODE,
        &model,
        (", skills: [skills/desk-rules]", ", skills: []"),
    );
    project.replace("crossbar.yaml", "repeats: 1,", "repeats: 5,");
    ran(&project);
    let sweep = project.sweep("runs/latest");
    let compared = &sweep["analysis"]["comparisons"][0];
    assert_eq!(compared["cell"], "scripted+with");
    let difference = &compared["these"]["difference"];
    let estimate = &difference["estimate"];
    assert_eq!(
        (&estimate["value"], &estimate["interval"]["hi"]),
        (&json!(1.0), &json!(1.0))
    );
    assert!(
        estimate["interval"]["lo"].as_f64() > Some(0.4),
        "{difference:#}"
    );
    // Five of five against none of five: 2/252 by Fisher's exact test.
    let p = difference["p"].as_f64().unwrap();
    assert!((p - 2.0 / 252.0).abs() < 1e-9, "{difference:#}");
    let cells = sweep["meta"]["cells"].as_array().unwrap();
    let skills = |cell: usize| &cells[cell]["configuration"]["harness"]["skills"];
    let kept = json!({"desk-rules": {"SKILL.md": SKILL, "words/harbour.md": "Ahoy.\n"}});
    assert_eq!((skills(0), skills(1)), (&kept, &json!({})));
    let report = project.read("runs/latest/report.md");
    let words: Vec<&str> = report.split_whitespace().collect();
    let report = words.join(" ");
    assert!(
        report.contains("scripted+with: in its skills alone: harness.skills.desk-rules none ->"),
        "{report}"
    );
    assert!(
        report.contains("skills of its own in each of these cells"),
        "{report}"
    );
}

#[test]
fn its_own_figures_are_kept_apart_with_those_of_caches() {
    for (subject, cost, turns) in [
        (&CLAUDE_CODE, json!(8880), json!(2)),
        (&CODEX, Value::Null, Value::Null),
    ] {
        let model = ScriptedModel::start(solves);
        let project = project(subject, &model);
        let output = run(&project);
        assert_eq!(output.code, Some(0), "{output}");
        let own = super::rollout(&project)["trajectory"]["agent"]["own"].clone();
        let (uncached, read, written) = subject.tokens;
        assert_eq!(own["input_tokens"], uncached, "{own:#}");
        assert_eq!(own["cache_read_tokens"], read, "{own:#}");
        assert_eq!(own["cache_write_tokens"], written, "{own:#}");
        assert_eq!(own["output_tokens"], 80, "{own:#}");
        assert_eq!((&own["cost"], &own["turns"]), (&cost, &turns), "{own:#}");
        assert_eq!(
            own["took_ms"].is_u64(),
            subject.kind == "claude-code",
            "{own:#}"
        );
    }
}

#[test]
fn a_bare_program_looks_for_nothing_and_can_not_start_without_its_key() {
    let model = ScriptedModel::start(solves);
    let mut project = arms(&CLAUDE_CODE, &model, (", isolation: bare", ""));
    ran(&project);
    let bare = rollout(&project, "scripted+with");
    let argv = bare["trajectory"]["agent"]["argv"].to_string();
    assert!(argv.contains("\"--bare\""), "{argv}");
    let sweep = project.sweep("runs/latest");
    assert_eq!(
        sweep["meta"]["cells"][0]["configuration"]["harness"]["isolation"],
        "bare"
    );
    let asks = model.asks().len();
    project.env(KEY.0, "");
    let refused = project.crossbar(&["run", "--live", "--budget", "50"]);
    assert_eq!(refused.code, Some(2), "{refused}");
    assert!(refused.stderr.contains(KEY.0), "{refused}");
    assert_eq!(model.asks().len(), asks);
}

#[test]
fn a_mistake_in_a_skill_is_shown_at_its_place_before_anything_runs() {
    let model = ScriptedModel::start(solves);
    let project = arms(&CLAUDE_CODE, &model, (", skills: [skills/desk-rules]", ""));
    let refused = |want: &str| {
        let output = project.crossbar(&["validate"]);
        assert_eq!(output.code, Some(2), "{output}");
        assert!(output.stderr.contains(want), "{want}\n{output}");
    };
    project.write(
        "skills/desk-rules/SKILL.md",
        &SKILL.replace("name: desk-rules", "name: other"),
    );
    refused("skills/desk-rules/SKILL.md:2:7");
    project.write("skills/desk-rules/SKILL.md", SKILL);
    project.replace("crossbar.yaml", "skills/desk-rules", "skills/desk-rulez");
    refused("crossbar.yaml:9:44");
    refused("`skills/desk-rulez` is not a folder");
    project.replace("crossbar.yaml", "skills/desk-rulez", "house");
    refused("`house` has no SKILL.md");
    project.replace(
        "crossbar.yaml",
        "skills: [house]",
        "instructions: {file: house}",
    );
    refused("`house` is not a file");
}

/// Puts a program before the real one that takes away what lies in the workspace, and then is it.
fn rob(project: &mut Project, program: &str) {
    let real = super::programs();
    let script = format!(
        "#!/bin/sh\nrm -rf .claude .agents CLAUDE.md AGENTS.md\nexec {}/{program} \"$@\"\n",
        real.display()
    );
    project.write(&format!("robber/{program}"), &script);
    let robber = project.path().join("robber");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(robber.join(program), mode).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{}:{path}", robber.display(), real.display());
    project.env("PATH", &path);
}

#[test]
fn what_a_program_was_given_and_does_not_have_is_not_measured() {
    const SKILLS: &str = ", skills: [skills/desk-rules]";
    const FILE: &str = ", instructions: {file: house/rules.md}";
    for (subject, program, with, want) in [
        (
            &CLAUDE_CODE,
            "claude",
            SKILLS,
            "does not have the skill `desk-rules`",
        ),
        (&CLAUDE_CODE, "claude", FILE, "has nothing of `CLAUDE.md`"),
        (&CODEX, "codex", SKILLS, "has nothing of `desk-rules`"),
        (&CODEX, "codex", FILE, "has nothing of `AGENTS.md`"),
    ] {
        let model = ScriptedModel::start(solves);
        let mut project = arms(subject, &model, (with, ""));
        rob(&mut project, program);
        let output = project.crossbar(&["run", "--live", "--budget", "50"]);
        assert_eq!(output.code, Some(4), "{output}");
        let outcome = &rollout(&project, "scripted+with")["outcome"];
        let found = (&outcome["kind"], &outcome["evidence"]);
        let wanted = (&json!("infrastructure_failure"), &json!("agent_start"));
        assert_eq!(found, wanted, "{outcome:#}");
        let message = outcome["message"].as_str().unwrap();
        assert!(message.contains(want), "{message}");
        let other = &rollout(&project, "scripted+without")["outcome"]["kind"];
        assert_eq!(other, "accepted");
    }
}
