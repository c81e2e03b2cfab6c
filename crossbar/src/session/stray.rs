//! Variables that look like ours and are read by nobody: a misspelt ceiling is no ceiling.

use super::options::ENVIRONMENT;
use crate::source::closest;

/// What all of ours begin with.
const OURS: &str = "CROSSBAR_";

/// Names that crossbar gives to children or fills in, and the one of the examples, besides those
/// that a run reads.
const GIVEN: [&str; 5] = ["BIN", "PYTHON", "WORKSPACE", "ROLLOUT", "REAL_CACHE"];

/// One line for each of the names that begins as ours do and means nothing, with the one that was
/// probably meant.
pub fn stray_variables(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let read = ENVIRONMENT.iter();
    let read: Vec<&str> = read
        .filter_map(|(name, _)| name.strip_prefix(OURS))
        .collect();
    let mut strays: Vec<String> = names.into_iter().collect();
    strays.retain(|name| {
        let own = name.strip_prefix(OURS);
        own.is_some_and(|own| !read.contains(&own) && !GIVEN.contains(&own))
    });
    strays.sort();
    let line = |name: &String| {
        let own = &name[OURS.len()..];
        let begins = read
            .iter()
            .find(|one| !own.is_empty() && one.starts_with(own));
        let meant = begins
            .copied()
            .or_else(|| closest(own, read.iter().copied()));
        let help = match meant {
            Some(meant) => format!("did you mean {OURS}{meant}?"),
            None => "crossbar doctor lists those that are read".to_owned(),
        };
        format!("warning: nothing reads the variable {name}\nhelp: {help}")
    };
    strays.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(names: &[&str]) -> Vec<String> {
        stray_variables(names.iter().map(|name| (*name).to_owned()))
    }

    #[test]
    fn a_misspelt_variable_is_told_with_the_one_that_was_meant() {
        let found = said(&["CROSSBAR_REPEAT", "CROSSBAR_BUDGET", "CROSSBAR_FOO", "HOME"]);
        assert_eq!(
            found,
            [
                "warning: nothing reads the variable CROSSBAR_BUDGET\nhelp: did you mean CROSSBAR_BUDGET_USD?",
                "warning: nothing reads the variable CROSSBAR_FOO\nhelp: crossbar doctor lists those that are read",
                "warning: nothing reads the variable CROSSBAR_REPEAT\nhelp: did you mean CROSSBAR_REPEATS?",
            ]
        );
        assert!(said(&["CROSSBAR_BIN", "CROSSBAR_ROLLOUT", "CROSSBAR_LIVE"]).is_empty());
    }

    #[test]
    fn every_variable_that_is_read_or_given_is_known() {
        let names = ENVIRONMENT.iter().map(|(name, _)| *name);
        assert!(said(&names.collect::<Vec<_>>()).is_empty());
    }
}
