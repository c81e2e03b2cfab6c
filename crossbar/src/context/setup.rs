//! What a rollout's context is made of.

use crate::domain::{Clock, Limits, Model, Relay};
use crate::harness::Harness;
use crate::provider::Provider;
use crate::task::SecurityPolicy;
use std::sync::Arc;

/// What one rollout runs with.
pub struct Setup {
    /// The model's settings and price.
    pub model: Model,
    /// The model itself.
    pub provider: Box<dyn Provider>,
    /// The model's own address, for a program that asks it by itself; `None` where crossbar does.
    pub relay: Option<Box<dyn Relay>>,
    /// The loop around it.
    pub harness: Box<dyn Harness>,
    /// Whether that loop tells the model of tools.
    pub offers_tools: bool,
    /// The ceilings.
    pub limits: Limits,
    /// What is forbidden.
    pub policy: SecurityPolicy,
    /// The time.
    pub clock: Arc<dyn Clock>,
}
