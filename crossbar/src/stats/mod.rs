//! Statistics: numbers in, numbers out.
//!
//! What is for here: intervals, tests, corrections for many comparisons, and sample sizes, over
//! counts of passes per task. The task (or a declared family of tasks) is the unit; rollouts are
//! never pooled. Rates, differences and limits are fractions, never points.
//!
//! What it must not know: files, clocks, money units, model names, how anything is printed, any
//! other room. Randomised methods take a seed and draw from ChaCha8, so the same seed gives the
//! same figures on every machine and thread count.
//!
//! Throughout, `alpha` is the two-sided error of an interval (level = 1 - alpha) unless a name
//! says one-sided; arm `a` is the challenger and arm `b` the baseline.

mod error;
mod limits;

mod beta;
mod binomial;
mod normal;
mod random;
mod student;

mod arm;
mod units;

mod clopper_pearson;
mod korn_graubard;
mod wilson;

mod level;
mod mover;

mod benjamini_hochberg;
mod directional;
mod holm;
mod noninferiority;

mod pack_line;
mod sign_flip;
mod signs;
mod stratified;

mod max_t;

mod adaptive;
mod sequential_flip;
mod spending;

mod fisher;
mod mcnemar;
mod newcombe;
mod paired_table;

mod bootstrap;
mod bootstrap_bca;
mod bootstrap_t;
mod quantile;

mod kaplan_meier;
mod time_to_finish;

mod cost;
mod cost_ratio;
mod pass_k;

mod leaning;
mod pareto;
mod planning;
mod sample_size;
mod simulated_power;
mod smallest_drop;
mod task_signal;
mod task_world;
mod variance;
mod winner;

#[cfg(test)]
mod promises;
#[cfg(test)]
mod properties;

pub use adaptive::{
    Futility, Hurdles, Path, Prospect, SequentialClaim, futility, sequential_claim,
};
pub use arm::Arm;
pub use benjamini_hochberg::benjamini_hochberg;
pub use beta::{beta_cdf, beta_quantile, ln_gamma};
pub use binomial::{binomial_at_least, binomial_mass};
pub use bootstrap::{BootstrapEstimate, DrawnMeans, Resampling, bootstrap_means, paired_bootstrap};
pub use bootstrap_bca::Bca;
pub use clopper_pearson::clopper_pearson;
pub use cost::{CostArm, CostLimits, CostPerSuccess, cost_per_success};
pub use cost_ratio::{CostRatio, CostRatioP, Ratio, cost_ratio, cost_ratio_p};
pub use directional::{Direction, DirectionalClaim, directional_holm};
pub use error::StatsError;
pub use fisher::{FisherExact, fisher_exact};
pub use holm::{Family, HolmStep, holm, holm_adjusted, holm_steps};
pub use kaplan_meier::{End, Finish};
pub use korn_graubard::{CellEstimate, korn_graubard};
pub use leaning::{Leaning, leaning};
pub use limits::{Limits, OpenLimits};
pub use max_t::{MaxT, max_t};
pub use mcnemar::{McNemar, mcnemar, mcnemar_majority};
pub use mover::{Difference, Padding, Pair, mover};
pub use newcombe::newcombe;
pub use noninferiority::{NonInferiority, noninferiority_holm};
pub use normal::{normal_cdf, normal_quantile};
pub use pack_line::{PackLine, PackNonInferiority, pack_line, pack_noninferiority_holm};
pub use paired_table::{PairedPhi, PairedTable, agresti_min, newcombe_paired, tango};
pub use pareto::{ParetoCell, ParetoLimits, dominated, pareto_front, pareto_shares};
pub use pass_k::{PassK, pass_at_k, pass_hat_k, pass_k};
pub use planning::{DesignCost, cost_optimal_repeats, pilot_design, sign_flip_reach};
pub use quantile::quantile;
pub(crate) use random::Draws;
pub use sample_size::{PairDesign, Power, tasks_for_design, tasks_for_margin};
pub use sequential_flip::{FlipDraws, FlipLook, SequentialFlip, sequential_flip};
pub use sign_flip::{SignFlip, sign_flip, sign_flip_counts, sign_flip_families, sign_flip_units};
pub use simulated_power::{Aim, Claims, Layout, Play, simulated_at_least, simulated_power};
pub use smallest_drop::{smallest_even_drop, smallest_loss};
pub use spending::{Growth, Looks, Spending, errors_at_tasks};
pub use stratified::{StratifiedExact, stratified_exact};
pub use student::{t_cdf, t_quantile};
pub use task_signal::{Influence, TaskSignal, influence, task_signals};
pub use task_world::TaskWorld;
pub use time_to_finish::{TimeToFinish, time_shares, time_to_finish};
pub use units::{FamilyWeight, Units};
pub use variance::{NoiseShare, VarianceSplit, noise_share_interval, variance_split};
pub use wilson::wilson;
pub use winner::{Winner, winner};
