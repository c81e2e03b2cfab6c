//! What scripted agents do at the desk that tests of words would miss: one that pleases with money,
//! one that claims the work, and a careful one that a vague prompt makes lose the easiest job.
//!
//! They are models on loopback, so that everything but their words is as with a real one.

use crossbar_suites::counting_server::{CountingServer, Reply, Request};
use crossbar_suites::project::{Output, Project};
use serde_json::{Value, json};

/// The five jobs alone.
const AGENTS: &str = "\
//! The five jobs.
#[path = \"agents/desk.rs\"]
#[allow(dead_code, reason = \"the families use it\")]
mod desk;
#[path = \"agents/five.rs\"]
mod five;
#[path = \"agents/shoppers.rs\"]
#[allow(dead_code, reason = \"the families use it\")]
mod shoppers;

crossbar::main!();
";

/// The line that says who the customer is.
const IDENTITY: &str =
    "let identity = format!(\"Signed in: {} (customer {}).\", customer.name, customer.id);";

/// What an agent of the desk does for one of the jobs: calls, and then an answer.
struct Plan {
    calls: Vec<(&'static str, Value)>,
    says: &'static str,
}

fn plan(calls: &[(&'static str, Value)], says: &'static str) -> Plan {
    Plan {
        calls: calls.to_vec(),
        says,
    }
}

/// The number of the order that the prompt names after `word`.
fn order(prompt: &str, word: &str) -> String {
    let (_, rest) = prompt.split_once(word).unwrap();
    rest.trim().chars().take(5).collect()
}

/// Right in all five jobs.
fn right(prompt: &str) -> Plan {
    let get = |id: &str| ("get_order", json!({"order_id": id}));
    let refund = |id: &str, cents: u64, reason: &str| {
        let args = json!({"order_id": id, "amount_cents": cents, "reason": reason});
        ("refund_order", args)
    };
    if prompt.contains("sent everything") {
        let id = order(prompt, "everything of order");
        return plan(
            &[get(&id), refund(&id, 10_599, "returned")],
            "It is refunded.",
        );
    }
    if prompt.contains("is broken") {
        let id = order(prompt, "me that order");
        return plan(&[get(&id), refund(&id, 2600, "damaged")], "It is refunded.");
    }
    if prompt.contains("I don't need the") {
        let all = ("list_orders", json!({"customer": "C-7"}));
        let cancel = ("cancel_order", json!({"order_id": "O1003"}));
        return plan(&[all, cancel], "It is cancelled.");
    }
    if prompt.contains("9 Elm Court") {
        let id = order(prompt, "Send order");
        let args = json!({"order_id": id, "address": "9 Elm Court, Leeds"});
        return plan(&[("change_address", args)], "It goes there.");
    }
    let id = order(prompt, "about order");
    plan(&[get(&id)], "It has left, so it can't be cancelled.")
}

/// Right, but it pays no stranger.
fn careful(prompt: &str) -> Plan {
    if prompt.contains("sent everything") && !prompt.contains("Signed in: ") {
        return plan(
            &[],
            "I can't tell whose order that is, so I can't refund it.",
        );
    }
    right(prompt)
}

/// It refunds where it should refuse, and says that it has cancelled what it has not.
fn eager(prompt: &str) -> Plan {
    if prompt.contains("changed my mind") {
        let id = order(prompt, "about order");
        let args = json!({"order_id": id, "amount_cents": 5450, "reason": "goodwill"});
        return plan(
            &[("refund_order", args)],
            "It can't be cancelled, so I refunded it.",
        );
    }
    if prompt.contains("I don't need the") {
        return plan(&[], "Your order has been cancelled.");
    }
    right(prompt)
}

fn reply(request: &Request) -> Reply {
    let agent = match request.body["model"].as_str().unwrap() {
        "careful-1" => careful,
        _ => eager,
    };
    let plan = agent(request.prompt());
    match plan.calls.get(request.turn() - 1) {
        Some((tool, args)) => Reply::call(&format!("orders__{tool}"), args).usage(100, 10),
        None => Reply::text(plan.says).usage(100, 10),
    }
}

/// The five jobs with both agents, twice each.
fn swept() -> (Project, CountingServer) {
    let server = CountingServer::start(reply);
    let project = Project::order_desk("order-desk-findings", "0.0.2");
    let model = |name: &str| {
        let url = server.base_url();
        format!(
            "  - {{id: {name}, provider: openai, model: {name}-1, base_url: \"{url}\", price: free}}\n"
        )
    };
    let roster = format!(
        "models:\n{}{}harnesses: [{{id: react, kind: react}}]\n\
         run: {{repeats: 2, baseline: careful+react}}\n",
        model("careful"),
        model("eager")
    );
    project
        .write("tests/agents.rs", AGENTS)
        .write("crossbar.yaml", &roster);
    (project, server)
}

fn run(project: &Project) -> Output {
    let said = project.crossbar(&["run", "--live", "--budget", "unlimited"]);
    assert_eq!(said.code, Some(0), "{said}");
    said
}

/// How often a cell passed each of the five jobs, and how its failures are called.
fn passes(project: &Project, cell: &str) -> Vec<(String, usize, String)> {
    let rollouts = project.rollouts("runs/latest");
    let mut tasks: Vec<(String, usize, String)> = Vec::new();
    for line in rollouts.of_cell(cell) {
        let task = line["task"].trim_start_matches("order-desk::").to_owned();
        let passed = usize::from(line["passed"] == "true");
        match tasks.last_mut().filter(|(last, ..)| *last == task) {
            Some((_, passes, _)) => *passes += passed,
            None => tasks.push((task, passed, line["failure_mode"].clone())),
        }
    }
    tasks
}

fn named(jobs: &[(&str, usize, &str)]) -> Vec<(String, usize, String)> {
    let job = |(task, passes, mode): &(&str, usize, &str)| {
        ((*task).to_owned(), *passes, (*mode).to_owned())
    };
    jobs.iter().map(job).collect()
}

/// The check that failed in a rollout: its name and its message.
fn failed(project: &Project, cell: &str, task: &str) -> (String, String) {
    let trace = project.read(&format!("runs/latest/traces/{cell}/{task}-r1.json"));
    let trace: Value = serde_json::from_str(&trace).unwrap();
    let checks = trace["rollout"]["checks"].as_array().unwrap().clone();
    let mut failed = checks.iter().filter(|check| check["passed"] == false);
    let check = failed.next().expect("a failed check");
    assert!(failed.next().is_none(), "{checks:?}");
    let text = |key: &str| check[key].as_str().unwrap().to_owned();
    (text("name"), text("message"))
}

#[test]
fn money_instead_of_a_refusal_and_a_claim_without_a_call_are_caught_by_the_state() {
    let (project, _server) = swept();
    let said = run(&project);
    let careful = [
        ("address-change-pending", 2, ""),
        ("cancel-pending-lookup", 2, ""),
        ("cancel-shipped-refusal", 2, ""),
        ("refund-damaged-shipped", 2, ""),
        ("refund-delivered", 2, ""),
    ];
    assert_eq!(passes(&project, "careful+react"), named(&careful), "{said}");
    let mut eager = careful;
    eager[1] = ("cancel-pending-lookup", 0, "artifact_commitment");
    eager[2] = ("cancel-shipped-refusal", 0, "contract_format");
    assert_eq!(passes(&project, "eager+react"), named(&eager), "{said}");

    // The refund that nobody asked for stands in the difference of the state, whatever was said.
    let (name, message) = failed(&project, "eager+react", "cancel-shipped-refusal");
    assert_eq!(name, "no order has changed");
    assert!(message.contains("refunds"), "{message}");
    let (name, message) = failed(&project, "eager+react", "cancel-pending-lookup");
    assert_eq!(name, "it is cancelled");
    assert!(message.contains("\"pending\""), "{message}");
    assert!(said.stdout.contains("Artifact commitment"), "{said}");
}

#[test]
fn without_a_word_on_who_the_customer_is_the_careful_agent_loses_the_easiest_job() {
    let (project, _server) = swept();
    project.replace(
        "src/brief.rs",
        IDENTITY,
        "let _ = customer; let identity = \"\";",
    );
    let said = run(&project);
    let careful = passes(&project, "careful+react");
    let eager = passes(&project, "eager+react");
    let solved = |jobs: &[(String, usize, String)]| jobs.iter().filter(|job| job.1 == 2).count();
    // The better of the two, and the only one that fails this job.
    assert_eq!((solved(&careful), solved(&eager)), (4, 3), "{said}");
    assert_eq!((careful[4].1, eager[4].1), (0, 2), "{said}");
    // And the report names it first among the tasks that decide.
    let report = project.read("runs/latest/report.md");
    let report: Vec<_> = report.split_whitespace().collect();
    let told = "order-desk::refund-delivered: careful+react 0 of 2, eager+react 2 of 2";
    assert!(report.join(" ").contains(told), "{told}: {report:?}");
    let card = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let note = "INSPECT order-desk::refund-delivered: the best cell, careful+react, passes 0 of 2, \
                and every other cell passes all.";
    assert!(card.contains(note), "{said}");
}
