//! Which recording is meant, and what is said where none is.

use super::*;
use crate::domain::TaskId;

fn record(results_dir: &Path, run: &str, created_at: &str) -> RecordedRun {
    let head = Head {
        schema_version: SCHEMA_VERSION,
        run: RunId::new(run).unwrap(),
        created_at: created_at.to_owned(),
        crossbar: "0.1.0".to_owned(),
        repeats: 2,
        seed: 7,
        cells: vec![CellId::parse("m+react").unwrap()],
    };
    let folder = of_run(results_dir, run);
    write(&folder.join(HEAD), &head).unwrap();
    RecordedRun { folder, head }
}

fn key(task: &str) -> RolloutKey {
    RolloutKey {
        cell: CellId::parse("m+react").unwrap(),
        task: TaskId::parse(task).unwrap(),
        repeat: 1,
    }
}

#[test]
fn a_recording_is_found_by_id_beginning_path_and_age() {
    let results = tempfile::tempdir().unwrap();
    let at = results.path();
    record(at, "nightly", "2026-11-30T10:00:00.000Z");
    let old = record(at, "a-1", "2026-11-28T10:00:00.000Z");
    record(at, "a-2", "2026-11-29T10:00:00.000Z");
    std::fs::create_dir(at.join("unrecorded")).unwrap();
    let named = |text: &str| {
        find(at, at, text)
            .map(|folder| RecordedRun::open(&folder).map(|found| found.head.run.to_string()))
    };
    for (text, run) in [
        ("latest", "nightly"),
        ("a-1", "a-1"),
        ("night", "nightly"),
        ("./a-1", "a-1"),
        ("./a-1/recording", "a-1"),
    ] {
        assert_eq!(named(text).unwrap().unwrap(), run, "{text}");
    }
    let many = named("a-").unwrap_err().to_string();
    assert!(many.contains("2 recorded runs begin with `a-`"), "{many}");
    let none = named("b").unwrap_err().to_string();
    assert!(
        none.contains("help: the recorded runs are a-1, a-2, nightly"),
        "{none}"
    );
    assert!(named("./b").unwrap().is_err());
    assert_eq!(old.of(&key("desk::one")).unwrap(), None);
}

#[test]
fn what_is_kept_is_read_again_and_a_long_name_is_shortened() {
    let results = tempfile::tempdir().unwrap();
    let run = record(results.path(), "r", "2026-11-30T10:00:00.000Z");
    let long = format!("desk::{}", "x".repeat(120));
    for task in ["desk::one", "other::one", long.as_str()] {
        let recording = Recording {
            key: key(task),
            begun_at: "2026-11-30T10:00:00.000Z".to_owned(),
            exchanges: Vec::new(),
        };
        run.keep(&recording).unwrap();
        assert_eq!(run.of(&key(task)).unwrap(), Some(recording));
    }
    let file = run.folder.join("m+react").join("desk+one-r1.json");
    std::fs::write(&file, "{").unwrap();
    let error = run.of(&key("desk::one")).unwrap_err().to_string();
    assert!(error.contains("desk+one-r1.json can't be read"), "{error}");
}

#[test]
fn a_layout_that_is_not_known_names_the_version_that_wrote_it() {
    let results = tempfile::tempdir().unwrap();
    let run = record(results.path(), "r", "2026-11-30T10:00:00.000Z");
    let newer = Head {
        schema_version: 2,
        crossbar: "9.9.9".to_owned(),
        ..run.head
    };
    write(&run.folder.join(HEAD), &newer).unwrap();
    let error = RecordedRun::open(&run.folder).err().unwrap().to_string();
    assert!(
        error.contains("has layout 2") && error.contains("use crossbar 9.9.9"),
        "{error}"
    );
}
