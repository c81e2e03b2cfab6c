//! An OpenAI-compatible endpoint on loopback that counts what reaches it, in the test's process.
//!
//! It lives outside every crossbar process, so what it counts is a witness: a request that it saw
//! has been sent, whatever a record says.

use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a test waits for a request at most; reached only when something is broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    /// Its number, from 1.
    pub number: usize,
    /// The value of its `Authorization` header.
    pub authorization: Option<String>,
    /// Its request line.
    pub line: String,
    /// Its body.
    pub body: Value,
}

impl Request {
    /// The output ceiling that it names; 0 when it names none.
    #[must_use]
    pub fn max_tokens(&self) -> u64 {
        self.body["max_tokens"].as_u64().unwrap_or(0)
    }

    /// Which turn of its conversation it asks for, from 1.
    #[must_use]
    pub fn turn(&self) -> usize {
        let messages = self.body["messages"].as_array();
        let answered = |message: &&Value| message["role"] == "assistant";
        1 + messages.into_iter().flatten().filter(answered).count()
    }

    /// What the user said first.
    #[must_use]
    pub fn prompt(&self) -> &str {
        let messages = self.body["messages"].as_array();
        let user = |message: &&Value| message["role"] == "user";
        let first = messages.into_iter().flatten().find(user);
        first
            .and_then(|message| message["content"].as_str())
            .unwrap_or_default()
    }
}

/// What the server sends back.
#[derive(Debug, Clone)]
pub struct Reply {
    status: u16,
    headers: String,
    body: Value,
    held: bool,
}

impl Reply {
    /// An answer in words, of unknown usage.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::message(json!({"role": "assistant", "content": text}), "stop")
    }

    /// A call of a tool, of unknown usage. `name` is as the model sees it.
    #[must_use]
    pub fn call(name: &str, arguments: &Value) -> Self {
        let function = json!({"name": name, "arguments": arguments.to_string()});
        let call = json!({"id": "c1", "type": "function", "function": function});
        let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
        Self::message(message, "tool_calls")
    }

    /// A refusal.
    #[must_use]
    pub fn error(status: u16, message: &str) -> Self {
        Self {
            status,
            headers: String::new(),
            body: json!({"error": {"message": message}}),
            held: false,
        }
    }

    fn message(message: Value, finish: &str) -> Self {
        let choice = json!({"index": 0, "message": message, "finish_reason": finish});
        Self {
            status: 200,
            headers: String::new(),
            body: json!({"id": "r", "model": "counted", "choices": [choice]}),
            held: false,
        }
    }

    /// The same with one more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers += &format!("{name}: {value}\r\n");
        self
    }

    /// The same with tokens reported.
    #[must_use]
    pub fn usage(mut self, input: u64, output: u64) -> Self {
        self.body["usage"] = json!({"prompt_tokens": input, "completion_tokens": output});
        self
    }

    /// The same with this many of the input's tokens read from a cache.
    #[must_use]
    pub fn cached(mut self, tokens: u64) -> Self {
        self.body["usage"]["prompt_tokens_details"] = json!({"cached_tokens": tokens});
        self
    }

    /// The same, sent only once the server is told to [`CountingServer::release`].
    #[must_use]
    pub fn held(mut self) -> Self {
        self.held = true;
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let body = self.body.to_string();
        format!(
            "HTTP/1.1 {} Said\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             {}Connection: close\r\n\r\n{body}",
            self.status,
            body.len(),
            self.headers
        )
        .into_bytes()
    }
}

type Script = dyn Fn(&Request) -> Reply + Send + Sync;

/// The server. It serves until the test's process ends.
pub struct CountingServer {
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
    connections: usize,
    probes: Vec<Request>,
    requests: Vec<Request>,
    released: bool,
}

impl Seen {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let out = change(&mut self.state());
        self.changed.notify_all();
        out
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

impl CountingServer {
    /// A server whose answers are a function of the request.
    pub fn start(script: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen::default());
        let (theirs, script) = (Arc::clone(&seen), Arc::new(script));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                theirs.change(|state| state.connections += 1);
                let (seen, script) = (Arc::clone(&theirs), Arc::clone(&script));
                std::thread::spawn(move || serve(stream, &*script, &seen));
            }
        });
        Self { address, seen }
    }

    /// What a roster writes as `base_url`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Connections so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.seen.state().connections
    }

    /// Requests that ask a model nothing (`GET`), oldest first; they get a 404.
    #[must_use]
    pub fn probes(&self) -> Vec<Request> {
        self.seen.state().probes.clone()
    }

    /// Requests to a model so far, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.seen.state().requests.clone()
    }

    /// Comes back when `count` requests have come in all.
    pub fn wait_for_requests(&self, count: usize) {
        self.seen
            .wait_until("a request", |state| state.requests.len() >= count);
    }

    /// Sends every reply that is held, and holds none from now on.
    pub fn release(&self) {
        self.seen.change(|state| state.released = true);
    }
}

fn serve(mut stream: TcpStream, script: &Script, seen: &Seen) {
    let Some((head, body)) = read(&mut stream) else {
        return;
    };
    let mut request = request(&head, &body);
    if request.line.starts_with("GET ") {
        seen.change(|state| state.probes.push(request));
        let _ = stream.write_all(&Reply::error(404, "there is nothing here").bytes());
        return;
    }
    request.number = seen.change(|state| {
        state.requests.push(request.clone());
        let number = state.requests.len();
        state.requests[number - 1].number = number;
        number
    });
    let reply = script(&request);
    if reply.held {
        seen.wait_until("the release of a reply", |state| state.released);
    }
    // A client that was killed meanwhile is what some tests are about.
    let _ = stream.write_all(&reply.bytes());
}

fn request(head: &str, body: &[u8]) -> Request {
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("authorization")
            .then(|| value.trim().to_owned())
    };
    Request {
        number: 0,
        authorization: head.lines().find_map(header),
        line: head.lines().next().unwrap_or_default().to_owned(),
        body: serde_json::from_slice(body).unwrap_or(Value::Null),
    }
}

/// Head and body of one request; `None` when the client went away first.
pub(crate) fn read(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end + 4]).into_owned();
            let length = |line: &str| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length")
                    .then(|| value.trim().parse().ok())?
            };
            let length: usize = head.lines().find_map(length).unwrap_or(0);
            if bytes.len() >= end + 4 + length {
                return Some((head, bytes[end + 4..].to_vec()));
            }
        }
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(&chunk[..read]),
        }
    }
}
