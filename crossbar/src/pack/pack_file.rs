//! A task pack: its folder's name, its optional `pack.yaml`, and its tasks.

use super::names;
use crate::source::{Fields, File, Key, Problems, Section, Shape, Span, parse};
use crate::task::{Task, TaskPack, pack_problems};

/// Makes a pack of the tasks of a folder. `folder_name` is the last part of the folder's path and
/// the pack's id; `pack_yaml` is its `pack.yaml`, where it has one. `None` after adding an error:
/// besides those of `pack.yaml`, a folder name that is no id, a folder without a task, and ids
/// that are equal but for case (the message names both places).
pub fn read_pack(
    pack_yaml: Option<&File>,
    folder_name: &str,
    tasks: Vec<Task>,
    problems: &Problems,
) -> Option<TaskPack> {
    let about = pack_yaml
        .map(|file| about(file, problems))
        .unwrap_or_default();
    if !names::is_id(folder_name) {
        problems.error_help(
            Span::START,
            format!("folder name `{folder_name}` is no pack id"),
            "rename the folder: use A-Z a-z 0-9 _ . -",
        );
    }
    let pack = TaskPack {
        id: folder_name.to_owned(),
        name: about.name.unwrap_or_else(|| folder_name.to_owned()),
        description: about.description,
        tasks,
    };
    let packs = [pack];
    for problem in pack_problems(&packs) {
        // the place in the text, where it has one, is another file than this one
        problems.error(Span::START, problem.to_string());
    }
    let [pack] = packs;
    (!problems.has_errors()).then_some(pack)
}

/// The keys of `pack.yaml`.
pub(super) const PACK: Section = Section {
    what: "a pack",
    keys: &[
        Key::optional(
            "name",
            Shape::Filled,
            "for people (default: the folder's name)",
        ),
        Key::optional("description", Shape::Filled, "what the pack is about"),
    ],
};

/// Adds what is wrong with a `pack.yaml` by itself.
pub(super) fn check(file: &File, problems: &Problems) {
    about(file, problems);
}

/// What `pack.yaml` says.
#[derive(Default)]
struct About {
    name: Option<String>,
    description: Option<String>,
}

fn about(file: &File, problems: &Problems) -> About {
    let Some(tree) = parse(file, problems) else {
        return About::default();
    };
    let Some(fields) = Fields::of(&tree, &PACK, problems) else {
        return About::default();
    };
    let about = About {
        name: names::filled(&fields.key("name")),
        description: names::filled(&fields.key("description")),
    };
    fields.finish();
    about
}

#[cfg(test)]
mod tests;
