//! docs/architecture.md as rules: its tables and lists, read from the text that people read.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::Tree;

/// Where the page lies.
pub const PAGE: &str = "docs/architecture.md";

/// A row of the floor table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// Floors are counted from 0 upwards.
    pub floor: u32,
    /// The names of the rooms that it may use, as the table has them.
    pub uses: BTreeSet<String>,
}

/// What the page rules.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The floor table.
    pub rooms: BTreeMap<String, Room>,
    /// Rooms without clock, environment, file, process or chance.
    pub pure: BTreeSet<String>,
    /// Crates (as a path in source names them), with the rooms that they stay in, a space apart.
    pub fences: BTreeMap<String, String>,
    /// Rooms that may use print macros.
    pub printers: BTreeSet<String>,
}

impl Page {
    /// Reads the page of a tree.
    ///
    /// # Errors
    /// When the page is missing, or a row is not of the expected shape: the row is quoted.
    pub fn read(tree: &Tree) -> Result<Self, String> {
        let text = tree
            .text(PAGE)
            .ok_or_else(|| format!("{PAGE} is missing"))?;
        Ok(Self {
            rooms: floor_table(&table(text, "## Rooms and floors"))?,
            pure: list(text, "### Pure rooms"),
            fences: table(text, "### Fences")
                .into_iter()
                .filter_map(pair)
                .collect(),
            printers: list(text, "### Print macros"),
        })
    }
}

fn pair(row: Vec<String>) -> Option<(String, String)> {
    let mut cells = row.into_iter();
    Some((cells.next()?, cells.next()?))
}

fn floor_table(rows: &[Vec<String>]) -> Result<BTreeMap<String, Room>, String> {
    let mut rooms = BTreeMap::new();
    let mut uses = BTreeMap::new();
    for row in rows {
        let [floor, room, _, may_use] = row.as_slice() else {
            return Err(format!("the floor table has four columns: {row:?}"));
        };
        let floor = floor.parse().map_err(|_| format!("not a floor: {row:?}"))?;
        if rooms
            .insert(
                room.clone(),
                Room {
                    floor,
                    uses: BTreeSet::new(),
                },
            )
            .is_some()
        {
            return Err(format!("two rows for the room {room}"));
        }
        uses.insert(room.clone(), may_use.clone());
    }
    let floors: BTreeMap<String, u32> = rooms
        .iter()
        .map(|(name, room)| (name.clone(), room.floor))
        .collect();
    for (name, room) in &mut rooms {
        room.uses = names(&uses[name], room.floor, &floors);
    }
    Ok(rooms)
}

/// `-`, a list of names, `all below` or `all below but a b`.
fn names(cell: &str, floor: u32, floors: &BTreeMap<String, u32>) -> BTreeSet<String> {
    let Some(rest) = cell.strip_prefix("all below") else {
        return cell
            .split_whitespace()
            .filter(|name| *name != "-")
            .map(str::to_owned)
            .collect();
    };
    let left_out: BTreeSet<&str> = rest.split_whitespace().skip(1).collect();
    let below = floors
        .iter()
        .filter(|(name, at)| **at < floor && !left_out.contains(name.as_str()));
    below.map(|(name, _)| name.clone()).collect()
}

/// The lines between a heading and the next heading of any level.
fn section<'a>(text: &'a str, heading: &str) -> impl Iterator<Item = &'a str> {
    let after = text
        .lines()
        .skip_while(move |line| *line != heading)
        .skip(1)
        .collect::<Vec<_>>();
    after.into_iter().take_while(|line| !line.starts_with('#'))
}

/// The rows of the first table of a section, without its head.
fn table(text: &str, heading: &str) -> Vec<Vec<String>> {
    let rows = section(text, heading)
        .filter(|line| line.starts_with('|'))
        .skip(2);
    rows.map(|line| {
        line.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    })
    .collect()
}

/// The words of the first line of a section.
fn list(text: &str, heading: &str) -> BTreeSet<String> {
    let line = section(text, heading)
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    line.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "## Rooms and floors\nwords\n\n| floor | room | for | may use |\n|---|---|---|---|\n\
        | 0 | domain | nouns | - |\n| 0 | stats | numbers | - |\n| 1 | sweep | runs | all below but stats |\n\n\
        ### Pure rooms\n\ndomain stats\n\nThey are pure.\n### Fences\n| crate | room |\n|---|---|\n| rmcp | sweep |\n";

    #[test]
    fn reads_the_tables_of_a_page() {
        let page = Page::read(&Tree::default().with(PAGE, TEXT)).unwrap();
        let sweep = Room {
            floor: 1,
            uses: BTreeSet::from(["domain".to_owned()]),
        };
        assert_eq!(page.rooms.len(), 3);
        assert_eq!(page.rooms["sweep"], sweep);
        assert_eq!(
            page.pure,
            BTreeSet::from(["domain".to_owned(), "stats".to_owned()])
        );
        assert_eq!(
            page.fences,
            BTreeMap::from([("rmcp".to_owned(), "sweep".to_owned())])
        );
    }

    #[test]
    fn refuses_a_row_that_it_does_not_understand() {
        let text = TEXT.replace("| 0 | domain |", "| low | domain |");
        assert!(
            Page::read(&Tree::default().with(PAGE, &text))
                .unwrap_err()
                .contains("not a floor")
        );
    }
}
