//! What can be wrong with tasks once they are read: rules that need no text to be seen.

use super::{Declared, Place, Task, TaskPack};
use crate::domain::{Probe, TaskId};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

/// Something wrong with a task or with the packs of a sweep.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TaskProblem {
    /// A pack that holds no task.
    #[error("the pack `{pack}` holds no task: add a `*.task.yaml` or take the pack out")]
    EmptyPack {
        /// The pack.
        pack: String,
    },
    /// Two tasks of one id, or of ids that differ in case alone (they would share a file name).
    #[error("{second}: the task id `{id}` is taken by {first}{}: give one of them another id", as_written(.id, .first_id))]
    SameId {
        /// The later task's id.
        id: TaskId,
        /// The earlier task's id.
        first_id: TaskId,
        /// Where the earlier one is.
        first: Place,
        /// Where the later one is.
        second: Place,
    },
    /// A declared task whose checks are all guards, so that nothing can be gained.
    #[error(
        "{place}: task `{id}` has no check that is no guard: add one that an agent must work for"
    )]
    OnlyGuards {
        /// The task.
        id: TaskId,
        /// Where it is.
        place: Place,
    },
    /// Two servers of one name.
    #[error("{place}: task `{id}` names two servers `{server}`: rename one")]
    SameServer {
        /// The task.
        id: TaskId,
        /// Where it is.
        place: Place,
        /// The name.
        server: String,
        /// The later server's index in the environment, from 0.
        index: usize,
    },
    /// A check that asks a server which the task has not.
    #[error("{place}: check `{check}` of task `{id}` asks the server `{server}`, which the task does not have (it has: {})", listed(.known))]
    UnknownServer {
        /// The task.
        id: TaskId,
        /// Where it is.
        place: Place,
        /// The check's name.
        check: String,
        /// The check's index in the task, from 0.
        index: usize,
        /// The server asked.
        server: String,
        /// The servers that there are.
        known: Vec<String>,
    },
}

fn as_written(id: &TaskId, first: &TaskId) -> String {
    if id == first {
        String::new()
    } else {
        format!(" as `{first}`, and ids must differ in more than case")
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    }
}

/// What is wrong among the packs of a sweep: packs without tasks, and ids that are not unique over
/// all of them. In the order of packs and tasks.
#[must_use]
pub fn pack_problems(packs: &[TaskPack]) -> Vec<TaskProblem> {
    let mut problems = Vec::new();
    let mut ids = TakenIds::default();
    for pack in packs {
        if pack.tasks.is_empty() {
            problems.push(TaskProblem::EmptyPack {
                pack: pack.id.clone(),
            });
        }
        let taken = pack
            .tasks
            .iter()
            .map(|task| ids.take(&task.id, &task.place));
        problems.extend(taken.flatten());
    }
    problems
}

/// The ids of a sweep, each with the place that took it.
#[derive(Debug, Default)]
pub struct TakenIds<'a> {
    seen: HashMap<AnyCase<'a>, &'a Place>,
}

/// An id that equals one in other case.
#[derive(Debug, Clone, Copy)]
struct AnyCase<'a>(&'a TaskId);

impl PartialEq for AnyCase<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.task().eq_ignore_ascii_case(other.0.task())
            && self.0.pack().eq_ignore_ascii_case(other.0.pack())
    }
}

impl Eq for AnyCase<'_> {}

impl Hash for AnyCase<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Most packs of a sweep have most of its tasks in them, so their names tell little.
        for byte in self.0.task().bytes() {
            state.write_u8(byte.to_ascii_lowercase());
        }
    }
}

impl<'a> TakenIds<'a> {
    /// Takes an id; what is wrong when another place has taken it, in any case.
    pub fn take(&mut self, id: &'a TaskId, place: &'a Place) -> Option<TaskProblem> {
        let (first_id, first) = match self.seen.entry(AnyCase(id)) {
            Entry::Occupied(taken) => (taken.key().0, *taken.get()),
            Entry::Vacant(free) => {
                free.insert(place);
                return None;
            }
        };
        Some(TaskProblem::SameId {
            id: id.clone(),
            first_id: first_id.clone(),
            first: first.clone(),
            second: place.clone(),
        })
    }
}

