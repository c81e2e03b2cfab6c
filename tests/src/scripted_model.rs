//! A model endpoint on loopback that plays a script, in the test's process: the Messages, the
//! Responses, the Gemini and the chat completions protocol, streamed. It keeps what it was sent, so it
//! is a witness of what an agent's program asked for.

mod completions;
mod gemini;
mod messages;
mod responses;

use crate::counting_server;
use serde_json::{Value, json};
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a test waits for a request at most; reached only when something is broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// The tokens of every answer: uncached input, cache writes, cache reads, output. Where a protocol
/// counts no cache writes, they are uncached input.
pub const TOKENS: (u64, u64, u64, u64) = (1000, 200, 300, 40);

/// One model call.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Its number, from 1.
    pub number: usize,
    /// Which turn of its conversation it asks for, from 1: how many answers it has heard, and one.
    pub turn: usize,
    /// Its request line.
    pub line: String,
    /// The key that it shows.
    pub key: Option<String>,
    /// Its body.
    pub body: Value,
}

impl Ask {
    /// The names of the tools that it offers, that of its namespace before a tool's own.
    #[must_use]
    pub fn tools(&self) -> Vec<String> {
        if let Some(functions) = gemini::functions(&self.body) {
            return functions;
        }
        let tools = self.body["tools"].as_array().into_iter().flatten();
        let names = tools.flat_map(|tool| {
            let name = tool["name"].as_str().or(tool["function"]["name"].as_str());
            let name = name.unwrap_or_default();
            match tool["tools"].as_array() {
                None => vec![name.to_owned()],
                Some(inner) => {
                    let inner = inner.iter().filter_map(|tool| tool["name"].as_str());
                    inner.map(|tool| format!("{name}__{tool}")).collect()
                }
            }
        });
        names.collect()
    }

    /// The name under which it offers a tool of the task; the tool's own where it does not.
    #[must_use]
    pub fn named(&self, tool: &str) -> String {
        let mut offered = self.tools().into_iter();
        let found = offered.find(|name| name.ends_with(&format!("_{tool}")));
        found.unwrap_or_else(|| tool.to_owned())
    }
}

/// What the model does when it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// Says something, and is done.
    Say(String),
    /// Calls a tool with these arguments (JSON).
    Call(String, String),
    /// Refuses with this HTTP status and a message.
    Refuse(u16, String),
    /// Begins an answer, and breaks the connection off.
    Cut,
    /// Never answers, until the test ends.
    Hang,
}

impl Move {
    /// Says something.
    #[must_use]
    pub fn say(text: &str) -> Self {
        Self::Say(text.to_owned())
    }

    /// Calls a tool.
    #[must_use]
    pub fn call(tool: &str, arguments: &Value) -> Self {
        Self::Call(tool.to_owned(), arguments.to_string())
    }

    /// Refuses with a message that means nothing.
    #[must_use]
    pub fn refuse(status: u16) -> Self {
        Self::Refuse(status, "the script says so".to_owned())
    }
}

type Script = dyn Fn(&Ask) -> Move + Send + Sync;

/// The server. It serves until the test's process ends.
pub struct ScriptedModel {
    address: SocketAddr,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    asks: Mutex<Vec<Ask>>,
    changed: Condvar,
}

impl ScriptedModel {
    /// A server whose moves are a function of the request.
    pub fn start(script: impl Fn(&Ask) -> Move + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen::default());
        let (theirs, script) = (Arc::clone(&seen), Arc::new(script));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, script) = (Arc::clone(&theirs), Arc::clone(&script));
                // A client that was killed meanwhile is what some tests are about.
                std::thread::spawn(move || drop(serve(stream, &*script, &seen)));
            }
        });
        Self { address, seen }
    }

    /// What a roster writes as `base_url`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The model calls so far, oldest first.
    #[must_use]
    pub fn asks(&self) -> Vec<Ask> {
        let asks = self.seen.asks.lock();
        asks.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Comes back when `count` model calls have come in all.
    pub fn wait_for(&self, count: usize) {
        let limit = Instant::now() + PATIENCE;
        let mut asks = self.seen.asks.lock().unwrap();
        while asks.len() < count {
            let left = limit.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "waited in vain for request {count}");
            asks = self.seen.changed.wait_timeout(asks, left).unwrap().0;
        }
    }
}

/// An answer to be given.
struct Answer<'a> {
    number: usize,
    model: &'a str,
}

/// How the model speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speech {
    Completions,
    Messages,
    Responses,
    Gemini,
}

