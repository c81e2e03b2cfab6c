//! What a harness of a roster is given on top: skills, an instruction file, its isolation. The files
//! themselves are read by whoever has them.

use super::super::names;
use super::keys;
use crate::domain::{HarnessKind, Isolation, Places};
use crate::source::{Field, Fields, Span, Value};

/// Files that a harness names, to be read by their paths from the roster.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HarnessPaths {
    /// The instruction file.
    pub instructions: Option<Placed>,
    /// The folders of skills; `None` where the roster does not speak of skills.
    pub skills: Option<Vec<Placed>>,
}

/// A path with its place in the roster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The path as it is written.
    pub path: String,
    /// Where.
    pub span: Span,
}

/// What was read of a harness.
#[derive(Default)]
pub(super) struct Read {
    /// The text that replaces its system prompt.
    pub(super) instructions: Option<String>,
    pub(super) paths: HarnessPaths,
    pub(super) isolation: Isolation,
}

/// Where a harness can put what it is given, and who else could.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) kind: Option<&'a HarnessKind>,
    pub(super) places: &'a [Places],
}

impl Known<'_> {
    /// Refuses a key that the kind can't meet; nothing is said of an unknown kind.
    fn hold(&self, field: &Field<'_>, can: impl Fn(&Places) -> bool) {
        let Some(kind) = self.kind else {
            return;
        };
        let able = self.places.iter().filter(|places| can(places));
        let able: Vec<&str> = able.map(|places| places.kind).collect();
        if !able.contains(&kind.name) {
            field.error(
                &format!("is not for kind `{}`", kind.name),
                &format!("remove it, or use {}", names::listed(able)),
            );
        }
    }
}

/// Reads the three keys.
pub(super) fn read(fields: &Fields<'_>, known: &Known<'_>) -> Read {
    let mut read = Read::default();
    instructions(&fields.key("instructions"), known, &mut read);
    let skills = fields.key("skills");
    if skills.is_present() {
        known.hold(&skills, |places| places.skills.is_some());
        read.paths.skills = self::skills(&skills);
    }
    let isolation = fields.key("isolation");
    if isolation.declared_word().map(|word| word.value) == Some(keys::BARE) {
        known.hold(&isolation, |places| places.can_be_bare);
        read.isolation = Isolation::Bare;
        not_bare(&isolation, &read.paths);
    }
    read
}

/// A bare program looks for neither, so that it would run as if they were not there.
fn not_bare(isolation: &Field<'_>, paths: &HarnessPaths) {
    let of = match (&paths.skills, &paths.instructions) {
        (Some(_), _) => "skills",
        (_, Some(_)) => "an instruction file",
        (None, None) => return,
    };
    isolation.error(
        &format!("is `bare` beside {of}, which a bare program does not look for"),
        "leave one of them out",
    );
}

fn instructions(field: &Field<'_>, known: &Known<'_>, read: &mut Read) {
    if !matches!(
        field.node().map(|node| &node.value),
        Some(Value::Mapping(_))
    ) {
        read.instructions = field.string();
        return;
    }
    known.hold(field, |places| places.instruction_file.is_some());
    if let Some(fields) = field.section(&keys::INSTRUCTIONS) {
        read.paths.instructions = placed(&fields.key("file"));
        fields.finish();
    }
}

fn skills(field: &Field<'_>) -> Option<Vec<Placed>> {
    let mut found: Vec<Placed> = Vec::new();
    for item in field.items()? {
        let Some(one) = placed(&item) else {
            continue;
        };
        if found.iter().any(|other| other.path == one.path) {
            item.error(&format!("names `{}` again", one.path), "remove it");
        } else {
            found.push(one);
        }
    }
    Some(found)
}

fn placed(field: &Field<'_>) -> Option<Placed> {
    let path = names::filled(field)?;
    Some(Placed {
        path,
        span: field.span(),
    })
}
