//! One sound file of each kind, with every key that its schema has.

use super::{SchemaOf, read, text_of, validator};
use serde_json::{Value, json};

pub fn sample(of: SchemaOf) -> Value {
    match of {
        SchemaOf::Task => task(),
        SchemaOf::Roster => roster(),
        SchemaOf::Pack => json!({"name": "Desk", "description": "Tickets"}),
        SchemaOf::Analyze => panic!("crossbar writes it, and nobody else"),
    }
}

fn task() -> Value {
    json!({
        "id": "t", "name": "T", "prompt": "Close it.", "family": "f", "anchor": true,
        "tags": ["a"], "weight": 2, "min_pass_rate": 0.8, "timeout_s": 60, "max_steps": 5, "budget_tokens": 1000,
        "environment": {
            "kind": "local",
            "image": "i",
            "servers": [
                {
                    "name": "desk", "command": "x", "args": ["a"], "env": {"A": "b"}, "cwd": "c",
                    "start_timeout_s": 5, "error_pattern": "^Database error"
                },
                {"name": "far", "url": "https://x", "headers": {"A": "b"}}
            ]
        },
        "security": {"forbidden_tools": ["desk.drop"], "max_tool_calls": 3, "on_blocked": "zero"},
        "checks": [
            {
                "type": "mcp_state", "server": "desk", "tool": "get", "args": {"id": 1},
                "expect": {"a": 1}, "match": "subset", "description": "d", "weight": 1,
                "required": true, "guard": false, "severity": "high"
            },
            {
                "type": "tool_called", "server": "desk", "tool": "close", "min_times": 1,
                "max_times": 2
            },
            {"type": "final_text", "value": "done", "match": "contains"},
            {"type": "no_tool_errors"}
        ],
        "demo": {
            "script": [{"tool": "desk.close", "args": {"id": 1}, "thought": "now"}],
            "final": "done"
        },
        "category": "c", "difficulty": "d", "risk": "r", "repository": "p", "split": "s",
        "adversarial": false, "public": true, "broken": [{
            "name": "other",
            "script": [{"tool": "desk.close", "args": {"id": 2}, "thought": "now"}],
            "final": "no"
        }],
        "version": 2
    })
}

fn roster() -> Value {
    json!({
        "models": [
            {
                "id": "m", "provider": "mock", "model": "n", "skill": 0.5, "recover": 0.5,
                "price": {
                    "input_per_mtok": 1, "output_per_mtok": 2, "cache_read_per_mtok": 0.1,
                    "cache_write_5m_per_mtok": 1, "cache_write_1h_per_mtok": 2,
                    "as_of": "2026-11-29"
                },
                "params": {"top_p": 1}
            },
            {"id": "s", "provider": "scripted", "price": "free"},
            {
                "id": "o", "provider": "openai", "base_url": "http://127.0.0.1:1/v1",
                "api_key_env": "A_KEY", "limits": {"concurrency": 2, "requests_per_minute": 60},
                "price": {"input_per_mtok": 1, "output_per_mtok": 2, "cache_write_per_mtok": 1}
            }
        ],
        "harnesses": [
            {
                "id": "own", "kind": "command", "command": "x", "args": ["a"], "env": {"A": "b"},
                "version": "1"
            },
            {"id": "h", "kind": "react", "verify": true, "instructions": "i"},
            {
                "id": "c", "kind": "claude-code", "instructions": {"file": "a.md"},
                "skills": ["a"], "isolation": "default"
            }
        ],
        "agents": [{"model": "m", "harness": "h"}],
        "packs": ["a"],
        "run": {
            "repeats": 3, "seed": 7, "concurrency": 2, "max_repeats": 9, "task_looks": [20, 40], "baseline": "m+h", "results_dir": "runs",
            "k": 2, "cache": "warm"
        },
        "stats": {"padding": "strict", "ci": "wilson"},
        "gate": {
            "margin": 0.05, "alpha": 0.05, "quality_bar": 0.5, "mode": "regression",
            "scope": "these", "cell": "m+h", "reference": "stored", "noise_threshold": 0.02,
            "max_age_days": 14, "forbid_removed": false, "allow_mock": true
        },
        "budget": {"usd": 5}
    })
}

/// Each `(place, key)` that a schema knows, where a place names lists' items by `*`.
fn keys(schema: &Value, at: &str, found: &mut Vec<(String, String)>) {
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        if inner != &Value::Bool(false) {
            found.push((at.to_owned(), name.clone()));
            keys(inner, &format!("{at}/{name}"), found);
        }
    }
    for inner in schema["allOf"].as_array().into_iter().flatten() {
        keys(&inner["then"], at, found);
    }
    for inner in schema["anyOf"].as_array().into_iter().flatten() {
        keys(inner, at, found);
    }
    if schema["items"].is_object() {
        keys(&schema["items"], &format!("{at}/*"), found);
    }
}

/// The same of a value.
fn held(value: &Value, at: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                found.push((at.to_owned(), name.clone()));
                held(inner, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| held(item, &format!("{at}/*"), found)),
        _ => {}
    }
}

#[test]
fn the_samples_are_sound_and_hold_every_key() {
    for of in [SchemaOf::Task, SchemaOf::Roster, SchemaOf::Pack] {
        let value = sample(of);
        assert_eq!(read(of, &value.to_string()), Vec::<String>::new());
        let errors: Vec<_> = validator(of)
            .iter_errors(&value)
            .map(|e| e.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
        let (mut known, mut used) = (Vec::new(), Vec::new());
        keys(&text_of(of), "", &mut known);
        held(&value, "", &mut used);
        for key in known {
            assert!(used.contains(&key), "no sample of {key:?}");
        }
    }
}

#[test]
fn every_key_has_a_description() {
    fn look(schema: &Value, at: &str) {
        for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
            let at = format!("{at}/{name}");
            let doc = inner["description"].as_str().unwrap_or_default();
            // a check's `type` is described where its words are
            assert!(
                doc.len() > 2 || inner == &Value::Bool(false) || inner == &serde_json::json!({}),
                "{at}"
            );
            look(inner, &at);
        }
        if schema["items"].is_object() {
            look(&schema["items"], at);
        }
    }
    for of in [SchemaOf::Task, SchemaOf::Roster, SchemaOf::Pack] {
        look(&text_of(of), "");
    }
}
