//! Two looks: a drop that one run shows side by side is a regression only once a second run, judged
//! alone by the same rule, shows it too.
//!
//! Both looks ask at `alpha`, so where nothing has changed a red needs two errors in a row. The
//! price is power: what one look finds 80 times in 100, two find 64 times.

use super::{GateAnswer, GateWord, HeldCell, SecondLook};
use crate::domain::{CellId, GateMode, GateReference};

impl GateAnswer {
    /// The cells that the first look saw red, in plan order, where a second look may decide: in a
    /// regression gate whose two sides can both run again. Empty where one look decides.
    #[must_use]
    pub fn to_look_at_again(&self) -> Vec<CellId> {
        if (self.mode, self.reference) != (GateMode::Regression, GateReference::Concurrent) {
            return Vec::new();
        }
        let red = self.cells.iter().filter(|cell| {
            let first = cell.first_look.as_deref().unwrap_or(cell);
            first.word == GateWord::Regression
        });
        red.map(|cell| cell.cell.clone()).collect()
    }

    /// The answer after a second look at the red cells. `second` is what that look says, alone and
    /// by the same rules; `None` where not all of it was measured, which leaves the red cells
    /// INCOMPLETE: neither red nor green.
    pub fn after(mut self, look: SecondLook, second: Option<&Self>) -> Self {
        let red = self.to_look_at_again();
        let cells = self.cells.iter_mut();
        for cell in cells.filter(|cell| red.contains(&cell.cell)) {
            let mut seen = second.iter().flat_map(|answer| &answer.cells);
            let seen = seen.find(|one| one.cell == cell.cell).cloned();
            let incomplete = || HeldCell::without(cell.cell.clone(), GateWord::Incomplete);
            let seen = seen.unwrap_or_else(incomplete);
            let first = std::mem::replace(cell, seen);
            cell.first_look = Some(Box::new(first));
        }
        let gravest = self.cells.iter().map(|cell| cell.word).max();
        self.word = gravest.unwrap_or(self.word);
        self.second_look = Some(look);
        self
    }
}

#[cfg(test)]
mod tests;
