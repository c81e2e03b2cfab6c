//! What came out: every setting's tallies, held to the promises.

use super::{Effort, Judgement, Measure, Method, Setting, Stand, Tally, Word, judge, promise};

/// A setting after its sweeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The world's name.
    pub world: &'static str,
    /// What sets the setting apart.
    pub label: String,
    /// How many sweeps were simulated.
    pub sweeps: u32,
    /// Each measure with what was counted.
    pub figures: Vec<(Measure, Tally)>,
}

impl Measured {
    /// A setting with its tallies, one per measure.
    #[must_use]
    pub fn of(setting: &Setting, tallies: Vec<Tally>) -> Self {
        Self {
            world: setting.world,
            label: setting.label.clone(),
            sweeps: setting.sweeps,
            figures: setting.measures.iter().copied().zip(tallies).collect(),
        }
    }
}

/// All that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// What was held to the promises.
    pub method: Method,
    /// How much was simulated.
    pub effort: Effort,
    /// Every setting, in the order of the worlds.
    pub settings: Vec<Measured>,
}

impl Calibration {
    /// The promises that some figure breaks, by name, in the order of the table.
    #[must_use]
    pub fn broken(&self) -> Vec<&'static str> {
        let is_broken = |id: &str| {
            self.under(id)
                .any(|(_, _, _, judgement)| matches!(judgement.word, Word::Fails))
        };
        let promises = super::PROMISES.iter().map(|promise| promise.id);
        promises.filter(|id| is_broken(id)).collect()
    }

    /// Every figure under a promise, with its setting and what it comes to.
    pub fn under(
        &self,
        id: &str,
    ) -> impl Iterator<Item = (&Measured, &Measure, &Tally, Judgement)> {
        let promise = promise(id);
        self.settings.iter().flat_map(move |measured| {
            let figures = measured.figures.iter();
            figures.filter_map(move |(measure, tally)| {
                let promise = promise.filter(|one| measure.stand == Stand::Promised(one.id))?;
                let judgement = judge(tally, measure.figure, promise.bound);
                Some((measured, measure, tally, judgement))
            })
        })
    }

    /// Every figure that is only shown.
    pub fn shown(&self) -> impl Iterator<Item = (&Measured, &Measure, &Tally)> {
        self.settings.iter().flat_map(|measured| {
            let figures = measured.figures.iter();
            let shown = figures.filter(|(measure, _)| measure.stand == Stand::Shown);
            shown.map(move |(measure, tally)| (measured, measure, tally))
        })
    }
}
