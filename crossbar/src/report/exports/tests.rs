//! What other tools are told is what the record says, in their way of counting.

use super::{EXPORTS, export};
use crate::domain::{
    AgentRun, Arguments, CallOutcome, Cost, CostSource, CutShort, Exchange, ExchangeEnd,
    InfrastructureEvidence, LimitKind, Outcome, Rollout, Stage, StageTime, Step, StepKind,
    ToolCall, Usage, Usd,
};
use crate::report::fixture::{self, Sweep};
use crate::report::{Exported, HashBytes};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Sixteen digits of FNV-1a, four times over: enough to tell ids apart.
const HASH: HashBytes = |bytes| {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{hash:016x}").repeat(4)
};

/// A rollout in both formats.
fn told(sweep: &Sweep, rollout: &Rollout) -> (Value, Value) {
    let frozen = sweep.frozen();
    let prompt = Some("Close the ticket.");
    let exported = Exported::new(&frozen, rollout, prompt, HASH).unwrap();
    let of = |name: &str| {
        let text = (export(name).unwrap().text)(&exported).unwrap();
        assert!(text.ends_with('\n'));
        serde_json::from_str(&text).unwrap()
    };
    (of("atif"), of("otlp"))
}

fn rollout() -> (Sweep, Rollout) {
    let sweep = fixture::sweep();
    let mut rollout = sweep.rollouts[0].clone();
    rollout.stages = vec![
        StageTime {
            stage: Stage::Validate,
            ms: 2,
        },
        StageTime {
            stage: Stage::Provision,
            ms: 500,
        },
        StageTime {
            stage: Stage::Execute,
            ms: 40,
        },
    ];
    (sweep, rollout)
}

fn spans(otlp: &Value) -> Vec<&Value> {
    let spans = &otlp["resourceSpans"][0]["scopeSpans"][0]["spans"];
    spans.as_array().unwrap().iter().collect()
}

fn attribute<'a>(span: &'a Value, key: &str) -> Option<&'a Value> {
    let mut all = span["attributes"].as_array().unwrap().iter();
    let value = &all.find(|one| one["key"] == key)?["value"];
    value.as_object().unwrap().values().next()
}

fn text<'a>(span: &'a Value, key: &str) -> Option<&'a str> {
    attribute(span, key).map(|value| value.as_str().unwrap())
}

fn events<'a>(span: &'a Value, name: &str) -> Vec<&'a Value> {
    let events = span["events"].as_array().unwrap().iter();
    events.filter(|event| event["name"] == name).collect()
}

#[test]
fn the_names_of_the_table_are_found_and_no_other() {
    let names: BTreeSet<_> = EXPORTS.iter().map(|one| one.name).collect();
    assert_eq!(names.len(), EXPORTS.len());
    assert!(names.iter().all(|name| export(name).is_some()));
    assert!(export("inspect").is_none());
}

