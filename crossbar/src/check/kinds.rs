//! The table of check kinds: loaders, help, schema, docs and tests iterate it.

use super::{
    Check, FieldError, FieldSpec, Fields, final_text, mcp_state, no_tool_errors, tool_called,
};

/// A row of the table of check kinds.
#[derive(Debug, Clone, Copy)]
pub struct CheckKind {
    /// The word after `type:`.
    pub name: &'static str,
    /// One line for help and error messages.
    pub doc: &'static str,
    /// Whether a check of this kind is a guard without being declared one.
    pub guard_by_kind: GuardByKind,
    /// Whether it looks at the state that the agent left, rather than at what it said or did.
    pub about_state: bool,
    /// Its own fields, beside `COMMON_FIELDS`.
    pub fields: &'static [FieldSpec],
    /// Makes the check from its fields, or names the field that is wrong.
    pub build: fn(&Fields) -> Result<Box<dyn Check>, FieldError>,
}

/// When a check is a guard by its kind: it holds for an agent that does nothing, so it may zero a
/// score and never adds to one.
#[derive(Debug, Clone, Copy)]
pub enum GuardByKind {
    /// Only where `guard: true` is written.
    Never,
    /// Always.
    Always,
    /// Where its fields make it hold untouched.
    When {
        /// The condition, for help.
        doc: &'static str,
        /// The condition itself.
        holds: fn(&Fields) -> bool,
    },
}

impl GuardByKind {
    /// Whether a check with these fields is a guard by kind.
    #[must_use]
    pub fn applies(self, fields: &Fields) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::When { holds, .. } => holds(fields),
        }
    }
}

/// Every check kind, in the order in which help lists them.
pub const KINDS: &[CheckKind] = &[
    mcp_state::KIND,
    tool_called::KIND,
    final_text::KIND,
    no_tool_errors::KIND,
];

/// The kind of a name, if there is one.
#[must_use]
pub fn kind(name: &str) -> Option<&'static CheckKind> {
    KINDS.iter().find(|kind| kind.name == name)
}

#[cfg(test)]
mod tests {
    use super::super::COMMON_FIELDS;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_has_its_own_name_a_doc_and_fields_that_do_not_clash() {
        let names: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), KINDS.len());
        for row in KINDS {
            let fields: BTreeSet<&str> = row
                .fields
                .iter()
                .chain(COMMON_FIELDS)
                .map(|field| field.name)
                .collect();
            assert_eq!(
                fields.len(),
                row.fields.len() + COMMON_FIELDS.len(),
                "{}",
                row.name
            );
            assert!(
                !row.doc.is_empty() && !fields.contains("type"),
                "{}",
                row.name
            );
            assert!(kind(row.name).is_some());
        }
        assert!(kind("mcp_stat").is_none());
    }

    #[test]
    fn a_required_field_that_is_absent_is_named() {
        for row in KINDS {
            for field in row.fields.iter().filter(|field| field.required) {
                let mut fields = super::super::spec::tests::complete(row);
                fields = fields
                    .iter()
                    .filter(|(name, _)| name.as_str() != field.name)
                    .fold(Fields::default(), |mut kept, (name, value)| {
                        kept.set(name, value.clone());
                        kept
                    });
                let error = (row.build)(&fields).unwrap_err();
                assert_eq!(
                    (error.field, error.message.as_str()),
                    (field.name, "is missing")
                );
            }
        }
    }
}
