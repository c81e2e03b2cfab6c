//! Models, harnesses and the pairs that they make.

use super::*;

#[test]
fn m01_unknown_keys_and_kinds_have_their_place() {
    bad(
        "model: []\nharnesses: [{id: h, kind: reakt}]\n",
        &[
            "1:1: unknown key `model` in the roster (did you mean `models`?)",
            "2:27: `kind` cannot be `reakt` (did you mean `react`?)",
        ],
    );
    bad(
        &model("provider: zebra"),
        &["1:28: `provider` cannot be `zebra` (write one of `mock`, `openai`, `cli`)"],
    );
    bad(
        &model("provider: anthropic"),
        &[
            "1:28: `provider` cannot be `anthropic`: this build lacks the feature `http` (turn on crossbar's feature `http` in Cargo.toml)",
        ],
    );
    bad(
        "models: [{id: m, provider: mock}]\nharnesses: []\n",
        &["2:12: `harnesses` is empty (name at least one harness)"],
    );
}

#[test]
fn a_roster_may_name_no_model_and_needs_no_harness_then() {
    for text in ["models: []\n", "models: []\nharnesses: []\n"] {
        let (roster, problems) = read(text);
        assert_eq!(problems, Vec::<String>::new());
        assert!(roster.unwrap().cells.is_empty(), "{text}");
    }
    bad(
        "models: []\nagents: [{model: m, harness: h}]\n",
        &["2:9: `agents` pairs models, and `models` names none (name them, or remove it)"],
    );
}

#[test]
fn no_model_has_the_name_of_the_controls() {
    bad(
        &model("provider: mock").replace("id: m", "id: Control"),
        &["1:15: no model can be called `control`: that name is for controls (choose another id)"],
    );
}

#[test]
fn m01_ids_are_unique_but_for_case() {
    bad(
        "models:\n  - {id: Big, provider: mock}\n  - {id: big, provider: mock}\nharnesses:\n  - {id: h, kind: react}\n  - {id: h, kind: react}\n",
        &[
            "3:10: model id `big` is taken by line 2 (case makes no difference) (choose another id)",
            "6:10: harness id `h` is taken by line 5 (case makes no difference) (choose another id)",
        ],
    );
}

#[test]
fn m07_a_key_in_place_of_its_variable_is_refused_and_not_repeated() {
    for key in [
        "sk-ant-api03-abc",
        "gsk_abc",
        "tv-demo-0123456789abcdef",
        "0123456789abcdef0123456789abcdef",
        "AIzaSyA1234567890abcdefghijk",
        "AKIAIOSFODNN7EXAMPLE",
    ] {
        let keys = format!("provider: openai, base_url: 'http://x', api_key_env: {key}");
        let (roster, problems) = read(&model(&keys));
        assert_eq!(roster, None);
        assert_eq!(problems.len(), 1, "{key}: {problems:?}");
        let line = &problems[0];
        assert!(
            line.starts_with("1:71: `api_key_env` looks like a key"),
            "{line}"
        );
        assert!(!line.contains(key), "{line}");
    }
    bad(
        &model("provider: openai, base_url: 'http://x', api_key_env: MY KEY"),
        &[
            "1:71: `api_key_env` is not the name of an environment variable (use A-Z a-z 0-9 and _, no digit first, as in `OPENAI_API_KEY`)",
        ],
    );
    for name in ["OPENAI_API_KEY", "key", "OPENROUTER_API_KEY_2_STAGING_EU"] {
        good(&model(&format!(
            "provider: openai, base_url: 'http://x', api_key_env: {name}"
        )));
    }
}

#[test]
fn m09_omitted_agents_are_every_compatible_pair_and_an_impossible_one_is_an_error() {
    let axes = "\
models: [{id: a, provider: mock}, {id: c, provider: cli}]
harnesses: [{id: r, kind: react}, {id: s, kind: single-shot}, {id: l, kind: cli-loop}]
";
    assert_eq!(ids(&good(axes)), ["a+r", "a+s", "c+l"]);
    let listed = format!("{axes}agents: [{{model: c, harness: l}}, {{model: a, harness: s}}]\n");
    assert_eq!(ids(&good(&listed)), ["c+l", "a+s"]);
    bad(
        &format!(
            "{axes}agents:\n  - {{model: a, harness: l}}\n  - {{model: x, harness: ss}}\n  - {{model: a, harness: r}}\n  - {{model: a, harness: r}}\n  - {{model: a}}\n"
        ),
        &[
            "4:6: model `a` does not go with harness `l` (provider `mock`, kind `cli-loop`) (provider `mock` goes with `react`, `single-shot`)",
            "5:13: `model` cannot be `x` (write one of `a`, `c`)",
            "5:25: `harness` cannot be `ss` (did you mean `s`?)",
            "7:5: item 4 of `agents` names `a+r` again (remove it)",
            "8:6: key `harness` is missing in an agent (add `harness: ...`)",
        ],
    );
    bad(
        &format!("{axes}agents: []\n"),
        &["3:9: `agents` is empty (remove it to run every compatible pair)"],
    );
    bad(
        "models: [{id: a, provider: mock}]\nharnesses: [{id: l, kind: cli-loop}]\n",
        &[
            "1:1: `agents` would be empty: no model of this roster goes with any of its harnesses (add a harness of a kind that one of the providers goes with)",
        ],
    );
}

#[test]
fn a_key_of_another_provider_is_an_error_and_so_is_a_missing_one() {
    bad(
        &model("provider: openai, skill: 0.5"),
        &[
            "1:11: provider `openai` needs the key `base_url` (add `base_url: ...` to this model)",
            "1:43: `skill` is not a key of provider `openai` (remove it; besides what all take, it takes `base_url`, `api_key_env`)",
        ],
    );
    bad(
        &model("provider: openai, base_url: '${URL}'"),
        &[
            "1:46: `base_url` is no address (write `http://host:port/path` or `https://host/path` (variables are not expanded here))",
        ],
    );
    bad(
        "models: [{id: m, provider: mock}]\nharnesses: [{id: s, kind: single-shot, verify: true}]\n",
        &[
            "2:48: `verify` cannot be `true`: kind `single-shot` has no self-check turn (remove it, or use `react`)",
        ],
    );
}
