//! Where a program is, without starting it.

use std::path::{Path, PathBuf};

/// The file that starting `program` would run: a path leads there from `from`, a bare name is looked
/// up in the folders of `path`, which are separated as PATH's are. `None` when there is no such
/// file, or it can't be executed.
#[must_use]
pub fn on_path(program: &str, path: &str, from: &Path) -> Option<PathBuf> {
    if program.is_empty() {
        return None;
    }
    if Path::new(program).components().count() > 1 {
        return Some(from.join(program)).filter(|file| is_program(file));
    }
    let folders = std::env::split_paths(path);
    let mut files = folders.map(|folder| from.join(folder).join(program));
    files.find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let found = file.metadata();
    found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file() || file.with_extension("exe").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    #[cfg(unix)]
    fn a_name_is_looked_up_and_a_path_is_followed() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        for folder in ["one", "two"] {
            fs::create_dir(root.path().join(folder)).unwrap();
        }
        let (one, two) = (root.path().join("one"), root.path().join("two"));
        fs::write(one.join("npx"), "").unwrap();
        fs::write(two.join("npx"), "").unwrap();
        fs::set_permissions(two.join("npx"), fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", one.display(), two.display());
        let found = |program: &str, path: &str| on_path(program, path, root.path());
        assert_eq!(found("npx", &path), Some(two.join("npx")), "one is a text");
        assert_eq!(found("npx", "one:two"), Some(two.join("npx")));
        assert_eq!(found("npx", &one.to_string_lossy()), None);
        assert_eq!(found("two/npx", ""), Some(two.join("npx")));
        for nothing in ["", "two", "one/npx", "three/npx"] {
            assert_eq!(found(nothing, &path), None, "{nothing}");
        }
    }
}
