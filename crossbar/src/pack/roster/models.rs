//! The models of a roster.

use super::super::{elsewhere, names, unbuilt};
use super::{RosterContext, keys, price};
use crate::domain::{Control, Model, ModelLimits, ProviderKind};
use crate::source::{Field, Fields, Problems, looks_like_a_key};
use serde_json::Value;
use std::collections::BTreeMap;

/// A model with what pairing needs to know of it.
pub(super) struct ReadModel<'a> {
    /// The model; where a key had a problem, it holds that key's default.
    pub(super) model: Model,
    /// Its provider kind, `None` when that had a problem.
    pub(super) kind: Option<&'a ProviderKind>,
}

/// Reads the list, which may be empty: tasks prove themselves without a model. `None` when it is no
/// list. Models without a usable id are left out.
pub(super) fn read<'a>(
    field: &Field<'a>,
    context: &RosterContext<'a>,
    problems: &Problems,
) -> Option<Vec<ReadModel<'a>>> {
    let items = field.items()?;
    let mut seen = names::Seen::new("model");
    let mut models = Vec::new();
    for item in &items {
        let Some(fields) = item.section(&keys::MODEL) else {
            continue;
        };
        let id = names::id(&fields.key("id"));
        if let Some(id) = id {
            seen.add(id, problems);
            if Control::takes(id.value) {
                let what = "no model can be called `control`: that name is for controls";
                problems.error_help(id.span, what, "choose another id");
            }
        }
        let read = read_model(item, fields, context, problems);
        models.extend(id.map(|id| read.named(id.value)));
    }
    Some(models)
}

impl ReadModel<'_> {
    fn named(mut self, id: &str) -> Self {
        id.clone_into(&mut self.model.id);
        if self.model.model.is_empty() {
            id.clone_into(&mut self.model.model);
        }
        self
    }
}

/// Reads the keys besides the id.
fn read_model<'a>(
    item: &Field<'a>,
    mut fields: Fields<'a>,
    context: &RosterContext<'a>,
    problems: &Problems,
) -> ReadModel<'a> {
    fields.belong_elsewhere(elsewhere::MODEL);
    let kind = provider_kind(&fields.key("provider"), context);
    let model = Model {
        id: String::new(),
        provider: kind.map(|kind| kind.name.to_owned()).unwrap_or_default(),
        model: names::filled(&fields.key("model")).unwrap_or_default(),
        price: price::read(&fields.key("price"), problems),
        params: params(&fields.key("params")),
        base_url: base_url(&taken(&fields, "base_url", kind)),
        api_key_env: api_key_env(&taken(&fields, "api_key_env", kind)),
        limits: limits(&fields.key("limits"), kind),
        skill: chance(&taken(&fields, "skill", kind), 1.0),
        recover: chance(&taken(&fields, "recover", kind), 0.0),
    };
    for need in kind.map_or(&[][..], |kind| kind.needs) {
        if !unbuilt::has(item.node(), need) {
            problems.error_help(
                fields.span(),
                format!("provider `{}` needs the key `{need}`", model.provider),
                format!("add `{need}: ...` to this model"),
            );
        }
    }
    fields.finish();
    ReadModel { model, kind }
}

fn provider_kind<'a>(field: &Field<'_>, context: &RosterContext<'a>) -> Option<&'a ProviderKind> {
    let word = field.text()?.value;
    let found = context.providers.iter().find(|kind| kind.name == word);
    if found.is_none() {
        let words: Vec<&str> = context.providers.iter().map(|kind| kind.name).collect();
        unknown_kind(field, word, &words, context);
    }
    found
}

/// Says that a kind is not in this build, and whether a cargo feature would bring it.
pub(super) fn unknown_kind(
    field: &Field<'_>,
    word: &str,
    words: &[&str],
    context: &RosterContext<'_>,
) {
    match (context.behind_feature)(word) {
        Some(feature) => field.error(
            &format!("cannot be `{word}`: this build lacks the feature `{feature}`"),
            &format!("turn on crossbar's feature `{feature}` in Cargo.toml"),
        ),
        None => {
            field.one_of(words);
        }
    }
}

