//! A challenger against the baseline, in both scopes, and the word that the matrix prints.

use super::{CellSummary, Claim, Influence, Question, TimeComparison};
use crate::domain::{CellId, Estimate};
use serde::Serialize;
use std::fmt;

/// A challenger against the baseline. Differences are challenger minus baseline, as fractions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The challenger.
    pub cell: CellId,
    /// Which side has not one measured rollout: then nothing below says anything. `None` where
    /// both have one.
    pub unmeasured: Option<Unmeasured>,
    /// Over tasks like these; `None` with fewer than two units, or when a side was not measured.
    pub like: Option<LikeComparison>,
    /// Over exactly these tasks; `None` with one repeat, or when a side was not measured.
    pub these: Option<TheseComparison>,
    /// Cost per success against the baseline's.
    pub cost: CostComparison,
    /// Time to finish against the baseline's; `None` with fewer than two units, or where a task
    /// has no measured rollout.
    #[serde(rename = "took_ms")]
    pub time: Option<TimeComparison>,
    /// The unit that the difference \[tasks like these\] owes most to; `None` with fewer than
    /// three units, where nothing differs, or where rollouts say nothing.
    pub influence: Option<Influence>,
}

/// The side of a comparison of which not one rollout was measured: all of them are missing, or
/// ended as infrastructure failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unmeasured {
    /// The challenger.
    Challenger,
    /// The baseline.
    Baseline,
    /// Both.
    Both,
}

/// A comparison over tasks like these. A p-value is the largest that rollouts which were not measured
/// could make of it: 1 where they decide which cell passes more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LikeComparison {
    /// The difference of pass rates by MOVER at the level of its Holm step. `p`, `adjusted_p`
    /// and `shown` are of the claim that it is not 0: SIGNIFICANT is `shown`. In an adaptive run
    /// all of it is of the cell's last look: its p is held against the error spent by then.
    pub difference: Claim,
    /// The difference's interval at the plain level 1 - alpha, before any correction.
    pub plain: Estimate,
    /// What rollouts that were not measured could make of it; `None` where every one was measured.
    pub bounds: Option<Bounds>,
    /// The direction, where it is shown.
    pub direction: Option<Shown>,
    /// The exact sign-flip p, two-sided, unadjusted: do the patterns differ? `None` in an adaptive
    /// run, where one p of all that was seen counts no look but the last.
    pub pattern_p: Option<f64>,
    /// The same, adjusted by Holm.
    pub pattern_adjusted_p: Option<f64>,
    /// The same question by step-down max-T over all challengers with one common sign a unit
    /// (exact up to 14 units, else 10,000 seeded signs): a screen that sees more and holds its
    /// level less surely. `None` as above, where a challenger was not measured, and where differences
    /// are too large for it.
    pub pattern_screen_p: Option<f64>,
    /// Patterns differ (adjusted), and the direction of the mean is not settled.
    pub borderline: bool,
    /// Non-inferiority within the margin, one-sided, Holm over the challengers; `estimate` is the
    /// difference with its one-sided lower limit at the level of its Holm step, and no upper one.
    pub non_inferior: Claim,
    /// Whether rollouts that could not be measured decide the direction.
    pub direction_undetermined: bool,
    /// Whether rollouts that could not be measured decide non-inferiority.
    pub non_inferior_undetermined: bool,
}

/// The difference at either extreme of the rollouts that were not measured (F6), each with its
/// interval at the plain level.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    /// Those of the challenger failed, those of the baseline passed.
    pub worst: Estimate,
    /// The reverse.
    pub best: Estimate,
}

/// A comparison over exactly these tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TheseComparison {
    /// The difference of pass rates with the pack line's interval (F5) at the plain level. `p`
    /// and `adjusted_p` are of the exact stratified test, two-sided; `shown` is by the adjusted.
    pub difference: Claim,
    /// The direction by the adjusted p, where it is shown.
    pub direction: Option<Shown>,
    /// The direction by the unadjusted p: what "on this pack only" says.
    pub pack_only: Option<Shown>,
    /// Non-inferiority within the margin by the pack line, Holm over the challengers; `estimate`
    /// has the one-sided lower limit at the level of its Holm step, and no upper one.
    pub non_inferior: Claim,
    /// Whether rollouts that could not be measured decide the direction.
    pub direction_undetermined: bool,
    /// Whether rollouts that could not be measured decide non-inferiority.
    pub non_inferior_undetermined: bool,
}

/// A direction that was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// The challenger passes more.
    Better,
    /// The challenger passes less.
    Worse,
}

