//! The fingerprint of a cell: its model and its harness, with what each sends.

use super::canonical::of_value;
use crate::domain::{HarnessSpec, Model};
use serde_json::{Value, json};

const UNKNOWN: &str = "unknown";
const NONE: &str = "none";

/// The parts of a cell that change behaviour, as one JSON object: the frozen configuration.
///
/// Prices are left out (they change the bill, not the behaviour), and so is the name of the
/// key's variable. What crossbar can't know is the word `unknown`, and what a loop of crossbar's
/// own does not do is the word `none`; neither is left out. The permission policy is each task's
/// own, and in its fingerprint; which tools a server offers, and how it describes them, is told
/// when it runs.
#[must_use]
pub fn cell_parts(model: &Model, harness: &HarnessSpec, crossbar: &str) -> Value {
    json!({
        "model": {
            "provider": model.provider,
            "requested": model.model,
            "snapshot": UNKNOWN,
            "base_url": model.base_url,
            "params": model.params,
            "reasoning_budget": reasoning(model),
            "skill": model.skill,
            "recover": model.recover,
        },
        "harness": {
            "kind": harness.kind,
            "verify": harness.verify,
            "instructions": harness.instructions,
            "instructions_hash": harness.instructions.as_ref().map(|text| of_value(&json!(text))),
            "version": crossbar,
            "commit": UNKNOWN,
            "lockfile": UNKNOWN,
            "tool_schemas": UNKNOWN,
            "permission_policy": "the task's own",
            "context_compression": NONE,
            "retrieval": NONE,
            "retries": NONE,
            "image": NONE,
        },
    })
}

/// The setting under which vendors take it, where the roster has one.
fn reasoning(model: &Model) -> Value {
    ["reasoning_effort", "reasoning", "thinking"]
        .iter()
        .find_map(|key| model.params.get(*key).cloned())
        .unwrap_or_else(|| json!(UNKNOWN))
}

/// The fingerprint of a cell: the hash of [`cell_parts`].
#[must_use]
pub fn cell_fingerprint(model: &Model, harness: &HarnessSpec, crossbar: &str) -> String {
    of_value(&cell_parts(model, harness, crossbar))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Price;
    use std::collections::BTreeMap;

    fn model() -> Model {
        Model {
            id: "m".into(),
            provider: "mock".into(),
            model: "m-1".into(),
            base_url: None,
            api_key_env: None,
            price: Price::Free,
            params: BTreeMap::new(),
            skill: 0.9,
            recover: 0.0,
        }
    }

    fn harness() -> HarnessSpec {
        HarnessSpec {
            id: "h".into(),
            kind: "react".into(),
            verify: false,
            instructions: None,
        }
    }

    #[test]
    fn a_changed_prompt_is_another_configuration_and_a_changed_price_is_not() {
        let base = cell_fingerprint(&model(), &harness(), "0.1.0");
        let mut worded = harness();
        worded.instructions = Some("Be brief.".into());
        assert_ne!(base, cell_fingerprint(&model(), &worded, "0.1.0"));
        let mut dear = model();
        dear.price = Price::Unknown;
        assert_eq!(base, cell_fingerprint(&dear, &harness(), "0.1.0"));
        let mut hot = model();
        hot.params.insert("temperature".into(), json!(0.8));
        assert_ne!(base, cell_fingerprint(&hot, &harness(), "0.1.0"));
    }
    #[test]
    fn a_configuration_tells_each_part_or_that_it_is_unknown() {
        let mut worded = harness();
        worded.instructions = Some("Be brief.".into());
        let mut thinking = model();
        thinking
            .params
            .insert("reasoning_effort".into(), json!("low"));
        let parts = cell_parts(&thinking, &worded, "0.1.0");
        assert_eq!(parts["model"]["reasoning_budget"], "low");
        assert_eq!(parts["model"]["snapshot"], "unknown");
        assert_eq!(parts["harness"]["instructions"], "Be brief.");
        let hash = parts["harness"]["instructions_hash"].as_str().unwrap();
        worded.instructions = Some("Be brief!".into());
        let other = cell_parts(&thinking, &worded, "0.1.0");
        assert_ne!(other["harness"]["instructions_hash"], hash);
        let unsaid = cell_parts(&model(), &harness(), "0.1.0");
        assert_eq!(unsaid["model"]["reasoning_budget"], "unknown");
    }
}
