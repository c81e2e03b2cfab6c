//! The stored form of a record: JSON whose field names are kept once per kind of object.
//!
//! A record of the domain is half field names. Every object becomes the array
//! `[shape, value, ..]`, where `shape` is the number of its list of names in the table
//! `shape`; every array becomes `[0, value, ..]`. What lies deeper than JSON readers go
//! becomes `[-1, text]`. All else stays as it is, so the text can be read back without
//! knowing the record's type, and the order of names survives.

use super::StoreError;
use rusqlite::{Connection, OptionalExtension};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The number that stands before the values of an array.
const ARRAY: i64 = 0;

/// The number that stands before a value that is packed as a text of its own.
const TEXT: i64 = -1;

/// Levels within one text; readers refuse more than 128.
const DEEPEST: u32 = 100;

/// The shapes met so far: names to number, and back.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    by_keys: BTreeMap<String, i64>,
    by_id: BTreeMap<i64, Vec<String>>,
}

fn corrupt(why: impl Into<String>) -> StoreError {
    StoreError::Corrupt {
        what: "a record".to_owned(),
        why: why.into(),
    }
}

impl Shapes {
    /// Forgets what may have been rolled back.
    pub(super) fn forget(&mut self) {
        self.by_keys.clear();
    }

    /// The stored form of a value; new shapes are written to the table.
    pub(super) fn pack(&mut self, conn: &Connection, value: Value) -> Result<Value, StoreError> {
        self.pack_at(conn, value, 0)
    }

    fn pack_at(
        &mut self,
        conn: &Connection,
        value: Value,
        depth: u32,
    ) -> Result<Value, StoreError> {
        let (id, values): (i64, Vec<Value>) = match value {
            nested @ (Value::Object(_) | Value::Array(_)) if depth == DEEPEST => {
                let text = self.pack_at(conn, nested, 0)?.to_string();
                return Ok(Value::Array(vec![Value::from(TEXT), Value::from(text)]));
            }
            Value::Object(map) => {
                let keys: Vec<&String> = map.keys().collect();
                let id = self.number(conn, &keys)?;
                (id, map.into_iter().map(|(_, value)| value).collect())
            }
            Value::Array(items) => (ARRAY, items),
            scalar => return Ok(scalar),
        };
        let mut packed = vec![Value::from(id)];
        for value in values {
            packed.push(self.pack_at(conn, value, depth + 1)?);
        }
        Ok(Value::Array(packed))
    }

    fn number(&mut self, conn: &Connection, keys: &[&String]) -> Result<i64, StoreError> {
        let text = serde_json::to_string(keys).map_err(|e| StoreError::Encode {
            what: "field names".to_owned(),
            why: e.to_string(),
        })?;
        if let Some(id) = self.by_keys.get(&text) {
            return Ok(*id);
        }
        let known: Option<i64> = conn
            .prepare_cached("SELECT id FROM shape WHERE keys = ?1")?
            .query_row([&text], |row| row.get(0))
            .optional()?;
        let id = match known {
            Some(id) => id,
            None => conn
                .prepare_cached("INSERT INTO shape (keys) VALUES (?1)")?
                .insert([&text])?,
        };
        self.by_keys.insert(text, id);
        Ok(id)
    }

    /// The value behind a stored form.
    pub(super) fn unpack(&mut self, conn: &Connection, packed: Value) -> Result<Value, StoreError> {
        let Value::Array(items) = packed else {
            return Ok(packed);
        };
        let mut items = items.into_iter();
        let id = items
            .next()
            .and_then(|id| id.as_i64())
            .ok_or_else(|| corrupt("a list without its number"))?;
        if id == TEXT {
            let text = items.next();
            let text = text.as_ref().and_then(Value::as_str).unwrap_or_default();
            let nested = serde_json::from_str(text).map_err(|e| corrupt(e.to_string()))?;
            return self.unpack(conn, nested);
        }
        let values = items
            .map(|item| self.unpack(conn, item))
            .collect::<Result<Vec<Value>, StoreError>>()?;
        if id == ARRAY {
            return Ok(Value::Array(values));
        }
        let keys = self.keys(conn, id)?;
        if keys.len() != values.len() {
            return Err(corrupt(format!(
                "shape {id} has {} names for {} values",
                keys.len(),
                values.len()
            )));
        }
        let object: Map<String, Value> = keys.iter().cloned().zip(values).collect();
        Ok(Value::Object(object))
    }

    fn keys(&mut self, conn: &Connection, id: i64) -> Result<&Vec<String>, StoreError> {
        match self.by_id.entry(id) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let text: Option<String> = conn
                    .prepare_cached("SELECT keys FROM shape WHERE id = ?1")?
                    .query_row([id], |row| row.get(0))
                    .optional()?;
                let text = text.ok_or_else(|| corrupt(format!("shape {id} is missing")))?;
                let keys = serde_json::from_str(&text).map_err(|e| corrupt(e.to_string()))?;
                Ok(place.insert(keys))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::CREATE;
    use super::*;
    use serde_json::json;

    fn table() -> Connection {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch(CREATE).unwrap();
        conn
    }

    fn there_and_back(value: &Value) -> String {
        let conn = table();
        let packed = Shapes::default().pack(&conn, value.clone()).unwrap();
        let text = packed.to_string();
        let read = serde_json::from_str(&text).unwrap();
        let back = Shapes::default().unpack(&conn, read).unwrap();
        assert_eq!(back.to_string(), value.to_string());
        text
    }

    #[test]
    fn a_value_comes_back_with_its_order_and_its_kinds() {
        let value = json!({"b": 1, "a": [], "c": {}, "d": [[0], [1, {"b": null}], -1], "e": "[0]"});
        assert_eq!(
            there_and_back(&value),
            r#"[1,1,[0],[2],[0,[0,0],[0,1,[3,null]],-1],"[0]"]"#
        );
        there_and_back(&json!([-1, "text"]));
        there_and_back(&json!("plain"));
    }

    #[test]
    fn a_value_deeper_than_readers_go_comes_back() {
        let mut value = json!("bottom");
        for level in 0..350 {
            value = if level % 2 == 0 {
                json!([value])
            } else {
                json!({ "in": value })
            };
        }
        there_and_back(&value);
    }

    #[test]
    fn a_shape_that_was_rolled_back_is_written_again() {
        let conn = table();
        let mut shapes = Shapes::default();
        conn.execute_batch("BEGIN").unwrap();
        shapes.pack(&conn, json!({"gone": 1})).unwrap();
        conn.execute_batch("ROLLBACK").unwrap();
        shapes.forget();
        let packed = shapes.pack(&conn, json!({"gone": 1})).unwrap();
        let back = Shapes::default().unpack(&conn, packed).unwrap();
        assert_eq!(back, json!({"gone": 1}));
    }
}
