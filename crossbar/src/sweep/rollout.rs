//! One rollout: validate, provision, execute, collect, evaluate, report.

use super::judge::{self, Judged};
use super::traffic::Reel;
use super::{Job, Ports, Work};
use super::{relay, told_as_text};
use crate::context::{BodyEnd, Context, Finished, Phase, Setup, Trouble, run_body};
use crate::domain::{
    BudgetError, Clock, Cost, CostSource, Moment, Outcome, Price, RecordingError, Rollout,
    Schedule, SkipReason, Stage, StageTime,
};
use crate::provider::{self, Meter, Provider, ProviderError, WorkClock};
use std::sync::Arc;
use std::time::Duration;

/// How much longer than its agent a task function may take in all, so that an assertion that
/// hangs does not hang the sweep.
const BODY_SLACK: Duration = Duration::from_secs(300);

/// What a rollout came to.
pub(super) enum Ended {
    /// A record.
    Recorded(Box<Rollout>),
    /// The ledger could not be written, so nothing may go on.
    LedgerFailed(String),
    /// What passed could not be kept.
    NotKept(RecordingError),
}

/// Runs one rollout. It comes back with a record whatever happens in it.
pub(super) async fn run(job: &Job, attempt: u32, ports: &Ports) -> Ended {
    let clock = ports.clock.as_ref();
    let started_at = Moment(clock.since_epoch()).rfc3339();
    let mut watch = Watch::start(clock);
    let reel = Reel::of(job, ports);
    let setup = match &reel {
        Ok(reel) => setup(job, ports, reel).await,
        Err(trouble) => Err(trouble.clone()),
    };
    let validate = watch.stage(Stage::Validate);
    let mut finished = match setup {
        Ok(setup) => execute(job, setup).await,
        Err(trouble) => never_began(trouble),
    };
    if let Ok(reel) = &reel {
        reel.holds(&mut finished);
        if let Err(error) = reel.keep(&job.planned.key, ports) {
            return Ended::NotKept(error);
        }
    }
    if let Some(Trouble::Budget(BudgetError::Ledger(message))) = &finished.trouble {
        return Ended::LedgerFailed(message.clone());
    }
    let mut watch = Watch::start(clock);
    let judged = judge::judge(&job.task, &mut finished);
    let evaluate = watch.stage(Stage::Evaluate);
    let mut rollout = record(job, attempt, finished, judged);
    rollout.started_at = started_at;
    rollout.evaluator.clone_from(&ports.evaluator);
    rollout.stages.insert(0, validate);
    rollout.stages.push(evaluate);
    let mut rollout = masked(rollout, ports);
    rollout.stages.push(watch.stage(Stage::Report));
    Ended::Recorded(Box::new(rollout))
}

/// Times one stage after the other.
struct Watch<'a> {
    clock: &'a dyn Clock,
    since: Duration,
}

impl<'a> Watch<'a> {
    fn start(clock: &'a dyn Clock) -> Self {
        let since = clock.monotonic();
        Self { clock, since }
    }

    /// The stage that ends now, and began when the last one ended.
    fn stage(&mut self, stage: Stage) -> StageTime {
        let now = self.clock.monotonic();
        let took = now.saturating_sub(self.since);
        self.since = now;
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        StageTime { stage, ms }
    }
}

/// What a rollout runs with. What can't be had is wrong with the roster or the task, and is found
/// before anything is started.
async fn setup(job: &Job, ports: &Ports, reel: &Reel<'_>) -> Result<Setup, Trouble> {
    let clock = Arc::new(WorkClock::new(Arc::clone(&ports.clock)));
    let provider = provider_of(job, ports, reel, Arc::clone(&clock))
        .map_err(|error| Trouble::Fixture(error.to_string()))?;
    let relay = relay::of(job, ports, reel, &clock).await?;
    let harness = crate::harness::build(&job.cell.harness)
        .map_err(|error| Trouble::Fixture(error.to_string()))?;
    Ok(Setup {
        model: job.cell.model.clone(),
        provider,
        relay,
        harness,
        offers_tools: crate::harness::kind(&job.cell.harness.kind).is_some_and(|k| k.offers_tools),
        limits: job.task.task.limits.clone(),
        policy: job.task.task.security.clone(),
        clock,
    })
}

fn provider_of(
    job: &Job,
    ports: &Ports,
    reel: &Reel<'_>,
    clock: Arc<WorkClock>,
) -> Result<Box<dyn Provider>, ProviderError> {
    let cell = &job.cell;
    let script = match &job.control {
        Some(script) => Some(script.as_ref()),
        None if cell.kind.live => None,
        None => job.task.script(),
    };
    let setup = provider::Setup {
        seed: job.planned.seed,
        script,
        secret: cell.secret.clone(),
        tape: reel.tape.clone(),
    };
    let inner = provider::build(&cell.model, &setup)?;
    let paid = paid_for(inner, job, ports, Arc::clone(&clock))?;
    #[cfg(feature = "http")]
    let paid = provider::patient(
        paid,
        &cell.model,
        &cell.kind,
        provider::Patience {
            lines: ports.lines.clone(),
            clock,
            seed: job.planned.seed,
            waits: match reel.tape.is_playing() {
                true => provider::Waits::Skipped,
                false => provider::Waits::Real,
            },
        },
    );
    Ok(paid)
}

