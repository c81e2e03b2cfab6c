//! From what the linker collected to tasks, sorted, each with its solution.

use super::{SolutionDefinition, TaskDefinition, TaskPlace};
use crate::context::Body;
use crate::domain::{IdError, Limits, OnBlocked, Script, TaskId};
use crate::task::{Place, SecurityPolicy, Task, ToolPattern};
use serde_json::json;
use std::collections::BTreeMap;

/// A task in Rust, ready to run.
#[derive(Clone)]
pub struct CodedTask {
    /// The task.
    pub task: Task,
    /// Its function.
    pub body: Body,
    /// What mock and scripted models play.
    pub solution: Option<Script>,
}

/// Why the collected tasks can't be used.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// Two tasks have the same id.
    #[error("two tasks are called `{id}`: {first} and {second}; give one of them `id = \"..\"`")]
    Duplicate {
        /// The id.
        id: TaskId,
        /// `file:line` of one.
        first: String,
        /// `file:line` of the other.
        second: String,
    },
    /// Two solutions of one task.
    #[error("task `{id}` has two solutions: {first} and {second}; remove one")]
    TwoSolutions {
        /// The task.
        id: TaskId,
        /// `file:line` of one.
        first: String,
        /// `file:line` of the other.
        second: String,
    },
    /// A name that is no id.
    #[error("{place}: {source}")]
    Id {
        /// `file:line`.
        place: String,
        /// What is wrong with it.
        source: IdError,
    },
    /// A forbidden tool that is not `server.tool`.
    #[error("{place}: {message}")]
    Forbid {
        /// `file:line`.
        place: String,
        /// What is wrong with it.
        message: String,
    },
}

/// All tasks in Rust that are linked into this executable, sorted by id.
///
/// # Errors
/// `RegistryError` names the places.
pub fn gather() -> Result<Vec<CodedTask>, RegistryError> {
    let tasks: Vec<_> = inventory::iter::<TaskDefinition>.into_iter().collect();
    let solutions: Vec<_> = inventory::iter::<SolutionDefinition>.into_iter().collect();
    assemble(&tasks, &solutions)
}

fn assemble(
    tasks: &[&TaskDefinition],
    solutions: &[&SolutionDefinition],
) -> Result<Vec<CodedTask>, RegistryError> {
    let mut solved = solutions_by_task(solutions)?;
    let mut found: BTreeMap<TaskId, (CodedTask, String)> = BTreeMap::new();
    for definition in tasks {
        let id = id_of(&definition.place, definition.attributes.id)?;
        let place = format!("{}:{}", definition.place.file, definition.place.line);
        let solution = solved.remove(&id).map(|(script, _)| script);
        let coded = coded(definition, id.clone(), solution)?;
        if let Some((_, first)) = found.insert(id.clone(), (coded, place.clone())) {
            return Err(RegistryError::Duplicate {
                id,
                first,
                second: place,
            });
        }
    }
    Ok(found.into_values().map(|(task, _)| task).collect())
}

fn solutions_by_task(
    solutions: &[&SolutionDefinition],
) -> Result<BTreeMap<TaskId, (Script, String)>, RegistryError> {
    let mut found = BTreeMap::new();
    for solution in solutions {
        let id = id_of(&solution.task, solution.id)?;
        let place = format!("{}:{}", solution.file, solution.line);
        let mut script = Script::default();
        (solution.play)(&mut script);
        if let Some((_, first)) = found.insert(id.clone(), (script, place.clone())) {
            return Err(RegistryError::TwoSolutions {
                id,
                first,
                second: place,
            });
        }
    }
    Ok(found)
}

/// Package and, unless the task says otherwise, the module path without the crate, and the name.
fn id_of(place: &TaskPlace, id: Option<&str>) -> Result<TaskId, RegistryError> {
    let modules = place.module.split("::").skip(1);
    let default = || modules.chain([place.name]).collect::<Vec<_>>().join(".");
    let name = id.map_or_else(default, ToOwned::to_owned);
    TaskId::new(place.package, &name).map_err(|source| RegistryError::Id {
        place: format!("{}:{}", place.file, place.line),
        source,
    })
}

