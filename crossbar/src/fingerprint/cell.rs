//! The fingerprint of a cell: its model and its harness, with what each sends.

use super::canonical::{hex, of_value};
use crate::domain::{Additions, HarnessSpec, Isolation, Model};
use serde_json::{Map, Value, json};

const UNKNOWN: &str = "unknown";
const NONE: &str = "none";

/// What drives a model, with the version of each part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Driver<'a> {
    /// crossbar's version.
    pub crossbar: &'a str,
    /// The program that drives it, where one does.
    pub program: Option<PinnedProgram<'a>>,
}

/// A program that drives a model by itself, as crossbar is tested with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PinnedProgram<'a> {
    /// Its package.
    pub package: &'a str,
    /// The version that crossbar is tested with.
    pub version: &'a str,
    /// How often it asks its model again by itself after a failed request.
    pub retries: u32,
}

impl Driver<'_> {
    /// The agent as reports and references name it: `react (crossbar 0.1.0)`, and with the
    /// program's version where a program drives the model.
    #[must_use]
    pub fn agent(&self, harness: &HarnessSpec) -> String {
        let (kind, crossbar) = (&harness.kind, self.crossbar);
        match self.program {
            Some(program) => format!("{kind} {} (crossbar {crossbar})", program.version),
            None => format!("{kind} (crossbar {crossbar})"),
        }
    }
}

/// The parts of a cell that change behaviour, as one JSON object: the frozen configuration.
///
/// Prices are left out (they change the bill, not the behaviour), and so is the name of the
/// key's variable. What crossbar can't know is the word `unknown`, and what a loop of crossbar's
/// own does not do is the word `none`; neither is left out. The permission policy is each task's
/// own, and in its fingerprint; which tools a server offers, and how it describes them, is told
/// when it runs. `program` is there for a cell that one drives, so that the fingerprints of other
/// cells are what they were before there were programs.
#[must_use]
pub fn cell_parts(model: &Model, harness: &HarnessSpec, driver: &Driver<'_>) -> Value {
    let mut parts = json!({
        "model": {
            "provider": model.provider,
            "requested": model.model,
            "snapshot": UNKNOWN,
            "base_url": model.base_url,
            "params": model.params,
            "reasoning_budget": reasoning(model),
            "skill": model.skill,
            "recover": model.recover,
        },
        "harness": {
            "kind": harness.kind,
            "verify": harness.verify,
            "instructions": harness.instructions,
            "instructions_hash": harness.instructions.as_ref().map(|text| of_value(&json!(text))),
            "version": driver.crossbar,
            "commit": UNKNOWN,
            "lockfile": UNKNOWN,
            "tool_schemas": UNKNOWN,
            "permission_policy": "the task's own",
            "context_compression": NONE,
            "retrieval": NONE,
            "retries": NONE,
            "image": NONE,
        },
    });
    if let Some(program) = driver.program {
        let PinnedProgram {
            package,
            version,
            retries,
        } = program;
        parts["harness"]["program"] = json!(format!("{package}@{version}"));
        parts["harness"]["retries"] = json!(retries);
    }
    if let Some(command) = &harness.command {
        parts["harness"]["command"] = json!(command);
    }
    add(&mut parts["harness"], &harness.additions);
    parts
}

/// What the program is given on top, every byte of it; only what there is, so that the fingerprints
/// of other cells are what they were before there was such a thing.
fn add(harness: &mut Value, additions: &Additions) {
    if let Some(text) = &additions.instruction_file {
        harness["instruction_file"] = json!(text);
    }
    if let Some(skills) = &additions.skills {
        let skills = skills.iter().map(|skill| {
            let files = skill.files.iter();
            let files: Map<String, Value> = files
                .map(|file| (file.path.clone(), bytes(&file.bytes)))
                .collect();
            (skill.name.clone(), Value::Object(files))
        });
        harness["skills"] = Value::Object(skills.collect());
    }
    if additions.isolation != Isolation::Default {
        harness["isolation"] = json!(additions.isolation);
    }
}

/// A file's text, or where it is none, its bytes as hexadecimal digits.
fn bytes(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => json!(text),
        Err(_) => json!({"hex": hex(bytes)}),
    }
}

/// The setting under which vendors take it, where the roster has one.
fn reasoning(model: &Model) -> Value {
    ["reasoning_effort", "reasoning", "thinking"]
        .iter()
        .find_map(|key| model.params.get(*key).cloned())
        .unwrap_or_else(|| json!(UNKNOWN))
}

