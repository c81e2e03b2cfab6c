//! One request: held to the ceilings, its worst case reserved, passed on with the key, its answer
//! read as it passes.

use super::first::First;
use super::protocol::{Answer, Asked, Protocol};
use super::state::State;
use crate::domain::{ExchangeEnd, Reservation, Usd};
use crate::provider::{
    Bounds, DEFAULT_MAX_OUTPUT_TOKENS, Meter, ProviderError, UnderWay, Upstream, UpstreamReply,
    UpstreamRequest, WorkClock, costs_nothing,
};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::mpsc;

/// What a request is passed on with.
pub(super) struct Passage {
    pub(super) protocol: Protocol,
    pub(super) upstream: Upstream,
    /// `None` where nothing is paid for.
    pub(super) meter: Option<Meter>,
    /// What the roster bounds an answer by, in tokens.
    pub(super) max_output: Option<u64>,
    pub(super) bounds: Bounds,
    pub(super) clock: Arc<WorkClock>,
    pub(super) first: First,
    pub(super) state: State,
}

/// What bounds a paid answer, in tokens, where neither its program nor the roster does.
const LONGEST_ANSWER: u64 = 32_000;

/// A piece of an answer's body, or that it was cut.
pub(super) type Piece = Result<Vec<u8>, ()>;

/// What goes back to the program.
pub(super) struct Passed {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, Vec<u8>)>,
    pub(super) body: mpsc::Receiver<Piece>,
}

/// Pieces of an answer that may wait for the program to read them.
const IN_FLIGHT: usize = 16;

impl Passage {
    /// An answer of the gateway's own.
    pub(super) fn refused(&self, status: u16, message: &str) -> Passed {
        let (send, body) = mpsc::channel(1);
        // There is room for one, and the receiver is here.
        let _ = send.try_send(Ok((self.protocol.error)(message).into_bytes()));
        Passed {
            status,
            headers: vec![("content-type".to_owned(), b"application/json".to_vec())],
            body,
        }
    }

    /// Passes on what costs nothing.
    pub(super) async fn free(self: Arc<Self>, request: UpstreamRequest) -> Passed {
        match self.upstream.send(request).await {
            Ok(reply) => self.answer(reply, None),
            Err(error) => self.refused(502, &error.message),
        }
    }

    /// Passes on a model call.
    pub(super) async fn metered(self: Arc<Self>, mut request: UpstreamRequest) -> Passed {
        let mut asked = self.asked(&request);
        self.first.meet(&asked.tools, &request.body).await;
        self.bound(&mut asked, &mut request.body);
        let bytes = request.body.len() as u64;
        let under_way = self.bounds.enter(&self.clock).await;
        let Some(at) = self.state.open(&asked) else {
            return self.refused(403, "this rollout may not ask its model again");
        };
        let Ok(hold) = self.hold(bytes, &asked).await else {
            self.state.close(at, ExchangeEnd::Refused);
            return self.refused(403, "this rollout has no money for another request");
        };
        let mut open = Open {
            passage: Arc::clone(&self),
            at,
            hold,
            answer: (self.protocol.answer)(""),
            status: 0,
            _under_way: under_way,
        };
        match self.upstream.send(request).await {
            Ok(reply) => {
                open.status = reply.status;
                open.answer = (self.protocol.answer)(&content_type(&reply));
                self.answer(reply, Some(open))
            }
            Err(error) => {
                open.close(after(&error));
                self.refused(502, &error.message)
            }
        }
    }

    fn asked(&self, request: &UpstreamRequest) -> Asked {
        let mut asked = (self.protocol.asked)(&request.body);
        let path = request.path.split('?').next().unwrap_or_default();
        let by_path = || self.protocol.model_of(path).map(str::to_owned);
        asked.model = asked.model.or_else(by_path);
        asked
    }

