//! What a sweep would be made of, and what can be said of it before anything is run or paid.

use super::{Concluded, Outlook, Prepared, SessionError, execute, stored};
use crate::analysis::{AnalysisError, Bill, Design, Pilot, Question};
use crate::provider::DEFAULT_MAX_OUTPUT_TOKENS;
use crate::report::{Styles, forecast_text};
use crate::sweep::{CellEntry, TaskEntry};
use std::sync::Arc;

/// The drop to detect where neither a person nor the margin says one.
const A_DROP: f64 = 0.05;

impl Prepared {
    /// What a sweep would be made of: all chosen cells, live ones that nobody has funded too.
    pub(super) fn design(&self) -> Result<Design, SessionError> {
        let watching = self.matrix.sentinel.as_ref().map(|one| &one.cell);
        let compared = || self.chosen.iter().filter(|cell| Some(&cell.id) != watching);
        let cells = compared();
        let mut question: Question = stored::question(
            self.settings.clone(),
            cells.map(stored::cell_info).collect(),
            self.tasks
                .iter()
                .map(|entry| stored::task_info(entry))
                .collect(),
        )?;
        let packs = self
            .tasks
            .iter()
            .map(|entry| stored::pack_name(self, &entry.task));
        let packs = packs.collect();
        question.pack_title = stored::title(&packs);
        question.baseline = self.baseline.clone().filter(|id| Some(id) != watching);
        let machine = execute::machine(self.concurrency);
        let at_a_time = match self.chosen.iter().any(|cell| cell.kind.live) {
            true => machine.live_at_a_time,
            false => machine.free_at_a_time,
        };
        let bill = |cell: &CellEntry| Bill {
            cell: cell.id.clone(),
            paid: cell.kind.live,
            max_output_tokens: cell
                .model
                .max_output_tokens()
                .unwrap_or(DEFAULT_MAX_OUTPUT_TOKENS),
        };
        let limits = |entry: &Arc<TaskEntry>| (entry.task.id.clone(), entry.task.limits.clone());
        Ok(Design {
            question,
            limits: self.tasks.iter().map(limits).collect(),
            bills: compared().map(bill).collect(),
            at_a_time,
            budget: self.ceiling,
            looked_at_again: self.to_look_at_again(),
        })
    }
}

/// The design of two processes of one run: other tasks, the same cells and settings.
pub(super) fn joined(mut one: Design, other: Design) -> Design {
    let (mine, theirs) = (&mut one.question, other.question);
    if !mine
        .pack_title
        .split(", ")
        .any(|title| title == theirs.pack_title)
    {
        mine.pack_title = format!("{}, {}", mine.pack_title, theirs.pack_title);
    }
    mine.tasks.extend(theirs.tasks);
    mine.tasks.sort_by(|a, b| a.id.cmp(&b.id));
    mine.tasks.dedup_by(|a, b| a.id == b.id);
    one.limits.extend(other.limits);
    one
}

impl Outlook {
    /// The plan as a person reads it. `drop` is the drop to detect (a fraction above 0; the margin
    /// where nobody says one), `pilot` an earlier run that tells how tasks and cells vary, what a
    /// rollout costs and how long it takes, and what a new task costs, in dollars.
    ///
    /// # Errors
    /// `SessionError` where there is no task or no cell, or the drop can't be.
    pub fn plan(
        &self,
        drop: Option<f64>,
        (pilot, task_cost): (Option<&Concluded>, Option<f64>),
        styles: Styles,
    ) -> Result<String, SessionError> {
        let design = self.design.as_ref();
        let design = design.filter(|design| !design.question.cells.is_empty());
        let design = design.ok_or_else(|| {
            SessionError::new("the roster names no model, so there is nothing to plan")
                .help("name one under `models`; `crossbar init` writes a roster to begin with")
        })?;
        if let Some(run) = pilot {
            run.must_have_asked("no plan is made of it")?;
        }
        let margin = design.question.margin.value;
        let usual = if margin > 0.0 { margin } else { A_DROP };
        let pilot = pilot.map(|run| Pilot {
            question: &run.asked.question,
            rows: &run.rows,
        });
        let forecast = design.forecast(drop.unwrap_or(usual), pilot.as_ref(), task_cost);
        let forecast = forecast.map_err(|error| refused(&error))?;
        Ok(forecast_text(design, &forecast, styles))
    }
}

fn refused(error: &AnalysisError) -> SessionError {
    let told = SessionError::new(format!("this can't be planned: {error}"));
    match error {
        AnalysisError::OutOfRange { .. } => told.help("give a smaller drop in points: --mde 5"),
        AnalysisError::EmptyMatrix => {
            told.help("write a `*.task.yaml` in a folder below the roster, or name one: --pack")
        }
        _ => told,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture::{Sweep, design};
    use crate::domain::TaskId;

    fn planned(pack: &str, tasks: usize) -> Design {
        let mut question = Sweep::new(tasks, 2).flat("a+x", 1, 2).question;
        question.pack_title = pack.to_owned();
        for (at, task) in question.tasks.iter_mut().enumerate() {
            task.id = TaskId::new(pack, &format!("t{at}")).unwrap();
        }
        design(question)
    }

    #[test]
    fn the_tasks_of_all_test_binaries_are_planned_each_once() {
        let all = joined(joined(planned("b", 2), planned("a", 1)), planned("b", 2));
        let ids: Vec<_> = all
            .question
            .tasks
            .iter()
            .map(|task| task.id.to_string())
            .collect();
        assert_eq!(ids, ["a::t0", "b::t0", "b::t1"]);
        assert_eq!((all.limits.len(), all.rollouts()), (3, 6));
        assert_eq!(all.question.pack_title, "b, a");
    }
}
