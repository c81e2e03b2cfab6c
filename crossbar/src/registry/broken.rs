//! The mistakes in Rust, task by task.

use super::gather::{Collected, at};
use super::{BrokenDefinition, RegistryError};
use crate::domain::{Control, TaskId};
use std::collections::BTreeMap;

/// A task's mistakes by their names, each with its place.
pub(super) type Mistakes = BTreeMap<String, (&'static BrokenDefinition, String)>;

/// The mistakes of every task.
///
/// # Errors
/// A name that is no name of a control; two mistakes of one name.
pub(super) fn by_task(collected: &Collected) -> Result<BTreeMap<TaskId, Mistakes>, RegistryError> {
    let mut found: BTreeMap<TaskId, Mistakes> = BTreeMap::new();
    for broken in &collected.broken {
        let by = &broken.script;
        let id = collected.id_of(&by.task, by.id)?;
        let (name, place) = (broken.name.to_owned(), at(by.file, by.line));
        let control = Control::Broken {
            name: Some(name.clone()),
        };
        control.cell().map_err(|source| RegistryError::Id {
            place: place.clone(),
            source,
        })?;
        let of_task = found.entry(id.clone()).or_default();
        if let Some((_, first)) = of_task.insert(name.clone(), (broken, place.clone())) {
            return Err(RegistryError::SameBroken {
                id,
                name,
                first,
                second: place,
            });
        }
    }
    Ok(found)
}