    /// Writes a ceiling into a request that has none, where the roster has one or the answer is
    /// paid for, and what its answer needs to tell its tokens.
    fn bound(&self, asked: &mut Asked, body: &mut Vec<u8>) {
        if let Some((key, value)) = asked.lacks
            && let Some(counted) = with_key(body, key, value)
        {
            *body = counted;
        }
        let paid = self.meter.as_ref().map(|_| LONGEST_ANSWER);
        if let (Some(key), None, Some(most)) = (
            self.protocol.ceiling,
            asked.max_output,
            self.max_output.or(paid),
        ) && let Some(bounded) = bounded(body, key, most)
        {
            *body = bounded;
            asked.max_output = Some(most);
        }
    }

    async fn hold(&self, bytes: u64, asked: &Asked) -> Result<Option<Reservation>, ()> {
        let Some(meter) = &self.meter else {
            return Ok(None);
        };
        let output = asked.max_output.unwrap_or(DEFAULT_MAX_OUTPUT_TOKENS);
        match meter.hold(self.state.worst_case(bytes, output)).await {
            Ok(hold) => Ok(Some(hold)),
            Err(error) => {
                self.state.out_of_money(error);
                Err(())
            }
        }
    }

    /// Begins to pass an answer back; the rest of it goes on beside.
    fn answer(&self, reply: UpstreamReply, open: Option<Open>) -> Passed {
        let (send, body) = mpsc::channel(IN_FLIGHT);
        let (status, headers) = (reply.status, reply.headers.clone());
        tokio::spawn(pump(reply, open, send));
        Passed {
            status,
            headers,
            body,
        }
    }
}

/// A model call under way.
struct Open {
    passage: Arc<Passage>,
    at: usize,
    hold: Option<Reservation>,
    answer: Box<dyn Answer>,
    status: u16,
    _under_way: UnderWay,
}

impl Open {
    fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Reads a piece before it is passed on. False when it must not be.
    fn read(&mut self, piece: &[u8]) -> bool {
        let before = self.answer.told().calls.len();
        if self.is_success() {
            self.answer.feed(piece);
        }
        self.note();
        let told = self.answer.told();
        self.passage
            .state
            .count_calls(self.at, &told.calls[before..])
    }

    fn note(&self) {
        let told = self.answer.told();
        self.passage.state.note(self.at, self.status, told);
    }

    fn close(self, end: ExchangeEnd) {
        let cost = self.passage.state.close(self.at, end);
        self.settle(cost);
    }

    fn settle(self, cost: Option<Usd>) {
        if let (Some(meter), Some(hold)) = (&self.passage.meter, self.hold)
            && let Err(error) = meter.budget.settle(hold, cost)
        {
            self.passage.state.out_of_money(error);
        }
    }

    /// How a call ended whose body ended in good order.
    fn end(&mut self) -> ExchangeEnd {
        if !self.is_success() {
            return refusal(self.status);
        }
        self.answer.end();
        self.note();
        match self.answer.told().is_complete {
            true => ExchangeEnd::Complete,
            false => ExchangeEnd::Cut,
        }
    }
}

/// Passes the pieces of an answer on. A call is closed, and its money settled, before its last
/// piece reaches the program, so that all is written down when the program ends.
async fn pump(mut reply: UpstreamReply, mut open: Option<Open>, send: mpsc::Sender<Piece>) {
    loop {
        let piece = tokio::select! {
            piece = reply.piece() => piece,
            // The program has gone, or has given up on this answer.
            () = send.closed() => {
                if let Some(open) = open {
                    open.close(ExchangeEnd::Cut);
                }
                return;
            }
        };
        let piece = match piece {
            Ok(Some(piece)) => piece,
            Ok(None) => {
                if let Some(mut open) = open {
                    let end = open.end();
                    open.close(end);
                }
                return;
            }
            Err(_) => {
                if let Some(open) = open {
                    open.close(ExchangeEnd::Cut);
                }
                let _ = send.send(Err(())).await;
                return;
            }
        };
        if let Some(mut call) = open.take() {
            if !call.read(&piece) {
                call.close(ExchangeEnd::Cut);
                let _ = send.send(Err(())).await;
                return;
            }
            match call.answer.told().is_complete {
                true => call.close(ExchangeEnd::Complete),
                false => open = Some(call),
            }
        }
        // Where nobody takes it, the next round sees that.
        let _ = send.send(Ok(piece)).await;
    }
}

