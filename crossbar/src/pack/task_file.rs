//! A task file, `*.task.yaml`.

mod address;
mod broken;
mod checks;
mod demo;
pub(super) mod keys;
mod security;
mod servers;
mod tool_names;

use super::{elsewhere, names, unbuilt};
use crate::domain::{Limits, TaskId};
use crate::source::{self, Field, Fields, File, Node, Problems, Span, Spanned, parse};
use crate::task::{Declared, Place, Task, canonical, task_problems};
use serde_json::{Map, Value};
use servers::Servers;

/// What a task file does not say itself.
#[derive(Clone, Copy)]
pub struct TaskContext<'a> {
    /// The id of its pack.
    pub pack: &'a str,
    /// The folder of the file: a relative `cwd`, and a relative `command` with a slash, begin there.
    pub folder: &'a str,
    /// The value of a variable in `command`, `args`, `env` and `cwd`; `None` when it is unset.
    pub lookup: &'a dyn Fn(&str) -> Option<String>,
}

/// Keys that could change a verdict by being passed over: they are refused until they are built.
const REFUSED: &[&str] = &["expect"];

/// Keys that are accepted and recorded before anything acts on them.
const RECORDED_TEXTS: &[&str] = &["category", "difficulty", "risk", "repository", "split"];
const RECORDED_FLAGS: &[&str] = &["adversarial", "public"];

/// Reads a task. Gives `None` after adding an error; all problems of the file are added at once.
/// A warning alone leaves the task usable.
///
/// The canonical form covers what is written, not what variables expand to, so that it is the same
/// on every machine.
pub fn read_task(file: &File, context: &TaskContext<'_>, problems: &Problems) -> Option<Task> {
    let tree = parse(file, problems)?;
    let mut root = Fields::of(&tree, &keys::TASK, problems)?;
    unbuilt::refuse(Some(&tree), &mut root, REFUSED);
    root.belong_elsewhere(elsewhere::TASK);
    let id = names::id(&root.key("id"));
    let name = names::filled(&root.key("name"));
    let prompt = names::filled(&root.key("prompt"));
    let family = names::filled(&root.key("family"));
    let anchor = root.key("anchor").bool().is_some_and(|anchor| anchor.value);
    let tags = tags(&root.key("tags"));
    let weight = weight(&root.key("weight"));
    let floor = root.key("min_pass_rate").declared_number();
    let mut limits = limits(&root);
    let servers = servers::read(&root.key("environment"), context, problems);
    let policy = security::read(&root.key("security"), &servers, &mut limits, problems);
    let mut unbuilt = Vec::new();
    let checks = checks::read(&root.key("checks"), &servers, &mut unbuilt, problems);
    let demo = demo::read(&root.key("demo"), &servers);
    let broken = broken::read(&root.key("broken"), &servers, problems);
    let mut extra = recorded(&root, &servers, &mut unbuilt);
    root.finish();
    let id = task_id(id, context.pack, problems);
    if problems.has_errors() {
        return None;
    }
    let (id, span) = id?;
    let declared = Declared {
        prompt: prompt?,
        prompt_line: line(key_of(&tree, "prompt").unwrap_or(span)),
        environment: servers.expanded,
        checks: checks?,
        demo,
        broken,
    };
    let written = Declared {
        environment: servers.written,
        ..declared.clone()
    };
    extra.insert("weight".to_owned(), Value::from(weight));
    extra.insert("family".to_owned(), Value::from(family.clone()));
    let canonical = with(canonical(&written, &limits, &policy), extra);
    let task = Task {
        name: name.unwrap_or_else(|| id.task().to_owned()),
        id,
        family,
        anchor,
        min_pass_rate: floor.map(|one| one.value),
        tags,
        weight,
        ignored: None,
        limits,
        security: policy,
        place: place(file, span),
        canonical,
        declared: Some(declared),
        unbuilt,
        unmet: servers.unmet,
    };
    sound(task, span, problems)
}

fn place(file: &File, span: Span) -> Place {
    Place {
        path: file.path().to_owned(),
        line: line(span),
    }
}

fn line(span: Span) -> u32 {
    u32::try_from(span.line).unwrap_or(u32::MAX)
}

/// Where a key of the file stands.
fn key_of(tree: &Node, key: &str) -> Option<Span> {
    match &tree.value {
        source::Value::Mapping(mapping) => mapping.get(key).map(|entry| entry.key_span),
        _ => None,
    }
}

/// A mapping with more keys.
fn with(mut value: Value, more: Map<String, Value>) -> Value {
    if let Value::Object(map) = &mut value {
        map.extend(more);
    }
    value
}

/// The same task when nothing is wrong with it as a whole; the readers above have already placed
/// what they saw.
fn sound(task: Task, span: Span, problems: &Problems) -> Option<Task> {
    let found = task_problems(&task);
    for problem in &found {
        problems.error(span, problem.to_string());
    }
    found.is_empty().then_some(task)
}

fn task_id(id: Option<Spanned<&str>>, pack: &str, problems: &Problems) -> Option<(TaskId, Span)> {
    let id = id?;
    match TaskId::new(pack, id.value) {
        Ok(task) => Some((task, id.span)),
        Err(error) => {
            problems.error(id.span, error.to_string());
            None
        }
    }
}

fn tags(field: &Field<'_>) -> Vec<String> {
    let items = field.items().unwrap_or_default();
    items.iter().filter_map(names::filled).collect()
}

/// A weight above 0; 1 unless said.
fn weight(field: &Field<'_>) -> f64 {
    let Some(weight) = field.declared_number() else {
        return 1.0;
    };
    if weight.value == 0.0 {
        field.error("is 0", "write a number above 0, or remove the task");
    }
    weight.value
}

fn limits(root: &Fields<'_>) -> Limits {
    let default = Limits::default();
    let timeout_s = root.key("timeout_s").declared_number();
    let max_steps = root.key("max_steps").declared_integer::<u32>();
    let tokens = root.key("budget_tokens").declared_integer::<u64>();
    Limits {
        timeout_s: timeout_s.map_or(default.timeout_s, |one| one.value),
        max_steps: max_steps.map_or(default.max_steps, |one| one.value),
        budget_tokens: tokens.map(|one| one.value),
        max_tool_calls: None,
    }
}

/// The keys that are only recorded: their values, for the canonical form. Their names go to
/// `unbuilt`, all but `version`, which does its whole work there, and those that keep the task from
/// running.
fn recorded(root: &Fields<'_>, servers: &Servers, unbuilt: &mut Vec<String>) -> Map<String, Value> {
    let mut values = Map::new();
    let mut keep = |key: &str, value: Option<Value>| {
        values.extend(value.map(|value| (key.to_owned(), value)));
    };
    for key in RECORDED_TEXTS {
        keep(key, names::filled(&root.key(key)).map(Value::from));
    }
    for key in RECORDED_FLAGS {
        keep(key, root.key(key).bool().map(|one| Value::from(one.value)));
    }
    unbuilt.extend(values.keys().cloned());
    if !servers.recorded.is_empty() {
        let recorded = Value::Object(servers.recorded.clone());
        values.insert("unmet".to_owned(), recorded);
    }
    let version = root.key("version").declared_integer::<u32>();
    values.extend(version.map(|one| ("version".to_owned(), Value::from(one.value))));
    values
}

#[cfg(test)]
mod tests;
