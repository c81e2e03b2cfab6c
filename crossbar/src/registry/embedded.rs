//! Task packs inside the executable: what the collecting macros submit.

use std::path::PathBuf;

/// A pack as a collector writes it: the mark of its folder, its folder from the package on, its
/// `pack.yaml`, and its task files by name. It is a tuple of texts, so that what a build script
/// writes names nothing of this crate.
pub type EmbeddedPack = (
    &'static str,
    &'static str,
    Option<&'static str>,
    &'static [(&'static str, &'static str)],
);

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackInBinary {
    /// The package that it belongs to.
    pub package: &'static str,
    /// That package's folder when it was built.
    pub manifest_dir: PathBuf,
    /// The source file whose macro brought it in.
    pub file: &'static str,
    /// Its folder, from the package on.
    pub folder: &'static str,
    /// The text of its `pack.yaml`.
    pub about: Option<&'static str>,
    /// Name and text of each task file, sorted by name.
    pub files: Vec<(&'static str, &'static str)>,
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
    std::hint::black_box(mark);
    let mut files = files.to_vec();
    files.sort_by_key(|(name, _)| *name);
    PackInBinary {
        package: packs.package,
        manifest_dir: PathBuf::from(packs.manifest_dir),
        file: packs.file,
        folder,
        about,
        files,
    }
}
