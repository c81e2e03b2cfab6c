//! What a task may need that this version or this build does not have.

use super::TaskId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How many tasks a line names.
const NAMED: usize = 8;

/// Something that a task needs and nobody has here: no version has built it yet, or this build is
/// without its feature. Such a task is read, is part of what a
/// run is recorded with, and is named everywhere; it never runs, so it never passes or fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unmet {
    /// A container around the agent.
    Container,
    /// A server that somebody else runs.
    RemoteServer,
}

/// The tasks that can't run, each with what it lacks; a task without a lack is none of them.
pub type UnmetTasks = BTreeMap<TaskId, BTreeSet<Unmet>>;

impl Unmet {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Container, Self::RemoteServer];

    /// What it is, with the keys that ask for it.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            Self::Container => "a container (`environment.kind: docker`, `image`)",
            Self::RemoteServer => "a server at an address (`url`, `headers`)",
        }
    }

    /// Why a case does not run.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Container => {
                "needs a container (`environment.kind: docker`, `image`), which is not built yet"
            }
            Self::RemoteServer => {
                "needs a server at an address (`url`, `headers`), which is behind the feature \
                 `mcp-http`"
            }
        }
    }

    /// What keeps this build from having it.
    fn why(self) -> &'static str {
        match self {
            Self::Container => "is not built yet",
            Self::RemoteServer => "is behind the feature `mcp-http`",
        }
    }
}

/// A line for each kind of lack, with the tasks that have it, a few of them by name.
#[must_use]
pub fn unmet_lines(tasks: &UnmetTasks) -> Vec<String> {
    let line = |lack: Unmet| {
        let ids = tasks.iter().filter(|(_, lacks)| lacks.contains(&lack));
        let ids: Vec<_> = ids.map(|(id, _)| id.to_string()).collect();
        let named = ids[..ids.len().min(NAMED)].join(", ");
        let rest = match ids.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let count = match ids.len() {
            0 => return None,
            1 => "1 task needs".to_owned(),
            count => format!("{count} tasks need"),
        };
        let what = lack.what();
        Some(format!(
            "not run: {count} {what}, which {}: {named}{rest}",
            lack.why()
        ))
    };
    Unmet::ALL.into_iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_lack_is_one_line_however_many_tasks_have_it() {
        assert_eq!(unmet_lines(&UnmetTasks::new()), [""; 0]);
        let id = |at: u32| TaskId::new("p", &format!("t{at:02}")).unwrap();
        let mut tasks: UnmetTasks = (0..10)
            .map(|at| (id(at), [Unmet::Container].into()))
            .collect();
        tasks.insert(id(3), Unmet::ALL.into());
        assert_eq!(
            unmet_lines(&tasks),
            [
                "not run: 10 tasks need a container (`environment.kind: docker`, `image`), which is \
                 not built yet: p::t00, p::t01, p::t02, p::t03, p::t04, p::t05, p::t06, p::t07 and \
                 2 more",
                "not run: 1 task needs a server at an address (`url`, `headers`), which is behind \
                 the feature `mcp-http`: p::t03",
            ]
        );
        for lack in Unmet::ALL {
            let said = format!("needs {}, which {}", lack.what(), lack.why());
            assert_eq!(lack.reason(), said);
        }
    }
}
