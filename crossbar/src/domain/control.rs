//! A control: a rollout with a known right score, by which a task proves itself.

use super::{CellId, IdError, Script};
use serde::{Deserialize, Serialize};

/// The model of every control. No roster may call a model so: what stands beside it in a cell's
/// place is no cell.
const MODEL: &str = "control";

/// Does and says nothing.
static NOTHING: Script = Script {
    steps: Vec::new(),
    final_text: None,
};

/// A mistake that a task must not accept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Broken {
    /// What it is called, an id; its place among the task's mistakes where nobody named it.
    pub name: Option<String>,
    /// What makes the mistake.
    pub script: Script,
}

/// Which control of a task.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Control {
    /// An agent that does and says nothing: it must score 0.00.
    Noop,
    /// The task's solution: it must be accepted and score 1.00.
    Solution,
    /// A mistake: it must not be accepted, and must score below 1.00.
    Broken {
        /// Its name; `None` where the task has one mistake alone.
        name: Option<String>,
    },
}

impl Control {
    /// The control that stands in a cell's place; `None` for a real cell.
    #[must_use]
    pub fn of(cell: &CellId) -> Option<Self> {
        if cell.model() != MODEL {
            return None;
        }
        match cell.harness() {
            "noop" => Some(Self::Noop),
            "solution" => Some(Self::Solution),
            "broken" => Some(Self::Broken { name: None }),
            other => other.strip_prefix("broken.").map(|name| Self::Broken {
                name: Some(name.to_owned()),
            }),
        }
    }

    /// What stands in a cell's place: `control+noop`, `control+solution`, `control+broken`,
    /// `control+broken.NAME`.
    ///
    /// # Errors
    /// When the name is no id.
    pub fn cell(&self) -> Result<CellId, IdError> {
        CellId::new(MODEL, &self.word())
    }

    /// `noop`, `solution`, `broken` or `broken.NAME`.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Self::Noop => "noop".to_owned(),
            Self::Solution => "solution".to_owned(),
            Self::Broken { name: None } => "broken".to_owned(),
            Self::Broken { name: Some(name) } => format!("broken.{name}"),
        }
    }

    /// Whether a model of this name would be taken for a control.
    #[must_use]
    pub fn takes(model: &str) -> bool {
        model.eq_ignore_ascii_case(MODEL)
    }

    /// The controls of a task with these scripts, the no-op first. The mistakes are numbered from
    /// 1 where they have no name, and one alone needs none.
    #[must_use]
    pub fn of_task<'a>(
        solution: Option<&'a Script>,
        broken: &'a [Broken],
    ) -> Vec<(Self, &'a Script)> {
        let mut controls = vec![(Self::Noop, &NOTHING)];
        controls.extend(solution.map(|script| (Self::Solution, script)));
        let alone = broken.len() == 1;
        for (at, mistake) in broken.iter().enumerate() {
            let name = mistake.name.clone();
            let name = name.unwrap_or_else(|| (at + 1).to_string());
            let control = Self::Broken {
                name: (!alone).then_some(name),
            };
            controls.push((control, &mistake.script));
        }
        controls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_comes_back_from_the_cell_that_it_stands_for() {
        let named = Some("wrong.amount".to_owned());
        for control in [
            Control::Noop,
            Control::Solution,
            Control::Broken { name: None },
            Control::Broken { name: named },
        ] {
            assert_eq!(Control::of(&control.cell().unwrap()), Some(control));
        }
        for cell in ["mock+noop", "control-2+noop", "control+react"] {
            assert_eq!(Control::of(&CellId::parse(cell).unwrap()), None, "{cell}");
        }
    }

    #[test]
    fn one_mistake_needs_no_name_and_several_have_theirs_or_their_place() {
        let broken = |name: Option<&str>| Broken {
            name: name.map(str::to_owned),
            script: Script::default(),
        };
        let words = |broken: &[Broken]| -> Vec<String> {
            let controls = Control::of_task(None, broken);
            controls.iter().map(|(control, _)| control.word()).collect()
        };
        assert_eq!(words(&[broken(Some("late"))]), ["noop", "broken"]);
        let two = [broken(Some("late")), broken(None)];
        assert_eq!(words(&two), ["noop", "broken.late", "broken.2"]);
    }
}
