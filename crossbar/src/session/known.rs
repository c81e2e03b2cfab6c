//! What can stand in the name of a case, where the roster or a pack can't be read: whoever asks for
//! another binary's test is not stopped by what is wrong here.

use super::load::{Brought, read};
use super::{RunOptions, locate};
use crate::pack::{outline, packs_of};
use crate::registry::{embedded_packs, gather};
use std::path::Path;

/// Parts of the names of controls that stand in no file.
const WORDS: &str = "control noop solution broken 0123456789";

/// Whether a filter could mean a case: each word of it, between the signs that join the parts of a
/// name, is part of an id that is known, or stands somewhere in a text whose ids are not known. In
/// doubt it could.
#[must_use]
pub fn could_mean(filter: &str, options: &RunOptions, brought: &Brought<'_>) -> bool {
    let Some(known) = known(options, brought) else {
        return true;
    };
    let mut words = filter.split("::").flat_map(|part| part.split('+'));
    words.all(|word| known.iter().any(|text| text.contains(word)))
}

/// Ids, and texts that hold ids; `None` where nothing can be known.
fn known(options: &RunOptions, brought: &Brought<'_>) -> Option<Vec<String>> {
    let mut known = vec![WORDS.to_owned()];
    let coded = gather().ok()?.into_iter();
    known.extend(coded.map(|one| one.task.id.to_string()));
    for pack in embedded_packs() {
        known.push(pack.id);
        let id = |(_, text, facts): &(_, &str, Option<(&'static str, _, _, _)>)| match facts {
            Some((id, ..)) => (*id).to_owned(),
            None => outlined(text),
        };
        known.extend(pack.files.iter().map(id));
    }
    let roster = locate::roster(options.config.as_deref(), brought.from);
    let folders = match &roster {
        Ok(path) => {
            let file = read(path, brought.from).ok()?;
            known.push(file.text().to_owned());
            let root = path.parent()?;
            match packs_of(&file) {
                Some(named) => named.iter().map(|name| root.join(name)).collect(),
                // The folders stand somewhere in a text that can't be read.
                None if file.text().contains("packs:") => return None,
                None => locate::pack_folders(root).ok()?,
            }
        }
        Err(_) => locate::pack_folders(brought.from).ok()?,
    };
    for folder in folders {
        known.push(locate::name_of(&folder.canonicalize().ok()?));
        known.extend(tasks(&folder)?);
    }
    Some(known)
}

fn tasks(folder: &Path) -> Option<Vec<String>> {
    let paths = std::fs::read_dir(folder).ok()?.flatten();
    let paths = paths.map(|entry| entry.path());
    let tasks = paths.filter(|path| locate::name_of(path).ends_with(".task.yaml"));
    let text = |path| std::fs::read_to_string(path).ok();
    tasks.map(|path| Some(outlined(&text(path)?))).collect()
}

/// The id of a task file, or its text where that does not tell it quickly.
fn outlined(text: &str) -> String {
    outline(text).map_or_else(|| text.to_owned(), |one| one.id.to_owned())
}
