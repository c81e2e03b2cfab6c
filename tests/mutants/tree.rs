//! A copy of the workspace, in which the mutants are written.

use crate::Done;
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;

/// Copies what git knows of, in its present state, but what will be `written` here otherwise. What is
/// the same already is left alone, so that a second build has little to do.
///
/// # Errors
///
/// This is no clone, or a file can't be copied.
pub fn copy(root: &Path, to: &Path, written: &BTreeSet<String>) -> Done<()> {
    for name in names(root)?.difference(written) {
        if root.join(name).is_file() {
            put(&to.join(name), &fs::read(root.join(name))?)?;
        }
    }
    Ok(())
}

/// A name of the code and the tests as they are now, pages left out. What was found out of one state
/// says nothing about another.
///
/// # Errors
///
/// This is no clone, or a file can't be read.
pub fn state(root: &Path) -> Done<String> {
    let mut hasher = DefaultHasher::new();
    for name in names(root)?.iter().filter(|name| !name.ends_with(".md")) {
        let path = root.join(name);
        if path.is_file() {
            (name, fs::read(path)?).hash(&mut hasher);
        }
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn names(root: &Path) -> Done<BTreeSet<String>> {
    let listed = Command::new("git")
        .current_dir(root)
        .args(["ls-files", "-z"])
        .output()?;
    let listed = String::from_utf8(listed.stdout)?;
    Ok(listed.split_terminator('\0').map(str::to_owned).collect())
}

/// Writes a file where it is not the same already.
///
/// # Errors
///
/// It can't be written.
pub fn put(path: &Path, content: &[u8]) -> Done<()> {
    if fs::read(path).is_ok_and(|there| there == content) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, content)?)
}

/// The switch that all mutants ask: which of them is on, and, once for each place, that it was
/// reached. `places` is above every number.
pub fn switch(places: usize) -> String {
    format!(
        r#"
/// Which mutant is on.
#[doc(hidden)]
pub mod mutant_switch {{
    use std::io::Write;
    use std::sync::LazyLock;
    use std::sync::atomic::{{AtomicBool, Ordering}};

    static ON: LazyLock<u32> = LazyLock::new(|| {{
        let on = std::env::var("CROSSBAR_SUITES_MUTANT").ok();
        on.and_then(|on| on.parse().ok()).unwrap_or(0)
    }});
    static REACHED: LazyLock<Option<String>> =
        LazyLock::new(|| std::env::var("CROSSBAR_SUITES_REACHED").ok());
    static SEEN: [AtomicBool; {places}] = [const {{ AtomicBool::new(false) }}; {places}];

    /// The number of the mutant that is on.
    pub fn at(place: u32) -> u32 {{
        let seen = &SEEN[place as usize];
        if !seen.load(Ordering::Relaxed) && !seen.swap(true, Ordering::Relaxed) {{
            note(place);
        }}
        *ON
    }}

    #[cold]
    fn note(place: u32) {{
        let Some(path) = &*REACHED else {{ return }};
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        if let Ok(mut file) = file {{
            let _ = file.write_all(format!("{{place}}\n").as_bytes());
        }}
    }}
}}
"#
    )
}
