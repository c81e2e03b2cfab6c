//! An MCP server over streamable HTTP on loopback, in the test's process: a desk that keeps notes,
//! and whatever a script says in its place. It keeps what it was sent, so it is a witness.

use crate::counting_server::read;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What is waited for at most; reached only when something is broken.
const PATIENCE: Duration = Duration::from_secs(20);

/// One request.
#[derive(Debug, Clone)]
pub struct Asked {
    /// `POST`, `GET` or `DELETE`.
    pub verb: String,
    /// Its headers, their names in small letters.
    pub headers: BTreeMap<String, String>,
    /// Its body; null where there is none.
    pub body: Value,
}

impl Asked {
    /// The method of the protocol; empty where there is none.
    #[must_use]
    pub fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    /// A header; empty where there is none.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// The reply to it with this result.
    #[must_use]
    pub fn reply(&self, result: &Value) -> Value {
        json!({"jsonrpc": "2.0", "id": self.body["id"], "result": result})
    }

    /// The reply to a call that gives this text.
    #[must_use]
    pub fn text(&self, text: &str) -> Value {
        self.reply(&json!({"content": [{"type": "text", "text": text}]}))
    }
}

/// What is sent back.
#[derive(Debug, Clone)]
pub enum Said {
    /// A body as a whole, under a status, a content type and more lines of the head.
    Whole(u16, &'static str, String, String),
    /// A stream of events, which ends after the last.
    Stream(Vec<Event>),
    /// Nothing, until the client goes away.
    Silence,
}

/// A part of a stream.
#[derive(Debug, Clone)]
pub enum Event {
    /// Bytes as they are.
    Raw(String),
    /// A message of the protocol.
    Message(Value),
    /// Waits until a POST has come whose body has this id and no method: the answer to a question.
    AnswerTo(Value),
    /// Waits until the client goes away.
    Open,
}

impl Said {
    /// A message as JSON.
    #[must_use]
    pub fn json(message: &Value) -> Self {
        Self::status(200, &message.to_string())
    }

    /// A body in JSON under this status.
    #[must_use]
    pub fn status(status: u16, body: &str) -> Self {
        Self::Whole(status, "application/json", String::new(), body.to_owned())
    }

    /// A stream of messages.
    #[must_use]
    pub fn stream(messages: &[Value]) -> Self {
        Self::Stream(messages.iter().cloned().map(Event::Message).collect())
    }

    /// The same with one more line in its head; whole answers alone have one.
    #[must_use]
    pub fn with(self, line: &str) -> Self {
        match self {
            Self::Whole(status, kind, head, body) => {
                Self::Whole(status, kind, format!("{head}{line}\r\n"), body)
            }
            other => other,
        }
    }
}

type Script = dyn Fn(&Asked) -> Option<Said> + Send + Sync;

/// The server. It serves until the test's process ends.
pub struct HttpMcpServer {
    address: SocketAddr,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    asked: Vec<Asked>,
    /// The notes of each session.
    notes: BTreeMap<String, Vec<String>>,
}

impl Seen {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_until(&self, what: &str, reached: impl Fn(&State) -> bool) {
        let limit = Instant::now() + PATIENCE;
        let mut state = self.state();
        while !reached(&state) {
            let left = limit.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "waited in vain for {what}");
            let woken = self.changed.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl HttpMcpServer {
    /// A desk: tools `add` (`text`), `all` (what was added in this session) and `echo` (`text`). What
    /// `script` answers stands in place of what the desk would.
    pub fn start(script: impl Fn(&Asked) -> Option<Said> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen::default());
        let (theirs, script) = (Arc::clone(&seen), Arc::new(script));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, script) = (Arc::clone(&theirs), Arc::clone(&script));
                std::thread::spawn(move || serve(stream, &*script, &seen));
            }
        });
        Self { address, seen }
    }

    /// The desk alone.
    #[must_use]
    pub fn desk() -> Self {
        Self::start(|_| None)
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it was asked so far, oldest first.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.seen.state().asked.clone()
    }

    /// Comes back once it has been asked with this verb.
    pub fn wait_for(&self, verb: &str) {
        self.seen.wait_until(verb, |state| {
            state.asked.iter().any(|asked| asked.verb == verb)
        });
    }
}

