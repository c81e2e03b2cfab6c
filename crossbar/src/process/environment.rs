//! Which of our environment variables a child may see.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// What a program needs to find its home, its language and its helpers. A list of what is allowed,
/// since a list of secrets to remove always misses a vendor.
const ALLOWED: [&str; 7] = ["PATH", "HOME", "TERM", "LANG", "TMPDIR", "USER", "SHELL"];

/// What Windows programs cannot start without, and their counterparts of `HOME` and `TMPDIR`.
const ALLOWED_ON_WINDOWS: [&str; 12] = [
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "TEMP",
    "TMP",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "USERPROFILE",
    "USERNAME",
];

/// The part of our environment that every child gets: what it is given unless its spec says
/// otherwise, name by name.
#[must_use]
pub fn inherited() -> BTreeMap<String, String> {
    environment(std::env::vars_os(), &BTreeMap::new())
        .into_iter()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The child's whole environment: the allowed part of `ours`, then `declared` on top of it.
pub(super) fn environment(
    ours: impl Iterator<Item = (OsString, OsString)>,
    declared: &BTreeMap<String, String>,
) -> BTreeMap<OsString, OsString> {
    let mut all: BTreeMap<OsString, OsString> = ours.filter(|(name, _)| allowed(name)).collect();
    for (name, value) in declared {
        all.insert(name.into(), value.into());
    }
    all
}

fn allowed(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    if cfg!(windows) {
        // Names differ only by case there: `Path`, `SystemRoot`.
        let name = name.to_ascii_uppercase();
        return ALLOWED.contains(&name.as_str()) || ALLOWED_ON_WINDOWS.contains(&name.as_str());
    }
    ALLOWED.contains(&name) || name.starts_with("LC_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_here_and_path_and_declared_variables_go() {
        let ours = [
            "PATH",
            "HOME",
            "LC_ALL",
            "OPENAI_API_KEY",
            "AWS_SECRET_ACCESS_KEY",
            "LD_PRELOAD",
            "GIT_DIR",
        ]
        .map(|name| (OsString::from(name), OsString::from("ours")));
        let declared = BTreeMap::from([
            ("DB".to_owned(), "x".to_owned()),
            ("HOME".to_owned(), "/tmp/h".to_owned()),
        ]);
        let all = environment(ours.into_iter(), &declared);
        let seen: Vec<(&str, &str)> = all
            .iter()
            .map(|(k, v)| (k.to_str().unwrap(), v.to_str().unwrap()))
            .collect();
        assert_eq!(
            seen,
            [
                ("DB", "x"),
                ("HOME", "/tmp/h"),
                ("LC_ALL", "ours"),
                ("PATH", "ours")
            ]
        );
    }
}
