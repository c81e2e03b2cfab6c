//! A task that is known and has not been read: what the collector wrote beside its text, which is
//! enough to list its cases.

use super::packs::Held;
use crate::domain::{CellId, TaskId};
use crate::registry::EmbeddedFile;
use crate::task::Place;

/// How much of a pack inside the executable is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// All of it.
    Whole,
    /// What listing the cases takes: nothing of a task whose collector has read it already.
    ToList,
}

/// A task that has not been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sketch {
    /// Its id.
    pub id: TaskId,
    /// Where it is written.
    pub place: Place,
    /// What stands in a cell's place in its controls.
    pub controls: Vec<CellId>,
}

/// All tasks of a pack, unread; `None` when one of them has to be read to be known.
pub(super) fn of_pack(held: &Held) -> Option<Vec<Sketch>> {
    held.pack
        .files
        .iter()
        .map(|file| sketch(held, file))
        .collect()
}

fn sketch(held: &Held, file: &EmbeddedFile) -> Option<Sketch> {
    let (name, _, facts) = file;
    let (id, line, controls) = (*facts)?;
    let controls = controls.iter().map(|cell| CellId::parse(cell));
    Some(Sketch {
        id: TaskId::new(&held.pack.id, id).ok()?,
        place: Place {
            path: format!("{}/{name}", held.pack.folder),
            line,
        },
        controls: controls.collect::<Result<_, _>>().ok()?,
    })
}
