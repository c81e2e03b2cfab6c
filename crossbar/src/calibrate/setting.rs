//! A setting: a world at one size, how often it is simulated, and what is counted there.

use super::answer::Answer;
use super::bench::Bench;
use super::design::Design;
use super::truth::Truth;
use super::{CalibrateError, Figure, Method, Tally};
use crate::stats::Draws;
use std::ops::Range;

/// How much is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Seconds: what a change must pass.
    Quick,
    /// All worlds at all sizes.
    Full,
}

/// Whether a figure is held to something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    /// The promise of this name.
    Promised(&'static str),
    /// Nothing: it is shown to the reader.
    Shown,
}

/// What is counted in a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measure {
    /// What the table calls it.
    pub what: &'static str,
    /// Share or mean.
    pub figure: Figure,
    /// What it is held to.
    pub stand: Stand,
}

impl Measure {
    /// A share that is held to a promise.
    pub(super) fn promised(id: &'static str, what: &'static str) -> Self {
        let (figure, stand) = (Figure::Share, Stand::Promised(id));
        Self {
            what,
            figure,
            stand,
        }
    }

    /// A share that is only shown.
    pub(super) fn shown(what: &'static str) -> Self {
        let (figure, stand) = (Figure::Share, Stand::Shown);
        Self {
            what,
            figure,
            stand,
        }
    }
}

/// A sweep that was simulated and answered.
pub(super) struct Seen<'s> {
    pub(super) design: &'s Design,
    pub(super) truth: &'s Truth,
    pub(super) answer: &'s Answer,
}

/// What one sweep says about a figure; `None` where it says nothing.
pub(super) type Ask = fn(&Seen<'_>) -> Option<f64>;

/// Draws what is true in one sweep.
pub(super) type DrawTruth = Box<dyn Fn(&mut Draws) -> Truth + Send + Sync>;

/// Simulates one sweep without a verdict: what it says about each figure.
pub(super) type Direct =
    Box<dyn Fn(&mut Draws) -> Result<Vec<Option<f64>>, CalibrateError> + Send + Sync>;

pub(super) enum Kind {
    /// A sweep that `analysis::analyze` answers.
    Verdict {
        design: Design,
        truth: DrawTruth,
        asks: Vec<Ask>,
    },
    /// Something that no verdict prints yet.
    Direct(Direct),
}

/// A setting of a world.
pub struct Setting {
    /// The world's name.
    pub world: &'static str,
    /// What sets it apart: size, rates.
    pub label: String,
    /// How many sweeps are simulated.
    pub sweeps: u32,
    /// What is counted.
    pub measures: Vec<Measure>,
    pub(super) kind: Kind,
}

impl Setting {
    /// A setting that verdicts answer.
    pub(super) fn verdict(
        (world, label, sweeps): (&'static str, String, u32),
        design: Design,
        truth: DrawTruth,
        counted: Vec<(Measure, Ask)>,
    ) -> Self {
        let (measures, asks) = counted.into_iter().unzip();
        Self {
            world,
            label,
            sweeps,
            measures,
            kind: Kind::Verdict {
                design,
                truth,
                asks,
            },
        }
    }

    /// A setting that asks a statistic itself.
    pub(super) fn direct(
        (world, label, sweeps): (&'static str, String, u32),
        measures: Vec<Measure>,
        direct: Direct,
    ) -> Self {
        Self {
            world,
            label,
            sweeps,
            measures,
            kind: Kind::Direct(direct),
        }
    }

    /// Whether a method has figures of its own here.
    #[must_use]
    pub fn takes(&self, method: Method) -> bool {
        method == Method::Shipped || matches!(self.kind, Kind::Verdict { .. })
    }

    /// Simulates the sweeps of these numbers: one tally per measure. A sweep depends on its
    /// setting and its number alone.
    ///
    /// # Errors
    /// `CalibrateError` when the setting itself is unsound.
    pub fn run(&self, method: Method, sweeps: Range<u32>) -> Result<Vec<Tally>, CalibrateError> {
        let mut tallies = vec![Tally::default(); self.measures.len()];
        let mut bench = match &self.kind {
            Kind::Verdict { design, .. } => Some(Bench::new(design)?),
            Kind::Direct(_) => None,
        };
        for sweep in sweeps {
            let mut draws = Draws::stream(self.seed(), sweep.into());
            let values = match (&self.kind, &mut bench) {
                (Kind::Direct(direct), _) => direct(&mut draws)?,
                (
                    Kind::Verdict {
                        design,
                        truth,
                        asks,
                    },
                    Some(bench),
                ) => {
                    let truth = truth(&mut draws);
                    bench.roll(&truth, &mut draws);
                    let answer = Answer::of(bench.analyze()?, method, (design, sweep))?;
                    let seen = Seen {
                        design,
                        truth: &truth,
                        answer: &answer,
                    };
                    asks.iter().map(|ask| ask(&seen)).collect()
                }
                (Kind::Verdict { .. }, None) => Vec::new(),
            };
            for (tally, value) in tallies.iter_mut().zip(values) {
                if let Some(value) = value {
                    tally.add(value);
                }
            }
        }
        Ok(tallies)
    }

    /// From world and label (FNV-1a, 64 bit), so that a new setting changes no other.
    fn seed(&self) -> u64 {
        let text = self.world.bytes().chain(*b"/").chain(self.label.bytes());
        text.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}