/// A request with a ceiling under a key, or under `object.key` inside an object of it; `None` when it
/// can't have one.
fn bounded(body: &[u8], key: &str, most: u64) -> Option<Vec<u8>> {
    match key.split_once('.') {
        None => with_key(body, key, &most.to_string()),
        Some(place) => within(body, place, most),
    }
}

/// A request with one more key in an object of it, which is made where there is none.
fn within(body: &[u8], (object, key): (&str, &str), most: u64) -> Option<Vec<u8>> {
    let mut request: Value = serde_json::from_slice(body).ok()?;
    let object = request
        .as_object_mut()?
        .entry(object)
        .or_insert(Value::Null);
    if object.is_null() {
        *object = json!({});
    }
    object.as_object_mut()?.insert(key.to_owned(), most.into());
    Some(request.to_string().into_bytes())
}

/// A request with one more key at its end; `None` when it is no JSON object with keys. Of a key that
/// stands twice the last one counts, so that a `null` in front does not lift the ceiling. All else
/// stays as it is written: the order of a tool's parameters is the program's own.
fn with_key(body: &[u8], key: &str, value: &str) -> Option<Vec<u8>> {
    let front = body.trim_ascii().strip_suffix(b"}")?;
    let first = front.strip_prefix(b"{")?.trim_ascii_start().first();
    (first == Some(&b'"')).then(|| [front, format!(",\"{key}\":{value}}}").as_bytes()].concat())
}

fn content_type(reply: &UpstreamReply) -> String {
    let found = reply
        .headers
        .iter()
        .find(|(name, _)| name == "content-type");
    found.map_or_else(String::new, |(_, value)| {
        String::from_utf8_lossy(value).into_owned()
    })
}

/// What a status of failure says of the work behind it: the request was turned away, or a model may
/// have begun.
fn refusal(status: u16) -> ExchangeEnd {
    match costs_nothing(status) {
        true => ExchangeEnd::Refused,
        false => ExchangeEnd::Cut,
    }
}

fn after(error: &ProviderError) -> ExchangeEnd {
    match error.kind.may_cost() {
        true => ExchangeEnd::Cut,
        false => ExchangeEnd::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ceiling_is_put_behind_what_a_request_says() {
        let bounded = |body: &str| with_key(body.as_bytes(), "most", "7").map(String::from_utf8);
        let body = "{\"z\":1, \"a\":{},\"most\":7}";
        assert_eq!(bounded(" {\"z\":1, \"a\":{}} "), Some(Ok(body.to_owned())));
        let twice = with_key(b"{\"most\":null}", "most", "7").unwrap();
        let read: serde_json::Value = serde_json::from_slice(&twice).unwrap();
        assert_eq!(read["most"], 7);
        for other in ["", "{}", "[1]", "no"] {
            assert_eq!(bounded(other), None, "{other}");
        }
    }

    #[test]
    fn a_ceiling_inside_an_object_leaves_all_else_where_it_stands() {
        let with = |body: &str| bounded(body.as_bytes(), "config.most", 7).map(String::from_utf8);
        let whole = r#"{"z":[1.0],"config":{"b":0.95,"a":1,"most":7},"c":1}"#;
        let given = r#"{"z": [1.0], "config": {"b": 0.95, "a": 1}, "c": 1}"#;
        assert_eq!(with(given), Some(Ok(whole.to_owned())));
        for none in [r#"{"z":1}"#, r#"{"z":1,"config":null}"#] {
            let made = r#"{"z":1,"config":{"most":7}}"#.to_owned();
            assert_eq!(with(none), Some(Ok(made)), "{none}");
        }
        for other in ["", "[1]", "no", r#"{"config":1}"#] {
            assert_eq!(with(other), None, "{other}");
        }
    }

    #[test]
    fn only_a_request_that_was_turned_away_is_known_to_have_cost_nothing() {
        for status in [400, 401, 404, 429, 503, 529] {
            assert_eq!(refusal(status), ExchangeEnd::Refused, "{status}");
        }
        for status in [307, 408, 500, 502, 504, 520] {
            assert_eq!(refusal(status), ExchangeEnd::Cut, "{status}");
        }
    }
}
