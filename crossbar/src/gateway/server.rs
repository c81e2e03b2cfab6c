//! The listener: whom it answers, and to which paths.

use super::first::First;
use super::pass::{Passage, Passed};
use super::pieces::Pieces;
use super::protocol::Protocol;
use super::state::State;
use super::token::token;
use crate::domain::{
    Clock, Exchange, FirstRequest, Leash, Limits, LocalFuture, Model, Relay, RelayStop,
};
use crate::provider::{
    Bounds, Meter, Tape, Upstream, UpstreamRequest, WorkClock, is_of_the_connection,
};
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};

/// The longest request: far more than any conversation that a model takes.
const LONGEST_REQUEST: usize = 64 << 20;

/// Why a gateway could not be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to open the gateway: {0}")]
pub struct GatewayError(pub(super) String);

/// What a gateway is opened with.
pub struct Terms<'a> {
    /// What the program speaks.
    pub protocol: Protocol,
    /// The model.
    pub model: &'a Model,
    /// The value of its key.
    pub secret: Option<&'a str>,
    /// The ceilings of the rollout.
    pub limits: Limits,
    /// Where its money is accounted for; `None` where nothing is paid for.
    pub meter: Option<Meter>,
    /// What the roster bounds requests of the model by.
    pub bounds: Bounds,
    /// The rollout's clock.
    pub clock: Arc<WorkClock>,
    /// What writes down what passes, or plays what was: then there is nobody behind the gateway.
    pub tape: Tape,
}

/// The gateway of one rollout. Dropping it ends it, with every request that is under way: what such
/// a request cost is unknown, and its hold stays.
pub struct Gateway {
    base_url: String,
    token: String,
    passage: Arc<Passage>,
    listening: JoinHandle<()>,
}

impl Gateway {
    /// Opens one on a free port of loopback. To be called within a tokio runtime.
    ///
    /// # Errors
    /// `GatewayError` when no port, no random token or no client can be had.
    pub async fn open(terms: Terms<'_>) -> Result<Self, GatewayError> {
        let upstream = Upstream::new(terms.model, terms.secret, &terms.tape);
        let upstream = upstream.map_err(|error| GatewayError(error.message))?;
        let failed = |error: std::io::Error| GatewayError(format!("on 127.0.0.1: {error}"));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let token = token()?;
        let passage = Arc::new(Passage {
            protocol: terms.protocol,
            upstream,
            meter: terms.meter,
            max_output: terms.model.max_output_tokens(),
            bounds: terms.bounds,
            first: First::default(),
            state: State::new(
                terms.limits,
                terms.model.price.clone(),
                Arc::clone(&terms.clock) as Arc<dyn Clock>,
            ),
            clock: terms.clock,
        });
        let door = Arc::new(Door {
            token: token.clone(),
            passage: Arc::clone(&passage),
        });
        Ok(Self {
            base_url: format!("http://{address}"),
            token,
            passage,
            listening: tokio::spawn(listen(listener, door)),
        })
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Relay for Gateway {
    fn base_url(&self) -> &str {
        &self.base_url
    }

    fn token(&self) -> &str {
        &self.token
    }

    fn hold_to(&self, leash: Leash) {
        self.passage.state.hold_to(leash);
    }

    fn exchanges(&self) -> Vec<Exchange> {
        self.passage.state.exchanges()
    }

    fn hold_first(&self) {
        self.passage.first.hold();
    }

    fn first(&self) -> LocalFuture<'_, FirstRequest> {
        Box::pin(self.passage.first.here())
    }

    fn let_pass(&self) {
        self.passage.first.let_pass();
    }

    fn stopped(&self) -> LocalFuture<'_, RelayStop> {
        let mut watch = self.passage.state.watch();
        Box::pin(async move {
            match watch.wait_for(Option::is_some).await.as_deref() {
                Ok(Some(why)) => why.clone(),
                // The sender lives as long as this gateway.
                _ => std::future::pending().await,
            }
        })
    }
}

struct Door {
    token: String,
    passage: Arc<Passage>,
}

/// Takes connections in until it is aborted; all of them end with it.
async fn listen(listener: TcpListener, door: Arc<Door>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => if let Ok((stream, _)) = accepted {
                connections.spawn(connection(stream, Arc::clone(&door)));
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn connection(stream: TcpStream, door: Arc<Door>) {
    let answer = service_fn(move |request| {
        let door = Arc::clone(&door);
        async move { Ok::<_, Infallible>(door.answer(request).await) }
    });
    // A program that goes away in the middle is its own business; the request is written down.
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), answer)
        .await;
}

impl Door {
    async fn answer(&self, request: Request<Incoming>) -> Response<Pieces> {
        let passed = self.pass(request).await;
        let mut response = Response::builder().status(passed.status);
        for (name, value) in passed.headers {
            response = response.header(name, value);
        }
        let body = Pieces::new(passed.body);
        response.body(body).unwrap_or_else(|_| {
            let (_, nothing) = mpsc::channel(1);
            let mut response = Response::new(Pieces::new(nothing));
            *response.status_mut() = hyper::StatusCode::BAD_GATEWAY;
            response
        })
    }

    async fn pass(&self, request: Request<Incoming>) -> Passed {
        let passage = &self.passage;
        let path = request.uri().path().to_owned();
        if request.method() == Method::HEAD {
            // How a program asks whether anybody is there.
            return passage.refused(200, "");
        }
        let protocol = &passage.protocol;
        let is_metered = protocol.meters(&path);
        if request.method() != Method::POST || !(is_metered || protocol.frees(&path)) {
            return passage.refused(404, "the gateway has nothing under this path");
        }
        if !self.knows(&request) {
            return passage.refused(401, "the gateway does not know this key");
        }
        let Some(request) = whole(request).await else {
            return passage.refused(413, "the request is cut, or too long");
        };
        match is_metered {
            true => Arc::clone(passage).metered(request).await,
            false => Arc::clone(passage).free(request).await,
        }
    }

    fn knows(&self, request: &Request<Incoming>) -> bool {
        let of = |name: &str| {
            let value = request.headers().get(name)?.to_str().ok()?;
            Some(value.strip_prefix("Bearer ").unwrap_or(value))
        };
        KEYS.iter()
            .any(|name| of(name) == Some(self.token.as_str()))
    }
}

/// Headers in which programs show a key.
const KEYS: [&str; 3] = ["authorization", "x-api-key", "x-goog-api-key"];

/// Headers that are the program's own business with the gateway, as the keys are: the host, and the
/// compression that would hide an answer from the meter.
const KEPT_BACK: [&str; 2] = ["accept-encoding", "host"];

/// A request with its whole body, as it is passed on; `None` when it is cut or too long.
async fn whole(request: Request<Incoming>) -> Option<UpstreamRequest> {
    let (head, mut incoming) = request.into_parts();
    let mut body = Vec::new();
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut incoming).poll_frame(cx)).await {
        if let Ok(data) = frame.ok()?.into_data() {
            body.extend_from_slice(&data);
        }
        if body.len() > LONGEST_REQUEST {
            return None;
        }
    }
    let headers = head.headers.iter();
    let headers = headers
        .filter(|(name, _)| {
            let name = name.as_str();
            !is_of_the_connection(name) && !KEPT_BACK.contains(&name) && !KEYS.contains(&name)
        })
        .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()));
    let path = head.uri.path_and_query()?;
    Some(UpstreamRequest {
        path: path.as_str().to_owned(),
        headers: headers.collect(),
        body,
    })
}
