//! The keys of a roster: what the readers beside it read by, and what the schema is printed from.

use crate::domain::GateReference;
use crate::source::{Key, Section, Shape};

/// The name of the table of provider kinds, for whoever resolves [`Shape::Table`].
pub(in crate::pack) const PROVIDER: &str = "provider";

/// The name of the table of harness kinds.
pub(in crate::pack) const HARNESS_KIND: &str = "harness";

/// The most dollars that a budget names.
pub(super) const MAX_BUDGET: f64 = 1_000_000_000.0;

/// The roster.
pub(in crate::pack) const ROSTER: Section = Section {
    what: "the roster",
    keys: &[
        Key::required(
            "models",
            Shape::List(&Shape::Section(&MODEL)),
            "the models; without one only controls run",
        ),
        Key::optional(
            "harnesses",
            Shape::List(&Shape::Section(&HARNESS)),
            "the loops around a model; needed as soon as there is a model",
        ),
        Key::optional(
            "agents",
            Shape::List(&Shape::Section(&AGENT)),
            "which model runs in which harness (default: every pair that fits)",
        ),
        Key::optional(
            "packs",
            Shape::List(&Shape::Filled),
            "folders of tasks (default: every folder with tasks below this file)",
        ),
        Key::optional("run", Shape::Section(&RUN), "how a sweep is run"),
        Key::optional("stats", Shape::Section(&STATS), "how intervals are made"),
        Key::optional(
            "gate",
            Shape::Section(&GATE),
            "what a verdict is held against",
        ),
        Key::optional(
            "budget",
            Shape::Section(&BUDGET),
            "the ceiling for live models",
        ),
    ],
};

/// The table of a model. Which keys its provider needs and takes stands in the provider's table.
pub(in crate::pack) const MODEL: Section = Section {
    what: "a model",
    keys: &[
        Key::required("id", Shape::Id, "its name in every result"),
        Key::required("provider", Shape::Table(PROVIDER), "who serves it"),
        Key::optional(
            "model",
            Shape::Filled,
            "the provider's name for it (default: the id)",
        ),
        Key::optional(
            "price",
            Shape::Either(&[Shape::Word(PRICE_WORDS), Shape::Section(&PRICE)]),
            "`free`, `unknown` (the default) or dollars per million tokens",
        ),
        Key::optional(
            "params",
            Shape::Map(&Shape::Json),
            "settings that are passed on as they are",
        ),
        Key::optional("base_url", Shape::Text, "the address of the endpoint"),
        Key::optional(
            "api_key_env",
            Shape::Text,
            "the name of the variable that holds the key, never the key",
        ),
        Key::optional(
            "limits",
            Shape::Section(&LIMITS),
            "how many requests it is sent, at a time and in a minute (default: as many as are answered)",
        ),
        Key::optional(
            "skill",
            Shape::Number(0.0, 1.0),
            "the chance that a step is carried out (default 1)",
        ),
        Key::optional(
            "recover",
            Shape::Number(0.0, 1.0),
            "the chance that a missed step is made good on a self-check turn (default 0)",
        ),
    ],
};

/// `limits` of a model.
pub(super) const LIMITS: Section = Section {
    what: "`limits`",
    keys: &[
        Key::optional(
            "concurrency",
            Shape::Integer(1, 1_024),
            "requests under way at a time",
        ),
        Key::optional(
            "requests_per_minute",
            Shape::Integer(1, 100_000),
            "requests that begin in a minute, evenly spread",
        ),
    ],
};

/// The words that stand for a price.
pub(super) const PRICE_WORDS: &[&str] = &["free", "unknown"];

/// Dollars per million tokens.
const DOLLARS: Shape = Shape::Number(0.0, 1_000_000.0);

/// `price` as a mapping.
pub(super) const PRICE: Section = Section {
    what: "a price",
    keys: &[
        Key::required("input_per_mtok", DOLLARS, "uncached input"),
        Key::required("output_per_mtok", DOLLARS, "output"),
        Key::optional("cache_read_per_mtok", DOLLARS, "input read from the cache"),
        Key::optional(
            "cache_write_per_mtok",
            DOLLARS,
            "input written to the cache, for however long",
        ),
        Key::optional(
            "cache_write_5m_per_mtok",
            DOLLARS,
            "input written to the cache for five minutes",
        ),
        Key::optional(
            "cache_write_1h_per_mtok",
            DOLLARS,
            "input written to the cache for an hour",
        ),
        Key::optional(
            "as_of",
            Shape::Text,
            "the day on which you read the price, YYYY-MM-DD",
        ),
    ],
};

/// An item of `harnesses`.
/// What a program looks for by itself.
pub(super) const ISOLATIONS: &[&str] = &["default", BARE];

/// That it looks for nothing.
pub(super) const BARE: &str = "bare";

/// Instructions that are a file.
pub(super) const INSTRUCTIONS: Section = Section {
    what: "`instructions`",
    keys: &[Key::required(
        "file",
        Shape::Filled,
        "a file of text, by its path from the roster",
    )],
};

