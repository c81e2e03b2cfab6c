//! Rosters, good and bad, each problem with its exact place.

mod additions;
mod axes;
mod gate;
mod numbers;

use super::*;
use crate::domain::{CachePolicy, Price, PricePerMtok, Usd};
use crate::source::one_line;
use serde_json::json;

const D12: &str = include_str!("../../../../tests/cases/D12.yaml");

const PROVIDERS: &[ProviderKind] = &[
    ProviderKind {
        name: "mock",
        doc: "",
        live: false,
        pretend: true,
        needs: &[],
        takes: &["skill", "recover"],
        harnesses: &["react", "single-shot"],
    },
    ProviderKind {
        name: "openai",
        doc: "",
        live: true,
        pretend: false,
        needs: &["base_url"],
        takes: &["api_key_env"],
        harnesses: &["react", "single-shot"],
    },
    ProviderKind {
        name: "cli",
        doc: "",
        live: true,
        pretend: false,
        needs: &[],
        takes: &[],
        harnesses: &["cli-loop", "command"],
    },
];

const fn harness(name: &'static str, can_verify: bool) -> HarnessKind {
    HarnessKind {
        name,
        doc: "",
        can_verify,
        offers_tools: true,
    }
}

const HARNESSES: &[HarnessKind] = &[
    harness("react", true),
    harness("single-shot", false),
    harness("cli-loop", false),
    harness("command", false),
];

const PLACES: &[Places] = &[Places {
    kind: "cli-loop",
    skills: Some(".cli/skills"),
    instruction_file: Some("CLI.md"),
    can_be_bare: true,
}];

fn read(text: &str) -> (Option<Roster>, Vec<String>) {
    let file = File::new("r", text);
    let problems = Problems::new(file.path());
    let context = RosterContext {
        providers: PROVIDERS,
        harnesses: HARNESSES,
        places: PLACES,
        behind_feature: &|name| (name == "anthropic").then_some("http"),
    };
    let roster = read_roster(&file, &context, &problems);
    let lines = problems.into_vec();
    let lines = lines
        .iter()
        .map(|one| one_line(one)["r:".len()..].to_owned());
    (roster, lines.collect())
}

fn good(text: &str) -> Roster {
    let (roster, problems) = read(text);
    assert_eq!(problems, Vec::<String>::new());
    roster.unwrap()
}

#[track_caller]
fn bad(text: &str, want: &[&str]) {
    let (roster, problems) = read(text);
    assert_eq!(problems, want);
    assert_eq!(roster, None);
}

/// Two models and two harnesses, four lines; what follows begins at line 5.
fn with(rest: &str) -> String {
    format!(
        "models:\n  - {{id: m, provider: mock}}\nharnesses:\n  - {{id: h, kind: react}}\n{rest}"
    )
}

/// A roster whose only model has these keys beside its id.
fn model(keys: &str) -> String {
    format!("models: [{{id: m, {keys}}}]\nharnesses: [{{id: h, kind: react}}]\n")
}

fn ids(roster: &Roster) -> Vec<String> {
    roster
        .cells
        .iter()
        .map(|cell| cell.id.to_string())
        .collect()
}

const FULL: &str = "\
models:
  - id: strong
    provider: openai
    model: org/strong-1
    base_url: http://localhost:8000/v1
    api_key_env: LOCAL_API_KEY
    price: {input_per_mtok: 3, output_per_mtok: 15.5, cache_read_per_mtok: 0.3, cache_write_per_mtok: 3.75, as_of: 2026-11-01}
    params: {temperature: 0.8, max_output_tokens: 256, stop: [no, 1.10, true], user: '${HOME}'}
  - {id: weak, provider: mock, skill: 0.8, recover: 0.9, price: free}
  - {id: own, provider: cli, price: unknown}
harnesses:
  - {id: react, kind: react}
  - id: careful
    kind: react
    verify: true
    instructions: |
      Work ${carefully}.
  - {id: loop, kind: cli-loop}
packs: [taskpacks/a, b]
run:
  repeats: 5
  seed: 18446744073709551615
  concurrency: 4
  baseline: strong+react
  results_dir: out
  k: 2
stats: {padding: strict, ci: bootstrap-bca}
gate: {margin: 0.1, alpha: 0.01, quality_bar: 0.8}
budget: {usd: 2.50}
";

