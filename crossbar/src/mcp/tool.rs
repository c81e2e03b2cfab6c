//! What a server says of its tools.

use serde_json::{Map, Value};

/// A tool as the server describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolInfo {
    /// Its name, unchanged; providers map it to what they can take.
    pub name: String,
    /// What it does; empty when the server does not say.
    pub description: String,
    /// JSON Schema of its arguments, unchanged; `{}` when the server gives none. Providers complete
    /// it to what they can take.
    pub input_schema: Value,
}

/// One page of `tools/list`: its tools, and the cursor of the next page.
///
/// # Errors
/// A fragment that says what the page lacks.
pub(super) fn page(mut result: Value) -> Result<(Vec<ToolInfo>, Option<String>), String> {
    let Some(Value::Array(listed)) = result.get_mut("tools").map(Value::take) else {
        return Err("tools/list has no array `tools`".to_owned());
    };
    let mut tools = Vec::with_capacity(listed.len());
    for (index, tool) in listed.into_iter().enumerate() {
        tools.push(
            info(tool)
                .ok_or_else(|| format!("tools/list: tool {index} of the page has no name"))?,
        );
    }
    let next = result
        .get("nextCursor")
        .and_then(Value::as_str)
        .map(ToOwned::to_owned);
    Ok((tools, next))
}

fn info(mut tool: Value) -> Option<ToolInfo> {
    let name = tool.get("name")?.as_str()?.to_owned();
    let description = tool
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let input_schema = match tool.get_mut("inputSchema").map(Value::take) {
        Some(schema) if !schema.is_null() => schema,
        _ => Value::Object(Map::new()),
    };
    Some(ToolInfo {
        name,
        description,
        input_schema,
    })
}
