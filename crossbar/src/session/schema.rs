//! The schemas of the files for editors, and of what commands print for programs, with the kinds that this build has.

use crate::pack::{RosterContext, pack_schema, roster_schema, task_schema};
use crate::{harness, provider};

/// The files that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaOf {
    /// `*.task.yaml`.
    Task,
    /// `crossbar.yaml`.
    Roster,
    /// `pack.yaml`.
    Pack,
    /// What `analyze --json` prints.
    #[cfg(feature = "import")]
    Analyze,
}

/// The JSON Schema (draft 2020-12) of a file, as indented text.
#[must_use]
pub fn schema(of: SchemaOf) -> String {
    let schema = match of {
        SchemaOf::Task => task_schema(),
        SchemaOf::Pack => pack_schema(),
        #[cfg(feature = "import")]
        SchemaOf::Analyze => crate::report::imported_schema(),
        SchemaOf::Roster => roster_schema(&RosterContext {
            providers: provider::KINDS,
            harnesses: harness::KINDS,
            places: harness::PLACES,
            behind_feature: &super::load::behind_feature,
        }),
    };
    format!("{schema:#}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::NAMED_INTERVALS;
    use serde_json::{Value, json};

    #[test]
    fn a_roster_takes_the_intervals_that_the_analysis_knows() {
        let schema: Value = serde_json::from_str(&schema(SchemaOf::Roster)).unwrap();
        let words = &schema["properties"]["stats"]["properties"]["ci"]["enum"];
        let known: Vec<_> = NAMED_INTERVALS.iter().map(|method| method.word).collect();
        assert_eq!(*words, json!(known), "{schema}");
    }
}
