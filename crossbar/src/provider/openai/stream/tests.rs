//! Streams as servers send them: the quirks of each, and what they come to.

use super::*;
use crate::domain::{Arguments, CutShort, Usage};
use crate::provider::ChatReply;
use crate::provider::openai::reply;

/// What a stream of these events comes to; `None` when its end is missing.
fn of(events: &[Value]) -> Option<ChatReply> {
    let mut chunks = Chunks::default();
    for event in events {
        chunks.take(event).unwrap();
    }
    chunks.whole().map(|json| reply::read(&json).unwrap())
}

fn delta(delta: Value) -> Value {
    json!({"model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn finish(reason: &str) -> Value {
    json!({"model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn done() -> Value {
    json!(DONE)
}

fn usage(prompt: u64, completion: u64) -> Value {
    json!({"prompt_tokens": prompt, "completion_tokens": completion})
}

fn piece(index: Value, id: Value, name: Value, arguments: Value) -> Value {
    delta(json!({"tool_calls": [{
        "index": index, "id": id, "function": {"name": name, "arguments": arguments},
    }]}))
}

/// Id, name and arguments of each call.
fn calls(events: &[Value]) -> Vec<(String, String, Value)> {
    let calls = of(events).unwrap().calls.into_iter();
    let read = |arguments| match arguments {
        Arguments::Json(value) => value,
        Arguments::Malformed(text) => json!({"malformed": text}),
    };
    calls
        .map(|call| (call.id, call.name, read(call.arguments)))
        .collect()
}

fn call(id: &str, arguments: Value) -> (String, String, Value) {
    (id.to_owned(), "echo".to_owned(), arguments)
}

#[test]
fn words_come_together_and_usage_comes_in_a_piece_of_its_own() {
    let reply = of(&[
        delta(json!({"role": "assistant"})),
        delta(json!({"role": "assistant", "content": ""})),
        delta(json!({"content": "4"})),
        delta(json!({"content": "2", "refusal": null})),
        finish("stop"),
        json!({"model": "m", "choices": [], "usage": usage(9, 2)}),
        done(),
    ])
    .unwrap();
    let expected = Usage {
        input_uncached: 9,
        output: 2,
        ..Usage::default()
    };
    assert_eq!((reply.text.as_str(), reply.usage), ("42", Some(expected)));
    assert_eq!(
        (reply.answered_model.as_deref(), reply.cut_short),
        (Some("m"), None)
    );
}

#[test]
fn usage_that_comes_again_and_again_is_what_it_was_last() {
    let with = |delta: Value, usage: Value| json!({"choices": [{"index": 0, "delta": delta}], "usage": usage});
    let reply = of(&[
        with(json!({"content": "4"}), usage(9, 1)),
        with(json!({"content": "2"}), usage(9, 2)),
        with(json!({}), Value::Null),
        done(),
    ]);
    assert_eq!(reply.unwrap().usage.unwrap().output, 2);
}

#[test]
fn the_end_is_an_end_mark_or_a_reason_and_without_both_the_stream_was_cut() {
    let words = delta(json!({"content": "42"}));
    let without_usage = |events: &[Value]| {
        let reply = of(events)?;
        assert_eq!((reply.text.as_str(), reply.usage), ("42", None));
        Some(reply.cut_short)
    };
    assert_eq!(without_usage(&[words.clone(), finish("stop")]), Some(None));
    assert_eq!(without_usage(&[words.clone(), done()]), Some(None));
    assert_eq!(without_usage(&[words]), None);
    assert_eq!(of(&[delta(json!({"role": "assistant"}))]), None);
    assert_eq!(of(&[done()]), None, "nobody said anything");
    let empty = of(&[finish("stop"), done()]).unwrap();
    assert_eq!((empty.text.as_str(), empty.calls.len()), ("", 0));
}

#[test]
fn what_cut_it_short_is_told() {
    let ended = |reason: &str| of(&[delta(json!({"content": "4"})), finish(reason)]);
    let told = |reason: &str| ended(reason).unwrap().cut_short;
    assert_eq!(told("length"), Some(CutShort::OutputCeiling));
    assert!(matches!(
        told("content_filter"),
        Some(CutShort::Refused { .. })
    ));
    let refused = of(&[
        delta(json!({"refusal": "I can"})),
        delta(json!({"refusal": "not"})),
        done(),
    ]);
    let refused = refused.unwrap();
    assert_eq!(refused.text, "I cannot");
    assert_eq!(
        refused.cut_short,
        Some(CutShort::Refused { category: None })
    );
}

#[test]
fn parallel_calls_are_told_apart_by_their_index() {
    let events = [
        delta(json!({"role": "assistant", "content": null})),
        piece(json!(0), json!("a"), json!("echo"), json!("")),
        piece(json!(1), json!("b"), json!("echo"), json!("")),
        piece(json!(0), Value::Null, Value::Null, json!("{\"text\":")),
        piece(
            json!(1),
            Value::Null,
            Value::Null,
            json!("{\"text\":\"ü\"}"),
        ),
        piece(json!(0), Value::Null, Value::Null, json!("\"hi\"}")),
        finish("tool_calls"),
        done(),
    ];
    let expected = [
        call("a", json!({"text": "hi"})),
        call("b", json!({"text": "ü"})),
    ];
    assert_eq!(calls(&events), expected);
}

#[test]
fn ollama_gives_whole_calls_one_index_and_stop_as_the_reason() {
    let events = [
        piece(json!(0), json!("call_1"), json!("echo"), json!("{\"n\":1}")),
        piece(json!(0), json!("call_2"), json!("echo"), json!("{\"n\":2}")),
        finish("stop"),
        done(),
    ];
    let expected = [
        call("call_1", json!({"n": 1})),
        call("call_2", json!({"n": 2})),
    ];
    assert_eq!(calls(&events), expected);
}

#[test]
fn vllm_repeats_id_and_name_in_every_piece() {
    let events = [
        piece(json!(0), json!("t-1"), json!("echo"), json!("{\"n\"")),
        piece(json!(0), json!("t-1"), json!("echo"), json!(":1}")),
        finish("stop"),
        done(),
    ];
    assert_eq!(calls(&events), [call("t-1", json!({"n": 1}))]);
}

#[test]
fn llama_cpp_may_send_arguments_as_an_object_and_usage_with_the_reason() {
    let mut last = finish("tool_calls");
    last["usage"] = usage(43, 1);
    last["timings"] = json!({"prompt_n": 43});
    let events = [
        piece(json!(0), json!("x"), json!("echo"), json!({"n": 1})),
        last,
        done(),
    ];
    assert_eq!(calls(&events), [call("x", json!({"n": 1}))]);
    assert_eq!(of(&events).unwrap().usage.unwrap().input_uncached, 43);
}

#[test]
fn calls_without_an_index_go_on_until_a_new_id_comes() {
    let events = [
        piece(Value::Null, json!("a"), json!("echo"), json!("{\"n\":")),
        piece(Value::Null, Value::Null, Value::Null, json!("1}")),
        piece(Value::Null, json!("b"), json!("echo"), json!("{\"n\":2}")),
        done(),
    ];
    assert_eq!(
        calls(&events),
        [call("a", json!({"n": 1})), call("b", json!({"n": 2}))]
    );
}

#[test]
fn arguments_that_were_cut_are_malformed_and_never_empty() {
    let events = [
        piece(json!(0), json!("a"), json!("echo"), json!("{\"text\":\"un")),
        finish("length"),
        done(),
    ];
    let expected = call("a", json!({"malformed": "{\"text\":\"un"}));
    assert_eq!(calls(&events), [expected]);
}

#[test]
fn what_is_no_piece_is_told_and_other_choices_are_left_out() {
    let mut chunks = Chunks::default();
    assert!(chunks.take(&json!(7)).unwrap_err().contains('7'));
    let other = json!({"choices": [{"index": 1, "delta": {"content": "no"}}]});
    let whole = json!({"choices": [{"message": {"content": "42"}, "finish_reason": "stop"}]});
    assert_eq!(of(&[other, whole]).unwrap().text, "42");
}
