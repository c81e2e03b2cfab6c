//! The section `broken` of a task: mistakes that it must not accept, which only controls read.

use super::super::names;
use super::servers::Servers;
use super::{demo, keys};
use crate::domain::Broken;
use crate::source::{Field, Problems};

/// Reads the list; empty where there is none. Names are ids, unique but for case.
pub(super) fn read(field: &Field<'_>, servers: &Servers, problems: &Problems) -> Vec<Broken> {
    let items = field.items().unwrap_or_default();
    let mut seen = names::Seen::new("broken script");
    let mut broken = Vec::new();
    for item in &items {
        let Some(fields) = item.section(&keys::BROKEN) else {
            continue;
        };
        let name = names::id(&fields.key("name"));
        let script = demo::script(item, &fields, servers);
        fields.finish();
        if let Some(name) = name {
            seen.add(name, problems);
            if name.value.bytes().all(|b| b.is_ascii_digit()) {
                let what = format!("the name `{}` is a number", name.value);
                let help = "numbers are for scripts without a name; say what the mistake is";
                problems.error_help(name.span, what, help);
            }
        }
        broken.push(Broken {
            name: name.map(|name| name.value.to_owned()),
            script,
        });
    }
    broken
}
