//! The floors that tasks declare.

use super::{Loaded, SessionError, Sketch};
use crate::analysis::Floor;
use crate::domain::TaskId;
use crate::sweep::TaskEntry;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The floors of the tasks, each for all their cases. All cases of a sweep that have one share its
/// error, and one that the repeats can never show to be missed would be a promise that nothing
/// keeps.
pub(super) fn floors(
    loaded: &Loaded,
    tasks: &[Arc<TaskEntry>],
    cells: usize,
    repeats: u32,
) -> Result<BTreeMap<TaskId, Floor>, SessionError> {
    let read = tasks.iter().map(|entry| &entry.task);
    let read = read.map(|task| (&task.id, &task.place, task.min_pass_rate));
    let unread = loaded.sketches.iter();
    let unread = unread.map(|one: &Sketch| (&one.id, &one.place, one.min_pass_rate));
    let declared = read.chain(unread);
    let declared = declared.filter_map(|(id, place, rate)| Some((id, place, rate?)));
    let declared: Vec<_> = declared.collect();
    let (alpha, floors) = (loaded.roster.gate.alpha, declared.len() * cells);
    let (mut found, mut errors) = (BTreeMap::new(), Vec::new());
    for (id, place, rate) in declared {
        let floor = Floor::new(rate, alpha, floors);
        let needed = floor.repeats_needed();
        if cells > 0 && needed > u64::from(repeats) {
            errors.push(format!(
                "error: `min_pass_rate` {rate} of `{id}` can never be missed for sure in {repeats} \
                 repeats, shared by {floors} cases\n  --> {place}\nhelp: {needed} repeats are \
                 needed: raise run.repeats, or the rate"
            ));
        }
        found.insert(id.clone(), floor);
    }
    if errors.is_empty() {
        Ok(found)
    } else {
        Err(SessionError::rendered(errors.join("\n")))
    }
}
