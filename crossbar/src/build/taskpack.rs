//! The call in a build script.

use super::collect::{self, Collected};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What earlier calls of this build script collected: all of it goes into one file.
static COLLECTED: Mutex<Vec<Collected>> = Mutex::new(Vec::new());

/// Collects the task pack in `folder`, a path from the package on. Call it in `build.rs`, once for
/// each pack, and write `crossbar::include_taskpack!();` in the test target.
///
/// Every problem of every file fails the build with a line `path:line:column: ..`. Adding, editing
/// and deleting a file of the folder builds again. Variables in the files are filled in when the
/// tests run, so an unset one is no problem here.
///
/// Outside of a build script it has nothing to write to and fails the same way.
pub fn taskpack(folder: impl AsRef<Path>) {
    let folder = folder.as_ref();
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let (Some(package), Some(out)) = (variable("CARGO_MANIFEST_DIR"), variable("OUT_DIR")) else {
        println!("cargo::error=crossbar::build::taskpack is for build scripts");
        return;
    };
    let found = collect::collect(&package, folder);
    for path in &found.watched {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    for line in &found.warnings {
        println!("cargo::warning={line}");
    }
    for line in &found.errors {
        println!("cargo::error={line}");
    }
    let mut all = COLLECTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pack) = found.pack {
        let first = all.iter().find(|one| one.id() == pack.id());
        if let Some(first) = first {
            println!(
                "cargo::error={}: a pack of this name is collected already: {}",
                pack.folder, first.folder
            );
        }
        all.push(pack);
    }
    if let Err(error) = std::fs::write(out.join("crossbar-packs.rs"), source(&all)) {
        println!("cargo::error=failed to write to {}: {error}", out.display());
    }
}

/// The packs as an expression of Rust: tuples of texts, as the registry takes them.
fn source(packs: &[Collected]) -> String {
    let mut text = String::from("&[\n");
    for pack in packs {
        // The mark is what `crossbar run` finds the folder by. It is put together here, so that an
        // executable with this code in it does not carry one.
        let mark = [
            "\u{2}crossbar",
            "-pack:",
            &pack.identity.to_string_lossy(),
            "\u{3}",
        ]
        .concat();
        let _ = writeln!(text, "({mark:?}, {:?}, {:?}, &[", pack.folder, pack.about);
        for task in &pack.files {
            let facts = format!(
                "({:?}, {}, &{:?}, {:?})",
                task.id, task.line, task.controls, task.min_pass_rate
            );
            let facts = match task.unmet.is_empty() {
                true => format!("Some({facts})"),
                false => "None".to_owned(),
            };
            let _ = writeln!(text, "({:?}, {:?}, {facts}),", task.name, task.text);
        }
        text.push_str("]),\n");
    }
    text.push(']');
    text
}

#[cfg(test)]
mod tests {
    use super::super::collect::TaskText;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn what_is_written_is_an_expression_with_every_text_in_it() {
        let pack = Collected {
            folder: "packs/desk".to_owned(),
            identity: PathBuf::from("/w/packs/desk"),
            about: Some("name: \"Desk\"\n".to_owned()),
            files: vec![TaskText {
                name: "a.task.yaml".to_owned(),
                text: "id: a # \u{1F600}\\\n".to_owned(),
                id: "a".to_owned(),
                line: 1,
                controls: vec!["control+noop".to_owned()],
                min_pass_rate: Some(0.5),
                unmet: BTreeSet::new(),
            }],
        };
        let text = source(&[pack]);
        assert_eq!(
            text,
            "&[\n(\"\\u{2}crossbar-pack:/w/packs/desk\\u{3}\", \"packs/desk\", \
             Some(\"name: \\\"Desk\\\"\\n\"), &[\n(\"a.task.yaml\", \"id: a # \u{1F600}\\\\\\n\", \
             Some((\"a\", 1, &[\"control+noop\"], Some(0.5)))),\n]),\n]"
        );
        assert_eq!(source(&[]), "&[\n]");
    }

    #[test]
    fn a_task_that_cannot_run_is_left_to_whoever_lists_it() {
        let pack = Collected {
            folder: "desk".to_owned(),
            identity: PathBuf::from("/w/desk"),
            about: None,
            files: vec![TaskText {
                name: "a.task.yaml".to_owned(),
                text: "id: a".to_owned(),
                id: "a".to_owned(),
                line: 1,
                controls: Vec::new(),
                min_pass_rate: None,
                unmet: [crate::domain::Unmet::Container].into(),
            }],
        };
        assert!(source(&[pack]).contains("(\"a.task.yaml\", \"id: a\", None),"));
    }
}
