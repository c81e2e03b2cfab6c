//! A model endpoint on loopback that plays a script, in the test's process: the Messages protocol,
//! streamed. It keeps what it was sent, so it is a witness of what an agent's program asked for.

use crate::counting_server;
use serde_json::{Value, json};
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a test waits for a request at most; reached only when something is broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// The tokens of every answer: uncached input, cache writes, cache reads, output.
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
    /// The names of the tools that it offers.
    #[must_use]
    pub fn tools(&self) -> Vec<&str> {
        let tools = self.body["tools"].as_array().into_iter().flatten();
        tools.filter_map(|tool| tool["name"].as_str()).collect()
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

fn serve(mut stream: TcpStream, script: &Script, seen: &Seen) -> io::Result<()> {
    let Some((head, body)) = counting_server::read(&mut stream) else {
        return Ok(());
    };
    let mut ask = ask(&head, &body);
    if !ask.line.starts_with("POST /v1/messages?") {
        return plain(&mut stream, 200, &json!({"input_tokens": 100}));
    }
    {
        let mut asks = seen.asks.lock().unwrap();
        ask.number = asks.len() + 1;
        asks.push(ask.clone());
    }
    seen.changed.notify_all();
    let id = format!("msg_{}", ask.number);
    let model = ask.body["model"].as_str().unwrap_or_default();
    let block = match script(&ask) {
        Move::Refuse(status, message) => {
            let error = json!({"type": "scripted_error", "message": message});
            return plain(
                &mut stream,
                status,
                &json!({"type": "error", "error": error}),
            );
        }
        Move::Hang => return wait_until_closed(&mut stream),
        Move::Say(text) => json!({"type": "text", "text": text}),
        Move::Cut => return begin(&mut stream, &id, model),
        Move::Call(name, arguments) => {
            let input: Value = serde_json::from_str(&arguments).unwrap();
            json!({"type": "tool_use", "id": format!("toolu_{}", ask.number), "name": name, "input": input})
        }
    };
    begin(&mut stream, &id, model)?;
    tell(&mut stream, 0, &block)?;
    end(&mut stream, &block)
}

fn ask(head: &str, body: &[u8]) -> Ask {
    let key = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_key = name.eq_ignore_ascii_case("x-api-key");
        is_key.then(|| value.trim().to_owned())
    });
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let messages = body["messages"].as_array().into_iter().flatten();
    let answers = messages.filter(|message| message["role"] == "assistant");
    Ask {
        number: 0,
        turn: 1 + answers.count(),
        line: head.lines().next().unwrap_or_default().to_owned(),
        key,
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

fn begin(stream: &mut TcpStream, id: &str, model: &str) -> io::Result<()> {
    stream.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
    )?;
    let (input, written, read, _) = TOKENS;
    let usage = json!({
        "input_tokens": input,
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": read,
        "output_tokens": 1,
    });
    let message = json!({
        "id": id, "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage,
    });
    event(
        stream,
        &json!({"type": "message_start", "message": message}),
    )
}

/// One block, its text or its arguments in two pieces.
fn tell(stream: &mut TcpStream, index: usize, block: &Value) -> io::Result<()> {
    let mut start = block.clone();
    let (whole, kind, key) = if block["type"] == "text" {
        start["text"] = json!("");
        let text = block["text"].as_str().unwrap_or_default().to_owned();
        (text, "text_delta", "text")
    } else {
        start["input"] = json!({});
        (
            block["input"].to_string(),
            "input_json_delta",
            "partial_json",
        )
    };
    event(
        stream,
        &json!({"type": "content_block_start", "index": index, "content_block": start}),
    )?;
    let middle = whole.floor_char_boundary(whole.len() / 2);
    for piece in [&whole[..middle], &whole[middle..]] {
        let delta = json!({"type": kind, key: piece});
        event(
            stream,
            &json!({"type": "content_block_delta", "index": index, "delta": delta}),
        )?;
    }
    event(
        stream,
        &json!({"type": "content_block_stop", "index": index}),
    )
}

fn end(stream: &mut TcpStream, block: &Value) -> io::Result<()> {
    let reason = match block["type"] == "text" {
        true => "end_turn",
        false => "tool_use",
    };
    let delta = json!({"stop_reason": reason, "stop_sequence": null});
    let usage = json!({"output_tokens": TOKENS.3});
    event(
        stream,
        &json!({"type": "message_delta", "delta": delta, "usage": usage}),
    )?;
    event(stream, &json!({"type": "message_stop"}))?;
    stream.write_all(b"0\r\n\r\n")
}

fn event(stream: &mut TcpStream, event: &Value) -> io::Result<()> {
    let name = event["type"].as_str().unwrap_or_default();
    let text = format!("event: {name}\ndata: {event}\n\n");
    write!(stream, "{:x}\r\n{text}\r\n", text.len())
}
