//! WHAT DIFFERS: every part of a challenger's configuration that is not the baseline's. A comparison
//! of two cells is one of all of them together.

use super::clip::clip;
use super::page::Page;
use super::{Frozen, own_skills};
use crate::domain::{CellId, Price};
use serde_json::Value;

/// How much of a value is printed, in bytes; its hash tells longer texts apart.
const SHOWN: usize = 60;

/// What every list ends with.
const NO_CAUSE: &str = "A comparison is one of all that differs at once: it shows no cause. Two cells that differ in \
     one thing alone would.";

/// Writes the section; nothing without a baseline and a cell beside it.
pub(super) fn write(page: &mut Page, frozen: &Frozen<'_>) {
    let Some(baseline) = &frozen.analysis.baseline else {
        return;
    };
    let others: Vec<_> = frozen.analysis.cells.iter().map(|cell| &cell.id).collect();
    let others: Vec<_> = others.into_iter().filter(|id| *id != baseline).collect();
    if others.is_empty() {
        return;
    }
    page.heading("WHAT DIFFERS FROM THE BASELINE");
    for cell in others {
        let factors = factors(frozen, baseline, cell);
        let text = match (factors.is_empty(), alone(&factors)) {
            (true, _) => "in nothing that is known".to_owned(),
            (false, Some(part)) => format!("in its {part} alone: {}", factors.join("; ")),
            (false, None) => factors.join("; "),
        };
        page.item("", 2, &format!("{cell}: {text}"));
    }
    page.blank();
    page.item("", 2, NO_CAUSE);
    for line in own_skills::lines(frozen, baseline) {
        page.item("", 2, &line);
    }
    if let Some(window) = &frozen.analysis.window {
        let (first, last) = (&window.first_started_at, &window.last_started_at);
        page.item(
            "",
            2,
            &format!("Their rollouts began between {first} and {last}."),
        );
    }
}

/// Parts of a program's surroundings, each with its path and its name for people.
const PARTS: [(&str, &str); 2] = [
    ("harness.skills", "skills"),
    ("harness.instruction_file", "instruction file"),
];

/// The one of these parts in which all that differs lies.
fn alone(factors: &[String]) -> Option<&'static str> {
    let within = |(path, _): &&(&str, &str)| {
        let below = |factor: &String| {
            let rest = factor.strip_prefix(path);
            rest.is_some_and(|rest| rest.starts_with(['.', ' ']))
        };
        factors.iter().all(below)
    };
    PARTS.iter().find(within).map(|(_, name)| *name)
}

/// What differs between two cells, part by part: `model.requested "a" -> "b"`.
fn factors(frozen: &Frozen<'_>, from: &CellId, to: &CellId) -> Vec<String> {
    let configuration = |id: &CellId| {
        let meta = frozen.meta.cells.iter().find(|meta| meta.cell == *id);
        meta.map_or(&Value::Null, |meta| &meta.configuration)
    };
    let mut found = Vec::new();
    walk("", configuration(from), configuration(to), &mut found);
    let priced = |id| {
        let price = frozen.price(id);
        price.filter(|price| **price != Price::Unknown)
    };
    if priced(from) != priced(to) {
        found.push("price".to_owned());
    }
    found
}

fn walk(path: &str, from: &Value, to: &Value, found: &mut Vec<String>) {
    let (Value::Object(one), Value::Object(other)) = (from, to) else {
        if from != to {
            found.push(format!("{path} {} -> {}", shown(from), shown(to)));
        }
        return;
    };
    let new = other.keys().filter(|key| !one.contains_key(*key));
    for key in one.keys().chain(new) {
        let inner = match path {
            "" => key.clone(),
            path => format!("{path}.{key}"),
        };
        let at = |side: &serde_json::Map<String, Value>| side.get(key).cloned().unwrap_or_default();
        walk(&inner, &at(one), &at(other), found);
    }
}

fn shown(value: &Value) -> String {
    if value.is_null() {
        return "none".to_owned();
    }
    let text = value.to_string();
    clip(&text, SHOWN, |left| format!(" ({left} bytes) ")).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{flat, sweep};
    use serde_json::json;

    #[test]
    fn each_part_that_differs_is_named_and_none_is_called_the_cause() {
        let mut arms = sweep();
        let cell = |model: &str, verify: bool, instructions: Option<&str>| {
            json!({"model": {"requested": model, "params": {}},
                   "harness": {"verify": verify, "instructions": instructions, "kind": "react"}})
        };
        let long = "Be brief. ".repeat(20);
        let parts = [
            cell("strong", false, None),
            cell("weak", false, Some(&long)),
            cell("weak", true, None),
        ];
        for (meta, parts) in arms.meta.cells.iter_mut().zip(parts) {
            meta.configuration = parts;
        }
        let text = flat(&arms.output("markdown"));
        let ids: Vec<_> = arms.meta.cells.iter().map(|meta| &meta.cell).collect();
        assert_eq!(Some(ids[0]), arms.analysis.baseline.as_ref());
        for line in [
            format!(
                "{}: model.requested \"strong\" -> \"weak\"; harness.instructions none -> \
                 \"Be brief.",
                ids[1]
            ),
            format!(
                "{}: model.requested \"strong\" -> \"weak\"; harness.verify false -> true",
                ids[2]
            ),
            "it shows no cause".to_owned(),
            "Their rollouts began between 20".to_owned(),
        ] {
            assert!(text.contains(&line), "{line}\n{text}");
        }
        assert!(!text.contains("kind \"react\" ->"), "{text}");
    }

    #[test]
    fn cells_that_differ_by_a_skill_alone_are_told_so() {
        let mut arms = sweep();
        let cell = |skills: serde_json::Value| json!({"harness": {"kind": "k", "skills": skills}});
        let text = |word: &str| json!({"greet": {"SKILL.md": word}});
        let parts = [cell(json!({})), cell(text("one")), cell(text("two"))];
        for (meta, parts) in arms.meta.cells.iter_mut().zip(parts) {
            meta.configuration = parts;
        }
        let text = flat(&arms.output("markdown"));
        assert!(
            text.contains("in its skills alone: harness.skills.greet none -> {"),
            "{text}"
        );
        let mut instructed = sweep();
        let parts = [
            json!({"harness": {}}),
            json!({"harness": {"instruction_file": "x"}}),
            json!({"harness": {"instruction_file": "x", "verify": true}}),
        ];
        for (meta, parts) in instructed.meta.cells.iter_mut().zip(parts) {
            meta.configuration = parts;
        }
        let text = flat(&instructed.output("markdown"));
        assert!(
            !text.contains("alone: harness.instruction_file none -> \"x\"; harness.verify"),
            "{text}"
        );
    }

    #[test]
    fn a_run_without_a_baseline_compares_nothing() {
        let mut alone = sweep();
        alone.question.baseline = None;
        let text = alone.again().output("markdown");
        assert!(!text.contains("WHAT DIFFERS"), "{text}");
    }
}
