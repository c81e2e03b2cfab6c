//! The table of intervals that other tools print: their words, what they are made of, and what each
//! was measured to cover.

use serde::{Deserialize, Serialize};

/// An interval that other tools print (`stats.ci` of the roster).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum NamedInterval {
    /// Wilson's, of all rollouts pooled.
    Wilson,
    /// Clopper and Pearson's, of all rollouts pooled.
    ClopperPearson,
    /// Percentiles of means over tasks drawn anew.
    BootstrapPercentile,
    /// The same, corrected for bias and acceleration.
    BootstrapBca,
    /// Studentised means over tasks drawn anew.
    BootstrapT,
    /// Newcombe's difference of two paired proportions.
    Newcombe,
    /// Tango's difference of two paired proportions.
    Tango,
    /// Agresti and Min's difference of two paired proportions.
    AgrestiMin,
}

/// One line of the table of named intervals.
#[derive(Debug, Clone, Copy)]
pub struct NamedMethod {
    /// The interval.
    pub interval: NamedInterval,
    /// Its word in a roster.
    pub word: &'static str,
    /// What it is made of.
    pub what: &'static str,
    /// What it was measured to cover where it says 95%.
    pub coverage: &'static str,
}

/// Every named interval. A new one is a line here and a case in the two functions below.
pub const NAMED_INTERVALS: &[NamedMethod] = &[
    NamedMethod {
        interval: NamedInterval::Wilson,
        word: "wilson",
        what: "Wilson, all rollouts pooled",
        coverage: "87 to 99% with one repeat, 71 to 87% with 5, 52 to 82% with 10",
    },
    NamedMethod {
        interval: NamedInterval::ClopperPearson,
        word: "clopper-pearson",
        what: "Clopper-Pearson, all rollouts pooled",
        coverage: "95 to 100% with one repeat, 73 to 91% with 5, 59 to 86% with 10",
    },
    NamedMethod {
        interval: NamedInterval::BootstrapPercentile,
        word: "bootstrap-percentile",
        what: "percentile bootstrap over tasks, 10,000 draws",
        coverage: "19 to 70% at 4 tasks, 66 to 90% at 20",
    },
    NamedMethod {
        interval: NamedInterval::BootstrapBca,
        word: "bootstrap-bca",
        what: "BCa bootstrap over tasks, 10,000 draws",
        coverage: "35 to 70% at 4 tasks, 80 to 93% at 20",
    },
    NamedMethod {
        interval: NamedInterval::BootstrapT,
        word: "bootstrap-t",
        what: "studentised bootstrap over tasks, 10,000 draws",
        coverage: "36 to 86% at 4 tasks, 89 to 97% at 20",
    },
    NamedMethod {
        interval: NamedInterval::Newcombe,
        word: "newcombe",
        what: "Newcombe's paired difference, one repeat only",
        coverage: "85 to 94% at 4 to 100 tasks",
    },
    NamedMethod {
        interval: NamedInterval::Tango,
        word: "tango",
        what: "Tango's paired difference, one repeat only",
        coverage: "94 to 99% at 4 to 100 tasks",
    },
    NamedMethod {
        interval: NamedInterval::AgrestiMin,
        word: "agresti-min",
        what: "Agresti and Min's paired difference, one repeat only",
        coverage: "91 to 95% at 4 to 100 tasks",
    },
];

impl NamedInterval {
    /// The interval of a word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        let line = NAMED_INTERVALS.iter().find(|method| method.word == word)?;
        Some(line.interval)
    }

    /// Its line of the table.
    #[must_use]
    pub fn method(self) -> Option<&'static NamedMethod> {
        NAMED_INTERVALS.iter().find(|line| line.interval == self)
    }
}
