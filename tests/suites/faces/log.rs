//! CROSSBAR_LOG: what happens in each rollout, on standard error and in the run's folder, and nothing
//! where nobody asked.

use crossbar_suites::project::Project;

/// The lines of the run's log, each without its moment.
fn lines(project: &Project, run: &str) -> Vec<String> {
    let text = project.read(&format!("runs/{run}/crossbar.log"));
    let line = |line: &str| {
        let (moment, rest) = line.split_once(' ').unwrap();
        assert!(moment.ends_with('Z') && moment.len() == 24, "{line}");
        rest.to_owned()
    };
    text.lines().map(line).collect()
}

#[test]
fn each_level_tells_what_those_before_it_tell_and_none_tells_nothing() {
    let mut project = Project::pack();
    project.env("CROSSBAR_RUN_ID", "quiet");
    let quiet = project.crossbar(&["run"]);
    assert!(!quiet.stderr.contains(" INFO ") && !project.has("runs/quiet/crossbar.log"));
    let mut counts = Vec::new();
    for level in ["error", "warn", "info", "debug", "trace"] {
        project
            .env("CROSSBAR_RUN_ID", level)
            .env("CROSSBAR_LOG", level);
        let said = project.crossbar(&["run"]);
        assert_eq!(said.code, Some(0), "{said}");
        let lines = lines(&project, level);
        for line in &lines {
            assert!(said.stderr.contains(line.as_str()), "{line}: {said}");
        }
        counts.push(lines.len());
    }
    // Two lines for each of 12 rollouts and 4 controls, and two for the sweep.
    assert_eq!(counts[..3], [0, 0, 34]);
    assert!(counts[2] < counts[3] && counts[3] < counts[4], "{counts:?}");
    let all = lines(&project, "trace");
    for part in [
        "info  desk::one::good+react r1 begins, attempt 1",
        "trace desk::one::good+react r1 calls tickets.set_priority {\"id\":\"T-1001\",\"priority\":\"urgent\"}, which answers: ",
        "debug desk::one::good+react r1 check holds: it is urgent and with oncall",
        "debug desk::one::good+react r1 took validate ",
        "info  desk::one::good+react r1 ends: accepted",
        "info  desk::one::control+noop r1 ends: task_failure",
        "info  the sweep ends",
    ] {
        assert!(
            all.iter().any(|line| line.starts_with(part)),
            "{part}: {all:#?}"
        );
    }

    project
        .env("CROSSBAR_LOG", "error")
        .env("CROSSBAR_RUN_ID", "broken");
    project.serve("{name: tickets, command: no-such-server}");
    assert_eq!(project.crossbar(&["run"]).code, Some(4));
    let errors = lines(&project, "broken");
    assert_eq!(errors.len(), 16, "{errors:#?}");
    let failed = |line: &String| line.contains("ends: infrastructure_failure: ");
    assert!(errors.iter().all(failed), "{errors:#?}");

    project.env("CROSSBAR_LOG", "loud");
    let wrong = project.crossbar(&["run"]);
    assert_eq!(wrong.code, Some(2), "{wrong}");
    assert!(
        wrong
            .stderr
            .contains("error: CROSSBAR_LOG is `loud`\nhelp: "),
        "{wrong}"
    );
}

#[test]
fn the_processes_of_nextest_write_one_log_of_whole_lines() {
    let mut project = Project::first_test();
    project
        .env("CROSSBAR_LOG", "info")
        .env("CROSSBAR_NEXTEST_RUN", "crowd");
    let said = project.nextest(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    let lines = lines(&project, "crowd");
    let ends = lines.iter().filter(|line| line.contains(" ends: "));
    assert_eq!(ends.count(), 18 + 7, "{lines:#?}");
}
