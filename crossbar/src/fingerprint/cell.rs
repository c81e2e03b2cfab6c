//! The fingerprint of a cell: its model and its harness, with what each sends.

use super::canonical::of_value;
use crate::domain::{HarnessSpec, Model};
use serde_json::{Value, json};

/// The parts of a cell that change behaviour, as one JSON object: the frozen configuration.
///
/// Prices are left out (they change the bill, not the behaviour), and so is the name of the
/// key's variable. What crossbar can't know is the word `unknown`, never left out.
#[must_use]
pub fn cell_parts(model: &Model, harness: &HarnessSpec, crossbar: &str) -> Value {
    json!({
        "model": {
            "provider": model.provider,
            "requested": model.model,
            "snapshot": "unknown",
            "base_url": model.base_url,
            "params": model.params,
            "skill": model.skill,
            "recover": model.recover,
        },
        "harness": {
            "kind": harness.kind,
            "verify": harness.verify,
            "instructions": harness.instructions,
            "version": crossbar,
        },
    })
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
}
