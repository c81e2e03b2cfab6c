//! A task that is known and has not been read: what the collector wrote beside its text, or what
//! stands at the margin of its file, is enough to list its cases.

use crate::domain::{Broken, CellId, Control, Script, TaskId};
use crate::pack::{Outline, outline};
use crate::registry::EmbeddedFile;
use crate::source::File;
use crate::task::Place;
use std::sync::Arc;

/// Up to so many files that no collector has read are read as a whole for a list, which takes a few
/// milliseconds: a mistake in one of them is then found before anything runs. In a larger pack it is
/// found when the run begins.
const READ_FOR_A_LIST: usize = 100;

/// How much of the packs is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading<'a> {
    /// All of it.
    Whole,
    /// What listing the cases takes: nothing of a task whose collector has read it already.
    ToList,
    /// The task of the case of this name, and of the others what finding it takes.
    ToRun(&'a str),
}

/// A task that has not been read. None of them is ignored.
#[derive(Debug, Clone, PartialEq)]
pub struct Sketch {
    /// Its id.
    pub id: TaskId,
    /// Where it is written.
    pub place: Place,
    /// What stands in a cell's place in its controls.
    pub controls: Arc<[CellId]>,
    /// The pass rate under which each of its cases is red, in [0.01, 1].
    pub min_pass_rate: Option<f64>,
}

/// Makes sketches, pack by pack. What tasks have in common they share.
pub(super) struct Sketcher<'a> {
    reading: Reading<'a>,
    pack: String,
    /// The task to run, where it is of this pack.
    read: Option<&'a str>,
    /// Whether the margins of files are looked at.
    outlines: bool,
    last: Option<TaskId>,
    controls: Option<(Alike, Arc<[CellId]>)>,
}

/// What decides which controls a task has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alike {
    /// What the collector wrote.
    Listed(&'static [&'static str]),
    /// Whether there is a solution, and whether there is a mistake; a second one has a name.
    Outlined(bool, bool),
}

impl<'a> Sketcher<'a> {
    pub(super) fn new(reading: Reading<'a>) -> Self {
        Self {
            reading,
            pack: String::new(),
            read: None,
            outlines: false,
            last: None,
            controls: None,
        }
    }

    /// Goes on with a pack of so many files.
    pub(super) fn begin(&mut self, pack: &str, files: usize) {
        pack.clone_into(&mut self.pack);
        self.outlines = match self.reading {
            Reading::Whole => false,
            Reading::ToList => files > READ_FOR_A_LIST,
            Reading::ToRun(_) => true,
        };
        self.read = match self.reading {
            Reading::ToRun(case) => task_within(pack, case),
            Reading::Whole | Reading::ToList => None,
        };
    }

    /// A file inside the executable; `None` when it has to be read.
    pub(super) fn embedded(&mut self, folder: &str, file: &EmbeddedFile) -> Option<Sketch> {
        let (name, text, facts) = *file;
        let path = || [folder, "/", name].concat();
        if self.reading == Reading::Whole {
            return None;
        }
        let Some((id, line, controls, min_pass_rate)) = facts else {
            return self.outlined(path, text);
        };
        let cells = || {
            controls
                .iter()
                .map(|cell| CellId::parse(cell).ok())
                .collect()
        };
        Some(Sketch {
            id: self.unread(id)?,
            place: Place { path: path(), line },
            controls: self.shared(Alike::Listed(controls), cells)?,
            min_pass_rate,
        })
    }

    /// A file of a folder; `None` when it has to be read.
    pub(super) fn file(&mut self, file: &File) -> Option<Sketch> {
        self.outlined(|| file.path().to_owned(), file.text())
    }

    fn outlined(&mut self, path: impl Fn() -> String, text: &str) -> Option<Sketch> {
        if !self.outlines {
            return None;
        }
        let outline = outline(text)?;
        let cells = || cells_of(&outline);
        let controls = match outline.broken.as_slice() {
            few @ ([] | [_]) => {
                self.shared(Alike::Outlined(outline.solved, !few.is_empty()), cells)
            }
            _ => cells(),
        };
        Some(Sketch {
            id: self.unread(outline.id)?,
            place: Place {
                path: path(),
                line: outline.line,
            },
            controls: controls?,
            min_pass_rate: outline.min_pass_rate,
        })
    }

    /// The id of a task that is not to be read.
    fn unread(&mut self, id: &str) -> Option<TaskId> {
        if self.read == Some(id) {
            return None;
        }
        let id = match self.last.as_ref().filter(|last| last.pack() == self.pack) {
            Some(last) => last.sibling(id),
            None => TaskId::new(&self.pack, id),
        };
        self.last = id.ok();
        self.last.clone()
    }

    fn shared(
        &mut self,
        alike: Alike,
        cells: impl FnOnce() -> Option<Arc<[CellId]>>,
    ) -> Option<Arc<[CellId]>> {
        match &self.controls {
            Some((last, controls)) if *last == alike => Some(Arc::clone(controls)),
            _ => {
                let controls = cells()?;
                self.controls = Some((alike, Arc::clone(&controls)));
                Some(controls)
            }
        }
    }
}

/// The task of a case that is called `pack::task::cell`, where it is of this pack.
fn task_within<'c>(pack: &str, case: &'c str) -> Option<&'c str> {
    let rest = case.strip_prefix(pack)?.strip_prefix("::")?;
    rest.split_once("::").map(|(task, _)| task)
}

fn cells_of(outline: &Outline<'_>) -> Option<Arc<[CellId]>> {
    let script = Script::default();
    let mistake = |name: &Option<&str>| Broken {
        name: name.map(ToOwned::to_owned),
        script: Script::default(),
    };
    let broken: Vec<_> = outline.broken.iter().map(mistake).collect();
    let controls = Control::of_task(outline.solved.then_some(&script), &broken);
    let cells = controls.iter().map(|(control, _)| control.cell().ok());
    cells.collect()
}
