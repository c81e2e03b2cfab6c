//! Names for what promptfoo numbers: cells by provider and prompt, tasks by test case.

use super::output::ResultItem;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The most characters of a name that is made of variables or of a prompt's own text.
const LONGEST: usize = 60;

/// How the cells and the tasks of one file are called.
pub(super) struct Names {
    /// The numbers of the prompts by their texts, where there are several.
    prompts: BTreeMap<String, usize>,
    /// The names of the test cases by their text.
    tasks: BTreeMap<String, String>,
}

impl Names {
    pub(super) fn of(results: &[ResultItem]) -> Self {
        let mut first: Vec<&ResultItem> = results.iter().collect();
        first.sort_by_key(|item| (item.test_idx, item.prompt_idx));
        let mut prompts = BTreeMap::new();
        let (mut tasks, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for item in first {
            let next = prompts.len() + 1;
            prompts.entry(item.prompt.label.clone()).or_insert(next);
            tasks.entry(text(item)).or_insert_with(|| {
                let name = described(item);
                let mut free = name.clone();
                let mut count = 2;
                while !taken.insert(free.clone()) {
                    free = format!("{name} #{count}");
                    count += 1;
                }
                free
            });
        }
        if prompts.len() == 1 {
            prompts.clear();
        }
        Self { prompts, tasks }
    }

    /// The provider, and with several prompts the prompt.
    pub(super) fn cell(&self, item: &ResultItem) -> String {
        let label = item
            .provider
            .label
            .as_ref()
            .filter(|label| !label.is_empty());
        let provider = label.unwrap_or(&item.provider.id);
        match self.prompts.get(&item.prompt.label) {
            None => provider.clone(),
            Some(number) => match short(&item.prompt.label) {
                Some(label) => format!("{provider} / {label}"),
                None => format!("{provider} / prompt {number}"),
            },
        }
    }

    pub(super) fn task(&self, item: &ResultItem) -> String {
        self.tasks.get(&text(item)).cloned().unwrap_or_default()
    }
}

/// All that makes the test case.
fn text(item: &ResultItem) -> String {
    format!("{} {}", item.test_case, item.vars)
}

/// Its description, else its variables, else its number.
fn described(item: &ResultItem) -> String {
    let description = item.test_case.get("description").and_then(Value::as_str);
    let variables = item.vars.as_object().map(|vars| {
        let pairs = vars.iter().map(|(name, value)| match value {
            Value::String(text) => format!("{name}={text}"),
            other => format!("{name}={other}"),
        });
        pairs.collect::<Vec<_>>().join(" ")
    });
    description
        .and_then(short)
        .or_else(|| variables.as_deref().and_then(short))
        .unwrap_or_else(|| format!("test {}", item.test_idx))
}

/// A text that can be a name as it is.
fn short(text: &str) -> Option<String> {
    let fits = !text.is_empty() && text.chars().count() <= LONGEST;
    let name = crate::domain::TaskId::imported(text);
    (fits && name.is_ok()).then(|| text.to_owned())
}
