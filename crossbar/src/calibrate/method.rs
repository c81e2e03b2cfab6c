//! Which method is held to the promises: the shipped one, or one that is known to break them. The
//! latter show that the instrument can fail.

/// A method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// What every verdict uses.
    #[default]
    Shipped,
    /// Intervals and claims by the percentile bootstrap over tasks.
    BootstrapPercentile,
    /// Better and worse by the exact sign-flip test; everything else as shipped.
    SignFlipDirection,
    /// Claims by MOVER without the padding of the correlation; everything else as shipped.
    UnpaddedCorrelation,
}

/// Every method with its name and what it is.
pub const METHODS: &[(&str, Method, &str)] = &[
    ("shipped", Method::Shipped, "what every verdict uses"),
    (
        "bootstrap-percentile",
        Method::BootstrapPercentile,
        "intervals and claims by the percentile bootstrap over tasks; known to fail",
    ),
    (
        "sign-flip-direction",
        Method::SignFlipDirection,
        "better and worse by the exact sign-flip test; known to fail",
    ),
    (
        "unpadded-correlation",
        Method::UnpaddedCorrelation,
        "claims by MOVER without its padding; known to fail where tasks are dead for all cells",
    ),
];

impl Method {
    /// The method of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let known = METHODS.iter().find(|(known, _, _)| *known == name);
        known.map(|(_, method, _)| *method)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let known = METHODS.iter().find(|(_, method, _)| *method == self);
        known.map_or("shipped", |(name, _, _)| name)
    }
}
