//! The executable of a harness of kind `command`.

use super::super::names;
use crate::domain::{Executable, HarnessKind};
use crate::source::{Field, Fields, looks_like_a_key};
use std::collections::BTreeMap;

/// The kind that has one.
pub(in crate::pack) const KIND: &str = "command";

/// Its keys, the one that it needs first.
pub(in crate::pack) const KEYS: [&str; 4] = ["command", "args", "env", "version"];

/// Reads the keys of an executable; `None` for the other kinds, where they are errors.
pub(super) fn read(fields: &mut Fields<'_>, kind: Option<&HarnessKind>) -> Option<Executable> {
    let [command, args, env, version] = KEYS.map(|key| fields.key(key));
    let kind = kind?;
    if kind.name != KIND {
        for field in [command, args, env, version] {
            if field.is_present() {
                let what = format!("is for kind `{KIND}`, and this one is `{}`", kind.name);
                field.error(&what, "remove it");
            }
        }
        return None;
    }
    fields.required("command");
    let args = args.texts().unwrap_or_default();
    Some(Executable {
        program: names::filled(&command)?,
        args: args.iter().map(|arg| arg.value.to_owned()).collect(),
        env: variables(&env),
        version: names::filled(&version),
        files: BTreeMap::new(),
        places: BTreeMap::new(),
    })
}

fn variables(field: &Field<'_>) -> BTreeMap<String, String> {
    let mut env = BTreeMap::new();
    for (name, value) in field.entries().unwrap_or_default() {
        let Some(text) = value.text() else {
            continue;
        };
        if looks_like_a_key(text.value) {
            value.error(
                "looks like a key, and would be recorded with every run",
                "leave it out: crossbar asks the model, and the executable needs no key",
            );
        }
        env.insert(name.value.to_owned(), text.value.to_owned());
    }
    env
}
