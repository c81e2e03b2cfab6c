//! At how many repeats an adaptive run, and at how many tasks a growing pack, is looked at: fixed
//! before the first rollout.

use serde::{Deserialize, Serialize};

/// The repeats at which an adaptive run is looked at, growing; the last is the most there will be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u32>", into = "Vec<u32>")]
pub struct LookPlan(Vec<u32>);

/// Why repeats are no looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LookPlanError {
    /// There is none, or it is at nothing.
    #[error("there must be a first look, at one or more")]
    NoLook,
    /// They do not grow.
    #[error("looks must grow: {after} follows {before}")]
    NotGrowing {
        /// A look.
        before: u32,
        /// The next one.
        after: u32,
    },
}

/// The most looks of a plan that nobody spelled out.
const LOOKS: u32 = 4;

impl LookPlan {
    /// A first look once `first` repeats are there, as a run that is not adaptive has them, then up
    /// to three more, evenly up to `most`: 3 to 10 is 3, 5, 7, 10.
    ///
    /// # Errors
    /// `LookPlanError` when `first` is 0, or `most` is not above it.
    pub fn between(first: u32, most: u32) -> Result<Self, LookPlanError> {
        if most <= first {
            let (before, after) = (first, most);
            return Err(LookPlanError::NotGrowing { before, after });
        }
        let steps = LOOKS - 1;
        let more = u64::from(most - first);
        let at = |step: u32| first + (more * u64::from(step) / u64::from(steps)) as u32;
        let mut looks: Vec<u32> = (0..=steps).map(at).collect();
        looks.dedup();
        Self::try_from(looks)
    }

    /// The repeats of each look, at least one.
    #[must_use]
    pub fn repeats(&self) -> &[u32] {
        &self.0
    }

    /// The repeats of the last look.
    #[must_use]
    pub fn most(&self) -> u32 {
        self.0.last().copied().unwrap_or_default()
    }
}

impl TryFrom<Vec<u32>> for LookPlan {
    type Error = LookPlanError;

    fn try_from(looks: Vec<u32>) -> Result<Self, LookPlanError> {
        if looks.first().is_none_or(|first| *first == 0) {
            return Err(LookPlanError::NoLook);
        }
        match looks.windows(2).find(|pair| pair[1] <= pair[0]) {
            Some(pair) => Err(LookPlanError::NotGrowing {
                before: pair[0],
                after: pair[1],
            }),
            None => Ok(Self(looks)),
        }
    }
}

impl From<LookPlan> for Vec<u32> {
    fn from(plan: LookPlan) -> Self {
        plan.0
    }
}

/// The numbers of tasks at which verdicts are asked while a pack grows, rising; the last is the most
/// that was declared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u32>", into = "Vec<u32>")]
pub struct TaskLooks(LookPlan);

impl TaskLooks {
    /// The tasks of each look, at least one.
    #[must_use]
    pub fn tasks(&self) -> &[u32] {
        &self.0.0
    }

    /// The tasks of the last look.
    #[must_use]
    pub fn most(&self) -> u32 {
        self.0.most()
    }
}

impl TryFrom<Vec<u32>> for TaskLooks {
    type Error = LookPlanError;

    fn try_from(looks: Vec<u32>) -> Result<Self, LookPlanError> {
        LookPlan::try_from(looks).map(Self)
    }
}

impl From<TaskLooks> for Vec<u32> {
    fn from(looks: TaskLooks) -> Self {
        looks.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_spread_between_the_first_repeats_and_the_most() {
        let of = |first, most| LookPlan::between(first, most).map(Vec::from);
        assert_eq!(of(3, 10).unwrap(), [3, 5, 7, 10]);
        assert_eq!(of(5, 10).unwrap(), [5, 6, 8, 10]);
        assert_eq!(of(5, 6).unwrap(), [5, 6]);
        assert!(of(5, 5).is_err() && of(0, 5).is_err());
        let read: LookPlan = serde_json::from_str("[3,5]").unwrap();
        assert_eq!(read.most(), 5);
        assert!(serde_json::from_str::<LookPlan>("[5,3]").is_err());
    }
}