fn serve(mut stream: TcpStream, script: &Script, seen: &Seen) {
    let Some((head, body)) = read(&mut stream) else {
        return;
    };
    let asked = asked(&head, &body);
    seen.state().asked.push(asked.clone());
    seen.changed.notify_all();
    let said = script(&asked).unwrap_or_else(|| at_the_desk(&asked, seen));
    // A client that went away meanwhile is what some tests are about.
    match said {
        Said::Whole(status, kind, head, body) => {
            let _ = write!(
                stream,
                "HTTP/1.1 {status} Said\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{head}\
                 Connection: close\r\n\r\n{body}",
                body.len(),
            );
        }
        Said::Stream(events) => {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\
                        Connection: close\r\n\r\n";
            let _ = stream.write_all(head.as_bytes());
            events
                .iter()
                .for_each(|event| play(event, &mut stream, seen));
        }
        Said::Silence => play(&Event::Open, &mut stream, seen),
    }
}

fn play(event: &Event, stream: &mut TcpStream, seen: &Seen) {
    match event {
        Event::Raw(text) => drop(stream.write_all(text.as_bytes())),
        Event::Message(message) => {
            drop(write!(stream, "event: message\ndata: {message}\n\n"));
        }
        Event::AnswerTo(id) => seen.wait_until("an answer", |state| {
            let is_it = |asked: &Asked| asked.body["id"] == *id && asked.method().is_empty();
            state.asked.iter().any(is_it)
        }),
        Event::Open => drop(read(stream)),
    }
}

fn asked(head: &str, body: &[u8]) -> Asked {
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    Asked {
        verb: head.split(' ').next().unwrap_or_default().to_owned(),
        headers: head.lines().skip(1).filter_map(header).collect(),
        body: serde_json::from_slice(body).unwrap_or(Value::Null),
    }
}

fn at_the_desk(asked: &Asked, seen: &Seen) -> Said {
    if asked.verb == "GET" {
        return Said::status(405, "");
    }
    if asked.verb == "DELETE" {
        return Said::status(200, "");
    }
    match asked.method() {
        "initialize" => {
            let mut state = seen.state();
            let session = format!("s{}", state.notes.len() + 1);
            state.notes.insert(session.clone(), Vec::new());
            let result = json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                                "serverInfo": {"name": "desk", "version": "1"}});
            Said::json(&asked.reply(&result)).with(&format!("Mcp-Session-Id: {session}"))
        }
        "tools/list" => {
            let tool = |name: &str| {
                let text = json!({"type": "object", "properties": {"text": {"type": "string"}}});
                json!({"name": name, "inputSchema": text})
            };
            let tools = ["add", "all", "echo"].map(tool);
            Said::json(&asked.reply(&json!({"tools": tools})))
        }
        "tools/call" => Said::json(&called(asked, &mut seen.state())),
        // Notifications, and answers to questions.
        _ => Said::status(202, ""),
    }
}

fn called(asked: &Asked, state: &mut State) -> Value {
    let params = &asked.body["params"];
    let text = params["arguments"]["text"].as_str().unwrap_or_default();
    let notes = state.notes.entry(asked.header("mcp-session-id").to_owned());
    let notes = notes.or_default();
    match params["name"].as_str() {
        Some("add") => {
            notes.push(text.to_owned());
            asked.text("added")
        }
        Some("all") => {
            let all = json!({"notes": notes});
            asked.reply(&json!({"content": [], "structuredContent": all}))
        }
        _ => asked.text(text),
    }
}
