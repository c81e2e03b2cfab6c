//! What the tests of this room drive with: tools in memory, a clock that stands still, programmed
//! replies.

use super::{Conversation, DriveError, Harness, Ports, Session, build};
use crate::domain::{
    Arguments, Clock, Exec, HarnessSpec, Limits, LocalFuture, Model, Price, Script, ToolDef,
    ToolFailure, ToolReply, Toolbox, Usage,
};
use crate::provider::{ChatReply, Provider, ProviderError, Scripted, Setup, ToolCallRequest};
use crate::task::SecurityPolicy;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// A shelf of tools: `desk.echo` gives its arguments back, `desk.fail` says that it failed,
/// `desk.die` breaks the server, `desk.hang` never answers, `desk.wipe` is there to be forbidden.
/// Each call is kept, and moves the clock by a second.
pub(super) struct Shelf<'c> {
    pub(super) calls: RefCell<Vec<String>>,
    clock: &'c Hands,
}

/// A clock that only tests move.
#[derive(Default)]
pub(super) struct Hands(AtomicU64);

impl Hands {
    pub(super) fn pass(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::Relaxed);
    }
}

impl Clock for Hands {
    fn monotonic(&self) -> Duration {
        Duration::from_secs(self.0.load(Ordering::Relaxed))
    }

    fn since_epoch(&self) -> Duration {
        self.monotonic()
    }
}

impl Toolbox for Shelf<'_> {
    fn tools(&self) -> Vec<ToolDef> {
        ["echo", "fail", "die", "hang", "wipe"]
            .map(|tool| ToolDef {
                server: "desk".to_owned(),
                tool: tool.to_owned(),
                description: format!("the tool {tool}"),
                input_schema: json!({}),
            })
            .to_vec()
    }

    fn call<'a>(
        &'a self,
        server: &'a str,
        tool: &'a str,
        args: Value,
    ) -> LocalFuture<'a, Result<ToolReply, ToolFailure>> {
        Box::pin(async move {
            self.calls
                .borrow_mut()
                .push(format!("{server}.{tool} {args}"));
            self.clock.pass(1);
            match tool {
                "die" => {
                    return Err(ToolFailure {
                        server: server.to_owned(),
                        message: "it ended with code 3".to_owned(),
                    });
                }
                "hang" => std::future::pending::<()>().await,
                _ => {}
            }
            Ok(ToolReply {
                text: format!("{tool} says {args}"),
                structured: None,
                is_error: tool == "fail",
                protocol_error: false,
            })
        })
    }
}

/// Everything for one drive; change what a test is about.
pub(super) struct Bench {
    pub(super) kind: &'static str,
    pub(super) verify: bool,
    pub(super) limits: Limits,
    pub(super) policy: SecurityPolicy,
    pub(super) model: Model,
    pub(super) prompts: Vec<&'static str>,
    /// Seconds that pass after every prompt.
    pub(super) pause_s: u64,
}

/// What came of it.
pub(super) struct Driven {
    pub(super) conversation: Conversation,
    pub(super) result: Result<(), DriveError>,
    pub(super) calls: Vec<String>,
}

impl Bench {
    pub(super) fn of(kind: &'static str) -> Self {
        Self {
            kind,
            verify: false,
            limits: Limits::default(),
            policy: SecurityPolicy::default(),
            model: model(),
            prompts: vec!["do it"],
            pause_s: 0,
        }
    }

    pub(super) fn harness(&self) -> Box<dyn Harness> {
        let spec = HarnessSpec {
            id: "h".to_owned(),
            kind: self.kind.to_owned(),
            verify: self.verify,
            instructions: None,
            additions: Default::default(),
            command: None,
        };
        build(&spec).unwrap()
    }

    /// Drives every prompt; a future that waits for ever is dropped, as at a timeout.
    pub(super) fn drive(&self, provider: &dyn Provider) -> Driven {
        let clock = Hands::default();
        let toolbox = Shelf {
            calls: RefCell::default(),
            clock: &clock,
        };
        let mut conversation = Conversation::default();
        let ports = Ports {
            model: &self.model,
            provider,
            toolbox: &toolbox,
            clock: &clock,
            limits: &self.limits,
            policy: &self.policy,
            exec: None,
            program: None,
        };
        let harness = self.harness();
        let mut result = Ok(());
        for prompt in &self.prompts {
            let mut session = Session::new(ports, &mut conversation);
            result = poll_once(harness.drive(&mut session, prompt)).unwrap_or(Ok(()));
            clock.pass(self.pause_s);
        }
        let calls = toolbox.calls.take();
        Driven {
            conversation,
            result,
            calls,
        }
    }

    /// One session over a model and a machine, and what is left of the conversation.
    pub(super) fn session<T>(
        &self,
        provider: &dyn Provider,
        exec: Option<&dyn Exec>,
        drive: impl FnOnce(&mut Session<'_>) -> T,
    ) -> (T, Conversation) {
        let clock = Hands::default();
        let toolbox = Shelf {
            calls: RefCell::default(),
            clock: &clock,
        };
        let mut conversation = Conversation::default();
        let ports = Ports {
            model: &self.model,
            provider,
            toolbox: &toolbox,
            clock: &clock,
            limits: &self.limits,
            policy: &self.policy,
            exec,
            program: None,
        };
        let came = drive(&mut Session::new(ports, &mut conversation));
        (came, conversation)
    }

    /// Drives a mock or scripted model over a script.
    pub(super) fn play(&self, provider: &str, script: &Script) -> Driven {
        let mut model = self.model.clone();
        model.provider = provider.to_owned();
        let setup = Setup {
            seed: 1,
            script: Some(script),
            ..Setup::default()
        };
        self.drive(&*crate::provider::build(&model, &setup).unwrap())
    }
}

pub(super) fn model() -> Model {
    Model {
        id: "m".to_owned(),
        provider: "mock".to_owned(),
        model: "m".to_owned(),
        base_url: None,
        api_key_env: None,
        price: Price::Free,
        params: BTreeMap::new(),
        limits: crate::domain::ModelLimits::default(),
        skill: 1.0,
        recover: 1.0,
    }
}

pub(super) fn poll_once<F: Future>(future: F) -> Option<F::Output> {
    let mut future = Box::pin(future);
    match future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// A reply that asks for these tools with no arguments, for 10 tokens.
pub(super) fn calling(names: &[&str]) -> ChatReply {
    let calls = names.iter().enumerate().map(|(at, name)| ToolCallRequest {
        id: format!("{name}-{at}"),
        name: (*name).to_owned(),
        arguments: Arguments::Json(json!({})),
    });
    ChatReply {
        calls: calls.collect(),
        ..saying("")
    }
}

/// A reply that says this, for 10 tokens.
pub(super) fn saying(text: &str) -> ChatReply {
    let usage = Usage {
        input_uncached: 8,
        output: 2,
        ..Usage::default()
    };
    ChatReply {
        usage: Some(usage),
        ..ChatReply::text(text)
    }
}

/// Programmed replies.
pub(super) fn replies(replies: impl IntoIterator<Item = ChatReply>) -> Scripted {
    Scripted::new(replies)
}

/// One programmed error.
pub(super) fn failing(error: ProviderError) -> Scripted {
    Scripted::with_errors([Err(error)])
}
