//! The skills that programs bring along themselves: whether every arm has the same of them, so that
//! the skill under test is all that differs.

use super::Frozen;
use crate::domain::CellId;
use serde_json::Value;
use std::collections::BTreeSet;

/// A line for all cells whose program says which skills it has, or one for each that has others than
/// the baseline's; none where fewer than two say so.
pub(super) fn lines(frozen: &Frozen<'_>, baseline: &CellId) -> Vec<String> {
    let cells = frozen.analysis.cells.iter().map(|cell| &cell.id);
    let cells = cells.filter_map(|id| Some((id, own(frozen, id)?)));
    let cells: Vec<(&CellId, BTreeSet<String>)> = cells.collect();
    let base = cells.iter().find(|(id, _)| *id == baseline);
    let Some((_, base)) = base.filter(|_| cells.len() > 1) else {
        return Vec::new();
    };
    let differing = cells.iter().filter(|(_, own)| own != base);
    let lines: Vec<String> = differing
        .map(|(id, own)| {
            let more = named("also has", own.difference(base));
            let less = named("lacks", base.difference(own));
            let what: Vec<String> = more.into_iter().chain(less).collect();
            format!(
                "{id}: of its own the program {}, by the first measured rollout of each.",
                what.join(" and ")
            )
        })
        .collect();
    match lines.is_empty() {
        true => vec![format!(
            "Besides those, the program has the same {} skills of its own in each of these cells, by \
             the first measured rollout of each.",
            base.len()
        )],
        false => lines,
    }
}

fn named<'s>(what: &str, names: impl Iterator<Item = &'s String>) -> Option<String> {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("{what} {}", names.join(", ")))
}

/// What the program of a cell said in its first measured rollout, without what the cell gave it. `None` where
/// its program does not say which it has.
fn own(frozen: &Frozen<'_>, id: &CellId) -> Option<BTreeSet<String>> {
    let meta = frozen.meta.cells.iter().find(|meta| meta.cell == *id)?;
    meta.configuration.pointer("/harness/program")?;
    let given = meta.configuration.pointer("/harness/skills");
    let given = given.and_then(Value::as_object);
    let mut rows = frozen.rows.iter();
    let row = rows.find(|row| row.key.cell == *id && row.outcome.is_measured())?;
    let record = frozen.records.record(&row.key).ok()?;
    let said = record.trajectory.agent?.skills?.into_iter();
    let is_own = |name: &String| !given.is_some_and(|given| given.contains_key(name));
    Some(said.filter(is_own).collect())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, flat, sweep};
    use crate::domain::AgentRun;
    use serde_json::json;

    /// A sweep in which each cell has been given `mine`, and its program says that it has these.
    fn said(each: [&[&str]; 3]) -> Sweep {
        let mut arms = sweep();
        let parts = json!({"harness": {"program": "p@1", "skills": {"mine": {}}}});
        for (meta, names) in arms.meta.cells.iter_mut().zip(each) {
            meta.configuration = parts.clone();
            let rollouts = arms.rollouts.iter_mut();
            for rollout in rollouts.filter(|rollout| rollout.key.cell == meta.cell) {
                let names = names.iter().map(|name| (*name).to_owned());
                rollout.trajectory.agent = Some(Box::new(AgentRun {
                    skills: Some(names.collect()),
                    ..AgentRun::default()
                }));
            }
        }
        arms
    }

    #[test]
    fn a_skill_that_one_arm_alone_brings_along_is_named() {
        let same = flat(&said([&["loop"], &["mine", "loop"], &["loop"]]).output("markdown"));
        assert!(
            same.contains("the same 1 skills of its own in each"),
            "{same}"
        );
        let arms = said([&["loop"], &["loop", "debug"], &["mine"]]);
        let (more, less) = (&arms.meta.cells[1].cell, &arms.meta.cells[2].cell);
        let text = flat(&arms.output("markdown"));
        for line in [
            format!("{more}: of its own the program also has `debug`"),
            format!("{less}: of its own the program lacks `loop`"),
        ] {
            assert!(text.contains(&line), "{line}\n{text}");
        }
        assert!(!text.contains("skills of its own in each"), "{text}");
    }
}
