//! What a server that asks us is answered. Nobody sits before a rollout, no model is lent and no
//! folder is shown, so there is little to say, and it is the same each time.

use serde_json::{Map, Value, json};

/// The answer to a request of a server, as it is sent.
pub(super) fn answer(method: &str, id: &Value, params: Option<&Value>) -> Value {
    let result = match method {
        "ping" => json!({}),
        // Some ask regardless of what a client offers, and no roots is a true answer.
        "roots/list" => json!({"roots": []}),
        "elicitation/create" => filled_in(params),
        _ => {
            return json!({"jsonrpc": "2.0", "id": id, "error": {
                "code": -32601, "message": format!("method not found: {method}")}});
        }
    };
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// A form as somebody sends it who changes nothing: its defaults (SEP-1034). A form that can't be
/// sent so, since a required field has no default, is declined; so is what is no form.
fn filled_in(params: Option<&Value>) -> Value {
    let declined = json!({"action": "decline"});
    let Some(schema) = params.and_then(|params| params.get("requestedSchema")) else {
        return declined;
    };
    let fields = schema.get("properties").and_then(Value::as_object);
    let content: Map<String, Value> = fields
        .into_iter()
        .flatten()
        .filter_map(|(name, field)| Some((name.clone(), field.get("default")?.clone())))
        .collect();
    let required = schema.get("required").and_then(Value::as_array);
    let mut required = required.into_iter().flatten().filter_map(Value::as_str);
    if required.all(|name| content.contains_key(name)) {
        json!({"action": "accept", "content": content})
    } else {
        declined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(schema: Value) -> Value {
        let params = json!({"message": "who?", "requestedSchema": schema});
        answer("elicitation/create", &json!(7), Some(&params))["result"].take()
    }

    #[test]
    fn a_form_is_sent_with_its_defaults_or_declined() {
        let fields = json!({"name": {"type": "string", "default": "Dana"},
                            "age": {"type": "integer"}, "fast": {"type": "boolean", "default": false}});
        assert_eq!(
            form(json!({"properties": fields, "required": ["name"]})),
            json!({"action": "accept", "content": {"name": "Dana", "fast": false}})
        );
        let declined = json!({"action": "decline"});
        assert_eq!(
            form(json!({"properties": fields, "required": ["age"]})),
            declined
        );
        let no_form = json!({"mode": "url", "url": "https://a.example"});
        let said = answer("elicitation/create", &json!(7), Some(&no_form));
        assert_eq!(said["result"], declined);
    }
}