#[test]
fn m01_the_models_of_a_full_roster_are_read_whole() {
    let roster = good(FULL);
    assert_eq!(
        ids(&roster),
        [
            "strong+react",
            "strong+careful",
            "weak+react",
            "weak+careful",
            "own+loop"
        ]
    );
    let last = &roster.cells[4];
    assert_eq!((last.model, last.harness), (2, 2));
    let strong = &roster.models[0];
    assert_eq!(strong.model, "org/strong-1");
    assert_eq!(strong.base_url.as_deref(), Some("http://localhost:8000/v1"));
    assert_eq!(strong.api_key_env.as_deref(), Some("LOCAL_API_KEY"));
    assert_eq!(
        strong.price,
        Price::PerMtok(PricePerMtok {
            input: Usd::from_micros(3_000_000),
            output: Usd::from_micros(15_500_000),
            cache_read: Some(Usd::from_micros(300_000)),
            cache_write_5m: Some(Usd::from_micros(3_750_000)),
            cache_write_1h: Some(Usd::from_micros(3_750_000)),
            as_of: Some("2026-11-01".into()),
        })
    );
    assert_eq!(
        json!(strong.params),
        json!({"temperature": 0.8, "max_output_tokens": 256, "stop": ["no", 1.1, true], "user": "${HOME}"})
    );
    let weak = &roster.models[1];
    assert_eq!(
        (weak.model.as_str(), weak.skill, weak.recover),
        ("weak", 0.8, 0.9)
    );
    assert_eq!(weak.price, Price::Free);
    let careful = &roster.harnesses[1];
    assert!(careful.verify);
    assert_eq!(
        careful.instructions.as_deref(),
        Some("Work ${carefully}.\n")
    );
}

#[test]
fn m10_the_settings_of_a_full_roster_are_read_whole() {
    let roster = good(FULL);
    assert_eq!(roster.packs, Some(vec!["taskpacks/a".into(), "b".into()]));
    assert_eq!(
        roster.run,
        RunSettings {
            repeats: 5,
            seed: u64::MAX,
            concurrency: Some(4),
            baseline: Some(CellId::parse("strong+react").unwrap()),
            results_dir: "out".into(),
            max_repeats: None,
            task_looks: None,
            cache: None,
            k: Some(2),
        }
    );
    assert_eq!(roster.stats.padding, Padding::Strict);
    assert_eq!(roster.stats.ci, Some("bootstrap-bca"));
    assert_eq!(
        roster.gate,
        GateSettings {
            margin: Some(0.1),
            alpha: 0.01,
            quality_bar: Some(0.8),
            rules: None,
        }
    );
    assert_eq!(
        roster.budget,
        Some(BudgetLimit::Usd(Usd::from_micros(2_500_000)))
    );
}

#[test]
fn what_is_not_said_is_a_default_and_undeclared_stays_visible() {
    let roster = good(&with(""));
    assert_eq!(roster.run, RunSettings::default());
    assert_eq!((roster.run.repeats, roster.run.seed), (3, 0));
    assert_eq!(roster.run.results_dir, "runs");
    assert_eq!(roster.stats.padding, Padding::Normal);
    // Z-01: a margin that nobody declared can be told from one of 0.05
    assert_eq!(roster.gate.margin, None);
    assert_eq!(good(&with("gate: {alpha: 0.1}\n")).gate.margin, None);
    assert_eq!(
        good(&with("gate: {margin: 0.05}\n")).gate.margin,
        Some(0.05)
    );
    assert_eq!(roster.gate.alpha, 0.05);
    assert_eq!((roster.packs, roster.budget), (None, None));
    let model = &roster.models[0];
    // M-08: a missing price is unknown, never 0
    assert_eq!(model.price, Price::Unknown);
    assert_eq!((model.skill, model.recover), (1.0, 0.0));
    assert_eq!(
        good(&with("budget: {usd: unlimited}\n")).budget,
        Some(BudgetLimit::Unlimited)
    );
    assert_eq!(
        good(&with("budget: {usd: 0}\n")).budget,
        Some(BudgetLimit::Usd(Usd::ZERO))
    );
}

#[test]
fn all_problems_of_a_file_come_at_once() {
    let text = "\
modles: []
models:
  - {id: a b, provider: mock}
  - {id: m, provider: mokc, colour: red}
harnesses:
  - {id: h, kind: react, verify: yes}
run: {repeats: 0, baseline: m+hh}
gate: {margin: -0.1}
";
    bad(
        text,
        &[
            "1:1: unknown key `modles` in the roster (keys here are `models`, `harnesses`, `agents`, `packs`, `run`, `stats`, `gate`, `budget`)",
            "3:10: `id` cannot be `a b` (use one or more of A-Z a-z 0-9 _ . -, not dots alone)",
            "4:23: `provider` cannot be `mokc` (did you mean `mock`?)",
            "4:29: unknown key `colour` in a model (keys here are `id`, `provider`, `model`, `price`, `params`, `base_url`, `api_key_env`, `limits`, `skill`, `recover`)",
            "6:34: `verify` is `yes`, expected `true` or `false`",
            "7:16: `repeats` is `0`, expected a whole number from 1 to 1000",
            "7:29: `baseline` is `m+hh`, which is no cell of this roster (did you mean `m+h`?)",
            "8:16: `margin` is `-0.1`, expected a number from 0 to 0.5",
        ],
    );
}

#[test]
fn r20_a_baseline_that_is_no_cell_is_an_error() {
    bad(
        &with("run: {baseline: m}\n"),
        &["5:17: `baseline` is `m`, which is no cell of this roster (the cells are `m+h`)"],
    );
}

