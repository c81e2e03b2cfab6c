//! The columns that are read. Documentation and messages walk this table.

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its heading.
    pub name: &'static str,
    /// Whether a file without it can't be read.
    pub need: Need,
    /// What its fields hold.
    pub doc: &'static str,
}

/// Whether a column must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Always.
    Always,
    /// Unless the file was given as NAME=FILE.
    UnlessNamed,
    /// Never.
    Never,
}

const fn optional(name: &'static str, doc: &'static str) -> Column {
    let need = Need::Never;
    Column { name, need, doc }
}

/// Every column that means something; others are named in a note.
pub const COLUMNS: [Column; 31] = [
    Column {
        name: "cell",
        need: Need::UnlessNamed,
        doc: "what is compared: a model, or `model+harness`",
    },
    Column {
        name: "task",
        need: Need::Always,
        doc: "the task, the same name in every cell",
    },
    Column {
        name: "repeat",
        need: Need::Always,
        doc: "which rollout of this cell on this task, from 1",
    },
    Column {
        name: "passed",
        need: Need::Always,
        doc: "`true` or `false` (also 1 and 0, yes and no, pass and fail)",
    },
    optional(
        "outcome",
        "how it ended, in the words of rollouts.csv; it must agree with `passed`",
    ),
    optional("detail", "which limit, or what the error was"),
    optional(
        "score",
        "a graded score, 0 to 1; shown as a mean, and no verdict is made of it",
    ),
    optional("security", "a part of the score, 0 to 1"),
    optional("completion", "a part of the score, 0 to 1"),
    optional("process", "a part of the score, 0 to 1"),
    optional("failure_mode", "one of the six ways to fail"),
    optional("cost_usd", "dollars; empty where not known"),
    optional(
        "cost_source",
        "`free` where the model costs nothing on purpose",
    ),
    optional(
        "input_tokens",
        "all input tokens, where their kinds are not known",
    ),
    optional("output_tokens", "output tokens"),
    optional(
        "input_uncached",
        "input tokens by kind, instead of `input_tokens`",
    ),
    optional(
        "cache_read",
        "as before; the kinds are all there or none is",
    ),
    optional("cache_write_5m", "as before"),
    optional("cache_write_1h", "as before"),
    optional("output", "output tokens, instead of `output_tokens`"),
    optional("seconds", "how long it took"),
    optional(
        "started",
        "when it began, RFC 3339; UTC unless it says otherwise",
    ),
    optional("tool_calls", "calls that the agent made"),
    optional(
        "forbidden_proposed",
        "forbidden calls that the agent asked for",
    ),
    optional("forbidden_blocked", "those that were stopped"),
    optional(
        "forbidden_executed",
        "those that reached their tool; above 0 the cell is not proposed, and the other two must be there",
    ),
    optional(
        "family",
        "tasks of one family count as one unit, once every task names its family",
    ),
    optional(
        "weight",
        "the task's weight among tasks like these, above 0",
    ),
    optional(
        "stratum",
        "the part of the work that the task was drawn from, instead of `weight`; every task needs one",
    ),
    optional(
        "stratum_share",
        "how much of the work that part is, above 0, on any scale; without it `stratum` is not used",
    ),
    optional("dataset_hash", "what crossbar's own files carry; not used"),
];