/// A key that only some providers take; where the model's does not, that is an error.
fn taken<'a>(fields: &Fields<'a>, key: &'static str, kind: Option<&ProviderKind>) -> Field<'a> {
    let field = fields.key(key);
    if let Some(kind) = kind
        && field.is_present()
        && !kind.takes.contains(&key)
        && !kind.needs.contains(&key)
    {
        let own = kind.needs.iter().chain(kind.takes).copied();
        field.error(
            &format!("is not a key of provider `{}`", kind.name),
            &format!(
                "remove it; besides what all take, it takes {}",
                names::listed(own)
            ),
        );
    }
    field
}

/// What bounds the requests of a model; one that sends none has nothing to bound.
fn limits(field: &Field<'_>, kind: Option<&ProviderKind>) -> ModelLimits {
    let Some(fields) = field.section(&keys::LIMITS) else {
        return ModelLimits::default();
    };
    if let Some(kind) = kind.filter(|kind| !kind.live) {
        let what = format!("is not a key of provider `{}`", kind.name);
        field.error(&what, "remove it: nothing is sent");
    }
    let count = |key| fields.key(key).declared_integer().map(|one| one.value);
    let limits = ModelLimits {
        concurrency: count("concurrency"),
        requests_per_minute: count("requests_per_minute"),
    };
    fields.finish();
    limits
}

fn chance(field: &Field<'_>, default: f64) -> f64 {
    field
        .declared_number()
        .map_or(default, |chance| chance.value)
}

fn base_url(field: &Field<'_>) -> Option<String> {
    let text = field.string()?;
    let host = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"));
    let is_host =
        |host: &str| !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || c == '$');
    let secret = |host: &str| {
        let authority = host.split('/').next().unwrap_or_default();
        authority.contains('@') || host.contains(['?', '#'])
    };
    if host.is_some_and(secret) {
        // It would be recorded with the run, and shown.
        field.error(
            "holds more than an address",
            "leave out `user@`, `?..` and `#..`; a key goes into a variable named by `api_key_env`",
        );
        return None;
    }
    if host.is_some_and(is_host) {
        return Some(text);
    }
    field.error(
        "is no address",
        "write `http://host:port/path` or `https://host/path` (variables are not expanded here)",
    );
    None
}

/// The NAME of an environment variable. A value that looks like a key is refused, and no message
/// repeats it.
fn api_key_env(field: &Field<'_>) -> Option<String> {
    let text = field.string()?;
    if looks_like_a_key(&text) {
        field.error(
            "looks like a key, and must be the name of an environment variable",
            "put the key into a variable, write that variable's name here, and replace the key: \
             it has been in a file",
        );
    } else if !is_variable(&text) {
        field.error(
            "is not the name of an environment variable",
            "use A-Z a-z 0-9 and _, no digit first, as in `OPENAI_API_KEY`",
        );
    } else {
        return Some(text);
    }
    None
}

fn is_variable(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && text.bytes().next().is_some_and(|b| !b.is_ascii_digit())
}

/// Settings are passed on as they are; those whose meaning crossbar relies on are checked.
fn params(field: &Field<'_>) -> BTreeMap<String, Value> {
    let mut params = BTreeMap::new();
    for (key, value) in field.entries().unwrap_or_default() {
        let sound = match key.value {
            "max_output_tokens" => value.integer(1..=100_000_000_u64).is_some(),
            "temperature" => value.number(0.0..=2.0).is_some(),
            "stream" => value.bool().is_some(),
            _ => true,
        };
        if let Some(json) = value.json().filter(|_| sound) {
            params.insert(key.value.to_owned(), json);
        }
    }
    params
}
