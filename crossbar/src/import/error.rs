//! Why results can't be imported.

/// Why results can't be imported. Every text names the place and the cure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// Problems in a file, each rendered with its place and its cure.
    #[error("{0}")]
    InFile(String),
    /// No format is recognised.
    #[error("{path} is none of the files that can be read: {formats}")]
    Format {
        /// The file.
        path: String,
        /// What could be read.
        formats: String,
    },
    /// Something in a file is not as it must be.
    #[error("{what}\n  --> {place}\nhelp: {help}")]
    Wrong {
        /// What is wrong.
        what: String,
        /// Where.
        place: String,
        /// The cure.
        help: &'static str,
    },
    /// The file is no text.
    #[error("{path} is no UTF-8 text: byte {at} is no part of a character\nhelp: save it as UTF-8")]
    NotText {
        /// The file.
        path: String,
        /// The first wrong byte, from 0.
        at: usize,
    },
    /// Something that stands in one place contradicts what stands in another.
    #[error("{what}\n  --> {place}\n  and {other}\nhelp: {help}")]
    Contradiction {
        /// What is wrong.
        what: String,
        /// The later place.
        place: String,
        /// The earlier place.
        other: String,
        /// The cure.
        help: &'static str,
    },
    /// There is no rollout in any file.
    #[error("there is no rollout in {0}\nhelp: give a file with results")]
    Empty(String),
    /// A name was given to a file that names several cells itself.
    #[error(
        "{path} has several cells ({cells}), so it can't be named `{name}`\nhelp: leave `{name}=` out, or give one file per cell"
    )]
    SeveralCells {
        /// The file.
        path: String,
        /// Its cells.
        cells: String,
        /// The name that was given.
        name: String,
    },
}
