//! Cases whose rule shows in the loop: the harness `react` around the provider.

use super::server::{self, Server};
use super::{model, provider, run};
use crossbar::domain::{Arguments, CallOutcome, Clock, Ending, Limits, Model, ToolDef};
use crossbar::harness::{Conversation, Ports, Session};
use crossbar::provider::NameMap;
use crossbar::task::SecurityPolicy;
use crossbar_suites::in_process::{self, Tools};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::time::Duration;

/// It is always the same moment.
pub(super) struct Still;

impl Clock for Still {
    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }

    fn since_epoch(&self) -> Duration {
        Duration::ZERO
    }
}

/// What a react loop did with a case file as the first answer and `42` as the second.
pub(super) struct Looped {
    pub(super) conversation: Conversation,
    pub(super) calls: Vec<(String, Value)>,
    pub(super) sent: Vec<Value>,
}

impl Looped {
    pub(super) fn outcomes(&self) -> Vec<&CallOutcome> {
        self.conversation
            .trajectory()
            .calls()
            .map(|call| &call.outcome)
            .collect()
    }
}

/// Over tools that repeat their arguments.
fn looped_over(server: &Server, tools: Vec<ToolDef>) -> Looped {
    driven(&model(&server.base_url()), server, tools)
}

/// The same with a model of any kind.
pub(super) fn driven(model: &Model, server: &Server, tools: Vec<ToolDef>) -> Looped {
    let provider = provider(model);
    let harness = crossbar::harness::build(&in_process::react()).unwrap();
    let calls = RefCell::new(Vec::new());
    let toolbox = Tools::new(tools, |tool: &str, args: Value| {
        let text = format!("{tool} got {args}");
        calls.borrow_mut().push((tool.to_owned(), args));
        text
    });
    let mut conversation = Conversation::default();
    let ports = Ports {
        model,
        provider: &*provider,
        toolbox: &toolbox,
        clock: &Still,
        limits: &Limits::default(),
        policy: &SecurityPolicy::default(),
        exec: None,
        program: None,
    };
    let mut session = Session::new(ports, &mut conversation);
    run(harness.drive(&mut session, "go")).unwrap();
    let calls = calls.take();
    assert_eq!(conversation.trajectory().ending, Some(Ending::Answered));
    Looped {
        conversation,
        calls,
        sent: server.bodies(),
    }
}

pub(super) fn desk(tool: &str, schema: Value) -> ToolDef {
    in_process::tool("desk", tool, "", schema)
}

fn looped(file: &str) -> Looped {
    let server = Server::playing(&[file, "B11.json"]);
    looped_over(&server, vec![desk("echo", json!({}))])
}

#[test]
fn b01_object_arguments_are_taken_as_they_are() {
    let looped = looped("B01.json");
    assert_eq!(looped.calls, [("echo".to_owned(), json!({"text": "hi"}))]);
}

#[test]
fn b02_empty_arguments_mean_none_and_malformed_ones_are_not_executed() {
    let looped = looped("B02.json");
    assert_eq!(looped.calls, [("echo".to_owned(), json!({}))]);
    let outcomes = looped.outcomes();
    assert!(matches!(outcomes[0], CallOutcome::Result { .. }));
    assert!(
        outcomes[1..]
            .iter()
            .all(|outcome| matches!(outcome, CallOutcome::Malformed { .. }))
    );
    let kept: Vec<&Arguments> = looped
        .conversation
        .trajectory()
        .calls()
        .map(|call| &call.arguments)
        .collect();
    assert_eq!(*kept[1], Arguments::Malformed("{\"text\":\"un".to_owned()));
    assert_eq!(*kept[2], Arguments::Malformed("{text: hi,}".to_owned()));
    let results = &looped.sent[1]["messages"].as_array().unwrap()[3..];
    assert!(results[1]["content"].as_str().unwrap().contains("\"un"));
}