pub(super) const HARNESS: Section = Section {
    what: "a harness",
    keys: &[
        Key::required("id", Shape::Id, "its name in every result"),
        Key::required("kind", Shape::Table(HARNESS_KIND), "which loop it is"),
        Key::optional(
            "verify",
            Shape::Flag,
            "whether it forces one self-check turn (default false)",
        ),
        Key::optional(
            "instructions",
            Shape::Either(&[Shape::Text, Shape::Section(&INSTRUCTIONS)]),
            "what replaces its own system prompt; or a file, which stands where the program looks for \
             its instructions",
        ),
        Key::optional(
            "skills",
            Shape::List(&Shape::Filled),
            "folders of skills that the program has in every rollout; with an empty list it can use \
             skills and has none of yours (default: it can use none)",
        ),
        Key::optional(
            "isolation",
            Shape::Word(ISOLATIONS),
            "what the program looks for by itself: `default`, or nothing (`bare`)",
        ),
        Key::optional(
            "command",
            Shape::Filled,
            "the executable of kind `command`: a name in PATH, or a path from this file on that begins with `./`",
        ),
        Key::optional(
            "args",
            Shape::List(&Shape::Text),
            "its arguments; one that begins with `./` is a path from this file on",
        ),
        Key::optional(
            "env",
            Shape::Map(&Shape::Text),
            "variables that it sees besides `PATH`, `HOME` and the like",
        ),
        Key::optional(
            "version",
            Shape::Filled,
            "the version that it has to say of itself",
        ),
    ],
};

/// An item of `agents`.
pub(super) const AGENT: Section = Section {
    what: "an agent",
    keys: &[
        Key::required("model", Shape::Text, "the id of a model"),
        Key::required("harness", Shape::Text, "the id of a harness"),
    ],
};

/// `run`.
pub(super) const RUN: Section = Section {
    what: "`run`",
    keys: &[
        Key::optional(
            "repeats",
            Shape::Integer(1, 1000),
            "rollouts per case (default 3)",
        ),
        Key::optional(
            "seed",
            Shape::Integer(0, u64::MAX),
            "the seed of everything random (default 0)",
        ),
        Key::optional(
            "concurrency",
            Shape::Integer(1, 1024),
            "rollouts at once (default: by the kinds of cells)",
        ),
        Key::optional(
            "baseline",
            Shape::Text,
            "the cell used today, `model+harness`",
        ),
        Key::optional(
            "results_dir",
            Shape::Filled,
            "the folder of results, from this file on (default runs)",
        ),
        Key::optional(
            "max_repeats",
            Shape::Integer(2, 1000),
            "the most rollouts per case of `run --adaptive`",
        ),
        Key::optional(
            "task_looks",
            Shape::List(&Shape::Integer(1, MOST_TASKS)),
            "the numbers of tasks at which verdicts will be asked while the pack grows, rising",
        ),
        Key::optional("k", Shape::Integer(1, 1000), "the k of pass@k and pass^k"),
        Key::optional(
            "cache",
            Shape::Word(&["cold", "warm"]),
            "whether providers' prompt caches are meant to be used; recorded, and held against the tokens",
        ),
    ],
};

/// The most tasks of a look.
pub(super) const MOST_TASKS: u64 = 1_000_000;

/// `stats`.
pub(super) const STATS: Section = Section {
    what: "`stats`",
    keys: &[
        Key::optional(
            "padding",
            Shape::Word(&["normal", "strict"]),
            "how wide intervals are for few tasks (default normal)",
        ),
        Key::optional(
            "ci",
            Shape::Word(NAMED_INTERVALS),
            "an interval of other tools to print beside ours in report.md, with what it covers",
        ),
    ],
};

/// The words of `stats.ci`: those that the analysis knows.
const NAMED_INTERVALS: &[&str] = &[
    "wilson",
    "clopper-pearson",
    "bootstrap-percentile",
    "bootstrap-bca",
    "bootstrap-t",
    "newcombe",
    "tango",
    "agresti-min",
];

/// `gate`.
pub(super) const GATE: Section = Section {
    what: "`gate`",
    keys: &[
        Key::optional(
            "margin",
            Shape::Number(0.0, 0.5),
            "how much worse is still good enough, a difference of rates (default 0.05)",
        ),
        Key::optional(
            "alpha",
            Shape::Number(0.0001, 0.5),
            "the error rate (default 0.05)",
        ),
        Key::optional(
            "quality_bar",
            Shape::Number(0.0, 1.0),
            "the rate that a cell must clear by its lower limit",
        ),
        Key::optional(
            "mode",
            Shape::Word(&["none", "regression", "noninferiority"]),
            "what CI is held to (default none)",
        ),
        Key::optional(
            "scope",
            Shape::Word(&["these", "like"]),
            "exactly these tasks or tasks like these (default: these for regression)",
        ),
        Key::optional("cell", Shape::Filled, "the cell that is held"),
        Key::optional(
            "reference",
            Shape::Either(&[
                Shape::Word(&["stored", "concurrent"]),
                Shape::Counted(GateReference::SENTINEL),
            ]),
            "accepted earlier results (default stored), the baseline of the same sweep, or earlier \
             results while the baseline still solves N of its tasks as it did",
        ),
        Key::optional(
            "noise_threshold",
            Shape::Number(0.0, 0.5),
            "the smallest drop that counts, a difference of rates (default 0.02)",
        ),
        Key::optional(
            "max_age_days",
            Shape::Integer(1, 3_650),
            "days for which a live cell's reference holds (default 14)",
        ),
        Key::optional(
            "forbid_removed",
            Shape::Flag,
            "whether a task that is gone fails the gate",
        ),
        Key::optional("allow_mock", Shape::Flag, "whether mock cells may be held"),
    ],
};

/// `budget`.
pub(super) const BUDGET: Section = Section {
    what: "`budget`",
    keys: &[Key::optional(
        "usd",
        Shape::Either(&[Shape::Word(&[UNLIMITED]), Shape::Number(0.0, MAX_BUDGET)]),
        "the ceiling of a sweep in dollars, or `unlimited`",
    )],
};

/// The word for no ceiling.
pub(super) const UNLIMITED: &str = "unlimited";
