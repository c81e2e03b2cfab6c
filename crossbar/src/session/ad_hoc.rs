//! One cell that no roster names: a provider and a model, as a person gives them on the command
//! line.

use super::SessionError;
use super::load::behind_feature;
use crate::pack::{Roster, RosterContext, read_roster};
use crate::source::{File, Problems, closest};
use crate::{harness, provider};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A model outside every roster; the harness is the first that its provider goes with, and what it
/// costs is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdHoc {
    /// The provider kind, a word of the provider table.
    pub provider: String,
    /// The name that the provider is asked for.
    pub model: String,
    /// Where the provider listens, for the kinds that want it said.
    pub base_url: Option<String>,
    /// The NAME of the variable that holds the key; never the key.
    pub api_key_env: Option<String>,
}

/// The roster with this one cell instead of its own: packs, budget and the settings of a run stay as
/// they are, and what speaks of other cells (baseline, gate, looks) goes.
///
/// # Errors
/// `SessionError` for an unknown provider, and for one that lacks what its kind needs.
pub(super) fn instead(ad_hoc: &AdHoc, mut roster: Roster) -> Result<Roster, SessionError> {
    let own = read(ad_hoc)?;
    roster.models = own.models;
    roster.harnesses = own.harnesses;
    roster.cells = own.cells;
    roster.run.baseline = None;
    roster.run.task_looks = None;
    roster.gate.rules = None;
    Ok(roster)
}

fn read(ad_hoc: &AdHoc) -> Result<Roster, SessionError> {
    let kind = provider::kind(&ad_hoc.provider).ok_or_else(|| unknown(&ad_hoc.provider))?;
    if kind.needs.contains(&"base_url") && ad_hoc.base_url.is_none() {
        return Err(SessionError::new(format!(
            "provider `{}` needs the address of its endpoint",
            kind.name
        ))
        .help("add --base-url http://HOST:PORT/v1"));
    }
    if id(&ad_hoc.model).is_empty() {
        return Err(
            SessionError::new("--model names no model").help("give the provider's name of it")
        );
    }
    let mut model = Map::new();
    model.insert("id".to_owned(), json!(id(&ad_hoc.model)));
    let keys = [
        ("provider", Some(&ad_hoc.provider)),
        ("model", Some(&ad_hoc.model)),
        ("base_url", ad_hoc.base_url.as_ref()),
        ("api_key_env", ad_hoc.api_key_env.as_ref()),
    ];
    for (key, value) in keys {
        if let Some(value) = value {
            model.insert(key.to_owned(), json!(value));
        }
    }
    let harness = kind.harnesses.first();
    let text = json!({
        "models": [Value::Object(model)],
        "harnesses": [{"id": harness, "kind": harness}],
    });
    let file = File::new("the command line", text.to_string());
    let problems = Problems::new(file.path());
    let context = RosterContext {
        providers: provider::KINDS,
        harnesses: harness::KINDS,
        behind_feature: &behind_feature,
        places: harness::PLACES,
    };
    read_roster(&file, &context, &problems).ok_or_else(|| {
        let found = problems.into_vec();
        let first = found.first().map_or("it can't be used", |one| &one.message);
        let help = found.first().and_then(|one| one.help.clone());
        SessionError::new(format!("--provider and --model: {first}")).help(help.unwrap_or_default())
    })
}

/// The model's name as the id of a cell: what no id can hold becomes `-`.
fn id(model: &str) -> String {
    let holds = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let id: String = model
        .chars()
        .map(|c| if holds(c) { c } else { '-' })
        .collect();
    id.trim_matches('-').to_owned()
}

fn unknown(word: &str) -> SessionError {
    let words = provider::KINDS.iter().map(|kind| kind.name);
    let near = closest(word, words.clone());
    let error = SessionError::new(format!("no provider is named `{word}`"));
    match (behind_feature(word), near) {
        (Some(feature), _) => error.help(format!("turn on crossbar's feature `{feature}`")),
        (None, Some(near)) => error.help(format!("did you mean `{near}`?")),
        (None, None) => error.help(format!(
            "there are {}",
            words.collect::<Vec<_>>().join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mock(model: &str) -> AdHoc {
        AdHoc {
            provider: "mock".to_owned(),
            model: model.to_owned(),
            base_url: None,
            api_key_env: None,
        }
    }

    #[test]
    fn a_model_makes_one_cell_with_the_first_harness_of_its_provider() {
        let roster = instead(&mock("org/small:7b"), Roster::default()).unwrap();
        let [cell] = roster.cells.as_slice() else {
            panic!("{:?}", roster.cells)
        };
        assert_eq!(cell.id.to_string(), "org-small-7b+react");
        assert_eq!(roster.models[0].model, "org/small:7b");
    }

    #[test]
    fn what_can_not_be_used_is_said_with_its_cure() {
        let told = |ad_hoc: AdHoc| instead(&ad_hoc, Roster::default()).unwrap_err().to_string();
        let moc = AdHoc {
            provider: "moc".to_owned(),
            ..mock("m")
        };
        assert!(told(moc).contains("did you mean `mock`?"));
        let nowhere = AdHoc {
            base_url: Some("http://127.0.0.1:1".to_owned()),
            ..mock("m")
        };
        assert!(told(nowhere).contains("`base_url` is not a key of provider `mock`"));
        assert!(told(mock("  ")).contains("--model names no model"));
    }
}