#[test]
fn what_is_not_built_is_refused_and_never_offered() {
    bad(
        &with(
            "experiment: {}\nrun: {max_repeats: 9}\nstats: {cluster: family}\ngate: {order: cost, undecided: pass}\nbudget: {tokens: 5}\n",
        ),
        &[
            "5:13: `experiment` is not built yet (remove it)",
            "7:18: `cluster` is not built yet (remove it)",
            "8:15: `order` is not built yet (remove it)",
            "8:32: `undecided` is not built yet (remove it)",
            "9:18: `tokens` is not built yet (remove it)",
        ],
    );
    bad(
        "models: [{id: m, provider: mock}]\nharnesses: [{id: h, kind: react, faults: x, env: {A: b}}]\n",
        &[
            "2:42: `faults` is not built yet (remove it)",
            "2:50: `env` is for kind `command`, and this one is `react` (remove it)",
        ],
    );
    bad(
        &with("budget: {usdd: 5}\n"),
        &["5:10: unknown key `usdd` in `budget` (did you mean `usd`?)"],
    );
    bad(
        &with("budget: {euro: 5}\n"),
        &["5:10: unknown key `euro` in `budget` (keys here are `usd`)"],
    );
}

#[test]
fn d12_a_file_of_another_shape_is_refused_key_by_key() {
    let (roster, problems) = read(D12);
    assert_eq!(roster, None);
    assert!(
        problems
            .iter()
            .any(|p| p.starts_with("1:1: unknown key `providers`")),
        "{problems:?}"
    );
    assert!(
        problems
            .iter()
            .any(|p| p.starts_with("7:1: unknown key `tasks`")),
        "{problems:?}"
    );
    assert!(
        problems
            .iter()
            .any(|p| p.contains("key `models` is missing")),
        "{problems:?}"
    );
}

#[test]
fn packs_are_folders() {
    bad(
        &with("packs: []\n"),
        &["5:8: `packs` names no folder (remove it to take every folder with tasks)"],
    );
    bad(
        &with("packs: [a, '']\n"),
        &["5:12: item 2 of `packs` is empty (name a folder)"],
    );
}

#[test]
fn limits_bound_the_requests_of_a_model_that_sends_some() {
    let with = |provider: &str, limits: &str| {
        format!(
            "models: [{{id: m, provider: {provider}, limits: {limits}}}]\n\
             harnesses: [{{id: h, kind: react}}]\n"
        )
    };
    let at = "openai, base_url: \"http://127.0.0.1:1\"";
    let both = good(&with(at, "{concurrency: 2, requests_per_minute: 90}"));
    let limits = both.models[0].limits;
    assert_eq!(
        (limits.concurrency, limits.requests_per_minute),
        (Some(2), Some(90))
    );
    assert!(good(&with(at, "{}")).models[0].limits.is_unbounded());
    bad(
        &with("mock", "{concurrency: 1}"),
        &["1:42: `limits` is not a key of provider `mock` (remove it: nothing is sent)"],
    );
    let (_, problems) = read(&with(at, "{concurrency: 0, tokens: 3}"));
    assert_eq!(problems.len(), 2, "{problems:?}");
}

#[test]
fn what_is_meant_of_prompt_caches_is_one_of_two_words() {
    assert_eq!(good(&with("")).run.cache, None);
    for (word, policy) in CachePolicy::WORDS {
        let read = good(&with(&format!("run: {{cache: {word}}}\n")));
        assert_eq!(read.run.cache, Some(policy));
        assert_eq!(policy.word(), word);
    }
    bad(
        &with("run: {cache: hot}\n"),
        &["5:14: `cache` cannot be `hot` (write one of `cold`, `warm`)"],
    );
}

#[test]
fn an_executable_is_read_with_all_that_it_is_given() {
    let with = |keys: &str| {
        format!("models: [{{id: m, provider: cli}}]\nharnesses: [{{id: h, kind: command{keys}}}]\n")
    };
    let read_one = good(&with(
        ", command: ./mine, args: [-v, ./a.py], env: {MODE: fast}, version: '1.0'",
    ));
    let command = read_one.harnesses[0].command.clone().unwrap();
    assert_eq!(
        (command.program.as_str(), command.args.len()),
        ("./mine", 2)
    );
    assert_eq!(command.env["MODE"], "fast");
    assert_eq!(command.version.as_deref(), Some("1.0"));
    assert_eq!(ids(&read_one), ["m+h"]);
    bad(
        &with(""),
        &["2:14: key `command` is missing in a harness (add `command: ...`)"],
    );
    let key = ["sk", "ant", "api03", "0123456789abcdefghij"].join("-");
    let (_, problems) = read(&with(&format!(", command: x, env: {{KEY: {key}}}")));
    assert!(problems[0].contains("looks like a key"), "{problems:?}");
}
