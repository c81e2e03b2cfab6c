//! What is sent again and what is not, over a whole sweep: refusals are waited out, what may have
//! been paid is never asked for twice, and a provider's long wait ends one rollout alone.

use super::{PRICE, paid, project};
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Output, Project};
use serde_json::Value;
use std::sync::{Arc, Barrier, Mutex};
use std::time::{Duration, Instant};

const TASKS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

fn run(project: &Project) -> Output {
    project.crossbar(&["run", "--live", "--budget", "9"])
}

/// How each rollout ended: its outcome, its detail and its cost in dollars.
fn ends(project: &Project) -> Vec<(String, String, String)> {
    let rollouts = project.rollouts("runs/latest");
    let end = |line: &std::collections::BTreeMap<String, String>| {
        let field = |name: &str| line[name].clone();
        (field("outcome"), field("detail"), field("cost_usd"))
    };
    rollouts.lines.iter().map(end).collect()
}

fn end(outcome: &str, detail: &str, cost: &str) -> (String, String, String) {
    (outcome.to_owned(), detail.to_owned(), cost.to_owned())
}

/// Why the first rollout could not be measured.
fn message(project: &Project) -> String {
    project.sweep("runs/latest")["rollouts"][0]["outcome"]["message"].to_string()
}

/// The steps of the first rollout.
fn steps(project: &Project) -> Value {
    project.sweep("runs/latest")["rollouts"][0]["trajectory"]["steps"].clone()
}

fn answer() -> Reply {
    Reply::text("4").usage(20, 100)
}

fn busy() -> Reply {
    Reply::error(429, "slow down").header("retry-after-ms", "20")
}

#[test]
fn eight_parallel_rollouts_pass_a_strict_window_without_a_failed_one() {
    /// Requests that one window takes.
    const MOST: usize = 3;
    let window = Arc::new(Mutex::new((Instant::now(), 0_usize)));
    let refused = Arc::new(Mutex::new(0_usize));
    let refusals = Arc::clone(&refused);
    // The first eight come together, so the first window is passed for certain.
    let together = Barrier::new(8);
    let server = CountingServer::start(move |request| {
        if request.number <= 8 {
            together.wait();
        }
        let mut window = window.lock().unwrap();
        if window.0.elapsed() > Duration::from_millis(50) {
            *window = (Instant::now(), 0);
        }
        window.1 += 1;
        if window.1 > MOST {
            *refusals.lock().unwrap() += 1;
            return busy();
        }
        answer()
    });
    let models = paid("paid", &server, PRICE);
    let project = project(&models, "{repeats: 2, concurrency: 8}", &TASKS);
    let output = run(&project);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(ends(&project), vec![end("accepted", "", "0.001000"); 16]);
    let refused = *refused.lock().unwrap();
    assert!(refused >= 8 - MOST, "{refused} were refused");
    assert_eq!(server.requests().len(), 16 + refused);
    // What was refused costs nothing and holds nothing.
    let budget = "spent and $0.00 held of $9.00";
    assert!(output.stdout.contains(budget), "{output}");
}

#[test]
fn a_wait_of_a_day_ends_its_rollout_and_the_sweep_goes_on() {
    let server = CountingServer::start(|request| match request.prompt() {
        "What is 2+2? (a)" => {
            Reply::error(429, "come back tomorrow").header("Retry-After", "86400")
        }
        _ => answer(),
    });
    let models = paid("paid", &server, PRICE);
    let project = project(&models, "{repeats: 1, concurrency: 1}", &TASKS[..3]);
    let output = run(&project);
    assert_eq!(output.code, Some(4), "{output}");
    let failed = end("infrastructure_failure", "rate_limited", "0.000000");
    let accepted = end("accepted", "", "0.001000");
    assert_eq!(ends(&project), [failed, accepted.clone(), accepted]);
    let message = message(&project);
    assert!(message.contains("come back tomorrow"), "{message}");
    assert!(message.contains("asks to wait 86400 s"), "{message}");
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn c01_an_overload_that_passes_is_a_retry_in_the_trace_and_costs_nothing() {
    let server = CountingServer::start(|request| match request.number {
        1 | 2 => Reply::error(529, "Overloaded").header("retry-after-ms", "1"),
        _ => answer(),
    });
    let project = project(&paid("paid", &server, PRICE), "{repeats: 1}", &TASKS[..1]);
    let output = run(&project);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(ends(&project), [end("accepted", "", "0.001000")]);
    let steps = steps(&project);
    assert_eq!(
        (&steps[0]["retries"], steps.as_array().unwrap().len()),
        (&2.into(), 1)
    );
}

#[test]
fn an_overload_that_stays_is_an_infrastructure_failure_after_five_tries() {
    let server =
        CountingServer::start(|_| Reply::error(529, "Overloaded").header("retry-after-ms", "1"));
    let project = project(&paid("paid", &server, PRICE), "{repeats: 1}", &TASKS[..1]);
    let output = run(&project);
    assert_eq!(output.code, Some(4), "{output}");
    assert_eq!(ends(&project)[0].0, "infrastructure_failure");
    assert_eq!(server.requests().len(), 5);
    let message = message(&project);
    assert!(message.contains("tried 5 times"), "{message}");
}

#[test]
fn a_refused_setting_stops_its_cell_after_one_call_and_no_other_cell() {
    let server = CountingServer::start(|request| match request.body["model"].as_str() {
        Some("absent") => Reply::error(404, "there is no model `absent`"),
        _ => answer(),
    });
    let models = paid("absent", &server, PRICE) + &paid("paid", &server, PRICE);
    let project = project(&models, "{repeats: 2, concurrency: 1}", &TASKS[..3]);
    let output = run(&project);
    assert_eq!(output.code, Some(4), "{output}");
    let asked = server.requests();
    let of = |id: &str| {
        asked
            .iter()
            .filter(|request| request.body["model"] == id)
            .count()
    };
    assert_eq!((of("absent"), of("paid")), (1, 6));
    let found = ends(&project);
    let lost = found
        .iter()
        .filter(|end| end.0 == "infrastructure_failure")
        .count();
    assert_eq!((lost, found.len()), (6, 12));
    let message = message(&project);
    assert!(message.contains("there is no model `absent`"), "{message}");
}
