//! The verdict as one more case under nextest, for those who ask for it with a variable. Under
//! cargo test the binary gives the verdict by itself.

use super::arguments::{Asked, Ignored};

/// The case's name: nextest sorts names, and it comes last.
pub(super) const NAME: &str = "zz_verdict";

/// Whether there is such a case.
///
/// # Errors
/// What is wrong with the variable, as `error:` and `help:` lines.
pub(super) fn is_there(lookup: &dyn Fn(&str) -> Option<String>) -> Result<bool, String> {
    match lookup("CROSSBAR_VERDICT_CASE").as_deref() {
        None | Some("" | "0") => Ok(false),
        Some("1") => Ok(lookup("NEXTEST_RUN_ID").is_some()),
        Some(other) => Err(format!(
            "error: CROSSBAR_VERDICT_CASE is `{other}`\n\
             help: set it to 1 for the case {NAME} under nextest, to 0 or nothing for none"
        )),
    }
}

/// Whether the command line leaves it in.
pub(super) fn is_listed(asked: &Asked) -> bool {
    asked.wants(NAME, Ignored::No) && !asked.flags.bench
}

/// Whether it is the one case to run.
pub(super) fn is_asked(asked: &Asked) -> bool {
    asked.flags.exact && asked.filters == [NAME]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_there_under_nextest_alone_and_only_when_asked_for() {
        let of = |pairs: &'static [(&str, &str)]| {
            is_there(&move |name| {
                let found = pairs.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(of(&[("NEXTEST_RUN_ID", "n")]), Ok(false));
        assert_eq!(of(&[("CROSSBAR_VERDICT_CASE", "1")]), Ok(false));
        let both = [("CROSSBAR_VERDICT_CASE", "1"), ("NEXTEST_RUN_ID", "n")];
        assert_eq!(of(Box::leak(Box::new(both))), Ok(true));
        assert!(of(&[("CROSSBAR_VERDICT_CASE", "yes")]).is_err());
    }
}
