//! The outline of a task file is what reading the file tells, whatever somebody does to its lines.

use crossbar::domain::Control;
use crossbar::pack::{TaskContext, outline, read_task};
use crossbar::source::{File, Problems};
use crossbar_suites::tree::root;
use std::fs;

/// What a list takes of a task: its id, the line of it, its controls, its floor.
type Known = (String, u32, Vec<String>, Option<f64>);

fn read(text: &str) -> Option<Known> {
    let file = File::new("a.task.yaml", text);
    let context = TaskContext {
        pack: "p",
        folder: "/p",
        lookup: &|_| Some(String::new()),
    };
    let task = read_task(&file, &context, &Problems::new(file.path()))?;
    let declared = task.declared.as_ref()?;
    let controls = Control::of_task(declared.demo.as_ref(), &declared.broken);
    let words = controls.iter().map(|(control, _)| control.word());
    Some((
        task.id.task().to_owned(),
        task.place.line,
        words.collect(),
        task.min_pass_rate,
    ))
}

fn outlined(text: &str) -> Option<Known> {
    let outline = outline(text)?;
    let mut words = vec!["noop".to_owned()];
    words.extend(outline.solved.then(|| "solution".to_owned()));
    let names = outline.broken.iter().enumerate();
    words.extend(names.map(|(at, name)| match (outline.broken.len(), name) {
        (1, _) => "broken".to_owned(),
        (_, Some(name)) => format!("broken.{name}"),
        (_, None) => format!("broken.{}", at + 1),
    }));
    Some((
        outline.id.to_owned(),
        outline.line,
        words,
        outline.min_pass_rate,
    ))
}

/// Every fourth task file of the pack that comes along, and one with everything.
fn texts() -> Vec<String> {
    let pack = root().join("taskpacks/support-triage");
    let mut paths: Vec<_> = fs::read_dir(pack)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".task.yaml"))
        .collect();
    paths.sort();
    let mut texts: Vec<_> = paths
        .iter()
        .step_by(4)
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let more = texts[0].clone();
    texts.push(format!(
        "min_pass_rate: 0.5\n{more}  - final: It is done.\n  - final: |\n      name: x\n    name: last\n"
    ));
    texts
}

/// Each text with a line gone, twice, moved in, moved out, emptied, or under the next one.
fn changed(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for at in 0..lines.len() {
        let (before, after) = (&lines[..at], &lines[at + 1..]);
        let line = lines[at];
        let moved_in = format!("  {line}");
        let quoted = line.replacen(": ", ": \"", 1);
        let key = line.split_once(':').map_or(line, |(key, _)| key);
        let emptied = format!("{key}:");
        let commented = format!("{line} # so");
        let next = after.first().copied().unwrap_or_default();
        for put in [
            vec![],
            vec![line, line],
            vec![&moved_in],
            vec![line.strip_prefix("  ").unwrap_or(line)],
            vec![&quoted],
            vec![&emptied],
            vec![&commented],
            vec!["", "# so", line],
            vec![next, line],
            vec!["---", line],
            vec!["broken: []", line],
            vec!["demo: {final: x}", line],
        ] {
            all.push([before, &put[..], after].concat().join("\n"));
        }
    }
    all
}

#[test]
fn an_outline_is_what_reading_tells() {
    let (mut both, mut texts_seen) = (0, 0);
    for text in texts() {
        let known = read(&text);
        assert!(known.is_some(), "{text}");
        assert_eq!(outlined(&text), known, "{text}");
        for text in changed(&text) {
            texts_seen += 1;
            let (quick, whole) = (outlined(&text), read(&text));
            if let (Some(quick), Some(whole)) = (quick, whole) {
                assert_eq!(quick, whole, "{text}");
                both += 1;
            }
        }
    }
    assert!(texts_seen > 1000 && both > 300, "{both} of {texts_seen}");
}
