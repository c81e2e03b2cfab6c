//! Keys that people put in the wrong mapping: each with what helps.

/// At the top of a task file.
pub(super) const TASK: &[(&str, &str)] = &[
    ("repeats", "it belongs in crossbar.yaml, under `run`"),
    ("seed", "it belongs in crossbar.yaml, under `run`"),
    ("baseline", "it belongs in crossbar.yaml, under `run`"),
    (
        "temperature",
        "it belongs in crossbar.yaml, to a model's `params`",
    ),
    (
        "budget_usd",
        "it belongs in crossbar.yaml, as `usd` under `budget`",
    ),
    ("models", ROSTER_KEY),
    (
        "providers",
        "each model in crossbar.yaml names its own `provider`",
    ),
    ("harnesses", ROSTER_KEY),
    ("agents", ROSTER_KEY),
    ("run", ROSTER_KEY),
    ("gate", ROSTER_KEY),
    ("budget", ROSTER_KEY),
    (
        "tasks",
        "a file holds one task, its keys at the top: make it a file for each",
    ),
    ("servers", "it belongs under `environment`"),
    ("command", SERVER_KEY),
    ("args", SERVER_KEY),
    ("env", SERVER_KEY),
    ("forbidden_tools", "it belongs under `security`"),
    ("max_tool_calls", "it belongs under `security`"),
    ("script", "it belongs under `demo`"),
    ("final", "it belongs under `demo`"),
    ("type", "it belongs to a check, an item of `checks`"),
];

const ROSTER_KEY: &str = "it belongs in crossbar.yaml, beside its other keys";
const SERVER_KEY: &str = "it belongs to a server, an item of `servers` under `environment`";

/// At the top of crossbar.yaml.
pub(super) const ROSTER: &[(&str, &str)] = &[
    ("repeats", "it belongs under `run`"),
    ("seed", "it belongs under `run`"),
    ("concurrency", "it belongs under `run`"),
    ("baseline", "it belongs under `run`"),
    ("margin", "it belongs under `gate`"),
    ("alpha", "it belongs under `gate`"),
    ("mode", "it belongs under `gate`"),
    ("quality_bar", "it belongs under `gate`"),
    ("provider", "it belongs to a model, an item of `models`"),
    ("providers", "each of the `models` names its own `provider`"),
    ("prompt", TASK_KEY),
    ("checks", TASK_KEY),
    (
        "tasks",
        "each task is a file of its own, `NAME.task.yaml`, in one of the `packs`",
    ),
];

const TASK_KEY: &str = "it belongs in a task file, `NAME.task.yaml`";

/// In an item of `models`.
pub(super) const MODEL: &[(&str, &str)] = &[
    (
        "api_key",
        "write `api_key_env` and the name of a variable that holds the key; replace the key: it has been in a file",
    ),
    ("temperature", "it belongs under `params`"),
    ("max_output_tokens", "it belongs under `params`"),
    ("input_per_mtok", "it belongs under `price`"),
    ("output_per_mtok", "it belongs under `price`"),
];

#[cfg(test)]
mod tests {
    use super::super::roster::keys;
    use super::*;
    use crate::pack::task_file::keys::TASK as TASK_KEYS;

    /// A key that a mapping does have would be offered to nobody.
    #[test]
    fn no_key_of_a_mapping_is_said_to_belong_elsewhere() {
        for (section, table) in [
            (&TASK_KEYS, TASK),
            (&keys::ROSTER, ROSTER),
            (&keys::MODEL, MODEL),
        ] {
            for (key, place) in table {
                let there = section.keys.iter().any(|row| row.name == *key);
                assert!(!there, "{key} belongs to {}", section.what);
                assert!(!place.ends_with('.'), "{place}");
            }
        }
    }
}
