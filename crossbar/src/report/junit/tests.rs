//! junit.xml under a strict reader, whatever an agent prints.

use crate::domain::{InfrastructureEvidence, Outcome, Rollout, SkipReason};
use crate::report::fixture::{HASH, Sweep, sweep};
use proptest::prelude::*;
use roxmltree::{Document, Node};

fn cases<'a>(document: &'a Document<'_>) -> Vec<Node<'a, 'a>> {
    document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
        .collect()
}

fn identities(document: &Document<'_>) -> Vec<(String, String)> {
    let name = |node: &Node<'_, '_>, key| node.attribute(key).unwrap().to_owned();
    cases(document)
        .iter()
        .map(|case| (name(case, "classname"), name(case, "name")))
        .collect()
}

fn kind(case: &Node<'_, '_>) -> &'static str {
    let has = |tag| case.children().any(|node| node.has_tag_name(tag));
    match (has("failure"), has("error"), has("skipped")) {
        (false, false, false) => "passed",
        (true, false, false) => "failure",
        (false, true, false) => "error",
        (false, false, true) => "skipped",
        _ => "two endings",
    }
}

fn property<'a>(node: &Node<'a, '_>, name: &str) -> Option<&'a str> {
    let properties = node
        .children()
        .find(|child| child.has_tag_name("properties"))?;
    let wanted = properties
        .children()
        .find(|child| child.attribute("name") == Some(name))?;
    wanted.attribute("value")
}

#[test]
fn there_is_one_case_per_case_and_one_for_the_verdict() {
    let sweep = sweep();
    let xml = sweep.output("junit");
    let document = Document::parse(&xml).unwrap();
    let mut ids = identities(&document);
    assert_eq!(ids.len(), 3 * 4 + 1);
    assert!(ids.contains(&("mock-weak+react".to_owned(), "desk::close".to_owned())));
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 13, "every (classname, name) is unique");
    assert!(
        cases(&document).iter().all(|case| kind(case) == "passed"),
        "a model that loses is data"
    );
    let verdict = cases(&document)
        .into_iter()
        .find(|case| case.attribute("classname") == Some("crossbar"))
        .unwrap();
    assert_eq!(property(&verdict, "word"), Some("CAN'T TELL"));
    assert_eq!(property(&verdict, "scope"), Some("[these tasks]"));
    assert_eq!(property(&verdict, "dataset_hash"), Some(HASH));
}

#[test]
fn every_element_has_its_time_and_the_counts_agree() {
    let sweep = mixed();
    let xml = sweep.output("junit");
    let document = Document::parse(&xml).unwrap();
    for node in document
        .descendants()
        .filter(|n| ["testsuites", "testsuite", "testcase"].contains(&n.tag_name().name()))
    {
        assert!(
            node.attribute("time")
                .is_some_and(|time| time.parse::<f64>().is_ok()),
            "{node:?}"
        );
    }
    for node in document
        .descendants()
        .filter(|n| ["testsuites", "testsuite"].contains(&n.tag_name().name()))
    {
        let below: Vec<_> = node
            .descendants()
            .filter(|n| n.has_tag_name("testcase"))
            .collect();
        let count = |word| {
            below
                .iter()
                .filter(|case| kind(case) == word)
                .count()
                .to_string()
        };
        assert_eq!(
            node.attribute("tests"),
            Some(below.len().to_string().as_str())
        );
        for (attribute, word) in [
            ("errors", "error"),
            ("failures", "failure"),
            ("skipped", "skipped"),
        ] {
            assert_eq!(
                node.attribute(attribute),
                Some(count(word).as_str()),
                "{attribute}"
            );
        }
    }
}

/// One case that broke, one of which nothing ran, one that lost, the others whole.
fn mixed() -> Sweep {
    let mut sweep = sweep();
    let of = |rollout: &Rollout| {
        (
            rollout.key.cell.to_string(),
            rollout.key.task.task().to_owned(),
            rollout.key.repeat,
        )
    };
    for rollout in &mut sweep.rollouts {
        let (cell, task, repeat) = of(rollout);
        match (cell.as_str(), task.as_str(), repeat) {
            ("mock-weak+react", "close", 2) => {
                rollout.outcome = Outcome::InfrastructureFailure {
                    evidence: InfrastructureEvidence::ServerDied,
                    message: "tool said \u{1b}[31mdenied\u{1b}[0m & exit 3".to_owned(),
                };
            }
            ("mock-weak+react", "route", _) => {
                rollout.outcome = Outcome::Skipped {
                    why: SkipReason::Budget,
                }
            }
            _ => {}
        }
    }
    sweep.again()
}

