//! From what the linker collected to tasks, sorted, each with its solution and its mistakes.

use super::broken::{self, Mistakes};
use super::{
    BrokenDefinition, MainDefinition, RegistryError, SolutionDefinition, TaskCase, TaskDefinition,
    TaskPlace,
};
use crate::context::Body;
use crate::domain::{Broken, IdError, Limits, OnBlocked, Script, TaskId};
use crate::task::{Place, SecurityPolicy, Task, ToolPattern};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A task in Rust, ready to run.
#[derive(Clone)]
pub struct CodedTask {
    /// The task.
    pub task: Task,
    /// Its function.
    pub body: Body,
    /// What mock and scripted models play.
    pub solution: Option<Script>,
    /// Mistakes that it must not accept, sorted by name.
    pub broken: Vec<Broken>,
}

/// All tasks in Rust that are linked into this executable, sorted by id.
///
/// # Errors
/// `RegistryError` names the places.
pub fn gather() -> Result<Vec<CodedTask>, RegistryError> {
    assemble(&Collected {
        tasks: inventory::iter::<TaskDefinition>.into_iter().collect(),
        solutions: inventory::iter::<SolutionDefinition>.into_iter().collect(),
        broken: inventory::iter::<BrokenDefinition>.into_iter().collect(),
        mains: inventory::iter::<MainDefinition>.into_iter().collect(),
    })
}

/// What the linker collected.
#[derive(Default)]
pub(super) struct Collected {
    tasks: Vec<&'static TaskDefinition>,
    solutions: Vec<&'static SolutionDefinition>,
    pub(super) broken: Vec<&'static BrokenDefinition>,
    mains: Vec<&'static MainDefinition>,
}

fn assemble(collected: &Collected) -> Result<Vec<CodedTask>, RegistryError> {
    all_linked(collected)?;
    let mut solutions = solutions_by_task(collected)?;
    let mut mistakes = broken::by_task(collected)?;
    let mut found: BTreeMap<TaskId, (CodedTask, String)> = BTreeMap::new();
    for definition in &collected.tasks {
        let base = collected.id_of(&definition.place, definition.attributes.id)?;
        let place = at(definition.place.file, definition.place.line);
        let scripts = Scripts {
            solution: solutions.remove(&base).map(|(solution, _)| solution),
            mistakes: mistakes.remove(&base).unwrap_or_default(),
        };
        for case in cases(definition, &base)? {
            let id = case_id(&base, &case, &place)?;
            let coded = coded(definition, id.clone(), case, &scripts)?;
            if let Some((_, first)) = found.insert(id.clone(), (coded, place.clone())) {
                return Err(RegistryError::Duplicate {
                    id,
                    first,
                    second: place,
                });
            }
        }
    }
    Ok(found.into_values().map(|(task, _)| task).collect())
}

/// What controls and pretend models play of a task function.
struct Scripts {
    solution: Option<&'static SolutionDefinition>,
    mistakes: Mistakes,
}

pub(super) fn at(file: &str, line: u32) -> String {
    format!("{file}:{line}")
}

/// Every crate that `main!(packs = [..])` names has brought a task along.
fn all_linked(collected: &Collected) -> Result<(), RegistryError> {
    let crate_of = |task: &&TaskDefinition| task.place.module.split("::").next();
    let brought: BTreeSet<_> = collected.tasks.iter().filter_map(crate_of).collect();
    for main in &collected.mains {
        if let Some(name) = main.crates.iter().find(|name| !brought.contains(*name)) {
            return Err(RegistryError::NotLinked {
                place: at(main.file, main.line),
                name: (*name).to_owned(),
            });
        }
    }
    Ok(())
}