#[test]
fn b04_missing_and_equal_ids_are_made_unique_and_used_throughout() {
    let looped = looped("B04.json");
    let texts: Vec<&str> = looped
        .calls
        .iter()
        .map(|(_, args)| args["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["a", "b", "c", "d"]);
    let messages = looped.sent[1]["messages"].as_array().unwrap().clone();
    let asked = messages[2]["tool_calls"].as_array().unwrap().clone();
    let mut ids: Vec<&Value> = asked.iter().map(|call| &call["id"]).collect();
    for ((id, text), result) in ids.iter().zip(texts).zip(&messages[3..]) {
        assert_eq!(&result["tool_call_id"], *id);
        let expected = format!("echo got {{\"text\":\"{text}\"}}");
        assert_eq!(result["content"], expected);
    }
    ids.sort_by_key(|id| id.to_string());
    ids.dedup();
    assert_eq!(ids.len(), 4);
}

#[test]
fn b07_calls_decide_not_the_finish_reason() {
    let looped = looped("B07.json");
    assert_eq!(looped.calls.len(), 1);
    assert_eq!(looped.sent.len(), 2);
}

#[test]
fn b19_glued_calls_are_malformed_and_never_run() {
    let looped = looped("B19.json");
    assert_eq!(looped.calls, []);
    assert!(matches!(
        looped.outcomes()[..],
        [CallOutcome::Malformed { .. }]
    ));
}

/// The tools that a replay file of an MCP server lists.
fn tools_of(file: &str) -> Vec<(String, Value)> {
    let replay: Value = serde_json::from_slice(&server::case(file)).unwrap();
    let tools = replay["on"]["tools/list"][0]["send"]["result"]["tools"].clone();
    let named = |tool: &Value| {
        (
            tool["name"].as_str().unwrap().to_owned(),
            tool["inputSchema"].clone(),
        )
    };
    tools.as_array().unwrap().iter().map(named).collect()
}

/// A react loop in which the model calls every tool once, by the name that it was told.
fn looped_over_all(file: &str) -> (Looped, Vec<(String, Value)>) {
    let tools = tools_of(file);
    let having: Vec<_> = tools
        .iter()
        .map(|(name, schema)| desk(name, schema.clone()))
        .collect();
    let names = NameMap::new(&having);
    let calls: Vec<Value> = names
        .names()
        .map(|name| json!({"id": name, "type": "function", "function": {"name": name, "arguments": "{}"}}))
        .collect();
    let server = Server::answering(&[
        json!({"choices": [{"message": {"content": null, "tool_calls": calls}}]}),
        json!({"choices": [{"message": {"content": "done"}}]}),
    ]);
    (looped_over(&server, having), tools)
}

#[test]
fn a07_tool_names_are_mapped_for_the_model_and_back_for_everything_else() {
    let (looped, tools) = looped_over_all("A07.replay.json");
    let offered = looped.sent[0]["tools"].as_array().unwrap();
    assert_eq!(offered.len(), 4);
    for tool in offered {
        let name = tool["function"]["name"].as_str().unwrap();
        let is_legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!(
            (1..=64).contains(&name.len()) && name.chars().all(is_legal),
            "{name}"
        );
    }
    let called: Vec<&str> = looped.calls.iter().map(|(tool, _)| tool.as_str()).collect();
    let original: Vec<&str> = tools.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(called, original);
    let traced: Vec<&str> = looped
        .conversation
        .trajectory()
        .calls()
        .map(|call| call.tool.as_str())
        .collect();
    assert_eq!(traced, original);
}

#[test]
fn a09_poor_schemas_are_completed_and_the_tools_stay_callable() {
    let (looped, tools) = looped_over_all("A09.replay.json");
    for tool in looped.sent[0]["tools"].as_array().unwrap() {
        assert_eq!(
            tool["function"]["parameters"],
            json!({"type": "object", "properties": {}})
        );
    }
    assert_eq!(looped.calls.len(), tools.len());
    assert!(looped.calls.iter().all(|(_, args)| *args == json!({})));
}