#[test]
fn steps_are_numbered_from_the_prompt_on_and_have_their_moments() {
    let (sweep, mut rollout) = rollout();
    let mut second = rollout.trajectory.steps[0].clone();
    (second.index, second.kind, second.at_ms) = (2, StepKind::Verify, 31);
    second.calls.clear();
    rollout.trajectory.steps.push(second);
    let (atif, otlp) = told(&sweep, &rollout);
    let steps = atif["steps"].as_array().unwrap();
    let seen: Vec<_> = steps
        .iter()
        .map(|step| {
            (
                step["step_id"].as_u64().unwrap(),
                step["source"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(seen, [(1, "user"), (2, "agent"), (3, "agent")]);
    assert_eq!(steps[0]["message"], "Close the ticket.");
    // It began at 20:51:01, and had its servers half a second later.
    assert_eq!(steps[0]["timestamp"], "2026-11-29T20:51:01.502Z");
    assert_eq!(steps[2]["timestamp"], "2026-11-29T20:51:01.533Z");
    assert_eq!(steps[2]["extra"]["kind"], "verify");
    assert_eq!(atif["final_metrics"]["total_steps"], 3);
    let spans = spans(&otlp);
    assert_eq!(spans[0]["startTimeUnixNano"], "1795985461502000000");
    assert_eq!(spans[0]["endTimeUnixNano"], "1795985461542000000");
    assert_eq!(spans[3]["startTimeUnixNano"], "1795985461533000000");
}

/// A rollout whose only step has a call of every end, in the order of their ids.
fn of_every_end() -> (Sweep, Rollout) {
    let (sweep, mut rollout) = rollout();
    let call = rollout.trajectory.steps[0].calls[0].clone();
    let ends = [
        CallOutcome::Result {
            text: "ok".to_owned(),
            structured: None,
        },
        CallOutcome::Error {
            text: "no".to_owned(),
            protocol: false,
        },
        CallOutcome::Blocked {
            rule: "forbidden: tickets.update".to_owned(),
        },
        CallOutcome::Malformed {
            why: "no object".to_owned(),
        },
        CallOutcome::Unknown,
        CallOutcome::NotRun,
    ];
    let mut calls = Vec::new();
    for (at, outcome) in ends.into_iter().enumerate() {
        calls.push(ToolCall {
            id: format!("c{at}"),
            outcome,
            ..call.clone()
        });
    }
    calls[3].arguments = Arguments::Malformed("{\"id\":".to_owned());
    (calls[4].server, calls[4].arguments) = (String::new(), Arguments::Json(Value::Null));
    rollout.trajectory.steps[0].calls = calls;
    (sweep, rollout)
}

/// The texts of one key in a list.
fn texts<'a>(list: &'a Value, pointer: &str) -> Vec<&'a str> {
    let list = list.as_array().unwrap().iter();
    list.map(|one| one.pointer(pointer).unwrap().as_str().unwrap())
        .collect()
}

#[test]
fn every_call_is_told_as_far_as_it_came() {
    let (sweep, rollout) = of_every_end();
    let (atif, otlp) = told(&sweep, &rollout);
    let step = &atif["steps"][1];
    let calls = &step["tool_calls"];
    let ends = [
        "executed", "executed", "blocked", "proposed", "proposed", "proposed",
    ];
    assert_eq!(texts(calls, "/extra/outcome"), ends);
    let arguments: Vec<_> = calls
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["arguments"])
        .collect();
    assert!(arguments.iter().all(|one| one.is_object()), "{arguments:?}");
    assert_eq!(calls[3]["extra"]["arguments"], "{\"id\":");
    assert_eq!(
        texts(calls, "/function_name")[3..5],
        ["tickets.update", "update"]
    );
    let results = &step["observation"]["results"];
    let blocked = "blocked: forbidden: tickets.update";
    let contents = [
        "ok",
        "no",
        blocked,
        "malformed arguments: no object",
        "no such tool",
    ];
    assert_eq!(texts(results, "/content"), contents);
    assert_eq!(results[1]["extra"]["is_error"], true);

    let spans = spans(&otlp);
    let names: Vec<_> = spans
        .iter()
        .map(|span| span["name"].as_str().unwrap())
        .collect();
    let tool = "execute_tool tickets.update";
    assert_eq!(names, ["invoke_agent react", "chat model-1", tool, tool]);
    assert_eq!(text(spans[3], "error.type"), Some("tool_error"));
    assert_eq!(spans[3]["status"]["code"], 2);
    assert_eq!(spans[2]["status"]["code"], Value::Null);
    let stopped = events(spans[0], "crossbar.call_blocked");
    assert_eq!(stopped.len(), 1);
    assert_eq!(text(stopped[0], "gen_ai.tool.call.id"), Some("c2"));
    assert_eq!(events(spans[0], "crossbar.call_not_executed").len(), 3);
}

#[test]
fn what_never_began_still_says_why_it_ended() {
    let (sweep, mut rollout) = rollout();
    rollout.trajectory = crate::domain::Trajectory::default();
    rollout.outcome = Outcome::InfrastructureFailure {
        evidence: InfrastructureEvidence::ServerStart,
        message: "tickets did not start".to_owned(),
    };
    (rollout.usage, rollout.cost, rollout.score) = (None, Cost::Unknown, None);
    let frozen = sweep.frozen();
    let exported = Exported::new(&frozen, &rollout, None, HASH).unwrap();
    let atif: Value =
        serde_json::from_str(&(export("atif").unwrap().text)(&exported).unwrap()).unwrap();
    let steps = atif["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 1);
    let why = "No model was asked: infrastructure_failure tickets did not start";
    assert_eq!(
        (&steps[0]["source"], &steps[0]["message"]),
        (&json!("system"), &json!(why))
    );
    assert_eq!(atif["extra"]["crossbar"]["passed"], Value::Null);
    let (_, otlp) = told(&sweep, &rollout);
    let agent = spans(&otlp)[0].clone();
    assert_eq!(text(&agent, "error.type"), Some("infrastructure_failure"));
    assert_eq!(text(&agent, "test.case.result.status"), None);
    assert_eq!(text(&agent, "crossbar.cost_usd"), None);
}

#[test]
fn checks_are_evaluations_and_a_lost_task_is_no_error() {
    let (sweep, mut rollout) = rollout();
    rollout.outcome = Outcome::TaskFailure;
    rollout.checks[0].passed = false;
    rollout.checks[0].message = Some("it is open".to_owned());
    let (atif, otlp) = told(&sweep, &rollout);
    assert_eq!(
        atif["extra"]["crossbar"]["checks"][0]["message"],
        "it is open"
    );
    let agent = spans(&otlp)[0].clone();
    assert_eq!(text(&agent, "test.case.result.status"), Some("fail"));
    assert_eq!(
        text(&agent, "test.case.name"),
        Some("desk::close::mock-strong+react")
    );
    assert_eq!(text(&agent, "error.type"), None);
    let judged = events(&agent, "gen_ai.evaluation.result");
    assert_eq!(
        text(judged[0], "gen_ai.evaluation.score.label"),
        Some("fail")
    );
    assert_eq!(
        text(judged[0], "gen_ai.evaluation.explanation"),
        Some("it is open")
    );
    rollout.outcome = Outcome::LimitReached {
        limit: LimitKind::Tokens,
    };
    let (_, otlp) = told(&sweep, &rollout);
    let agent = spans(&otlp)[0].clone();
    assert_eq!(text(&agent, "crossbar.limit"), Some("tokens"));
    assert_eq!(text(&agent, "error.type"), Some("limit_reached"));
}

#[test]
fn a_program_is_told_with_its_own_version_prompt_and_cost() {
    let (sweep, mut rollout) = rollout();
    let unseen = Step {
        index: 2,
        usage: None,
        cost: None,
        answered_model: None,
        ..rollout.trajectory.steps[0].clone()
    };
    rollout.trajectory.steps.push(Step {
        calls: Vec::new(),
        ..unseen
    });
    rollout.trajectory.agent = Some(Box::new(AgentRun {
        argv: vec!["claude".to_owned(), "-p".to_owned()],
        prompt: "Close it within a minute.".to_owned(),
        version: Some("2.1.332".to_owned()),
        exchanges: vec![Exchange::that_ended(ExchangeEnd::Complete)],
        ..AgentRun::default()
    }));
    rollout.usage = None;
    rollout.cost = Cost::Known {
        amount: Usd::from_micros(7),
        source: CostSource::Agent,
    };
    rollout.trajectory.steps[0].cut_short = Some(CutShort::OutputCeiling);
    let (atif, otlp) = told(&sweep, &rollout);
    assert_eq!(atif["agent"]["version"], "2.1.332");
    assert_eq!(atif["steps"][0]["message"], "Close it within a minute.");
    assert_eq!(atif["steps"][1]["llm_call_count"], 1);
    assert_eq!(atif["steps"][2]["llm_call_count"], Value::Null);
    // What was asked for and what answered are told apart.
    assert_eq!(atif["agent"]["model_name"], "model-1");
    assert_eq!(atif["steps"][1]["model_name"], "model-1-2026");
    assert_eq!(atif["steps"][1]["extra"]["requested_model"], "model-1");
    assert_eq!(atif["final_metrics"]["total_prompt_tokens"], Value::Null);
    assert_eq!(atif["final_metrics"]["total_cost_usd"], json!(0.000_007));
    let spans = spans(&otlp);
    assert_eq!(text(spans[0], "crossbar.cost_source"), Some("agent"));
    assert_eq!(
        text(spans[1], "gen_ai.response.model"),
        Some("model-1-2026")
    );
    let said = text(spans[1], "gen_ai.output.messages").unwrap();
    assert!(said.contains("\"finish_reason\":\"length\""), "{said}");
    // A program that was ended early told no version; the format wants one.
    rollout.trajectory.agent = Some(Box::default());
    assert_eq!(told(&sweep, &rollout).0["agent"]["version"], "unknown");
}

#[test]
fn ids_are_the_same_each_time_and_another_rollouts_are_others() {
    let sweep = fixture::sweep();
    let (mut traces, mut all) = (BTreeSet::new(), BTreeSet::new());
    for rollout in &sweep.rollouts {
        let (_, otlp) = told(&sweep, rollout);
        assert_eq!(otlp, told(&sweep, rollout).1);
        for span in spans(&otlp) {
            traces.insert(span["traceId"].as_str().unwrap().to_owned());
            all.insert(span["spanId"].as_str().unwrap().to_owned());
        }
    }
    assert_eq!(traces.len(), sweep.rollouts.len());
    assert_eq!(all.len(), 3 * sweep.rollouts.len());
    assert!(traces.iter().all(|id| id.len() == 32) && all.iter().all(|id| id.len() == 16));
    let mut again = sweep.rollouts[0].clone();
    again.attempt = 2;
    let (atif, otlp) = told(&sweep, &again);
    assert!(atif["trajectory_id"].as_str().unwrap().ends_with("::r1.2"));
    assert!(!traces.contains(spans(&otlp)[0]["traceId"].as_str().unwrap()));
}

/// Tokens as ATIF tells them, back in buckets that do not overlap.
fn from_atif(metrics: &Value, prefix: &str) -> Option<Usage> {
    let of = |key: &str| metrics[format!("{prefix}{key}")].as_u64();
    let written = |key: &str| metrics["extra"][key].as_u64();
    let (read, five, hour) = (
        of("cached_tokens")?,
        written("cache_write_5m_tokens")?,
        written("cache_write_1h_tokens")?,
    );
    Some(Usage {
        input_uncached: of("prompt_tokens")? - read - five - hour,
        cache_read: read,
        cache_write_5m: five,
        cache_write_1h: hour,
        output: of("completion_tokens")?,
    })
}

/// Tokens as a span tells them, back in buckets that do not overlap.
fn from_span(span: &Value) -> Option<Usage> {
    let of = |key: &str| text(span, key).map(|value| value.parse::<u64>().unwrap());
    let read = of("gen_ai.usage.cache_read.input_tokens")?;
    let written = of("gen_ai.usage.cache_write.input_tokens")?;
    let hour = of("crossbar.usage.cache_write_1h.input_tokens")?;
    Some(Usage {
        input_uncached: of("gen_ai.usage.input_tokens")? - read - written,
        cache_read: read,
        cache_write_5m: written - hour,
        cache_write_1h: hour,
        output: of("gen_ai.usage.output_tokens")?,
    })
}

fn usage() -> impl Strategy<Value = Option<Usage>> {
    let bucket = 0_u64..1_000_000_000;
    let known = prop::array::uniform5(bucket).prop_map(|[a, b, c, d, e]| Usage {
        input_uncached: a,
        cache_read: b,
        cache_write_5m: c,
        cache_write_1h: d,
        output: e,
    });
    prop::option::weighted(0.9, known)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tokens_come_back_whole_out_of_both_ways_of_counting(usages in prop::collection::vec(usage(), 1..6)) {
        let (sweep, mut rollout) = rollout();
        let step = Step { calls: Vec::new(), ..rollout.trajectory.steps[0].clone() };
        rollout.trajectory.steps = usages
            .iter()
            .zip(1_u32..)
            .map(|(usage, index)| Step { index, usage: *usage, ..step.clone() })
            .collect();
        rollout.usage = rollout.trajectory.usage();
        let (atif, otlp) = told(&sweep, &rollout);
        let steps = atif["steps"].as_array().unwrap().iter().skip(1);
        let back: Vec<_> = steps.map(|step| from_atif(&step["metrics"], "")).collect();
        prop_assert_eq!(&back, &usages);
        prop_assert_eq!(from_atif(&atif["final_metrics"], "total_"), Usage::total(usages.iter().copied()));
        let spans = spans(&otlp);
        let back: Vec<_> = spans[1..].iter().map(|span| from_span(span)).collect();
        prop_assert_eq!(&back, &usages);
        prop_assert_eq!(from_span(spans[0]), Usage::total(usages.iter().copied()));
    }
}
