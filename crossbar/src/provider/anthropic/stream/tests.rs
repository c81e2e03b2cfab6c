//! Events as the API sends them, and what they come to.

use super::*;
use crate::domain::{Arguments, CutShort, Usage};
use crate::provider::ChatReply;
use crate::provider::anthropic::reply;

fn of(events: &[Value]) -> Option<ChatReply> {
    let mut stream = Events::default();
    for event in events {
        stream.take(event).unwrap();
    }
    stream.whole().map(|json| reply::read(&json).unwrap())
}

fn begun() -> Value {
    let usage = json!({"input_tokens": 25, "cache_read_input_tokens": 4, "output_tokens": 1});
    json!({"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [],
        "stop_reason": null, "usage": usage,
    }})
}

fn block(index: u64, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u64, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn input(index: u64, piece: &str) -> Value {
    delta(
        index,
        json!({"type": "input_json_delta", "partial_json": piece}),
    )
}

fn closed(stop: &str) -> Value {
    let delta = json!({"stop_reason": stop, "stop_sequence": null});
    json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 15}})
}

fn stopped() -> Value {
    json!({"type": "message_stop"})
}

#[test]
fn text_comes_together_and_usage_is_that_of_both_ends() {
    let reply = of(&[
        begun(),
        block(0, json!({"type": "text", "text": ""})),
        json!({"type": "ping"}),
        delta(0, json!({"type": "text_delta", "text": "4"})),
        delta(0, json!({"type": "text_delta", "text": "2"})),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "something_new"}),
        closed("end_turn"),
        stopped(),
    ])
    .unwrap();
    let expected = Usage {
        input_uncached: 25,
        cache_read: 4,
        output: 15,
        ..Usage::default()
    };
    assert_eq!((reply.text.as_str(), reply.usage), ("42", Some(expected)));
    assert_eq!(
        (reply.answered_model.as_deref(), reply.cut_short),
        (Some("m"), None)
    );
}

#[test]
fn the_last_usage_writes_over_the_first_key_by_key() {
    let mut end = closed("end_turn");
    end["usage"] = json!({"input_tokens": 99, "output_tokens": 3, "cache_read_input_tokens": null});
    let usage = of(&[begun(), end, stopped()]).unwrap().usage.unwrap();
    assert_eq!(
        (usage.input_uncached, usage.cache_read, usage.output),
        (99, 4, 3)
    );
}

#[test]
fn calls_and_thoughts_come_together_block_by_block() {
    let reply = of(&[
        begun(),
        block(
            0,
            json!({"type": "thinking", "thinking": "", "signature": ""}),
        ),
        delta(0, json!({"type": "thinking_delta", "thinking": "look "})),
        delta(0, json!({"type": "thinking_delta", "thinking": "it up"})),
        delta(0, json!({"type": "signature_delta", "signature": "sig=="})),
        block(1, json!({"type": "redacted_thinking", "data": "b64=="})),
        block(
            2,
            json!({"type": "tool_use", "id": "a", "name": "echo", "input": {}, "x": 1}),
        ),
        block(
            3,
            json!({"type": "tool_use", "id": "b", "name": "echo", "input": {}}),
        ),
        input(2, ""),
        input(3, ""),
        input(2, "{\"text\":"),
        input(2, " \"ü\"}"),
        closed("tool_use"),
        stopped(),
    ])
    .unwrap();
    let own = json!([
        {"type": "thinking", "thinking": "look it up", "signature": "sig=="},
        {"type": "redacted_thinking", "data": "b64=="},
        {"type": "tool_use", "id": "a", "name": "echo", "input": {"text": "ü"}, "x": 1},
        {"type": "tool_use", "id": "b", "name": "echo", "input": {}},
    ]);
    assert_eq!(reply.own, Some(own));
    let calls: Vec<&Arguments> = reply.calls.iter().map(|call| &call.arguments).collect();
    let (first, second) = (
        Arguments::Json(json!({"text": "ü"})),
        Arguments::Json(json!({})),
    );
    assert_eq!(calls, [&first, &second]);
}

#[test]
fn input_that_was_cut_is_malformed() {
    let reply = of(&[
        begun(),
        block(
            0,
            json!({"type": "tool_use", "id": "a", "name": "echo", "input": {}}),
        ),
        input(0, "{\"text\":\"un"),
        closed("max_tokens"),
    ])
    .unwrap();
    assert_eq!(reply.cut_short, Some(CutShort::OutputCeiling));
    let cut = Arguments::Malformed("{\"text\":\"un".to_owned());
    assert_eq!(reply.calls[0].arguments, cut);
}

#[test]
fn a_message_without_its_end_is_none() {
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[stopped()]), None, "nobody said anything");
    let words = block(0, json!({"type": "text", "text": "41"}));
    assert_eq!(of(&[begun(), words.clone()]), None);
    assert_eq!(
        of(&[begun(), words.clone(), closed("end_turn")])
            .unwrap()
            .text,
        "41"
    );
    assert_eq!(of(&[begun(), words, stopped()]).unwrap().text, "41");
}

#[test]
fn a_part_of_a_block_that_was_not_begun_is_told() {
    let mut stream = Events::default();
    stream.take(&begun()).unwrap();
    let lost = delta(3, json!({"type": "text_delta", "text": "x"}));
    assert!(stream.take(&lost).unwrap_err().contains("block 3"));
}

#[test]
fn a_refusal_carries_its_category_and_citations_are_kept() {
    let mut end = closed("refusal");
    end["delta"]["stop_details"] = json!({"type": "refusal", "category": "cyber"});
    let reply = of(&[
        begun(),
        block(0, json!({"type": "text", "text": "a", "citations": null})),
        delta(0, json!({"type": "citations_delta", "citation": {"n": 1}})),
        delta(0, json!({"type": "citations_delta", "citation": {"n": 2}})),
        end,
    ])
    .unwrap();
    let category = Some("cyber".to_owned());
    assert_eq!(reply.cut_short, Some(CutShort::Refused { category }));
    assert_eq!(
        reply.own.unwrap()[0]["citations"],
        json!([{"n": 1}, {"n": 2}])
    );
}
