//! Tool names for models: `server__tool`, made of `[A-Za-z0-9_-]` and at most 64 long, and back.
//!
//! Servers may name a tool almost anything; model APIs refuse a whole request for one name that
//! they don't like. So a model sees a mapped name, and everything else (checks, traces, reports,
//! the call itself) has the original.

use super::ToolSpec;
use crate::domain::ToolDef;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The longest name that model APIs take.
const LONGEST: usize = 64;

/// The names of one set of tools, both ways.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NameMap {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    name: String,
    server: String,
    tool: String,
}

impl NameMap {
    /// Names each tool. Two tools never get one name, and a tool's name does not depend on the
    /// order of the others.
    #[must_use]
    pub fn new(tools: &[ToolDef]) -> Self {
        let plain: Vec<String> = tools.iter().map(plain_name).collect();
        let mut uses: BTreeMap<&str, u32> = BTreeMap::new();
        for name in &plain {
            *uses.entry(name).or_default() += 1;
        }
        let is_clear = |name: &str| name.len() <= LONGEST && uses.get(name) == Some(&1);
        // Names that stay as they are keep theirs, whoever comes first.
        let mut taken: BTreeSet<String> = plain.iter().filter(|n| is_clear(n)).cloned().collect();
        let mut entries = Vec::with_capacity(tools.len());
        for (tool, plain) in tools.iter().zip(&plain) {
            let name = if is_clear(plain) {
                plain.clone()
            } else {
                tagged(tool, plain, &taken)
            };
            taken.insert(name.clone());
            entries.push(Entry {
                name,
                server: tool.server.clone(),
                tool: tool.tool.clone(),
            });
        }
        Self { entries }
    }

    /// The tools as a model is told of them, with schemas that every provider takes. `tools` are
    /// those that the map was made from.
    #[must_use]
    pub fn offer(&self, tools: &[ToolDef]) -> Vec<ToolSpec> {
        self.entries
            .iter()
            .zip(tools)
            .map(|(entry, tool)| ToolSpec {
                name: entry.name.clone(),
                description: tool.description.clone(),
                input_schema: object_schema(&tool.input_schema),
            })
            .collect()
    }

    /// Server and tool that a name means: the mapped name, `server.tool`, or the bare tool name
    /// where only one server has it. `None` when it means none.
    #[must_use]
    pub fn resolve(&self, name: &str) -> Option<(&str, &str)> {
        let is_dotted = |entry: &Entry| {
            name.strip_prefix(entry.server.as_str())
                .and_then(|rest| rest.strip_prefix('.'))
                == Some(entry.tool.as_str())
        };
        let found = self
            .entries
            .iter()
            .find(|entry| entry.name == name)
            .or_else(|| self.entries.iter().find(|entry| is_dotted(entry)))
            .or_else(|| self.only(name))?;
        Some((&found.server, &found.tool))
    }

    fn only(&self, tool: &str) -> Option<&Entry> {
        let mut having = self.entries.iter().filter(|entry| entry.tool == tool);
        let first = having.next()?;
        having.next().is_none().then_some(first)
    }

    /// The mapped names, in the order of the tools.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }
}

/// A name with everything that a model API refuses replaced, and cut to length; never empty. For
/// names that a model made up, when they are sent back in a conversation.
#[must_use]
pub fn wire_safe(name: &str) -> String {
    let safe: String = cleaned(name).chars().take(LONGEST).collect();
    if safe.is_empty() {
        "_".to_owned()
    } else {
        safe
    }
}

fn plain_name(tool: &ToolDef) -> String {
    format!("{}__{}", cleaned(&tool.server), cleaned(&tool.tool))
}

fn cleaned(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect()
}

/// The plain name, cut, with a tag that is made of the original one.
fn tagged(tool: &ToolDef, plain: &str, taken: &BTreeSet<String>) -> String {
    let mut salt = 0_u32;
    loop {
        let tag = format!(
            "_{:08x}",
            fold(&format!("{}\0{}\0{salt}", tool.server, tool.tool))
        );
        let kept: String = plain.chars().take(LONGEST - tag.len()).collect();
        let name = kept + &tag;
        if !taken.contains(&name) {
            return name;
        }
        salt += 1;
    }
}

/// FNV-1a, 32 bits (<https://datatracker.ietf.org/doc/draft-eastlake-fnv/>): short and stable.
fn fold(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// The schema with `type: object` and `properties`, without which providers refuse a tool.
fn object_schema(schema: &Value) -> Value {
    let Value::Object(given) = schema else {
        return json!({"type": "object", "properties": {}});
    };
    let mut whole: Map<String, Value> = given.clone();
    whole.insert("type".to_owned(), json!("object"));
    if !whole.get("properties").is_some_and(Value::is_object) {
        whole.insert("properties".to_owned(), json!({}));
    }
    Value::Object(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(server: &str, tool: &str) -> ToolDef {
        ToolDef {
            server: server.to_owned(),
            tool: tool.to_owned(),
            description: String::new(),
            input_schema: json!({}),
        }
    }

    fn names(tools: &[ToolDef]) -> Vec<String> {
        NameMap::new(tools).names().map(str::to_owned).collect()
    }

    #[test]
    fn every_name_is_legal_unique_and_leads_back() {
        let long = "a".repeat(80);
        let tools: Vec<ToolDef> = [
            "calendar.read",
            "user-profile/update",
            "disk check",
            &long,
            "über",
            "disk_check",
        ]
        .iter()
        .map(|name| tool("desk", name))
        .chain([tool("desk two", &long), tool("desk", &format!("{long}b"))])
        .collect();
        let map = NameMap::new(&tools);
        let unique: BTreeSet<&str> = map.names().collect();
        assert_eq!(unique.len(), tools.len());
        for (name, tool) in map.names().zip(&tools) {
            assert!(name.len() <= 64 && name == wire_safe(name), "{name}");
            assert_eq!(
                map.resolve(name),
                Some((tool.server.as_str(), tool.tool.as_str()))
            );
        }
    }

    #[test]
    fn a_name_does_not_depend_on_the_order() {
        let mut tools = vec![
            tool("s", "a b"),
            tool("s", "a_b"),
            tool("s", "a.b"),
            tool("s", "c"),
        ];
        let mut forwards = names(&tools);
        tools.reverse();
        let mut backwards = names(&tools);
        forwards.sort();
        backwards.sort();
        assert_eq!(forwards, backwards);
        assert!(forwards.contains(&"s__c".to_owned()));
    }

    #[test]
    fn dotted_and_bare_names_are_understood_while_they_are_clear() {
        let map = NameMap::new(&[
            tool("orders", "get"),
            tool("tickets", "get"),
            tool("tickets", "a.b"),
        ]);
        assert_eq!(map.resolve("orders.get"), Some(("orders", "get")));
        assert_eq!(map.resolve("tickets.a.b"), Some(("tickets", "a.b")));
        assert_eq!(map.resolve("a.b"), Some(("tickets", "a.b")));
        assert_eq!(map.resolve("get"), None);
        assert_eq!(map.resolve("orders.drop"), None);
    }

    #[test]
    fn a_schema_always_has_type_and_properties() {
        let empty = json!({"type": "object", "properties": {}});
        for poor in [
            json!({}),
            json!({"type": "object"}),
            json!(null),
            json!({"properties": null}),
        ] {
            assert_eq!(object_schema(&poor), empty, "{poor}");
        }
        let rich =
            json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
        assert_eq!(object_schema(&rich), rich);
    }
}
