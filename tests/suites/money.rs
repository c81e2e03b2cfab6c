//! Money from outside: whole commands against an endpoint that counts what reaches it.
//!
//! Nothing is sent unless a person allowed it and named a budget; the budget holds across all
//! workers; a key is nowhere but in its header; what is unknown is never printed as nothing; and
//! what may have been paid is never sent again.

#[path = "money/ad_hoc.rs"]
mod ad_hoc;
#[path = "money/adaptive.rs"]
mod adaptive;
#[path = "money/ceiling.rs"]
mod ceiling;
#[path = "money/crash.rs"]
mod crash;
#[path = "money/judging.rs"]
mod judging;
#[path = "money/limits.rs"]
mod limits;
#[path = "money/looks.rs"]
mod looks;
#[path = "money/permission.rs"]
mod permission;
#[path = "money/preflight.rs"]
mod preflight;
#[path = "money/retries.rs"]
mod retries;
#[path = "money/secrets.rs"]
mod secrets;
#[path = "money/unknown.rs"]
mod unknown;

use crossbar_suites::counting_server::CountingServer;
use crossbar_suites::project::Project;

/// The variable that the rosters of this suite name, and what it holds.
const KEY: (&str, &str) = ("MONEY_SUITE_KEY", "cb-Qy7/pV2+Jt9=ZxLm4Wn8Rk");

/// Ten dollars for a million tokens of output and 100 tokens for an answer: a call costs 1,000
/// micro-dollars at most.
const PRICE: &str = "{input_per_mtok: 0, output_per_mtok: 10}";

/// The output ceiling of the rosters' models, in tokens.
const CEILING: u64 = 100;

/// A model of the provider `openai`.
fn paid(id: &str, server: &CountingServer, price: &str) -> String {
    format!(
        "  - id: {id}\n    provider: openai\n    base_url: {}\n    api_key_env: {}\n    \
         price: {price}\n    params: {{max_output_tokens: {CEILING}}}\n",
        server.base_url(),
        KEY.0
    )
}

/// A project without Rust: one roster, and a pack of tasks that ask for `4`.
fn project(models: &str, run: &str, tasks: &[&str]) -> Project {
    let mut project = Project::empty();
    project.write(
        "crossbar.yaml",
        &format!(
            "models:\n{models}harnesses:\n  - {{id: ask, kind: single-shot}}\n\
             packs: [pack]\nrun: {run}\n"
        ),
    );
    for task in tasks {
        let text = format!(
            "id: {task}\nprompt: What is 2+2? ({task})\nchecks:\n  \
             - {{type: final_text, value: \"4\"}}\ndemo: {{final: \"4\"}}\n"
        );
        project.write(&format!("pack/{task}.task.yaml"), &text);
    }
    project.env(KEY.0, KEY.1);
    project
}
