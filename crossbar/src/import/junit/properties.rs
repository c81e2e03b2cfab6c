//! The properties that are read, of a test case or of a suite around it. Documentation walks this
//! table.

/// A property.
#[derive(Debug, Clone, Copy)]
pub struct Property {
    /// Its name.
    pub name: &'static str,
    /// What its value holds.
    pub doc: &'static str,
}

const fn property(name: &'static str, doc: &'static str) -> Property {
    Property { name, doc }
}

/// Every property that means something; runners write others of their own.
pub const PROPERTIES: [Property; 8] = [
    property(
        "cell",
        "what is compared, where the file is not given as NAME=FILE",
    ),
    property(
        "task",
        "the task, where it is not `classname::name` of the test case",
    ),
    property("repeat", "which rollout of this cell on this task, from 1"),
    property(
        "family",
        "tasks of one family count as one unit, once every task names its family",
    ),
    property(
        "weight",
        "the task's weight among tasks like these, above 0",
    ),
    property("cost_usd", "dollars"),
    property("input_tokens", "all input tokens"),
    property("output_tokens", "output tokens"),
];
