//! No judgement asks anybody: the rooms between what was observed and what is reported reach no
//! model, no process and no server, over however many rooms.

use std::collections::BTreeSet;

use crossbar_suites::page::{PAGE, Page};
use crossbar_suites::tree::{Tree, Violation};

/// What stands between an observation and a report.
const JUDGES: [&str; 4] = ["check", "score", "analysis", "report"];

/// Whoever could be asked, or does the asking.
const ASKED: [&str; 6] = ["provider", "harness", "mcp", "process", "env", "context"];

pub fn check(tree: &Tree) -> Vec<Violation> {
    let page = match crate::page(tree) {
        Ok(page) => page,
        Err(found) => return found,
    };
    let judges = JUDGES.iter().filter(|room| page.rooms.contains_key(**room));
    let pairs = judges.flat_map(|judge| {
        let reached = reached(&page, judge);
        let asked = ASKED.iter().filter(move |room| reached.contains(**room));
        asked.map(move |room| {
            Violation::of(
                PAGE,
                format!("{judge} reaches {room}: nothing that judges may"),
            )
        })
    });
    pairs.collect()
}

/// Every room that a room uses, directly or not.
fn reached(page: &Page, from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(next) = open.pop() {
        let uses = page.rooms.get(&next).map(|room| room.uses.clone());
        for used in uses.unwrap_or_default() {
            if seen.insert(used.clone()) {
                open.push(used);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catches_a_way_from_a_score_to_a_model() {
        let tree = |uses: &str| {
            let rows = format!(
                "| floor | room | what it is for | may use |\n|---|---|---|---|\n\
                 | 0 | domain | nouns | - |\n| 1 | provider | models | domain |\n\
                 | 2 | advice | words | domain provider |\n| 3 | score | judges | {uses} |\n"
            );
            let text = format!("## Rooms and floors\n{rows}");
            check(&crate::sample().with(PAGE, &text))
        };
        assert_eq!(tree("domain").len(), 0);
        assert_eq!(tree("provider").len(), 1);
        assert_eq!(tree("domain advice").len(), 1, "by way of another room");
    }
}
