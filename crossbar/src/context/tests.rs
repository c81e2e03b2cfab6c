//! What of a rollout's time is its agent's, and what is cut when that is over.

use super::{Context, Phase, Setup};
use crate::domain::{Clock, Ending, HarnessSpec, LimitKind, Limits, LocalFuture, Model, Price};
use crate::provider::{ChatReply, ChatRequest, Provider, ProviderError, WorkClock};
use crate::task::SecurityPolicy;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Ticks for ever.
struct Ticking(Instant);

impl Clock for Ticking {
    fn monotonic(&self) -> Duration {
        self.0.elapsed()
    }

    fn since_epoch(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A model that takes its time: in a queue that is not its own, or at work.
struct Slow {
    queue: Option<Arc<WorkClock>>,
    takes: Duration,
}

impl Provider for Slow {
    fn chat<'a>(&'a self, _: &'a ChatRequest) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        Box::pin(async move {
            let waiting = self.queue.as_ref().map(|clock| clock.pause());
            tokio::time::sleep(self.takes).await;
            drop(waiting);
            Ok(ChatReply::text("done"))
        })
    }
}

/// A rollout whose model takes twelve times its limit: how it ended, and its own milliseconds.
#[expect(
    clippy::disallowed_methods,
    reason = "the limit is held against real time too"
)]
fn asked(in_a_queue: bool) -> (Option<Ending>, u64) {
    let limit = Duration::from_millis(25);
    let clock = Arc::new(WorkClock::new(Arc::new(Ticking(Instant::now()))));
    let harness = HarnessSpec {
        id: "h".to_owned(),
        kind: "single-shot".to_owned(),
        verify: false,
        instructions: None,
        additions: Default::default(),
        command: None,
    };
    let setup = Setup {
        model: Model {
            id: "m".to_owned(),
            provider: "scripted".to_owned(),
            model: "m".to_owned(),
            base_url: None,
            api_key_env: None,
            price: Price::Free,
            params: BTreeMap::new(),
            limits: crate::domain::ModelLimits::default(),
            skill: 1.0,
            recover: 1.0,
        },
        provider: Box::new(Slow {
            queue: in_a_queue.then(|| Arc::clone(&clock)),
            takes: limit * 12,
        }),
        relay: None,
        harness: crate::harness::build(&harness).unwrap(),
        offers_tools: false,
        limits: Limits {
            timeout_s: limit.as_secs_f64(),
            ..Limits::default()
        },
        policy: SecurityPolicy::default(),
        clock,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let finished = runtime.block_on(async {
        let mut context = Context::open(setup).unwrap();
        assert!(context.agent("go").await.is_ok());
        context.finish().await
    });
    assert_eq!(finished.phase, Phase::Assert);
    (finished.trajectory.ending, finished.worked_ms)
}

#[test]
fn a_limit_in_seconds_runs_out_at_work_and_not_in_a_queue() {
    let limit = LimitKind::Seconds;
    let (ending, worked) = asked(false);
    assert_eq!(ending, Some(Ending::Limit { limit }));
    assert!((24..300).contains(&worked), "{worked}");
    let (ending, worked) = asked(true);
    assert_eq!(ending, Some(Ending::Answered));
    assert!(worked < 200, "{worked}");
}
