//! What the demo's mocks do with a seed, worked out without a process: which steps of a solution
//! they carry out, and whether that is enough. A real run has to come to the same.

use crossbar::domain::ScriptStep;
use crossbar::fingerprint::seed_of;
use crossbar::task::Task;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;

/// A cell of the roster: its name, `skill` and `recover` of its model, whether it checks its work.
pub struct Cell {
    pub name: &'static str,
    pub skill: f64,
    pub recover: f64,
    pub verify: bool,
}

const fn cell(name: &'static str, skill: f64, verify: bool) -> Cell {
    Cell {
        name,
        skill,
        recover: 0.95,
        verify,
    }
}

/// The roster's cells; the baseline is the first.
pub const CELLS: [Cell; 4] = [
    cell("mock-strong+react", 0.97, false),
    cell("mock-strong+react-verify", 0.97, true),
    cell("mock-weak+react", 0.80, false),
    cell("mock-weak+react-verify", 0.80, true),
];

/// Rollouts of a cell and a task.
pub const REPEATS: u32 = 5;

/// Whether the rollout passes.
pub fn passes(sweep: u64, cell: &Cell, task: &Task, repeat: u32) -> bool {
    let parts = [cell.name, &task.id.to_string(), &repeat.to_string()];
    let mut stream = ChaCha8Rng::seed_from_u64(seed_of(sweep, &parts));
    let mut draw = || (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let solution = &task.declared.as_ref().unwrap().demo.as_ref().unwrap().steps;
    let (mut done, mut redone, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for step in solution {
        let (carried_out, made_good) = (draw(), draw());
        if carried_out < cell.skill {
            done.push(step);
        } else if cell.verify && made_good < cell.recover {
            redone.push(step);
        } else {
            left.push(step);
        }
    }
    done.extend(redone);
    let whole: Vec<_> = solution.iter().collect();
    !left.iter().any(|step| is_needed(step, task)) && statuses(&done) == statuses(&whole)
}

/// Whether a check sees that the step is missing: it changes something, or a check counts it.
fn is_needed(step: &ScriptStep, task: &Task) -> bool {
    let tool = step.tool.trim_start_matches("tickets.");
    let looks = ["list_tickets", "get_ticket", "search_tickets"].contains(&tool);
    let checks = &task.declared.as_ref().unwrap().checks;
    let counted = checks.iter().any(|check| {
        check.kind == "tool_called" && check.canonical["fields"]["tool"] == *step.tool
    });
    !looks || counted
}

/// The step that left each ticket with its status: a reply after closing leaves it answered.
fn statuses<'s>(steps: &[&'s ScriptStep]) -> BTreeMap<&'s str, &'s str> {
    const SET: [&str; 4] = ["reply", "close_ticket", "reopen_ticket", "merge_ticket"];
    let set = steps.iter().filter(|step| {
        let tool = step.tool.trim_start_matches("tickets.");
        SET.contains(&tool)
    });
    set.map(|step| (step.args["id"].as_str().unwrap(), &*step.tool))
        .collect()
}