/// Puts the ledger before a live model.
fn paid_for(
    inner: Box<dyn Provider>,
    job: &Job,
    ports: &Ports,
    clock: Arc<WorkClock>,
) -> Result<Box<dyn Provider>, ProviderError> {
    let cell = &job.cell;
    let Some(limit) = ports.ceiling() else {
        // The session has refused live cells without a budget; this is the second lock.
        return if cell.kind.live && cell.model.price != Price::Free {
            Err(provider::no_budget(&cell.model))
        } else {
            Ok(inner)
        };
    };
    let meter = Meter {
        budget: ports.ledger(),
        limit,
        key: job.planned.key.clone(),
        clock,
    };
    provider::metered(inner, &cell.model, &cell.kind, meter)
}

async fn execute(job: &Job, setup: Setup) -> Finished {
    match &job.task.work {
        Work::Declared => declared(job, setup).await,
        Work::Coded { body, .. } => coded(body, setup).await,
    }
}

async fn declared(job: &Job, setup: Setup) -> Finished {
    let Some(task) = &job.task.task.declared else {
        return never_began(Trouble::Fixture("the task declares nothing".to_owned()));
    };
    let mut context = match Context::open_declared(setup, &task.environment).await {
        Ok(context) => context,
        Err(trouble) => return never_began(trouble),
    };
    let probes: Vec<_> = task
        .checks
        .iter()
        .flat_map(|check| check.probes())
        .collect();
    if let Err(trouble) = context.can_observe(&probes) {
        context.finish().await;
        return never_began(trouble);
    }
    if context.agent(&task.prompt).await.is_ok() {
        context.observe_probes(&probes).await;
    }
    let mut finished = context.finish().await;
    told_as_text::are_errors(&mut finished, &task.environment.servers);
    finished
}

async fn coded(body: &crate::context::Body, setup: Setup) -> Finished {
    let limit = Duration::from_secs_f64(setup.limits.timeout_s) + BODY_SLACK;
    let mut context = match Context::open(setup) {
        Ok(context) => context,
        Err(trouble) => return never_began(trouble),
    };
    let ended = tokio::time::timeout(limit, run_body(body, &mut context)).await;
    let failed = match ended {
        Ok(BodyEnd::Returned) => None,
        Ok(BodyEnd::Failed(message)) => Some(message),
        Err(_) => Some(format!("it did not end within {} s", limit.as_secs())),
    };
    let phase = context.phase();
    match (&failed, phase) {
        (Some(message), Phase::Assert) => context.fail(message),
        (None, Phase::Assert) => context.returned(),
        _ => {}
    }
    let mut finished = context.finish().await;
    if finished.trouble.is_none() && phase != Phase::Assert {
        let message = failed.unwrap_or_else(|| "it never called cx.agent".to_owned());
        finished.trouble = Some(Trouble::Fixture(message));
    }
    finished
}

pub(super) fn never_began(trouble: Trouble) -> Finished {
    Finished {
        phase: Phase::Arrange,
        trajectory: crate::domain::Trajectory::default(),
        checks: Vec::new(),
        evidence: crate::domain::Evidence::default(),
        trouble: Some(trouble),
        tools_offered: false,
        worked_ms: 0,
        stages: Vec::new(),
    }
}

fn record(job: &Job, attempt: u32, finished: Finished, judged: Judged) -> Rollout {
    let cost = cost(&job.cell.model.price, &finished.trajectory);
    Rollout {
        key: job.planned.key.clone(),
        attempt,
        outcome: judged.outcome,
        score: judged.score,
        failure_mode: judged.failure_mode,
        checks: judged.checks,
        usage: finished.trajectory.usage(),
        trajectory: finished.trajectory,
        evidence: finished.evidence,
        cost,
        forbidden: judged.forbidden,
        limits: job.task.task.limits.clone(),
        schedule: Schedule {
            position: job.planned.position,
            seed: job.planned.seed,
        },
        stages: finished.stages,
        started_at: String::new(),
        worked_ms: finished.worked_ms,
        evaluator: String::new(),
    }
}

/// What it cost: nothing where the roster says so; else what the program that drove the model says,
/// where it knows the price; else what our own tokens and prices give.
fn cost(price: &Price, trajectory: &crate::domain::Trajectory) -> Cost {
    let own = trajectory.agent.as_ref().and_then(|agent| agent.cost);
    let (amount, source) = match (price, own) {
        (Price::Free, _) => (Some(crate::domain::Usd::ZERO), CostSource::Free),
        (_, Some(own)) => (Some(own), CostSource::Agent),
        (_, None) => (trajectory.cost(), CostSource::Modelled),
    };
    amount.map_or(Cost::Unknown, |amount| Cost::Known { amount, source })
}

/// The only place where secrets are masked: before the record exists anywhere else.
fn masked(rollout: Rollout, ports: &Ports) -> Rollout {
    if ports.redactor.is_empty() {
        return rollout;
    }
    let masked = serde_json::to_value(&rollout)
        .map(|value| ports.redactor.value(value))
        .and_then(serde_json::from_value);
    // A record that can't be masked is not kept with its secrets: only how it ended is.
    masked.unwrap_or_else(|_| Rollout {
        trajectory: crate::domain::Trajectory::default(),
        evidence: crate::domain::Evidence::default(),
        checks: Vec::new(),
        ..rollout
    })
}

/// The outcome of a rollout that was stopped by something that is not the agent's doing.
pub(super) fn outcome_of(trouble: &Trouble) -> Outcome {
    match trouble {
        Trouble::Infrastructure { evidence, message } => Outcome::InfrastructureFailure {
            evidence: *evidence,
            message: message.clone(),
        },
        Trouble::Budget(_) => Outcome::Skipped {
            why: SkipReason::Budget,
        },
        Trouble::Fixture(message) => Outcome::InvalidFixture {
            message: message.clone(),
        },
    }
}
