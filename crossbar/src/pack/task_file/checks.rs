//! The checks of a task, read by the table of check kinds.

use super::super::names;
use super::keys::SEVERITY;
use super::servers::Servers;
use super::tool_names::{check_dotted, unknown_server};
use crate::check::{self, COMMON_FIELDS, CheckKind, CheckSpec, FieldKind, FieldSpec, KINDS};
use crate::source::{Diagnostic, Field, Fields, Problems, Spanned};
use serde_json::Value;
use std::collections::BTreeMap;

/// Reads the list. `None` when it is no list or any check had a problem of its own. A list from
/// which nothing can be gained is an error; one that rests on claims alone is a warning.
pub(super) fn read(
    field: &Field<'_>,
    servers: &Servers,
    unbuilt: &mut Vec<String>,
    problems: &Problems,
) -> Option<Vec<CheckSpec>> {
    let items = field.items()?;
    let reader = Reader {
        servers: servers.names(),
        problems,
    };
    let read: Vec<Option<CheckSpec>> = items
        .iter()
        .enumerate()
        .map(|(at, item)| reader.check(item, at + 1, unbuilt))
        .collect();
    let checks: Vec<CheckSpec> = read.into_iter().collect::<Option<_>>()?;
    let gains = || checks.iter().filter(|check| !check.guard);
    if gains().next().is_none() {
        let what = if checks.is_empty() {
            "is empty"
        } else {
            "holds guards alone"
        };
        field.error(
            &format!("{what}: a task must be able to fail and to succeed"),
            "add a check that an agent must work for, such as `mcp_state`",
        );
    } else if gains().all(|check| !check.required) {
        field.error(
            "demands nothing: every check beyond guards has `required: false`",
            "leave `required` out of at least one, so that a task can fail",
        );
    } else if gains().all(|check| check.kind == "final_text") {
        problems.push(
            Diagnostic::warning(
                problems.path(),
                field.span(),
                "`final_text` is the only kind of check that can be gained: it tests a claim, not a fact",
            )
            .with_help("add a check of what the agent did, such as `mcp_state`"),
        );
    }
    Some(checks)
}

/// Reads checks of one task.
struct Reader<'c> {
    servers: Vec<&'c str>,
    problems: &'c Problems,
}

impl Reader<'_> {
    fn check(
        &self,
        item: &Field<'_>,
        number: usize,
        unbuilt: &mut Vec<String>,
    ) -> Option<CheckSpec> {
        let kind = self.kind(item)?;
        let mut fields = item.fields(&format!("check `{}`", kind.name))?;
        fields.required("type");
        let mut values = check::Fields::default();
        let mut places: BTreeMap<&str, Field<'_>> = BTreeMap::new();
        let mut sound = true;
        for spec in kind.fields.iter().chain(COMMON_FIELDS) {
            let field = ask(&mut fields, spec);
            match value(&field, spec.kind) {
                Some(value) => {
                    values.set(spec.name, value);
                }
                None => sound &= !field.is_present() && !spec.required,
            }
            places.insert(spec.name, field);
        }
        let severity = fields.optional(SEVERITY.name);
        if severity.string().is_some() && !unbuilt.iter().any(|key| key == "checks.severity") {
            unbuilt.push("checks.severity".to_owned());
        }
        fields.finish();
        sound &= self.servers_are_there(&places);
        if !sound {
            return None;
        }
        match CheckSpec::new(kind, &values, number) {
            Ok(mut check) => {
                if let (Value::Object(map), Some(text)) = (&mut check.canonical, severity.string())
                {
                    map.insert(SEVERITY.name.to_owned(), Value::from(text));
                }
                Some(check)
            }
            Err(error) => {
                let span = places.get(error.field).map_or(item.span(), Field::span);
                let message = format!("`{}`: {}", error.field, error.message);
                self.problems.error(span, message);
                None
            }
        }
    }
}

impl Reader<'_> {
    /// The kind that `type` names.
    fn kind(&self, item: &Field<'_>) -> Option<&'static CheckKind> {
        let mut fields = item.fields("a check")?;
        let field = fields.optional("type");
        let words: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        if field.is_present() {
            return check::kind(field.one_of(&words)?.value);
        }
        let entries = item.entries().unwrap_or_default();
        let misplaced = |(key, _): &(Spanned<&str>, Field<'_>)| check::kind(key.value);
        match entries
            .iter()
            .find_map(|entry| Some((entry, misplaced(entry)?)))
        {
            Some(((key, _), kind)) => self.problems.error_help(
                key.span,
                format!(
                    "`{}` stands as a key, and `type` names a check's kind",
                    key.value
                ),
                format!(
                    "write `type: {}` and beside it its keys: {}",
                    kind.name,
                    names::listed(kind.fields.iter().map(|field| field.name))
                ),
            ),
            None => self.problems.error_help(
                fields.span(),
                "key `type` is missing in a check",
                format!("add `type: ...`, one of {}", names::listed(words)),
            ),
        }
        None
    }

    /// Whether the server that a check names, in `server` or before the dot of `tool`, is there.
    fn servers_are_there(&self, places: &BTreeMap<&str, Field<'_>>) -> bool {
        let place = |name| places.get(name).filter(|field| field.is_present());
        if let Some(field) = place("server") {
            let Some(server) = field.text() else {
                return false;
            };
            let there = self.servers.contains(&server.value);
            if !there {
                unknown_server(field, server.value, &self.servers);
            }
            return there;
        }
        match place("tool").and_then(|field| Some((field, field.text()?))) {
            Some((field, tool)) => check_dotted(field, tool.value, &self.servers),
            None => true,
        }
    }
}

fn ask<'a>(fields: &mut Fields<'a>, spec: &FieldSpec) -> Field<'a> {
    if spec.required {
        fields.required(spec.name)
    } else {
        fields.optional(spec.name)
    }
}

/// The value of a field in the form that its kind wants; text stays what was written.
fn value(field: &Field<'_>, kind: FieldKind) -> Option<Value> {
    match kind {
        FieldKind::Text => field.string().map(Value::from),
        FieldKind::Json => field.json(),
        FieldKind::Map => field.entries().and(field.json()),
        FieldKind::Count => field
            .integer(0..=u32::MAX)
            .map(|one| Value::from(one.value)),
        FieldKind::Number => field
            .number(f64::NEG_INFINITY..=f64::INFINITY)
            .map(|one| Value::from(one.value)),
        FieldKind::Flag => field.bool().map(|one| Value::from(one.value)),
        FieldKind::Mode(modes) => {
            let words: Vec<&str> = modes.iter().map(|mode| mode.word()).collect();
            field.one_of(&words).map(|word| Value::from(word.value))
        }
    }
}
