//! The harnesses of a roster.

use super::super::{names, unbuilt};
use super::additions::{self, HarnessPaths};
use super::{RosterContext, command, keys, models::unknown_kind};
use crate::domain::{Additions, HarnessKind, HarnessSpec};
use crate::source::{Field, Fields, Problems};

/// A harness with what pairing needs to know of it.
pub(super) struct ReadHarness<'a> {
    /// The harness; where a key had a problem, it holds that key's default.
    pub(super) spec: HarnessSpec,
    /// Its kind, `None` when that had a problem.
    pub(super) kind: Option<&'a HarnessKind>,
    /// The files that it names.
    pub(super) paths: HarnessPaths,
}

/// Keys of the format that this version does not carry out.
const UNBUILT: &[&str] = &["faults"];

/// Reads the list; `None` when it is no list. Harnesses without a usable id are left out.
pub(super) fn read<'a>(
    field: &Field<'a>,
    context: &RosterContext<'a>,
    problems: &Problems,
) -> Option<Vec<ReadHarness<'a>>> {
    let items = field.items()?;
    if items.is_empty() {
        field.error("is empty", "name at least one harness");
    }
    let mut seen = names::Seen::new("harness");
    let mut harnesses = Vec::new();
    for item in &items {
        let Some(fields) = item.section(&keys::HARNESS) else {
            continue;
        };
        let id = names::id(&fields.key("id"));
        if let Some(id) = id {
            seen.add(id, problems);
        }
        let mut read = read_harness(item, fields, context);
        if let Some(id) = id {
            id.value.clone_into(&mut read.spec.id);
            harnesses.push(read);
        }
    }
    Some(harnesses)
}

/// Reads the keys besides the id.
fn read_harness<'a>(
    item: &Field<'a>,
    mut fields: Fields<'a>,
    context: &RosterContext<'a>,
) -> ReadHarness<'a> {
    unbuilt::refuse(item.node(), &mut fields, UNBUILT);
    let kind = harness_kind(&fields.key("kind"), context);
    let verify_field = fields.key("verify");
    let verify = verify_field.bool().is_some_and(|verify| verify.value);
    if let Some(kind) = kind
        && verify
        && !kind.can_verify
    {
        let can = context.harnesses.iter().filter(|kind| kind.can_verify);
        verify_field.error(
            &format!(
                "cannot be `true`: kind `{}` has no self-check turn",
                kind.name
            ),
            &format!(
                "remove it, or use {}",
                names::listed(can.map(|kind| kind.name))
            ),
        );
    }
    let command = command::read(&mut fields, kind);
    let places = context.places;
    let read = additions::read(&fields, &additions::Known { kind, places });
    fields.finish();
    let spec = HarnessSpec {
        id: String::new(),
        kind: kind.map(|kind| kind.name.to_owned()).unwrap_or_default(),
        verify,
        instructions: read.instructions,
        command,
        additions: Additions {
            isolation: read.isolation,
            ..Additions::default()
        },
    };
    let paths = read.paths;
    ReadHarness { spec, kind, paths }
}

fn harness_kind<'a>(field: &Field<'_>, context: &RosterContext<'a>) -> Option<&'a HarnessKind> {
    let word = field.text()?.value;
    let found = context.harnesses.iter().find(|kind| kind.name == word);
    if found.is_none() {
        let words: Vec<&str> = context.harnesses.iter().map(|kind| kind.name).collect();
        unknown_kind(field, word, &words, context);
    }
    found
}