/// What is wrong with one task by itself. A Rust task shows its checks only when it runs, so
/// nothing is said about it here.
#[must_use]
pub fn task_problems(task: &Task) -> Vec<TaskProblem> {
    let Some(declared) = &task.declared else {
        return Vec::new();
    };
    let mut problems = same_servers(task, declared);
    if declared.checks.iter().all(|check| check.guard) {
        problems.push(TaskProblem::OnlyGuards {
            id: task.id.clone(),
            place: task.place.clone(),
        });
    }
    problems.extend(unknown_servers(task, declared));
    problems
}

fn same_servers(task: &Task, declared: &Declared) -> Vec<TaskProblem> {
    let servers = &declared.environment.servers;
    let taken = |index: usize| {
        servers[..index]
            .iter()
            .any(|earlier| earlier.name == servers[index].name)
    };
    (0..servers.len())
        .filter(|&index| taken(index))
        .map(|index| TaskProblem::SameServer {
            id: task.id.clone(),
            place: task.place.clone(),
            server: servers[index].name.clone(),
            index,
        })
        .collect()
}

fn unknown_servers(task: &Task, declared: &Declared) -> Vec<TaskProblem> {
    let environment = &declared.environment;
    let mut problems = Vec::new();
    for (index, check) in declared.checks.iter().enumerate() {
        for probe in check.probes() {
            let Probe::CallTool { server, .. } = probe else {
                continue;
            };
            if environment.server(&server).is_none() {
                problems.push(TaskProblem::UnknownServer {
                    id: task.id.clone(),
                    place: task.place.clone(),
                    check: check.name.clone(),
                    index,
                    server,
                    known: environment
                        .servers
                        .iter()
                        .map(|server| server.name.clone())
                        .collect(),
                });
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::ServerSpec;
    use super::super::fixtures::{check, declared, task};
    use super::*;

    fn pack(id: &str, tasks: Vec<Task>) -> TaskPack {
        TaskPack {
            id: id.into(),
            name: id.into(),
            description: None,
            tasks,
        }
    }

    #[test]
    fn a_sound_task_in_a_sound_pack_has_no_problem() {
        assert_eq!(task_problems(&task("p", "a", 1)), []);
        let packs = [
            pack("p", vec![task("p", "a", 1), task("p", "b", 1)]),
            pack("q", vec![task("q", "a", 1)]),
        ];
        assert_eq!(pack_problems(&packs), []);
    }

    #[test]
    fn ids_are_unique_over_all_packs_whatever_their_case_and_both_places_are_named() {
        let packs = [
            pack("p", vec![task("p", "a", 1), task("p", "A", 7)]),
            pack("p", vec![task("p", "a", 9)]),
            pack("empty", vec![]),
        ];
        let told: Vec<String> = pack_problems(&packs)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            told,
            [
                "p.yaml:7: the task id `p::A` is taken by p.yaml:1 as `p::a`, and ids must differ in more than case: give one of them another id",
                "p.yaml:9: the task id `p::a` is taken by p.yaml:1: give one of them another id",
                "the pack `empty` holds no task: add a `*.task.yaml` or take the pack out",
            ]
        );
    }

    #[test]
    fn a_declared_task_needs_a_check_that_is_no_guard() {
        for checks in [vec![], vec![check("no_tool_errors")]] {
            let mut task = task("p", "a", 4);
            task.declared = Some(Declared {
                checks,
                ..declared()
            });
            assert!(matches!(
                task_problems(&task)[..],
                [TaskProblem::OnlyGuards { .. }]
            ));
            task.declared = None;
            assert_eq!(task_problems(&task), []);
        }
    }

    #[test]
    fn servers_are_named_once_and_checks_ask_those_that_are_there() {
        let mut task = task("p", "a", 4);
        let mut work = declared();
        work.environment.servers = vec![
            ServerSpec::new("orders", "x", vec![]),
            ServerSpec::new("orders", "y", vec![]),
        ];
        task.declared = Some(work);
        let told: Vec<String> = task_problems(&task)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            told,
            [
                "p.yaml:4: task `p::a` names two servers `orders`: rename one",
                "p.yaml:4: check `mcp_state #1` of task `p::a` asks the server `tickets`, which the task does not have (it has: orders, orders)",
            ]
        );
    }
}
