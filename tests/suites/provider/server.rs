//! A server on loopback that plays answers byte for byte, and counts what reaches it.

use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A server; the n-th request gets the n-th answer, and the last answer repeats. Each answer ends
/// its connection, so a wrong `Content-Length` really cuts the body. It lives as long as the test.
pub struct Server {
    address: SocketAddr,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    connections: AtomicUsize,
    requests: Mutex<Vec<(String, Vec<u8>)>>,
}

/// The bytes of a case file.
pub fn case(file: &str) -> Vec<u8> {
    let path = format!("{}/cases/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn ok(body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// An answer in pieces: these events, sent in HTTP chunks of `size` bytes.
pub fn streamed(events: &str, size: usize) -> Vec<u8> {
    let mut answer = head_of_a_stream();
    for piece in events.as_bytes().chunks(size) {
        answer.extend(format!("{:x}\r\n", piece.len()).into_bytes());
        answer.extend(piece);
        answer.extend(b"\r\n");
    }
    answer.extend(b"0\r\n\r\n");
    answer
}

/// The same, cut off after its first `length` bytes: its connection ends without the last chunk.
pub fn cut(events: &str, length: usize) -> Vec<u8> {
    let mut answer = head_of_a_stream();
    let piece = &events.as_bytes()[..length];
    answer.extend(format!("{:x}\r\n", events.len()).into_bytes());
    answer.extend(piece);
    answer
}

fn head_of_a_stream() -> Vec<u8> {
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\
      Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        .to_vec()
}

impl Server {
    /// Plays case files: `.http` as they are, `.json` as the body of a good answer.
    pub fn playing(files: &[&str]) -> Self {
        let answer = |file: &&str| {
            if file.ends_with(".http") {
                case(file)
            } else {
                ok(&case(file))
            }
        };
        Self::raw(files.iter().map(answer).collect())
    }

    /// Plays good answers with these bodies.
    pub fn answering(bodies: &[Value]) -> Self {
        Self::raw(
            bodies
                .iter()
                .map(|body| ok(body.to_string().as_bytes()))
                .collect(),
        )
    }

    /// Plays whole answers.
    pub fn raw(answers: Vec<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen::default());
        let theirs = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                theirs.connections.fetch_add(1, Ordering::SeqCst);
                serve(stream, &answers, &theirs);
            }
        });
        Self { address, seen }
    }

    /// What a roster would write as `base_url`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Connections so far.
    pub fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::SeqCst)
    }

    /// Request lines with headers, oldest first.
    pub fn heads(&self) -> Vec<String> {
        self.seen
            .requests
            .lock()
            .unwrap()
            .iter()
            .map(|(head, _)| head.clone())
            .collect()
    }

    /// Request bodies, oldest first.
    pub fn bodies(&self) -> Vec<Value> {
        let requests = self.seen.requests.lock().unwrap();
        requests
            .iter()
            .map(|(_, body)| serde_json::from_slice(body).unwrap())
            .collect()
    }
}

fn serve(mut stream: TcpStream, answers: &[Vec<u8>], seen: &Seen) {
    let Some((head, body)) = request(&mut stream) else {
        return;
    };
    let at = {
        let mut requests = seen.requests.lock().unwrap();
        requests.push((head, body));
        (requests.len() - 1).min(answers.len() - 1)
    };
    // A client that has gone is its own test's business.
    let _ = stream.write_all(&answers[at]);
}

/// Head and body of one request; `None` when the client went away first.
fn request(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end + 4]).into_owned();
            let length = |line: &str| {
                line.to_ascii_lowercase()
                    .strip_prefix("content-length:")?
                    .trim()
                    .parse()
                    .ok()
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