/// The challenger's cost per success against the baseline's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CostComparison {
    /// Whether it is shown to be cheaper.
    pub cheaper: Cheaper,
    /// Cost per success of the challenger divided by the baseline's, limits at error
    /// alpha/challengers; unbounded above where the challenger's pass rate may be 0. `None` when
    /// a cost is unknown or zero, or neither arm has a success.
    pub ratio: Option<Estimate>,
    /// 1 - ratio with its interval, a fraction of today's cost per success (negative: dearer);
    /// `None` as above, and where the ratio is unbounded.
    pub saving: Option<Estimate>,
    /// Whether the ratio's interval excludes 1; a saving that is not is printed as "not
    /// distinguishable".
    pub distinguishable: bool,
}

/// What is known about the price of a challenger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cheaper {
    /// Shown to be cheaper.
    Shown,
    /// Shown not to be.
    ShownNot,
    /// Neither.
    Open,
    /// A cost is not known: it can't win on price.
    UnknownCost,
}

/// The word of a matrix row, of \[tasks like these\], with what the pack adds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Note {
    /// The word; `None` where there is nothing to compare with.
    pub word: Option<NoteWord>,
    /// "on this pack only", where the word leaves the direction open and the pack does not.
    pub pack_only: Option<Shown>,
}

/// The words of a matrix row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NoteWord {
    /// The cell used today.
    Baseline,
    /// Shown better.
    Better,
    /// Shown worse.
    Worse,
    /// Shown within the margin.
    NonInferior {
        /// The margin, a fraction.
        margin: f64,
    },
    /// Shown worse, and shown within the margin.
    WorseWithinMargin,
    /// The patterns differ; the direction is not settled.
    Borderline,
    /// Nothing is shown.
    NotSeparable,
    /// What is missing decides.
    MissingDecides,
    /// Not one rollout of the challenger, of the baseline, or of either was measured.
    NotMeasured {
        /// Which.
        side: Unmeasured,
    },
}

impl fmt::Display for NoteWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Baseline => f.write_str("baseline"),
            Self::Better => f.write_str("better"),
            Self::Worse => f.write_str("worse"),
            Self::NonInferior { margin } => {
                write!(f, "non-inferior (-{}pp)", (margin * 1e4).round() / 100.0)
            }
            Self::WorseWithinMargin => f.write_str("worse within margin"),
            Self::Borderline => f.write_str("borderline"),
            Self::NotSeparable => f.write_str("~ not separable"),
            Self::MissingDecides => f.write_str("missing rollouts decide"),
            Self::NotMeasured {
                side: Unmeasured::Baseline,
            } => f.write_str("baseline not measured"),
            Self::NotMeasured { .. } => f.write_str("not measured"),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(word) = &self.word {
            write!(f, "{word}")?;
        }
        match self.pack_only {
            Some(Shown::Better) => f.write_str(", on this pack only: better"),
            Some(Shown::Worse) => f.write_str(", on this pack only: worse"),
            None => Ok(()),
        }
    }
}

/// Writes the word of every row.
pub(super) fn annotate(question: &Question, comparisons: &[Comparison], cells: &mut [CellSummary]) {
    for cell in cells {
        let comparison = comparisons.iter().find(|c| c.cell == cell.id);
        let baseline = question.baseline.as_ref() == Some(&cell.id);
        cell.note = match comparison {
            Some(comparison) => note(question, comparison),
            None => Note {
                word: baseline.then_some(NoteWord::Baseline),
                pack_only: None,
            },
        };
    }
}

fn note(question: &Question, comparison: &Comparison) -> Note {
    let margin = question.margin.value;
    let word = match (comparison.unmeasured, &comparison.like) {
        (Some(side), _) => NoteWord::NotMeasured { side },
        // an adaptive run has not come to its first look
        (None, None) if question.looks.is_some() => NoteWord::MissingDecides,
        (None, None) => NoteWord::NotSeparable,
        (None, Some(like)) => match (like.direction, like.non_inferior.shown) {
            (Some(Shown::Better), _) => NoteWord::Better,
            (Some(Shown::Worse), true) => NoteWord::WorseWithinMargin,
            (Some(Shown::Worse), false) => NoteWord::Worse,
            (None, true) => NoteWord::NonInferior { margin },
            (None, false) if like.direction_undetermined || like.non_inferior_undetermined => {
                NoteWord::MissingDecides
            }
            (None, false) if like.borderline => NoteWord::Borderline,
            (None, false) => NoteWord::NotSeparable,
        },
    };
    let leaves_open = matches!(word, NoteWord::NotSeparable | NoteWord::Borderline);
    let these = comparison.these.as_ref().filter(|_| leaves_open);
    Note {
        word: Some(word),
        pack_only: these.and_then(|these| these.pack_only),
    }
}
