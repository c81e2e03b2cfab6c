//! Task packs inside the executable: what the collecting macros submit.

use std::path::{Path, PathBuf};

/// A pack as a collector writes it: the mark of its folder, its folder from the package on, its
/// `pack.yaml`, and its task files. It is made of tuples, so that what a build script writes names
/// nothing of this crate.
pub type EmbeddedPack = (
    &'static str,
    &'static str,
    Option<&'static str>,
    &'static [EmbeddedFile],
);

/// A task file as a collector writes it: its name, its text, and what a collector that has read it
/// knows.
pub type EmbeddedFile = (&'static str, &'static str, Option<EmbeddedFacts>);

/// The id within the pack, the line that it stands in, what stands in a cell's place in its
/// controls, and its `min_pass_rate`: what listing the cases takes.
pub type EmbeddedFacts = (&'static str, u32, &'static [&'static str], Option<f64>);

/// What one use of a collecting macro submits.
pub struct EmbeddedPacks {
    /// The package that uses it.
    pub package: &'static str,
    /// That package's folder when it was built.
    pub manifest_dir: &'static str,
    /// The source file that uses it.
    pub file: &'static str,
    /// The packs.
    pub packs: &'static [EmbeddedPack],
}

inventory::collect!(EmbeddedPacks);

/// A pack inside this executable.
#[derive(Debug, Clone, PartialEq)]
pub struct PackInBinary {
    /// The package that it belongs to.
    pub package: &'static str,
    /// That package's folder when it was built.
    pub manifest_dir: PathBuf,
    /// The source file whose macro brought it in.
    pub file: &'static str,
    /// Its id: the name of its folder when it was built.
    pub id: String,
    /// Its folder, from the package on.
    pub folder: &'static str,
    /// The text of its `pack.yaml`.
    pub about: Option<&'static str>,
    /// The task files, sorted by name.
    pub files: Vec<EmbeddedFile>,
}

/// The packs inside this executable, sorted by package and folder.
#[must_use]
pub fn embedded_packs() -> Vec<PackInBinary> {
    let mut packs: Vec<PackInBinary> = inventory::iter::<EmbeddedPacks>
        .into_iter()
        .flat_map(|one| one.packs.iter().map(|pack| in_binary(one, pack)))
        .collect();
    packs.sort_by_key(|pack| (pack.package, pack.folder));
    packs
}

fn in_binary(packs: &EmbeddedPacks, pack: &EmbeddedPack) -> PackInBinary {
    let (mark, folder, about, files) = *pack;
    // it is looked for in the executable from outside, so it has to stay there
    let mark = std::hint::black_box(mark);
    let built = mark.split_once(':').map_or(mark, |(_, folder)| folder);
    let id = Path::new(built.trim_end_matches('\u{3}')).file_name();
    let mut files = files.to_vec();
    files.sort_by_key(|(name, ..)| *name);
    PackInBinary {
        package: packs.package,
        manifest_dir: PathBuf::from(packs.manifest_dir),
        file: packs.file,
        id: id.unwrap_or_default().to_string_lossy().into_owned(),
        folder,
        about,
        files,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_is_called_as_when_it_was_built_and_its_files_are_sorted() {
        let packs = EmbeddedPacks {
            package: "shop",
            manifest_dir: "/w/shop",
            file: "tests/agents.rs",
            packs: &[],
        };
        let pack = (
            "\u{2}mark:/w/c:/desk\u{3}",
            "link",
            None,
            &[("b.task.yaml", "b", None), ("a.task.yaml", "a", None)][..],
        );
        let read = in_binary(&packs, &pack);
        assert_eq!((read.id.as_str(), read.folder), ("desk", "link"));
        let names: Vec<_> = read.files.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names, ["a.task.yaml", "b.task.yaml"]);
    }
}