impl Speech {
    /// By the request line; `None` for what is no model call.
    fn of(line: &str) -> Option<Self> {
        let begins = |path: &str| line.starts_with(path);
        if gemini::model(line).is_some() {
            return Some(Self::Gemini);
        }
        let responses = begins("POST /v1/responses ").then_some(Self::Responses);
        let completions = begins("POST /v1/chat/completions ").then_some(Self::Completions);
        let messages = begins("POST /v1/messages?").then_some(Self::Messages);
        responses.or(completions).or(messages)
    }
}

fn serve(mut stream: TcpStream, script: &Script, seen: &Seen) -> io::Result<()> {
    let Some((head, body)) = counting_server::read(&mut stream) else {
        return Ok(());
    };
    let line = head.lines().next().unwrap_or_default().to_owned();
    let Some(speech) = Speech::of(&line) else {
        return plain(&mut stream, 200, &json!({"input_tokens": 100}));
    };
    let mut ask = ask(speech, &head, &body);
    {
        let mut asks = seen.asks.lock().unwrap();
        ask.number = asks.len() + 1;
        asks.push(ask.clone());
    }
    seen.changed.notify_all();
    perform(&mut stream, speech, &ask, script(&ask))
}

fn perform(stream: &mut TcpStream, speech: Speech, ask: &Ask, step: Move) -> io::Result<()> {
    let answer = Answer {
        number: ask.number,
        model: gemini::model(&ask.line)
            .or(ask.body["model"].as_str())
            .unwrap_or_default(),
    };
    let block = match step {
        Move::Refuse(status, message) => {
            let error = json!({"type": "scripted_error", "message": message});
            return plain(stream, status, &json!({"type": "error", "error": error}));
        }
        Move::Hang => return wait_until_closed(stream),
        Move::Cut => {
            return match speech {
                Speech::Completions => completions::begin(stream, &answer),
                Speech::Messages => messages::begin(stream, &answer),
                Speech::Responses => responses::begin(stream, &answer),
                Speech::Gemini => gemini::begin(stream, &answer),
            };
        }
        Move::Say(text) => match speech {
            Speech::Completions => completions::text(&text),
            Speech::Messages => messages::text(&text),
            Speech::Responses => responses::text(&text),
            Speech::Gemini => gemini::text(&text),
        },
        Move::Call(name, arguments) => {
            let input: Value = serde_json::from_str(&arguments).unwrap();
            match speech {
                Speech::Completions => completions::call(&answer, &name, &input),
                Speech::Messages => messages::call(&answer, &name, &input),
                Speech::Responses => responses::call(&answer, (&ask.body, &name), &input),
                Speech::Gemini => gemini::call(&ask.tools(), &name, &input),
            }
        }
    };
    match speech {
        Speech::Completions => completions::answer(stream, &answer, &block),
        Speech::Messages => messages::answer(stream, &answer, &block),
        Speech::Responses => responses::answer(stream, &answer, &block),
        Speech::Gemini => gemini::answer(stream, &answer, &block),
    }
}

fn ask(speech: Speech, head: &str, body: &[u8]) -> Ask {
    let header = |name: &str| {
        head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            let is_it = found.eq_ignore_ascii_case(name);
            is_it.then(|| value.trim().to_owned())
        })
    };
    let bearer = header("authorization");
    let bearer = bearer.and_then(|text| text.strip_prefix("Bearer ").map(str::to_owned));
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let answers = match speech {
        Speech::Completions => completions::answers(&body),
        Speech::Messages => messages::answers(&body),
        Speech::Responses => responses::answers(&body),
        Speech::Gemini => gemini::answers(&body),
    };
    Ask {
        number: 0,
        turn: 1 + answers,
        line: head.lines().next().unwrap_or_default().to_owned(),
        key: match speech {
            Speech::Gemini => header("x-goog-api-key"),
            _ => header("x-api-key").or(bearer),
        },
        body,
    }
}

fn plain(stream: &mut TcpStream, status: u16, body: &Value) -> io::Result<()> {
    let body = body.to_string();
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} Said\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    )
}

fn wait_until_closed(stream: &mut TcpStream) -> io::Result<()> {
    stream.read(&mut [0]).map(drop)
}

/// The head of an answer that comes as events.
fn head(stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(
        // It is closed behind the answer: whoever kept it for another request would lose that one.
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\
          Connection: close\r\n\r\n",
    )
}

fn event(stream: &mut TcpStream, event: &Value) -> io::Result<()> {
    let name = event["type"].as_str().unwrap_or_default();
    let text = format!("event: {name}\ndata: {event}\n\n");
    write!(stream, "{:x}\r\n{text}\r\n", text.len())
}
