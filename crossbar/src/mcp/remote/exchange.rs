//! Requests to one address, and the streams that come back.

use super::RemoteSpec;
use super::cursor::Cursor;
use super::refusal::{Refused, words};
use crate::mcp::inbox::{End, Inbox, LONGEST};
use crate::mcp::message::{self, Message};
use crate::wire::{Answer, Ask, Asker, Method, SseDecoder, WireError};
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Connections in a row that may bring nothing before a stream is given up.
const MOST_BARREN: u32 = 5;

/// How much of a refusal is read, in bytes.
const LONGEST_REFUSAL: usize = 1 << 20;

/// A part of a header shorter than this is no key.
const SHORTEST_SECRET: usize = 6;

const SESSION: &str = "mcp-session-id";

/// What client and server have agreed on.
#[derive(Debug, Default)]
struct Agreed {
    session: Option<String>,
    protocol: Option<String>,
}

/// One server's address with the state of the conversation.
pub(super) struct Exchange {
    asker: Asker,
    place: String,
    /// What no message may repeat.
    secrets: Vec<String>,
    inbox: Inbox,
    agreed: Mutex<Agreed>,
}

impl Exchange {
    pub(super) fn new(spec: &RemoteSpec) -> Result<Self, WireError> {
        let asker = Asker::new(&spec.url, &spec.headers)?;
        let values = spec.headers.iter().map(|(_, value)| value.as_str());
        let words = values.flat_map(|value| std::iter::once(value).chain(value.split(' ')));
        let secrets = words.filter(|word| word.len() >= SHORTEST_SECRET);
        Ok(Self {
            place: asker.origin(),
            asker,
            secrets: secrets.map(str::to_owned).collect(),
            inbox: Inbox::default(),
            agreed: Mutex::default(),
        })
    }

    pub(super) fn place(&self) -> &str {
        &self.place
    }

    pub(super) fn inbox(&self) -> &Inbox {
        &self.inbox
    }

    /// Takes over what the reply to `initialize` says of the protocol.
    pub(super) fn agree(&self, initialized: &Value) {
        let version = initialized.get("protocolVersion").and_then(Value::as_str);
        let version = version.filter(|text| text.bytes().all(|byte| byte.is_ascii_graphic()));
        self.agreed().protocol = version.map(str::to_owned);
    }

    /// Sends a request and takes whatever comes for it, until nothing more can come.
    ///
    /// # Errors
    /// `End` when no reply can come; a reply that did come is in the inbox.
    pub(super) async fn converse(self: &Arc<Self>, id: u64, letter: &Value) -> Result<(), End> {
        let answer = self.post(letter).await?;
        if let Some(session) = answer.header(SESSION) {
            let mut agreed = self.agreed();
            agreed.session.get_or_insert_with(|| session.to_owned());
        }
        if !is_success(&answer) {
            return self.refused(answer, Some(id)).await;
        }
        if answer.is_event_stream() {
            return self.follow(answer, id).await;
        }
        let body = answer.body(LONGEST).await;
        let body = body.map_err(|error| self.lost(&error.to_string()))?;
        if serde_json::from_slice::<Value>(&body).is_err() {
            let begins = crate::wire::excerpt(&body);
            return Err(self.lost(&format!("its answer is no message of MCP: {begins}")));
        }
        for answer in self.take(&body, Some(id)) {
            self.tell(&answer).await?;
        }
        Ok(())
    }

    /// Sends what needs no reply.
    ///
    /// # Errors
    /// `End` when the server does not take it.
    pub(super) async fn tell(&self, letter: &Value) -> Result<(), End> {
        let answer = self.post(letter).await?;
        match is_success(&answer) {
            true => Ok(()),
            false => self.refused(answer, None).await,
        }
    }

    /// Hears what the server says outside of answers, as long as it wants to be heard. `head` is
    /// dropped once it is known whether it does.
    pub(super) async fn listen(self: Arc<Self>, head: oneshot::Sender<()>) {
        let mut head = Some(head);
        let mut cursor = Cursor::default();
        while cursor.barren < MOST_BARREN {
            let answer = self.get(&cursor).await;
            head.take();
            let Ok(answer) = answer else { return };
            if !is_success(&answer) || !answer.is_event_stream() {
                return;
            }
            if self.read(answer, None, &mut cursor).await.is_err() {
                return;
            }
            sleep(cursor.retry).await;
        }
    }

    /// Tells the server that the session is over, where there is one.
    pub(super) async fn farewell(&self) {
        if self.agreed().session.is_some() {
            // A server may refuse it, and the session is over for us all the same.
            let _ = self.ask(Method::Delete, Vec::new(), Vec::new()).await;
        }
    }

    pub(super) fn lost(&self, why: &str) -> End {
        let why = self
            .secrets
            .iter()
            .fold(why.to_owned(), |why, secret| why.replace(secret, "***"));
        End::Lost(format!("at {}: {why}", self.place))
    }

