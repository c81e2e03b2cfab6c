//! The sections `run`, `stats` and `budget` of a roster.

use super::super::{names, unbuilt};
use super::{Cell, Padding, RunSettings, StatsSettings, keys};
use crate::domain::{BudgetLimit, CachePolicy, CellId, LookPlanError, TaskLooks, Usd};
use crate::source::{Field, Fields, Section, Value, closest};

/// A section's keys, those that this version does not carry out refused.
pub(super) fn section<'a>(
    field: &Field<'a>,
    table: &'static Section,
    unbuilt: &[&'static str],
) -> Option<Fields<'a>> {
    let mut fields = field.section(table)?;
    unbuilt::refuse(field.node(), &mut fields, unbuilt);
    Some(fields)
}

/// Reads `run`. `cells` are what a baseline can be; `None` when they could not be worked out.
pub(super) fn run(field: &Field<'_>, cells: Option<&[Cell]>) -> RunSettings {
    let default = RunSettings::default();
    let Some(fields) = section(field, &keys::RUN, &[]) else {
        return default;
    };
    let repeats = fields.key("repeats").declared_integer();
    let seed = fields.key("seed").declared_integer();
    let concurrency = fields.key("concurrency").declared_integer();
    let baseline = fields.key("baseline");
    let results_dir = names::filled(&fields.key("results_dir"));
    let max_repeats = fields.key("max_repeats").declared_integer();
    let task_looks = task_looks(&fields.key("task_looks"));
    let k = fields.key("k").declared_integer();
    let cache = fields.key("cache").declared_word();
    fields.finish();
    RunSettings {
        repeats: repeats.map_or(default.repeats, |one| one.value),
        seed: seed.map_or(default.seed, |one| one.value),
        concurrency: concurrency.map(|one| one.value),
        baseline: cells.and_then(|cells| cell(&baseline, cells)),
        results_dir: results_dir.unwrap_or(default.results_dir),
        max_repeats: max_repeats.map(|one| one.value),
        task_looks,
        k: k.map(|one| one.value),
        cache: cache.and_then(|word| {
            let known = CachePolicy::WORDS.into_iter();
            let mut found = known.filter(|(name, _)| *name == word.value);
            found.next().map(|(_, policy)| policy)
        }),
    }
}

/// Reads the numbers of tasks at which a growing pack is looked at.
fn task_looks(field: &Field<'_>) -> Option<TaskLooks> {
    let items = field.items()?;
    let most = keys::MOST_TASKS as u32;
    let read = items.iter().filter_map(|item| item.integer(1..=most));
    let read: Vec<u32> = read.map(|one| one.value).collect();
    if read.len() < items.len() {
        return None;
    }
    let help = "list the numbers of tasks in rising order, as in [20, 40, 80]";
    match TaskLooks::try_from(read) {
        Ok(looks) => return Some(looks),
        Err(LookPlanError::NoLook) => field.error("is empty", help),
        Err(LookPlanError::NotGrowing { before, after }) => {
            field.error(&format!("does not grow: {after} follows {before}"), help);
        }
    }
    None
}

/// Reads the name of a cell of this roster.
pub(super) fn cell(field: &Field<'_>, cells: &[Cell]) -> Option<CellId> {
    let text = field.text()?.value;
    let ids: Vec<String> = cells.iter().map(|cell| cell.id.to_string()).collect();
    if let Some(at) = ids.iter().position(|id| id == text) {
        return cells.get(at).map(|cell| cell.id.clone());
    }
    let ids = || ids.iter().map(String::as_str);
    let help = match closest(text, ids()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("the cells are {}", names::listed(ids())),
    };
    field.error(
        &format!("is `{text}`, which is no cell of this roster"),
        &help,
    );
    None
}

/// Reads `stats`.
pub(super) fn stats(field: &Field<'_>) -> StatsSettings {
    let Some(fields) = section(field, &keys::STATS, &["cluster"]) else {
        return StatsSettings::default();
    };
    let padding = fields.key("padding").declared_word();
    let ci = fields.key("ci").declared_word();
    fields.finish();
    let padding = match padding.map(|word| word.value) {
        Some("strict") => Padding::Strict,
        _ => Padding::Normal,
    };
    StatsSettings {
        padding,
        ci: ci.map(|word| word.value),
    }
}

/// Reads `budget`; `None` when no ceiling is named.
pub(super) fn budget(field: &Field<'_>) -> Option<BudgetLimit> {
    let fields = section(field, &keys::BUDGET, &["tokens"])?;
    let usd = fields.key("usd");
    fields.finish();
    if is_word(&usd) {
        usd.one_of(&[keys::UNLIMITED])?;
        return Some(BudgetLimit::Unlimited);
    }
    Usd::from_dollars(usd.number(0.0..=keys::MAX_BUDGET)?.value).map(BudgetLimit::Usd)
}

/// Whether a plain scalar begins like a word, not like a number.
fn is_word(field: &Field<'_>) -> bool {
    match field.node().map(|node| &node.value) {
        Some(Value::Scalar(scalar)) => scalar.text.starts_with(|c: char| c.is_ascii_alphabetic()),
        _ => false,
    }
}
