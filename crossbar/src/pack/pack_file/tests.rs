//! Packs, good and bad.

use super::super::{TaskContext, read_task};
use super::*;
use crate::source::one_line;

fn task(path: &str, id: &str) -> Task {
    let text = format!("# a note\nid: {id}\nprompt: p\nchecks: [{{type: tool_called, tool: x}}]\n");
    let file = File::new(path, text);
    let problems = Problems::new(path);
    let context = TaskContext {
        pack: "desk",
        folder: "/packs/desk",
        lookup: &|_| None,
    };
    let task = read_task(&file, &context, &problems);
    task.unwrap_or_else(|| panic!("{:?}", problems.into_vec()))
}

fn read(yaml: Option<&str>, folder: &str, tasks: Vec<Task>) -> (Option<TaskPack>, Vec<String>) {
    let file = yaml.map(|text| File::new("desk/pack.yaml", text));
    let problems = Problems::new("desk/pack.yaml");
    let pack = read_pack(file.as_ref(), folder, tasks, &problems);
    (pack, problems.into_vec().iter().map(one_line).collect())
}

#[test]
fn t02_a_pack_has_its_written_name_or_its_folders() {
    let yaml = "name: Support desk\ndescription: Tickets, closed and routed.\n";
    let (pack, problems) = read(Some(yaml), "desk", vec![task("a", "b"), task("b", "a")]);
    assert_eq!(problems, Vec::<String>::new());
    let pack = pack.unwrap();
    assert_eq!(
        (pack.id.as_str(), pack.name.as_str()),
        ("desk", "Support desk")
    );
    assert_eq!(
        pack.description.as_deref(),
        Some("Tickets, closed and routed.")
    );
    let ids: Vec<String> = pack.tasks.iter().map(|task| task.id.to_string()).collect();
    assert_eq!(ids, ["desk::b", "desk::a"]);
    let (pack, problems) = read(None, "desk", vec![task("a", "b")]);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(pack.unwrap().name, "desk");
}

#[test]
fn t03_a_pack_without_a_task_is_an_error_and_so_are_unknown_keys() {
    let (pack, problems) = read(Some("nme: x\ndescription: ['']\n"), "my desk", vec![]);
    assert!(pack.is_none());
    assert_eq!(
        problems,
        [
            "desk/pack.yaml:1:1: unknown key `nme` in a pack (did you mean `name`?)",
            "desk/pack.yaml:1:1: folder name `my desk` is no pack id (rename the folder: use A-Z a-z 0-9 _ . -)",
            "desk/pack.yaml:1:1: the pack `my desk` holds no task: add a `*.task.yaml` or take the pack out",
            "desk/pack.yaml:2:14: `description` is a list, expected a text",
        ]
    );
    let (pack, problems) = read(Some(""), "desk", vec![task("a", "a")]);
    assert!(pack.is_none());
    assert_eq!(problems.len(), 1, "an empty pack.yaml: {problems:?}");
}

#[test]
fn g11_two_tasks_of_one_id_name_both_places() {
    let tasks = vec![
        task("desk/a.task.yaml", "dup"),
        task("desk/b.task.yaml", "DUP"),
    ];
    let (pack, problems) = read(None, "desk", tasks);
    assert!(pack.is_none());
    assert_eq!(
        problems,
        [
            "desk/pack.yaml:1:1: desk/b.task.yaml:2: the task id `desk::DUP` is taken by desk/a.task.yaml:2 as `desk::dup`, and ids must differ in more than case: give one of them another id"
        ]
    );
}