/// The fingerprint of a cell: the hash of [`cell_parts`].
#[must_use]
pub fn cell_fingerprint(model: &Model, harness: &HarnessSpec, driver: &Driver<'_>) -> String {
    of_value(&cell_parts(model, harness, driver))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{AddedFile, Price, Skill};
    use std::collections::BTreeMap;

    const LOOP: Driver<'static> = Driver {
        crossbar: "0.1.0",
        program: None,
    };

    fn model() -> Model {
        Model {
            id: "m".into(),
            provider: "mock".into(),
            model: "m-1".into(),
            base_url: None,
            api_key_env: None,
            price: Price::Free,
            params: BTreeMap::new(),
            limits: crate::domain::ModelLimits::default(),
            skill: 0.9,
            recover: 0.0,
        }
    }

    fn harness() -> HarnessSpec {
        HarnessSpec {
            id: "h".into(),
            kind: "react".into(),
            verify: false,
            instructions: None,
            additions: Default::default(),
            command: None,
        }
    }

    #[test]
    fn a_changed_prompt_is_another_configuration_and_a_changed_price_is_not() {
        let base = cell_fingerprint(&model(), &harness(), &LOOP);
        let mut worded = harness();
        worded.instructions = Some("Be brief.".into());
        assert_ne!(base, cell_fingerprint(&model(), &worded, &LOOP));
        let mut dear = model();
        dear.price = Price::Unknown;
        assert_eq!(base, cell_fingerprint(&dear, &harness(), &LOOP));
        let mut hot = model();
        hot.params.insert("temperature".into(), json!(0.8));
        assert_ne!(base, cell_fingerprint(&hot, &harness(), &LOOP));
    }
    #[test]
    fn a_configuration_tells_each_part_or_that_it_is_unknown() {
        let mut worded = harness();
        worded.instructions = Some("Be brief.".into());
        let mut thinking = model();
        thinking
            .params
            .insert("reasoning_effort".into(), json!("low"));
        let parts = cell_parts(&thinking, &worded, &LOOP);
        assert_eq!(parts["model"]["reasoning_budget"], "low");
        assert_eq!(parts["model"]["snapshot"], "unknown");
        assert_eq!(parts["harness"]["instructions"], "Be brief.");
        let hash = parts["harness"]["instructions_hash"].as_str().unwrap();
        worded.instructions = Some("Be brief!".into());
        let other = cell_parts(&thinking, &worded, &LOOP);
        assert_ne!(other["harness"]["instructions_hash"], hash);
        let unsaid = cell_parts(&model(), &harness(), &LOOP);
        assert_eq!(unsaid["model"]["reasoning_budget"], "unknown");
    }

    #[test]
    fn every_byte_of_a_skill_and_of_an_instruction_file_is_a_part_of_the_cell() {
        let skilled = |bytes: &[u8]| {
            let file = AddedFile {
                path: "SKILL.md".to_owned(),
                bytes: bytes.to_vec(),
            };
            let mut harness = harness();
            harness.additions.skills = Some(vec![Skill {
                name: "greet".to_owned(),
                files: vec![file],
            }]);
            harness
        };
        let (one, other) = (skilled(b"Hi"), skilled(b"Hi!"));
        let binary = [skilled(&[0xff]), skilled(&[0xfe])];
        let print = |harness: &HarnessSpec| cell_fingerprint(&model(), harness, &LOOP);
        let parts = cell_parts(&model(), &one, &LOOP);
        assert_eq!(
            parts["harness"]["skills"],
            json!({"greet": {"SKILL.md": "Hi"}})
        );
        let mut told = harness();
        told.additions.instruction_file = Some("Be kind.".to_owned());
        let mut bare = harness();
        bare.additions.isolation = Isolation::Bare;
        let mut none = harness();
        none.additions.skills = Some(Vec::new());
        let all = [&harness(), &none, &one, &other, &told, &bare].map(print);
        let all: Vec<String> = all.into_iter().chain(binary.iter().map(print)).collect();
        let apart: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(apart.len(), all.len());
    }

    #[test]
    fn a_program_is_a_part_of_its_cell_with_its_version_and_its_retries() {
        let driven = |version, retries| Driver {
            program: Some(PinnedProgram {
                package: "@vendor/agent",
                version,
                retries,
            }),
            ..LOOP
        };
        let parts = cell_parts(&model(), &harness(), &driven("2.1", 2));
        assert_eq!(parts["harness"]["program"], "@vendor/agent@2.1");
        assert_eq!(parts["harness"]["retries"], 2);
        let print = |driver: Driver<'_>| cell_fingerprint(&model(), &harness(), &driver);
        assert_ne!(print(driven("2.1", 2)), print(driven("2.2", 2)));
        assert_ne!(print(driven("2.1", 2)), print(driven("2.1", 3)));
        assert_eq!(
            driven("2.1", 2).agent(&harness()),
            "react 2.1 (crossbar 0.1.0)"
        );
        let own = cell_parts(&model(), &harness(), &LOOP);
        assert_eq!(own["harness"]["retries"], "none");
        assert!(own["harness"].get("program").is_none(), "as it was before");
        assert_eq!(LOOP.agent(&harness()), "react (crossbar 0.1.0)");
    }
}
