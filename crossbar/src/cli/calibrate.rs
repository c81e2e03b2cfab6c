//! `crossbar calibrate`: simulated worlds show whether the statistics hold what
//! docs/statistics.md promises.

use super::output;
use crate::session::{self, CalibrateOptions, Effort, Exit, SessionError};
use clap::Args;

/// The flags of `calibrate`.
#[derive(Args)]
pub(super) struct CalibrateArgs {
    /// Seconds instead of minutes: a few sizes, and milder faults go unseen.
    #[arg(long)]
    quick: bool,
    /// Hold this method to the promises: shipped, or one that is known to break them
    /// (bootstrap-percentile, sign-flip-direction).
    #[arg(long, value_name = "M", default_value = "shipped")]
    method: String,
    /// Simulate this world and no other.
    #[arg(long, value_name = "W")]
    world: Option<String>,
}

pub(super) fn main(args: &CalibrateArgs) -> Result<Exit, SessionError> {
    let options = CalibrateOptions {
        effort: if args.quick {
            Effort::Quick
        } else {
            Effort::Full
        },
        method: args.method.clone(),
        world: args.world.clone(),
        threads: None,
    };
    let calibrated = session::calibrate(&options, &output::note)?;
    output::print(&calibrated.text)?;
    Ok(calibrated.exit)
}