type Solutions = BTreeMap<TaskId, (&'static SolutionDefinition, String)>;

fn solutions_by_task(collected: &Collected) -> Result<Solutions, RegistryError> {
    let mut found = Solutions::new();
    for solution in &collected.solutions {
        let id = collected.id_of(&solution.task, solution.id)?;
        let place = at(solution.file, solution.line);
        if let Some((_, first)) = found.insert(id.clone(), (solution, place.clone())) {
            return Err(RegistryError::TwoSolutions {
                id,
                first,
                second: place,
            });
        }
    }
    Ok(found)
}

impl Collected {
    /// Pack and, unless the task says otherwise, the module path without the crate, and the name.
    pub(super) fn id_of(
        &self,
        place: &TaskPlace,
        id: Option<&str>,
    ) -> Result<TaskId, RegistryError> {
        let modules = place.module.split("::").skip(1);
        let modules = modules.map(|name| name.trim_start_matches("r#"));
        let default = || modules.chain([place.name]).collect::<Vec<_>>().join(".");
        let name = id.map_or_else(default, ToOwned::to_owned);
        let own = |main: &&&MainDefinition| main.package == place.package;
        let pack = self.mains.iter().find(own).and_then(|main| main.pack);
        let id = TaskId::new(pack.unwrap_or(place.package), &name);
        id.map_err(|source| RegistryError::Id {
            place: at(place.file, place.line),
            source,
        })
    }
}

/// The cases of a task, whose names tell them apart.
fn cases(definition: &TaskDefinition, base: &TaskId) -> Result<Vec<TaskCase>, RegistryError> {
    let cases = (definition.cases)();
    let place = || at(definition.place.file, definition.place.line);
    if cases.is_empty() {
        return Err(RegistryError::NoCase {
            place: place(),
            task: base.task().to_owned(),
        });
    }
    let mut seen = BTreeSet::new();
    for name in cases.iter().filter_map(|case| case.name.as_ref()) {
        if !seen.insert(name.to_ascii_lowercase()) {
            return Err(RegistryError::SameCase {
                place: place(),
                task: base.task().to_owned(),
                name: name.clone(),
            });
        }
    }
    Ok(cases)
}

fn case_id(base: &TaskId, case: &TaskCase, place: &str) -> Result<TaskId, RegistryError> {
    let Some(name) = &case.name else {
        return Ok(base.clone());
    };
    let wrong = |source: IdError| RegistryError::CaseName {
        place: place.to_owned(),
        task: base.task().to_owned(),
        source,
    };
    // The name by itself, so that the message shows the name.
    TaskId::new(base.pack(), name)
        .and_then(|_| TaskId::new(base.pack(), &format!("{}.{name}", base.task())))
        .map_err(wrong)
}

fn coded(
    definition: &TaskDefinition,
    id: TaskId,
    case: TaskCase,
    scripts: &Scripts,
) -> Result<CodedTask, RegistryError> {
    let keys = &definition.attributes;
    let limits = Limits {
        max_steps: keys.max_steps.unwrap_or(Limits::default().max_steps),
        timeout_s: keys.timeout_s.unwrap_or(Limits::default().timeout_s),
        budget_tokens: keys.budget_tokens,
        max_tool_calls: keys.max_tool_calls,
    };
    let mut task = Task::coded(id, canonical(definition, &limits, &case));
    task.name = name(definition, &case);
    task.family = keys.family.map(ToOwned::to_owned);
    task.tags = keys.tags.iter().map(|tag| (*tag).to_owned()).collect();
    task.weight = keys.weight;
    task.min_pass_rate = keys.min_pass_rate;
    task.limits = limits;
    task.security = security(definition)?;
    task.ignored = definition.ignored.map(ToOwned::to_owned);
    task.place = Place {
        path: definition.place.file.to_owned(),
        line: definition.place.line,
    };
    let script = |solution: &SolutionDefinition| {
        let mut script = Script::default();
        (solution.play)(&mut script, case.value.as_ref());
        script
    };
    let broken = scripts.mistakes.iter().map(|(name, (broken, _))| Broken {
        name: Some(name.clone()),
        script: script(&broken.script),
    });
    Ok(CodedTask {
        task,
        solution: scripts.solution.map(script),
        broken: broken.collect(),
        body: case.body,
    })
}

fn name(definition: &TaskDefinition, case: &TaskCase) -> String {
    let function = || definition.place.name.replace('_', " ");
    let name = definition.attributes.name;
    let name = name.map_or_else(function, ToOwned::to_owned);
    match &case.name {
        Some(case) => format!("{name} {case}"),
        None => name,
    }
}

fn canonical(definition: &TaskDefinition, limits: &Limits, case: &TaskCase) -> Value {
    let keys = &definition.attributes;
    let mut canonical = json!({
        "function": definition.text,
        "version": keys.version,
        "weight": keys.weight,
        "family": keys.family,
        "forbid": keys.forbid,
        "limits": limits,
    });
    if let (Value::Object(map), Some(_)) = (&mut canonical, &case.name) {
        map.insert("case".to_owned(), Value::from(case.shown.clone()));
    }
    if let (Value::Object(map), true) = (&mut canonical, keys.records_blocked) {
        map.insert("on_blocked".to_owned(), Value::from("record"));
    }
    canonical
}

fn security(definition: &TaskDefinition) -> Result<SecurityPolicy, RegistryError> {
    let keys = &definition.attributes;
    let forbidden = keys.forbid.iter().map(|text| ToolPattern::parse(text));
    let forbidden: Result<Vec<_>, _> = forbidden.collect();
    let on_blocked = match keys.records_blocked {
        true => OnBlocked::Record,
        false => OnBlocked::Zero,
    };
    Ok(SecurityPolicy {
        forbidden: forbidden.map_err(|error| RegistryError::Forbid {
            place: at(definition.place.file, definition.place.line),
            message: error.to_string(),
        })?,
        on_blocked,
    })
}

#[cfg(test)]
mod tests;