fn coded(
    definition: &TaskDefinition,
    id: TaskId,
    solution: Option<Script>,
) -> Result<CodedTask, RegistryError> {
    let keys = &definition.attributes;
    let place = Place {
        path: definition.place.file.to_owned(),
        line: definition.place.line,
    };
    let forbidden = keys.forbid.iter().map(|text| ToolPattern::parse(text));
    let forbidden: Result<Vec<_>, _> = forbidden.collect();
    let forbidden = forbidden.map_err(|error| RegistryError::Forbid {
        place: format!("{}:{}", place.path, place.line),
        message: error.to_string(),
    })?;
    let limits = Limits {
        max_steps: keys.max_steps.unwrap_or(Limits::default().max_steps),
        timeout_s: keys.timeout_s.unwrap_or(Limits::default().timeout_s),
        budget_tokens: keys.budget_tokens,
        max_tool_calls: keys.max_tool_calls,
    };
    let canonical = json!({
        "function": definition.text,
        "version": keys.version,
        "weight": keys.weight,
        "family": keys.family,
        "forbid": keys.forbid,
        "limits": limits,
    });
    let mut task = Task::coded(id, canonical);
    task.name = definition.place.name.replace('_', " ");
    task.family = keys.family.map(ToOwned::to_owned);
    task.weight = keys.weight;
    task.limits = limits;
    task.security = SecurityPolicy {
        forbidden,
        on_blocked: OnBlocked::Zero,
    };
    task.place = place;
    Ok(CodedTask {
        task,
        body: definition.body,
        solution,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::TaskAttributes;

    const KEYS: TaskAttributes = TaskAttributes {
        id: None,
        family: None,
        version: 1,
        weight: 1.0,
        timeout_s: None,
        max_steps: None,
        budget_tokens: None,
        max_tool_calls: None,
        forbid: &["orders.*"],
    };

    fn definition(module: &'static str, name: &'static str, line: u32) -> TaskDefinition {
        let place = TaskPlace {
            package: "shop",
            module,
            name,
            file: "tests/a.rs",
            line,
        };
        TaskDefinition {
            place,
            attributes: KEYS,
            text: "fn",
            body: |_| Box::pin(async { Ok(()) }),
        }
    }

    #[test]
    fn tasks_are_sorted_and_named_by_module_and_function() {
        let (one, two) = (
            definition("agents::z", "b", 1),
            definition("agents", "a", 2),
        );
        let tasks = assemble(&[&one, &two], &[]).unwrap();
        let ids: Vec<_> = tasks.iter().map(|t| t.task.id.to_string()).collect();
        assert_eq!(ids, ["shop::a", "shop::z.b"]);
    }

    #[test]
    fn a_duplicate_names_both_places() {
        let (one, two) = (definition("agents", "a", 1), definition("agents", "a", 9));
        let error = assemble(&[&one, &two], &[]).err().unwrap().to_string();
        assert!(error.contains("tests/a.rs:1 and tests/a.rs:9"), "{error}");
    }

    #[test]
    fn a_solution_finds_its_task() {
        let one = definition("agents", "a", 1);
        let solution = SolutionDefinition {
            task: one.place,
            id: None,
            file: "tests/a.rs",
            line: 5,
            text: "fn",
            play: |s| {
                s.say("done");
            },
        };
        let tasks = assemble(&[&one], &[&solution]).unwrap();
        assert_eq!(
            tasks[0].solution.as_ref().unwrap().final_text.as_deref(),
            Some("done")
        );
        let error = assemble(&[&one], &[&solution, &solution]).err().unwrap();
        assert!(matches!(error, RegistryError::TwoSolutions { .. }));
    }
}
