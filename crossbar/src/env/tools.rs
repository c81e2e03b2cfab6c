//! Tools that are plain Rust functions: a task offers them as a server of its own, in process.

use crate::domain::LocalFuture;
use crate::mcp::{CallResult, ToolInfo};
use serde_json::Value;
use std::cell::RefCell;
use std::fmt;
use std::future::{Future, ready};

type Function = Box<dyn Fn(Value) -> LocalFuture<'static, Result<Value, String>>>;

/// A tool that is a plain Rust function.
pub struct Tool {
    info: ToolInfo,
    function: Function,
}

impl Tool {
    /// A tool with its name, what it does (the model reads this), the JSON Schema of its arguments,
    /// and the function. The function gets the arguments as one JSON object, unchecked; its error
    /// is what the model is told.
    pub fn new<E, F>(name: &str, description: &str, input_schema: Value, function: F) -> Self
    where
        E: fmt::Display,
        F: FnMut(Value) -> Result<Value, E> + 'static,
    {
        let function = RefCell::new(function);
        let call = move |args| {
            let answer = (function.borrow_mut())(args);
            ready(answer.map_err(|error| format!("{error:#}")))
        };
        Self::described(
            name,
            description,
            input_schema,
            Box::new(move |args| Box::pin(call(args))),
        )
    }

    /// The same with a function that is async; it need not be `Send`.
    pub fn new_async<E, F, W>(
        name: &str,
        description: &str,
        input_schema: Value,
        function: F,
    ) -> Self
    where
        E: fmt::Display,
        F: Fn(Value) -> W + 'static,
        W: Future<Output = Result<Value, E>> + 'static,
    {
        let call = move |args| -> LocalFuture<'static, Result<Value, String>> {
            let answer = function(args);
            Box::pin(async move { answer.await.map_err(|error| format!("{error:#}")) })
        };
        Self::described(name, description, input_schema, Box::new(call))
    }

    fn described(name: &str, description: &str, input_schema: Value, function: Function) -> Self {
        Self {
            info: ToolInfo {
                name: name.to_owned(),
                description: description.to_owned(),
                input_schema,
            },
            function,
        }
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tool({})", self.info.name)
    }
}

/// Tools under one name, as a server has them.
#[derive(Debug)]
pub struct ToolSet {
    pub(super) name: String,
    pub(super) infos: Vec<ToolInfo>,
    tools: Vec<Tool>,
}

impl ToolSet {
    pub(super) fn new(name: &str, tools: Vec<Tool>) -> Self {
        Self {
            name: name.to_owned(),
            infos: tools.iter().map(|tool| tool.info.clone()).collect(),
            tools,
        }
    }

    /// The first name that two of the tools have.
    pub(super) fn twice(&self) -> Option<&str> {
        let names = self.infos.iter().map(|info| info.name.as_str());
        names.enumerate().find_map(|(at, name)| {
            self.infos[..at]
                .iter()
                .any(|info| info.name == name)
                .then_some(name)
        })
    }

    /// Calls a tool. Its own error is a result that says so.
    pub(super) async fn call(&self, tool: &str, args: Value) -> CallResult {
        let Some(found) = self.tools.iter().find(|one| one.info.name == tool) else {
            return failed(format!("`{}` has no tool `{tool}`", self.name));
        };
        match (found.function)(args).await {
            Ok(value) => CallResult {
                content_text: match &value {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                },
                structured: (!value.is_string()).then(|| value.clone()),
                is_error: false,
                protocol_error: false,
                raw: value,
            },
            Err(message) => failed(message),
        }
    }
}

fn failed(message: String) -> CallResult {
    CallResult {
        raw: Value::from(message.clone()),
        content_text: message,
        structured: None,
        is_error: true,
        protocol_error: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::rc::Rc;

    #[tokio::test]
    async fn a_function_answers_as_a_server_does() {
        let seen = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&seen);
        let set = ToolSet::new(
            "orders",
            vec![
                Tool::new("count", "Counts", json!({}), move |args| {
                    log.borrow_mut().push(args);
                    Ok::<_, String>(json!({"n": log.borrow().len()}))
                }),
                Tool::new_async("fail", "Fails", json!({}), |_| async {
                    Err::<Value, _>("no such order")
                }),
            ],
        );
        let first = set.call("count", json!({"a": 1})).await;
        assert_eq!(first.structured, Some(json!({"n": 1})));
        assert_eq!(
            (first.content_text.as_str(), first.is_error),
            ("{\"n\":1}", false)
        );
        assert_eq!(*seen.borrow(), [json!({"a": 1})]);
        let failed = set.call("fail", json!({})).await;
        assert_eq!(
            (failed.content_text.as_str(), failed.is_error),
            ("no such order", true)
        );
        assert!(set.call("other", json!({})).await.is_error);
        assert_eq!(set.twice(), None);
    }
}