    fn agreed(&self) -> MutexGuard<'_, Agreed> {
        self.agreed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn post(&self, letter: &Value) -> Result<Answer, End> {
        let headers = vec![
            ("accept", "application/json, text/event-stream".to_owned()),
            ("content-type", "application/json".to_owned()),
        ];
        let body = letter.to_string().into_bytes();
        self.ask(Method::Post, headers, body).await
    }

    async fn get(&self, cursor: &Cursor) -> Result<Answer, End> {
        let mut headers = vec![("accept", "text/event-stream".to_owned())];
        headers.extend(cursor.last_id.clone().map(|id| ("last-event-id", id)));
        self.ask(Method::Get, headers, Vec::new()).await
    }

    async fn ask(
        &self,
        method: Method,
        mut headers: Vec<(&'static str, String)>,
        body: Vec<u8>,
    ) -> Result<Answer, End> {
        {
            let agreed = self.agreed();
            headers.extend(agreed.session.clone().map(|id| (SESSION, id)));
            let protocol = agreed.protocol.clone();
            headers.extend(protocol.map(|version| ("mcp-protocol-version", version)));
        }
        let ask = Ask {
            method,
            headers,
            body,
        };
        let asked = self.asker.ask(ask).await;
        asked.map_err(|error| self.lost(&error.to_string()))
    }

    /// Reads the stream of an answer, over as many connections as the server makes of it.
    async fn follow(self: &Arc<Self>, mut answer: Answer, id: u64) -> Result<(), End> {
        let mut cursor = Cursor::default();
        loop {
            self.read(answer, Some(id), &mut cursor).await?;
            if cursor.last_id.is_none() || cursor.barren >= MOST_BARREN {
                return Err(self.lost(&cursor.why));
            }
            sleep(cursor.retry).await;
            answer = self.get(&cursor).await?;
            if !is_success(&answer) || !answer.is_event_stream() {
                let status = answer.status();
                let why = format!(
                    "{}, and can't be gone on with: HTTP status {status}",
                    cursor.why
                );
                return Err(self.lost(&why));
            }
        }
    }

    /// Reads one connection to its end, and answers what the server asks meanwhile.
    async fn read(
        self: &Arc<Self>,
        mut answer: Answer,
        id: Option<u64>,
        cursor: &mut Cursor,
    ) -> Result<(), End> {
        let mut decoder = SseDecoder::new(LONGEST);
        let mut told = JoinSet::new();
        let mut events = 0;
        let why = loop {
            let piece = tokio::select! {
                piece = answer.piece() => piece,
                Some(sent) = told.join_next() => {
                    sent.unwrap_or(Ok(()))?;
                    continue;
                }
            };
            let piece = match piece {
                Ok(Some(piece)) => piece,
                Ok(None) => break "the answer ended before the reply".to_owned(),
                Err(error) => break error.to_string(),
            };
            for event in decoder.feed(&piece) {
                events += 1;
                for answer in self.take(event.data.as_bytes(), id) {
                    let this = Arc::clone(self);
                    told.spawn(async move { this.tell(&answer).await });
                }
            }
            cursor.learn(&decoder);
            if decoder.is_over() {
                return Err(self.lost("it sent an event of more than 256 MiB"));
            }
        };
        while let Some(sent) = told.join_next().await {
            sent.unwrap_or(Ok(()))?;
        }
        cursor.ended(events, why);
        Ok(())
    }

    /// Takes one message, or several in a list; gives what the server is to be answered.
    fn take(&self, text: &[u8], id: Option<u64>) -> Vec<Value> {
        let take = |one: &[u8]| {
            let message = match (message::read(one), id) {
                // It is about the request that it answers, and about no other.
                (Message::Unaddressed(error), Some(id)) => Message::Reply(id, Err(error)),
                (message, _) => message,
            };
            self.inbox.take(message, one)
        };
        match text.trim_ascii_start().first() {
            Some(b'[') => {
                let list: Vec<Value> = serde_json::from_slice(text).unwrap_or_default();
                let letters = list.iter().map(Value::to_string);
                letters.filter_map(|one| take(one.as_bytes())).collect()
            }
            _ => take(text).into_iter().collect(),
        }
    }

    /// An answer that is no success. An error of the protocol in it is the reply to the request
    /// with this id; anything else is between us and the machine.
    async fn refused(&self, answer: Answer, id: Option<u64>) -> Result<(), End> {
        let status = answer.status();
        let location = answer.header("location").map(str::to_owned);
        let body = answer.body(LONGEST_REFUSAL).await.unwrap_or_default();
        let in_session = self.agreed().session.is_some();
        let of_protocol = matches!(status, 400 | 406 | 409 | 422) || (status == 404 && !in_session);
        let error = match message::read(&body) {
            Message::Reply(_, Err(error)) | Message::Unaddressed(error) => Some(error),
            _ => None,
        };
        if let (true, Some(id), Some(error)) = (of_protocol, id, error) {
            self.inbox.take(Message::Reply(id, Err(error)), &body);
            return Ok(());
        }
        Err(self.lost(&words(&Refused {
            status,
            location: location.as_deref(),
            body: &body,
            in_session,
        })))
    }
}

fn is_success(answer: &Answer) -> bool {
    (200..300).contains(&answer.status())
}