#[test]
fn what_could_not_be_measured_is_an_error_and_what_did_not_run_is_skipped() {
    let sweep = mixed();
    let xml = sweep.output("junit");
    let document = Document::parse(&xml).unwrap();
    let find = |class: &str, name: &str| {
        let is = |case: &Node<'_, '_>| {
            case.attribute("classname") == Some(class) && case.attribute("name") == Some(name)
        };
        cases(&document).into_iter().find(is).unwrap()
    };
    let broken = find("mock-weak+react", "desk::close");
    assert_eq!(kind(&broken), "error");
    let error = broken
        .children()
        .find(|node| node.has_tag_name("error"))
        .unwrap();
    assert_eq!(error.attribute("type"), Some("infrastructure_failure"));
    assert!(error.text().unwrap().contains("tool said denied & exit 3"));
    assert!(
        error
            .text()
            .unwrap()
            .contains("crossbar show mock-weak+react desk::close -r 2")
    );
    let skipped = find("mock-weak+react", "desk::route");
    assert_eq!(kind(&skipped), "skipped");
    let why = skipped
        .children()
        .find(|node| node.has_tag_name("skipped"))
        .unwrap()
        .attribute("message");
    assert_eq!(why, Some("skipped: the budget was used up"));
    assert_eq!(kind(&find("mock-weak+react", "desk::reply")), "passed");
    assert_eq!(
        kind(&find("crossbar", "verdict")),
        "error",
        "an incomplete sweep is no pass"
    );
}

#[test]
fn what_agents_said_is_bounded_with_head_and_tail() {
    let mut sweep = sweep();
    for rollout in &mut sweep.rollouts {
        rollout.trajectory.final_text = Some(format!("BEGIN{}END", "<&\u{1b}[1m".repeat(400_000)));
    }
    let xml = sweep.output("junit");
    assert!(xml.len() < 13 * 40 * 1024, "{}", xml.len());
    let document = Document::parse(&xml).unwrap();
    for case in cases(&document).iter().take(12) {
        let out = case
            .children()
            .find(|node| node.has_tag_name("system-out"))
            .unwrap()
            .text()
            .unwrap();
        assert!(
            out.starts_with("repeat 1")
                && out.trim_end().ends_with("END")
                && out.contains("bytes left out")
        );
    }
}

#[test]
fn all_cases_together_stay_below_what_readers_take() {
    // GitLab takes 30 MB a file, and single nodes of a few MB break it.
    for cases in [0, 1, 2_000, 40 * 500] {
        assert!(super::room(cases) <= 64 * 1024, "{cases}");
        assert!(super::room(cases) * cases <= 20_000_000, "{cases}");
        assert!(super::room(cases) > 500, "{cases}");
    }
}

#[test]
fn rates_carry_their_intervals() {
    let sweep = sweep();
    let xml = sweep.output("junit");
    let document = Document::parse(&xml).unwrap();
    let percents = document
        .descendants()
        .filter_map(|node| node.attribute("value"))
        .filter(|value| value.contains('%'));
    assert!(percents.clone().count() > 10);
    for value in percents {
        assert!(value.contains("% [") && value.ends_with(']'), "{value}");
    }
}

/// Text as agents print it: any characters, with the ones that break readers made frequent.
fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "\\PC{0,8}",
        prop::collection::vec(any::<u8>(), 0..40)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        prop::sample::select(vec![
            "</system-out></testcase><testcase name=\"forged\" classname=\"x\"/>",
            "]]>",
            "<![CDATA[",
            "<!--",
            "&#0;",
            "\u{0}",
            "\u{1b}[31m",
            "\u{1b}]8;;x\u{7}",
            "\u{1b}]",
            "\u{1b}P",
            "\u{fffe}",
            "\u{ffff}",
            "\u{9b}",
            "\r",
            "\n",
            "\t",
            "\u{1d}",
            "\u{feff}",
            "\u{1fffe}",
            "\u{85}",
            "\u{2028}",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_adds_or_changes_a_test_case(texts in prop::collection::vec(nasty(), 4), broken in any::<bool>()) {
        let clean = sweep();
        let mut dirty = clean.clone();
        let message = texts[0].clone();
        for (index, rollout) in dirty.rollouts.iter_mut().enumerate() {
            rollout.trajectory.final_text = Some(texts[index % 4].clone());
            rollout.checks[0].name = texts[(index + 1) % 4].clone();
            rollout.checks[0].message = Some(texts[(index + 2) % 4].clone());
            rollout.checks[0].passed = false;
        }
        if broken {
            dirty.rollouts[0].outcome = Outcome::InvalidFixture { message: message.clone() };
            dirty.rollouts[1].outcome = Outcome::InfrastructureFailure { evidence: InfrastructureEvidence::Provider, message };
        }
        dirty.question.pack_title = texts[1].clone();
        dirty.meta.made.created_at = texts[2].clone();
        let (before, after) = (clean.output("junit"), dirty.output("junit"));
        let (before, after) = (Document::parse(&before).unwrap(), Document::parse(&after).unwrap());
        prop_assert_eq!(identities(&before), identities(&after));
    }
}
