//! What other tools are told of a run: where the files go, that spans are OTLP/JSON, and that the
//! figures are those of the record.

use super::figures::run;
use crossbar_suites::project::Project;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

fn attribute<'a>(holder: &'a Value, key: &str) -> Option<&'a Value> {
    let mut all = holder["attributes"].as_array().unwrap().iter();
    all.find(|one| one["key"] == key).map(|one| &one["value"])
}

fn text<'a>(holder: &'a Value, key: &str) -> &'a str {
    let value = attribute(holder, key).unwrap_or_else(|| panic!("no {key}: {holder}"));
    value["stringValue"].as_str().unwrap()
}

/// What a reader of OTLP/JSON would stumble over in one line, by the rules of the encoding.
fn check_line(line: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(line).unwrap();
    let resource = &data["resourceSpans"][0];
    check_attributes(&resource["resource"]);
    assert_eq!(text(&resource["resource"], "service.name"), "crossbar");
    let scope = &resource["scopeSpans"][0];
    assert!(scope["scope"]["name"].is_string());
    let spans = scope["spans"].as_array().unwrap().clone();
    let root = &spans[0];
    for span in &spans {
        assert_eq!(span["traceId"], root["traceId"]);
        assert_hex(&span["traceId"], 32);
        assert_hex(&span["spanId"], 16);
        match std::ptr::eq(span, root) {
            true => assert!(span.get("parentSpanId").is_none(), "{span}"),
            false => assert_eq!(span["parentSpanId"], root["spanId"]),
        }
        assert!(
            (1..=5).contains(&span["kind"].as_u64().unwrap()),
            "a number of SpanKind"
        );
        let (began, ended) = (
            nanos(&span["startTimeUnixNano"]),
            nanos(&span["endTimeUnixNano"]),
        );
        assert!(
            began > 1_700_000_000_000_000_000 && began <= ended,
            "{span}"
        );
        assert!(
            began >= nanos(&root["startTimeUnixNano"]) && ended <= nanos(&root["endTimeUnixNano"]),
            "{span}"
        );
        check_attributes(span);
        for event in span["events"].as_array().unwrap() {
            assert!(event["name"].is_string());
            nanos(&event["timeUnixNano"]);
            check_attributes(event);
        }
        let code = &span["status"]["code"];
        assert!(
            code.is_null() || code == 2,
            "a number of StatusCode: {code}"
        );
    }
    spans
}

fn assert_hex(id: &Value, digits: usize) {
    let id = id.as_str().unwrap();
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    assert!(id.len() == digits && id.chars().all(is_digit), "{id}");
    assert!(id.chars().any(|c| c != '0'), "an id of zeros is none");
}

/// A 64-bit number is a text in JSON.
fn nanos(value: &Value) -> u64 {
    value
        .as_str()
        .expect("64-bit numbers are texts")
        .parse()
        .unwrap()
}

fn check_attributes(holder: &Value) {
    let mut seen = BTreeMap::new();
    for one in holder["attributes"].as_array().unwrap() {
        let key = one["key"].as_str().unwrap();
        assert!(seen.insert(key, ()).is_none(), "{key} twice");
        let value = one["value"].as_object().unwrap();
        assert_eq!(value.len(), 1, "one kind of value: {one}");
        let (kind, value) = value.iter().next().unwrap();
        match kind.as_str() {
            "stringValue" => assert!(value.is_string()),
            "intValue" => drop(value.as_str().unwrap().parse::<i64>().unwrap()),
            "doubleValue" => assert!(value.is_number()),
            other => panic!("{other} is no value of OTLP"),
        }
    }
}

