//! A rollout as spans of OpenTelemetry, in OTLP/JSON: one request of `TracesData` per line, which is
//! what the file exporter and the file receiver of the collector mean by OTLP lines.
//!
//! Sources: the JSON encoding of the OTLP specification 1.x (ids in hexadecimal, 64-bit numbers as
//! text, kinds and codes as numbers), and the conventions for generative AI at the commit below.
//! Their token counts include each other: `input_tokens` is all input, what a cache gave or took
//! among it. What they have no name for is called `crossbar.*`; what is unknown has no attribute.

mod attributes;
mod spans;

use super::ReportError;
use super::exported::Exported;
use attributes::Attributes;
use serde_json::json;

/// The conventions that the names are of; all of them are still in development.
const SEMCONV: &str = "open-telemetry/semantic-conventions-genai@024a4f94";

/// The spans of one rollout, a trace of its own, on one line.
pub(super) fn text(told: &Exported<'_>) -> Result<String, ReportError> {
    let meta = &told.frozen.meta;
    let mut resource = Attributes::default();
    resource
        .text("service.name", "crossbar")
        .text("service.version", &meta.crossbar)
        .text("crossbar.semconv", SEMCONV)
        .text("crossbar.run_id", told.frozen.run_id.as_str())
        .text("crossbar.dataset_hash", &told.frozen.dataset_hash)
        .text("crossbar.verdict", told.frozen.analysis.verdict().word());
    let document = json!({"resourceSpans": [{
        "resource": {"attributes": resource},
        "scopeSpans": [{
            "scope": {"name": "crossbar", "version": meta.crossbar},
            "spans": spans::of(told),
        }],
    }]});
    Ok(serde_json::to_string(&document)? + "\n")
}