#[test]
fn a_run_leaves_one_trajectory_per_rollout_and_one_line_of_spans() {
    let project = Project::pack();
    let said = run(&project, &["--export", "atif", "--export", "otlp"]);
    assert!(said.stderr.contains("12 rollouts written to "), "{said}");
    let sweep = project.sweep("runs/latest");
    let folder = format!("runs/{}", sweep["run_id"].as_str().unwrap());
    let traces: Vec<_> = project.bytes("runs/latest/traces").into_keys().collect();
    let files: Vec<_> = project
        .bytes(&format!("{folder}/atif"))
        .into_keys()
        .collect();
    assert_eq!(files, traces, "each beside its trace, under the same name");

    let lines = project.read(&format!("{folder}/otlp.jsonl"));
    let rollouts = sweep["rollouts"].as_array().unwrap();
    assert_eq!(lines.lines().count(), rollouts.len());
    for (line, rollout) in lines.lines().zip(rollouts) {
        let spans = check_line(line);
        let agents = spans
            .iter()
            .filter(|span| text(span, "gen_ai.operation.name") == "invoke_agent");
        assert_eq!(agents.count(), 1);
        let usage = &rollout["usage"];
        let input =
            usage["input_uncached"].as_u64().unwrap() + usage["cache_read"].as_u64().unwrap();
        let told = |key: &str| {
            attribute(&spans[0], key).unwrap()["intValue"]
                .as_str()
                .unwrap()
                .parse::<u64>()
                .unwrap()
        };
        assert_eq!(told("gen_ai.usage.input_tokens"), input);
        assert_eq!(
            told("gen_ai.usage.output_tokens"),
            usage["output"].as_u64().unwrap()
        );
        let micros = attribute(&spans[0], "crossbar.cost_usd").unwrap()["doubleValue"]
            .as_f64()
            .unwrap()
            * 1e6;
        assert!((micros - rollout["cost"]["amount"].as_f64().unwrap()).abs() < 1e-3);
        assert_eq!(
            text(&spans[0], "crossbar.cell"),
            rollout["key"]["cell"].as_str().unwrap()
        );
    }
}

#[test]
fn an_export_is_a_function_of_the_record() {
    let project = Project::pack();
    let said = run(
        &project,
        &[
            "--agent",
            "poor+react",
            "--export",
            "atif",
            "--export",
            "otlp",
        ],
    );
    let folder = format!(
        "runs/{}",
        project.sweep("runs/latest")["run_id"].as_str().unwrap()
    );
    assert_eq!(said.code, Some(0), "{said}");
    for format in ["atif", "otlp"] {
        let again = project.crossbar(&["export", "--format", format, "--out", "again"]);
        assert_eq!(again.code, Some(0), "{again}");
        assert!(
            again.stdout.contains("6 rollouts written to again"),
            "{again}"
        );
    }
    assert_eq!(
        project.bytes("again/atif"),
        project.bytes(&format!("{folder}/atif"))
    );
    assert_eq!(
        project.read("again/otlp.jsonl"),
        project.read(&format!("{folder}/otlp.jsonl"))
    );
    // A sweep.json holds the rollouts; only the prompts are the store's.
    let file = project.crossbar(&["export", "runs/latest/sweep.json", "--out", "file"]);
    assert_eq!(file.code, Some(0), "{file}");
    assert_eq!(project.bytes("file/atif").len(), 6);
    let first: Value =
        serde_json::from_str(&project.read("again/atif/poor+react/one-r1.json")).unwrap();
    assert_eq!(
        first["steps"][0]["message"],
        "Ticket T-1001 is urgent. Say so, and give it to oncall."
    );
}

#[test]
fn what_can_not_be_exported_is_a_warning_of_a_run_and_an_error_of_an_export() {
    let mut project = Project::pack();
    project.env("CROSSBAR_RUN_ID", "in-the-way");
    project.write("runs/in-the-way/atif", "a file where the folder would be");
    let said = run(&project, &["--export", "atif"]);
    assert!(
        said.stderr
            .contains("warning: the run is not exported to atif: failed to write"),
        "{said}"
    );
    assert!(!said.stderr.contains("error:"), "{said}");
    assert!(said.stdout.contains("BASELINE"), "{said}");
    let alone = project.crossbar(&["export", "in-the-way"]);
    assert_eq!(alone.code, Some(2), "{alone}");
    assert!(alone.stderr.contains("error: failed to write"), "{alone}");
    let other = project.crossbar(&["export", "--format", "inspect"]);
    assert_eq!(other.code, Some(2), "{other}");
    assert!(other.stderr.contains("atif, otlp"), "{other}");
    assert_eq!(
        fs::read_to_string(project.path().join("runs/in-the-way/atif"))
            .unwrap()
            .len(),
        32
    );
}
